use std::io;

use super::*;
use crate::error::Stop;
use crate::event::{Argument, Event, EventShape, EventSink, Point};
use crate::format::Format;
use crate::number::Number;
use crate::raw::ShapeId;

/// An event: its name, fields and values.
type Made<'a> = (&'a str, &'a [&'a str], &'a [&'a str]);

/// A trace: per point its time and its events.
type Trace<'a> = &'a [(Option<&'a str>, &'a [Made<'a>])];

fn shape(name: &str, fields: &[&str]) -> EventShape {
    let arguments: std::sync::Arc<[Argument]> =
        fields.iter().map(|&name| Argument { name: name.into(), declared: None }).collect();
    EventShape { name: name.into(), positional: arguments.len(), arguments }
}

/// The text of a trace, or what is wrong with it, and with which offset if with an event.
fn written(format: Format, lossy: bool, trace: Trace<'_>) -> Result<String, (Option<usize>, String)> {
    let mut text = Vec::new();
    let mut sink = TraceSink::new(format, lossy, &mut text, None);
    match feed(&mut sink, trace) {
        Err(Stop::Fault(fault)) => {
            assert!(fault.hint.is_some(), "a refusal says what to do: {fault:?}");
            return Err((Some(fault.offset), fault.message));
        }
        Err(Stop::Enough) | Ok(()) => {}
    }
    match sink.finish() {
        Ok(()) => Ok(String::from_utf8(text).expect("traces are UTF-8")),
        Err(WriteError::Refused(error)) => {
            assert!(error.hint.is_some(), "a refusal says what to do: {error}");
            Err((None, error.message))
        }
        Err(WriteError::Output(error)) => panic!("memory takes everything: {error}"),
    }
}

fn feed(sink: &mut TraceSink<'_>, trace: Trace<'_>) -> Result<(), Stop> {
    let (mut shapes, mut number) = (Vec::new(), 0);
    for ((time, events), point) in trace.iter().zip(1..) {
        let time = time.map(|time| Number::parse(time).expect("a number"));
        sink.begin_point(Point { trace: 1, number: point, time: time.as_ref() })?;
        for (name, fields, values) in *events {
            let known = shapes.iter().position(|known| *known == shape(name, fields));
            let id = known.unwrap_or_else(|| {
                shapes.push(shape(name, fields));
                sink.shape(ShapeId(shapes.len() as u32 - 1), &shape(name, fields));
                shapes.len() - 1
            });
            number += 1;
            sink.event(Event { shape: ShapeId(id as u32), arguments: values, number, offset: 10 * number as usize })?;
        }
        sink.end_point()?;
    }
    Ok(())
}

const PLAIN: Trace<'_> = &[(None, &[("a", &["x", "y"], &["1", "b c"])]), (None, &[("tick", &[], &[])])];
const UNNAMED: Trace<'_> = &[(None, &[("a", &["1", "2"], &["1", "b, c"])]), (None, &[("tick", &[], &[])])];
const TIMED: Trace<'_> = &[
    (Some("5"), &[("a", &["1"], &["x"]), ("a", &["1"], &["y z"]), ("b", &[], &[])]),
    (Some("5.5"), &[("a", &["1"], &["x"])]),
];
const WITH_EMPTY: Trace<'_> = &[(Some("1"), &[]), (Some("2"), &[("a", &[], &[])])];

#[test]
fn every_format_has_its_text() {
    for (format, trace, expected) in [
        (Format::Csv, PLAIN, "event,x,y\na,1,b c\ntick,,\n"),
        (Format::CsvNamed, PLAIN, "a, x = 1, y = b c\ntick\n"),
        (Format::CsvPlain, UNNAMED, "a,1,\"b, c\"\ntick\n"),
        (
            Format::Xml,
            PLAIN,
            "<log>\n<event><name>a</name><field><name>x</name><value>1</value></field>\
             <field><name>y</name><value>b c</value></field></event>\n<event><name>tick</name></event>\n</log>\n",
        ),
        (Format::Json, PLAIN, "{\"a\":{\"x\":\"1\",\"y\":\"b c\"}}\n{\"tick\":{}}\n"),
        (Format::Blocks, PLAIN, "a\nx = 1\ny = b c\n\ntick\n\n"),
        (Format::Abstract, UNNAMED, "a(1,\"b, c\")\ntick()\n"),
        (Format::Abstract, TIMED, "1 @5 a(x)\n1 @5 a(\"y z\")\n1 @5 b()\n2 @5.5 a(x)\n"),
        (Format::Monpoly, TIMED, "@5 a (x)(\"y z\") b ();\n@5.5 a (x);\n"),
        (Format::Monpoly, WITH_EMPTY, "@1;\n@2 a ();\n"),
    ] {
        assert_eq!(written(format, false, trace).as_deref(), Ok(expected), "{format:?}");
    }
}

#[test]
fn an_empty_trace_is_a_text_too() {
    for (format, expected) in [(Format::Csv, "event\n"), (Format::Xml, "<log>\n</log>\n"), (Format::Monpoly, "")] {
        assert_eq!(written(format, false, &[]).as_deref(), Ok(expected));
    }
}

#[test]
fn points_and_times_become_fields() {
    assert_eq!(
        written(Format::CsvNamed, false, TIMED).as_deref(),
        Ok("a, 1 = x, tp = 1, ts = 5\na, 1 = y z, tp = 1, ts = 5\nb, tp = 1, ts = 5\na, 1 = x, ts = 5.5\n")
    );
    assert_eq!(
        written(Format::Csv, false, TIMED).as_deref(),
        Ok("event,1,tp,ts\na,x,1,5\na,y z,1,5\nb,,1,5\na,x,,5.5\n")
    );
}

#[test]
fn what_a_format_cannot_carry_is_refused() {
    let taken: Trace<'_> = &[(None, &[("a", &["ts"], &["1"])])];
    let half_timed: Trace<'_> = &[(Some("5"), &[("a", &[], &[])]), (None, &[("b", &[], &[])])];
    let two: Trace<'_> = &[(None, &[("a", &[], &[]), ("b", &[], &[])])];
    let crossed: Trace<'_> = &[(None, &[("a", &["x", "y"], &["1", "2"])]), (None, &[("b", &["y", "x"], &["1", "2"])])];
    let twice: Trace<'_> = &[(None, &[("a", &["x", "x"], &["1", "2"])])];
    for (format, trace, offset, message, lossy) in [
        (
            Format::CsvPlain,
            PLAIN,
            Some(10),
            "csv-plain has no field names, and `a` has the field `x`",
            Some("a,1,b c\ntick\n"),
        ),
        (
            Format::Monpoly,
            UNNAMED,
            None,
            "monpoly needs a time for every point, and point 1 has none",
            Some("@1 a (1,\"b, c\");\n@2 tick ();\n"),
        ),
        (Format::CsvPlain, TIMED, None, "csv-plain has no place for the time of a point", Some("a,x\na,y z\nb\na,x\n")),
        (
            Format::Abstract,
            half_timed,
            None,
            "abstract has a time at every point or at none, and point 2 has none",
            Some("1 @5 a()\n2 @5 b()\n"),
        ),
        (
            Format::Json,
            WITH_EMPTY,
            None,
            "json has no points without events, and point 1 is one",
            Some("{\"a\":{\"ts\":\"2\"}}\n"),
        ),
        (
            Format::Blocks,
            taken,
            Some(10),
            "blocks would read the argument `ts` of `a` as the point or its time",
            Some("a\nts = 1\n\n"),
        ),
        (
            Format::CsvPlain,
            two,
            Some(20),
            "csv-plain holds one event per point, and this is the second of its point",
            Some("a\nb\n"),
        ),
        (
            Format::Csv,
            crossed,
            None,
            "csv has one order of fields for all events, and events disagree about the place of `x`",
            Some("event,x,y\na,1,2\nb,2,1\n"),
        ),
        (Format::Json, twice, Some(10), "two arguments of `a` are called `x`", None),
    ] {
        assert_eq!(written(format, false, trace), Err((offset, message.to_owned())), "{format:?}");
        assert_eq!(written(format, true, trace).ok().as_deref(), lossy, "{format:?}");
    }
}

#[test]
fn several_traces_do_not_fit_into_one_file() {
    let mut text = Vec::new();
    let mut sink = TraceSink::new(Format::Json, false, &mut text, None);
    assert!(sink.begin_point(Point { trace: 2, number: 1, time: None }).is_err());
    let failure = sink.finish().expect_err("the second trace is refused");
    assert!(failure.to_string().starts_with("a file holds one trace"), "{failure}");
}

#[test]
fn texts_that_a_format_cannot_hold_are_refused_always() {
    let one = |format: Format, name: &str, field: &str, value: &str| {
        let unnamed = if format.names_fields() { field } else { "1" };
        written(format, true, &[(Some("1"), &[(name, &[unnamed], &[value])])]).is_ok()
    };
    for format in Format::ALL {
        assert!(one(format, "a", "x", "1"), "{format:?}");
        assert!(!one(format, "", "x", "1"), "{format:?}");
        assert_eq!(one(format, "a", "", "1"), !format.names_fields(), "{format:?}");
        // A format holds NUL by an escape, or not at all.
        let nul = written(format, true, &[(Some("1"), &[("a", &["1"], &["a\0b"])])]);
        assert!(nul.is_err() || nul.is_ok_and(|text| text.contains("\\u0000") && !text.contains('\0')), "{format:?}");
    }
    for (name, field, value) in [("a", "x", "\u{1}"), ("a\u{1}", "x", ""), ("a", "\u{fffe}", "")] {
        assert!(!one(Format::Xml, name, field, value));
    }
    for (name, field, value) in
        [("a", "x", "1\n2"), ("a", "x", " 1"), ("a=b", "x", "1"), ("", "x", "1"), ("a", "=", "1"), ("a", " x", "1")]
    {
        assert!(!one(Format::Blocks, name, field, value));
    }
}

/// Takes a few bytes and then fails.
struct Full(usize);

impl io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_output_ends_the_reading() {
    for format in Format::ALL {
        for room in [0, 5, 12] {
            let mut sink = TraceSink::new(format, true, Full(room), None);
            let fed = feed(&mut sink, TIMED);
            assert!(!matches!(fed, Err(Stop::Fault(_))), "{format:?}: the input is not at fault");
            assert!(matches!(sink.finish(), Err(WriteError::Output(_))), "{format:?} with {room} bytes");
        }
    }
}

#[test]
fn long_traces_wait_in_a_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut text = Vec::new();
    let mut sink = TraceSink::new(Format::Csv, false, &mut text, Some(directory.path()));
    let value = "v".repeat(1000);
    sink.shape(ShapeId(0), &shape("a", &["x"]));
    for number in 1..=3000 {
        sink.begin_point(Point { trace: 1, number, time: None }).expect("a point");
        sink.event(Event { shape: ShapeId(0), arguments: &[&value], number, offset: 0 }).expect("an event");
        sink.end_point().expect("its end");
    }
    sink.finish().expect("all is written");
    let text = String::from_utf8(text).expect("UTF-8");
    assert_eq!(text.lines().count(), 3001);
    assert!(text.lines().skip(1).all(|line| line.len() == 1002));
    let left = std::fs::read_dir(directory.path()).expect("readable").count();
    assert_eq!(left, 0, "the spool has no name");
}

#[test]
fn terms_are_quoted_where_needed() {
    let values = ["1.5", "-2e3", "x.y", "", "a b", "é", "\"\\\n\t\r", "…"];
    let term = Term { name: "a.b", values: &values };
    assert_eq!(term.to_string(), r#""a.b"(1.5,-2e3,"x.y","","a b",é,"\"\\\n\t\r","…")"#);
    assert_eq!(Term { name: "tick", values: &[] }.to_string(), "tick()");
}

#[test]
fn what_was_not_foreseen_is_refused() {
    let mut text = Vec::new();
    let mut sink = TraceSink::new(Format::Csv, false, &mut text, None);
    sink.shape(ShapeId(0), &shape("a", &["x"]));
    sink.shape(ShapeId(1), &shape("b", &["y"]));
    sink.foresee(&[Foreseen { shape: ShapeId(0), grouped: false, timed: false }]).expect("one column");
    sink.begin_told_point(None, 1).expect("room");
    sink.tell(ShapeId(0), &[Entry::Integer(1)]).expect("foreseen");
    sink.end_point().expect("room");
    sink.begin_told_point(None, 1).expect("room");
    assert!(sink.tell(ShapeId(1), &[Entry::Integer(1)]).is_err());
    let error = sink.finish().expect_err("it was not told");
    let expected = "cannot write the output: the header of csv is written, and the fields of `b` were not told before";
    assert_eq!(error.to_string(), expected);
}

/// Values that are told as what they are, one or several at a point, and the same as events.
#[test]
fn what_is_told_is_what_comes_as_events() {
    let word = Word::new("user").expect("a word");
    let told = [
        [Entry::Integer(i64::MIN), Entry::Tenths(-5), Entry::Tagged(word, 0x8f3a_51c0_7be2)],
        [Entry::Word(word), Entry::Text("a, \"b\" c"), Entry::Text("")],
        [Entry::Text("<&>"), Entry::Tenths(123), Entry::Integer(0)],
    ];
    let texts =
        [["-9223372036854775808", "-0.5", "user-8f3a51c07be2"], ["user", "a, \"b\" c", ""], ["<&>", "12.3", "0"]];
    let fields: &[&str] = &["1", "2", "3"];
    for format in Format::ALL {
        for (sizes, time) in [([1, 1, 1], Some(7)), ([1, 1, 1], None), ([2, 1, 0], Some(7)), ([3, 0, 0], None)] {
            let mut text = Vec::new();
            let mut sink = TraceSink::new(format, true, &mut text, None);
            sink.shape(ShapeId(0), &shape("a", fields));
            let mut values = told.iter();
            for size in sizes.into_iter().filter(|size| *size > 0) {
                sink.begin_told_point(time, size).expect("a point");
                values.by_ref().take(size as usize).for_each(|one| sink.tell(ShapeId(0), one).expect("an event"));
                sink.end_point().expect("its end");
            }
            sink.finish().expect("all is written");
            let events: Vec<Made<'_>> = texts.iter().map(|values| ("a", fields, &values[..])).collect();
            let mut rest = &events[..];
            let time = time.map(|time: i64| time.to_string());
            let mut trace = Vec::new();
            for size in sizes.into_iter().filter(|size| *size > 0) {
                let (point, others) = rest.split_at(size as usize);
                trace.push((time.as_deref(), point));
                rest = others;
            }
            assert_eq!(String::from_utf8(text).ok(), written(format, true, &trace).ok(), "{format:?} {sizes:?}");
        }
    }
}

#[test]
fn a_point_has_the_events_that_were_told() {
    let mut sink = TraceSink::new(Format::Json, true, Vec::new(), None);
    sink.shape(ShapeId(0), &shape("a", &[]));
    sink.begin_told_point(None, 1).expect("room");
    sink.tell(ShapeId(0), &[]).expect("the first");
    assert!(sink.tell(ShapeId(0), &[]).is_err());
    let error = sink.finish().expect_err("one was told");
    let expected = "cannot write the output: a point has more events than the 1 that it was told to have";
    assert_eq!(error.to_string(), expected);
}
