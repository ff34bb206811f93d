//! Remembers when the bindings of events were seen.

use referee_trace::values::Atom;

use super::key_numbers::{KeyNumbers, hash_of};
use crate::shared::maps::{Map, Set};

/// When a binding was seen: last, and first as the beginning of a slice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// When it was seen last.
    pub last: u64,
    /// When it first began a slice; never is the last time of all.
    pub began: u64,
}

/// When the bindings of one set of variables were seen.
#[derive(Debug)]
pub(super) struct SeenTable {
    arity: usize,
    keys: Vec<Atom>,
    seen: Vec<Seen>,
    places: KeyNumbers,
    /// Rows that were forgotten; they are used again.
    free: Vec<u32>,
    /// The rows with a value; made when the first value is forgotten, since few are ever told of dead values.
    by_value: Option<Map<Atom, Set<u32>>>,
}

impl SeenTable {
    /// Nothing seen yet of bindings of so many variables.
    pub(super) fn new(arity: usize) -> SeenTable {
        SeenTable {
            arity,
            keys: Vec::new(),
            seen: Vec::new(),
            places: KeyNumbers::new(arity),
            free: Vec::new(),
            by_value: None,
        }
    }

    /// How many bindings were seen.
    pub(super) fn len(&self) -> usize {
        self.seen.len() - self.free.len()
    }

    #[inline]
    fn key(&self, row: u32) -> &[Atom] {
        &self.keys[row as usize * self.arity..][..self.arity]
    }

    /// All bindings, and when each was seen.
    pub(super) fn all(&self) -> impl Iterator<Item = (&[Atom], Seen)> {
        let free: Set<u32> = self.free.iter().copied().collect();
        let rows = (0..self.seen.len() as u32).filter(move |row| !free.contains(row));
        rows.map(|row| (self.key(row), self.seen[row as usize]))
    }

    /// Says when a binding was seen.
    pub(super) fn put(&mut self, key: &[Atom], seen: Seen) {
        self.note(key, seen.last, false);
        if let Some(row) = self.find(self.places.hash(key), key) {
            self.seen[row as usize] = seen;
        }
    }

    /// When a binding was seen, if it was.
    #[inline]
    pub(super) fn get(&self, key: &[Atom]) -> Option<Seen> {
        self.find(self.places.hash(key), key).map(|row| self.seen[row as usize])
    }

    #[inline]
    fn find(&self, hash: u64, key: &[Atom]) -> Option<u32> {
        self.places.find(hash, key, |row| self.key(row) == key)
    }

    /// Notes that a binding is seen now, perhaps as the beginning of a slice.
    #[inline]
    pub(super) fn note(&mut self, key: &[Atom], now: u64, begins: bool) {
        let hash = self.places.hash(key);
        let began = if begins { now } else { u64::MAX };
        if let Some(row) = self.find(hash, key) {
            let seen = &mut self.seen[row as usize];
            *seen = Seen { last: now, began: seen.began.min(began) };
            return;
        }
        self.add(hash, key, Seen { last: now, began });
    }

    #[inline]
    fn add(&mut self, hash: u64, key: &[Atom], seen: Seen) {
        let row = match self.free.pop() {
            Some(row) => {
                self.keys[row as usize * self.arity..][..self.arity].copy_from_slice(key);
                self.seen[row as usize] = seen;
                row
            }
            None => {
                self.keys.extend_from_slice(key);
                self.seen.push(seen);
                self.seen.len() as u32 - 1
            }
        };
        let (keys, arity) = (&self.keys, self.arity);
        self.places.insert(hash, key, row, |row| hash_of(&keys[row as usize * arity..][..arity]));
        if let Some(by_value) = &mut self.by_value {
            list(by_value, key, row);
        }
    }

    /// Forgets the bindings with a value.
    pub(super) fn forget(&mut self, value: Atom) {
        if self.by_value.is_none() {
            let mut by_value: Map<Atom, Set<u32>> = Map::default();
            for row in 0..self.seen.len() as u32 {
                list(&mut by_value, self.key(row), row);
            }
            self.by_value = Some(by_value);
        }
        let rows = self.by_value.as_mut().and_then(|by_value| by_value.remove(&value)).unwrap_or_default();
        for row in rows {
            let key = self.key(row).to_vec();
            self.places.remove(self.places.hash(&key), &key, row);
            for other in key.iter().filter(|other| **other != value) {
                self.forget_row(*other, row);
            }
            self.free.push(row);
        }
    }

    fn forget_row(&mut self, value: Atom, row: u32) {
        let Some(by_value) = &mut self.by_value else { return };
        if let Some(rows) = by_value.get_mut(&value)
            && rows.remove(&row)
            && rows.is_empty()
        {
            by_value.remove(&value);
        }
    }
}

/// Lists a row under the values of its key.
fn list(by_value: &mut Map<Atom, Set<u32>>, key: &[Atom], row: u32) {
    for value in key {
        by_value.entry(*value).or_default().insert(row);
    }
}
