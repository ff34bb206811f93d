//! `referee contest generate` and `list --generators`.

use crate::kit::{refusal, stdout};

#[test]
fn the_list_names_every_generator_with_its_size() {
    let list = stdout(&["contest", "list", "--generators"]);
    assert!(list.lines().count() > 44, "{list}");
    let access = list.lines().find(|line| line.starts_with("dejavu-access ")).expect("listed");
    assert!(access.contains(" 1000000  Who touches a file"), "{access}");
}

#[test]
fn a_small_trace_to_the_byte() {
    let trace = stdout(&["contest", "generate", "junitrv-counter", "--events", "3"]);
    assert_eq!(trace, "event,counter\nstep,1\nstep,2\nstep,3\n");
    let fifo = stdout(&["contest", "generate", "dejavu-fifo", "--events", "3", "--verdict", "violated", "--at", "0.3"]);
    assert_eq!(fifo, "exit,3\nenter,1\nenter,2\n");
}

#[test]
fn seeds_and_values_are_reproducible() {
    let generate = |more: &[&str]| {
        stdout(&[&["contest", "generate", "dejavu-access", "--events", "200", "--values", "strings"], more].concat())
    };
    assert_eq!(generate(&["--seed", "7"]), generate(&["--seed", "7"]));
    assert_ne!(generate(&["--seed", "7"]), generate(&["--seed", "8"]));
    let first = generate(&[]).lines().next().map(str::to_owned).expect("an event");
    let (name, user) = first.split_once(',').expect("an argument");
    assert!(name == "login" && user.starts_with("user-") && user.len() == 17, "{first}");
}

#[test]
fn times_are_a_last_column_or_a_field() {
    let timed = |format: &str| {
        stdout(&["contest", "generate", "dejavu-access", "--timed", "--events", "50", "--format", format])
    };
    let last = timed("csv-plain").lines().last().map(str::to_owned).expect("an event");
    assert!(last.ends_with(",392"), "{last}");
    assert!(timed("csv-named").ends_with(", ts = 392\n"));
    assert!(timed("monpoly").starts_with("@0 "));
}

/// Whether the points of a generator have times, which some formats cannot hold.
fn is_metric(name: &str) -> bool {
    let suite = ["doses", "alarms", "shifts", "ballots", "nodes"];
    name.starts_with("monpoly-") || name.strip_prefix("suite-").is_some_and(|name| suite.contains(&name))
}

#[test]
fn every_generator_writes_every_format_that_can_hold_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let list = stdout(&["contest", "list", "--generators"]);
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    for name in names.filter(|name| *name != "machine-log") {
        for extension in ["csv", "xml", "json", "blocks", "log", "trace", "csv.gz", "xml.zst"] {
            let path = directory.path().join(format!("{name}.{extension}"));
            let path = path.to_str().expect("a readable name");
            let arguments = ["contest", "generate", name, "-o", path, "--events", "42"];
            if is_metric(name) {
                let plain = [&arguments[..], &["--format", "csv-plain"]].concat();
                assert!(refusal(&plain).contains("has no place for the times"), "{name}");
            }
            stdout(&arguments);
            let stats = stdout(&["stats", "--json", path]);
            assert!(stats.contains("\"events\":42"), "{name}.{extension}: {stats}");
        }
    }
}

#[test]
fn points_hold_as_many_events_as_were_asked_for() {
    let log = stdout(&[
        "contest",
        "generate",
        "monpoly-insert",
        "--events",
        "50",
        "--per-point",
        "10",
        "--format",
        "monpoly",
    ]);
    assert_eq!(log.lines().count(), 5);
}

#[test]
fn mistakes_are_explained() {
    for (arguments, expected) in [
        (&["nothing"][..], "hint: write one of dejavu-access"),
        (&["hasnext", "--at", "1.5"], "no number from 0 to 1"),
        (&["hasnext", "--timed"], "hasnext does not take --timed"),
        (&["monpoly-auth", "--violations", "101"], "no number from 0 to 100"),
        (&["dejavu-deadlock", "--events", "4", "--verdict", "violated"], "needs 5 events before that"),
        (&["mop-counts", "--events", "100"], "hint: ask for 99 or 102 --events"),
        (&["hasnext", "-o", "trace.unknown"], "add --format with one of csv"),
    ] {
        let said = refusal(&[&["contest", "generate"], arguments].concat());
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn machine_logs_obey_unless_told_otherwise() {
    let log = stdout(&["contest", "generate", "machine-log", "--events", "3000"]);
    assert!(log.starts_with("log, id = 1\nstep, "), "{log}");
    assert_eq!(log.lines().filter(|line| line.starts_with("step,")).count(), 3000);
    let broken = stdout(&["contest", "generate", "machine-log", "--events", "3000", "--verdict", "violated"]);
    assert_ne!(log, broken);
    let table =
        stdout(&["contest", "generate", "machine-log", "--events", "3000", "--format", "csv", "--live", "5000"]);
    assert!(table.starts_with("event,id,group_start,"), "{table}");
    let process = |line: &str| line.split(',').nth(5).and_then(|cell| cell.parse::<u64>().ok());
    assert!(table.lines().filter_map(process).any(|process| process > 1000), "{table}");
    let said = refusal(&["contest", "generate", "machine-log", "--per-point", "5"]);
    assert!(said.contains("machine-log does not take --per-point"), "{said}");
    let said = refusal(&["contest", "generate", "machine-log", "--format", "json"]);
    assert!(said.contains("hint: write one of csv-named, csv, xml"), "{said}");
}
