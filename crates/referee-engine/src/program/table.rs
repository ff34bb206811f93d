//! Rows by their keys, with indexes made on demand.
//!
//! ```text
//!   words    7 x | 8 y | 7 z        the keys, row after row
//!   by key   key ─▶ row
//!   index    some columns ─▶ the rows with them
//! ```
//!
//! Everything is amortised O(1) per change and per row found; nothing is allocated per event once tables have grown.

use std::cell::Cell;

use referee_spec::core::Comparison;

use super::index::Index;
use super::lookup::{Bits, Lookup, NONE, begins_with, hash};
use super::sets::Set;

/// A row of a table.
pub type Row = u32;

/// How many rows a table has that is not large.
const LARGE: Row = 1 << 14;

/// The witnesses of a row in a window.
#[derive(Debug, Clone, Copy, Default)]
pub struct Witnesses {
    /// How many are within the interval.
    pub live: u32,
    /// How many are in the queue, too young or within.
    pub waiting: u32,
    /// Counts the times that all were lost; those of earlier epochs no longer count.
    pub epoch: u32,
}

/// How a row is found by its key.
#[derive(Debug, Clone)]
enum Keys {
    /// By all its words.
    Whole(Lookup),
    /// By the first index, among the rows of its group: while groups are small, nothing but the index has to be kept. A table that
    /// has left its groups because one was large returns to them when it is empty, once.
    Group,
}

/// Rows by their keys.
#[derive(Debug, Clone)]
pub struct Table {
    keys: usize,
    words: Vec<u64>,
    /// Whether each row is there.
    alive: Vec<bool>,
    free: Vec<Row>,
    count: usize,
    /// How many rows there have been at once.
    made: Row,
    /// Whether rows keep their keys.
    has_keys: bool,
    by_key: Keys,
    /// Whether rows may be found by the first index again, once there is none.
    may_group: bool,
    /// Whether some group is too large to look for a row in.
    is_crowded: Cell<bool>,
    indexes: Vec<Index>,
    /// Whether a row has more than its key: a stamp, a set, or witnesses.
    has_more: bool,
    /// One stamp per row, if stamps are kept.
    stamps: Option<Stamps>,
    /// Whether stamps say which rows of a window count: those before this one do not.
    is_recent: bool,
    floor: u64,
    /// One set per row, if the view has one.
    sets: Option<Vec<Set>>,
    /// The witnesses of each row, if the view is a window.
    witnesses: Option<Vec<Witnesses>>,
}

impl Table {
    /// An empty table with so many key columns.
    pub fn new(keys: usize, stamped: bool, has_set: bool, window: bool) -> Table {
        Table {
            keys,
            words: Vec::new(),
            alive: Vec::new(),
            free: Vec::new(),
            count: 0,
            made: 0,
            has_keys: true,
            by_key: Keys::Whole(Lookup::new(keys)),
            may_group: false,
            is_crowded: Cell::new(false),
            indexes: Vec::new(),
            has_more: stamped || has_set || window,
            stamps: stamped.then(Stamps::default),
            is_recent: false,
            floor: 0,
            sets: has_set.then(Vec::new),
            witnesses: window.then(Vec::new),
        }
    }

    /// An empty table with one key column of which it is only asked whether a row is there: rows have no numbers.
    pub fn of_bits() -> Table {
        Table { by_key: Keys::Whole(Lookup::Set(Bits::default())), ..Table::new(1, false, false, false) }
    }

    /// An empty table with one key column and stamps, whose rows are looked up and never listed: they need not keep their keys.
    pub fn of_stamps() -> Table {
        Table { has_keys: false, ..Table::new(1, true, false, false) }
    }

    /// An empty table of a window in which the stamp of a row says whether it counts.
    pub fn of_recent(keys: usize) -> Table {
        Table { is_recent: true, ..Table::new(keys, true, false, false) }
    }

    /// Adds an index over these columns, while the table is empty.
    pub fn add_index(&mut self, columns: &[usize]) {
        self.indexes.push(Index::new(columns));
        let is_first = self.indexes.len() == 1;
        // Of a table with first and last points, rows may be taken out of an index alone.
        if is_first && (self.stamps.is_none() || self.is_recent) && self.keys > 1 && !columns.is_empty() {
            self.by_key = Keys::Group;
            self.may_group = true;
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether it has more rows with sets than the fast memory of a machine may hold. To look ahead at other tables costs
    /// more than it saves: rows of queues lie in order, and those of locks are few at a time.
    #[inline(always)]
    pub fn is_large(&self) -> bool {
        self.made > LARGE && self.sets.is_some()
    }

    /// Looks at what finding or adding a row will look at; what it returns means nothing.
    #[inline]
    pub fn touch(&self, key: &[u64]) -> u64 {
        let near = match &self.by_key {
            Keys::Whole(lookup) => lookup.near(key),
            Keys::Group => NONE,
        };
        let word = self.words.get(near as usize * self.keys).copied().unwrap_or(0);
        let set = self.sets.as_ref().and_then(|sets| sets.get(near as usize)).map_or(0, |set| u64::from(set.is_open()));
        self.indexes.iter().fold(word ^ set, |seen, index| seen ^ index.touch(key, &self.words, self.keys))
    }

    /// How many columns a key has.
    pub fn key_columns(&self) -> usize {
        self.keys
    }

    /// The key of a row.
    #[inline]
    pub fn key(&self, row: Row) -> &[u64] {
        let start = row as usize * self.keys;
        &self.words[start..start + self.keys]
    }

    /// The words from the key of a row on.
    #[inline(always)]
    fn from(&self, row: Row) -> &[u64] {
        &self.words[row as usize * self.keys..]
    }

    /// The row with this key.
    #[inline(always)]
    pub fn find(&self, key: &[u64]) -> Option<Row> {
        let row = match &self.by_key {
            Keys::Whole(lookup) => lookup.get(key, |row| begins_with(self.from(row), key)),
            Keys::Group => match self.indexes[0].find(key, &self.words, self.keys) {
                Some(row) => row,
                None => self.find_in_crowd(key),
            },
        };
        (row != NONE).then_some(row)
    }

    #[inline(never)]
    fn find_in_crowd(&self, key: &[u64]) -> Row {
        self.is_crowded.set(true);
        self.indexes[0].find_in_crowd(key, &self.words, self.keys)
    }

    /// Finds rows by all of their keys from now on.
    #[inline(never)]
    fn leave_groups(&mut self) {
        self.is_crowded.set(false);
        let mut lookup = Lookup::new(self.keys);
        self.rows().for_each(|row| lookup.add(self.key(row), row));
        self.by_key = Keys::Whole(lookup);
    }

    /// The row with this key, and whether it is new.
    #[inline]
    pub fn insert(&mut self, key: &[u64]) -> (Row, bool) {
        if let Keys::Whole(Lookup::Many(spots)) = &self.by_key {
            let hash = hash(key.iter().copied());
            return match spots.seek(hash, |row| begins_with(self.from(row), key)) {
                Ok(row) => (row, false),
                Err(place) => (self.add_at(place, hash, key), true),
            };
        }
        match self.find(key) {
            Some(row) => (row, false),
            None => (self.add(key), true),
        }
    }

    /// Adds a row with a key that no row has.
    #[inline]
    pub fn add(&mut self, key: &[u64]) -> Row {
        if let Keys::Whole(set @ Lookup::Set(_)) = &mut self.by_key {
            self.count += 1;
            set.add(key, 0);
            return 0;
        }
        if self.is_crowded.get() {
            self.leave_groups();
        }
        let row = self.fill(key);
        if let Keys::Whole(lookup) = &mut self.by_key {
            lookup.add(key, row);
        }
        self.link(row);
        row
    }

    /// The same where it is known at which place its number will be found.
    #[inline]
    fn add_at(&mut self, place: usize, hash: u32, key: &[u64]) -> Row {
        let row = self.fill(key);
        if let Keys::Whole(Lookup::Many(spots)) = &mut self.by_key {
            spots.add_at(place, hash, row);
        }
        self.link(row);
        row
    }

    /// Stores a key, in a row that nothing finds yet.
    #[inline(always)]
    fn fill(&mut self, key: &[u64]) -> Row {
        self.count += 1;
        match self.free.pop() {
            Some(row) => {
                if self.has_keys {
                    let start = row as usize * self.keys;
                    // Word by word: keys are too short for a call that copies.
                    self.words[start..start + self.keys].iter_mut().zip(key).for_each(|(word, own)| *word = *own);
                    self.alive[row as usize] = true;
                }
                row
            }
            None => {
                if self.has_keys {
                    key.iter().for_each(|word| self.words.push(*word));
                    self.alive.push(true);
                }
                if self.has_more {
                    self.add_more();
                }
                self.made += 1;
                self.made - 1
            }
        }
    }

    /// Puts a row into the indexes.
    #[inline(always)]
    fn link(&mut self, row: Row) {
        for index in &mut self.indexes {
            index.insert(row, &self.words, self.keys);
        }
    }

    /// Makes room for what a row has beside its key.
    #[inline(always)]
    fn add_more(&mut self) {
        if let Some(stamps) = &mut self.stamps {
            stamps.push(0);
        }
        if self.sets.is_some() || self.witnesses.is_some() {
            self.add_set_and_witnesses();
        }
    }

    #[inline(never)]
    fn add_set_and_witnesses(&mut self) {
        self.sets.iter_mut().for_each(|sets| sets.push(Set::default()));
        self.witnesses.iter_mut().for_each(|witnesses| witnesses.push(Witnesses::default()));
    }

    /// Takes a row out.
    pub fn remove(&mut self, row: Row) {
        if !self.alive[row as usize] {
            return;
        }
        let start = row as usize * self.keys;
        if let Keys::Whole(lookup) = &mut self.by_key {
            lookup.take(&self.words[start..start + self.keys], |own| own == row);
        }
        self.release(row);
    }

    /// Takes the row with this key out; tells whether there was one.
    #[inline(always)]
    pub fn take(&mut self, key: &[u64]) -> bool {
        let (words, keys) = (&self.words, self.keys);
        let row = match &mut self.by_key {
            Keys::Whole(lookup) => lookup.take(key, |row| begins_with(&words[row as usize * keys..], key)),
            Keys::Group => self.find(key).unwrap_or(NONE),
        };
        if row != NONE {
            self.release(row);
        }
        row != NONE
    }

    /// Takes a row that cannot be looked up any more out of all the rest.
    #[inline]
    fn release(&mut self, row: Row) {
        self.count -= 1;
        if matches!(self.by_key, Keys::Whole(Lookup::Set(_))) {
            return;
        }
        if self.has_keys {
            self.alive[row as usize] = false;
        }
        for index in &mut self.indexes {
            index.remove(row, &self.words, self.keys);
        }
        if let Some(sets) = &mut self.sets {
            sets[row as usize] = Set::default();
        }
        self.free.push(row);
        if self.count == 0 && self.may_group && matches!(self.by_key, Keys::Whole(_)) {
            // No group is too large any more; but if one becomes so again, it will once more.
            self.by_key = Keys::Group;
            self.may_group = false;
        }
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        (0..self.alive.len() as Row).filter(|&row| self.alive[row as usize])
    }

    /// All rows behind one, in the same order.
    pub fn rows_after(&self, row: Row) -> impl Iterator<Item = Row> {
        (row + 1..self.alive.len() as Row).filter(|&row| self.alive[row as usize])
    }

    /// The first row of an index with these values.
    #[inline]
    pub fn first(&self, index: usize, values: &[u64]) -> Option<Row> {
        let first = self.indexes[index].first(values, &self.words, self.keys);
        (first != NONE).then_some(first)
    }

    /// The row behind another one in an index.
    #[inline]
    pub fn next(&self, index: usize, row: Row) -> Option<Row> {
        let next = self.indexes[index].next(row);
        (next != NONE).then_some(next)
    }

    /// Keeps between which integers a column lies in each group of an index; tells whether that is kept.
    pub fn keep_ranges(&mut self, index: usize, column: usize) -> bool {
        let rows: Vec<Row> = self.rows().collect();
        self.indexes[index].keep_ranges(column, &rows, &self.words, self.keys)
    }

    /// Whether some row of the group that a row is the first of may compare so, or not so, with a value in that column.
    #[inline]
    pub fn may(&self, index: usize, first: Row, how: Comparison, value: i64, there: bool) -> bool {
        self.indexes[index].may(first, how, value, there)
    }

    /// Takes a row out of one index only: nobody will look for it there again.
    pub fn skip(&mut self, index: usize, row: Row) {
        self.indexes[index].remove(row, &self.words, self.keys);
    }

    /// The stamp of a row.
    #[inline]
    pub fn stamp(&self, row: Row) -> u64 {
        self.stamps.as_ref().map_or(0, |stamps| stamps.get(row))
    }

    /// Sets the stamp of a row.
    #[inline]
    pub fn set_stamp(&mut self, row: Row, stamp: u64) {
        if let Some(stamps) = &mut self.stamps {
            stamps.set(row, stamp);
        }
    }

    /// The set of a row.
    pub fn set(&self, row: Row) -> Option<&Set> {
        self.sets.as_ref().map(|sets| &sets[row as usize])
    }

    /// Replaces the set of a row.
    pub fn replace_set(&mut self, row: Row, set: Set) {
        if let Some(sets) = &mut self.sets {
            sets[row as usize] = set;
        }
    }

    /// The witnesses of a row.
    #[inline]
    pub fn witnesses(&mut self, row: Row) -> Option<&mut Witnesses> {
        self.witnesses.as_mut().map(|witnesses| &mut witnesses[row as usize])
    }

    /// Rows with a stamp before this one do not count from now on.
    pub fn set_floor(&mut self, stamp: u64) {
        self.floor = stamp;
    }

    /// Whether a row counts: in a window it needs a witness within the interval.
    #[inline]
    pub fn is_true(&self, row: Row) -> bool {
        match &self.witnesses {
            Some(witnesses) => witnesses[row as usize].live > 0,
            None => self.floor == 0 || self.stamp(row) >= self.floor,
        }
    }
}

/// The numbers of points, one per row: half as wide as numbers of points are, until one does not fit.
#[derive(Debug, Clone)]
enum Stamps {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Default for Stamps {
    fn default() -> Stamps {
        Stamps::Narrow(Vec::new())
    }
}

impl Stamps {
    fn push(&mut self, stamp: u32) {
        match self {
            Stamps::Narrow(stamps) => stamps.push(stamp),
            Stamps::Wide(stamps) => stamps.push(u64::from(stamp)),
        }
    }

    #[inline(always)]
    fn get(&self, row: Row) -> u64 {
        match self {
            Stamps::Narrow(stamps) => u64::from(stamps[row as usize]),
            Stamps::Wide(stamps) => stamps[row as usize],
        }
    }

    #[inline(always)]
    fn set(&mut self, row: Row, stamp: u64) {
        match (self, u32::try_from(stamp)) {
            (Stamps::Narrow(stamps), Ok(stamp)) => stamps[row as usize] = stamp,
            (Stamps::Wide(stamps), _) => stamps[row as usize] = stamp,
            (narrow, Err(_)) => narrow.widen(row, stamp),
        }
    }

    #[inline(never)]
    fn widen(&mut self, row: Row, stamp: u64) {
        if let Stamps::Narrow(stamps) = self {
            *self = Stamps::Wide(stamps.iter().map(|stamp| u64::from(*stamp)).collect());
            self.set(row, stamp);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_returns_to_groups_once_when_it_is_empty() {
        let mut table = Table::new(2, false, false, false);
        table.add_index(&[0]);
        for round in 0..4 {
            assert_eq!(matches!(table.by_key, Keys::Group), round < 2);
            for lock in 0..20 {
                assert!(table.insert(&[1, lock]).1);
                assert!(!table.insert(&[1, lock]).1);
            }
            assert!(matches!(table.by_key, Keys::Whole(_)));
            for lock in (0..20).rev() {
                assert!(table.take(&[1, lock]) && !table.take(&[1, lock]));
                assert_eq!(table.find(&[1, lock / 2]).is_some(), lock > 0);
            }
            assert_eq!(table.len(), 0);
        }
    }

    #[test]
    fn stamps_beyond_four_billion_points_are_kept() {
        let mut table = Table::new(1, true, false, false);
        let (one, _) = table.insert(&[8]);
        let (two, _) = table.insert(&[16]);
        table.set_stamp(one, 7);
        table.set_stamp(two, u64::from(u32::MAX) + 5);
        assert_eq!((table.stamp(one), table.stamp(two)), (7, u64::from(u32::MAX) + 5));
        let (three, _) = table.insert(&[24]);
        table.set_stamp(three, 9);
        assert_eq!((table.stamp(one), table.stamp(three)), (7, 9));
    }
}
