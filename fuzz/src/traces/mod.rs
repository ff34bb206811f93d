//! What must hold for every trace: the bodies of the readers' fuzz targets.
//!
//! ```text
//!  bytes ─▶ cuts and text ─▶ decoder, whole ────┬─ equal? ─▶ places within the text? ─▶ what another reader finds
//!                            decoder, in blocks ┘
//! ```
//!
//! The first byte says how many of the next bytes are cuts, the rest is the text. `cargo test` runs the same checks on
//! [`CORPUS`] and on mutations of it (see `crates/referee-trace/tests/fuzz_targets.rs`), so they cannot rot.

mod collect;
mod corpus;
mod oracle;

use referee_trace::event::{Event, EventShape, EventSink, Point};
use referee_trace::format::abstract_::Abstract;
use referee_trace::format::blocks::Blocks;
use referee_trace::format::csv::Csv;
use referee_trace::format::csv_named::CsvNamed;
use referee_trace::format::csv_plain::CsvPlain;
use referee_trace::format::json::Json;
use referee_trace::format::monpoly::Monpoly;
use referee_trace::format::xml::Xml;
use referee_trace::format::{Decoder, Format, detect};
use referee_trace::mapping::Mapping;
use referee_trace::raw::{ShapeId, Want};
use referee_trace::reader::{ReadOptions, read_stream};

use collect::{Found, Seen, collect};
pub use corpus::CORPUS;

/// A check that panics if its input breaks a promise.
pub type Check = fn(&[u8]);

/// Every check by the name of its target.
pub const CHECKS: [(&str, Check); 10] = [
    ("csv", csv),
    ("csv_named", csv_named),
    ("csv_plain", csv_plain),
    ("xml", xml),
    ("json", json),
    ("blocks", blocks),
    ("monpoly", monpoly),
    ("abstract", abstract_),
    ("detect", detection),
    ("mapping", mapping),
];

/// `csv`, against the `csv` crate.
pub fn csv(data: &[u8]) {
    agrees::<Csv>(data, oracle::csv);
}

/// `csv-named`, against the `csv` crate.
pub fn csv_named(data: &[u8]) {
    agrees::<CsvNamed>(data, oracle::csv_named);
}

/// `csv-plain`, against the `csv` crate.
pub fn csv_plain(data: &[u8]) {
    agrees::<CsvPlain>(data, oracle::csv_plain);
}

/// `xml`, against quick-xml.
pub fn xml(data: &[u8]) {
    agrees::<Xml>(data, oracle::xml);
}

/// `json`, against serde_json.
pub fn json(data: &[u8]) {
    agrees::<Json>(data, oracle::json);
}

/// `blocks`.
pub fn blocks(data: &[u8]) {
    agrees::<Blocks>(data, |_| None);
}

/// `monpoly`.
pub fn monpoly(data: &[u8]) {
    agrees::<Monpoly>(data, |_| None);
}

/// `abstract`.
pub fn abstract_(data: &[u8]) {
    agrees::<Abstract>(data, |_| None);
}

/// A detected format reads its text or says what is wrong with it, at a place within the text.
pub fn detection(data: &[u8]) {
    let Some((_, text)) = cuts_and_text(data) else { return };
    for extension in [None, Some("csv"), Some("xml"), Some("log")] {
        let Ok(format) = detect::detect(text, extension) else { continue };
        assert_eq!(detect::detect(text, extension).ok(), Some(format), "the answer depends on the text alone");
    }
    let _ = detect::header_has_values(text);
    read(text, ReadOptions::default());
}

/// A mapping is refused, or it can be applied to any trace.
pub fn mapping(data: &[u8]) {
    let Some((_, text)) = cuts_and_text(data) else { return };
    let Ok(mapping) = Mapping::parse(text, "mapping") else { return };
    let mut options = ReadOptions { format: Some(Format::CsvNamed), ..ReadOptions::default() };
    options.meaning.mapping = mapping;
    read("a, x = 1, y = text, ts = 3\nlog\nb, EventType = start, Timestamp = 7, x = 2.5\na\n", options);
}

/// Reads a text from its bytes on; what is wrong with it must have a place.
fn read(text: &str, options: ReadOptions) {
    let stream = std::io::Cursor::new(text.to_owned().into_bytes());
    if let Err(error) = read_stream("text", stream, &options, &mut Listener) {
        assert!(!error.message.is_empty() && error.file.as_deref() == Some("text"), "{error}");
    }
}

/// Splits the input of a target; nothing if its text is not UTF-8.
fn cuts_and_text(data: &[u8]) -> Option<(Vec<usize>, &str)> {
    let (&count, rest) = data.split_first()?;
    let (cuts, text) = rest.split_at_checked(usize::from(count % 16))?;
    Some((cuts.iter().map(|&cut| usize::from(cut)).collect(), std::str::from_utf8(text).ok()?))
}

/// The decoder finds the same however the text is cut, and the same as another reader, where that one has an answer.
fn agrees<D: Decoder + Default>(data: &[u8], other: fn(&str) -> Option<Vec<Seen>>) {
    let Some((cuts, text)) = cuts_and_text(data) else { return };
    let whole = collect(D::default(), text, &[]);
    assert_eq!(collect(D::default(), text, &cuts), whole, "cuts {cuts:?} matter in {text:?}");
    match &whole.fault {
        Some(fault) => {
            assert!(text.is_char_boundary(fault.offset), "{fault:?} is at no place of {text:?}");
            assert!(!fault.message.is_empty() && fault.hint.is_some(), "{fault:?} helps nobody");
        }
        None => {
            let Some(expected) = other(text) else { return };
            let found: Vec<Seen> = whole.found.into_iter().map(|Found { seen, .. }| seen).collect();
            assert_eq!(found, expected, "in {text:?}");
        }
    }
}

/// Listens to everything and keeps nothing.
struct Listener;

impl EventSink for Listener {
    fn shape(&mut self, _: ShapeId, _: &EventShape) -> Want {
        Want::ALL
    }

    fn begin_point(&mut self, _: Point<'_>) -> referee_trace::error::Flow {
        Ok(())
    }

    fn event(&mut self, _: Event<'_>) -> referee_trace::error::Flow {
        Ok(())
    }

    fn end_point(&mut self) -> referee_trace::error::Flow {
        Ok(())
    }
}
