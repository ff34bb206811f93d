//! Events in bulk: rows of which all that is read are short integers, or texts that are as short.

use super::shape::ShapeId;
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
    heads: Vec<RowHead>,
    values: Vec<Atom>,
    /// Which of the values are short texts, in order.
    texts: Vec<u32>,
    /// The time of every row; empty as long as none has one.
    pub(crate) times: Vec<Option<Number>>,
}

/// What is known of a row besides its values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RowHead {
    /// Where it starts in the block.
    pub start: usize,
    pub shape: ShapeId,
    /// Where its values end among those of all rows.
    pub end: u32,
}

/// Room for more rows.
pub(crate) struct Unused<'r> {
    pub heads: &'r mut [RowHead],
    pub values: &'r mut [Atom],
    /// How many values there are before.
    pub before: usize,
}

impl Default for IntegerRows {
    fn default() -> IntegerRows {
        IntegerRows {
            len: 0,
            value_count: 0,
            heads: vec![RowHead::default(); ROWS],
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

    /// What is known of every row besides its values.
    pub(crate) fn heads(&self) -> &[RowHead] {
        &self.heads[..self.len]
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
        self.value_count = len.checked_sub(1).map_or(0, |last| self.heads[last].end as usize);
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
        let IntegerRows { len, value_count, heads, values, .. } = self;
        Unused { heads: &mut heads[*len..], values: &mut values[*value_count..], before: *value_count }
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
