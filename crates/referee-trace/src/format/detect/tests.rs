use super::*;
use crate::format::csv::header_has_values;

fn found(head: &str, extension: &str) -> Format {
    let extension = (!extension.is_empty()).then_some(extension);
    detect(head, extension).unwrap_or_else(|fault| panic!("{head:?}: {fault:?}"))
}

#[test]
fn texts_that_speak_for_themselves() {
    for (head, format) in [
        ("<log>\n</log>", Format::Xml),
        ("\n  <?xml version=\"1.0\"?>", Format::Xml),
        ("<?xml version='1.0'?>\n<log xes.version='1.0'>", Format::Xes),
        ("<log><trace></trace></log>", Format::Xes),
        ("__CURSOR=s=1\nMESSAGE=a\n", Format::Journald),
        ("{\"a\": {\"x\": \"1\"}}", Format::Json),
        ("[\n {\"event\": \"a\"}]", Format::Json),
        ("an_event_name: {\n  a_field_name: \"a_value\"\n}", Format::Json),
        ("\"a b\" : {}", Format::Json),
        ("@10 p (1)", Format::Monpoly),
        ("# made by hand\n\n@10 p (1)", Format::Monpoly),
        ("event, x, y\na, 1, 2\n", Format::Csv),
        ("\"event\",x\n", Format::Csv),
        ("event\na\nb\n", Format::Csv),
        ("a, x = 1, y = 2\n", Format::CsvNamed),
        ("a\nb,x=1\n", Format::CsvNamed),
        ("\"a,b\", \"x = 1\"\n", Format::CsvNamed),
    ] {
        for extension in ["", "csv", "xml", "json", "blocks", "log", "trace", "txt"] {
            assert_eq!(found(head, extension), format, "{head:?} in .{extension}");
        }
    }
}

#[test]
fn likely_formats() {
    for (head, format) in [
        ("", Format::CsvPlain),
        (" \n\n", Format::CsvPlain),
        ("withdraw\nuser = alice\n\nlogout\n", Format::Blocks),
        ("logout\n\nwithdraw\nuser=a, b\n", Format::Blocks),
        ("event\nx = 1\n", Format::Blocks),
        ("a(1).b(2,x)", Format::Abstract),
        ("# demonstration\na(1).\nb(2)", Format::Abstract),
        ("a.b", Format::Abstract),
        ("a\nb(1)\n", Format::Abstract),
        ("a(1,x=2)", Format::Abstract),
        ("a(\"x = 1\")\n", Format::Abstract),
        ("1 @5 a(1)\n", Format::Abstract),
        ("a,1,2\n", Format::CsvPlain),
        ("a\nb\n", Format::CsvPlain),
        ("a.b,1\n", Format::CsvPlain),
        ("a(1),2\n", Format::CsvPlain),
        ("log in,x\n", Format::CsvPlain),
        ("a:b,1\n", Format::CsvPlain),
    ] {
        assert_eq!(found(head, ""), format, "{head:?}");
        assert_eq!(found(head, "log"), format, "{head:?}");
    }
}

#[test]
fn terms_gone_wrong_are_no_plain_csv_where_the_extension_promises_terms() {
    for (head, extension, format) in [
        ("open(1)close(1)", "trace", Format::Abstract),
        ("open(1).close(2)).x(3)", "trace", Format::Abstract),
        ("10 p (1);", "log", Format::Monpoly),
        ("call,main(1)", "log", Format::CsvPlain),
        ("open(1)close(1)", "txt", Format::CsvPlain),
    ] {
        assert_eq!(found(head, extension), format, "{head:?} in .{extension}");
    }
}

#[test]
fn the_extension_settles_what_is_open() {
    assert_eq!(found("a.b\n", "csv"), Format::CsvPlain);
    assert_eq!(found("a\n\nb\n", "blocks"), Format::Blocks);
    assert_eq!(found("a,1\n", "xml"), Format::Xml);
    assert_eq!(found("a,1\n", "JSONL"), Format::Json);
    assert_eq!(found("", "xml"), Format::CsvPlain);
}

#[test]
fn binary_data_is_refused() {
    for (head, offset) in [("\u{7f}ELF", 0), ("ab\0", 2), ("\u{1}", 0)] {
        let fault = detect(head, None).expect_err("this is no text");
        assert_eq!(fault.offset, offset, "{head:?}");
        assert!(fault.hint.is_some());
    }
}

#[test]
fn only_the_head_is_looked_at() {
    let text = format!("{}é\0", "a,1\n".repeat(HEAD / 4));
    assert_eq!(found(&text, ""), Format::CsvPlain);
    let inside_a_character = format!("a{}", "é".repeat(HEAD));
    assert_eq!(found(&inside_a_character, ""), Format::CsvPlain);
}

#[test]
fn extensions_name_output_formats() {
    assert_eq!(Format::of_extension("jsonl"), Some(Format::Json));
    assert_eq!(Format::of_extension("log"), Some(Format::Monpoly));
    assert_eq!(Format::of_extension("txt"), None);
}

#[test]
fn a_header_with_values_is_doubtful() {
    assert!(header_has_values("event,17,x\nopen,2\n"));
    assert!(header_has_values("event, x, \"-1.5\"\n"));
    assert!(!header_has_values("event,user,file\nopen,2,3\n"));
    assert!(!header_has_values("event,1,2\nopen,2,3\n"), "as positional arguments are written");
    assert!(!header_has_values("open,17\n"), "no header at all");
}
