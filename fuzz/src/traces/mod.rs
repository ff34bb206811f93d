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

use referee_trace::event::{Event, EventShape, EventSink, NoRows, Point};
use referee_trace::format::csv::header_has_values;
use referee_trace::format::{Decoder, DecoderUser, Format, InputRule, LinePattern, Naming, detect};
use referee_trace::mapping::Mapping;
use referee_trace::pattern::describe;
use referee_trace::raw::{ShapeId, Want};
use referee_trace::reader::{ReadOptions, read_stream};

pub use collect::Outcome;
use collect::{Found, Seen, collect};
pub use corpus::{CORPUS, written};

/// A check that panics if its input breaks a promise.
pub type Check = Box<dyn Fn(&[u8]) + std::panic::RefUnwindSafe>;

/// Every check by its name: one per format, and the others.
pub fn checks() -> Vec<(&'static str, Check)> {
    let of_format = |format: Format| (format.name(), Box::new(move |data: &[u8]| agrees(format, data)) as Check);
    let of_rule = |(name, format, input): (&'static str, Format, InputRule)| {
        (name, Box::new(move |data: &[u8]| drop(agrees_by(format, &input, data))) as Check)
    };
    let others: [(&str, Check); 3] =
        [("detect", Box::new(detection)), ("mapping", Box::new(mapping)), ("journal", Box::new(journal))];
    Format::READ.into_iter().map(of_format).chain(rules().into_iter().map(of_rule)).chain(others).collect()
}

/// Logs that a mapping describes, and how.
pub fn rules() -> Vec<(&'static str, Format, InputRule)> {
    let pattern = |text: &str, naming: Naming| {
        let described = describe(text).expect("the pattern is right");
        let of = |expression| LinePattern { expression, naming: naming.clone(), entry: 0, line: 1 };
        described.expressions.into_iter().map(of).collect::<Vec<_>>()
    };
    let word = pattern("^%{WORD:event}(?:[ ,=](?<x>.*?))?(?<y>1*)$", Naming::Field("event".into()));
    let patterns = [pattern("combined", Naming::Constant("request".into())), word].concat();
    let records = InputRule {
        records: Some("a[].b[]".into()),
        naming: Naming::Constant("record".into()),
        fields: ["x", "y.z", "y[0]", "k[x=1].y", "$.x", "a[].x"].map(Into::into).into(),
        only_named: true,
        ..InputRule::default()
    };
    let flattened = InputRule { naming: Naming::Field("event".into()), ..InputRule::default() };
    vec![
        ("lines by pattern", Format::Lines, InputRule { patterns, ..InputRule::default() }),
        ("table", Format::Csv, InputRule { header: true, ..InputRule::default() }),
        ("records", Format::Json, records),
        ("flattened records", Format::Json, flattened),
    ]
}

/// What may be an export of a journal is read, or refused with a reason.
pub fn journal(data: &[u8]) {
    for start in [b"__CURSOR=".as_slice(), b"__CURSOR=\nA\n\x03\0\0\0\0\0\0\0"] {
        let stream = std::io::Cursor::new([start, data].concat());
        if let Err(error) = read_stream("bytes", stream, &ReadOptions::default(), &mut Listener) {
            assert!(!error.message.is_empty() && error.file.as_deref() == Some("bytes"), "{error}");
        }
    }
}

/// What another reader finds in a text, where it has an answer.
type Oracle = fn(&str) -> Option<Vec<Seen>>;

/// The formats that another reader reads as well.
const ORACLES: [(Format, Oracle); 5] = [
    (Format::Csv, oracle::csv),
    (Format::CsvNamed, oracle::csv_named),
    (Format::CsvPlain, oracle::csv_plain),
    (Format::Xml, oracle::xml),
    (Format::Json, oracle::json),
];

/// A detected format reads its text or says what is wrong with it, at a place within the text.
pub fn detection(data: &[u8]) {
    let Some((_, text)) = cuts_and_text(data) else { return };
    for extension in Format::READ.map(|format| Some(format.extension())).into_iter().chain([None]) {
        let Ok(format) = detect::detect(text, extension) else { continue };
        assert_eq!(detect::detect(text, extension).ok(), Some(format), "the answer depends on the text alone");
    }
    let _ = header_has_values(text);
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
pub fn agrees(format: Format, data: &[u8]) {
    let Some((_, text)) = cuts_and_text(data) else { return };
    let Some(whole) = agrees_by(format, &InputRule::default(), data) else { return };
    let oracle = ORACLES.iter().find(|(known, _)| *known == format);
    let Some(expected) = oracle.and_then(|(_, oracle)| oracle(text)) else { return };
    let found: Vec<Seen> = whole.found.into_iter().map(|Found { seen, .. }| seen).collect();
    assert_eq!(found, expected, "in {text:?}");
}

/// The decoder finds the same however the text is cut; what it finds, if that is no fault.
pub fn agrees_by(format: Format, input: &InputRule, data: &[u8]) -> Option<Outcome> {
    let (cuts, text) = cuts_and_text(data)?;
    let whole = format.with_decoder(input, Cut(text, &[]));
    let cut = format.with_decoder(input, Cut(text, &cuts));
    assert_eq!(cut, whole, "cuts {cuts:?} matter to {} in {text:?}", format.name());
    match &whole.fault {
        Some(fault) => {
            assert!(text.is_char_boundary(fault.offset), "{fault:?} is at no place of {text:?}");
            assert!(!fault.message.is_empty() && fault.hint.is_some(), "{fault:?} helps nobody");
        }
        None => return Some(whole),
    }
    None
}

/// A text and where to cut it.
struct Cut<'a>(&'a str, &'a [usize]);

impl DecoderUser for Cut<'_> {
    type Output = Outcome;

    fn with<D: Decoder>(self, decoder: D) -> Outcome {
        collect(decoder, self.0, self.1)
    }
}

/// Listens to everything and keeps nothing.
struct Listener;

impl EventSink for Listener {
    type Rows = NoRows;

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
