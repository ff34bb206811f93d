//! `json`: `{"name":{"field":"value",…}}` per line.

use std::io::{self, Write};

use super::{Record, TraceWriter, WriteError};
use crate::error::TraceError;

pub(super) struct JsonWriter<W> {
    out: W,
}

impl<W: Write> JsonWriter<W> {
    pub(super) fn new(out: W) -> Self {
        JsonWriter { out }
    }
}

impl<W: Write> TraceWriter for JsonWriter<W> {
    fn check_shape(&self, _: &str, _: &[Box<str>]) -> Result<(), TraceError> {
        Ok(())
    }

    fn check_values(&self, _: &Record<'_>) -> Result<(), TraceError> {
        Ok(())
    }

    fn event(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.out.write_all(b"{")?;
        write_string(&mut self.out, record.name)?;
        self.out.write_all(b":{")?;
        for (position, (field, value)) in record.fields.iter().zip(record.values).enumerate() {
            self.out.write_all(if position > 0 { b"," } else { b"" })?;
            write_string(&mut self.out, field)?;
            self.out.write_all(b":")?;
            write_string(&mut self.out, value)?;
        }
        self.out.write_all(b"}}\n")
    }

    fn finish(&mut self) -> Result<(), WriteError> {
        Ok(self.out.flush()?)
    }
}

fn write_string(out: &mut impl Write, text: &str) -> io::Result<()> {
    out.write_all(b"\"")?;
    let mut rest = text;
    while let Some(at) = rest.find(|character| matches!(character, '"' | '\\' | '\0'..='\x1f')) {
        out.write_all(&rest.as_bytes()[..at])?;
        match rest.as_bytes()[at] {
            b'"' => out.write_all(b"\\\"")?,
            b'\\' => out.write_all(b"\\\\")?,
            b'\n' => out.write_all(b"\\n")?,
            b'\t' => out.write_all(b"\\t")?,
            b'\r' => out.write_all(b"\\r")?,
            control => write!(out, "\\u{control:04x}")?,
        }
        rest = &rest[at + 1..];
    }
    out.write_all(rest.as_bytes())?;
    out.write_all(b"\"")
}
