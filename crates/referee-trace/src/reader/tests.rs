use std::io;
use std::path::PathBuf;

use super::*;
use crate::error::Flow;
use crate::event::{Event, EventShape, NoRows, Point};
use crate::mapping::Mapping;
use crate::raw::{ShapeId, Want};

/// Writes events down as `1:a(x,y)`, points as `|`; has enough after so many events.
#[derive(Default)]
struct Listener {
    heard: String,
    names: Vec<(Box<str>, usize)>,
    enough: Option<u64>,
}

impl EventSink for Listener {
    type Rows = NoRows;

    fn shape(&mut self, _: ShapeId, shape: &EventShape) -> Want {
        self.names.push((shape.name.clone(), shape.positional));
        Want::ALL
    }

    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        self.heard += "|";
        if let Some(time) = point.time {
            self.heard += &format!("@{time}:");
        }
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let (name, positional) = &self.names[event.shape.index()];
        self.heard += &format!("{}:{name}({})", event.number, event.arguments[..*positional].join(","));
        if self.enough.is_some_and(|enough| event.number >= enough) { Err(Stop::Enough) } else { Ok(()) }
    }

    fn end_point(&mut self) -> Flow {
        Ok(())
    }
}

/// Hands out the given pieces, one per read.
struct Pieces(Vec<Vec<u8>>);

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(piece) = self.0.first_mut() {
            let count = piece.len().min(buffer.len());
            buffer[..count].copy_from_slice(&piece[..count]);
            piece.drain(..count);
            if piece.is_empty() {
                self.0.remove(0);
            }
            if count > 0 {
                return Ok(count);
            }
        }
        Ok(0)
    }
}

fn hear_pieces(pieces: Vec<Vec<u8>>, options: &ReadOptions) -> (String, Result<Summary, TraceError>) {
    let mut listener = Listener::default();
    let summary = read_stream("in", Pieces(pieces), options, &mut listener);
    (listener.heard, summary)
}

fn hear(text: &str) -> (String, Result<Summary, TraceError>) {
    hear_pieces(vec![text.into()], &ReadOptions::default())
}

fn error(text: &str, options: &ReadOptions) -> String {
    match hear_pieces(vec![text.into()], options).1 {
        Ok(summary) => panic!("{summary:?} should be an error"),
        Err(error) => error.to_string(),
    }
}

fn as_format(format: Format) -> ReadOptions {
    ReadOptions { format: Some(format), ..ReadOptions::default() }
}

/// Two events `a(1,é)` and `b(2)` in every format.
const TEXTS: [(Format, &str); 8] = [
    (Format::Csv, "event,x,y\r\na,1,é\nb,2,\n"),
    (Format::CsvNamed, "a, x=1, y=é\nb, x=2\n"),
    (Format::CsvPlain, "a,1,\"é\"\nb,2\n"),
    (
        Format::Xml,
        "<log><event><name>a</name><field><name>x</name><value>1</value></field><field><name>y</name><value>é</value></field></event>\
         <event><name>b</name><field><name>x</name><value>2</value></field></event></log>",
    ),
    (Format::Json, "{\"a\":{\"x\":\"1\",\"y\":\"é\"}}\n{\"b\":{\"x\":\"2\"}}\n"),
    (Format::Blocks, "a\nx = 1\ny = é\n\nb\nx = 2\n"),
    (Format::Monpoly, "@1 a (1,\"é\");\n@1 b (2);\n"),
    (Format::Abstract, "a(1,é).\nb(2)\n"),
];

fn expected(format: Format) -> &'static str {
    if format == Format::Monpoly { "|@1:1:a(1,é)|@1:2:b(2)" } else { "|1:a(1,é)|2:b(2)" }
}

#[test]
fn every_format_is_detected_and_read() {
    for (format, text) in TEXTS {
        let (heard, summary) = hear(text);
        let summary = summary.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((heard.as_str(), summary.format), (expected(format), Some(format)));
        assert_eq!(summary.totals, Totals { events: 2, points: 2, traces: 1 });
        assert!(summary.complete);
    }
}

#[test]
fn a_cut_at_any_byte_changes_nothing() {
    for (format, text) in TEXTS {
        for cut in 0..=text.len() {
            let (first, second) = text.as_bytes().split_at(cut);
            let (heard, summary) = hear_pieces(vec![first.into(), second.into()], &as_format(format));
            assert_eq!(summary.map(|summary| summary.totals.events), Ok(2), "{} cut at {cut}", format.name());
            assert_eq!(heard, expected(format), "{} cut at {cut}", format.name());
        }
        let bytes = text.bytes().map(|byte| vec![byte]).collect();
        assert_eq!(hear_pieces(bytes, &ReadOptions::default()).0, expected(format), "{} by bytes", format.name());
    }
}

/// A folder with these files.
fn folder(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let paths: Vec<PathBuf> = files.iter().map(|(name, _)| folder.path().join(name)).collect();
    for (path, (_, bytes)) in paths.iter().zip(files) {
        std::fs::write(path, bytes).unwrap_or_else(|error| panic!("{error}"));
    }
    (folder, paths)
}

#[test]
fn several_files_are_one_trace() {
    let packed = zstd::encode_all(&b"c,3\n"[..], 1).unwrap_or_else(|error| panic!("{error}"));
    let (_folder, paths) = folder(&[
        ("1.csv", b"a,1\n"),
        ("empty", b""),
        ("2.json", b"{\"event\":\"b\",\"x\":2}"),
        ("3.csv.zst", &packed),
    ]);
    let (mut listener, mut progress) = (Listener::default(), Vec::new());
    let summary = read_with_progress(&paths, &ReadOptions::default(), &mut listener, |step| progress.push(step));
    assert_eq!(summary.map(|summary| (summary.format, summary.totals.events)), Ok((Some(Format::CsvPlain), 3)));
    assert_eq!(listener.heard, "|1:a(1)|2:b(2)|3:c(3)");
    let total = 23 + packed.len() as u64;
    assert_eq!(progress.last().map(|step| (step.bytes, step.total)), Some((total, Some(total))));
}

#[test]
fn points_go_on_from_file_to_file_and_so_do_times() {
    let (_folder, paths) = folder(&[("1", b"a, tp=1, ts=5\n"), ("2", b"b, tp=1, ts=5\n"), ("3", b"c, tp=2, ts=4\n")]);
    let mut listener = Listener::default();
    let error =
        read(&paths, &ReadOptions::default(), &mut listener).map_err(|error| (error.line, error.message, error.file));
    assert_eq!(listener.heard, "|@5:1:a()2:b()");
    let file = paths[2].display().to_string();
    assert_eq!(error.err(), Some((Some(1), "timestamp 4 comes after 5".to_owned(), Some(file))));
}

#[test]
fn a_sink_that_has_enough_ends_quietly() {
    let mut listener = Listener { enough: Some(2), ..Listener::default() };
    let summary = read_stream("in", &b"a\nb\n\"broken"[..], &as_format(Format::CsvPlain), &mut listener);
    assert_eq!(summary.map(|summary| (summary.complete, summary.totals.events)), Ok((false, 2)));
}

#[test]
fn an_empty_file_is_the_empty_trace() {
    for text in ["", "\u{FEFF}"] {
        let summary = hear(text).1.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((summary.format, summary.totals.events, summary.totals.traces), (None, 0, 1));
    }
}

#[test]
fn decreasing_times_are_an_error_with_their_line() {
    let message = error("a, ts=1\nb, ts=3\n\nc, ts=2\n", &ReadOptions::default());
    assert!(message.starts_with("in:4:1: timestamp 2 comes after 3\n  hint: "), "{message}");
}

#[test]
fn a_mapping_that_names_a_missing_field_is_an_error_with_its_line() {
    let mapping = Mapping::parse("[[event]]\nfrom = 'b'\nargs = ['z']", "map.toml").unwrap_or_default();
    let options = ReadOptions { meaning: Meaning { mapping, ..Meaning::default() }, ..ReadOptions::default() };
    let message = error("a, x=1\nb, x=2\n", &options);
    assert!(message.starts_with("in:2:1: event `b` has no field `z`, which the mapping names\n  hint: "), "{message}");
}

#[test]
fn lines_above_the_bound_are_an_error_with_their_line() {
    let options = ReadOptions { max_line: 50, ..ReadOptions::default() };
    let message = error(&format!("a,1\nb,{}\n", "x".repeat(60)), &options);
    assert!(message.starts_with("in:2:1: a line or event of more than 50 bytes") && message.contains("--max-line"));
}

#[test]
fn bad_bytes_are_an_error_with_their_place() {
    for (bytes, start) in [
        (&b"a,1\nb,\xC3\xA9\0\n"[..], "in:2:4: NUL byte"),
        (b"a,1\nb,\xC3\xA9\xFF\n", "in:2:4: byte 0xFF is not valid UTF-8"),
    ] {
        let (heard, summary) = hear_pieces(vec![bytes.into()], &ReadOptions::default());
        assert_eq!(heard, "|1:a(1)");
        let message = summary.map_err(|error| error.to_string());
        assert!(message.as_ref().is_err_and(|message| message.starts_with(start)), "{message:?}");
    }
}

#[test]
fn columns_count_characters_also_behind_what_was_consumed() {
    let pieces = vec!["@1 é (1); ".into(), "@0 b (2);".into()];
    let error = hear_pieces(pieces, &ReadOptions::default()).1.map_err(|error| (error.line, error.column));
    assert_eq!(error.err(), Some((Some(1), Some(11))));
}

#[test]
fn another_format_than_claimed_is_explained() {
    let message = error("a,1\nb,2\n", &as_format(Format::Xml));
    assert!(message.contains("the file was read as xml, as --format says; it looks like csv-plain"), "{message}");
    let message = error("a,\"x\n", &ReadOptions::default());
    assert!(
        message.contains("the file was read as csv-plain, which it looks like; --format FORMAT says otherwise"),
        "{message}"
    );
    let message = error("<log><event></log>", &ReadOptions::default());
    assert!(!message.contains("the file was read as"), "nobody doubts that this is xml: {message}");
}

#[test]
fn a_truncated_gzip_file_is_an_error_with_the_line_reached() {
    let text = (0..5000).map(|number| format!("a,{number}\n")).collect::<String>();
    let mut packed = Vec::new();
    let mut encoder = flate2::read::GzEncoder::new(text.as_bytes(), flate2::Compression::fast());
    encoder.read_to_end(&mut packed).unwrap_or_else(|error| panic!("{error}"));
    packed.truncate(packed.len() / 2);
    let (heard, summary) = hear_pieces(vec![packed], &ReadOptions::default());
    let Err(error) = summary else { panic!("the stream is truncated") };
    assert_eq!(error.message, "the gzip stream ends in the middle");
    let events = heard.matches('|').count() as u64;
    assert!(events > 0 && error.line == Some(events + 1), "{events} events, {:?}", error.line);
}

/// Hands out a text once, then fails: what was heard before the error was judged without waiting for more.
struct Once(&'static [u8]);

impl Read for Once {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the line is dead")),
            count => Ok(count),
        }
    }
}

#[test]
fn whole_events_of_a_live_stream_are_judged_at_once() {
    for (format, text) in TEXTS {
        let mut listener = Listener::default();
        let summary = read_stream("in", Once(text.as_bytes()), &ReadOptions::default(), &mut listener);
        assert!(summary.is_err_and(|error| error.message.contains("the line is dead")));
        // The last block of its format has no end mark; the others are complete.
        let heard = if format == Format::Blocks { "|1:a(1,é)" } else { expected(format) };
        assert_eq!(listener.heard, heard, "{}", format.name());
    }
}

#[test]
fn a_live_stream_waits_only_for_a_telling_line() {
    for (text, expected) in [
        ("a,1", false),
        ("a,1\n", true),
        ("\n\nname\n", false),
        ("name\nx = 1", false),
        ("name\nx = 1\n", true),
        ("  <", false),
        ("<?xml version='1.0'?>\n<log", false),
        ("<?xml version='1.0'?>\n<log xes.version='1.0'>", true),
        ("<log><event><name>", true),
        ("@1 a", true),
    ] {
        assert_eq!(tells(text), expected, "{text:?}");
    }
}

#[test]
fn extensions_are_those_of_the_plain_file() {
    for (path, expected) in
        [("a.csv", Some("csv")), ("a.CSV.gz", Some("csv")), ("a.gz", None), ("a", None), (".csv", None)]
    {
        assert_eq!(extension(Path::new(path)).as_deref(), expected, "{path}");
    }
}
