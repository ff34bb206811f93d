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

/// How many rows of a group are looked at to find one of them.
const CROWD: usize = 8;

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

    /// The first row with the values that a key has, or [`NONE`].
    #[inline(always)]
    fn first_like(&self, key: &[u64], words: &[u64], keys: usize) -> Row {
        match (&self.lookup, &self.columns[..]) {
            (Lookup::One(direct), [column]) => direct.get(key[*column]),
            (_, columns) => {
                let mut values = [0; REGISTERS];
                values.iter_mut().zip(columns).for_each(|(value, column)| *value = key[*column]);
                self.first(&values[..columns.len()], words, keys)
            }
        }
    }

    /// The row with a key, or [`NONE`], found by going through its group; nothing if too many rows share the group.
    #[inline(always)]
    pub fn find(&self, key: &[u64], words: &[u64], keys: usize) -> Option<Row> {
        let mut row = self.first_like(key, words, keys);
        for _ in 0..CROWD {
            if row == NONE || words[row as usize * keys..].iter().zip(key).all(|(word, own)| word == own) {
                return Some(row);
            }
            row = self.links[row as usize].next;
        }
        None
    }

    /// The same for a group of any size.
    pub fn find_in_crowd(&self, key: &[u64], words: &[u64], keys: usize) -> Row {
        let mut row = self.first_like(key, words, keys);
        while row != NONE && words[row as usize * keys..].iter().zip(key).any(|(word, own)| word != own) {
            row = self.links[row as usize].next;
        }
        row
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
        let first = match &mut self.lookup {
            Lookup::One(direct) => direct.add_if_none(words[row as usize * keys + self.columns[0]], row),
            Lookup::Nothing(first) if *first == NONE => std::mem::replace(first, row),
            Lookup::Nothing(first) => *first,
            Lookup::Set(_) | Lookup::Many(_) => self.add_if_none(row, words, keys),
        };
        let before = if first == NONE { row } else { self.append(first, row) };
        self.links[row as usize] = Link { next: NONE, before };
    }

    /// Makes a row the last of the group that another one is the first of; tells which was the last.
    #[inline(always)]
    fn append(&mut self, first: Row, row: Row) -> Row {
        let last = std::mem::replace(&mut self.links[first as usize].before, row);
        self.links[last as usize].next = row;
        last
    }

    /// Makes a row the first of its group if there is none; tells which was, or [`NONE`].
    #[inline(never)]
    fn add_if_none(&mut self, row: Row, words: &[u64], keys: usize) -> Row {
        let mut values = [0; REGISTERS];
        let values = &mut values[..self.columns.len()];
        let start = row as usize * keys;
        values.iter_mut().zip(&self.columns).for_each(|(value, column)| *value = words[start + column]);
        let first = self.first(values, words, keys);
        if first == NONE {
            self.lookup.add(values, row);
        }
        first
    }

    /// Takes a row out of its group, if it is still in it.
    #[inline(always)]
    pub fn remove(&mut self, row: Row, words: &[u64], keys: usize) {
        let Link { next, before } = self.links[row as usize];
        if next == row {
            return;
        }
        self.links[row as usize].next = row;
        match &mut self.lookup {
            Lookup::One(direct) if next == NONE && before == row => {
                direct.take(words[row as usize * keys + self.columns[0]]);
            }
            _ => self.remove_linked(row, Link { next, before }, words, keys),
        }
    }

    #[inline(never)]
    fn remove_linked(&mut self, row: Row, Link { next, before }: Link, words: &[u64], keys: usize) {
        // The row before the first one is the last, which nothing follows; a row that is alone is before itself.
        let is_first = before == row || self.links[before as usize].next != row;
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
