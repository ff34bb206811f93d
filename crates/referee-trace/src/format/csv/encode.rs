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
//! disagree the format cannot carry both. Where all kinds of events are told beforehand, as generators can, so is the header,
//! and rows do not wait.

use std::io::{self, Write};
use std::path::Path;

use super::DESCRIPTION;
use crate::error::TraceError;
use crate::error::WriteError;
use crate::format::encode::cells::write_cell;
use crate::format::encode::encoder::{EncodeOptions, Encoder, Record, check_no_nul};
use crate::format::encode::pieces::{Piece, put_short};
use crate::format::encode::text::Text;

mod columns;
mod spool;

use columns::FieldLists;
use spool::Spool;

/// Writes the format.
pub(crate) fn encoder<W: Write>(out: W, options: EncodeOptions<'_>) -> impl Encoder + use<W> {
    CsvEncoder::new(out, options.lossy, options.spool_directory)
}

struct CsvEncoder<W> {
    text: Text<W>,
    lossy: bool,
    lists: FieldLists,
    kinds: Vec<Option<RowKind>>,
    /// For each list of fields, what stands in which column, once the header is written.
    places: Option<Places>,
    spool: Spool,
}

/// For each list of fields and each column, which field of the list stands there.
type Places = Vec<Vec<Option<usize>>>;

/// What the events of a kind have in common.
#[derive(Debug)]
struct RowKind {
    /// The event's name as a cell.
    name: Box<[u8]>,
    /// The number of its list of fields.
    list: usize,
    /// What stands around its cells, once the header is written.
    frame: Option<TableFrame>,
}

/// What stands around the cells of a row: the name and the commas of the columns that are blank.
#[derive(Debug)]
struct TableFrame {
    /// The fields in the order of their columns, each with what stands before it.
    cells: Box<[(Piece, usize)]>,
    end: Piece,
}

impl TableFrame {
    fn new(name: &[u8], places: &[Option<usize>]) -> TableFrame {
        let (mut text, mut cells) = (name.to_vec(), Vec::new());
        for place in places {
            text.push(b',');
            if let Some(field) = *place {
                cells.push((Piece::new(&text), field));
                text.clear();
            }
        }
        text.push(b'\n');
        TableFrame { cells: cells.into(), end: Piece::new(&text) }
    }
}

impl<W: Write> CsvEncoder<W> {
    fn new(out: W, lossy: bool, spool_directory: Option<&Path>) -> Self {
        let spool = Spool::new(spool_directory);
        let (lists, kinds) = (FieldLists::default(), Vec::new());
        CsvEncoder { text: Text::new(out), lossy, lists, kinds, places: None, spool }
    }

    /// Meets a kind of event for the first time.
    #[cold]
    fn meet(&mut self, record: &Record<'_>) -> io::Result<()> {
        if self.kinds.len() <= record.kind {
            self.kinds.resize_with(record.kind + 1, || None);
        }
        let mut name = Vec::new();
        write_cell(&mut name, record.name);
        let list = self.lists.find(record.fields);
        let frame = match &self.places {
            None => None,
            Some(places) => Some(TableFrame::new(&name, places.get(list).ok_or_else(|| unforeseen(record.name))?)),
        };
        self.kinds[record.kind] = Some(RowKind { name: name.into(), list, frame });
        Ok(())
    }

    /// Writes the header of the fields that are known by now.
    fn begin(&mut self) -> Result<(), TraceError> {
        let columns = self.lists.columns(self.lossy)?;
        self.write_header(&columns);
        let places = self.lists.places(&columns);
        for kind in self.kinds.iter_mut().flatten() {
            kind.frame = Some(TableFrame::new(&kind.name, &places[kind.list]));
        }
        self.places = Some(places);
        Ok(())
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

    /// Writes the rows that wait.
    fn write_rows(&mut self) -> io::Result<()> {
        let mut rows = self.spool.rows()?;
        while let Some(row) = rows.next()? {
            let Some(Some(RowKind { list, frame: Some(frame), .. })) = self.kinds.get(row.kind) else { continue };
            let out = self.text.waiting();
            for (before, field) in &frame.cells {
                before.put(out);
                put_short(out, row.cell(*field, self.lists.len_of(*list)));
            }
            frame.end.put(out);
            self.text.settle()?;
        }
        Ok(())
    }
}

impl<W: Write> Encoder for CsvEncoder<W> {
    fn check_shape(&self, name: &str, fields: &[Box<str>]) -> Result<(), TraceError> {
        check_no_nul(DESCRIPTION.name, "event", name)?;
        fields.iter().try_for_each(|field| check_no_nul(DESCRIPTION.name, "field", field))
    }

    fn check_value(&self, value: &str) -> Result<(), TraceError> {
        check_no_nul(DESCRIPTION.name, "value", value)
    }

    fn foresee(&mut self, kinds: &[Record<'_>]) -> Result<(), TraceError> {
        for kind in kinds {
            self.lists.find(kind.fields);
        }
        self.begin()
    }

    fn event(&mut self, record: &Record<'_>) -> io::Result<()> {
        if !matches!(self.kinds.get(record.kind), Some(Some(_))) {
            self.meet(record)?;
        }
        let Some(Some(RowKind { frame: Some(frame), .. })) = self.kinds.get(record.kind) else {
            return self.spool.push(record.kind, record.own, record.more);
        };
        let out = self.text.waiting();
        for (before, field) in &frame.cells {
            before.put(out);
            record.value(*field).put(out, write_cell);
        }
        frame.end.put(out);
        self.text.settle()
    }

    fn finish(&mut self) -> Result<(), WriteError> {
        if self.places.is_none() {
            self.begin()?;
        }
        self.write_rows()?;
        Ok(self.text.finish()?)
    }
}

#[cold]
fn unforeseen(event: &str) -> io::Error {
    io::Error::other(format!("the header of csv is written, and the fields of `{event}` were not told before"))
}
