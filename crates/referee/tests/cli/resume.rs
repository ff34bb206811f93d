//! `check --resume`: a log that is judged night by night gives the findings of one run.

use std::fs;
use std::time::{Duration, Instant};

use referee_testing::seeds;
use serde_json::{Value, json};

use crate::kit::{Desk, Run, gzip, repository};

/// A file is opened once, and closed before it is opened again.
const OPEN: &str = "qea { forall(f) accept skip(shut) { open(f) -> ajar; close(f) -> shut } \
                    accept skip(ajar) { open(f) -> failure; close(f) -> shut } }\n";

fn desk() -> Desk {
    Desk::with("open.qea", OPEN)
}

/// The lines of a run that tell findings.
fn findings(run: &Run) -> Vec<String> {
    run.out.lines().filter(|line| line.starts_with("VIOLATION")).map(str::to_owned).collect()
}

/// The lines that speak of the whole so far.
fn closing(run: &Run) -> Vec<String> {
    run.out.lines().filter(|line| !line.starts_with("VIOLATION")).map(str::to_owned).collect()
}

/// A choice that depends on a seed and a number alone.
fn choose(seed: u64, number: u64, below: usize) -> usize {
    let mixed = (seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    usize::try_from((mixed >> 33) % below as u64).expect("it is small")
}

/// Cuts lines into three parts.
fn nights(lines: &[&str], seed: u64) -> [String; 3] {
    let mut cuts = [choose(seed, 1, lines.len() + 1), choose(seed, 2, lines.len() + 1)];
    cuts.sort_unstable();
    let text = |part: &[&str]| part.iter().map(|line| format!("{line}\n")).collect();
    [text(&lines[..cuts[0]]), text(&lines[cuts[0]..cuts[1]]), text(&lines[cuts[1]..])]
}

/// Judges three nights in turn; nothing if a judge cannot be saved, or the log may have several traces.
fn judge_nights(desk: &Desk, arguments: &[&str], parts: &[String; 3]) -> Option<(Vec<String>, Run)> {
    let mut found = Vec::new();
    let mut last = None;
    for (number, part) in parts.iter().enumerate() {
        let name = format!("night{number}.json");
        // Nights that begin alike would be taken for one log that has grown.
        desk.write(&name, format!("{}{part}", "\n".repeat(number)));
        let run = desk.run(&[arguments, &[&name, "--resume", "state", "--all"]].concat());
        if run.err.contains("cannot be saved") || run.err.contains("a mapping that splits the log") {
            return None;
        }
        assert!(matches!(run.code, Some(0 | 1)), "{arguments:?} night {number}: {}{}", run.out, run.err);
        found.extend(findings(&run));
        last = Some(run);
    }
    last.map(|last| (found, last))
}

/// All properties of all packages: what can be saved finds, over three nights that are cut anywhere, what one run finds.
#[test]
fn three_nights_are_one_run_for_all_benchmarks() {
    let (mut resumed, mut violated, mut unsavable) = (0, 0, Vec::new());
    let mut packages: Vec<_> = fs::read_dir(repository().join("benchmarks")).expect("packages").flatten().collect();
    packages.sort_by_key(std::fs::DirEntry::file_name);
    for (number, package) in (1..).zip(&packages) {
        let desk = Desk::new();
        let folder = package.path();
        let generated =
            desk.run(&["contest", "generate", &folder.to_string_lossy(), "--events", "80", "-o", "all.json"]);
        if generated.code != Some(0) {
            continue;
        }
        let toml = fs::read_to_string(folder.join("benchmark.toml")).expect("a package");
        let mapping = toml.lines().find_map(|line| line.strip_prefix("mapping = \"")?.strip_suffix('"'));
        let text = desk.read("all.json");
        let lines: Vec<&str> = text.lines().collect();
        let mut files: Vec<_> = fs::read_dir(&folder).expect("a package").flatten().map(|file| file.path()).collect();
        files.retain(|file| file.file_stem().is_some_and(|stem| stem == "property"));
        files.sort();
        for file in files {
            let mut arguments = vec!["check", file.to_str().expect("a name in UTF-8")];
            arguments.extend(mapping.iter().flat_map(|mapping| ["--map", mapping]));
            let whole = desk.run(&[&arguments[..], &["all.json", "--prefix", "--all"]].concat());
            assert!(matches!(whole.code, Some(0 | 1)), "{arguments:?}: {}", whole.err);
            for seed in seeds(2) {
                // A state of an earlier round would know these nights.
                let _ = fs::remove_file(desk.path("state"));
                match judge_nights(&desk, &arguments, &nights(&lines, seed.wrapping_add(number))) {
                    None => unsavable.push(file.display().to_string()),
                    Some((found, last)) => {
                        assert_eq!(found, findings(&whole), "{arguments:?} seed {seed}");
                        assert_eq!(closing(&last), closing(&whole), "{arguments:?} seed {seed}");
                        resumed += 1;
                        violated += u32::from(!found.is_empty());
                    }
                }
            }
        }
    }
    println!("{resumed} resumed, {violated} of them violated; {} cannot be saved, or split the log", unsavable.len());
    assert!(resumed >= 60 && violated >= 10, "{resumed} resumed, {violated} violated, not savable: {unsavable:#?}");
}

#[test]
fn points_times_and_counts_go_on() {
    let desk = desk();
    desk.write("one.csv", "event,file,ts\nopen,1,10\nopen,2,11\n");
    desk.write("two.csv", "event,file,ts\nclose,1,12\nopen,2,13\n");
    let first = desk.run(&["check", "open.qea", "one.csv", "--resume", "state", "--all", "--events"]);
    assert_eq!(first.out, "PENDING: 2\nEVENTS: 2\n  open 2\nSTATUS: Satisfied\n", "{}", first.err);
    let second = desk.run(&["check", "open.qea", "two.csv", "--resume", "state", "--all", "--events"]);
    assert_eq!(
        second.out,
        "VIOLATION open: point 4, time 13, open(2), f = 2\nPENDING: 1\nEVENTS: 4\n  close 1\n  open 3\nSTATUS: Violated\n"
    );
    // Time goes on, too: it cannot go back from one night to the next.
    desk.write("three.csv", "event,file,ts\nclose,2,5\n");
    let back = desk.run(&["check", "open.qea", "three.csv", "--resume", "state", "--all"]).failed();
    assert!(back.contains("error: three.csv:2:1: timestamp 5 comes after 13"), "{back}");
}

#[test]
fn what_was_told_is_not_told_again_and_counts() {
    let desk = desk();
    for (name, text) in [("one.csv", "open,1\nopen,1\n"), ("two.csv", "open,2\n"), ("three.csv", "open,3\n")] {
        desk.write(name, text);
    }
    let run = desk.run(&["check", "open.qea", "one.csv", "--resume", "state"]);
    assert_eq!((run.code, findings(&run).len()), (Some(1), 1));
    // Nothing new, and the verdict is that of the whole.
    let run = desk.run(&["check", "open.qea", "two.csv", "--resume", "state", "--events"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), "PENDING: 0\nEVENTS: 3\n  open 3\nSTATUS: Violated\n"));
    assert!(
        run.err.contains("note: open: violated in an earlier run already; violations told then: 1\n"),
        "{}",
        run.err
    );
    let run = desk.run(&["check", "open.qea", "three.csv", "--resume", "state", "--json"]);
    let document: Value = serde_json::from_str(&run.out).expect("a document");
    let property = &document["properties"][0];
    assert_eq!((run.code, &document["status"]), (Some(1), &json!("Violated")));
    assert_eq!((&property["violation_count"], &property["violations_before"]), (&json!(1), &json!(1)));
    assert_eq!((&property["violations"], &property["points"]), (&json!([]), &json!(4)));
}

#[test]
fn an_event_of_an_earlier_night_is_shown() {
    let desk = Desk::with("answer.mfotl", "ALWAYS (FORALL x. ask(x) IMPLIES EVENTUALLY[0,5] answer(x))\n");
    desk.write("one.csv", "event,who,ts\nask,ann,1\nask,bob,2\nanswer,bob,3\n");
    desk.write("two.csv", "event,who,ts\nanswer,carl,9\n");
    let arguments = ["check", "answer.mfotl", "--without", "compile", "--all"];
    let whole = desk.run(&[&arguments[..], &["one.csv", "two.csv", "--prefix"]].concat());
    let first = desk.run(&[&arguments[..], &["one.csv", "--resume", "state"]].concat());
    assert_eq!(findings(&first), Vec::<String>::new(), "{}", first.err);
    let second = desk.run(&[&arguments[..], &["two.csv", "--resume", "state"]].concat());
    assert_eq!(second.out, whole.out);
    assert!(second.out.contains("ask(ann)"), "{}", second.out);
}

#[test]
fn a_log_that_was_judged_is_left_out_and_one_that_has_grown_goes_on() {
    let desk = desk();
    desk.write("log.csv", "event,file\nopen,1\n");
    let check = |name: &str| desk.run(&["check", "open.qea", name, "--resume", "state", "--all", "--events"]);
    check("log.csv");
    let again = check("log.csv");
    assert_eq!((again.code, again.out.as_str()), (Some(0), "PENDING: 1\nEVENTS: 1\n  open 1\nSTATUS: Satisfied\n"));
    assert!(again.err.contains("note: log.csv: this has been judged before; it is left out\n"), "{}", again.err);
    // A short one under another name may be another night that was as quiet.
    desk.write("short.csv", desk.read("log.csv"));
    let short = desk.run(&["check", "open.qea", "log.csv", "short.csv", "--resume", "short", "--all"]);
    assert_eq!(findings(&short), ["VIOLATION open: point 2, open(1), f = 1"]);
    // The header is not there a second time, and need not be.
    desk.write("log.csv", "event,file\nopen,1\nclose,2\nopen,1\n");
    let grown = check("log.csv");
    assert_eq!(
        grown.out,
        "VIOLATION open: point 3, open(1), f = 1\nPENDING: 1\nEVENTS: 3\n  close 1\n  open 2\nSTATUS: Violated\n"
    );
    let told = "note: log.csv: this has been judged before, and 15 bytes were added since; only those are judged\n";
    assert!(grown.err.contains(told), "{}", grown.err);
    assert_eq!(findings(&check("log.csv")), Vec::<String>::new());
    // Logs are rotated: this one got its last lines before it got another name.
    let long: String = (100..200).map(|file| format!("open,{file}\n")).collect();
    desk.write("log", format!("event,file\n{long}"));
    check("log");
    desk.write("log.1", format!("event,file\n{long}open,100\n"));
    desk.write("log", "event,file\nopen,101\n");
    let rotated = desk.run(&["check", "open.qea", "log.1", "log", "--resume", "state", "--all"]);
    let expected = ["VIOLATION open: point 104, open(100), f = 100", "VIOLATION open: point 105, open(101), f = 101"];
    assert_eq!(findings(&rotated), expected, "{}", rotated.err);
    let again = check("log.1");
    assert!(again.err.contains("note: log.1: this has been judged before; it is left out\n"), "{}", again.err);
}

#[test]
fn a_log_that_cannot_go_on_is_refused() {
    let desk = desk();
    let check = |name: &str| desk.run(&["check", "open.qea", name, "--resume", "state"]);
    desk.write("cut.csv", "event,file\nopen,1");
    check("cut.csv");
    desk.write("cut.csv", "event,file\nopen,12\n");
    check("cut.csv").failed_with(
        "cut.csv: the file has grown since it was judged, and its last line was not whole then",
        "judge a log up to the end of a line",
    );
    desk.write("one.csv", "event,file\nopen,5\n");
    desk.write("two.csv", "event,file\nopen,6\n");
    check("one.csv");
    check("two.csv");
    desk.write("one.csv", "event,file\nopen,5\nclose,5\n");
    check("one.csv").failed_with(
        "one.csv: the file has grown since it was judged, and other logs were judged after it",
        "a file of its own",
    );
    let long: String = (1000..1200)
        .map(|file| format!("<event><name>open</name><field><name>f</name><value>{file}</value></field></event>\n"))
        .collect();
    desk.write("log.xml", format!("<log>\n{long}</log>\n"));
    assert_eq!(check("log.xml").code, Some(0));
    desk.write("log.xml", format!("<log>\n{long}<event><name>close</name></event></log>\n"));
    check("log.xml").failed_with(
        "log.xml: the file begins as one that was judged under this name, and goes on differently",
        "a file of its own",
    );
    desk.write("log.csv.gz", gzip(b"event,file\nopen,9\n"));
    assert_eq!(check("log.csv.gz").code, Some(0));
    desk.write("log.csv.gz", [gzip(b"event,file\nopen,9\n"), gzip(b"open,8\n")].concat());
    check("log.csv.gz").failed_with(
        "log.csv.gz: the file has grown since it was judged, and it is compressed or in columns",
        "a file of its own",
    );
}

/// Rows of one `tp` are one point: one that has been judged cannot get more of them.
#[test]
fn a_point_that_was_judged_cannot_grow() {
    let desk = desk();
    desk.write("log.csv", "event,file,tp\nopen,1,1\n");
    desk.run(&["check", "open.qea", "log.csv", "--resume", "state"]);
    desk.write("log.csv", "event,file,tp\nopen,1,1\nopen,2,1\n");
    let run = desk.run(&["check", "open.qea", "log.csv", "--resume", "state"]);
    run_failed_with_after_notes(run, "the log has grown in the midst of point 1", "when its last point is whole");
    desk.write("other.csv", "event,file,tp\nopen,1,1\n");
    let run = desk.run(&["check", "open.qea", "other.csv", "--resume", "state"]);
    run_failed_with_after_notes(run, "tp 1 comes after tp 1", "`tp` must increase");
}

fn run_failed_with_after_notes(run: Run, message: &str, hint: &str) {
    let err = run.failed();
    assert!(err.contains(message) && err.contains(hint), "{err}");
}

#[test]
fn what_cannot_be_combined_says_so() {
    let desk = desk();
    desk.write("log.csv", "open,1\n");
    desk.write("split.toml", "split = \"log\"\n");
    let refused = |more: &[&str], message: &str, hint: &str| {
        desk.run(&[&["check", "open.qea", "log.csv", "--resume", "state"], more].concat()).failed_with(message, hint);
        assert!(!desk.files().contains(&"state".to_owned()));
    };
    refused(&["--witness"], "--resume does not go with --witness: reasons need the whole trace", "leave --witness out");
    refused(&["--oracle"], "--resume does not go with --oracle: the naive evaluator keeps the whole trace", "--oracle");
    refused(&["--robustness"], "--resume does not go with --robustness: it is that of a whole trace", "leave one");
    refused(
        &["--map", "split.toml"],
        "--resume does not go with a mapping that splits the log into traces: a state is that of one trace",
        "a state of its own",
    );
    let later = "an event that comes later may belong to what has been judged";
    refused(&["--reorder", "5s"], &format!("--resume does not go with logs out of order: {later}"), "referee convert");
    refused(&["--merge"], &format!("--resume does not go with --merge: {later}"), "one point");
    refused(
        &["--checkpoint", "5", "--json"],
        "--checkpoint does not go with --json: a run that is killed would take the violations along that the state counts as told",
        "--json-lines",
    );
    refused(
        &["--checkpoint", "5", "-"],
        "-: --checkpoint is for files: what has gone through a pipe cannot be read again",
        "a file",
    );
}

#[test]
fn languages_that_see_time_differently_need_a_state_each() {
    let desk = desk();
    desk.write("log.csv", "open,1\n");
    desk.write("rule.soloist", "G(true)\n");
    desk.run(&["check", "open.qea", "log.csv", "--resume", "state", "--spec", "rule.soloist"]).failed_with(
        "rules in qea and soloist see time differently and need a reading each, and --resume goes on from one",
        "each with a state of its own",
    );
}

#[test]
fn what_is_no_state_of_this_program_is_refused() {
    let desk = desk();
    desk.write("log.csv", "open,1\n");
    let check = || desk.run(&["check", "open.qea", "log.csv", "--resume", "state"]);
    desk.write("state", "open,1\n");
    check().failed_with("state: this is no saved state", "`check --resume` has written");
    assert_eq!(desk.read("state"), "open,1\n", "a file of somebody else is left alone");
    desk.write("state", b"RFST\x09and more");
    check().failed_with(
        "state: the state was written by a newer version, in layout 9; this one reads layout 3",
        "the version that wrote it",
    );
    fs::remove_file(desk.path("state")).expect("it is there");
    assert_eq!(check().code, Some(0));
    let bytes = fs::read(desk.path("state")).expect("it was made");
    for place in [5, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        desk.write("state", &damaged);
        check().failed_with(
            "state: the state is damaged: its checksum or its content is not what was written",
            "put back a copy",
        );
    }
    desk.write("state", &bytes[..bytes.len() - 3]);
    check().failed_with("state: the state is damaged: its checksum or its content is not what was written", "put back");
    desk.write("state", &bytes);
    desk.write("other.qea", OPEN.replace("open", "start"));
    desk.run(&["check", "other.qea", "log.csv", "--resume", "state"]).failed_with(
        "state: the state was saved for other rules or options: it has `open`, and none of its rules is judged here",
        "another name",
    );
    desk.run(&["check", "open.qea", "log.csv", "--resume", "no/such/folder"]).failed_with(
        "no/such/folder: the state cannot be written: its folder does not exist",
        "the old state is still there",
    );
    assert_eq!(desk.files(), ["log.csv", "open.qea", "other.qea", "state"], "nothing else is left");
}

/// A rule about files of one kind.
fn rule(number: usize) -> String {
    OPEN.replace("open", &format!("open{number}")).replace("close", &format!("close{number}"))
}

#[test]
fn nine_and_eleven_rules_go_on() {
    let desk = Desk::new();
    fs::create_dir(desk.path("rules")).expect("a folder");
    for number in 1..=10 {
        desk.write(&format!("rules/r{number}.qea"), rule(number));
    }
    let opened: String = (1..=11).map(|number| format!("open{number},1\n")).collect();
    desk.write("one.csv", &opened);
    desk.write("two.csv", format!("other,1\n{opened}"));
    desk.write("three.csv", format!("another,1\n{opened}"));
    let check = |name: &str| desk.run(&["check", "rules", name, "--resume", "state", "--all"]);
    assert_eq!(findings(&check("one.csv")).len(), 0);
    // One goes, another comes.
    fs::remove_file(desk.path("rules/r4.qea")).expect("it is there");
    desk.write("rules/r11.qea", rule(11));
    let run = check("two.csv");
    assert!(
        run.err.contains("note: the state has a rule `r4` that is not judged here; what was known of it is dropped\n"),
        "{}",
        run.err
    );
    assert!(run.err.contains("note: `r11` is not in the state: it is judged from point 12 on\n"), "{}", run.err);
    let numbers: Vec<usize> = (1..=10).filter(|number| *number != 4).collect();
    let expected: Vec<String> = numbers
        .iter()
        .map(|number| format!("VIOLATION r{number}: point {}, open{number}(1), f = 1", 12 + number))
        .collect();
    assert_eq!(findings(&run), expected);
    // The new one has seen the second night, and has its own state now.
    let run = check("three.csv");
    assert!(findings(&run).contains(&"VIOLATION r11: point 35, open11(1), f = 1".to_owned()), "{}", run.out);
    assert!(!run.err.contains("is not in the state"), "{}", run.err);
}

/// Killed between two checkpoints, a check goes on from the last one: nothing is lost, and what was told after it is told again.
#[cfg(unix)]
#[test]
fn a_check_that_was_killed_goes_on_from_its_last_checkpoint() {
    let desk = desk();
    let mut text = String::from("event,file\n");
    for file in 0..400_000_u32 {
        // One in a thousand is opened twice.
        let more = if file % 1000 == 999 { format!("open,{file}\n") } else { String::new() };
        text.push_str(&format!("open,{file}\n{more}close,{file}\n"));
    }
    desk.write("log.csv", &text);
    desk.write("next.csv", "event,file\nopen,500000\nopen,500000\n");
    let arguments = ["check", "open.qea", "log.csv", "--resume", "state", "--checkpoint", "0.01", "--all"];
    let mut child = desk.start(&arguments);
    let started = Instant::now();
    let path = desk.path("state");
    while !path.exists() && started.elapsed() < Duration::from_secs(60) && child.try_wait().expect("it runs").is_none()
    {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it can be killed");
    let killed: Run = child.wait_with_output().expect("it has ended").into();
    let told = desk.run(&["state", "state", "--json"]).fine();
    let told: Value = serde_json::from_str(&told).expect("a document");
    let whole = desk.run(&["check", "open.qea", "log.csv", "--prefix", "--all"]);
    let expected = findings(&whole);
    if killed.code.is_none() && told["inputs"][0]["unfinished"] == json!(true) {
        assert_eq!(told["events"], Value::Null);
        // Another log cannot come before the rest of this one.
        let run = desk.run(&["check", "open.qea", "next.csv", "--resume", "state", "--all"]);
        let error = "error: next.csv: the last run ended in the midst of log.csv, and the rest of that comes before this\n  \
                     hint: give log.csv first";
        assert!(run.code == Some(2) && run.err.contains(error), "{}", run.err);
        let point = told["point"].as_u64().expect("a number");
        let is_before = |line: &&String| point_of(line) <= point;
        let rest = desk.run(&["check", "open.qea", "log.csv", "--resume", "state", "--all", "--events"]);
        assert!(rest.err.contains("note: log.csv: the last run ended in the midst of it; it is judged from there\n"));
        assert_eq!(findings(&rest), expected.iter().filter(|line| !is_before(line)).cloned().collect::<Vec<_>>());
        let before: Vec<String> = expected.iter().filter(is_before).cloned().collect();
        assert_eq!(findings(&killed)[..before.len()], before, "all that the checkpoint counts as told was told");
        assert!(rest.out.contains("EVENTS: 800400\n"), "{:?}", closing(&rest));
        assert!(closing(&rest).contains(&"STATUS: Violated".to_owned()));
    }
    let next = desk.run(&["check", "open.qea", "log.csv", "next.csv", "--resume", "state", "--all"]);
    assert!(next.out.contains("VIOLATION open: point 800402, open(500000), f = 500000\n"), "{}", next.out);
}

/// Interrupted, a check keeps the state where it can end by itself, and goes on from there.
#[cfg(unix)]
#[test]
fn a_check_that_was_interrupted_goes_on() {
    let desk = desk();
    let files: String = (0..300_000_u32).map(|file| format!("open,{file}\nclose,{file}\n")).collect();
    desk.write("log.csv", format!("event,file\nopen,7\nopen,7\n{files}open,1\nopen,1\n"));
    let mut child = desk.start(&["check", "open.qea", "log.csv", "--resume", "state", "--all"]);
    let mut out = std::io::BufReader::new(child.stdout.take().expect("standard output is piped"));
    let mut line = String::new();
    std::io::BufRead::read_line(&mut out, &mut line).expect("it finds something");
    assert_eq!(line, "VIOLATION open: point 2, open(7), f = 7\n");
    // SAFETY: the child has not been waited for, so its number is its own.
    unsafe { libc::kill(child.id().try_into().expect("a number of a process"), libc::SIGINT) };
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut out, &mut rest).expect("it ends");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{rest}");
    assert!(rest.ends_with("STATUS: Violated\n"), "{rest}");
    let run = desk.run(&["check", "open.qea", "log.csv", "--resume", "state", "--all"]);
    // If it had to be ended from outside, there is no state, and all is told again.
    let is_kept = run.err.contains("the last run ended in the midst of it");
    let all = ["VIOLATION open: point 2, open(7), f = 7", "VIOLATION open: point 600004, open(1), f = 1"];
    assert_eq!(findings(&run), all[usize::from(is_kept)..], "{}", run.err);
}

fn point_of(line: &str) -> u64 {
    let number = line.split("point ").nth(1).and_then(|rest| rest.split(',').next());
    number.and_then(|number| number.parse().ok()).expect("a violation names its point")
}

#[test]
fn a_pipe_goes_on_from_run_to_run() {
    let desk = desk();
    desk.run_with(&["check", "open.qea", "-", "--resume", "state"], "open,1\n");
    let run = desk.run_with(&["check", "open.qea", "-", "--resume", "state"], "open,1\n");
    assert_eq!(run.out, "VIOLATION open: point 2, open(1), f = 1\nPENDING: 0\nSTATUS: Violated\n", "{}", run.err);
    let run = desk.run(&["check", "open.qea", "--inline", "close(1).open(1)", "--resume", "other"]);
    assert_eq!(run.code, Some(0));
}

#[test]
fn a_fault_leaves_the_state_as_it_was() {
    let desk = desk();
    desk.write("one.csv", "event,file\nopen,1\n");
    desk.write("two.csv", "event,file\nopen,1\n\"open,2\n");
    desk.run(&["check", "open.qea", "one.csv", "--resume", "state", "--all"]);
    let before = fs::read(desk.path("state")).expect("it was made");
    let run = desk.run(&["check", "open.qea", "two.csv", "--resume", "state", "--all"]);
    assert_eq!((run.code, findings(&run).len()), (Some(2), 1), "{}{}", run.out, run.err);
    assert_eq!(fs::read(desk.path("state")).expect("it is there"), before);
    assert_eq!(desk.files(), ["one.csv", "open.qea", "state", "two.csv"]);
    desk.write("two.csv", "event,file\nopen,1\nopen,2\n");
    let run = desk.run(&["check", "open.qea", "two.csv", "--resume", "state", "--all"]);
    assert_eq!(findings(&run), ["VIOLATION open: point 2, open(1), f = 1"]);
}

#[test]
fn state_tells_what_a_state_holds() {
    let desk = desk();
    desk.write("one.csv", "event,file,ts\nopen,1,7\nclose,1,8\nopen,2,8\n");
    desk.run(&["check", "open.qea", "one.csv", "--resume", "state"]);
    let text = desk.run(&["state", "state"]).fine();
    for line in [
        "point    3\n",
        "events   3\n",
        "time     8\n",
        "log      one.csv, 42 bytes\n",
        "rule     open (qea): not violated so far\n",
        "  rows   ",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let document: Value = serde_json::from_str(&desk.run(&["state", "state", "--json"]).fine()).expect("a document");
    let bytes = fs::metadata(desk.path("state")).expect("it is there").len();
    assert_eq!((&document["bytes"], &document["time"]), (&json!(bytes), &json!(8)));
    assert_eq!(document["kinds"], json!({"open": 2, "close": 1}));
    assert_eq!(document["parts"][0]["rules"], json!(["open"]));
    assert_eq!(document["inputs"], json!([{"name": "one.csv", "bytes": 42, "unfinished": false}]));
    desk.run(&["state", "one.csv"]).failed_with("one.csv: this is no saved state", "`check --resume` has written");
    assert_eq!(desk.run(&["state", "none"]).failed(), "error: none: there is no such file\n");
}
