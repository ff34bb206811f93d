//! Maps keys to the numbers of slots, heads of chains and groups.
//!
//! ```text
//!  a key of one value    an array that the value itself indexes, where values are numbered densely: no hash, no comparison
//!  of several values     a hash table of numbers; the values lie with whatever the numbers count
//! ```

use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use referee_trace::values::Atom;

use crate::fo::store::lookup::{Direct, NONE};

/// Numbers by keys of one length.
#[derive(Debug, Clone)]
pub(super) enum KeyNumbers {
    /// Keys of one value.
    One(Direct),
    /// Keys of any other length.
    Several(HashTable<u32>),
}

/// What a key of several values is hashed to.
#[inline]
pub(super) fn hash_of(key: &[Atom]) -> u64 {
    FixedState::default().hash_one(key)
}

impl KeyNumbers {
    /// No keys yet, of so many values each.
    pub(super) fn new(arity: usize) -> KeyNumbers {
        match arity {
            1 => KeyNumbers::One(Direct::default()),
            _ => KeyNumbers::Several(HashTable::new()),
        }
    }

    /// What a key is looked up by; worth keeping where the same key is looked up again.
    #[inline]
    pub(super) fn hash(&self, key: &[Atom]) -> u64 {
        match self {
            KeyNumbers::One(_) => 0,
            KeyNumbers::Several(_) => hash_of(key),
        }
    }

    /// The number of a key, if it has one; `same` tells whether a number is that of the key.
    #[inline]
    pub(super) fn find(&self, hash: u64, key: &[Atom], same: impl Fn(u32) -> bool) -> Option<u32> {
        match (self, key) {
            (KeyNumbers::One(direct), [value]) => Some(direct.get(value.word())).filter(|number| *number != NONE),
            (KeyNumbers::Several(table), _) => table.find(hash, |number| same(*number)).copied(),
            _ => None,
        }
    }

    /// Gives a key that has none a number; `hash_of` tells what the keys of others are looked up by.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64, key: &[Atom], number: u32, hash_of: impl Fn(u32) -> u64) {
        match (self, key) {
            (KeyNumbers::One(direct), [value]) => direct.add(value.word(), number),
            (KeyNumbers::Several(table), _) => drop(table.insert_unique(hash, number, |other| hash_of(*other))),
            _ => {}
        }
    }

    /// Gives a key another number than its old one.
    #[inline]
    pub(super) fn replace(&mut self, hash: u64, key: &[Atom], old: u32, new: u32) {
        match (self, key) {
            (KeyNumbers::One(direct), [value]) => direct.replace(value.word(), new),
            (KeyNumbers::Several(table), _) => {
                if let Some(number) = table.find_mut(hash, |number| *number == old) {
                    *number = new;
                }
            }
            _ => {}
        }
    }

    /// Takes the number of a key away.
    #[inline]
    pub(super) fn remove(&mut self, hash: u64, key: &[Atom], number: u32) {
        match (self, key) {
            (KeyNumbers::One(direct), [value]) => drop(direct.take(value.word())),
            (KeyNumbers::Several(table), _) => {
                if let Ok(entry) = table.find_entry(hash, |other| *other == number) {
                    entry.remove();
                }
            }
            _ => {}
        }
    }
}
