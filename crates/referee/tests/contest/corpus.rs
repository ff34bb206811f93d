//! `referee contest list`, `show` and `new`, and a whole competition over our own packages.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::kit::{Contest, referee, refusal, repository, stdout};

fn in_repository(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_referee")).args(arguments).current_dir(repository()).output();
    let output = output.expect("the binary runs");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_list_has_every_package() {
    let list = in_repository(&["contest", "list"]);
    assert!(list.starts_with("Package"), "{list}");
    let row = list.lines().find(|line| line.starts_with("HasNext ")).expect("listed");
    for part in ["offline", "10,000", "Violated", "foltl", "Iterators over collections"] {
        assert!(row.contains(part), "{part}: {row}");
    }
    let directory = tempfile::tempdir().expect("a directory");
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["contest", "list"])
        .current_dir(directory.path())
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--generators"));
}

#[test]
fn a_package_is_shown() {
    for name in ["HasNext", "has-next", "benchmarks/has-next"] {
        let page = in_repository(&["contest", "show", name]);
        for part in ["HasNext\n", "hasNext(iterator, result)  An iterator is asked", "    (forall i:iterator) always"] {
            assert!(page.contains(part), "{name}: {part}: {page}");
        }
        assert!(page.lines().all(|line| line.chars().count() <= 100 || line.starts_with("    ")), "{page}");
    }
    let page = in_repository(&["contest", "show", "HasNext", "--markdown"]);
    assert_eq!(page, fs::read_to_string(repository().join("docs/gallery/has-next.md")).expect("the page"));
    let said = refusal(&[
        "contest",
        "show",
        "HasNxt",
        "--packages",
        repository().join("benchmarks").to_str().expect("a name"),
    ]);
    assert!(said.contains("there is no package called `HasNxt`\n  hint: did you mean `HasNext`?"), "{said}");
}

/// The 14 GB of 4.3.10 are written as they are made: nothing waits, however long the trace is.
#[cfg(target_os = "linux")]
#[test]
fn a_trace_of_any_size_is_written_in_little_memory() {
    use std::io::Read;
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["contest", "generate", "monpoly-insert", "--events", "250000000", "--verdict", "violated"])
        .args(["--violations", "0.00001"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // The pipe stays open until the status is read: a writer without a reader ends, and has no peak to tell.
    let mut pipe = child.stdout.take().expect("a pipe");
    let mut begun = vec![0; 16 << 20];
    let read = pipe.read_exact(&mut begun);
    let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
    child.kill().expect("it is running");
    child.wait().expect("it ends");
    read.expect("the beginning comes before the end is made");
    assert!(begun.starts_with(b"insert, u = "));
    let status = status.expect("it was still running");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(peak < 64 << 10, "{peak} kB");
}

#[test]
fn a_machine_log_breaks_where_it_is_asked() {
    let log = |more: &[&str]| {
        let own = ["contest", "generate", "machine-log", "--events", "5000", "--verdict", "violated"];
        stdout(&[&own, more].concat())
    };
    let text = log(&["--at", "0.75", "--values", "strings"]);
    let broken = text.lines().nth(3750).expect("a line");
    assert!(broken.starts_with("step, finish = process-") && broken.contains("stop = true, alarm = true"), "{broken}");
    assert_eq!(text.lines().filter(|line| line.contains("stop = true, alarm = true")).count(), 1);
    let said = refusal(&["contest", "generate", "machine-log", "--verdict", "violated", "--events", "9", "--at", "0"]);
    assert!(said.contains("machine-log cannot be violated by step 1 of 9"), "{said}");
    let both = ["contest", "generate", "machine-log", "--verdict", "violated", "--at", "0.5", "--violations", "2"];
    assert!(refusal(&both).contains("--at and --violations together"));
}

#[test]
fn a_package_has_a_generator() {
    let trace = in_repository(&["contest", "generate", "HasNext", "--events", "40"]);
    let same =
        stdout(&["contest", "generate", "hasnext", "--events", "40", "--verdict", "violated", "--format", "csv"]);
    assert_eq!(trace, same);
}

/// By its directory, by its identifier and by its path: also where the package judges a stored file.
#[test]
fn every_package_has_a_generator() {
    for entry in fs::read_dir(repository().join("benchmarks")).expect("packages") {
        let path = entry.expect("one").path();
        let path = path.to_str().expect("a name");
        for verdict in ["satisfied", "violated"] {
            let more = ["--events", "300", "--verdict", verdict, "--seed", "7"];
            let trace = in_repository(&[&["contest", "generate", path], &more[..]].concat());
            assert!(trace.lines().count() >= 300, "{path}: {trace}");
        }
    }
}

#[test]
fn a_package_that_is_there_is_left_alone() {
    let directory = tempfile::tempdir().expect("a directory");
    let new = ["contest", "new", "Open files", "--packages", directory.path().to_str().expect("a name")];
    stdout(&new);
    let said = refusal(&new);
    assert!(said.contains("open-files is there already") && said.contains("hint: choose another name"), "{said}");
    assert!(!said.contains("File exists"), "{said}");
}

/// What fills the blanks of a new package, in their order.
const ANSWERS: [&str; 23] = [
    "Files are opened and closed.",
    "Software Engineering",
    "MIT",
    "made up",
    "A log of a program: open(f) when it opens a file, close(f) when it closes it.",
    "Before close(f) there has been an open(f) with no close(f) since.",
    "Files are told apart by their names.",
    "open",
    "file",
    "file",
    "A file is opened.",
    "Nothing is closed.",
    "open(a).close(a)",
    "It was open.",
    "open(a).open(b).close(b)",
    "Files do not disturb each other.",
    "close(a)",
    "It was never open.",
    "open(a).close(b)",
    "Another one was open.",
    "open(a).close(a).close(a)",
    "It was closed before.",
    "The same in past-time operators.",
];

/// Fills the blanks of a text with answers.
fn filled<'a>(text: &str, answers: &mut impl Iterator<Item = &'a str>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('«') {
        let (_, after) = after.split_once('»').expect("blanks end");
        out.push_str(before);
        out.push_str(answers.next().expect("an answer for every blank"));
        rest = after;
    }
    out + rest
}

#[test]
fn a_new_package_validates_once_its_blanks_are_filled() {
    let parent = tempfile::tempdir().expect("a directory");
    let packages = parent.path().join("packages");
    let packages = packages.to_str().expect("a readable name");
    let said = stdout(&["contest", "new", "Opened before \"closed\"", "--packages", packages]);
    assert_eq!(said.trim_end(), format!("{packages}/opened-before-closed/benchmark.toml"));
    let directory = Path::new(packages).join("opened-before-closed");
    let path = directory.to_str().expect("a readable name");
    let validate = || referee(&["contest", "validate", path, "--random", "100"]);
    let fresh = validate();
    let text = String::from_utf8_lossy(&fresh.stdout).into_owned();
    assert_eq!(fresh.status.code(), Some(1), "{text}");
    assert!(text.contains("blanks: benchmark.toml:6: still blank: «two or three sentences"), "{text}");
    let again = referee(&["contest", "new", "Opened before \"closed\"", "--packages", packages]);
    assert_eq!(again.status.code(), Some(2), "what is there is not overwritten");

    let document = directory.join("benchmark.toml");
    let text = filled(&fs::read_to_string(&document).expect("readable"), &mut ANSWERS.into_iter());
    let second =
        "\n[[property.events]]\nname = \"close\"\nfields = [{ name = \"file\", sort = \"file\" }]\n\n# At least";
    let text = text
        .replacen("\n# At least", second, 1)
        .replace("events = 0", "events = 4")
        .replace("counts = {}", "counts = { open = 2, close = 2 }")
        .replace("status = \"Satisfied\"", "status = \"Violated\"\nviolating_event = 4");
    fs::write(document, text).expect("written");
    let formula = "(forall f:file) always (close(f) => last (not close(f) since open(f)))\n";
    fs::write(directory.join("property.foltl"), formula).expect("written");
    fs::write(directory.join("trace.csv"), "event,file\nopen,a\nclose,a\nopen,b\nclose,a\n").expect("written");
    let output = validate();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}

/// A competition of our own tools on our own packages.
fn own_contest() -> Contest {
    let root = repository().canonicalize().expect("the repository");
    let root = root.display();
    let document = format!(
        "name = \"Ours\"\npackages = [\"{root}/benchmarks/*\"]\ntools = [\"{root}/tools/*\"]\n\
         [limits]\nwall = 2\n[repetitions]\nwarm-up = 0\nleast = 1\nmost = 1\npressure = 1.0\n"
    );
    Contest::new(&document)
}

fn start(contest: &Contest) -> Child {
    Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["contest", "run", contest.argument(), "--quick", "--jobs", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs")
}

#[test]
fn three_tools_over_all_packages_are_interrupted_resumed_scored_and_reported() {
    let contest = own_contest();
    let mut child = start(&contest);
    let since = Instant::now();
    while contest.runs().len() < 3 && child.try_wait().expect("a child").is_none() {
        assert!(since.elapsed() < Duration::from_secs(600), "no run is done");
        std::thread::sleep(Duration::from_millis(5));
    }
    let before = contest.runs().len();
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("there is kill");
    assert!(interrupted.success());
    let code = child.wait().expect("it ends").code();
    let first = contest.runs();
    assert!(code == Some(130) || code == Some(0), "{code:?}");
    let all = contest.run_well(&["--quick"]);
    let runs = contest.runs();
    assert!(runs.len() > first.len() && first.len() >= before, "{before}, {}, {}: {all}", first.len(), runs.len());
    assert_eq!(&runs[..first.len()], &first[..], "what was run is not run again");
    let mut keys: Vec<String> = runs.iter().map(|run| run["key"].to_string()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), runs.len(), "each tool runs once on each package");

    let packages = fs::read_dir(repository().join("benchmarks")).expect("the packages");
    let packages =
        packages.filter(|entry| entry.as_ref().expect("an entry").path().join("benchmark.toml").is_file()).count();
    for tool in ["Referee", "Oracle", "Guesser"] {
        assert_eq!(
            runs.iter().filter(|run| run["tool"] == tool).count(),
            packages,
            "{tool} enters every package: {all}"
        );
    }
    let scores = contest.scores();
    let ranking = scores["tracks"][0]["ranking"].as_array().expect("a ranking").clone();
    assert_eq!(ranking.len(), 3, "{ranking:?}");
    assert_eq!(ranking[0]["tool"], "Referee", "{ranking:?}");
    let outcomes = |tool: &str, outcome: &str| {
        let cells = scores["tracks"][0]["cells"].as_array().expect("cells");
        cells.iter().filter(|cell| cell["tool"] == tool && cell["outcome"] == outcome).count()
    };
    assert_eq!(outcomes("Referee", "correct"), packages, "{all}");
    // How much the oracle judges in time depends on the machine; what it says is right.
    assert_eq!(outcomes("Oracle", "correct") + outcomes("Oracle", "no-verdict"), packages, "{all}");
    assert!(outcomes("Oracle", "correct") > 0 && outcomes("Guesser", "correct") < packages, "{all}");
    let report = contest.path("report.html");
    stdout(&["contest", "report", contest.argument(), "-o", report.to_str().expect("a name")]);
    assert!(fs::read_to_string(report).expect("the report").contains("HasNext"));
}
