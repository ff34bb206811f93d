//! Remembers when the bindings of events were seen.

use referee_trace::values::Atom;

use super::key_numbers::{KeyNumbers, hash_of};

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
}

impl SeenTable {
    /// Nothing seen yet of bindings of so many variables.
    pub(super) fn new(arity: usize) -> SeenTable {
        SeenTable { arity, keys: Vec::new(), seen: Vec::new(), places: KeyNumbers::new(arity) }
    }

    /// How many bindings were seen.
    pub(super) fn len(&self) -> usize {
        self.seen.len()
    }

    /// All bindings, and when each was seen.
    pub(super) fn all(&self) -> impl Iterator<Item = (&[Atom], Seen)> {
        let key = |row: usize| &self.keys[row * self.arity..][..self.arity];
        self.seen.iter().enumerate().map(move |(row, seen)| (key(row), *seen))
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
        self.places.find(hash, key, |row| &self.keys[row as usize * self.arity..][..self.arity] == key)
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
        let (keys, arity) = (&self.keys, self.arity);
        let hash_of = |row: u32| hash_of(&keys[row as usize * arity..][..arity]);
        self.places.insert(hash, key, self.seen.len() as u32, hash_of);
        self.keys.extend_from_slice(key);
        self.seen.push(Seen { last: now, began });
    }
}
