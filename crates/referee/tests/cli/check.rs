//! `check`: verdicts, lines, JSON and exit codes, option by option.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use crate::kit::{Desk, Run, repository};

const ACCESS: &str =
    "prop access : Forall u . Forall f . access(u, f) -> [login(u), logout(u)) & [open(f), close(f))\n";
const CLOSED: &str = "(forall f:file)(always (open(f) => eventually close(f)))\n";
const REPORT: &str = "ALWAYS FORALL c, t, a. trans(c, t, a) AND 2000 < a IMPLIES EVENTUALLY[0,5] report(t)\n";
const BANK: &str = "trans, tp=10, ts=32, c=Alice, t=132, a=2035\n\
                    trans, tp=10, ts=32, c=Bob, t=135, a=2100\n\
                    trans, tp=11, ts=32, c=Charlie, t=137, a=60\n\
                    report, tp=12, ts=38, t=132\n";

fn desk() -> Desk {
    let desk = Desk::with("access.qtl", ACCESS);
    desk.write("closed.foltl", CLOSED);
    desk.write("report.mfotl", REPORT);
    desk.write("bank.csv", BANK);
    desk.write("bad.csv", "login,1\naccess,1,2\naccess,2,2\n");
    desk.write("good.csv", "login,1\nopen,2\naccess,1,2\nclose,2\nlogout,1\n");
    desk.write("half.csv", "login,1\nopen,2\naccess,1,2\nlogout,1\n");
    desk
}

fn json_of(run: Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {} {}", run.out, run.err))
}

#[test]
fn a_satisfied_trace() {
    assert_eq!(desk().run(&["check", "access.qtl", "good.csv"]).fine(), "STATUS: Satisfied\n");
}

#[test]
fn the_first_violation_ends_the_run() {
    let run = desk().run(&["check", "access.qtl", "bad.csv"]);
    assert_eq!(run.out, "VIOLATION access: point 2, access(1,2), u = 1, f = 2\nSTATUS: Violated\n");
    let warning = "warning[L0007]: up to the violation, where reading stopped, the trace has no event `open` \
                   (access.qtl:1:78); the trace has the events `access`, `login`\n";
    assert_eq!((run.code, run.err.as_str()), (Some(1), warning));
    let first = desk().run(&["check", "access.qtl", "bad.csv", "--first"]);
    assert_eq!(first.out, run.out);
}

#[test]
fn all_violations() {
    let run = desk().run(&["check", "access.qtl", "bad.csv", "--all"]);
    let expected = "VIOLATION access: point 2, access(1,2), u = 1, f = 2\n\
                    VIOLATION access: point 3, access(2,2), u = 2, f = 2\n\
                    STATUS: Violated\n";
    assert_eq!((run.code, run.out.as_str()), (Some(1), expected));
}

#[test]
fn a_point_with_several_events_names_the_one_that_matters() {
    let run = desk().run(&["check", "report.mfotl", "bank.csv", "--all"]);
    let expected = "VIOLATION report: point 1, time 32, trans(Alice,132,2035), c = Alice, t = 132, a = 2035\n\
                    VIOLATION report: point 1, time 32, trans(Bob,135,2100), c = Bob, t = 135, a = 2100\n\
                    STATUS: Violated\n";
    assert_eq!((run.code, run.out.as_str()), (Some(1), expected));
}

#[test]
fn one_document() {
    let document = json_of(desk().run(&["check", "report.mfotl", "bank.csv", "--json"]));
    let expected = json!({
        "status": "Violated", "error": null, "warnings": [], "kinds": {"report": 1, "trans": 3},
        "properties": [{
            "name": "report", "language": "mfotl", "status": "Violated", "reason": null, "events": 4, "points": 3,
            "violation_count": 1, "pending_count": 0,
            "violations": [{
                "trace": 1, "point": 1, "event_number": 1, "time": 32, "decided": 3, "opened": null,
                "event": "trans(Alice,132,2035)", "bindings": {"c": "Alice", "t": 132, "a": 2035},
                "message": null, "why": [],
            }],
        }],
    });
    assert_eq!(document, expected);
}

#[test]
fn obligations_open_at_the_end() {
    let desk = desk();
    let trace = ["--inline", "open(1).open(2).close(1)"];
    let document = json_of(desk.run(&["check", "closed.foltl", trace[0], trace[1], "--json"]));
    let violation = &document["properties"][0]["violations"][0];
    let found = [&violation["point"], &violation["decided"], &violation["opened"], &violation["bindings"]["f"]];
    assert_eq!(found, [&json!(3), &Value::Null, &json!(2), &json!(2)]);

    let prefix = desk.run(&["check", "closed.foltl", trace[0], trace[1], "--prefix"]).fine();
    assert_eq!(prefix, "PENDING: 2\nSTATUS: Satisfied\n");
}

#[test]
fn several_specifications_in_one_pass() {
    let desk = desk();
    desk.write("both.qtl", format!("{ACCESS}prop never : Forall u . !logout(u)\n"));
    let run = desk.run(&["check", "both.qtl", "half.csv", "--spec", "closed.foltl"]);
    let expected = "VIOLATION never: point 4, logout(1), u = 1\n\
                    VIOLATION closed: point 4, logout(1), f = 2\n\
                    PROPERTY access: Satisfied\nPROPERTY never: Violated\nPROPERTY closed: Violated\nSTATUS: Violated\n";
    assert_eq!((run.code, run.out.as_str()), (Some(1), expected), "{}", run.err);

    let one = desk.run(&["check", "both.qtl", "good.csv", "--property", "access"]).fine();
    assert_eq!(one, "STATUS: Satisfied\n");
    let none = desk.run(&["check", "both.qtl", "good.csv", "--property", "acess"]);
    assert_eq!((none.code, none.out.as_str()), (Some(2), "STATUS: GaveUp\n"));
    assert!(none.err.contains("no property is called `acess`"), "{}", none.err);
}

/// What the last event is, and how much of it is read, makes no difference.
#[test]
fn many_properties_are_judged_alone_as_together() {
    let (desk, fifty) = (desk(), repository().join("benches/specifications/fifty.qtl"));
    let (fifty, text) = (fifty.display().to_string(), std::fs::read_to_string(&fifty).expect("a specification"));
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("prop ")?.split(':').next()).collect();
    assert_eq!(names.len(), 50);
    let lines = ["login,1\n", "open,2\n", "access,1,2\n", "close,2\n", "logout,1\n"];
    for end in 0..lines.len() {
        desk.write("cycles.csv", lines.concat().repeat(20) + &lines[..end].concat());
        let together = desk.run(&["check", &fifty, "cycles.csv"]).fine();
        assert!(together.ends_with("STATUS: Satisfied\n"), "{together}");
        for name in &names {
            let alone = desk.run(&["check", &fifty, "cycles.csv", "--property", name]).fine();
            assert_eq!(alone, "STATUS: Satisfied\n", "{name}, {end}");
        }
    }
}

#[test]
fn a_folder_of_specifications() {
    let desk = desk();
    std::fs::create_dir(desk.path("rules")).expect("a folder");
    desk.write("rules/a.qtl", "prop a : Forall u . !logout(u)\n");
    desk.write("rules/b.foltl", "always (not refund(1))\n");
    desk.write("rules/notes.txt", "not a specification");
    let run = desk.run(&["check", "rules", "good.csv"]);
    assert!(run.out.ends_with("PROPERTY a: Violated\nPROPERTY b: Satisfied\nSTATUS: Violated\n"), "{}", run.out);
    let empty = Desk::new();
    std::fs::create_dir(empty.path("rules")).expect("a folder");
    assert!(empty.run(&["check", "rules", "--inline", "a"]).failed().contains("no specification in this folder"));
}

#[test]
fn counts_of_events_in_both_spellings() {
    let desk = desk();
    for option in ["--events", "-events"] {
        let run = desk.run(&["check", "access.qtl", "good.csv", option]);
        let expected = "EVENTS: 5\n  access 1\n  close 1\n  login 1\n  logout 1\n  open 1\nSTATUS: Satisfied\n";
        assert_eq!((run.code, run.out.as_str()), (Some(0), expected));
        assert!(run.err.contains("rows for `!logout(a) S login(a)`"), "{}", run.err);
    }
}

#[test]
fn the_events_as_they_are_judged() {
    for option in ["--trace", "-trace"] {
        let run = desk().run(&["check", "access.qtl", "bad.csv", option]);
        let expected =
            "login(1)\naccess(1,2)\nVIOLATION access: point 2, access(1,2), u = 1, f = 2\nSTATUS: Violated\n";
        assert_eq!(run.out, expected);
    }
}

#[test]
fn the_oracle_says_the_same() {
    let desk = desk();
    for (specification, trace) in
        [("access.qtl", "bad.csv"), ("report.mfotl", "bank.csv"), ("closed.foltl", "half.csv")]
    {
        let engine = desk.run(&["check", specification, trace, "--all"]);
        let oracle = desk.run(&["check", specification, trace, "--all", "--oracle"]);
        assert_eq!((engine.code, engine.out), (oracle.code, oracle.out), "{specification}");
    }
}

#[test]
fn seen_and_timed_and_lenient() {
    let desk = desk();
    desk.write("some.qtl", "prop some : exists x . !q(x)\n");
    assert_eq!(desk.run(&["check", "some.qtl", "--inline", "q(1)"]).fine(), "STATUS: Satisfied\n");
    assert_eq!(desk.run(&["check", "some.qtl", "--inline", "q(1)", "--seen"]).code, Some(1));

    desk.write("soon.qtl", "prop soon : Forall x . b(x) -> P[<=5] a(x)\n");
    desk.write("log.csv", "a,1,10\nb,1,16\n");
    desk.write("log.timed.csv", "a,1,10\nb,1,16\n");
    assert_eq!(desk.run(&["check", "soon.qtl", "log.csv", "--timed"]).code, Some(1));
    assert_eq!(desk.run(&["check", "soon.qtl", "log.timed.csv"]).code, Some(1));
    let untimed = desk.run(&["check", "soon.qtl", "log.csv"]);
    assert_eq!(untimed.code, Some(0));
    assert!(untimed.err.contains("L0008"), "a lint tells of the other arity: {}", untimed.err);

    desk.write("mixed.foltl", "always (not a or b and c)\n");
    assert_eq!(desk.run(&["check", "mixed.foltl", "--inline", "b"]).code, Some(2));
    assert_eq!(desk.run(&["check", "mixed.foltl", "--inline", "b", "--lenient"]).code, Some(0));
}

#[test]
fn signatures_declare_types() {
    let desk = desk();
    desk.write("same.mfotl", "FORALL x. p(x) IMPLIES NOT x = \"7\"\n");
    desk.write("text.sig", "p(x:string)\n");
    desk.write("log.log", "@1 p (7);\n");
    assert_eq!(desk.run(&["check", "same.mfotl", "log.log"]).code, Some(0));
    assert_eq!(desk.run(&["check", "same.mfotl", "log.log", "--signature", "text.sig"]).code, Some(1));
    desk.write("other.sig", "q(x:string)\n");
    let unknown = desk.run(&["check", "same.mfotl", "log.log", "--signature", "other.sig"]);
    assert_eq!((unknown.code, unknown.out.as_str()), (Some(2), "STATUS: GaveUp\n"));
    assert!(unknown.err.contains("E0006"), "{}", unknown.err);
}

#[test]
fn satisfactions_in_monpolys_form() {
    let desk = desk();
    desk.write("paid.mfotl", "trans(c, t, a) AND 2000 < a\n");
    let lines = desk.run(&["check", "paid.mfotl", "bank.csv", "--satisfactions"]).fine();
    assert_eq!(lines, "@32 (time point 0): (Alice,132,2035) (Bob,135,2100)\nSTATUS: Satisfied\n");
    let other = desk.run(&["check", "access.qtl", "good.csv", "--satisfactions"]);
    assert!(other.failed().contains("--satisfactions is for MFOTL"));
}

#[test]
fn computed_values_are_reported_by_themselves() {
    let counter = "LETPAST count(n) = (n = 0 AND NOT PREV TRUE) OR (EXISTS m. PREV count(m) AND n = m + 1) IN\n\
                   FORALL n. count(n) IMPLIES n < 3\n";
    let run = Desk::with("count.mfotl", counter).run(&["check", "count.mfotl", "--inline", "a.a.a.a.a", "--all"]);
    let expected = "VIOLATION count: point 4, a(), n = 3\nVIOLATION count: point 5, a(), n = 4\nSTATUS: Violated\n";
    assert_eq!((run.code, run.out.as_str()), (Some(1), expected), "{}", run.err);
}

#[test]
fn giving_up_says_why_and_where() {
    let desk = Desk::with("ratio.mfotl", "FORALL x. p(x) IMPLIES 10 / x > 1\n");
    let run = desk.run(&["check", "ratio.mfotl", "--inline", "p(1).p(0)"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), "STATUS: GaveUp\n"));
    assert!(run.err.contains("division by zero in `10 / x > 1` at point 2"), "{}", run.err);
    let document = json_of(desk.run(&["check", "ratio.mfotl", "--inline", "p(0)", "--json"]));
    assert_eq!(document["properties"][0]["reason"], json!("division by zero in `10 / x > 1` at point 1"));
}

#[test]
fn what_cannot_be_read_is_gave_up_too() {
    let desk = desk();
    desk.write("wrong.foltl", "always (open(1)\nand or\n");
    let run = desk.run(&["check", "wrong.foltl", "good.csv"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), "STATUS: GaveUp\n"));
    assert!(run.err.contains("wrong.foltl:2:5"), "{}", run.err);
    let document = json_of(desk.run(&["check", "wrong.foltl", "good.csv", "--json"]));
    assert_eq!((&document["status"], &document["error"]["line"]), (&json!("GaveUp"), &json!(2)));
    let missing = json_of(desk.run(&["check", "access.qtl", "missing.csv", "--json"]));
    assert_eq!(missing["error"]["file"], json!("missing.csv"));
    assert!(desk.run(&["check", "good.csv", "good.csv"]).failed().contains("--language"));
}

#[test]
fn a_time_limit() {
    let desk = desk();
    let run = desk.run(&["check", "access.qtl", "good.csv", "--timeout", "0"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), "STATUS: TimeOut\n"), "there is no time at all");
    let run = desk.run_with(&["check", "access.qtl", "-", "--timeout", "0"], "login,1\n".repeat(1000));
    assert_eq!((run.code, run.out.as_str()), (Some(2), "STATUS: TimeOut\n"));
}

#[test]
fn each_trace_of_an_input_is_judged_by_itself() {
    let desk = desk();
    desk.write("marks.toml", "split = \"mark\"\n");
    desk.write("many.csv", "mark\nopen,1\nclose,1\nmark\nopen,1\nmark\nclose,1\n");
    let document = json_of(desk.run(&["check", "closed.foltl", "many.csv", "--map", "marks.toml", "--all", "--json"]));
    let violations = document["properties"][0]["violations"].as_array().expect("violations");
    assert_eq!(violations.len(), 1);
    let found = (&violations[0]["trace"], &violations[0]["point"], &violations[0]["event_number"]);
    assert_eq!(found, (&json!(2), &json!(1), &json!(5)));
}

#[test]
fn events_that_the_trace_never_shows_are_told() {
    let run = desk().run(&["check", "access.qtl", "half.csv"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "STATUS: Satisfied\n"));
    assert!(run.err.contains("warning[L0007]: the trace has no event `close`"), "{}", run.err);
}

#[test]
fn a_live_stream_is_judged_as_it_comes() {
    let desk = desk();
    let mut child = desk.start(&["check", "access.qtl", "-", "--all"]);
    let mut input = child.stdin.take().expect("standard input is piped");
    let mut output = BufReader::new(child.stdout.take().expect("standard output is piped"));
    input.write_all(b"login,1\naccess,1,2\n").and_then(|()| input.flush()).expect("the program reads");
    let mut line = String::new();
    output.read_line(&mut line).expect("a line before the stream ends");
    assert_eq!(line, "VIOLATION access: point 2, access(1,2), u = 1, f = 2\n");
    drop(input);
    line.clear();
    output.read_line(&mut line).expect("the verdict");
    assert_eq!(line, "STATUS: Violated\n");
    assert_eq!(child.wait().expect("the program ends").code(), Some(1));
}
