//! Rows by some of their columns.
//!
//! ```text
//!   lookup   values ─▶ first row
//!   links    first ⇄ second ⇄ … ⇄ last        in the order in which they came, where somebody asks for it
//!              └─────────────────▲ the first row's neighbour before it is the last
//!            first ⇄ newest ⇄ … ⇄ second      in no order that matters, everywhere else
//! ```
//!
//! A row is added or taken out in constant time. Without an order, the first row of a group stays first as long as it
//! is there, and what comes last is found and goes without a look-up, as the inner one of two locks does. Where a group
//! has one row, as that of the owner of a lock has, the look-up is all there is. An index over no column has one group.
//! As long as its rows come in the order of their numbers and go in that order, as those of a queue do, it is all
//! numbers from one to another, and no links are kept.
//!
//! Where rows of a group are asked for by how a column compares with a value, the index keeps between which integers that column
//! lies in each group, with its first row: a group in which no row can fit is not gone through. A row that is taken out does not
//! make that range smaller until its group is empty, so it is a superset.

use referee_spec::core::Comparison;
use referee_trace::values::Atom;

use super::lookup::{Lookup, NONE};
use super::table::Row;
use super::views::REGISTERS;

/// How many rows of a group are looked at to find one of them.
const CROWD: usize = 8;

/// The neighbours of a row in its group; a row that is its own follower is in none. Before the first row is the last
/// one, or the row itself where there is no order.
#[derive(Debug, Clone, Copy)]
struct Link {
    next: Row,
    before: Row,
}

/// The rows that share the values of some columns.
#[derive(Debug, Clone)]
pub struct Index {
    columns: Vec<usize>,
    /// Whether the rows of a group stay in the order in which they came.
    is_ordered: bool,
    lookup: Lookup,
    links: Vec<Link>,
    /// Behind the last row of the only group, while that group is all rows from its first to its last one.
    straight: Option<Row>,
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
    /// An index over these columns of no row, which keeps the order of rows or does not.
    pub fn new(columns: &[usize], is_ordered: bool) -> Index {
        Index {
            columns: columns.to_vec(),
            is_ordered,
            lookup: Lookup::new(columns.len()),
            links: Vec::new(),
            straight: (columns.is_empty() && is_ordered).then_some(0),
            ranges: None,
        }
    }

    /// The first row with these values, or [`NONE`]; `words` has the rows, of so many keys each.
    #[inline(always)]
    pub fn first(&self, values: &[u64], words: &[u64], keys: usize) -> Row {
        let columns = &self.columns;
        self.lookup.get(values, |first| {
            let start = first as usize * keys;
            match (&columns[..], values) {
                ([one, two], [first, second]) => words[start + one] == *first && words[start + two] == *second,
                _ => columns.iter().zip(values).all(|(column, value)| words[start + column] == *value),
            }
        })
    }

    /// The first row with the values that a key has, or [`NONE`].
    #[inline(always)]
    fn first_like(&self, key: &[u64], words: &[u64], keys: usize) -> Row {
        match (&self.lookup, &self.columns[..]) {
            (Lookup::One(direct), [column]) => direct.get(key[*column]),
            (_, [one, two]) => self.first(&[key[*one], key[*two]], words, keys),
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
            if row == NONE || is_key(words, row as usize * keys, key) {
                return Some(row);
            }
            row = self.links[row as usize].next;
        }
        None
    }

    /// The same for a group of any size.
    pub fn find_in_crowd(&self, key: &[u64], words: &[u64], keys: usize) -> Row {
        let mut row = self.first_like(key, words, keys);
        while row != NONE && !is_key(words, row as usize * keys, key) {
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
        self.link_all();
        self.ranges = Some((column, Vec::new()));
        // The first row of a group has its range, and may have a greater number than the others: it comes first here,
        // too.
        for is_first in [true, false] {
            for row in rows {
                let mut values = [0; REGISTERS];
                let start = *row as usize * keys;
                values.iter_mut().zip(&self.columns).for_each(|(value, column)| *value = words[start + column]);
                let first = self.first(&values[..self.columns.len()], words, keys);
                if (first == *row) == is_first {
                    self.widen(if is_first { NONE } else { first }, *row, words, keys);
                }
            }
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
        match self.straight {
            Some(end) if row + 1 < end => row + 1,
            Some(_) => NONE,
            None => self.links[row as usize].next,
        }
    }

    /// Appends a row to the only group if it stays all rows from one to another; tells whether it does.
    #[inline(always)]
    fn insert_straight(&mut self, row: Row) -> bool {
        match (&mut self.straight, &mut self.lookup) {
            (Some(end), Lookup::Nothing(first)) if *first == NONE || *end == row => {
                *first = if *first == NONE { row } else { *first };
                *end = row + 1;
                true
            }
            _ => {
                self.link_all();
                false
            }
        }
    }

    /// Takes a row out of the only group if that stays all rows from one to another; tells whether it does.
    #[inline(always)]
    fn remove_straight(&mut self, row: Row) -> bool {
        match (self.straight, &mut self.lookup) {
            (Some(end), Lookup::Nothing(first)) if *first == row => {
                *first = if row + 1 == end { NONE } else { row + 1 };
                true
            }
            // It is in no group.
            (Some(end), Lookup::Nothing(first)) if *first == NONE || row < *first || row >= end => true,
            _ => {
                self.link_all();
                false
            }
        }
    }

    /// Links the rows of the only group from now on.
    #[inline(never)]
    fn link_all(&mut self) {
        let (Some(end), Lookup::Nothing(first)) = (self.straight.take(), &self.lookup) else { return };
        let first = if *first == NONE { end } else { *first };
        self.links = (0..end)
            .map(|row| match row {
                row if row < first => Link { next: row, before: row },
                row => Link {
                    next: if row + 1 == end { NONE } else { row + 1 },
                    before: if row == first { end - 1 } else { row - 1 },
                },
            })
            .collect();
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

    /// Adds a row to its group.
    #[inline(always)]
    pub fn insert(&mut self, row: Row, words: &[u64], keys: usize) {
        if self.straight.is_some() && self.insert_straight(row) {
            return;
        }
        if self.links.len() <= row as usize {
            self.links.resize(row as usize + 1, Link { next: NONE, before: NONE });
        }
        let first = match &mut self.lookup {
            Lookup::One(direct) => direct.add_if_none(words[row as usize * keys + self.columns[0]], row),
            Lookup::Nothing(first) if *first == NONE => std::mem::replace(first, row),
            Lookup::Nothing(first) => *first,
            Lookup::Set(_) | Lookup::Many(_) => self.add_if_none(row, words, keys),
        };
        self.links[row as usize] = match first {
            NONE => Link { next: NONE, before: row },
            first if self.is_ordered => Link { next: NONE, before: self.append(first, row) },
            first => Link { next: self.put_behind(first, row), before: first },
        };
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

    /// Puts a row behind the first of a group; tells which was there.
    #[inline(always)]
    fn put_behind(&mut self, first: Row, row: Row) -> Row {
        let second = std::mem::replace(&mut self.links[first as usize].next, row);
        if second != NONE {
            self.links[second as usize].before = row;
        }
        second
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
        if self.straight.is_some() && self.remove_straight(row) {
            return;
        }
        let Link { next, before } = self.links[row as usize];
        if next == row {
            return;
        }
        self.links[row as usize].next = row;
        match &mut self.lookup {
            Lookup::One(direct) if next == NONE && before == row => {
                direct.take(words[row as usize * keys + self.columns[0]]);
            }
            _ if !self.is_ordered && before != row => {
                self.links[before as usize].next = next;
                if next != NONE {
                    self.links[next as usize].before = before;
                }
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
                self.links[next as usize].before = if self.is_ordered { before } else { next };
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

/// Whether the words from one on are those of a key.
#[inline(always)]
pub fn is_key(words: &[u64], start: usize, key: &[u64]) -> bool {
    match *key {
        [one] => words[start] == one,
        [one, two] => words[start] == one && words[start + 1] == two,
        [one, two, three] => words[start] == one && words[start + 1] == two && words[start + 2] == three,
        _ => words[start..start + key.len()] == *key,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of two columns that come and go; the index over the first lists them as a list of them all does.
    #[test]
    fn it_lists_the_rows_of_a_group() {
        for seed in 0..40 {
            it_lists_rows(seed, seed % 2 == 0);
        }
    }

    fn it_lists_rows(seed: u64, is_ordered: bool) {
        let mut state = seed;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let word = |integer: u64| Atom::integer(integer.cast_signed()).expect("a small integer").word();
        let words: Vec<u64> = (0..40).flat_map(|row| [word(row % 3), word(row)]).collect();
        let mut index = Index::new(&[0], is_ordered);
        let mut skipped = 0;
        let mut listed: Vec<Row> = Vec::new();
        for _ in 0..2000 {
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
            let mut expected: Vec<Row> = listed.iter().copied().filter(|row| u64::from(row % 3) == group).collect();
            let mut found = Vec::new();
            let mut row = index.first(&[word(group)], &words, 2);
            while row != NONE {
                found.push(row);
                row = index.next(row);
            }
            let first = found.first().copied();
            if !is_ordered {
                found.sort_unstable();
                expected.sort_unstable();
            }
            assert_eq!(found, expected);
            if let (Some(first), value) = (first, random(45)) {
                // Where a row compares so, its group is not passed over.
                let is_greater = found.iter().any(|row| u64::from(*row) > value);
                let may = index.may(first, Comparison::LessOrEqual, value.cast_signed(), false);
                assert!(may || !is_greater);
                skipped += u32::from(!may);
            }
            if random(100) == 0 {
                let mut rows = listed.clone();
                rows.sort_unstable();
                assert!(index.keep_ranges(1, &rows, &words, 2) && !index.keep_ranges(0, &rows, &words, 2));
            }
        }
        assert!(skipped > 30, "some groups are passed over");
    }

    /// The only group of an index over no column, whose rows come in order or not, and go at the front or not.
    #[test]
    fn it_lists_all_rows_in_the_order_in_which_they_came() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut bent = 0;
        for round in 0..200 {
            let mut index = Index::new(&[], true);
            let (mut listed, mut free, mut made): (Vec<Row>, Vec<Row>, Row) = (Vec::new(), Vec::new(), 0);
            for _ in 0..100 {
                match random(3) {
                    0 if !listed.is_empty() => {
                        // In most rounds, rows go as they came.
                        let at = if round % 4 == 0 { random(listed.len() as u64) as usize } else { 0 };
                        let row = listed.remove(at);
                        index.remove(row, &[], 0);
                        index.remove(row, &[], 0);
                        if round % 2 == 0 {
                            free.push(row);
                        }
                    }
                    _ => {
                        let row = free.pop().unwrap_or(made);
                        made = made.max(row + 1);
                        listed.push(row);
                        index.insert(row, &[], 0);
                    }
                }
                let mut found = Vec::new();
                let mut row = index.first(&[], &[], 0);
                while row != NONE {
                    found.push(row);
                    row = index.next(row);
                }
                assert_eq!(found, listed, "round {round}");
            }
            bent += u32::from(index.straight.is_none());
        }
        assert!((20..180).contains(&bent), "some are linked, and some are not: {bent}");
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
