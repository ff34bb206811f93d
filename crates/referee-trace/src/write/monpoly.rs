//! `monpoly`: `@ts P (v,…)(v,…) Q (v,…);` per point.

use std::io::{self, Write};

use super::abstract_::write_quoted;
use super::{Record, TraceWriter, WriteError, check_no_nul};
use crate::error::TraceError;
use crate::format::Format;

pub(super) struct MonpolyWriter<W> {
    out: W,
    /// The predicate whose tuples are being written; events of one name in a row share it.
    predicate: Option<String>,
}

impl<W: Write> MonpolyWriter<W> {
    pub(super) fn new(out: W) -> Self {
        MonpolyWriter { out, predicate: None }
    }
}

impl<W: Write> TraceWriter for MonpolyWriter<W> {
    fn check_shape(&self, name: &str, _: &[Box<str>]) -> Result<(), TraceError> {
        check_no_nul(Format::Monpoly, "event", name)
    }

    fn check_values(&self, record: &Record<'_>) -> Result<(), TraceError> {
        record.values.iter().try_for_each(|value| check_no_nul(Format::Monpoly, "value", value))
    }

    fn begin_point(&mut self, time: &str) -> io::Result<()> {
        self.predicate = None;
        write!(self.out, "@{time}")
    }

    fn event(&mut self, record: &Record<'_>) -> io::Result<()> {
        if self.predicate.as_deref() != Some(record.name) {
            self.out.write_all(b" ")?;
            write_word(&mut self.out, record.name)?;
            self.out.write_all(b" ")?;
            self.predicate = Some(record.name.to_owned());
        }
        self.out.write_all(b"(")?;
        for (position, value) in record.values.iter().enumerate() {
            self.out.write_all(if position > 0 { b"," } else { b"" })?;
            write_word(&mut self.out, value)?;
        }
        self.out.write_all(b")")
    }

    fn end_point(&mut self) -> io::Result<()> {
        self.out.write_all(b";\n")
    }

    fn finish(&mut self) -> Result<(), WriteError> {
        Ok(self.out.flush()?)
    }
}

/// Writes a text, without quotes if MonPoly itself reads it as one word.
fn write_word(out: &mut impl Write, text: &str) -> io::Result<()> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_[]/:-.!".contains(&byte);
    match !text.is_empty() && text.bytes().all(plain) {
        true => out.write_all(text.as_bytes()),
        false => write_quoted(out, text),
    }
}
