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
//!
//! Where rows of a group are asked for by how a column compares with a value, the index keeps between which integers that column
//! lies in each group, with its first row: a group in which no row can fit is not gone through. A row that is taken out does not
//! make that range smaller until its group is empty, so it is a superset.

use referee_spec::core::Comparison;
use referee_trace::values::Atom;

use super::lookup::{Lookup, NONE, begins_with};
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
    /// The column of which ranges are kept, and the range of each group by its first row.
    ranges: Option<(usize, Vec<Range>)>,
}

/// The integers from one to another; all of them where something else is among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range {
    low: i64,
    high: i64,
}

impl Range {
    fn of(word: u64) -> Range {
        match Atom::from_word(word).as_integer() {
            Some(integer) => Range { low: integer, high: integer },
            None => Range { low: i64::MIN, high: i64::MAX },
        }
    }

    fn with(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Whether some integer in it compares so with another one, or does not.
    fn may(self, how: Comparison, value: i64, there: bool) -> bool {
        match (how, there) {
            (Comparison::Less, true) | (Comparison::GreaterOrEqual, false) => self.low < value,
            (Comparison::LessOrEqual, true) | (Comparison::Greater, false) => self.low <= value,
            (Comparison::Greater, true) | (Comparison::LessOrEqual, false) => self.high > value,
            (Comparison::GreaterOrEqual, true) | (Comparison::Less, false) => self.high >= value,
            _ => true,
        }
    }
}

impl Index {
    /// An index over these columns of no row.
    pub fn new(columns: &[usize]) -> Index {
        Index { columns: columns.to_vec(), lookup: Lookup::new(columns.len()), links: Vec::new(), ranges: None }
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

    /// Looks at what finding or adding a row with a key will look at; what it returns means nothing.
    #[inline]
    pub fn touch(&self, key: &[u64], words: &[u64], keys: usize) -> u64 {
        match self.first_like(key, words, keys) {
            NONE => 0,
            first => {
                let last = self.links[first as usize].before;
                words[first as usize * keys] ^ self.links.get(last as usize).map_or(0, |link| u64::from(link.next))
            }
        }
    }

    /// The row with a key, or [`NONE`], found by going through its group; nothing if too many rows share the group.
    #[inline(always)]
    pub fn find(&self, key: &[u64], words: &[u64], keys: usize) -> Option<Row> {
        let mut row = self.first_like(key, words, keys);
        for _ in 0..CROWD {
            if row == NONE || begins_with(&words[row as usize * keys..], key) {
                return Some(row);
            }
            row = self.links[row as usize].next;
        }
        None
    }

    /// The same for a group of any size.
    pub fn find_in_crowd(&self, key: &[u64], words: &[u64], keys: usize) -> Row {
        let mut row = self.first_like(key, words, keys);
        while row != NONE && !begins_with(&words[row as usize * keys..], key) {
            row = self.links[row as usize].next;
        }
        row
    }

    /// Keeps the ranges of a column from now on; `rows` are those that are there. Tells whether they are kept: of one column
    /// only.
    pub fn keep_ranges(&mut self, column: usize, rows: &[Row], words: &[u64], keys: usize) -> bool {
        if let Some((kept, _)) = &self.ranges {
            return *kept == column;
        }
        self.ranges = Some((column, Vec::new()));
        for row in rows {
            let mut values = [0; REGISTERS];
            let start = *row as usize * keys;
            values.iter_mut().zip(&self.columns).for_each(|(value, column)| *value = words[start + column]);
            let first = self.first(&values[..self.columns.len()], words, keys);
            self.widen(if first == *row { NONE } else { first }, *row, words, keys);
        }
        true
    }

    /// Whether some row of the group that a row is the first of may compare so in the column of which ranges are kept.
    #[inline]
    pub fn may(&self, first: Row, how: Comparison, value: i64, there: bool) -> bool {
        self.ranges.as_ref().is_none_or(|(_, ranges)| ranges[first as usize].may(how, value, there))
    }

    /// Notes the value of a row in the range of its group, whose first row is another one unless there is none.
    #[inline(never)]
    fn widen(&mut self, first: Row, row: Row, words: &[u64], keys: usize) {
        let Some((column, ranges)) = &mut self.ranges else { return };
        let range = Range::of(words[row as usize * keys + *column]);
        if ranges.len() <= row as usize {
            ranges.resize(row as usize + 1, range);
        }
        match first {
            NONE => ranges[row as usize] = range,
            first => ranges[first as usize] = ranges[first as usize].with(range),
        }
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
        if self.ranges.is_some() {
            self.widen(first, row, words, keys);
        }
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
                if let Some((_, ranges)) = &mut self.ranges {
                    ranges[next as usize] = ranges[row as usize];
                }
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
        let word = |integer: u64| Atom::integer(integer.cast_signed()).expect("a small integer").word();
        let words: Vec<u64> = (0..40).flat_map(|row| [word(row % 3), word(row)]).collect();
        let mut index = Index::new(&[0]);
        let mut skipped = 0;
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
            let mut row = index.first(&[word(group)], &words, 2);
            while row != NONE {
                found.push(row);
                row = index.next(row);
            }
            assert_eq!(found, expected);
            if let (Some(first), value) = (found.first(), random(45)) {
                // Where a row compares so, its group is not passed over.
                let is_greater = found.iter().any(|row| u64::from(*row) > value);
                let may = index.may(*first, Comparison::LessOrEqual, value.cast_signed(), false);
                assert!(may || !is_greater);
                skipped += u32::from(!may);
            }
            if random(100) == 0 {
                assert!(index.keep_ranges(1, &listed, &words, 2) && !index.keep_ranges(0, &listed, &words, 2));
            }
        }
        assert!(skipped > 100, "some groups are passed over");
    }

    #[test]
    fn a_range_may_compare_as_some_integer_in_it_does() {
        let orders = [Comparison::Less, Comparison::LessOrEqual, Comparison::Greater, Comparison::GreaterOrEqual];
        for (low, high) in [(2, 2), (2, 4), (-1, 3)] {
            for value in -3..6 {
                for how in orders {
                    for there in [true, false] {
                        let fits = |integer: i64| super::super::world::orders(how, integer.cmp(&value)) == there;
                        assert_eq!(Range { low, high }.may(how, value, there), (low..=high).any(fits));
                    }
                }
            }
        }
        assert!(Range::of(Atom::boolean(true).word()).may(Comparison::Less, 0, true));
    }
}
