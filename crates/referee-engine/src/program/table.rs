//! Rows by their keys, with indexes made on demand.
//!
//! ```text
//!   words    7 x | 8 y | 7 z        the keys, row after row
//!   by key   hash ─▶ row
//!   index    hash of some columns ─▶ first … last row with them, linked in the order in which they came
//! ```
//!
//! Everything is amortised O(1) per change and per row found; nothing is allocated per event once tables have grown.

use hashbrown::HashTable;

use super::sets::Set;

/// A row of a table.
pub type Row = u32;

const NONE: Row = Row::MAX;

/// The hash of some words.
#[inline]
pub fn hash(words: impl Iterator<Item = u64>) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
    for word in words {
        hash = (hash.rotate_left(23) ^ word).wrapping_mul(0xf135_7aea_2e62_a9c5);
    }
    hash ^ hash >> 32
}

/// The hash of one word.
#[inline]
fn hash_one(word: u64) -> u64 {
    hash(std::iter::once(word))
}

/// The hash of two words.
#[inline]
fn hash_two(one: u64, other: u64) -> u64 {
    hash([one, other].into_iter())
}

/// A row, with the first word of its key beside it: most look-ups need no other.
#[derive(Debug, Clone, Copy)]
struct Entry {
    word: u64,
    row: Row,
}

/// The rows that share the values of some columns.
#[derive(Debug, Clone)]
struct Index {
    columns: Vec<usize>,
    groups: HashTable<Group>,
    next: Vec<Row>,
    before: Vec<Row>,
}

#[derive(Debug, Clone, Copy)]
struct Group {
    first: Row,
    last: Row,
}

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

/// Rows by their keys.
#[derive(Debug, Clone)]
pub struct Table {
    keys: usize,
    words: Vec<u64>,
    /// Whether each row is there.
    alive: Vec<bool>,
    free: Vec<Row>,
    by_key: HashTable<Entry>,
    indexes: Vec<Index>,
    /// One stamp per row, if stamps are kept.
    stamps: Option<Vec<u64>>,
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
            by_key: HashTable::new(),
            indexes: Vec::new(),
            stamps: stamped.then(Vec::new),
            sets: has_set.then(Vec::new),
            witnesses: window.then(Vec::new),
        }
    }

    /// Adds an index over these columns, while the table is empty.
    pub fn add_index(&mut self, columns: &[usize]) {
        self.indexes.push(Index {
            columns: columns.to_vec(),
            groups: HashTable::new(),
            next: Vec::new(),
            before: Vec::new(),
        });
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.by_key.len()
    }

    /// The key of a row.
    #[inline]
    pub fn key(&self, row: Row) -> &[u64] {
        let start = row as usize * self.keys;
        &self.words[start..start + self.keys]
    }

    /// The row with this key.
    #[inline]
    pub fn find(&self, key: &[u64]) -> Option<Row> {
        match *key {
            [word] => self.by_key.find(hash_one(word), |entry| entry.word == word).map(|entry| entry.row),
            [word, second] => {
                let found = self.by_key.find(hash_two(word, second), |entry| self.has_key(entry, key));
                found.map(|entry| entry.row)
            }
            _ => self.find_any(key),
        }
    }

    #[inline]
    fn has_key(&self, entry: &Entry, key: &[u64]) -> bool {
        let start = entry.row as usize * self.keys;
        match *key {
            [word] => entry.word == word,
            [word, second] => entry.word == word && self.words[start + 1] == second,
            _ => self.words[start..start + self.keys] == *key,
        }
    }

    #[inline(never)]
    fn find_any(&self, key: &[u64]) -> Option<Row> {
        self.by_key.find(hash(key.iter().copied()), |entry| self.key(entry.row) == key).map(|entry| entry.row)
    }

    /// The row with this key, and whether it is new.
    pub fn insert(&mut self, key: &[u64]) -> (Row, bool) {
        let hashed = hash(key.iter().copied());
        if let Some(entry) = self.by_key.find(hashed, |entry| self.has_key(entry, key)) {
            return (entry.row, false);
        }
        let row = self.free.pop().unwrap_or(self.alive.len() as Row);
        let start = row as usize * self.keys;
        if row as usize == self.alive.len() {
            self.words.extend_from_slice(key);
            self.alive.push(true);
            self.stamps.iter_mut().for_each(|stamps| stamps.push(0));
            self.sets.iter_mut().for_each(|sets| sets.push(Set::default()));
            self.witnesses.iter_mut().for_each(|witnesses| witnesses.push(Witnesses::default()));
        } else {
            self.words[start..start + self.keys].copy_from_slice(key);
            self.alive[row as usize] = true;
        }
        let (words, keys) = (&self.words, self.keys);
        let words_of = |row: Row| words[row as usize * keys..(row as usize + 1) * keys].iter().copied();
        let entry = Entry { word: key.first().copied().unwrap_or(0), row };
        self.by_key.insert_unique(hashed, entry, |entry| match keys {
            1 => hash_one(entry.word),
            _ => hash(words_of(entry.row)),
        });
        for index in &mut self.indexes {
            index.insert(row, words, keys);
        }
        (row, true)
    }

    /// Takes a row out.
    pub fn remove(&mut self, row: Row) {
        if !std::mem::replace(&mut self.alive[row as usize], false) {
            return;
        }
        let hashed = hash(self.key(row).iter().copied());
        if let Ok(entry) = self.by_key.find_entry(hashed, |entry| entry.row == row) {
            entry.remove();
        }
        for index in &mut self.indexes {
            index.remove(row, &self.words, self.keys);
        }
        if let Some(sets) = &mut self.sets {
            sets[row as usize] = Set::default();
        }
        self.free.push(row);
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        (0..self.alive.len() as Row).filter(|&row| self.alive[row as usize])
    }

    /// The first row of an index with these values.
    #[inline]
    pub fn first(&self, index: usize, values: &[u64]) -> Option<Row> {
        let index = &self.indexes[index];
        let same = |group: &Group| {
            let start = group.first as usize * self.keys;
            index.columns.iter().zip(values).all(|(column, value)| self.words[start + column] == *value)
        };
        index.groups.find(hash(values.iter().copied()), same).map(|group| group.first)
    }

    /// The row behind another one in an index.
    #[inline]
    pub fn next(&self, index: usize, row: Row) -> Option<Row> {
        let next = self.indexes[index].next[row as usize];
        (next != NONE).then_some(next)
    }

    /// Takes a row out of one index only: nobody will look for it there again.
    pub fn skip(&mut self, index: usize, row: Row) {
        self.indexes[index].remove(row, &self.words, self.keys);
    }

    /// The stamp of a row.
    #[inline]
    pub fn stamp(&self, row: Row) -> u64 {
        self.stamps.as_ref().map_or(0, |stamps| stamps[row as usize])
    }

    /// Sets the stamp of a row.
    #[inline]
    pub fn set_stamp(&mut self, row: Row, stamp: u64) {
        if let Some(stamps) = &mut self.stamps {
            stamps[row as usize] = stamp;
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

    /// Whether a row counts: in a window it needs a witness within the interval.
    #[inline]
    pub fn is_true(&self, row: Row) -> bool {
        self.witnesses.as_ref().is_none_or(|witnesses| witnesses[row as usize].live > 0)
    }
}

impl Index {
    fn hash_of(&self, row: Row, words: &[u64], keys: usize) -> u64 {
        let start = row as usize * keys;
        hash(self.columns.iter().map(|column| words[start + column]))
    }

    fn insert(&mut self, row: Row, words: &[u64], keys: usize) {
        if self.next.len() <= row as usize {
            self.next.resize(row as usize + 1, NONE);
            self.before.resize(row as usize + 1, NONE);
        }
        let hashed = self.hash_of(row, words, keys);
        let columns = &self.columns;
        let value = |row: Row, column: &usize| words[row as usize * keys + column];
        let same = |group: &Group| columns.iter().all(|column| value(group.first, column) == value(row, column));
        self.next[row as usize] = NONE;
        match self.groups.find_mut(hashed, same) {
            Some(group) => {
                self.before[row as usize] = group.last;
                self.next[group.last as usize] = row;
                group.last = row;
            }
            None => {
                self.before[row as usize] = NONE;
                let rehash = |group: &Group| hash(columns.iter().map(|column| value(group.first, column)));
                self.groups.insert_unique(hashed, Group { first: row, last: row }, rehash);
            }
        }
    }

    fn remove(&mut self, row: Row, words: &[u64], keys: usize) {
        let hashed = self.hash_of(row, words, keys);
        let (next, before) = (self.next[row as usize], self.before[row as usize]);
        if next == row {
            // It was taken out before.
            return;
        }
        match (before, next) {
            (NONE, NONE) => {
                if let Ok(entry) = self.groups.find_entry(hashed, |group| group.first == row) {
                    entry.remove();
                }
            }
            (NONE, next) => {
                if let Some(group) = self.groups.find_mut(hashed, |group| group.first == row) {
                    group.first = next;
                }
                self.before[next as usize] = NONE;
            }
            (before, next) => {
                self.next[before as usize] = next;
                match next {
                    NONE => {
                        let columns = &self.columns;
                        let value = |row: Row, column: &usize| words[row as usize * keys + column];
                        let same = |group: &Group| {
                            columns.iter().all(|column| value(group.first, column) == value(row, column))
                        };
                        if let Some(group) = self.groups.find_mut(hashed, same) {
                            group.last = before;
                        }
                    }
                    next => self.before[next as usize] = before,
                }
            }
        }
        self.next[row as usize] = row;
    }
}
