//! Pipes that are closed early.

use std::io::{BufRead, BufReader};

use crate::kit::Desk;

#[test]
fn a_closed_pipe_ends_quietly() {
    let rows = "event_with_a_long_name,1,2,3\n".repeat(100_000);
    let desk = Desk::with("big.csv", &rows);
    for arguments in [&["cat", "big.csv"][..], &["convert", "big.csv", "-", "--to", "xml"]] {
        let mut child = desk.start(arguments);
        let mut first = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("standard output is piped"));
        out.read_line(&mut first).expect("a first line");
        drop(out);
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

/// The rule of which the traces below break one part or none.
const NEVER: &str = "prop never : Forall x . !bad(x)\n";

/// Runs the program and closes its standard output after the first line, or before it.
fn closed_early(desk: &Desk, arguments: &[&str], reads_line: bool) -> (Option<i32>, String) {
    let mut child = desk.start(arguments);
    drop(child.stdin.take());
    let mut out = BufReader::new(child.stdout.take().expect("standard output is piped"));
    if reads_line {
        out.read_line(&mut String::new()).expect("a first line");
    }
    drop(out);
    let output = child.wait_with_output().expect("the program ends");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_violated_trace_exits_1_though_head_closes_the_pipe() {
    let desk = Desk::with("never.qtl", NEVER);
    desk.write("bad.csv", "bad,1\n".repeat(100_000));
    for form in
        [&["--all"][..], &["--all", "--json"], &["--all", "--json-lines"], &["--all", "--witness"], &["--trace"]]
    {
        let arguments = [&["check", "never.qtl", "bad.csv"], form].concat();
        assert_eq!(closed_early(&desk, &arguments, form != ["--all", "--json"]), (Some(1), String::new()), "{form:?}");
        assert_eq!(closed_early(&desk, &arguments, false), (Some(1), String::new()), "{form:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_violated_trace_exits_1_in_a_shells_pipeline() {
    let desk = Desk::with("never.qtl", NEVER);
    desk.write("bad.csv", "bad,1\n".repeat(100_000));
    let program = env!("CARGO_BIN_EXE_referee");
    let script = format!("{program} check never.qtl bad.csv --all | head -1; echo ${{PIPESTATUS[0]}}");
    let mut bash = std::process::Command::new("bash");
    let output = bash.args(["-c", &script]).current_dir(desk.path("")).output().expect("there is a shell");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "VIOLATION never: point 1, bad(1), x = 1\n1\n");
}

/// As long as no violation is known, the verdict is open: whoever closes the pipe still learns it.
#[test]
fn the_verdict_is_found_though_nobody_reads_what_comes_before_it() {
    let desk = Desk::with("never.qtl", NEVER);
    desk.write("good.csv", "good,1\n".repeat(100_000));
    desk.write("late.csv", format!("{}bad,7\n", "good,1\n".repeat(100_000)));
    let (code, err) = closed_early(&desk, &["check", "never.qtl", "late.csv", "--trace"], true);
    assert_eq!((code, err.as_str()), (Some(1), ""));
    let (code, _) = closed_early(&desk, &["check", "never.qtl", "good.csv", "--trace"], true);
    assert_eq!(code, Some(0));
}

#[test]
fn failed_tests_and_layouts_exit_1_though_nobody_reads() {
    let test = "```qtl name=doors\nprop doors: Forall p . enter(p) -> P key(p)\n```\n```accepted\nenter(bob)\n```\n";
    let desk = Desk::with("doors.md", test);
    desk.write("plain.foltl", "always(open(1)=>eventually close(1))");
    for arguments in [&["test", "doors.md"][..], &["fmt", "--check", "plain.foltl"]] {
        assert_eq!(closed_early(&desk, arguments, false), (Some(1), String::new()), "{arguments:?}");
    }
}

/// `2>&1 | head` closes both.
#[test]
fn a_closed_standard_error_is_no_reason_to_panic() {
    let desk = Desk::with("never.qtl", NEVER);
    desk.write("good.csv", "good,1\n");
    let mut child = desk.start(&["check", "never.qtl", "good.csv"]);
    drop((child.stdin.take(), child.stdout.take(), child.stderr.take()));
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
}
