//! Limits and interrupts: a check ends in time, whatever it is doing, and says what it knows.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::kit::{Desk, Run};

const NEVER: &str = "prop never : Forall x . !bad(x)\n";

fn desk() -> Desk {
    Desk::with("never.qtl", NEVER)
}

fn make_fifo(desk: &Desk, name: &str) {
    let made = Command::new("mkfifo").arg(desk.path(name)).status().expect("there is a mkfifo");
    assert!(made.success());
}

/// Runs a check whose standard input is open and silent.
fn on_silent_input(desk: &Desk, arguments: &[&str]) -> Run {
    let mut child = desk.start(arguments);
    let input = child.stdin.take();
    let output = child.wait_with_output().expect("the program ends");
    drop(input);
    output.into()
}

#[test]
fn a_time_limit_holds_while_a_pipe_is_silent() {
    let desk = desk();
    let run = on_silent_input(&desk, &["check", "never.qtl", "-", "--timeout", "0.2"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), "STATUS: TimeOut\n"));
    assert_eq!(run.err, "never: TimeOut: the time limit was reached\n");
    let run = on_silent_input(&desk, &["check", "never.qtl", "-", "--timeout", "0.2", "--json"]);
    let document: Value = serde_json::from_str(&run.out).expect("a document");
    assert_eq!((run.code, &document["status"], &document["error"]), (Some(2), &json!("TimeOut"), &Value::Null));
    assert_eq!(document["properties"][0]["reason"], json!("the time limit was reached"));
}

#[test]
fn a_time_limit_holds_while_nobody_opens_a_fifo() {
    let desk = desk();
    make_fifo(&desk, "trace.csv");
    make_fifo(&desk, "spec.qtl");
    let trace = desk.run(&["check", "never.qtl", "trace.csv", "--timeout", "0.2"]);
    assert_eq!((trace.code, trace.out.as_str()), (Some(2), "STATUS: TimeOut\n"));
    let specification = desk.run(&["check", "spec.qtl", "trace.csv", "--timeout", "0.2", "--json"]);
    let document: Value = serde_json::from_str(&specification.out).expect("a document");
    assert_eq!((specification.code, &document["status"]), (Some(2), &json!("TimeOut")));
    assert_eq!(document["error"]["message"], json!("the time limit was reached"));
}

#[test]
fn a_time_limit_holds_in_long_arithmetic() {
    let desk = Desk::with(
        "square.lola",
        "input n: Int\noutput square: Int := square.last(or: 3) * square.last(or: 3)\n\
         trigger square < n \"small\"\n",
    );
    desk.write("log.csv", format!("event, n\n{}", "n, 1\n".repeat(200)));
    let started = Instant::now();
    let run = desk.run(&["check", "square.lola", "log.csv", "--timeout", "0.5"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), "STATUS: TimeOut\n"), "{}", run.err);
    assert!(started.elapsed() < Duration::from_secs(60), "it would take for ever");
}

/// To compile so many rules takes much longer than the limit.
#[test]
fn a_time_limit_holds_while_rules_are_compiled() {
    let rule = |number: usize| format!("prop p{number} : Forall x . a{number}(x) -> P (b(x) & @ (!c(x) S d(x)))\n");
    let desk = Desk::with("many.qtl", (0..60_000).map(rule).collect::<String>());
    let run = desk.run(&["check", "many.qtl", "--inline", "b(1)", "--timeout", "0.3"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), "STATUS: TimeOut\n"), "{}", run.err.len());
}

#[test]
fn a_time_limit_that_is_not_reached_changes_nothing() {
    let desk = desk();
    for limit in ["600", "1e18"] {
        let run = desk.run(&["check", "never.qtl", "--inline", "bad(1)", "--timeout", limit]);
        assert_eq!((run.code, run.err.as_str()), (Some(1), ""), "{limit}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_memory_limit_ends_the_check_with_its_reason() {
    let desk = Desk::with("once.qtl", "prop once : Forall x . b(x) -> P a(x)\n");
    let mut child = desk.start(&["check", "once.qtl", "-", "--memory", "64M"]);
    let mut input = child.stdin.take().expect("standard input is piped");
    let feeder = std::thread::spawn(move || {
        let mut number: u64 = 0;
        // The program stops reading when it has no memory left.
        while number < 100_000_000 {
            let rows: String = (number..number + 1000).map(|value| format!("a,value{value}\n")).collect();
            if input.write_all(rows.as_bytes()).is_err() {
                return;
            }
            number += 1000;
        }
    });
    let run: Run = child.wait_with_output().expect("the program ends").into();
    feeder.join().expect("the feeder ends");
    assert_eq!((run.code, run.out.as_str()), (Some(2), "STATUS: GaveUp\n"));
    // Before that it was told that memory grows.
    assert!(run.err.starts_with("warning[L0024]: `once` remembers "), "{}", run.err);
    assert!(run.err.ends_with("\nonce: GaveUp: the memory limit of 64 MiB was reached\n"), "{}", run.err);
    let enough = desk.run(&["check", "once.qtl", "--inline", "a(1).b(1)", "--memory", "1G"]);
    assert_eq!(enough.fine(), "STATUS: Satisfied\n");
}

/// A check that reads a FIFO, the end that writes to it, and its first line.
fn waiting(desk: &Desk, more: &[&str]) -> (Child, File, BufReader<ChildStdout>) {
    make_fifo(desk, "trace.csv");
    let mut child = desk.start(&[&["check", "never.qtl", "trace.csv", "--all"], more].concat());
    let mut trace = OpenOptions::new().write(true).open(desk.path("trace.csv")).expect("the program reads");
    trace.write_all(b"good,1\nbad,1\n").expect("the program reads");
    let out = BufReader::new(child.stdout.take().expect("standard output is piped"));
    (child, trace, out)
}

fn send(child: &Child, signal: i32) {
    let id = libc::pid_t::try_from(child.id()).expect("a process id");
    // SAFETY: the process is our child and has not been waited for.
    assert_eq!(unsafe { libc::kill(id, signal) }, 0);
}

#[test]
fn an_interrupt_prints_what_is_known() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        let desk = desk();
        let (mut child, trace, mut out) = waiting(&desk, &["--events"]);
        let mut text = String::new();
        out.read_line(&mut text).expect("the violation");
        send(&child, signal);
        out.read_to_string(&mut text).expect("the rest");
        let expected = "VIOLATION never: point 2, bad(1), x = 1\nEVENTS: 2\n  bad 1\n  good 1\nSTATUS: Violated\n";
        assert_eq!((text.as_str(), child.wait().expect("it ends").code()), (expected, Some(130)));
        drop(trace);
    }
}

#[test]
fn an_interrupt_before_a_verdict_is_gave_up() {
    let desk = desk();
    make_fifo(&desk, "trace.csv");
    // `--trace` shows that the program has come as far as the event.
    let mut child = desk.start(&["check", "never.qtl", "trace.csv", "--trace"]);
    let mut trace = OpenOptions::new().write(true).open(desk.path("trace.csv")).expect("the program reads");
    trace.write_all(b"good,1\n").expect("the program reads");
    let mut out = BufReader::new(child.stdout.take().expect("standard output is piped"));
    let mut text = String::new();
    out.read_line(&mut text).expect("the event");
    send(&child, libc::SIGINT);
    out.read_to_string(&mut text).expect("the rest");
    let mut err = String::new();
    child.stderr.take().expect("standard error is piped").read_to_string(&mut err).expect("text");
    assert_eq!(
        (text.as_str(), err.as_str()),
        ("good(1)\nSTATUS: GaveUp\n", "never: GaveUp: the check was interrupted\n")
    );
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    drop(trace);
}

#[test]
fn an_interrupted_document_is_whole() {
    let desk = desk();
    make_fifo(&desk, "trace.csv");
    let mut child = desk.start(&["check", "never.qtl", "trace.csv", "--all", "--json", "--trace"]);
    let mut trace = OpenOptions::new().write(true).open(desk.path("trace.csv")).expect("the program reads");
    trace.write_all(b"bad,1\n").expect("the program reads");
    // With `--json` the events are on standard error.
    let mut err = BufReader::new(child.stderr.take().expect("standard error is piped"));
    err.read_line(&mut String::new()).expect("the event");
    send(&child, libc::SIGINT);
    let mut text = String::new();
    child.stdout.take().expect("standard output is piped").read_to_string(&mut text).expect("text");
    let document: Value = serde_json::from_str(&text).expect("one document");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let property = &document["properties"][0];
    assert_eq!((&document["status"], &property["violation_count"]), (&json!("Violated"), &json!(1)));
    assert_eq!(property["violations"][0]["bindings"], json!({"x": 1}));
    drop(trace);
}

/// Rows of a report that is not whole are nobody's.
#[test]
fn an_interrupt_leaves_no_part_of_a_report() {
    let desk = Desk::with("copy.lola", "input n: Int\noutput twice: Int := n * 2\nreport twice to \"twice.csv\"\n");
    make_fifo(&desk, "trace.csv");
    let mut child = desk.start(&["check", "copy.lola", "trace.csv"]);
    let mut trace = OpenOptions::new().write(true).open(desk.path("trace.csv")).expect("the program reads");
    trace.write_all(b"event, n\nstep, 1\n").expect("the program reads");
    while !desk.path("twice.csv.part").exists() {
        assert_eq!(child.try_wait().expect("the child is ours"), None, "it waits for more");
        std::thread::sleep(Duration::from_millis(1));
    }
    send(&child, libc::SIGINT);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(desk.files(), ["copy.lola", "trace.csv"]);
    drop(trace);
}
