//! The rows of a table as bytes.
//!
//! ```text
//!   rows     cells │ per row: its key, its stamp as a difference, its set
//!   stamps   count │ per row: its key, its stamp as a difference          in the order of keys
//!   bits     count │ per row: its key                                     in the order of keys
//! ```
//!
//! Rows are numbered anew, from 0, in the order in which they are written: that of their numbers, or of their stamps where scans
//! go by these. Indexes are made again as rows come. A row that was taken out of one index alone is in it again: whoever comes to it
//! finds out once more that nobody has to look for it there. What does not count in a window any more is not written.

use super::{KeyLookup, RowTable, Witnesses};
use crate::fo::store::lookup::{Lookup, NONE};
use crate::fo::store::row::Row;
use crate::fo::store::words::{RowReader, RowWriter};
use crate::fo::types::REGISTERS;
use crate::shared::bytes::Damaged;

/// What the columns of a key are: values, and behind them the numbers of points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeyColumns {
    /// How many are values.
    pub values: usize,
    /// How many are numbers of points.
    pub points: usize,
}

impl RowTable {
    /// Those rows that are kept by number and count, in the order in which they are saved; `keeps` may leave out more.
    pub(crate) fn rows_to_save(&self, keeps: impl Fn(Row) -> bool) -> Vec<Row> {
        let counts = |row: &Row| (!self.is_recent || self.is_true(*row)) && keeps(*row);
        let mut rows: Vec<Row> = self.rows().filter(counts).collect();
        let is_ordered = self.stamps.is_some() && !self.is_recent && !self.policy.renews_stamps;
        if is_ordered && !self.indexes.is_empty() {
            rows.sort_by_key(|row| self.stamp(*row));
        }
        rows
    }

    /// Writes the rows: those that were chosen, unless they have no numbers.
    pub(crate) fn write(&self, rows: &[Row], columns: KeyColumns, out: &mut RowWriter<'_, '_>) {
        match &self.by_key {
            KeyLookup::Whole(Lookup::Set(bits)) => out.sorted(bits.words().map(|word| (word, ())), |_, ()| {}),
            KeyLookup::Whole(Lookup::One(direct)) if !self.has_keys => {
                let mut last = 0;
                let rows = direct.entries().filter(|(_, row)| !self.is_recent || self.is_true(*row));
                let stamped = rows.map(|(word, row)| (word, self.stamp(row)));
                out.sorted(stamped, |out, stamp| write_difference(stamp, &mut last, out));
            }
            _ => self.write_rows(rows, columns, out),
        }
    }

    fn write_rows(&self, rows: &[Row], columns: KeyColumns, out: &mut RowWriter<'_, '_>) {
        // No row takes less bytes than it has cells, so readers need not believe more than there is.
        out.out.length(rows.len() * self.keys.max(1));
        let mut last = 0;
        for row in rows {
            let (values, points) = self.key(*row).split_at(columns.values);
            out.words(values);
            points.iter().for_each(|point| out.out.number(*point));
            if let Some(stamps) = &self.stamps {
                write_difference(stamps.get(*row), &mut last, out);
            }
            if let Some(sets) = &self.sets {
                out.set(&sets[*row as usize]);
            }
        }
    }

    /// Reads rows into a table that has none; no stamp is behind a point.
    pub(crate) fn read(
        &mut self,
        columns: KeyColumns,
        point: u64,
        from: &mut RowReader<'_, '_>,
    ) -> Result<(), Damaged> {
        if self.made > 0 || self.count > 0 || columns.values + columns.points != self.keys {
            return Err(Damaged);
        }
        let mut last = 0;
        match &self.by_key {
            KeyLookup::Whole(Lookup::Set(_)) => from.sorted(|_, word| self.put_new(&[word], 0)),
            KeyLookup::Whole(Lookup::One(_)) if !self.has_keys => from.sorted(|from, word| {
                let stamp = read_difference(&mut last, point, from)?;
                self.put_new(&[word], stamp)
            }),
            _ => self.read_rows(columns, point, from),
        }
    }

    /// Inserts a row that must be new, of a table whose rows need not have numbers.
    fn put_new(&mut self, key: &[u64; 1], stamp: u64) -> Result<(), Damaged> {
        if self.put_words(key, stamp, false) { Ok(()) } else { Err(Damaged) }
    }

    fn read_rows(&mut self, columns: KeyColumns, point: u64, from: &mut RowReader<'_, '_>) -> Result<(), Damaged> {
        let cells = from.reader.length()?;
        let width = self.keys.max(1);
        if cells % width > 0 || (self.keys == 0 && cells > 1) || cells / width >= NONE as usize {
            return Err(Damaged);
        }
        self.reserve(cells / width);
        let mut last = 0;
        for row in 0..(cells / width) as Row {
            let is_new = match (columns, self.is_lean) {
                (KeyColumns { values: 1, points: 0 }, true) => self.read_lean::<1>(&mut last, point, from)?,
                (KeyColumns { values: 2, points: 0 }, true) => self.read_lean::<2>(&mut last, point, from)?,
                (KeyColumns { values: 3, points: 0 }, true) => self.read_lean::<3>(&mut last, point, from)?,
                _ => self.read_any(row, columns, &mut last, point, from)?,
            };
            if !is_new {
                return Err(Damaged);
            }
        }
        Ok(())
    }

    /// Reads a row of a lean table; tells whether it is new.
    #[inline(always)]
    fn read_lean<const WORDS: usize>(
        &mut self,
        last: &mut u64,
        point: u64,
        from: &mut RowReader<'_, '_>,
    ) -> Result<bool, Damaged> {
        let mut key = [0; WORDS];
        from.words(&mut key)?;
        let stamp = if self.stamps.is_some() { read_difference(last, point, from)? } else { 0 };
        Ok(self.find_or_insert(&key, stamp) == NONE)
    }

    /// Reads the row that gets a number; tells whether it is new.
    fn read_any(
        &mut self,
        row: Row,
        columns: KeyColumns,
        last: &mut u64,
        point: u64,
        from: &mut RowReader<'_, '_>,
    ) -> Result<bool, Damaged> {
        let mut key = [0; REGISTERS];
        let key = key.get_mut(..self.keys).ok_or(Damaged)?;
        let (values, points) = key.split_at_mut(columns.values);
        from.words(values)?;
        for place in points {
            *place = Some(from.reader.number()?).filter(|own| *own <= point).ok_or(Damaged)?;
        }
        let stamp = if self.stamps.is_some() { read_difference(last, point, from)? } else { 0 };
        let (own, is_new) = self.insert_stamped(key, stamp);
        if self.sets.is_some() {
            let set = from.set()?;
            self.replace_set(own, set);
        }
        Ok(is_new && own == row)
    }

    /// Makes room for so many rows.
    fn reserve(&mut self, rows: usize) {
        self.cells.reserve(rows);
        self.stamps.iter_mut().for_each(|stamps| stamps.reserve(rows));
        self.indexes.iter_mut().for_each(|index| index.reserve(rows));
        if let KeyLookup::Whole(lookup) = &mut self.by_key {
            lookup.reserve(rows);
        }
    }

    /// How many rows there have been at once: all numbers of rows are below this.
    pub(crate) fn made(&self) -> usize {
        self.made as usize
    }

    /// The witnesses of a row, to look at.
    pub(crate) fn witnesses_of(&self, row: Row) -> Option<&Witnesses> {
        self.witnesses.as_ref()?.get(row as usize)
    }
}

fn write_difference(number: u64, last: &mut u64, out: &mut RowWriter<'_, '_>) {
    out.out.integer(number.wrapping_sub(*last).cast_signed());
    *last = number;
}

fn read_difference(last: &mut u64, most: u64, from: &mut RowReader<'_, '_>) -> Result<u64, Damaged> {
    let number = last.checked_add_signed(from.reader.signed()?).filter(|number| *number <= most).ok_or(Damaged)?;
    *last = number;
    Ok(number)
}
