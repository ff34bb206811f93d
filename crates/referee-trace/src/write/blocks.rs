//! `blocks`: a name line, `field = value` lines, and a blank line.

use std::io::{self, Write};

use super::{Record, TraceWriter, WriteError, check_no_nul, unfit};
use crate::error::TraceError;
use crate::format::Format;

pub(super) struct BlocksWriter<W> {
    out: W,
}

impl<W: Write> BlocksWriter<W> {
    pub(super) fn new(out: W) -> Self {
        BlocksWriter { out }
    }
}

impl<W: Write> TraceWriter for BlocksWriter<W> {
    fn check_shape(&self, name: &str, fields: &[Box<str>]) -> Result<(), TraceError> {
        check_key("event", name)?;
        fields.iter().try_for_each(|field| check_key("field", field))
    }

    fn check_values(&self, record: &Record<'_>) -> Result<(), TraceError> {
        record.values.iter().try_for_each(|value| check_line("value", value))
    }

    fn event(&mut self, record: &Record<'_>) -> io::Result<()> {
        writeln!(self.out, "{}", record.name)?;
        for (field, value) in record.fields.iter().zip(record.values) {
            writeln!(self.out, "{field} = {value}")?;
        }
        self.out.write_all(b"\n")
    }

    fn finish(&mut self) -> Result<(), WriteError> {
        Ok(self.out.flush()?)
    }
}

fn check_key(what: &str, text: &str) -> Result<(), TraceError> {
    if text.contains('=') {
        return Err(unfit(Format::Blocks, what, text, "`=` stands between a field and its value"));
    }
    check_line(what, text)
}

fn check_line(what: &str, text: &str) -> Result<(), TraceError> {
    if text.contains('\n') || text.trim_ascii() != text {
        return Err(unfit(Format::Blocks, what, text, "it stands on one line, whose outer blanks do not count"));
    }
    check_no_nul(Format::Blocks, what, text)
}
