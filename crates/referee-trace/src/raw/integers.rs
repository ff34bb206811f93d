//! Events in bulk: rows of which all that is read are short integers, or texts that are as short.

use super::ShapeId;
use crate::number::Number;
use crate::values::Atom;

/// How many rows are collected.
pub(crate) const ROWS: usize = 512;
/// How many values they may have together.
const VALUES: usize = 4 * ROWS + IntegerRows::SPARE * IntegerRows::WIDEST;

/// Some rows of short integers, and of [texts](crate::values) that are not looked up yet.
///
/// The arrays are overwritten, never shrunk: what they hold behind the last row means nothing.
#[derive(Debug)]
pub struct IntegerRows {
    len: usize,
    value_count: usize,
    shapes: Vec<ShapeId>,
    starts: Vec<usize>,
    ends: Vec<u32>,
    values: Vec<Atom>,
    /// Which of the values are short texts, in order.
    texts: Vec<u32>,
    /// The time of every row; empty as long as none has one.
    pub(crate) times: Vec<Option<Number>>,
}

/// Room for more rows.
pub(crate) struct Unused<'r> {
    pub shapes: &'r mut [ShapeId],
    /// Where each row starts in the block.
    pub starts: &'r mut [usize],
    /// Where the values of each row end among those of all rows.
    pub ends: &'r mut [u32],
    pub values: &'r mut [Atom],
    /// How many values there are before.
    pub before: usize,
}

impl Default for IntegerRows {
    fn default() -> IntegerRows {
        IntegerRows {
            len: 0,
            value_count: 0,
            shapes: vec![ShapeId(0); ROWS],
            starts: vec![0; ROWS],
            ends: vec![0; ROWS],
            values: vec![Atom::boolean(false); VALUES],
            texts: Vec::new(),
            times: Vec::new(),
        }
    }
}

impl IntegerRows {
    /// The most values that a row may have.
    pub(crate) const WIDEST: usize = 16;

    /// Unless they are full, there is room for the values of so many rows.
    pub(crate) const SPARE: usize = 64;

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The shape of every row.
    pub(crate) fn shapes(&self) -> &[ShapeId] {
        &self.shapes[..self.len]
    }

    /// Where a row starts in the block.
    pub(crate) fn start(&self, row: usize) -> usize {
        self.starts[row]
    }

    /// Where the last row starts in the block.
    pub(crate) fn last_start(&self) -> Option<usize> {
        self.starts[..self.len].last().copied()
    }

    /// Where the values of every row end.
    pub(crate) fn ends(&self) -> &[u32] {
        &self.ends[..self.len]
    }

    /// The values of all rows, one after the other. What is not read means nothing.
    pub(crate) fn values(&self) -> &[Atom] {
        &self.values[..self.value_count]
    }

    /// Which of the values are short texts that are not looked up yet, in order.
    pub(crate) fn texts(&self) -> &[u32] {
        &self.texts
    }

    /// Exchanges the array of values for another one; tells how many are used.
    pub(crate) fn swap_values(&mut self, other: &mut Vec<Atom>) -> usize {
        std::mem::swap(&mut self.values, other);
        if self.values.len() < VALUES {
            self.values.resize(VALUES, Atom::boolean(false));
        }
        self.value_count
    }

    /// Forgets all rows.
    pub(crate) fn clear(&mut self) {
        (self.len, self.value_count) = (0, 0);
        self.times.clear();
        self.texts.clear();
    }

    /// Forgets all rows from this one on.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.value_count = len.checked_sub(1).map_or(0, |last| self.ends[last] as usize);
        self.len = len;
        self.times.truncate(len);
        self.texts.truncate(self.texts.partition_point(|&text| (text as usize) < self.value_count));
    }

    /// Whether they must be handed over.
    pub(crate) fn is_full(&self) -> bool {
        self.len == ROWS || self.value_count + IntegerRows::SPARE * IntegerRows::WIDEST > self.values.len()
    }

    /// What is not used yet.
    pub(crate) fn unused(&mut self) -> Unused<'_> {
        let IntegerRows { len, value_count, shapes, starts, ends, values, .. } = self;
        Unused {
            shapes: &mut shapes[*len..],
            starts: &mut starts[*len..],
            ends: &mut ends[*len..],
            values: &mut values[*value_count..],
            before: *value_count,
        }
    }

    /// Adds so many rows, with so many values in all, which were written to what was unused, but for some that are given with
    /// their places there.
    pub(crate) fn add(&mut self, rows: usize, values: usize, others: &[(u32, Atom)]) {
        for &(place, value) in others {
            let place = self.value_count + place as usize;
            self.values[place] = value;
            if value.is_short() {
                self.texts.push(place as u32);
            }
        }
        self.len += rows;
        self.value_count += values;
    }
}
