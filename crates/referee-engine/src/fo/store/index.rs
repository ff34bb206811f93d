//! Rows by some of their columns.
//!
//! ```text
//!   lookup   values ─▶ first row
//!   links    first ⇄ second ⇄ … ⇄ last        in the order in which they came, where somebody asks for it
//!              └─────────────────▲ the first row's neighbour before it is the last
//!            first ⇄ newest ⇄ … ⇄ second      in no order that matters, everywhere else
//! ```
//!
//! A row is added or taken out in constant time. Links are not kept in the rows: most of what touches them touches nothing else of a
//! row, and where groups are many, twice as many fit into fast memory. Without an order, the first row of a group stays first as long as it is there, and what comes last is
//! found and goes without a look-up, as the inner one of two locks does. Where a group has one row, as that of the owner
//! of a lock has, the look-up is all there is. An index over no column has one group.
//! As long as its rows come in the order of their numbers and go in that order, as those of a queue do, it is all
//! numbers from one to another, and no links are kept.
//!
//! Where rows of a group are asked for by how a column compares with a value, the index keeps between which integers that column
//! lies in each group, with its first row: a group in which no row can fit is not gone through. A row that is taken out does not
//! make that range smaller until its group is empty, so it is a superset.

use referee_spec::core::Comparison;
use referee_trace::values::Atom;

use crate::fo::store::fetch::fetch;
use crate::fo::store::lookup::{Lookup, NONE, hash};
use crate::fo::store::row::Row;
use crate::fo::types::REGISTERS;

/// How many rows of a group are looked at to find one of them.
const CROWD: usize = 8;

/// The neighbours of a row in its group; a row that is its own follower is in none. Before the first row is the last
/// one, or the row itself where there is no order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Link {
    next: Row,
    before: Row,
}

/// In place of the row behind the last one: there are links.
const LINKED: Row = NONE;

/// In place of the row behind the last one: there is none, and the next one will begin a queue.
const EMPTY: Row = NONE - 1;

/// The rows that share the values of some columns.
#[derive(Debug, Clone)]
pub(crate) struct RowIndex {
    columns: Vec<usize>,
    /// The first two of them; 0 where there are fewer.
    leading: [usize; 2],
    lookup: Lookup,
    links: Vec<Link>,
    /// Whether the rows of a group stay in the order in which they came.
    is_ordered: bool,
    /// Behind the last row of the only group, while that group is all rows from its first to its last one; [`EMPTY`] or [`LINKED`]
    /// otherwise.
    straight: Row,
    /// The column of which ranges are kept, and the range of each group by its first row.
    ranges: Option<Box<(usize, Vec<IntegerRange>)>>,
}

/// The words of rows: the keys.
#[derive(Debug, Clone)]
pub(crate) struct Cells {
    words: Vec<u64>,
    /// How many words a row has.
    stride: usize,
}

impl Cells {
    /// Of no row.
    pub(crate) fn new(stride: usize) -> Cells {
        Cells { words: Vec::new(), stride }
    }

    /// Makes room for so many rows.
    pub(crate) fn reserve(&mut self, rows: usize) {
        self.words.reserve(rows * self.stride);
    }

    /// A word of a row.
    #[inline(always)]
    pub(crate) fn word(&self, row: Row, at: usize) -> u64 {
        self.words[row as usize * self.stride + at]
    }

    /// The first words of a row.
    #[inline(always)]
    pub(crate) fn key(&self, row: Row, keys: usize) -> &[u64] {
        let start = row as usize * self.stride;
        &self.words[start..start + keys]
    }

    /// Where a row is whose key has so many words: the stride, but known where the length of the key is.
    #[inline(always)]
    fn place(&self, row: Row, keys: usize) -> std::ops::Range<usize> {
        debug_assert_eq!(keys, self.stride);
        row as usize * keys..row as usize * keys + keys
    }

    /// Whether some rows, one behind the other, all have an integer above another one in a column.
    #[inline(always)]
    pub(crate) fn all_above(&self, rows: std::ops::Range<Row>, column: usize, least: i64) -> bool {
        let words = &self.words[rows.start as usize * self.stride..rows.end as usize * self.stride];
        let is_above = |word: u64| Atom::from_word(word).as_integer().is_some_and(|integer| integer > least);
        // Without a branch for each.
        words[column..].iter().step_by(self.stride).fold(true, |all, word| all & is_above(*word))
    }

    /// Whether a row has two words in two columns.
    #[inline(always)]
    pub(crate) fn has_at(&self, row: Row, [one, two]: [usize; 2], [first, second]: [u64; 2]) -> bool {
        let start = row as usize * self.stride;
        (self.words[start + one] ^ first) | (self.words[start + two] ^ second) == 0
    }

    /// Whether a row has a key.
    #[inline(always)]
    pub(crate) fn has(&self, row: Row, key: &[u64]) -> bool {
        are_same(&self.words[self.place(row, key.len())], key)
    }

    /// The same of a key of a known number of words.
    #[inline(always)]
    pub(crate) fn has_words<const WORDS: usize>(&self, row: Row, key: &[u64; WORDS]) -> bool {
        debug_assert_eq!(WORDS, self.stride);
        are_same(&self.words.as_chunks().0[row as usize] as &[u64; WORDS], key)
    }

    /// Writes the key of a row.
    #[inline(always)]
    pub(crate) fn set_key(&mut self, row: Row, key: &[u64]) {
        let place = self.place(row, key.len());
        // Word by word: keys are too short for a call that copies.
        match (&mut self.words[place], key) {
            ([one], [word]) => *one = *word,
            ([one, two], [word, other]) => (*one, *two) = (*word, *other),
            ([one, two, three], [word, other, last]) => (*one, *two, *three) = (*word, *other, *last),
            (own, key) => own.copy_from_slice(key),
        }
    }

    /// Adds a row with a key.
    #[inline(always)]
    pub(crate) fn push(&mut self, key: &[u64]) {
        // Word by word: keys are too short for a call that copies.
        match *key {
            [one] => self.words.push(one),
            [one, two] => {
                self.words.push(one);
                self.words.push(two);
            }
            _ => self.words.extend_from_slice(key),
        }
    }
}

/// Whether two keys are the same: word by word, without a branch, as comparing arrays stores one of them first.
#[inline(always)]
fn are_same(own: &[u64], key: &[u64]) -> bool {
    match (own, key) {
        ([one], [own_one]) => one == own_one,
        ([one, two], [own_one, own_two]) => (one ^ own_one) | (two ^ own_two) == 0,
        ([one, two, three], [own_one, own_two, own_three]) => {
            (one ^ own_one) | (two ^ own_two) | (three ^ own_three) == 0
        }
        _ => own == key,
    }
}

/// The integers from one to another; all of them where something else is among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct IntegerRange {
    low: i64,
    high: i64,
}

impl IntegerRange {
    fn of(word: u64) -> IntegerRange {
        match Atom::from_word(word).as_integer() {
            Some(integer) => IntegerRange { low: integer, high: integer },
            None => IntegerRange { low: i64::MIN, high: i64::MAX },
        }
    }

    fn with(self, other: IntegerRange) -> IntegerRange {
        IntegerRange { low: self.low.min(other.low), high: self.high.max(other.high) }
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

impl RowIndex {
    /// An index over these columns of no row, which keeps the order of rows or does not.
    pub(crate) fn new(columns: &[usize], is_ordered: bool) -> RowIndex {
        RowIndex {
            columns: columns.to_vec(),
            leading: std::array::from_fn(|at| columns.get(at).copied().unwrap_or(0)),
            lookup: Lookup::new(columns.len()),
            links: Vec::new(),
            is_ordered,
            straight: if is_ordered && columns.is_empty() { EMPTY } else { LINKED },
            ranges: None,
        }
    }

    /// The columns.
    pub(crate) fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Lets rows up to one have links, also those that are in no group.
    pub(crate) fn cover(&mut self, rows: Row) {
        let len = self.links.len() as Row;
        self.links.extend((len..rows).map(|row| Link { next: row, before: row }));
    }

    /// Makes room for so many rows.
    pub(crate) fn reserve(&mut self, rows: usize) {
        if self.straight == LINKED {
            self.links.reserve(rows);
        }
    }

    /// The first row with these values, or [`NONE`].
    #[inline(always)]
    pub(crate) fn first(&self, values: &[u64], cells: &Cells) -> Row {
        match (&self.lookup, values, &self.columns[..]) {
            (Lookup::One(direct), [value], _) => direct.get(*value),
            (Lookup::Many(raw_table), [first_value, second_value], [one, two]) => {
                raw_table.get(hash(values), |first| cells.has_at(first, [*one, *two], [*first_value, *second_value]))
            }
            _ => self.first_of_many(values, cells),
        }
    }

    /// The same for a known number of values.
    #[inline(always)]
    pub(crate) fn first_words<const VALUES: usize>(&self, values: &[u64; VALUES], cells: &Cells) -> Row {
        match (&self.lookup, &values[..]) {
            (Lookup::One(direct), [value]) => direct.get(*value),
            (Lookup::Many(raw_table), [one, two]) => {
                raw_table.get(hash(values), |first| cells.has_at(first, self.leading, [*one, *two]))
            }
            _ => self.first_of_many(values, cells),
        }
    }

    #[inline(never)]
    fn first_of_many(&self, values: &[u64], cells: &Cells) -> Row {
        let is_own = |first: Row, (column, value): (&usize, &u64)| cells.word(first, *column) == *value;
        self.lookup.get(values, |first| self.columns.iter().zip(values).all(|pair| is_own(first, pair)))
    }

    /// The first row with the values that a key has, or [`NONE`].
    #[inline(always)]
    fn first_like(&self, key: &[u64], cells: &Cells) -> Row {
        match (&self.lookup, &self.columns[..]) {
            (Lookup::One(direct), [column]) => direct.get(key[*column]),
            (_, [one, two]) => self.first(&[key[*one], key[*two]], cells),
            (_, columns) => {
                let mut values = [0; REGISTERS];
                values.iter_mut().zip(columns).for_each(|(value, column)| *value = key[*column]);
                self.first(&values[..columns.len()], cells)
            }
        }
    }

    /// The row with a key, or [`NONE`], found by going through its group; nothing if too many rows share the group.
    #[inline(always)]
    pub(crate) fn find(&self, key: &[u64], cells: &Cells) -> Option<Row> {
        let mut row = self.first_like(key, cells);
        for _ in 0..CROWD {
            if row == NONE || cells.has(row, key) {
                return Some(row);
            }
            row = self.links[row as usize].next;
        }
        None
    }

    /// Fetches the first link of the group with some values.
    #[inline(always)]
    pub(crate) fn fetch_group(&self, values: &[u64], cells: &Cells) {
        match &self.lookup {
            Lookup::One(_) => self.fetch_link(self.first(values, cells)),
            Lookup::Many(raw_table) => raw_table.fetch(hash(values)),
            _ => {}
        }
    }

    /// The same for the group of a key.
    #[inline(always)]
    pub(crate) fn fetch_like(&self, key: &[u64], cells: &Cells) {
        match (&self.lookup, &self.columns[..]) {
            (Lookup::One(_), _) => self.fetch_link(self.first_like(key, cells)),
            (Lookup::Many(raw_table), [one, two]) => raw_table.fetch(hash(&[key[*one], key[*two]])),
            _ => {}
        }
    }

    #[inline(always)]
    fn fetch_link(&self, row: Row) {
        self.links.get(row as usize).into_iter().for_each(fetch);
    }

    /// Whether rows of so many key columns can be put in and out by [`RowIndex::insert_lean`] and [`RowIndex::remove_lean`].
    pub(crate) fn is_lean(&self, keys: usize) -> bool {
        let is_short = matches!(self.columns.len(), 1 | 2) && self.columns.iter().all(|column| *column < keys);
        is_short || self.is_ordered
    }

    /// The first row with the values that a key has, or [`NONE`], of a lean index.
    #[inline(always)]
    pub(crate) fn first_lean<const WORDS: usize>(&self, key: &[u64; WORDS], cells: &Cells) -> Row {
        let [one, two] = self.leading;
        match &self.lookup {
            Lookup::One(direct) => direct.get(key[one]),
            Lookup::Many(raw_table) => {
                let values = [key[one], key[two]];
                raw_table.get(hash(&values), |first| cells.has_at(first, self.leading, values))
            }
            _ => NONE,
        }
    }

    /// The row with a key, or [`NONE`], in the group that begins with a row; nothing if the group is too large.
    #[inline(always)]
    pub(crate) fn find_from<const WORDS: usize>(&self, first: Row, key: &[u64; WORDS], cells: &Cells) -> Option<Row> {
        let mut row = first;
        for _ in 0..CROWD {
            if row == NONE || cells.has_words(row, key) {
                return Some(row);
            }
            row = self.links[row as usize].next;
        }
        None
    }

    /// Appends a row to the only group if that is all rows from one to the one before; tells whether it is.
    #[inline(always)]
    pub(crate) fn append_straight(&mut self, row: Row) -> bool {
        let is_next = self.straight == row;
        self.straight += Row::from(is_next);
        is_next
    }

    /// Adds a row with a key to its group, in a lean index.
    #[inline(always)]
    pub(crate) fn insert_lean<const WORDS: usize>(&mut self, row: Row, key: &[u64; WORDS], cells: &Cells) {
        if self.is_ordered {
            return self.insert_in_order(row, cells);
        }
        let [one, two] = self.leading;
        let first = match &mut self.lookup {
            Lookup::One(direct) => direct.add_if_none(key[one], row),
            Lookup::Many(raw_table) => {
                let values = [key[one], key[two]];
                raw_table.add_if_none(hash(&values), row, |first| cells.has_at(first, [one, two], values))
            }
            _ => return,
        };
        self.link_behind(first, row, cells);
    }

    /// The same where the first row of the group is known, or that there is none.
    #[inline(always)]
    pub(crate) fn insert_known<const WORDS: usize>(&mut self, first: Row, row: Row, key: &[u64; WORDS], cells: &Cells) {
        let [one, two] = self.leading;
        match &mut self.lookup {
            _ if first != NONE => {}
            Lookup::One(direct) => direct.add(key[one], row),
            Lookup::Many(raw_table) => raw_table.add(hash(&[key[one], key[two]]), row),
            _ => {}
        }
        self.link_behind(first, row, cells);
    }

    /// Links a row behind the first of its group, if it is not the only one.
    #[inline(always)]
    fn link_behind(&mut self, first: Row, row: Row, cells: &Cells) {
        let link = match first {
            NONE => Link { next: NONE, before: row },
            first => Link { next: self.put_behind(first, row), before: first },
        };
        self.set_link(row, link);
        if self.ranges.is_some() {
            self.widen(first, row, cells);
        }
    }

    /// Takes a row with a key, which is there, out of its group, in a lean index.
    #[inline(always)]
    pub(crate) fn remove_lean<const WORDS: usize>(&mut self, row: Row, key: &[u64; WORDS], cells: &Cells) {
        if self.is_ordered {
            return self.remove_in_order(row, cells);
        }
        let Link { next, before } = self.unlink(row);
        if before == row {
            match &mut self.lookup {
                Lookup::One(direct) if next == NONE => _ = direct.take(key[self.leading[0]]),
                Lookup::One(direct) if self.ranges.is_none() => direct.replace(key[self.leading[0]], next),
                _ => self.replace_first_of_many(row, next, cells),
            }
        }
    }

    /// The same for a group of any size.
    pub(crate) fn find_in_crowd(&self, key: &[u64], cells: &Cells) -> Row {
        let mut row = self.first_like(key, cells);
        while row != NONE && !cells.has(row, key) {
            row = self.links[row as usize].next;
        }
        row
    }

    /// Keeps the ranges of a column from now on; `rows` are those that are there. Tells whether they are kept: of one column
    /// only.
    pub(crate) fn keep_ranges(&mut self, column: usize, rows: &[Row], cells: &Cells) -> bool {
        if let Some(ranges) = &self.ranges {
            return ranges.0 == column;
        }
        self.link_all();
        self.ranges = Some(Box::new((column, Vec::new())));
        // The first row of a group has its range, and may have a greater number than the others: it comes first here,
        // too.
        for is_first in [true, false] {
            for row in rows {
                let mut values = [0; REGISTERS];
                values.iter_mut().zip(&self.columns).for_each(|(value, column)| *value = cells.word(*row, *column));
                let first = self.first(&values[..self.columns.len()], cells);
                if (first == *row) == is_first {
                    self.widen(if is_first { NONE } else { first }, *row, cells);
                }
            }
        }
        true
    }

    /// Whether some row of the group that a row is the first of may compare so in the column of which ranges are kept.
    #[inline]
    pub(crate) fn may(&self, first: Row, how: Comparison, value: i64, there: bool) -> bool {
        self.ranges.as_ref().is_none_or(|ranges| ranges.1[first as usize].may(how, value, there))
    }

    /// Notes the value of a row in the range of its group, whose first row is another one unless there is none.
    #[inline(never)]
    fn widen(&mut self, first: Row, row: Row, cells: &Cells) {
        let Some((column, ranges)) = self.ranges.as_deref_mut() else { return };
        let range = IntegerRange::of(cells.word(row, *column));
        if ranges.len() <= row as usize {
            ranges.resize(row as usize + 1, range);
        }
        match first {
            NONE => ranges[row as usize] = range,
            first => ranges[first as usize] = ranges[first as usize].with(range),
        }
    }

    /// The neighbours of a row; not to be asked for while rows are not linked.
    #[inline(always)]
    fn link(&self, row: Row) -> Link {
        self.links.get(row as usize).copied().unwrap_or(Link { next: row, before: row })
    }

    /// The row behind another one, or [`NONE`].
    #[inline(always)]
    pub(crate) fn next(&self, row: Row) -> Row {
        match self.straight {
            LINKED => self.links[row as usize].next,
            end if row + 1 < end => row + 1,
            _ => NONE,
        }
    }

    /// So many rows behind another one, if all between them follow each other.
    #[inline(always)]
    pub(crate) fn behind_many(&self, row: Row, count: Row) -> Option<Row> {
        (self.straight < EMPTY && row + count < self.straight).then_some(row + count)
    }

    /// Whether a row is in no group, if that can be said of it here.
    #[inline(always)]
    pub(crate) fn is_out(&self, row: Row) -> Option<bool> {
        (!self.is_ordered).then(|| self.links[row as usize].next == row)
    }

    /// Links the rows of the only group from now on.
    #[inline(never)]
    fn link_all(&mut self) {
        let end = match std::mem::replace(&mut self.straight, LINKED) {
            LINKED => return,
            EMPTY => 0,
            end => end,
        };
        let first = if let Lookup::Nothing(first) = self.lookup { first } else { NONE };
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

    /// Adds a row to its group.
    #[inline(always)]
    pub(crate) fn insert(&mut self, row: Row, cells: &Cells) {
        if self.is_ordered {
            return self.insert_in_order(row, cells);
        }
        let first = self.add_if_none(row, cells);
        self.link_behind(first, row, cells);
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

    /// Gives a row a link. Rows are numbered as they come, so most are the next one.
    #[inline(always)]
    fn set_link(&mut self, row: Row, link: Link) {
        match self.links.get_mut(row as usize) {
            Some(own) => *own = link,
            None => self.push_link(row, link),
        }
    }

    #[inline(always)]
    fn push_link(&mut self, row: Row, link: Link) {
        for between in self.links.len() as Row..row {
            self.links.push(Link { next: between, before: between });
        }
        self.links.push(link);
    }

    /// Makes a row the first of its group if there is none; tells which was, or [`NONE`].
    #[inline(always)]
    fn add_if_none(&mut self, row: Row, cells: &Cells) -> Row {
        match (&mut self.lookup, &self.columns[..]) {
            (Lookup::One(direct), [column]) => direct.add_if_none(cells.word(row, *column), row),
            (Lookup::Nothing(first), _) if *first == NONE => std::mem::replace(first, row),
            (Lookup::Nothing(first), _) => *first,
            (Lookup::Many(raw_table), [one, two]) => {
                let values = [cells.word(row, *one), cells.word(row, *two)];
                let is = |first: Row| cells.word(first, *one) == values[0] && cells.word(first, *two) == values[1];
                raw_table.add_if_none(hash(&values), row, is)
            }
            _ => self.add_if_none_of_many(row, cells),
        }
    }

    #[inline(never)]
    fn add_if_none_of_many(&mut self, row: Row, cells: &Cells) -> Row {
        let mut values = [0; REGISTERS];
        let values = &mut values[..self.columns.len()];
        values.iter_mut().zip(&self.columns).for_each(|(value, column)| *value = cells.word(row, *column));
        let first = self.first(values, cells);
        if first == NONE {
            self.lookup.add(values, row);
        }
        first
    }

    /// Takes a row out of its group, if it is still in it.
    #[inline(always)]
    pub(crate) fn remove(&mut self, row: Row, cells: &Cells) {
        if self.is_ordered {
            return self.remove_in_order(row, cells);
        }
        let Link { next, before } = self.links[row as usize];
        if next == row {
            return;
        }
        self.unlink(row);
        if before == row {
            self.replace_first(row, next, cells);
        }
    }

    /// Takes a row out of the links; tells those that it had.
    #[inline(always)]
    fn unlink(&mut self, row: Row) -> Link {
        let link = std::mem::replace(&mut self.links[row as usize], Link { next: row, before: row });
        let Link { next, before } = link;
        if before != row {
            self.links[before as usize].next = next;
        }
        if next != NONE {
            self.links[next as usize].before = if before == row { next } else { before };
        }
        link
    }

    /// Lets the group of a row have another first row, or none.
    #[inline(always)]
    fn replace_first(&mut self, row: Row, next: Row, cells: &Cells) {
        match (&mut self.lookup, &self.columns[..]) {
            (Lookup::One(direct), [column]) if next == NONE => _ = direct.take(cells.word(row, *column)),
            _ => self.replace_first_of_many(row, next, cells),
        }
    }

    #[inline(never)]
    fn replace_first_of_many(&mut self, row: Row, next: Row, cells: &Cells) {
        let mut values = [0; REGISTERS];
        let values = &mut values[..self.columns.len()];
        values.iter_mut().zip(&self.columns).for_each(|(value, column)| *value = cells.word(row, *column));
        match next {
            NONE => _ = self.lookup.take(values, |first| first == row),
            next => {
                self.lookup.replace(values, row, next);
                if let Some((_, ranges)) = self.ranges.as_deref_mut() {
                    ranges[next as usize] = ranges[row as usize];
                }
            }
        }
    }
}

/// Rows that stay in the order in which they came.
impl RowIndex {
    #[inline(never)]
    fn insert_in_order(&mut self, row: Row, cells: &Cells) {
        if self.insert_straight(row) {
            return;
        }
        let first = self.add_if_none(row, cells);
        self.append(first, row);
        if self.ranges.is_some() {
            self.widen(first, row, cells);
        }
    }

    #[inline(never)]
    fn remove_in_order(&mut self, row: Row, cells: &Cells) {
        if self.remove_straight(row) {
            return;
        }
        let Link { next, before } = self.link(row);
        if next == row {
            return;
        }
        self.links[row as usize].next = row;
        // The row before the first one is the last, which nothing follows; a row that is alone is before itself.
        let is_first = before == row || self.links[before as usize].next != row;
        if !is_first {
            self.links[before as usize].next = next;
        }
        match (is_first, next) {
            (true, NONE) => {}
            (_, next) if next != NONE => self.links[next as usize].before = before,
            _ => {
                let first = self.first_like(cells.key(row, cells.stride), cells);
                self.links[first as usize].before = before;
            }
        }
        if is_first {
            self.replace_first(row, next, cells);
        }
    }

    /// Makes a row the last of the group that another one is the first of, or the only one.
    fn append(&mut self, first: Row, row: Row) {
        let mut before = row;
        if first != NONE {
            before = std::mem::replace(&mut self.links[first as usize].before, row);
            self.links[before as usize].next = row;
        }
        self.set_link(row, Link { next: NONE, before });
    }

    /// Appends a row to the only group if it stays all rows from one to another; tells whether it does.
    fn insert_straight(&mut self, row: Row) -> bool {
        match (self.straight, &mut self.lookup) {
            (LINKED, _) => return false,
            (EMPTY, Lookup::Nothing(first)) => *first = row,
            (end, _) if end == row => {}
            _ => {
                self.link_all();
                return false;
            }
        }
        self.straight = row + 1;
        true
    }

    /// Takes a row out of the only group if that stays all rows from one to another; tells whether it does.
    fn remove_straight(&mut self, row: Row) -> bool {
        match (self.straight, &mut self.lookup) {
            (LINKED, _) => return false,
            // It is in no group.
            (EMPTY, _) => {}
            (end, Lookup::Nothing(first)) if row < *first || row >= end => {}
            (end, Lookup::Nothing(first)) if *first == row && row + 1 == end => {
                (*first, self.straight) = (NONE, EMPTY);
            }
            (_, Lookup::Nothing(first)) if *first == row => *first = row + 1,
            _ => {
                self.link_all();
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use referee_testing::seeds;

    use super::*;

    /// Rows of two columns that come and go; the index over the first lists them as a list of them all does.
    #[test]
    fn it_lists_the_rows_of_a_group() {
        for seed in seeds(40) {
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
        let mut cells = Cells::new(2);
        let mut index = RowIndex::new(&[0], is_ordered);
        (0..40).for_each(|row| cells.push(&[word(row % 3), word(row)]));
        let mut skipped = 0;
        let mut listed: Vec<Row> = Vec::new();
        for _ in 0..2000 {
            let row = random(40) as Row;
            match listed.iter().position(|known| *known == row) {
                Some(at) => {
                    listed.remove(at);
                    index.remove(row, &cells);
                    // A second time, nothing happens.
                    index.remove(row, &cells);
                }
                None => {
                    listed.push(row);
                    index.insert(row, &cells);
                }
            }
            let group = random(3);
            let mut expected: Vec<Row> = listed.iter().copied().filter(|row| u64::from(row % 3) == group).collect();
            let mut found = Vec::new();
            let mut row = index.first(&[word(group)], &cells);
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
                assert!(index.keep_ranges(1, &rows, &cells) && !index.keep_ranges(0, &rows, &cells));
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
            let cells = Cells::new(0);
            let mut index = RowIndex::new(&[], true);
            let (mut listed, mut free, mut made): (Vec<Row>, Vec<Row>, Row) = (Vec::new(), Vec::new(), 0);
            for _ in 0..100 {
                match random(3) {
                    0 if !listed.is_empty() => {
                        // In most rounds, rows go as they came.
                        let at = if round % 4 == 0 { random(listed.len() as u64) as usize } else { 0 };
                        let row = listed.remove(at);
                        index.remove(row, &cells);
                        index.remove(row, &cells);
                        if round % 2 == 0 {
                            free.push(row);
                        }
                    }
                    _ => {
                        let row = free.pop().unwrap_or(made);
                        made = made.max(row + 1);
                        listed.push(row);
                        index.insert(row, &cells);
                    }
                }
                let mut found = Vec::new();
                let mut row = index.first(&[], &cells);
                while row != NONE {
                    found.push(row);
                    row = index.next(row);
                }
                assert_eq!(found, listed, "round {round}");
            }
            bent += u32::from(index.is_ordered && index.straight == LINKED);
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
                        let fits = |integer: i64| crate::fo::types::orders(how, integer.cmp(&value)) == there;
                        assert_eq!(IntegerRange { low, high }.may(how, value, there), (low..=high).any(fits));
                    }
                }
            }
        }
        assert!(IntegerRange::of(Atom::boolean(true).word()).may(Comparison::Less, 0, true));
    }
}
