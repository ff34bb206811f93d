//! Runs: journal, resume, interrupts, programs, phases.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::kit::{Contest, SMALL, refusal, repository, stdout};

const RIGHT: &str = "echo 'STATUS: Violated'";

/// What identifies a run.
fn identities(runs: &[Value]) -> BTreeSet<String> {
    runs.iter().map(|run| format!("{} {} {}", run["key"], run["purpose"], run["number"])).collect()
}

#[test]
fn what_was_run_is_not_run_again() {
    let contest = Contest::new(SMALL);
    contest.tool("A", RIGHT);
    contest.tool("B", "echo 'STATUS: Satisfied'");
    assert!(contest.run_well(&["--repeat", "2"]).contains("4 runs done"));
    assert!(contest.run_well(&["--repeat", "2"]).contains("0 runs done"));
    assert!(contest.run_well(&["--repeat", "3"]).contains("2 runs done"));
    // Another tool is another key.
    contest.tool("B", RIGHT);
    assert!(contest.run_well(&["--repeat", "2"]).contains("2 runs done"));
    assert_eq!(contest.cell("B")["outcome"], "correct");
}

#[test]
fn a_journal_that_was_cut_anywhere_goes_on() {
    let contest = Contest::new(SMALL);
    contest.tool("A", RIGHT);
    contest.run_well(&["--repeat", "4"]);
    let journal = contest.path("results/journal.jsonl");
    let whole = fs::read(&journal).expect("a journal");
    let all = identities(&contest.runs());
    assert_eq!(all.len(), 4);
    for cut in (0..whole.len()).step_by(whole.len() / 12) {
        fs::write(&journal, &whole[..cut]).expect("written");
        contest.run_well(&["--repeat", "4"]);
        let runs = contest.runs();
        assert_eq!((runs.len(), identities(&runs)), (4, all.clone()), "cut at {cut}");
    }
}

#[test]
fn an_interrupt_ends_cleanly_and_a_second_start_does_the_rest() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        end_by(signal);
    }
}

fn end_by(signal: i32) {
    let contest = Contest::new(SMALL);
    contest.tool("A", &format!("sleep 0.2; {RIGHT}"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["contest", "run", contest.argument(), "--repeat", "20"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let patience = Instant::now();
    while contest.runs().len() < 2 && patience.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(20));
    }
    // SAFETY: the process is our child and has not been waited for.
    unsafe { libc::kill(child.id() as i32, signal) };
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(130), "signal {signal}");
    let before = contest.runs().len();
    assert!((2..20).contains(&before), "{before}");
    contest.run_well(&["--repeat", "20"]);
    assert_eq!(identities(&contest.runs()).len(), 20);
    assert_eq!(contest.runs().len(), 20);
}

#[test]
fn measurements_are_recorded_with_what_they_are_worth() {
    let contest = Contest::new(&SMALL.replace("warm-up = 0", "warm-up = 1"));
    contest.tool("A", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo 'MEMORY: 4242'; echo 'STATUS: Violated'");
    contest.run_well(&["--repeat", "2"]);
    let runs = contest.runs();
    let purposes: Vec<&Value> = runs.iter().map(|run| &run["purpose"]).collect();
    assert_eq!(purposes, ["warm-up", "counted", "counted"]);
    for run in &runs {
        assert!(
            run["cpu"].as_f64() > Some(0.0) && run["cpu"].as_f64() <= run["wall"].as_f64().map(|wall| wall + 0.05),
            "{run}"
        );
        assert!(run["memory"].as_u64() > Some(50_000) && run["memory"].as_u64() < Some(1 << 28), "{run}");
        assert_eq!(run["own_memory"], 4242);
        assert_eq!(run["cores"].as_array().map(Vec::len), Some(1), "{run}");
    }
    assert_eq!(contest.cell("A")["own_memory"], 4242.0);
}

#[test]
fn runs_under_pressure_are_marked_and_repeated() {
    // With a threshold that nothing stays below, every run is under pressure.
    let contest = Contest::new(&SMALL.replace("pressure = 1.0", "pressure = -1.0"));
    contest.tool("A", RIGHT);
    contest.run_well(&["--repeat", "2"]);
    assert_eq!(contest.runs().len(), 4, "two, and as many again");
    assert!(contest.runs().iter().all(|run| run["pressed"] == true));
    let note = contest.cell("A")["note"].clone();
    assert!(note.as_str().is_some_and(|note| note.contains("every run was under CPU pressure")), "{note}");
}

#[test]
fn tools_are_pinned_alone_and_without_network() {
    let contest = Contest::new(SMALL);
    let body = "grep Cpus_allowed_list /proc/self/status; cat /proc/net/dev; env; pwd; echo 'STATUS: Violated'";
    contest.tool("A", body);
    contest.run_well(&[]);
    let output = contest.path("results").join(contest.runs()[0]["output"].as_str().expect("a file"));
    let text = fs::read_to_string(output).expect("kept");
    let cpus = text.lines().next().and_then(|line| line.split_whitespace().nth(1)).expect("a list");
    assert!(cpus.parse::<usize>().is_ok(), "{cpus}");
    let session = fs::read_to_string(contest.path("results/journal.jsonl")).expect("a journal");
    if session.contains("no network but loopback") {
        assert_eq!(text.lines().filter(|line| line.contains(": ") && line.contains(" 0 ")).count(), 1, "{text}");
    }
    assert!(!text.contains("CARGO_"), "the environment is clean: {text}");
}

#[test]
fn several_jobs_do_the_same_as_one() {
    let contest = Contest::new(SMALL);
    for name in ["A", "B", "C", "D"] {
        contest.tool(name, RIGHT);
    }
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = cpus.min(2).to_string();
    contest.run_well(&["--repeat", "3", "--jobs", &jobs]);
    assert_eq!(identities(&contest.runs()).len(), 12);
    let too_many = contest.run(&["--jobs", "100000"]);
    assert_eq!(too_many.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&too_many.stderr).contains("hint: ask for fewer --jobs or --cores"));
}

#[test]
fn programs_are_run_alone_and_then_with_their_monitor() {
    let contest = Contest::new(SMALL);
    contest.program("test -f compiled && sh program.sh");
    contest.tool("Good", "");
    contest.write("tools/Good/CountSteps/setup.sh", "sed 's/echo step/echo monitored/' program.sh > monitored.sh\n");
    contest.write("tools/Good/CountSteps/run.sh", "sh monitored.sh && echo 'STATUS: Satisfied'\n");
    contest.tool("Slow", "");
    contest.write("tools/Slow/CountSteps/run.sh", "sleep 60; echo 'STATUS: Satisfied'\n");
    contest.tool("Broken", "");
    contest.write("tools/Broken/CountSteps/setup.sh", "exit 1\n");
    contest.write("tools/Broken/CountSteps/run.sh", "echo 'STATUS: Satisfied'\n");
    contest.tool("Absent", "");
    contest.run_well(&["--repeat", "2"]);
    let outcome = |tool: &str| contest.cell(tool)["outcome"].as_str().expect("an outcome").to_owned();
    assert_eq!(
        (outcome("Good"), outcome("Slow"), outcome("Broken")),
        ("correct".into(), "no-verdict".into(), "crash".into())
    );
    assert_eq!(contest.cell("Broken")["c"], -10.0);
    let purposes: Vec<String> = contest.runs().iter().map(|run| format!("{}{}", run["tool"], run["purpose"])).collect();
    assert_eq!(purposes.iter().filter(|purpose| *purpose == "\"\"\"alone\"").count(), 2);
    assert!(
        purposes.iter().position(|one| one.contains("alone")) < purposes.iter().position(|one| one.contains("Good"))
    );
    assert!(contest.run_well(&["--repeat", "2"]).contains("0 runs done"));
}

#[test]
fn a_program_that_fails_by_itself_is_no_reference() {
    // It fails in the competition only, so that validation lets it pass.
    let contest = Contest::new(SMALL);
    contest.program("sh program.sh; case $PWD in */results/*) echo lost >&2; exit 3;; esac");
    contest.tool("Good", "");
    contest.write("tools/Good/CountSteps/run.sh", "echo 'STATUS: Satisfied'\n");
    for start in 1..=2 {
        let output = contest.run(&[]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(
            said.contains("left out: CountSteps: its program ends with code 3 without a monitor, expected code 0"),
            "{said}"
        );
        let errors =
            said.split(" and results/").nth(1).and_then(|rest| rest.lines().next()).expect("where it said why");
        let text = fs::read_to_string(contest.path("results").join(errors)).expect("kept");
        assert_eq!(text, "lost\n", "start {start}");
    }
    assert!(contest.runs().iter().all(|run| run["tool"] == ""), "no monitor was run");
    let text = stdout(&["contest", "score", contest.argument()]);
    assert_eq!(text, "Good on CountSteps: no run counts: no points\n");
}

#[test]
fn a_program_that_validation_refuses_is_not_run() {
    for (run, reason) in [
        ("exit 3", "not valid: program: `exit 3` ends with code 3, expected 0"),
        (
            "cat /proc/sys/kernel/random/uuid",
            "not valid: deterministic: run 2 prints something else than run 1: line 1 is `",
        ),
    ] {
        let contest = Contest::new(SMALL);
        contest.program(run);
        contest.tool("Good", "");
        contest.write("tools/Good/CountSteps/run.sh", "echo 'STATUS: Satisfied'\n");
        let said = String::from_utf8_lossy(&contest.run(&[]).stderr).into_owned();
        assert!(said.contains(&format!("left out: CountSteps: {reason}")), "{said}");
        assert!(contest.runs().is_empty());
    }
}

#[test]
fn further_traces_are_cells_of_their_own_that_share_the_points() {
    let contest = Contest::new(SMALL);
    let name = format!("HasNext/{}", contest.further_trace());
    contest.tool("A", "test \"$1\" = HasNext && wc -l < \"$2\"; echo 'STATUS: Violated'");
    assert!(contest.run_well(&["--quick"]).contains("1 runs done"), "a quick run has the package's own trace only");
    assert!(!stdout(&["contest", "score", contest.argument()]).contains("no run counts"));
    assert!(contest.run_well(&[]).contains("2 runs done"));
    let runs: Vec<Value> = contest.runs().into_iter().filter(|run| run["quick"] != true).collect();
    let lines: Vec<(String, String)> = runs
        .iter()
        .map(|run| {
            let output = contest.path("results").join(run["output"].as_str().expect("a file"));
            let text = fs::read_to_string(output).expect("kept");
            (run["benchmark"].as_str().expect("a name").to_owned(), text.lines().next().unwrap_or_default().to_owned())
        })
        .collect();
    assert_eq!(lines, [("HasNext".to_owned(), "41".to_owned()), (name.clone(), "61".to_owned())]);
    let scores = contest.scores();
    let place = &scores["tracks"][0]["ranking"][0];
    assert_eq!((&place["correctness"], &place["total"]), (&Value::from(10.0), &Value::from(30.0)), "{scores}");
    assert_eq!(scores["tracks"][0]["cells"][1]["weight"], 0.5);
    // A competition may leave large ones out.
    contest.write("contest.toml", &format!("further-events = 59\n{SMALL}"));
    assert!(contest.run_well(&[]).contains("0 runs done"));
    let text = stdout(&["contest", "score", contest.argument()]);
    assert!(text.contains(&format!("{name}: left out: the competition does not run this trace")), "{text}");
}

#[test]
fn what_has_changed_since_is_not_scored() {
    let limits = |wall: u32| format!("{SMALL}[limits]\nwall = {wall}\n");
    let contest = Contest::new(&limits(50));
    contest.tool("A", RIGHT);
    contest.run_well(&[]);
    let score = || stdout(&["contest", "score", contest.argument()]);
    assert!(!score().contains("left out"));
    contest.write("contest.toml", &limits(60));
    let text = score();
    assert!(text.contains("limits: 1 run left out: their limits were 50 s of wall time, 50 s of CPU time"), "{text}");
    assert!(text.contains("A on HasNext: no run counts: no points"), "{text}");
    // The journal itself can still be scored as it is.
    let journal = contest.path("results/journal.jsonl");
    assert!(stdout(&["contest", "score", journal.to_str().expect("a name")]).contains("1  A"));
    contest.run_well(&[]);
    contest.write("packages/has-next/note.txt", "another package");
    let text = score();
    assert!(text.contains("HasNext: 2 runs left out: the package has changed since"), "{text}");
    contest.run_well(&[]);
    assert_eq!(contest.cell("A")["outcome"], "correct");
    // Without control groups memory is measured otherwise: that is another key, and the newer one counts.
    let groups = fs::read_to_string(&journal).expect("a journal").contains("\"isolation\":\"control groups");
    let again = contest.run_well(&["--no-groups"]);
    assert!(again.contains(if groups { "1 runs done" } else { "0 runs done" }), "{again}");
    if groups {
        let text = score();
        assert!(
            text.contains("A on HasNext: 1 run left out: newer ones are from another machine or with other isolation"),
            "{text}"
        );
    }
}

#[test]
fn a_tool_that_changed_after_the_monitor_phase_is_refused() {
    let phases = "[phases]\nmonitors = { starts = \"2016-06-19\", ends = \"2016-07-10\" }\n";
    let contest = Contest::new(&format!("{SMALL}{phases}"));
    contest.tool("A", RIGHT);
    contest.run_well(&[]);
    assert!(contest.path("frozen.toml").is_file());
    contest.tool("A", &format!("{RIGHT} # faster"));
    let refused = contest.run(&[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is not as it was when the monitor phase closed"));
}

#[test]
fn packages_that_wait_are_left_out_and_unknown_names_refused() {
    let question =
        "[[clarifications]]\npackage = \"HasNext\"\nby = \"B\"\nat = \"2016-06-07\"\ntext = \"?\"\nstate = \"open\"\n";
    let contest = Contest::new(&format!("{SMALL}{question}"));
    contest.tool("A", RIGHT);
    let output = contest.run(&[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("left out: HasNext: a clarification asked by B is open"));
    assert!(contest.runs().is_empty());
    let said = refusal(&["contest", "run", contest.argument(), "--tool", "Z"]);
    assert!(said.contains("there is no tool called `Z`\n  hint: write one of A"), "{said}");
}

#[test]
fn three_tools_over_the_packages_that_all_enter() {
    let repository = repository().canonicalize().expect("the repository");
    let names = ["access", "datarace", "deadlock", "fifo", "file", "locking"].map(|name| format!("dejavu-{name}"));
    let packages = names.into_iter().chain(["has-next".to_owned()]);
    let packages: Vec<String> =
        packages.map(|name| format!("\"{}/benchmarks/{name}\"", repository.display())).collect();
    let contest = Contest::new(&format!(
        "name = \"All\"\npackages = [{}]\ntools = [\"{}/tools/*\"]\n[limits]\nwall = 120\nmemory = 2048\n",
        packages.join(", "),
        repository.display()
    ));
    contest.run_well(&["--quick"]);
    let scores = contest.scores();
    let ranking = scores["tracks"][0]["ranking"].as_array().expect("a ranking");
    assert_eq!(ranking.len(), 3);
    assert_eq!(ranking[2]["tool"], "Guesser");
    for tool in ["Referee", "Oracle"] {
        let place = ranking.iter().find(|place| place["tool"] == tool).expect("it takes part");
        assert_eq!(place["correctness"], 10.0 * packages.len() as f64, "{tool}: {scores}");
    }
    let page = contest.path("report.html");
    stdout(&["contest", "report", contest.argument(), "-o", page.to_str().expect("a name")]);
    assert!(fs::read_to_string(page).expect("written").contains("results/outputs/Referee/HasNext/"));
}
