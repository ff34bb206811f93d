//! A verdict is never silently wrong: times and their units, traces without times, inputs that never come, numbers past their limits.
//! Each test is named after something that was seen to go wrong without a word.

use std::path::Path;

use crate::kit::{Desk, Run, repository};

/// The last line of standard output of a check, which has the status.
fn status(run: &Run) -> &str {
    run.out.lines().next_back().unwrap_or("")
}

/// Checks that a run gave up with exit code 2, a message and a hint.
#[track_caller]
fn gave_up(run: &Run, message: &str, hint: &str) {
    assert_eq!((run.code, status(run)), (Some(2), "STATUS: GaveUp"), "{}{}", run.out, run.err);
    assert!(run.err.contains(message), "expected {message:?} in {}", run.err);
    assert!(run.err.contains(hint), "expected {hint:?} in {}", run.err);
}

#[track_caller]
fn judged(run: &Run, expected: &str) {
    let code = if expected == "Violated" { 1 } else { 0 };
    assert_eq!((run.code, status(run)), (Some(code), &*format!("STATUS: {expected}")), "{}{}", run.out, run.err);
}

const MILLISECONDS: &str = "time = { field = \"at\", unit = \"ms\" }\n";

/// Rules that allow 30 seconds, in every language with lengths of time, and the name of each file.
const THIRTY_SECONDS: [(&str, &str); 6] = [
    ("r.mfotl", "stop(x) IMPLIES ONCE[0, 30s] start(x)\n"),
    ("r.qtl", "prop r: Forall x . stop(x) -> P[<=30s] start(x)\n"),
    ("r.soloist", "G (stop -> P_(0s,30s] start)\n"),
    (
        "r.larva",
        "GLOBAL { VARIABLES { Clock c; } EVENTS { start() = { start(x) } stop() = { stop(x) } late() = { c@30001ms } }
           PROPERTY r { STATES { BAD { bad } NORMAL { done } STARTING { begin } }
             TRANSITIONS { begin -> begin [start \\\\ c.reset();] begin -> done [stop] begin -> bad [late] } } }\n",
    ),
    ("r.lola", "input x: Int64\noutput n := x.aggregate(over: 30001ms, using: count)\ntrigger x = 2 and n < 2\n"),
    ("r.stl", "F_[0s,30s] x = 2\n"),
];

#[test]
fn thirty_seconds_are_thirty_seconds_on_a_clock_of_milliseconds() {
    let desk = Desk::with("ms.toml", MILLISECONDS);
    desk.write("in-time.csv", "event,x,at\nstart,1,1000\nstop,1,31000\n");
    desk.write("late.csv", "event,x,at\nstart,1,1000\nstop,1,31002\n");
    for (name, text) in &THIRTY_SECONDS[..4] {
        desk.write(name, text);
        for way in [&[][..], &["--oracle"]] {
            let check = |trace| desk.run(&[&["check", name, trace, "--map", "ms.toml"], way].concat());
            judged(&check("in-time.csv"), "Satisfied");
            judged(&check("late.csv"), "Violated");
        }
    }
    // Streams and signals read values: the second event carries 2.
    desk.write("in-time.csv", "event,x,at\nstart,1,1000\nstop,2,31000\n");
    desk.write("late.csv", "event,x,at\nstart,1,1000\nstop,2,31002\n");
    for (name, text) in &THIRTY_SECONDS[4..] {
        desk.write(name, text);
        for way in [&[][..], &["--oracle"]] {
            let check = |trace| desk.run(&[&["check", name, trace, "--map", "ms.toml"], way].concat());
            judged(&check("in-time.csv"), "Satisfied");
            judged(&check("late.csv"), "Violated");
        }
    }
}

#[test]
fn milliseconds_are_fractions_on_a_clock_of_seconds() {
    let desk = Desk::with("r.mfotl", "stop() IMPLIES ONCE[0, 500ms] start()\n");
    for (time, expected) in [("1.5", "Satisfied"), ("1.500001", "Violated")] {
        judged(
            &desk.run(&[
                "check",
                "r.mfotl",
                "--format",
                "monpoly",
                "--inline",
                &format!("@1 start (); @{time} stop ();"),
            ]),
            expected,
        );
    }
}

#[test]
fn bare_numbers_stay_in_the_unit_of_the_trace() {
    let desk = Desk::with("ms.toml", MILLISECONDS);
    desk.write("r.mfotl", "stop() IMPLIES ONCE[0, 30] start()\n");
    desk.write("t.csv", "event,at\nstart,1000\nstop,1031\n");
    judged(&desk.run(&["check", "r.mfotl", "t.csv", "--map", "ms.toml"]), "Violated");
}

#[test]
fn explain_witness_and_satisfactions_know_the_unit_too() {
    let desk = Desk::with("ms.toml", MILLISECONDS);
    desk.write("r.mfotl", "start() IMPLIES EVENTUALLY[0, 30s] stop()\n");
    let run = desk.run(&["explain", "r.mfotl", "--map", "ms.toml"]);
    assert!(run.out.contains("more than 30000 time units"), "{}", run.out);
    assert!(desk.run(&["explain", "r.mfotl"]).out.contains("more than 30 time units"));
    desk.write("t.csv", "event,at\nstart,1000\nstop,31001\n");
    let run = desk.run(&["check", "r.mfotl", "t.csv", "--map", "ms.toml", "--witness"]);
    judged(&run, "Violated");
    assert!(run.out.contains("point 1, time 1000"), "{}", run.out);
    desk.write("s.mfotl", "EVENTUALLY[0, 30s] stop()\n");
    let run = desk.run(&["check", "s.mfotl", "t.csv", "--map", "ms.toml", "--satisfactions"]);
    assert_eq!(run.out, "@31001 (time point 1): true\nSTATUS: Satisfied\n");
}

#[test]
fn a_rule_that_measures_time_refuses_a_trace_without_times() {
    let desk = Desk::with("t.csv", "event,x\nstart,1\nstop,2\n");
    for (name, text) in THIRTY_SECONDS {
        desk.write(name, text);
        for way in [&[][..], &["--oracle"], &["--threads", "2"]] {
            let run = desk.run(&[&["check", name, "t.csv"], way].concat());
            gave_up(&run, "t.csv:2:1: this event has no time, and r.", "time = { field = ");
        }
    }
    // Bare numbers are no different, but in DejaVu, where no time passes in a trace without times.
    desk.write("bare.mfotl", "stop(x) IMPLIES ONCE[0, 30] start(x)\n");
    gave_up(&desk.run(&["check", "bare.mfotl", "t.csv"]), "and bare.mfotl:1:17 measures time", "`ts`");
    gave_up(&desk.run(&["check", "bare.mfotl", "t.csv", "--satisfactions"]), "bare.mfotl:1:17 measures time", "`ts`");
    desk.write("bare.qtl", "prop r: Forall x . stop(x) -> P[<=30] start(x)\n");
    judged(&desk.run(&["check", "bare.qtl", "t.csv"]), "Violated");
    desk.write("bare.soloist", "G C[30] <= 1 (start)\n");
    gave_up(&desk.run(&["check", "bare.soloist", "t.csv"]), "bare.soloist:1:3 measures time", "`ts`");
    desk.write("now.mfotl", "start(x) IMPLIES EXISTS t. ts(t) AND t < 9\n");
    gave_up(&desk.run(&["check", "now.mfotl", "t.csv"]), "measures time", "`ts`");
}

#[test]
fn a_rule_that_does_not_measure_time_needs_none() {
    let desk = Desk::with("t.csv", "event,x\nstart,1\nstop,1\n");
    for (name, text) in [
        ("r.mfotl", "stop(x) IMPLIES (ONCE start(x)) AND (PREV start(x))\n"),
        ("r.soloist", "G (stop -> P start)\n"),
        ("r.lola", "input x: Int64\noutput n := x.aggregate(over_discrete: 2, using: count)\ntrigger n > 2\n"),
        ("r.stl", "G x <= 1\n"),
    ] {
        desk.write(name, text);
        judged(&desk.run(&["check", name, "t.csv"]), "Satisfied");
    }
    // Without any event there is nothing that could have a time.
    desk.write("empty.csv", "");
    for (name, text) in THIRTY_SECONDS {
        desk.write(name, text);
        let run = desk.run(&["check", name, "empty.csv"]);
        assert!(matches!(run.code, Some(0 | 1)), "{name}: {}{}", run.out, run.err);
    }
}

#[test]
fn times_on_some_events_only_are_refused_or_inherited() {
    let desk = Desk::with("t.csv", "event,x,ts\nstart,1,5\nstop,2,\n");
    for (name, text) in &THIRTY_SECONDS[..4] {
        desk.write(name, text);
        gave_up(&desk.run(&["check", name, "t.csv"]), "t.csv:3:1: this event has no time", "`ts`");
    }
    // A sample without time has that of the one before.
    for (name, text) in &THIRTY_SECONDS[4..] {
        desk.write(name, text);
        judged(&desk.run(&["check", name, "t.csv"]), "Satisfied");
    }
    desk.write("bare.qtl", "prop r: Forall x . stop(x) -> P[<=30] start(x)\n");
    gave_up(&desk.run(&["check", "bare.qtl", "t.csv"]), "t.csv:3:1: this event has no time", "`ts`");
    desk.write("later.csv", "event,x,ts\nstart,1,\nstop,2,7\n");
    gave_up(&desk.run(&["check", "bare.qtl", "later.csv"]), "later.csv:3:1: this event has a time", "`ts`");
}

#[test]
fn an_input_that_no_event_carries_is_an_error() {
    let desk = Desk::with("r.lola", "input hum: Int64\ninput temprature: Int64\ntrigger temprature > 90\n");
    desk.write("t.csv", "event,temperature,hum\nm,99,1\nm,98,2\n");
    let run = desk.run(&["check", "r.lola", "t.csv"]);
    gave_up(&run, "input `temprature`: no event of the trace has a field `temprature`", "did you mean `temperature`?");
    assert!(run.err.contains("r.lola:2:"), "{}", run.err);
    desk.write("r.stl", "G (hum < 5 and not temprature > 90)\n");
    let run = desk.run(&["check", "r.stl", "t.csv"]);
    gave_up(&run, "input `temprature`", "did you mean `temperature`?");
    assert!(run.err.contains("r.stl:1:20"), "{}", run.err);
    gave_up(&desk.run(&["check", "r.stl", "t.csv", "--oracle"]), "input `temprature`", "did you mean");
    // What only the end decides was read to the end.
    desk.write("f.stl", "F temprature > 90\n");
    gave_up(&desk.run(&["check", "f.stl", "t.csv"]), "input `temprature`", "did you mean");
    let run = desk.run(&["check", "r.stl", "t.csv", "--json"]);
    assert!(run.code == Some(2) && run.out.contains("\"line\":1,\"column\":20"), "{}", run.out);
}

#[test]
fn a_header_that_was_not_read_as_one_leaves_no_inputs() {
    let desk = Desk::with("r.stl", "G not temperature > 90\n");
    desk.write("t.csv", "m,99\nm,98\n");
    gave_up(&desk.run(&["check", "r.stl", "t.csv"]), "no event of the trace has a field `temperature`", "`1`");
}

/// Near no other name, but not among those that the header lists.
#[test]
fn an_input_that_the_header_of_a_table_does_not_name_is_an_error() {
    let desk = Desk::with("r.lola", "input x: Int64\ninput celsius: Int64\ntrigger celsius > 90 or x > 90\n");
    let check = |files: &[&str]| desk.run(&[&["check", "r.lola"], files].concat());
    let message = "input `celsius`: no event of the trace has a field `celsius`";
    desk.write("other.csv", "event,x,heat\nm,1,99\nm,2,99\n");
    gave_up(&check(&["other.csv"]), message, "the trace has the fields `heat`, `x`");
    desk.write("own.toml", "[input]\nheader = true\nconstant = \"m\"\n");
    desk.write("own.csv", "x,heat\n1,99\n2,99\n");
    gave_up(&check(&["own.csv", "--map", "own.toml"]), message, "the trace has the fields `heat`, `x`");
    // A column without values may get some on another day, a second table may have the column, and events that name their own fields may
    // not have had it yet.
    desk.write("blank.csv", "event,x,celsius\nm,1,\n");
    desk.write("named.csv", "m, x = 1\n");
    for files in [&["blank.csv"][..], &["other.csv", "blank.csv"], &["other.csv", "named.csv"]] {
        let run = check(files);
        judged(&run, "Satisfied");
        assert!(run.err.contains("warning[L0009]: no event carries the field `celsius`"), "{files:?}: {}", run.err);
    }
    // A mapping may have left the field out.
    desk.write("some.toml", "[[event]]\nfrom = \"m\"\nargs = [\"x\"]\n");
    judged(&check(&["other.csv", "--map", "some.toml"]), "Satisfied");
}

#[test]
fn inputs_may_be_missing_where_the_end_was_not_reached_or_nothing_happened() {
    let desk = Desk::with("r.lola", "input x: Int64\ninput rare: Int64\ntrigger x > 1\n");
    desk.write("t.csv", "m, x = 2\nm, x = 3\n");
    judged(&desk.run(&["check", "r.lola", "t.csv", "--first"]), "Violated");
    // Events need not carry everything: what is read of them may still be judged.
    let run = desk.run(&["check", "r.lola", "t.csv"]);
    judged(&run, "Violated");
    assert!(run.err.contains("warning[L0009]: no event carries the field `rare`"), "{}", run.err);
    desk.write("near.csv", "event,x,rares\nm,2,1\nm,3,1\n");
    gave_up(&desk.run(&["check", "r.lola", "near.csv"]), "input `rare`", "did you mean `rares`?");
    judged(&desk.run(&["check", "r.lola", "t.csv", "--prefix", "--first"]), "Violated");
    desk.write("empty.csv", "");
    judged(&desk.run(&["check", "r.lola", "empty.csv"]), "Satisfied");
}

#[test]
fn a_number_that_is_too_large_is_no_text() {
    let desk = Desk::with("r.mfotl", "p(x) IMPLIES x < 5\n");
    let long = "9".repeat(10_001);
    for number in ["1e10000", "-1E-10000", "1e99999999999999999999", &long, &format!("0.{long}")] {
        desk.write("t.csv", format!("event,x\np,1\np,{number}\n"));
        gave_up(&desk.run(&["check", "r.mfotl", "t.csv"]), "t.csv:3:1: the number `", "id:string");
        desk.write("t.json", format!("{{\"event\":\"p\",\"x\":1}}\n{{\"event\":\"p\",\"x\":{number}}}\n"));
        gave_up(&desk.run(&["check", "r.mfotl", "t.json"]), "t.json:2:1: the number `", "id:string");
    }
    // A mapping says that it is a name.
    desk.write("m.toml", "[[event]]\nfrom = \"p\"\nto = \"p\"\nargs = [\"x:string\"]\n");
    desk.write("t.csv", "event,x\np,1e10000\n");
    judged(&desk.run(&["check", "r.mfotl", "t.csv", "--map", "m.toml"]), "Violated");
    for (name, text) in [("r.gcl", "p(x) | x > 1e10000 -> fail(\"m\")\n"), ("r.stl", "G x < 1e10000\n")] {
        desk.write(name, text);
        gave_up(&desk.run(&["check", name, "t.csv"]), "is no number", "at most 10000 digits");
    }
}

#[test]
fn long_decimals_are_read_and_printed() {
    let desk = Desk::with("r.mfotl", "p(x) IMPLIES x + 1 < 1\n");
    let long = format!("0.{}1", "0".repeat(9_990));
    desk.write("t.csv", format!("event,x\np,{long}\n"));
    let run = desk.run(&["check", "r.mfotl", "t.csv"]);
    judged(&run, "Violated");
    assert!(run.out.contains(&long), "the number is shown as it is written");
    // What is computed may have more places than what is read: 70,000 here.
    desk.write("r.lola", "input x: Float64\noutput y := x*x*x*x*x*x*x\ntrigger y > 0 \"{y}\"\n");
    let run = desk.run(&["check", "r.lola", "t.csv"]);
    assert!(run.code == Some(1) && run.out.len() > 69_000, "{:?}: {} bytes, {}", run.code, run.out.len(), run.err);
}

#[test]
fn the_least_offset_is_a_diagnostic() {
    for offset in ["-9223372036854775808", "9223372036854775807", "-1000001"] {
        let text = format!("input x: Int64\noutput y := x.offset(by: {offset}).defaults(to: 0)\ntrigger y > 1\n");
        let desk = Desk::with("r.lola", text);
        gave_up(
            &desk.run(&["check", "r.lola", "--inline", "a"]),
            "an offset is a whole number",
            "write the number itself",
        );
        desk.write("r.lola", format!("input x: Int64\noutput y := x[{offset}, 0]\ntrigger y > 1\n"));
        gave_up(
            &desk.run(&["check", "r.lola", "--inline", "a"]),
            "an offset is a whole number",
            "write the number itself",
        );
    }
}

#[test]
fn nested_definitions_do_not_explode() {
    let mut text = "LET d0(x) = p(x) AND q(x) IN\n".to_owned();
    for number in 1..60 {
        let before = number - 1;
        text += &format!("LET d{number}(x) = d{before}(x) OR ONCE d{before}(x) IN\n");
    }
    let desk = Desk::with("r.mfotl", format!("{text}d59(x) IMPLIES FALSE\n"));
    gave_up(&desk.run(&["check", "r.mfotl", "--inline", "a"]), "E0316", "definition");
}

#[test]
fn a_specification_has_a_limit_of_size() {
    let desk = Desk::with("r.mfotl", format!("p() {}", " ".repeat(16 << 20)));
    gave_up(&desk.run(&["check", "r.mfotl", "--inline", "a"]), "more than 16 MiB", "--spec");
}

#[test]
fn a_case_document_says_what_check_says_of_times_and_inputs() {
    let desk =
        Desk::with("t.md", "```mfotl\nstop(x) IMPLIES ONCE[0, 30] start(x)\n```\n```accepted\nstart(1).stop(1)\n```\n");
    let run = desk.run(&["test", "t.md"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    let message = "this event has no time, and specification.mfotl:1:17 measures time";
    assert!(run.out.contains(message), "{}{}", run.out, run.err);
    desk.write("t.md", "```stl\nG not speeed > 50\n```\n```accepted format=csv-named\nm, speed = 99\n```\n");
    let run = desk.run(&["test", "t.md"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.out.contains("input `speeed`: no event of the trace has a field `speeed`"), "{}", run.out);
    assert!(run.out.contains("did you mean `speed`?"), "{}", run.out);
    // With times and with the right name, both are fine.
    desk.write(
        "t.md",
        "```mfotl\nstop(x) IMPLIES ONCE[0, 30] start(x)\n```\n```accepted\n1 @1 start(1)\n2 @9 stop(1)\n```\n\
         ```stl\nG not speed > 50\n```\n```accepted format=csv-named\nm, speed = 9\n```\n",
    );
    desk.run(&["test", "t.md"]).fine();
}

#[test]
fn a_misspelt_field_is_told_where_a_violation_ended_the_reading() {
    let desk = Desk::with("t.csv", "event,speed\nm,1\nm,2\nm,3\n");
    desk.write("r.stl", "G speeed < 50\n");
    let told = "up to the violation, where reading stopped, no event carries the field `speeed`";
    let run = desk.run(&["check", "r.stl", "t.csv"]);
    judged(&run, "Violated");
    assert!(run.err.contains("warning[L0009]") && run.err.contains(told), "{}", run.err);
    assert!(run.err.contains("did you mean `speed`?"), "{}", run.err);
    let run = desk.run(&["check", "r.stl", "t.csv", "--json"]);
    assert!(run.code == Some(1) && run.out.contains("\"code\":\"L0009\"") && run.out.contains(told), "{}", run.out);
    // More of the trace may change it.
    assert_eq!(desk.run(&["check", "r.stl", "t.csv", "--deny-warnings"]).code, Some(1));
    desk.write("r.lola", "input speed: Int64\ninput speeed: Int64\ntrigger speed > 0\n");
    let run = desk.run(&["check", "r.lola", "t.csv", "--first"]);
    judged(&run, "Violated");
    assert!(run.err.contains(told), "{}", run.err);
    // A trace that may go on is satisfied so far, and says so.
    desk.write("so-far.stl", "G not speeed > 50\n");
    let run = desk.run(&["check", "so-far.stl", "t.csv", "--prefix"]);
    assert!(run.err.contains("so far no event carries the field `speeed`"), "{}{}", run.out, run.err);
}

#[test]
fn clocks_say_what_to_write_into_a_trace_without_times() {
    let (name, text) = THIRTY_SECONDS[3];
    let desk = Desk::with(name, text);
    let run = desk.run(&["check", name, "--inline", "start(1).stop(1)"]);
    gave_up(&run, "--inline:1:1: this event has no time, and r.larva:1:28 measures time", "`1 @5 start(7)`");
    // Written so, it is judged.
    desk.write("t.log", "1 @5 start(1)\n2 @6 stop(1)\n");
    judged(&desk.run(&["check", name, "t.log"]), "Satisfied");
}

/// Copies a package of the repository to a desk, with one file changed.
fn package(name: &str, file: &str, change: impl Fn(&str) -> String) -> Desk {
    let desk = Desk::new();
    let copy = |folder: &Path, to: &str| {
        std::fs::create_dir_all(desk.path(to)).expect("a folder");
        for entry in std::fs::read_dir(folder).expect("a package").map(|entry| entry.expect("a file")) {
            if entry.path().is_file() {
                std::fs::copy(entry.path(), desk.path(to).join(entry.file_name())).expect("a copy");
            }
        }
    };
    let source = repository().join("benchmarks").join(name);
    copy(&source, "p");
    if source.join("demonstrations").is_dir() {
        copy(&source.join("demonstrations"), "p/demonstrations");
    }
    let text = desk.read(&format!("p/{file}"));
    desk.write(&format!("p/{file}"), change(&text));
    desk
}

#[test]
fn a_package_says_what_check_says_of_times_and_inputs() {
    let desk = package("stepr-order", "property.lola", |text| text.replace("finish", "finnish"));
    let message = "input `finnish`: no event of the trace has a field `finnish`; did you mean `finish`?";
    for command in [&["test", "p"][..], &["contest", "validate", "p"]] {
        let run = desk.run(command);
        assert!(run.code == Some(1) && run.out.contains(message), "{command:?}: {}{}", run.out, run.err);
    }
    let desk = package("has-next", "benchmark.toml", |text| {
        text.replace("language = \"qtl\"", "language = \"mfotl\"").replace("property.qtl", "property.mfotl")
    });
    desk.write("p/property.mfotl", "next(i) IMPLIES ONCE[0, 100] hasNext(i, \"true\")\n");
    let message = "this event has no time, and property.mfotl:1:17 measures time";
    for command in [&["test", "p"][..], &["contest", "validate", "p"]] {
        let run = desk.run(command);
        assert!(run.code == Some(1) && run.out.contains(message), "{command:?}: {}{}", run.out, run.err);
    }
}
