//! Whether a text that was written will be taken for what it is.
//!
//! Who reads a trace need not name its format: the text tells. Plain rows such as `e,a=b` tell wrongly, for they look like rows that name
//! their fields. So the first bytes of what is written are kept and looked at as a reader would.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use crate::error::{Flow, Stop, TraceError};
use crate::format::detect::{HEAD, detect};
use crate::format::{Block, Decoder, DecoderUser, Format, InputRule};
use crate::raw::{NoRawRows, RawEvent, RawSink, Shape, ShapeId, Shapes, Want};

/// The first bytes of a text.
pub(super) type Beginning = Rc<RefCell<Vec<u8>>>;

/// Passes a text on, and keeps how it begins.
pub(super) struct Remembering<W> {
    /// Where the text goes.
    pub out: W,
    /// How it begins.
    pub beginning: Beginning,
}

impl<W: Write> Write for Remembering<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        let mut beginning = self.beginning.borrow_mut();
        let room = HEAD - beginning.len().min(HEAD);
        beginning.extend_from_slice(&bytes[..written.min(room)]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Refuses a text in a format that a reader would read as something else.
pub(super) fn refuse_mistakable(format: Format, beginning: &[u8]) -> Result<(), TraceError> {
    let whole = beginning.len() < HEAD;
    let text = match std::str::from_utf8(beginning) {
        Ok(text) => text,
        Err(cut) => std::str::from_utf8(&beginning[..cut.valid_up_to()]).unwrap_or_default(),
    };
    let taken_for = match detect(text, None) {
        Ok(found) if found == format || reads_alike(text, whole, format, found) => return Ok(()),
        Ok(found) => found.name(),
        Err(_) => "binary data",
    };
    let name = format.name();
    Err(TraceError::new(format!("what {name} makes of this trace looks like {taken_for}, and would be read as that"))
        .hint(format!("write another format, or write it all the same with --lossy and read it with --format {name}")))
}

/// Whether two formats make the same events of a text.
fn reads_alike(text: &str, whole: bool, one: Format, other: Format) -> bool {
    let read = |format: Format| format.with_decoder(&InputRule::default(), Rereading { text, whole });
    match (read(one), read(other)) {
        (Some(one), Some(other)) if whole => one == other,
        (Some(one), Some(other)) => one.iter().zip(&other).all(|(one, other)| one == other),
        _ => false,
    }
}

/// Decodes a text in one piece; nothing if it cannot be decoded.
struct Rereading<'t> {
    text: &'t str,
    whole: bool,
}

impl DecoderUser for Rereading<'_> {
    type Output = Option<Vec<Vec<String>>>;

    fn with<D: Decoder>(self, mut decoder: D) -> Self::Output {
        let mut reread = Reread::default();
        let block = Block { text: self.text, last: self.whole };
        match decoder.decode(block, &mut Shapes::new(), &mut reread) {
            Ok(_) | Err(Stop::Enough) => Some(reread.found),
            Err(Stop::Fault(_)) => None,
        }
    }
}

/// Collects events, each as its name, its fields and its values, and points as their times.
#[derive(Default)]
struct Reread {
    shapes: Vec<Shape>,
    found: Vec<Vec<String>>,
}

impl RawSink for Reread {
    type Rows = NoRawRows;

    fn shape(&mut self, _: ShapeId, shape: &Shape) -> Want {
        self.shapes.push(shape.clone());
        Want::ALL
    }

    fn event(&mut self, event: RawEvent<'_>) -> Flow {
        let Shape { name, fields } = &self.shapes[event.shape.index()];
        let pairs = fields.iter().zip(event.values).flat_map(|(field, value)| [field.to_string(), value.to_string()]);
        self.found.push(std::iter::once(name.to_string()).chain(pairs).collect());
        Ok(())
    }

    fn point(&mut self, time: &str, _: usize) -> Flow {
        self.found.push(vec![String::new(), time.to_owned()]);
        Ok(())
    }
}
