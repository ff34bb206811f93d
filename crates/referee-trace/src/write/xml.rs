//! `xml`: `<event>` elements, one per line, in a `<log>`.

use std::io::{self, Write};

use super::{Record, TraceWriter, WriteError, unfit};
use crate::error::TraceError;
use crate::format::Format;

pub(super) struct XmlWriter<W> {
    out: W,
    started: bool,
}

impl<W: Write> XmlWriter<W> {
    pub(super) fn new(out: W) -> Self {
        XmlWriter { out, started: false }
    }

    fn start(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.started, true) {
            true => Ok(()),
            false => self.out.write_all(b"<log>\n"),
        }
    }
}

impl<W: Write> TraceWriter for XmlWriter<W> {
    fn check_shape(&self, name: &str, fields: &[Box<str>]) -> Result<(), TraceError> {
        check_characters("event", name)?;
        fields.iter().try_for_each(|field| check_characters("field", field))
    }

    fn check_values(&self, record: &Record<'_>) -> Result<(), TraceError> {
        record.values.iter().try_for_each(|value| check_characters("value", value))
    }

    fn event(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.start()?;
        self.out.write_all(b"<event><name>")?;
        write_text(&mut self.out, record.name)?;
        self.out.write_all(b"</name>")?;
        for (field, value) in record.fields.iter().zip(record.values) {
            self.out.write_all(b"<field><name>")?;
            write_text(&mut self.out, field)?;
            self.out.write_all(b"</name><value>")?;
            write_text(&mut self.out, value)?;
            self.out.write_all(b"</value></field>")?;
        }
        self.out.write_all(b"</event>\n")
    }

    fn finish(&mut self) -> Result<(), WriteError> {
        self.start()?;
        self.out.write_all(b"</log>\n")?;
        Ok(self.out.flush()?)
    }
}

/// Refuses characters that no XML document may hold, not even as a reference.
fn check_characters(what: &str, text: &str) -> Result<(), TraceError> {
    let allowed =
        |character| !matches!(character, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}');
    match text.chars().all(allowed) {
        true => Ok(()),
        false => Err(unfit(Format::Xml, what, text, "XML forbids one of its characters")),
    }
}

/// Writes a text with references for markup, for line breaks and tabs, and for blanks at its ends.
fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    let inner = text.trim_matches(' ');
    let leading = text.len() - text.trim_start_matches(' ').len();
    let trailing = text.len() - leading - inner.len();
    out.write_all("&#32;".repeat(leading).as_bytes())?;
    let mut rest = inner;
    while let Some(at) = rest.find(['&', '<', '>', '\n', '\r', '\t']) {
        out.write_all(&rest.as_bytes()[..at])?;
        match rest.as_bytes()[at] {
            b'&' => out.write_all(b"&amp;")?,
            b'<' => out.write_all(b"&lt;")?,
            b'>' => out.write_all(b"&gt;")?,
            blank => write!(out, "&#{blank};")?,
        }
        rest = &rest[at + 1..];
    }
    out.write_all(rest.as_bytes())?;
    out.write_all("&#32;".repeat(trailing).as_bytes())
}
