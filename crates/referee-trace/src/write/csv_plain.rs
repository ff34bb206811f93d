//! `csv-plain`: `name,value,…` per line.

use std::io::{self, Write};

use super::cells::write_cell;
use super::{Record, TraceWriter, WriteError, check_no_nul};
use crate::error::TraceError;
use crate::format::Format;

pub(super) struct CsvPlainWriter<W> {
    out: W,
}

impl<W: Write> CsvPlainWriter<W> {
    pub(super) fn new(out: W) -> Self {
        CsvPlainWriter { out }
    }
}

impl<W: Write> TraceWriter for CsvPlainWriter<W> {
    fn check_shape(&self, name: &str, _: &[Box<str>]) -> Result<(), TraceError> {
        check_no_nul(Format::CsvPlain, "event", name)
    }

    fn check_values(&self, record: &Record<'_>) -> Result<(), TraceError> {
        record.values.iter().try_for_each(|value| check_no_nul(Format::CsvPlain, "value", value))
    }

    fn event(&mut self, record: &Record<'_>) -> io::Result<()> {
        write_cell(&mut self.out, record.name)?;
        for value in record.values {
            self.out.write_all(b",")?;
            write_cell(&mut self.out, value)?;
        }
        self.out.write_all(b"\n")
    }

    fn finish(&mut self) -> Result<(), WriteError> {
        Ok(self.out.flush()?)
    }
}
