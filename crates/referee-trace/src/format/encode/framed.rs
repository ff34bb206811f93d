//! Formats in which an event is its values with fixed texts around them.
//!
//! ```text
//!   head      before  value  after   before  value  after   end
//!  "step"     ", n = "  7      ""     ", t = "  9     ""     "\n"      csv-named
//! ```
//!
//! The fixed texts of a kind of event are put together once, at its first event. Afterwards an event costs a copy of each
//! text and of each value, and one pass over values that are texts and hold more than letters, digits, `-` and `_`.

use std::io::{self, Write};
use std::marker::PhantomData;

use super::encoder::{Encoder, Record};
use super::entry::Entry;
use super::pieces::{Piece, put_integer};
use super::text::Text;
use crate::error::TraceError;
use crate::error::WriteError;

/// What a format puts around values, and how it writes them.
pub(crate) trait TextLayout {
    /// Before all events.
    const OPENING: &'static [u8] = b"";
    /// After all events.
    const CLOSING: &'static [u8] = b"";
    /// Behind each value.
    const AFTER: &'static [u8] = b"";
    /// Behind the last value and what follows it.
    const END: &'static [u8];

    /// Refuses names that the format cannot hold.
    fn check_shape(name: &str, fields: &[Box<str>]) -> Result<(), TraceError>;

    /// Refuses a value that the format cannot hold.
    fn check_value(value: &str) -> Result<(), TraceError>;

    /// What an event begins with.
    fn head(out: &mut Vec<u8>, name: &str);

    /// What stands before the value of a field.
    fn before(out: &mut Vec<u8>, position: usize, field: &str);

    /// What stands right around every value, and belongs to what is before and behind it.
    const QUOTE: &'static [u8] = b"";

    /// A value, without what stands around every one. It may be written as it is if it is harmless.
    fn value(out: &mut Vec<u8>, value: &str);
}

/// Writes events in a layout.
pub(crate) struct FramedEncoder<L, W> {
    text: Text<W>,
    frames: Vec<Option<Frame>>,
    layout: PhantomData<L>,
}

/// The texts around the values of a kind of event.
#[derive(Debug)]
struct Frame {
    /// What stands before each value, up to the value before it.
    before: Box<[Piece]>,
    /// What stands behind the last value.
    end: Piece,
}

impl<L: TextLayout, W: Write> FramedEncoder<L, W> {
    pub(crate) fn new(out: W) -> Self {
        let mut text = Text::new(out);
        text.waiting().extend_from_slice(L::OPENING);
        FramedEncoder { text, frames: Vec::new(), layout: PhantomData }
    }
}

impl Frame {
    fn new<L: TextLayout>(record: &Record<'_>) -> Frame {
        let mut text = Vec::new();
        L::head(&mut text, record.name);
        let mut before = Vec::with_capacity(record.fields.len());
        for (position, field) in record.fields.iter().enumerate() {
            if position > 0 {
                text.extend_from_slice(L::QUOTE);
                text.extend_from_slice(L::AFTER);
            }
            L::before(&mut text, position, field);
            text.extend_from_slice(L::QUOTE);
            before.push(Piece::new(&text));
            text.clear();
        }
        if !record.fields.is_empty() {
            text.extend_from_slice(L::QUOTE);
            text.extend_from_slice(L::AFTER);
        }
        text.extend_from_slice(L::END);
        Frame { before: before.into(), end: Piece::new(&text) }
    }
}

impl<L: TextLayout, W: Write> Encoder for FramedEncoder<L, W> {
    fn check_shape(&self, name: &str, fields: &[Box<str>]) -> Result<(), TraceError> {
        L::check_shape(name, fields)
    }

    fn check_value(&self, value: &str) -> Result<(), TraceError> {
        L::check_value(value)
    }

    fn lead(&mut self, number: u64, time: Entry<'_>) {
        let out = self.text.waiting();
        put_integer(out, number.cast_signed());
        out.extend_from_slice(b" @");
        time.append_to(out);
        out.push(b' ');
    }

    fn event(&mut self, record: &Record<'_>) -> io::Result<()> {
        if self.frames.len() <= record.kind {
            self.frames.resize_with(record.kind + 1, || None);
        }
        let frame = self.frames[record.kind].get_or_insert_with(|| Frame::new::<L>(record));
        let out = self.text.waiting();
        let (own, more) = frame.before.split_at(record.own.len());
        for (before, values) in [(own, record.own), (more, record.more)] {
            for (before, value) in before.iter().zip(values) {
                before.put(out);
                value.put(out, L::value);
            }
        }
        frame.end.put(out);
        self.text.settle()
    }

    fn finish(&mut self) -> Result<(), WriteError> {
        self.text.waiting().extend_from_slice(L::CLOSING);
        Ok(self.text.finish()?)
    }
}
