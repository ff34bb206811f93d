//! Rows by some of their columns.
//!
//! ```text
//!   lookup   values ─▶ first row
//!   links    first ⇄ second ⇄ … ⇄ last        in the order in which they came
//!              └─────────────────▲ the first row's neighbour before it is the last
//! ```
//!
//! A row is appended or taken out in constant time. Where a group has one row, as that of the owner of a lock has, the
//! look-up is all there is.

use super::lookup::{Lookup, NONE};
use super::table::Row;
use super::views::REGISTERS;

/// The neighbours of a row in its group; a row that is its own follower is in none.
#[derive(Debug, Clone, Copy)]
struct Link {
    next: Row,
    before: Row,
}

/// The rows that share the values of some columns.
#[derive(Debug, Clone)]
pub struct Index {
    columns: Vec<usize>,
    lookup: Lookup,
    links: Vec<Link>,
}

impl Index {
    /// An index over these columns of no row.
    pub fn new(columns: &[usize]) -> Index {
        Index { columns: columns.to_vec(), lookup: Lookup::new(columns.len()), links: Vec::new() }
    }

    /// The first row with these values, or [`NONE`]; `words` has the rows, of so many keys each.
    #[inline(always)]
    pub fn first(&self, values: &[u64], words: &[u64], keys: usize) -> Row {
        let columns = &self.columns;
        self.lookup.get(values, |first| {
            let start = first as usize * keys;
            columns.iter().zip(values).all(|(column, value)| words[start + column] == *value)
        })
    }

    /// The row behind another one, or [`NONE`].
    #[inline(always)]
    pub fn next(&self, row: Row) -> Row {
        self.links[row as usize].next
    }

    /// Calls `then` with the values of a row.
    #[inline(always)]
    fn with_values(&mut self, row: Row, words: &[u64], keys: usize, then: impl Fn(&mut Index, &[u64])) {
        let start = row as usize * keys;
        match *self.columns {
            [] => then(self, &[]),
            [column] => then(self, &[words[start + column]]),
            [one, two] => then(self, &[words[start + one], words[start + two]]),
            _ => {
                let mut values = [0; REGISTERS];
                for (value, column) in values.iter_mut().zip(&self.columns) {
                    *value = words[start + column];
                }
                let len = self.columns.len();
                then(self, &values[..len]);
            }
        }
    }

    /// Appends a row to its group.
    #[inline(always)]
    pub fn insert(&mut self, row: Row, words: &[u64], keys: usize) {
        if self.links.len() <= row as usize {
            self.links.resize(row as usize + 1, Link { next: NONE, before: NONE });
        }
        self.with_values(row, words, keys, |index, values| {
            let first = index.first(values, words, keys);
            if first == NONE {
                index.lookup.add(values, row);
                index.links[row as usize] = Link { next: NONE, before: row };
                return;
            }
            let last = std::mem::replace(&mut index.links[first as usize].before, row);
            index.links[last as usize].next = row;
            index.links[row as usize] = Link { next: NONE, before: last };
        });
    }

    /// Takes a row out of its group, if it is still in it.
    #[inline(always)]
    pub fn remove(&mut self, row: Row, words: &[u64], keys: usize) {
        let Link { next, before } = self.links[row as usize];
        if next == row {
            return;
        }
        let is_first = self.links[before as usize].next != row;
        self.links[row as usize].next = row;
        match (is_first, next) {
            (true, NONE) => self.with_values(row, words, keys, |index, values| {
                index.lookup.take(values, |first| first == row);
            }),
            (true, next) => {
                self.links[next as usize].before = before;
                self.with_values(row, words, keys, |index, values| index.lookup.replace(values, row, next));
            }
            (false, NONE) => {
                self.links[before as usize].next = NONE;
                self.with_values(row, words, keys, |index, values| {
                    let first = index.first(values, words, keys);
                    index.links[first as usize].before = before;
                });
            }
            (false, next) => {
                self.links[before as usize].next = next;
                self.links[next as usize].before = before;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of two columns that come and go; the index over the first lists them as a list of them all does.
    #[test]
    fn it_lists_the_rows_of_a_group_in_order() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let words: Vec<u64> = (0..40).flat_map(|row| [(row % 3) << 3, row << 3]).collect();
        let mut index = Index::new(&[0]);
        let mut listed: Vec<Row> = Vec::new();
        for _ in 0..5000 {
            let row = random(40) as Row;
            match listed.iter().position(|known| *known == row) {
                Some(at) => {
                    listed.remove(at);
                    index.remove(row, &words, 2);
                    // A second time, nothing happens.
                    index.remove(row, &words, 2);
                }
                None => {
                    listed.push(row);
                    index.insert(row, &words, 2);
                }
            }
            let group = random(3);
            let expected: Vec<Row> = listed.iter().copied().filter(|row| u64::from(row % 3) == group).collect();
            let mut found = Vec::new();
            let mut row = index.first(&[group << 3], &words, 2);
            while row != NONE {
                found.push(row);
                row = index.next(row);
            }
            assert_eq!(found, expected);
        }
    }
}
