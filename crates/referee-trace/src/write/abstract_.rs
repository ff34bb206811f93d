//! `abstract`: one term per line.

use std::fmt;
use std::io::{self, Write};

use super::{Record, TraceWriter, WriteError, check_no_nul};
use crate::error::TraceError;
use crate::format::Format;
use crate::number::Number;

/// An event as a term, `a(1,x)`: what the format `abstract` reads.
#[derive(Debug, Clone, Copy)]
pub struct Term<'a> {
    /// The event's name.
    pub name: &'a str,
    /// Its values.
    pub values: &'a [&'a str],
}

impl fmt::Display for Term<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match is_plain(self.name) {
            true => f.write_str(self.name)?,
            false => Quoted(self.name).fmt(f)?,
        }
        f.write_str("(")?;
        for (position, value) in self.values.iter().enumerate() {
            f.write_str(if position > 0 { "," } else { "" })?;
            match is_plain(value) || is_number(value) {
                true => f.write_str(value)?,
                false => Quoted(value).fmt(f)?,
            }
        }
        f.write_str(")")
    }
}

/// Whether a text needs no quotes anywhere.
fn is_plain(text: &str) -> bool {
    let plain = |character: char| character.is_alphanumeric() || "_-+/:$%&*<>=!?'".contains(character);
    !text.is_empty() && text.chars().all(plain)
}

/// Whether a value needs no quotes although it may hold a dot.
fn is_number(value: &str) -> bool {
    value.starts_with(|first: char| first == '-' || first.is_ascii_digit()) && Number::parse(value).is_some()
}

/// A text in quotes, with `\" \\ \n \t \r` where needed.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        let mut rest = self.0;
        while let Some(at) = rest.find(['"', '\\', '\n', '\t', '\r']) {
            f.write_str(&rest[..at])?;
            f.write_str(match rest.as_bytes()[at] {
                b'"' => "\\\"",
                b'\\' => "\\\\",
                b'\n' => "\\n",
                b'\t' => "\\t",
                _ => "\\r",
            })?;
            rest = &rest[at + 1..];
        }
        write!(f, "{rest}\"")
    }
}

/// Writes a text in quotes, as both formats of terms read it.
pub(super) fn write_quoted(out: &mut impl Write, text: &str) -> io::Result<()> {
    write!(out, "{}", Quoted(text))
}

pub(super) struct AbstractWriter<W> {
    out: W,
}

impl<W: Write> AbstractWriter<W> {
    pub(super) fn new(out: W) -> Self {
        AbstractWriter { out }
    }
}

impl<W: Write> TraceWriter for AbstractWriter<W> {
    fn check_shape(&self, name: &str, _: &[Box<str>]) -> Result<(), TraceError> {
        check_no_nul(Format::Abstract, "event", name)
    }

    fn check_values(&self, record: &Record<'_>) -> Result<(), TraceError> {
        record.values.iter().try_for_each(|value| check_no_nul(Format::Abstract, "value", value))
    }

    fn event(&mut self, record: &Record<'_>) -> io::Result<()> {
        writeln!(self.out, "{}", Term { name: record.name, values: record.values })
    }

    fn finish(&mut self) -> Result<(), WriteError> {
        Ok(self.out.flush()?)
    }
}
