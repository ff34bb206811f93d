//! `referee cat`.

use crate::kit::Desk;

#[test]
fn positions_and_times_come_first() {
    let desk = Desk::with("t.log", "@32 a (1,x)(2,y) b;\n@33.5;\n@40 c (\"a b\", \"\");\n");
    assert_eq!(desk.run(&["cat", "t.log"]).fine(), "1 @32 a(1,x)\n1 @32 a(2,y)\n1 @32 b()\n3 @40 c(\"a b\",\"\")\n");
    desk.write("t.csv", "a,1\nb\n");
    assert_eq!(desk.run(&["cat", "t.csv"]).fine(), "1 a(1)\n2 b()\n");
}

#[test]
fn what_is_printed_can_be_read_again() {
    let text = "1 @32 a(1,x)\n1 @32 a(2,\"a, (b)\")\n2 @33 \"odd name\"(\"\")\n";
    let desk = Desk::with("t.trace", text);
    assert_eq!(desk.run(&["cat", "t.trace"]).fine(), text);
}

#[test]
fn a_limit_stops_early() {
    let desk = Desk::with("t", "a,1\nb,2\nc,3\n");
    assert_eq!(desk.run(&["cat", "--limit", "2", "t"]).fine(), "1 a(1)\n2 b(2)\n");
    assert_eq!(desk.run(&["cat", "--limit", "0", "t"]).fine(), "");
    assert_eq!(desk.run(&["cat", "--limit", "9", "t"]).fine().lines().count(), 3);
}

#[test]
fn a_limit_is_answered_while_the_stream_is_open() {
    use std::io::Write;
    let mut child = Desk::new().start(&["cat", "--limit", "1", "-"]);
    let mut input = child.stdin.take().expect("standard input is piped");
    input.write_all(b"a,1\n").expect("the program reads");
    let output = child.wait_with_output().expect("the program ends although its input does not");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), b"1 a(1)\n".as_slice()));
}

#[test]
fn several_files_are_one_trace() {
    let desk = Desk::with("1", "a, tp = 1\na, tp = 2\n");
    desk.write("2", "b, tp = 2\nb, tp = 5\n");
    assert_eq!(desk.run(&["cat", "1", "2"]).fine(), "1 a()\n2 a()\n2 b()\n3 b()\n");
}

#[test]
fn standard_input_is_a_dash_also_among_files() {
    let desk = Desk::with("1", "a,1\n");
    assert_eq!(desk.run_with(&["cat", "1", "-", "1"], "b,2\n").fine(), "1 a(1)\n2 b(2)\n3 a(1)\n");
}

#[test]
fn every_format_is_detected() {
    for text in [
        "event, x\na, 1\n",
        "a, x = 1\n",
        "a,1\n",
        "<log><event><name>a</name><field><name>x</name><value>1</value></field></event></log>",
        r#"[{"a": {"x": "1"}}]"#,
        r#"{"event": "a", "x": 1}"#,
        "a: {x: \"1\"}",
        "a\nx = 1\n",
        "a(1)",
    ] {
        assert_eq!(Desk::new().run_with(&["cat", "-"], text).fine(), "1 a(1)\n", "{text}");
    }
    assert_eq!(Desk::new().run_with(&["cat", "-"], "@5 a (1)").fine(), "1 @5 a(1)\n");
}

#[test]
fn what_comes_before_an_error_is_printed() {
    let run = Desk::new().run_with(&["cat", "-"], "a, ts = 5\nb, ts = 3\n");
    assert_eq!(run.out, "1 @5 a()\n");
    run.failed_with("-:2:1: timestamp 3 comes after 5", "sort the log by time");
}

#[test]
fn a_header_that_may_be_an_event_is_pointed_out() {
    let desk = Desk::with("t.csv", "event\n");
    let run = desk.run(&["cat", "t.csv"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""));
    assert!(run.err.contains("hint: if it is an event, say that the format is csv-plain"), "{}", run.err);
    assert_eq!(desk.run(&["cat", "--format", "csv-plain", "t.csv"]).fine(), "1 event()\n");
}

#[test]
fn events_that_share_a_point_without_a_time_are_read_again() {
    let desk = Desk::with("t", "a, x = 1, tp = 1\nb, tp = 1\na, x = 2, tp = 2\nc, tp = 5\nc, tp = 5\n");
    let shown = desk.run(&["cat", "t"]).fine();
    assert_eq!(shown, "1 a(1)\n1 b()\n2 a(2)\n3 c()\n3 c()\n");
    desk.write("again.trace", &shown);
    assert_eq!(desk.run(&["cat", "again.trace"]).fine(), shown);
}
