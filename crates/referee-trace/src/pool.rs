//! Equal things once, each with a number: a log may have as many names as lines, and what all of them share is kept once.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;

/// Different things, numbered in the order in which they came.
#[derive(Debug)]
pub(crate) struct Pool<T> {
    all: Vec<T>,
    index: HashTable<u32>,
    hasher: foldhash::fast::FixedState,
}

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool { all: Vec::new(), index: HashTable::new(), hasher: foldhash::fast::FixedState::default() }
    }
}

impl<T: Eq + Hash> Pool<T> {
    /// The number of a thing.
    pub(crate) fn number(&mut self, thing: T) -> u32 {
        let hash = self.hasher.hash_one(&thing);
        if let Some(known) = self.index.find(hash, |&number| self.all[number as usize] == thing) {
            return *known;
        }
        let number = u32::try_from(self.all.len()).expect("fewer than four billion things fit in memory");
        self.all.push(thing);
        let (all, hasher) = (&self.all, &self.hasher);
        self.index.insert_unique(hash, number, |&number| hasher.hash_one(&all[number as usize]));
        number
    }

    /// A thing by its number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &T {
        &self.all[number as usize]
    }
}
