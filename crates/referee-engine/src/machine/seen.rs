//! When the bindings of events were seen.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use referee_trace::values::Atom;

/// When a binding was seen: last, and first as the beginning of a slice.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    /// When it was seen last.
    pub last: u64,
    /// When it first began a slice; never is the last time of all.
    pub began: u64,
}

/// When the bindings of one set of variables were seen.
#[derive(Debug, Default)]
pub struct SeenTable {
    keys: Vec<Atom>,
    seen: Vec<Seen>,
    table: HashTable<u32>,
    hasher: FixedState,
}

impl SeenTable {
    /// How many bindings were seen.
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// When a binding was seen, if it was.
    #[inline]
    pub fn get(&self, key: &[Atom]) -> Option<Seen> {
        let row = self.table.find(self.hasher.hash_one(key), |row| self.key(*row, key.len()) == key)?;
        Some(self.seen[*row as usize])
    }

    fn key(&self, row: u32, arity: usize) -> &[Atom] {
        &self.keys[row as usize * arity..][..arity]
    }

    /// Notes that a binding is seen now, perhaps as the beginning of a slice.
    #[inline]
    pub fn note(&mut self, key: &[Atom], now: u64, begins: bool) {
        let hash = self.hasher.hash_one(key);
        let began = if begins { now } else { u64::MAX };
        if let Some(&row) = self.table.find(hash, |row| self.key(*row, key.len()) == key) {
            let seen = &mut self.seen[row as usize];
            *seen = Seen { last: now, began: seen.began.min(began) };
            return;
        }
        let (keys, hasher, arity) = (&self.keys, &self.hasher, key.len());
        let hash_of = |row: &u32| hasher.hash_one(&keys[*row as usize * arity..][..arity]);
        self.table.insert_unique(hash, self.seen.len() as u32, hash_of);
        self.keys.extend_from_slice(key);
        self.seen.push(Seen { last: now, began });
    }
}
