//! `csv-named`: `name, field = value, …` per line.

use std::io::{self, Write};

use super::cells::{write_cell, write_quoted};
use super::{Record, TraceWriter, WriteError, check_no_nul};
use crate::error::TraceError;
use crate::format::Format;

pub(super) struct CsvNamedWriter<W> {
    out: W,
}

impl<W: Write> CsvNamedWriter<W> {
    pub(super) fn new(out: W) -> Self {
        CsvNamedWriter { out }
    }

    fn write_field(&mut self, field: &str) -> io::Result<()> {
        match field.contains('=') {
            true => write_quoted(&mut self.out, field),
            false => write_cell(&mut self.out, field),
        }
    }
}

impl<W: Write> TraceWriter for CsvNamedWriter<W> {
    fn check_shape(&self, name: &str, fields: &[Box<str>]) -> Result<(), TraceError> {
        check_no_nul(Format::CsvNamed, "event", name)?;
        fields.iter().try_for_each(|field| check_no_nul(Format::CsvNamed, "field", field))
    }

    fn check_values(&self, record: &Record<'_>) -> Result<(), TraceError> {
        record.values.iter().try_for_each(|value| check_no_nul(Format::CsvNamed, "value", value))
    }

    fn event(&mut self, record: &Record<'_>) -> io::Result<()> {
        write_cell(&mut self.out, record.name)?;
        for (field, value) in record.fields.iter().zip(record.values) {
            self.out.write_all(b", ")?;
            self.write_field(field)?;
            self.out.write_all(b" = ")?;
            write_cell(&mut self.out, value)?;
        }
        self.out.write_all(b"\n")
    }

    fn finish(&mut self) -> Result<(), WriteError> {
        Ok(self.out.flush()?)
    }
}
