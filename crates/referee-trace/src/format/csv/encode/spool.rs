//! Rows that wait for their header: in memory while they are few, in a file without a name otherwise.
//!
//! ```text
//!  length │ kind │ where each cell ends … │ the cells, one behind the other
//! ```
//!
//! Numbers have four bytes. Rows are collected and handed on in large pieces, and come back the same way: a row costs two copies.

use std::io::{self, Read, Seek, Write};
use std::path::Path;

use tempfile::{SpooledTempFile, spooled_tempfile, spooled_tempfile_in};

use crate::format::encode::cells::write_cell;
use crate::format::encode::entry::Entry;

/// How many bytes of rows wait in memory.
const IN_MEMORY: usize = 1 << 20;
/// How many bytes are handed on together.
const FULL: usize = 256 * 1024;
/// How many bytes a number takes.
const NUMBER: usize = 4;

pub(crate) struct Spool {
    file: SpooledTempFile,
    waiting: Vec<u8>,
}

impl Spool {
    /// A spool in a directory, or where the system keeps such files.
    pub(crate) fn new(directory: Option<&Path>) -> Spool {
        let file = match directory {
            Some(directory) => spooled_tempfile_in(IN_MEMORY, directory),
            None => spooled_tempfile(IN_MEMORY),
        };
        Spool { file, waiting: Vec::new() }
    }

    /// Adds a row with these values, and more behind them.
    pub(crate) fn push(&mut self, kind: usize, own: &[Entry<'_>], more: &[Entry<'_>]) -> io::Result<()> {
        let start = self.waiting.len();
        let cells = start + NUMBER * (2 + own.len() + more.len());
        self.waiting.resize(cells, 0);
        self.put(start + NUMBER, kind)?;
        for (index, value) in own.iter().chain(more).enumerate() {
            value.put(&mut self.waiting, write_cell);
            self.put(start + NUMBER * (2 + index), self.waiting.len() - cells)?;
        }
        self.put(start, self.waiting.len() - start)?;
        if self.waiting.len() < FULL { Ok(()) } else { self.hand_on() }
    }

    /// Sets a number.
    #[inline]
    fn put(&mut self, at: usize, number: usize) -> io::Result<()> {
        let number = u32::try_from(number).map_err(|_| io::Error::other("an event has more than 4 GB of text"))?;
        self.waiting[at..at + NUMBER].copy_from_slice(&number.to_le_bytes());
        Ok(())
    }

    #[cold]
    fn hand_on(&mut self) -> io::Result<()> {
        self.file.write_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }

    /// All rows, from the first one.
    pub(crate) fn rows(&mut self) -> io::Result<SpooledRows<'_>> {
        self.hand_on()?;
        self.file.rewind()?;
        Ok(SpooledRows { file: &mut self.file, bytes: Vec::new(), start: 0, is_end: false })
    }
}

/// Rows as they come back.
pub(crate) struct SpooledRows<'s> {
    file: &'s mut SpooledTempFile,
    /// What has been read.
    bytes: Vec<u8>,
    /// Where the next row begins.
    start: usize,
    is_end: bool,
}

/// A row that has come back.
pub(crate) struct Row<'r> {
    /// The number of its kind.
    pub kind: usize,
    bytes: &'r [u8],
}

impl SpooledRows<'_> {
    /// The next row; nothing at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Row<'_>>> {
        if self.has(NUMBER)? {
            let length = number(&self.bytes[self.start..], 0);
            if length >= 2 * NUMBER && self.has(length)? {
                let bytes = &self.bytes[self.start..self.start + length];
                self.start += length;
                return Ok(Some(Row { kind: number(bytes, 1), bytes: &bytes[2 * NUMBER..] }));
            }
        }
        match self.start == self.bytes.len() {
            true => Ok(None),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Whether so many bytes are there; reads on where they are not.
    #[inline]
    fn has(&mut self, length: usize) -> io::Result<bool> {
        while self.bytes.len() - self.start < length && !self.is_end {
            self.read_on()?;
        }
        Ok(self.bytes.len() - self.start >= length)
    }

    #[cold]
    fn read_on(&mut self) -> io::Result<()> {
        self.bytes.drain(..self.start);
        self.start = 0;
        let read = Read::by_ref(self.file).take(FULL as u64).read_to_end(&mut self.bytes)?;
        self.is_end = read == 0;
        Ok(())
    }
}

impl Row<'_> {
    /// The text of a cell. Cells are as many as the kind has fields.
    #[inline]
    pub(crate) fn cell(&self, index: usize, of: usize) -> &[u8] {
        let cells = &self.bytes[NUMBER * of..];
        let start = if index == 0 { 0 } else { number(self.bytes, index - 1) };
        &cells[start..number(self.bytes, index)]
    }
}

/// The number in a place.
#[inline]
fn number(bytes: &[u8], place: usize) -> usize {
    let at = NUMBER * place;
    let mut number = [0; NUMBER];
    number.copy_from_slice(&bytes[at..at + NUMBER]);
    u32::from_le_bytes(number) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_in_order_from_memory_and_from_a_file() {
        for count in [0usize, 1, 5, 60_000] {
            let mut spool = Spool::new(None);
            for row in 0..count {
                let number = row.to_string();
                let values = [&number, "", "a,b"].map(Entry::of);
                spool.push(row % 3, &values[..row % 3], &[]).expect("there is room");
            }
            let mut rows = spool.rows().expect("they come back");
            for number in 0..count {
                let row = rows.next().expect("readable").expect("there is one");
                assert_eq!(row.kind, number % 3);
                if row.kind > 0 {
                    assert_eq!(row.cell(0, row.kind), number.to_string().as_bytes());
                }
                if row.kind > 1 {
                    assert_eq!(row.cell(1, 2), b"\"\"");
                }
            }
            assert!(rows.next().expect("readable").is_none());
        }
    }

    #[test]
    fn a_row_may_be_longer_than_what_is_read_at_once() {
        let mut spool = Spool::new(None);
        let long = "x".repeat(3 * FULL);
        for value in ["a", &long, "b"] {
            spool.push(0, &[], &[Entry::of(value)]).expect("there is room");
        }
        let mut rows = spool.rows().expect("they come back");
        for value in ["a", &long, "b"] {
            assert_eq!(rows.next().expect("readable").expect("there is one").cell(0, 1), value.as_bytes());
        }
    }
}
