//! `monpoly`: `@ts P (v,…)(v,…) Q (v,…);` per point.

use std::io::{self, Write};

use super::abstract_::write_quoted;
use super::text::{Bytes, Text};
use super::{Record, TraceWriter, WriteError, check_no_nul};
use crate::error::TraceError;
use crate::format::Format;

/// What MonPoly itself reads as part of a word.
const PLAIN: Bytes = Bytes::of(b"_[]/:-.!").and(b'0', b'9').and(b'A', b'Z').and(b'a', b'z');

pub(super) struct MonpolyWriter<W> {
    text: Text<W>,
    /// The kind of event whose tuples are being written; events of one name in a row share it.
    kind: Option<usize>,
    /// The name of that kind; its room is kept from one point to the next.
    predicate: String,
}

impl<W: Write> MonpolyWriter<W> {
    pub(super) fn new(out: W) -> Self {
        MonpolyWriter { text: Text::new(out), kind: None, predicate: String::new() }
    }

    /// Begins the tuples of an event unless they have begun.
    fn open(&mut self, record: &Record<'_>) {
        let Some(kind) = self.kind.replace(record.kind) else { return self.name(record.name) };
        if kind != record.kind && self.predicate != record.name {
            self.name(record.name);
        }
    }

    fn name(&mut self, name: &str) {
        let out = self.text.waiting();
        out.push(b' ');
        write_word(out, name);
        out.push(b' ');
        self.predicate.clear();
        self.predicate.push_str(name);
    }
}

impl<W: Write> TraceWriter for MonpolyWriter<W> {
    fn check_shape(&self, name: &str, _: &[Box<str>]) -> Result<(), TraceError> {
        check_no_nul(Format::Monpoly, "event", name)
    }

    fn check_values(&self, values: &[&str]) -> Result<(), TraceError> {
        values.iter().try_for_each(|value| check_no_nul(Format::Monpoly, "value", value))
    }

    fn begin_point(&mut self, time: &str) -> io::Result<()> {
        self.kind = None;
        let out = self.text.waiting();
        out.push(b'@');
        out.extend_from_slice(time.as_bytes());
        Ok(())
    }

    fn event(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.open(record);
        let out = self.text.waiting();
        out.push(b'(');
        for (position, value) in record.values.iter().enumerate() {
            if position > 0 {
                out.push(b',');
            }
            match record.harmless {
                true => out.extend_from_slice(value.as_bytes()),
                false => write_word(out, value),
            }
        }
        out.push(b')');
        self.text.settle()
    }

    fn end_point(&mut self) -> io::Result<()> {
        self.text.waiting().extend_from_slice(b";\n");
        self.text.settle()
    }

    fn finish(&mut self) -> Result<(), WriteError> {
        Ok(self.text.finish()?)
    }
}

/// Writes a text, without quotes if MonPoly itself reads it as one word.
#[inline]
fn write_word(out: &mut Vec<u8>, text: &str) {
    match !text.is_empty() && PLAIN.make_up(text) {
        true => out.extend_from_slice(text.as_bytes()),
        false => write_quoted(out, text),
    }
}
