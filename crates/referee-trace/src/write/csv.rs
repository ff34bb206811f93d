//! `csv`: a header, then one row per event.
//!
//! ```text
//!  event ─▶ spool (field list, name, values)        while the trace is read
//!           fields of all events ─▶ columns ─▶ header
//!           spool ─▶ rows                           at the end
//! ```
//!
//! The header names the fields of all events, so it is known only at the end: rows wait in a spool, in memory while
//! they are few and in a file without a name otherwise. A field's place among the columns decides the order in which
//! a reader sees the fields of an event. The columns therefore follow the order that every event has; where two events
//! disagree the format cannot carry both.

use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use tempfile::{SpooledTempFile, spooled_tempfile, spooled_tempfile_in};

use super::cells::write_cell;
use super::{Record, TraceWriter, WriteError, check_no_nul};
use crate::error::TraceError;
use crate::format::Format;

mod columns;

use columns::FieldLists;

/// How many bytes of rows wait in memory.
const IN_MEMORY: usize = 1 << 20;

pub(super) struct CsvWriter<W> {
    out: W,
    lossy: bool,
    lists: FieldLists,
    spool: BufWriter<SpooledTempFile>,
}

impl<W: Write> CsvWriter<W> {
    pub(super) fn new(out: W, lossy: bool, spool_directory: Option<&Path>) -> Self {
        let spool = match spool_directory {
            Some(directory) => spooled_tempfile_in(IN_MEMORY, directory),
            None => spooled_tempfile(IN_MEMORY),
        };
        CsvWriter { out, lossy, lists: FieldLists::default(), spool: BufWriter::new(spool) }
    }

    fn write_header(&mut self, columns: &[Box<str>]) -> io::Result<()> {
        self.out.write_all(b"event")?;
        for column in columns {
            self.out.write_all(b",")?;
            write_cell(&mut self.out, column)?;
        }
        self.out.write_all(b"\n")
    }

    /// Writes the rows that wait. `places` tells for each field list which of its fields stands in which column.
    fn write_rows(&mut self, places: &[Vec<Option<usize>>]) -> io::Result<()> {
        self.spool.flush()?;
        let spool = self.spool.get_mut();
        spool.rewind()?;
        let mut spool = BufReader::new(spool);
        let (mut texts, mut ends) = (Vec::new(), Vec::new());
        while let Some(list) = read_count(&mut spool)? {
            let fields = self.lists.len_of(list);
            read_texts(&mut spool, fields + 1, &mut texts, &mut ends)?;
            let text = |index: usize| {
                let start = if index == 0 { 0 } else { ends[index - 1] };
                std::str::from_utf8(&texts[start..ends[index]]).map_err(io::Error::other)
            };
            write_cell(&mut self.out, text(0)?)?;
            for place in &places[list] {
                self.out.write_all(b",")?;
                if let Some(field) = place {
                    write_cell(&mut self.out, text(field + 1)?)?;
                }
            }
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }
}

impl<W: Write> TraceWriter for CsvWriter<W> {
    fn check_shape(&self, name: &str, fields: &[Box<str>]) -> Result<(), TraceError> {
        check_no_nul(Format::Csv, "event", name)?;
        fields.iter().try_for_each(|field| check_no_nul(Format::Csv, "field", field))
    }

    fn check_values(&self, record: &Record<'_>) -> Result<(), TraceError> {
        record.values.iter().try_for_each(|value| check_no_nul(Format::Csv, "value", value))
    }

    fn event(&mut self, record: &Record<'_>) -> io::Result<()> {
        let list = self.lists.find(record.fields);
        write_count(&mut self.spool, list)?;
        for text in std::iter::once(&record.name).chain(record.values) {
            write_count(&mut self.spool, text.len())?;
            self.spool.write_all(text.as_bytes())?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), WriteError> {
        let columns = self.lists.columns(self.lossy)?;
        self.write_header(&columns)?;
        let places = self.lists.places(&columns);
        self.write_rows(&places)?;
        Ok(self.out.flush()?)
    }
}

fn write_count(spool: &mut impl Write, count: usize) -> io::Result<()> {
    spool.write_all(&(count as u64).to_le_bytes())
}

/// Reads a count; nothing at the end of the spool.
fn read_count(spool: &mut impl Read) -> io::Result<Option<usize>> {
    let mut bytes = [0; 8];
    match spool.read_exact(&mut bytes) {
        Ok(()) => usize::try_from(u64::from_le_bytes(bytes)).map(Some).map_err(io::Error::other),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads texts, one behind the other, and where each of them ends.
fn read_texts(spool: &mut impl Read, count: usize, texts: &mut Vec<u8>, ends: &mut Vec<usize>) -> io::Result<()> {
    texts.clear();
    ends.clear();
    for _ in 0..count {
        let length = read_count(spool)?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let start = texts.len();
        texts.resize(start + length, 0);
        spool.read_exact(&mut texts[start..])?;
        ends.push(texts.len());
    }
    Ok(())
}
