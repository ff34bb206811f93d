//! `referee run --syscalls`: any program, by what it asks of the kernel.

use crate::kit::Desk;

/// Files that are open when their process exits.
const LEAK: &str = "prop leak: Forall p . Forall c . exit(p,c) -> ! Exists d . Exists f . (!close(p,d) S open(p,d,f))";

#[test]
fn a_descriptor_leak() {
    let desk = Desk::with("leak.qtl", LEAK);
    desk.write("file", "text\n");
    let fine =
        desk.run(&["run", "--syscalls", "--spec", "leak.qtl", "--", "sh", "-c", "exec 7< file; exec 7<&-; echo done"]);
    assert_eq!((fine.code, fine.out.as_str(), fine.err.as_str()), (Some(0), "done\n", "STATUS: Satisfied\n"));
    let leaks = desk.run(&["run", "--syscalls", "--spec", "leak.qtl", "--", "sh", "-c", "exec 7< file; exit 3"]);
    assert_eq!(leaks.code, Some(1), "{}", leaks.err);
    let lines: Vec<&str> = leaks.err.lines().collect();
    assert!(lines[0].starts_with("VIOLATION leak: point ") && lines[0].contains("c = 3"), "{lines:?}");
    assert_eq!(lines[1..], ["STATUS: Violated", "note: sh ended with exit code 3"]);
}

#[test]
fn a_recorded_trace_is_judged_alike() {
    let desk = Desk::with("leak.qtl", LEAK);
    desk.write("file", "text\n");
    let program = ["sh", "-c", "exec 7< file; (exit 4); cat file | cat"];
    let seen = desk.run(
        &[&["run", "--syscalls", "--all", "--trace", "t.trace", "--spec", "leak.qtl", "--"][..], &program].concat(),
    );
    let judged = desk.run(&["check", "leak.qtl", "t.trace", "--all"]);
    assert_eq!((seen.out.as_str(), seen.code), ("text\n", Some(1)), "{}", seen.err);
    assert_eq!(seen.err, judged.out);
    let trace = std::fs::read_to_string(desk.path("t.trace")).expect("written");
    for event in ["open(", "close(", "read(", "write(", "fork(", "exec(", "exit(", "pipe(", "dup("] {
        assert!(trace.contains(&format!("\n{event}")) || trace.starts_with(event), "no {event} in {trace}");
    }
}

#[test]
fn a_program_that_is_not_there() {
    let desk = Desk::with("leak.qtl", LEAK);
    for more in [&["--syscalls"][..], &[]] {
        let run = desk.run(&[&["run", "--spec", "leak.qtl"][..], more, &["--", "./no-such-program"]].concat());
        run.failed_with(
            "./no-such-program: the program cannot be started: No such file or directory (os error 2)",
            "say the path of the program",
        );
    }
}

#[test]
fn a_program_without_events() {
    let desk = Desk::new();
    desk.run(&["run", "--", "true"]).failed_with(
        "true: the program has no events: it was not built with `referee cc`, or did not get as far as its start",
        "--syscalls",
    );
}
