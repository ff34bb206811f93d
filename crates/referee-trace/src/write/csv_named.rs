//! `csv-named`: `name, field = value, …` per line.

use std::io::{self, Write};

use super::cells::write_cell;
use super::csv_plain::check_name;
use super::{Record, TraceWriter, WriteError, check_no_nul, unfit};
use crate::error::TraceError;
use crate::format::Format;

pub(super) struct CsvNamedWriter<W> {
    out: W,
    cell: String,
}

impl<W: Write> CsvNamedWriter<W> {
    pub(super) fn new(out: W) -> Self {
        CsvNamedWriter { out, cell: String::new() }
    }
}

impl<W: Write> TraceWriter for CsvNamedWriter<W> {
    fn check_shape(&self, name: &str, fields: &[Box<str>]) -> Result<(), TraceError> {
        check_name(Format::CsvNamed, name)?;
        for field in fields {
            check_no_nul(Format::CsvNamed, "field", field)?;
            check_trimmed("field", field)?;
            if field.is_empty() || field.contains('=') {
                return Err(unfit(Format::CsvNamed, "field", field, "a field's name is not empty and holds no `=`"));
            }
        }
        Ok(())
    }

    fn check_values(&self, record: &Record<'_>) -> Result<(), TraceError> {
        record.values.iter().try_for_each(|value| {
            check_no_nul(Format::CsvNamed, "value", value)?;
            check_trimmed("value", value)
        })
    }

    fn event(&mut self, record: &Record<'_>) -> io::Result<()> {
        write_cell(&mut self.out, record.name)?;
        for (field, value) in record.fields.iter().zip(record.values) {
            self.cell.clear();
            self.cell.extend([&**field, " = ", value]);
            self.out.write_all(b", ")?;
            write_cell(&mut self.out, &self.cell)?;
        }
        self.out.write_all(b"\n")
    }

    fn finish(&mut self) -> Result<(), WriteError> {
        Ok(self.out.flush()?)
    }
}

/// Refuses blanks at the ends: around `=` they do not count.
fn check_trimmed(what: &str, text: &str) -> Result<(), TraceError> {
    match text.trim_ascii() == text {
        true => Ok(()),
        false => Err(unfit(Format::CsvNamed, what, text, "blanks at its ends do not count")),
    }
}
