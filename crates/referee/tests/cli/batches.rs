//! `check` reads some hundred events ahead, perhaps on another core: nothing of that shows.

use crate::kit::{Desk, Run};

const ACCESS: &str = "prop access : Forall u . access(u) -> [login(u), logout(u))\n";
const ANSWERED: &str = "ALWAYS FORALL x. ask(x) IMPLIES EVENTUALLY[0,2000] answer(x)\n";

fn desk() -> Desk {
    let desk = Desk::with("access.qtl", ACCESS);
    desk.write("answered.mfotl", ANSWERED);
    desk.write("marks.toml", "split = \"mark\"\n");
    desk
}

/// Runs a check on one thread and on two, which say the same.
fn check(desk: &Desk, args: &[&str]) -> Run {
    let [one, two] = ["1", "2"].map(|threads| desk.run(&[&["check"], args, &["--threads", threads]].concat()));
    assert_eq!((&one.code, &one.out, &one.err), (&two.code, &two.out, &two.err), "{args:?}");
    one
}

#[test]
fn events_after_the_first_violation_are_not_counted() {
    let desk = desk();
    let trace = format!("login,1\nother,5\naccess,2\nother,6\n{}", "login,3\n".repeat(2000));
    desk.write("bad.csv", &trace);
    let expected = "VIOLATION access: point 3, access(2), u = 2\n\
                    EVENTS: 3\n  access 1\n  login 1\n  other 1\nSTATUS: Violated\n";
    assert_eq!(check(&desk, &["access.qtl", "bad.csv", "--events"]).out, expected);
    assert_eq!(desk.run_with(&["check", "access.qtl", "-", "--events"], &trace).out, expected);
}

#[test]
fn a_fault_after_the_first_violation_is_never_seen() {
    let desk = desk();
    desk.write(
        "bad.xml",
        "<log><event><name>access</name><field><name>u</name><value>2</value></field></event><oops></log>",
    );
    let run = check(&desk, &["access.qtl", "bad.xml"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (Some(1), "VIOLATION access: point 1, access(2), u = 2\nSTATUS: Violated\n")
    );
    let run = check(&desk, &["access.qtl", "bad.xml", "--all"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (Some(2), "VIOLATION access: point 1, access(2), u = 2\nSTATUS: GaveUp\n")
    );
}

#[test]
fn printed_events_stop_where_judging_stops() {
    let desk = desk();
    desk.write("bad.trace", "login(1).access(2).login(3)");
    let run = check(&desk, &["access.qtl", "bad.trace", "--trace"]);
    assert_eq!(run.out, "login(1)\naccess(2)\nVIOLATION access: point 2, access(2), u = 2\nSTATUS: Violated\n");
}

#[test]
fn a_point_is_shown_long_after_it_was_read() {
    let desk = desk();
    let mut trace = String::from("@1 ask (7);\n@2 ask (8); @3 answer (8);\n");
    for time in 4..=2005 {
        trace.push_str(&format!("@{time} other ({time});\n"));
    }
    desk.write("late.log", &trace);
    for option in [&["--all"][..], &["--all", "--oracle"]] {
        if option.len() > 1 {
            desk.write("late.log", "@1 ask (7);\n@2 ask (8); @3 answer (8); @2005 other (1);\n");
        }
        let run = check(&desk, &[&["answered.mfotl", "late.log"], option].concat());
        assert_eq!(run.out, "VIOLATION answered: point 1, time 1, ask(7), x = 7\nSTATUS: Violated\n", "{option:?}");
    }
}

#[test]
fn rules_take_turns_at_every_point() {
    let desk = desk();
    desk.write("two.qtl", "prop one : Forall x . a(x) -> false\nprop two : Forall x . a(x) -> false\n");
    desk.write("two.trace", "a(1).a(2)");
    let run = check(&desk, &["two.qtl", "two.trace", "--all"]);
    let lines: Vec<&str> = run.out.lines().collect();
    let expected = [
        "VIOLATION one: point 1, a(1), x = 1",
        "VIOLATION two: point 1, a(1), x = 1",
        "VIOLATION one: point 2, a(2), x = 2",
        "VIOLATION two: point 2, a(2), x = 2",
    ];
    assert_eq!(lines[..4], expected);
}

#[test]
fn every_trace_has_its_own_points() {
    let desk = desk();
    let mut trace = String::new();
    for number in 0..900 {
        trace.push_str(&format!("mark\nlogin,{number}\naccess,{}\n", number - number % 2));
    }
    desk.write("many.csv", &trace);
    let run = check(&desk, &["access.qtl", "many.csv", "--map", "marks.toml", "--all"]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 451);
    assert_eq!(lines[1], "VIOLATION access: trace 4, point 2, event 12, access(2), u = 2");
}
