//! `referee convert`.

use referee_trace::format::Format;

use crate::kit::{Desk, Run, gzip};

/// What every format can carry: no field names, no times.
const PLAIN: &str = "1 a(1,x)\n2 b()\n3 a(-2.50,\"a, b\")\n";

#[test]
fn every_format_becomes_every_other() {
    let desk = Desk::with("start", "a,1,x\nb\na,-2.50,\"a, b\"\n");
    let names = Format::ALL.map(Format::name);
    for from in names {
        let first = format!("first.{from}");
        // MonPoly's points need times: their numbers.
        desk.run(&["convert", "start", &first, "--to", from, "--lossy"]).fine();
        for to in names {
            let second = format!("second.{to}");
            desk.run(&["convert", &first, &second, "--from", from, "--to", to, "--lossy"]).fine();
            let shown = desk.run(&["cat", &second, "--format", to]).fine();
            let without_times: String = shown.replace(" @1 ", " ").replace(" @2 ", " ").replace(" @3 ", " ");
            assert_eq!(without_times, PLAIN, "{from} to {to}: {}", desk.read(&second));
        }
    }
}

#[test]
fn what_both_formats_carry_survives_there_and_back() {
    let text = "event,user,amount,tp,ts\nlogin,ann,,,1\npay,ann,5,2,3\npay,bob,,2,3\n";
    let desk = Desk::with("t.csv", text);
    for format in Format::ALL.into_iter().filter(|format| format.names_fields()).map(Format::name) {
        let there = format!("there.{format}");
        desk.run(&["convert", "t.csv", &there, "--to", format]).fine();
        desk.run(&["convert", &there, "back.csv"]).fine();
        assert_eq!(desk.read("back.csv"), text, "{format}");
    }
}

#[test]
fn extensions_name_formats_and_compression() {
    let desk = Desk::with("t.csv", "a,1\n");
    for (name, magic) in [("o.xml.gz", [0x1F, 0x8B]), ("o.jsonl.zst", [0x28, 0xB5]), ("o.TRACE.gz", [0x1F, 0x8B])] {
        desk.run(&["convert", "t.csv", name]).fine();
        let bytes = std::fs::read(desk.path(name)).expect("the output is there");
        assert_eq!(bytes[..2], magic, "{name}");
        assert_eq!(desk.run(&["cat", name]).fine(), "1 a(1)\n");
    }
    desk.run(&["convert", "o.xml.gz", "o.csv.zst"]).fine();
    assert_eq!(desk.run(&["cat", "o.csv.zst"]).fine(), "1 a(1)\n");
}

#[test]
fn compressed_standard_input_is_recognised() {
    let run = Desk::new().run_with(&["convert", "-", "-", "--to", "abstract"], gzip(b"a,1\nb\n"));
    assert_eq!(run.fine(), "a(1)\nb()\n");
}

#[test]
fn standard_streams_are_dashes() {
    let out = Desk::new().run_with(&["convert", "-", "-", "--to", "json"], "a,1\n").fine();
    assert_eq!(out, "{\"a\":{\"1\":\"1\"}}\n");
}

#[test]
fn an_unknown_target_is_asked_for() {
    let desk = Desk::with("t.csv", "a,1\n");
    for target in ["-", "out", "out.foo", "out.gz"] {
        desk.run(&["convert", "t.csv", target]).failed_with(
            &format!("{target}: the name does not tell the format to write"),
            "add --to with one of csv, ",
        );
    }
    assert_eq!(desk.files(), ["t.csv"]);
}

#[track_caller]
fn refused(desk: &Desk, arguments: &[&str], message: &str, hint: &str) {
    let before = desk.files();
    desk.run(arguments).failed_with(message, hint);
    assert_eq!(desk.files(), before, "nothing new remains");
}

#[test]
fn what_a_format_cannot_carry_is_refused_unless_lossy() {
    let desk = Desk::with("named.csv", "event, user, ts\nopen, ann, 3\n");
    desk.write("timed.log", "@3 a (1);\n@4;\n@5 a (2)(3);\n");
    desk.write("plain", "a,1\n");
    desk.write("empty-point.log", "@1;\n");
    refused(
        &desk,
        &["convert", "named.csv", "o.log"],
        "named.csv:2:1: monpoly has no field names, and `open` has the field `user`",
        "--lossy",
    );
    refused(
        &desk,
        &["convert", "timed.log", "o.trace"],
        "abstract has no points without events, and point 2 is one",
        "--lossy",
    );
    refused(
        &desk,
        &["convert", "timed.log", "-", "--to", "csv-plain"],
        "csv-plain has no place for the time of a point",
        "--lossy",
    );
    refused(
        &desk,
        &["convert", "plain", "o.log"],
        "monpoly needs a time for every point, and point 1 has none",
        "--lossy",
    );
    refused(
        &desk,
        &["convert", "timed.log", "o.xml"],
        "xml has no points without events, and point 2 is one",
        "write monpoly",
    );

    desk.run(&["convert", "named.csv", "o.log", "--lossy"]).fine();
    assert_eq!(desk.read("o.log"), "@3 open (ann);\n");
    desk.run(&["convert", "timed.log", "o.trace", "--lossy"]).fine();
    assert_eq!(desk.read("o.trace"), "1 @3 a(1)\n3 @5 a(2)\n3 @5 a(3)\n");
    desk.run(&["convert", "plain", "p.log", "--lossy"]).fine();
    assert_eq!(desk.read("p.log"), "@1 a (1);\n");
}

#[test]
fn a_text_that_a_format_cannot_hold_is_refused_even_if_lossy() {
    let desk = Desk::with("t.json", r#"{"a": {"x": "two\nlines"}}"#);
    let arguments = ["convert", "t.json", "o.blocks", "--lossy"];
    let err = desk.run(&arguments).failed();
    assert!(err.starts_with("error: t.json:1:1: blocks cannot hold the value `two\\nlines`: "), "{err}");
    assert_eq!(desk.files(), ["t.json"]);
}

#[test]
fn the_output_appears_only_when_it_is_complete() {
    let desk = Desk::with("bad.csv", "event,x\na,1\na,1,2\n");
    desk.write("out.xml", "before");
    desk.run(&["convert", "bad.csv", "out.xml"]).failed();
    assert_eq!(desk.read("out.xml"), "before");
    assert_eq!(desk.files(), ["bad.csv", "out.xml"]);
}

#[test]
fn a_file_can_be_converted_onto_itself() {
    let desk = Desk::with("t.json", "a: {x: \"1\"} b: {}");
    desk.run(&["convert", "t.json", "t.json"]).fine();
    assert_eq!(desk.read("t.json"), "{\"a\":{\"x\":\"1\"}}\n{\"b\":{}}\n");
}

#[test]
fn an_output_that_cannot_be_written_is_explained() {
    let desk = Desk::with("t", "a,1\n");
    let failure = |target: &str| desk.run(&["convert", "t", target, "--to", "xml"]).failed();
    assert_eq!(failure("no/such.xml"), "error: no/such.xml: cannot be written: its directory does not exist\n");
    assert_eq!(failure("."), "error: .: cannot be written: this is a directory, not a file\n");
    assert_eq!(desk.files(), ["t"]);
}

#[test]
fn a_mapping_applies_before_writing() {
    let desk = Desk::with("t.csv", "event, kind, x\na, start, 1\n");
    desk.write("m.toml", "[[event]]\nfrom = '*'\nto = '{name}_{kind}'\nargs = ['x']\n");
    let Run { out, .. } = desk.run(&["convert", "t.csv", "-", "--to", "csv-named", "--map", "m.toml"]);
    assert_eq!(out, "a_start, x = 1\n");
}

/// An interrupt in the middle of a conversion ends it with 130 and removes the file that was being written.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing_behind() {
    use std::io::Write;
    use std::os::unix::ffi::OsStrExt;
    let desk = Desk::new();
    let fifo = desk.path("pipe");
    let name = std::ffi::CString::new(fifo.as_os_str().as_bytes()).expect("a path without NUL");
    // SAFETY: the name is a valid C string that outlives the call.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    let mut child = desk.start(&["convert", "pipe", "out.csv"]);
    let mut writer = std::fs::File::options().write(true).open(&fifo).expect("the program opens the other end");
    writer.write_all(b"a,1\nb,2\n").expect("the program reads");
    while !desk.files().iter().any(|name| name.ends_with(".part")) {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    // The program notes the file's name right after it is made: give it a moment.
    std::thread::sleep(std::time::Duration::from_millis(200));
    let id = i32::try_from(child.id()).expect("a process id");
    // SAFETY: the process is our child, which has not been waited for.
    assert_eq!(unsafe { libc::kill(id, libc::SIGINT) }, 0);
    let status = child.wait().expect("the program ends");
    assert_eq!(status.code(), Some(130));
    assert_eq!(desk.files(), ["pipe"]);
}

#[test]
fn rows_that_would_be_read_as_another_format_are_refused() {
    let desk = Desk::with("t.trace", "e(\"a=b\").f(1)");
    refused(
        &desk,
        &["convert", "t.trace", "t.csv", "--to", "csv-plain"],
        "what csv-plain makes of this trace looks like csv-named, and would be read as that",
        "write another format, or write it all the same with --lossy and read it with --format csv-plain",
    );
    desk.run(&["convert", "t.trace", "t.csv", "--to", "csv-plain", "--lossy"]).fine();
    assert_eq!(desk.run(&["cat", "t.csv", "--format", "csv-plain"]).fine(), "1 e(a=b)\n2 f(1)\n");
    // What does not stand at the beginning misleads nobody.
    desk.write("u.trace", "f(1).e(\"a=b\")");
    desk.run(&["convert", "u.trace", "u.csv", "--to", "csv-plain"]).fine();
    assert_eq!(desk.run(&["cat", "u.csv"]).fine(), "1 f(1)\n2 e(a=b)\n");
}
