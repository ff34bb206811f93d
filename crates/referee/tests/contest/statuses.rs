//! `referee contest status`, `tool check` and `score`.

use serde_json::Value;

use crate::kit::{Contest, SMALL, referee, refusal, repository, stdout};

const REGISTERED: &str = "organisers = [\"Ann\"]
[phases]
registration = { starts = \"2016-05-01\", ends = \"2016-06-05\" }
monitors = { starts = \"2016-06-19\", ends = \"2016-07-10\" }
[[teams]]
tool = \"A\"
tracks = [\"offline\"]
contact = \"a@example.org\"
[[teams]]
tool = \"B\"
members = [{ name = \"Bea\", email = \"bea@example.org\" }]
contact = \"bea@example.org\"
institutions = [\"Nowhere\"]
tracks = [\"offline\"]
implementation-language = \"sh\"
specification-language = \"none\"
[[queries]]
tool = \"A\"
benchmark = \"HasNext\"
by = \"B\"
at = \"2016-08-01\"
text = \"Why so slow?\"
state = \"open\"
";

#[test]
fn phases_and_debts() {
    let head = "name = \"Test\"\npackages = [\"packages/*\"]\ntools = [\"tools/*\"]\n";
    let contest = Contest::new(&format!("{head}{REGISTERED}"));
    contest.tool("A", "");
    let status = |day: &str| stdout(&["contest", "status", contest.argument(), "--on", day]);
    let early = status("2016-05-10");
    assert!(
        early.starts_with("Test, 2016-05-10\nphase: registration, until 2016-06-05\nnext: monitors, from 2016-06-19\n"),
        "{early}"
    );
    assert!(early.contains("package HasNext (offline): will be run\n"), "{early}");
    assert!(
        early.contains("team A: owes members, institutions, its implementation language, its specification language\n"),
        "{early}"
    );
    assert!(early.contains("team B: owes nothing\n"), "{early}");
    assert!(early.contains("query by B about A on HasNext: Open: Why so slow?"), "{early}");
    let late = status("2016-06-20");
    assert!(late.contains("team B: owes its tool\n"), "{late}");
    assert!(status("2016-08-01").contains("phase: over\n"));
    assert!(status("2016-08-01").contains("the tools are not frozen yet"));
    stdout(&["contest", "status", contest.argument(), "--freeze"]);
    assert!(status("2016-08-01").contains("tool A: as handed in\n"));
    contest.tool("A", "echo changed");
    assert!(status("2016-08-01").contains("tool A: changed since it was frozen\n"));
}

#[test]
fn too_many_benchmarks_of_one_team() {
    let benchmarks = repository().join("benchmarks").canonicalize().expect("packages");
    let team = |tool: &str| format!("[[teams]]\ntool = \"{tool}\"\ntracks = [\"offline\"]\n");
    let head = format!("name = \"Test\"\npackages = [\"{}/dejavu-*\"]\ntools = []\n", benchmarks.display());
    let list = ["access", "file", "fifo", "locking", "deadlock", "datarace"]
        .map(|name| format!("\"{}/dejavu-{name}\"", benchmarks.display()));
    let head = head.replace(&format!("\"{}/dejavu-*\"", benchmarks.display()), &list.join(", "));
    let status = |rules: &str, teams: &str| {
        let contest = Contest::new(&format!("{head}rules = \"{rules}\"\n{teams}"));
        stdout(&["contest", "status", contest.argument()])
    };
    let alone = team("DejaVu");
    assert!(!status("crv16", &alone).contains("warning"), "ten for one team");
    let three = format!("{alone}{}{}", team("X"), team("Y"));
    let warning = "warning: team DejaVu has 6 benchmarks in the track offline, and 3 are its share";
    assert!(status("crv16", &three).contains(warning));
    assert!(status("crv14", &alone).contains("and 5 are its share"));
}

#[test]
fn tools_are_tried_on_the_demonstrations() {
    let repository = repository();
    let packages = repository.join("benchmarks");
    let check = |tool: &str| {
        let tool = repository.join("tools").join(tool);
        referee(&[
            "contest",
            "tool",
            "check",
            tool.to_str().expect("a name"),
            "--package",
            packages.to_str().expect("a name"),
        ])
    };
    let good = check("referee");
    let said = String::from_utf8_lossy(&good.stdout);
    assert_eq!(good.status.code(), Some(0), "{said}");
    assert!(said.contains("ok Referee HasNext: 9 demonstrations\n"), "{said}");
    let bad = check("guesser");
    let said = String::from_utf8_lossy(&bad.stdout);
    assert_eq!(bad.status.code(), Some(1), "{said}");
    assert!(
        said.contains("FAIL Guesser HasNext") && said.contains("and the tool says Satisfied: Nobody asked."),
        "{said}"
    );
}

#[test]
fn demonstrations_are_handed_in_the_format_of_the_trace() {
    let contest = Contest::new(SMALL);
    // It judges nothing but CSV with a heading, which is what `run` hands to it.
    contest.tool(
        "Strict",
        "case $2 in *.csv) ;; *) exit 9 ;; esac\n\
         head -n 1 \"$2\" | grep -q '^event' || exit 9\n\
         exec \"$REFEREE\" check \"$(dirname \"$0\")/built.foltl\" \"$2\" --format csv --first --color never",
    );
    let manifest = contest.path("tools/Strict/tool.toml");
    let text = std::fs::read_to_string(&manifest).expect("a manifest");
    std::fs::write(&manifest, format!("{text}setup = [\"./make\"]\n")).expect("written");
    contest.write("tools/Strict/make", "#!/bin/sh\ncp property.foltl built.foltl\n");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(contest.path("tools/Strict/make"), mode).expect("made executable");
    std::fs::copy(contest.path("packages/has-next/property.foltl"), contest.path("tools/Strict/property.foltl"))
        .expect("copied");
    let (tool, packages) = (contest.path("tools/Strict"), contest.path("packages"));
    let said = stdout(&[
        "contest",
        "tool",
        "check",
        tool.to_str().expect("a name"),
        "--package",
        packages.to_str().expect("a name"),
    ]);
    assert_eq!(said, "ok Strict HasNext: 9 demonstrations\n");
    assert!(!contest.path("tools/Strict/built.foltl").exists(), "what was handed in stays as it is");
}

#[test]
fn scores_as_a_document() {
    let file = repository().join("data/crv14/results.json");
    let file = file.to_str().expect("a name");
    let scores: Value = serde_json::from_str(&stdout(&["contest", "score", file, "--json"])).expect("one document");
    assert_eq!(scores["rules"], "crv14");
    let java =
        scores["tracks"].as_array().expect("tracks").iter().find(|track| track["track"] == "java").expect("java");
    assert_eq!((&java["ranking"][1]["rank"], &java["ranking"][1]["tool"]), (&Value::from(1), &Value::from("JavaMOP")));
    let cell = java["cells"]
        .as_array()
        .expect("cells")
        .iter()
        .find(|cell| cell["tool"] == "QEA" && cell["benchmark"] == "4.2.1");
    assert!(cell.expect("a cell")["formula"][1].as_str().expect("a formula").starts_with("O = 10 × (1/0.2000) / ("));
    let text = stdout(&["contest", "score", file, "--cells"]);
    assert!(text.contains("4.2.16 jUnitRV: -5.00\n    C = -5: wrong verdict\n"), "{text}");
    // Rules are data: without points for memory the order changes.
    let contest = Contest::new(SMALL);
    let rules = std::fs::read_to_string(repository().join("rules/crv14.toml")).expect("rules");
    contest.write("mine.toml", &rules.replace("memory = 10.0", "memory = 0.001").replace("draw = 0.2", "draw = 0.0"));
    let mine = contest.path("mine.toml");
    let text = stdout(&["contest", "score", file, "--rules", mine.to_str().expect("a name")]);
    assert!(
        text.find("JavaMOP")
            < text[text.find("java").expect("the track")..].find("QEA").map(|at| at + text.find("java").unwrap_or(0)),
        "{text}"
    );
}

#[test]
fn without_results_there_are_no_scores() {
    let contest = Contest::new(SMALL);
    let said = refusal(&["contest", "score", contest.argument()]);
    assert!(said.contains("there are no results yet") && said.contains("hint: referee contest run"), "{said}");
    let said = refusal(&["contest", "run", "/nowhere"]);
    assert!(said.contains("/nowhere: no competition: it holds no contest.toml"), "{said}");
}
