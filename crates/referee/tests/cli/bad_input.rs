//! Input that is wrong: a message with its place, a hint, exit code 2, and nothing written.

use crate::kit::{Desk, gzip};

/// Converting the content must fail with this message and hint, and leave no file behind.
#[track_caller]
fn refused(name: &str, content: impl AsRef<[u8]>, message: &str, hint: &str) {
    refused_with(name, content, &[], message, hint);
}

#[track_caller]
fn refused_with(name: &str, content: impl AsRef<[u8]>, options: &[&str], message: &str, hint: &str) {
    let desk = Desk::with(name, content);
    let message = format!("{name}:{message}");
    desk.run(&[&["convert", name, "out.json"], options].concat()).failed_with(&message, hint);
    assert_eq!(desk.files(), [name], "nothing is left behind");
}

#[test]
fn truncated_xml() {
    refused(
        "t.xml",
        "<log>\n<event><name>a</name></event>\n<event><name>b</name>",
        "3:22: expected <name>, <field> or </event>, found the end of the file",
        "the file is incomplete",
    );
}

#[test]
fn truncated_gzip() {
    let whole = gzip("a,1\n".repeat(5_000).as_bytes());
    refused("t.csv.gz", &whole[..whole.len() - 4], "5001:1: the gzip stream ends in the middle", "truncated");
}

#[test]
fn truncated_zstd() {
    let whole = zstd::encode_all("a,1\n".repeat(5_000).as_bytes(), 0).expect("memory takes all");
    refused("t.csv.zst", &whole[..whole.len() - 1], "1:1: the zstd stream ends in the middle", "truncated");
}

#[test]
fn mismatched_tags() {
    refused(
        "t.xml",
        "<log><event>\n  <name>a</nme>\n</event></log>",
        "2:10: expected </name>, found </nme>",
        "close the innermost element first",
    );
}

#[test]
fn an_unknown_header() {
    refused_with(
        "t.csv",
        "evnt,x\na,1\n",
        &["--from", "csv"],
        "1:1: expected a header whose first cell is `event`, found `evnt`",
        "start with a line such as `event, user, file`",
    );
}

#[test]
fn rows_longer_than_the_header() {
    refused(
        "t.csv",
        "event,x\na,1\nb,1,2\n",
        "3:5: expected at most 2 cells, as in the header, found 3",
        "name the column in the header",
    );
}

#[test]
fn rows_shorter_than_the_header_lack_fields() {
    let desk = Desk::with("t.csv", "event,x,y\na,1\nb\nc,1,2\n");
    assert_eq!(desk.run(&["cat", "t.csv"]).fine(), "1 a(1)\n2 b()\n3 c(1,2)\n");
}

#[test]
fn a_line_above_the_limit() {
    let content = format!("a,1\nb,{}\n", "x".repeat(3_000_000));
    refused_with(
        "t.csv",
        &content,
        &["--max-line", "1M"],
        "2:1: a line or event of more than 1048576 bytes starts here",
        "--max-line BYTES",
    );
    let desk = Desk::with("t.csv", &content);
    assert!(desk.run(&["stats", "t.csv"]).fine().contains("events   2\n"), "64 MiB are allowed");
}

#[test]
fn nul_bytes() {
    refused("t.csv", b"a,1\nb,\0\n", "2:3: NUL byte in the text", "is this a binary file?");
}

#[test]
fn invalid_utf_8() {
    refused("t.csv", b"a,1\nb,gr\xFCn\n", "2:5: byte 0xFC is not valid UTF-8", "iconv -f LATIN1 -t UTF-8");
}

#[test]
fn utf_16() {
    refused("t.csv", b"\xFF\xFEa\0,\0", "1:1: the text is in UTF-16, not in UTF-8", "iconv -f UTF-16 -t UTF-8");
}

#[test]
fn a_document_type() {
    refused(
        "t.xml",
        "<?xml version='1.0'?>\n<!DOCTYPE log SYSTEM 'log.dtd'>\n<log/>",
        "2:1: expected <log>, found a document type (<!DOCTYPE)",
        "remove the declaration",
    );
}

#[test]
fn an_entity_bomb() {
    let bomb = "<!DOCTYPE log [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;'>]>\n\
                <log><event><name>&c;</name></event></log>";
    refused("t.xml", bomb, "1:1: expected <log>, found a document type (<!DOCTYPE)", "entities are not read");
}

#[test]
fn an_undefined_entity() {
    refused(
        "t.xml",
        "<log><event><name>&lol;</name></event></log>",
        "1:19: entity &lol; is not defined",
        "only &lt; &gt; &amp;",
    );
}

#[test]
fn a_directory() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("logs")).expect("a directory");
    for arguments in [&["stats", "logs"][..], &["cat", "logs"], &["convert", "logs", "o.csv"]] {
        desk.run(arguments).failed_with("logs: this is a directory, not a file", "name the trace files in it");
    }
    assert_eq!(desk.files(), ["logs"]);
}

#[test]
fn a_missing_file() {
    let desk = Desk::new();
    for arguments in [&["stats", "gone.csv"][..], &["cat", "gone.csv"], &["convert", "gone.csv", "o.xml"]] {
        assert_eq!(desk.run(arguments).failed(), "error: gone.csv: there is no such file\n");
    }
    assert!(desk.files().is_empty());
}

#[test]
fn decreasing_timestamps() {
    refused("t.csv", "event,ts\na,5\nb,3\n", "3:1: timestamp 3 comes after 5", "timestamps must not decrease");
    refused("t.log", "@5 a\n@3 b\n", "2:1: timestamp 3 comes after 5", "timestamps must not decrease");
}

#[test]
fn decreasing_points() {
    refused("t.csv", "event,tp\na,5\nb,3\n", "3:1: tp 3 comes after tp 5", "`tp` must increase");
}

#[test]
fn another_format_than_claimed() {
    refused_with(
        "t.csv",
        "event,x\na,1\n",
        &["--from", "xml"],
        "1:1: expected <log>, found text",
        "the file was read as xml, as --format says; it looks like csv",
    );
    refused_with("t.xml", "<log></log>", &["--from", "json"], "1:1: expected an event, found `<`", "it looks like xml");
}

#[test]
fn an_extension_that_promises_too_much() {
    refused("t.xml", "a,1\nb,2\n", "1:1: expected <log>, found text", "the file was read as xml");
}

#[test]
fn mixed_line_ends_are_no_error() {
    let out = Desk::new().run_with(&["cat", "-"], "a,1\r\nb,2\nc,3\rd,4").fine();
    assert_eq!(out, "1 a(1)\n2 b(2)\n3 c(3)\n4 d(4)\n");
}

#[test]
fn an_open_quote() {
    refused(
        "t.csv",
        "a,1\nb,\"x\nc,2\n",
        "2:3: expected a closing quote, found the end of the input",
        "close the quote",
    );
}

#[test]
fn values_that_are_no_scalars() {
    refused(
        "t.json",
        r#"{"a": {"x": [1]}}"#,
        "1:13: expected a string, number, true, false or null, found an array",
        "a mapping reads what is nested by its path",
    );
}

#[track_caller]
fn mapping_refused(mapping: &str, message: &str, hint: &str) {
    let desk = Desk::with("t.csv", "event,user,n\nopen,ann,x\n");
    desk.write("m.toml", mapping);
    desk.run(&["convert", "--map", "m.toml", "t.csv", "o.xml"]).failed_with(message, hint);
    assert_eq!(desk.files(), ["m.toml", "t.csv"]);
}

#[test]
fn a_mapping_that_names_a_missing_field() {
    let lacks = |reason: &str| format!("t.csv:2:1: event `open` has no field `usr`, which {reason}");
    let entry = |line: &str| format!("[[event]]\nfrom = 'open'\n{line}\n");
    mapping_refused(&entry("args = ['usr']"), &lacks("the mapping names"), "did you mean `user`?");
    mapping_refused(&entry("to = '{usr}'"), &lacks("the mapping names"), "did you mean `user`?");
    mapping_refused(
        &entry("when = 'usr = 3'"),
        &lacks("a condition of the mapping names"),
        "`has usr and …` asks first",
    );
    mapping_refused("time = { field = 'usr' }", &lacks("the mapping names as its time"), "did you mean `user`?");
}

#[test]
fn a_mapped_time_does_not_fall_back_to_another_field() {
    let desk = Desk::with("t.csv", "event,x,ts\na,1,5\n");
    desk.write("m.toml", "time = { field = 'when' }\n");
    let message = "t.csv:2:1: event `a` has no field `when`, which the mapping names as its time";
    desk.run(&["cat", "--map", "m.toml", "t.csv"]).failed_with(message, "it has `x`, `ts`");
}

#[test]
fn a_mapping_with_an_unknown_key() {
    mapping_refused(
        "tiem = { field = 'user' }",
        "m.toml:1:1: unknown field `tiem`, expected one of `time`, `split`, `drop-others`, `reorder`, `input`, `event`",
        "did you mean `time`?",
    );
    mapping_refused(
        "[[event]]\nfrom = 'a'\narg = []\n",
        "m.toml:3:1: unknown field `arg`, expected one of `from`, `when`, `to`, `args`, `time`",
        "did you mean `args`?",
    );
}

#[test]
fn a_value_that_is_not_of_its_declared_type() {
    mapping_refused(
        "[[event]]\nfrom = 'open'\nargs = ['n:int']\n",
        "t.csv:2:1: field `n` is declared int, found `x`",
        "correct the value, or declare another type",
    );
}

#[test]
fn a_mapping_that_is_not_there() {
    let desk = Desk::with("t.csv", "a,1\n");
    let err = desk.run(&["stats", "--map", "nowhere.toml", "t.csv"]).failed();
    assert!(err.starts_with("error: nowhere.toml: the mapping cannot be read: "), "{err}");
    assert!(err.contains("hint: --map takes a TOML file or one of: cloudtrail, combined, common,"), "{err}");
    assert!(err.contains(", soloist, stepr, syslog, xes\n"), "{err}");
}

#[test]
fn binary_data() {
    refused("t", b"\x7FELF\x01\x02", "1:1: expected text, found binary data", "traces are text");
}

/// All events of a point are in memory together: one on a long line is bounded as a long line is.
#[test]
fn a_point_of_many_tuples_on_one_line_obeys_the_limit() {
    let tuples = "(1)".repeat(400_000);
    let desk = Desk::with("t.log", format!("@1 p (1);\n@2 p {tuples};\n"));
    let run = desk.run(&["stats", "t.log", "--max-line", "100K"]);
    let err = run.failed();
    assert!(err.starts_with("error: t.log:2:"), "{err}");
    assert!(err.contains(": a point has more than 102400 bytes on this line\n"), "{err}");
    assert!(err.contains("--max-line BYTES allows more; a point may go on over several lines"), "{err}");
    assert!(desk.run(&["stats", "t.log", "--max-line", "2M"]).fine().contains("events   400001\n"));
    // Over several lines, and as several points on one line, it is read.
    let lines = "(1)\n".repeat(40_000);
    let points = "@3 p (1);".repeat(40_000);
    desk.write("t.log", format!("@2 p {lines};\n{points}"));
    assert!(desk.run(&["stats", "t.log", "--max-line", "100K"]).fine().contains("events   80000\n"));
}
