//! `csv`: a header, then one row per event.
//!
//! ```text
//!  event ─▶ spool (kind, cells)                     while the trace is read
//!           fields of all events ─▶ columns ─▶ header
//!           spool ─▶ rows                           at the end
//! ```
//!
//! The header names the fields of all events, so it is known only at the end: rows wait in a spool, in memory while
//! they are few and in a file without a name otherwise. A field's place among the columns decides the order in which
//! a reader sees the fields of an event. The columns therefore follow the order that every event has; where two events
//! disagree the format cannot carry both.

use std::io::{self, Write};
use std::path::Path;

use super::cells::write_cell;
use super::text::Text;
use super::{Record, TraceWriter, WriteError, check_no_nul};
use crate::error::TraceError;
use crate::format::Format;

mod columns;
mod spool;

use columns::FieldLists;
use spool::Spool;

pub(super) struct CsvWriter<W> {
    text: Text<W>,
    lossy: bool,
    lists: FieldLists,
    kinds: Vec<Option<Kind>>,
    spool: Spool,
}

/// What the events of a kind have in common.
#[derive(Debug)]
struct Kind {
    /// The event's name as a cell.
    name: Box<[u8]>,
    /// The number of its list of fields.
    list: usize,
}

impl<W: Write> CsvWriter<W> {
    pub(super) fn new(out: W, lossy: bool, spool_directory: Option<&Path>) -> Self {
        let spool = Spool::new(spool_directory);
        CsvWriter { text: Text::new(out), lossy, lists: FieldLists::default(), kinds: Vec::new(), spool }
    }

    /// Meets a kind of event for the first time.
    #[cold]
    fn meet(&mut self, record: &Record<'_>) {
        if self.kinds.len() <= record.kind {
            self.kinds.resize_with(record.kind + 1, || None);
        }
        let mut name = Vec::new();
        write_cell(&mut name, record.name);
        self.kinds[record.kind] = Some(Kind { name: name.into(), list: self.lists.find(record.fields) });
    }

    fn write_header(&mut self, columns: &[Box<str>]) {
        let out = self.text.waiting();
        out.extend_from_slice(b"event");
        for column in columns {
            out.push(b',');
            write_cell(out, column);
        }
        out.push(b'\n');
    }

    /// Writes the rows that wait. `places` tells for each field list which of its fields stands in which column.
    fn write_rows(&mut self, places: &[Vec<Option<usize>>]) -> io::Result<()> {
        let mut rows = self.spool.rows()?;
        while let Some(row) = rows.next()? {
            let Some(Some(kind)) = self.kinds.get(row.kind) else { continue };
            let out = self.text.waiting();
            out.extend_from_slice(&kind.name);
            for place in &places[kind.list] {
                out.push(b',');
                if let Some(field) = *place {
                    out.extend_from_slice(row.cell(field, self.lists.len_of(kind.list)));
                }
            }
            out.push(b'\n');
            self.text.settle()?;
        }
        Ok(())
    }
}

impl<W: Write> TraceWriter for CsvWriter<W> {
    fn check_shape(&self, name: &str, fields: &[Box<str>]) -> Result<(), TraceError> {
        check_no_nul(Format::Csv, "event", name)?;
        fields.iter().try_for_each(|field| check_no_nul(Format::Csv, "field", field))
    }

    fn check_values(&self, values: &[&str]) -> Result<(), TraceError> {
        values.iter().try_for_each(|value| check_no_nul(Format::Csv, "value", value))
    }

    fn event(&mut self, record: &Record<'_>) -> io::Result<()> {
        if !matches!(self.kinds.get(record.kind), Some(Some(_))) {
            self.meet(record);
        }
        self.spool.push(record.kind, record.values)
    }

    fn finish(&mut self) -> Result<(), WriteError> {
        let columns = self.lists.columns(self.lossy)?;
        self.write_header(&columns);
        let places = self.lists.places(&columns);
        self.write_rows(&places)?;
        Ok(self.text.finish()?)
    }
}
