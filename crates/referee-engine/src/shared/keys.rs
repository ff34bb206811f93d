//! Gives keys dense numbers: groups of an aggregate, assignments in a window, instances of a stream.
//!
//! ```text
//!  direct  small integer ─▶ id           keys of one atom that is a small integer: no hashing
//!  index   hash ─▶ (first atom, id)      all others; a look-up touches the keys only if they have several atoms
//!  atoms   id × arity                    the keys, one after the other
//!  free    ids that may be given again
//! ```
//!
//! Cost: one load, or one hash of the key and, as a rule, one cache line. Nothing is allocated for a key once its id existed.

use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use referee_trace::values::Atom;

/// Keys of one length, numbered from 0.
#[derive(Debug, Clone, Default)]
pub(crate) struct DenseKeys {
    arity: usize,
    /// By integer; [`NO_ID`] where it has none.
    direct: Vec<u32>,
    index: HashTable<(u64, u32)>,
    hasher: FixedState,
    atoms: Vec<Atom>,
    free: Vec<u32>,
    /// How many ids were ever given.
    given: u32,
}

/// The integers below this have their ids in an array: half a megabyte at most.
const DIRECT: i64 = 1 << 17;
const NO_ID: u32 = u32::MAX;

/// The place of a key in the array.
#[inline]
fn direct_place(key: &[Atom]) -> Option<usize> {
    match key {
        [only] => only.as_integer().filter(|integer| (0..DIRECT).contains(integer)).map(|integer| integer as usize),
        _ => None,
    }
}

impl DenseKeys {
    /// No keys yet, of so many atoms each.
    pub(crate) fn new(arity: usize) -> DenseKeys {
        DenseKeys { arity, ..DenseKeys::default() }
    }

    /// How many keys there are.
    pub(crate) fn len(&self) -> usize {
        self.given as usize - self.free.len()
    }

    /// How many ids were ever given: all ids are below.
    pub(crate) fn capacity(&self) -> usize {
        self.given as usize
    }

    /// How many atoms a key has.
    pub(crate) fn arity(&self) -> usize {
        self.arity
    }

    /// All ids that are given, in no order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = u32> {
        let direct = self.direct.iter().copied().filter(|id| *id != NO_ID);
        direct.chain(self.index.iter().map(|(_, id)| *id))
    }

    /// The key with this id.
    #[inline]
    pub(crate) fn key(&self, id: u32) -> &[Atom] {
        let start = id as usize * self.arity;
        &self.atoms[start..start + self.arity]
    }

    /// The id of a key, if it has one.
    #[inline]
    pub(crate) fn find(&self, key: &[Atom]) -> Option<u32> {
        match direct_place(key) {
            Some(place) => self.direct.get(place).copied().filter(|id| *id != NO_ID),
            None => self.find_hashed(key),
        }
    }

    fn find_hashed(&self, key: &[Atom]) -> Option<u32> {
        let word = first_word(key);
        let same = |&(first, id): &(u64, u32)| first == word && (self.arity <= 1 || self.key(id) == key);
        self.index.find(hash_of(&self.hasher, key), same).map(|(_, id)| *id)
    }

    /// Gives an id to a key that has none.
    pub(crate) fn insert(&mut self, key: &[Atom]) -> u32 {
        let id = self.place(key);
        if let Some(place) = direct_place(key) {
            if place >= self.direct.len() {
                self.direct.resize((place + 1).next_power_of_two(), NO_ID);
            }
            self.direct[place] = id;
            return id;
        }
        let (atoms, arity, hasher) = (&self.atoms, self.arity, &self.hasher);
        self.index.insert_unique(hash_of(hasher, key), (first_word(key), id), |(_, id)| {
            let start = *id as usize * arity;
            hash_of(hasher, &atoms[start..start + arity])
        });
        id
    }

    fn place(&mut self, key: &[Atom]) -> u32 {
        match self.free.pop() {
            Some(id) => {
                let start = id as usize * self.arity;
                self.atoms[start..start + self.arity].copy_from_slice(key);
                id
            }
            None => {
                self.atoms.extend_from_slice(key);
                self.given = self.given.checked_add(1).expect("fewer than four billion keys fit in memory");
                self.given - 1
            }
        }
    }

    /// Takes the id of a key away; it may be given again. Tells whether it was given.
    pub(crate) fn remove(&mut self, id: u32) -> bool {
        let removed = match direct_place(self.key(id)) {
            Some(place) => match self.direct.get_mut(place) {
                Some(known) if *known == id => {
                    *known = NO_ID;
                    true
                }
                _ => false,
            },
            None => self.remove_hashed(id),
        };
        if removed {
            self.free.push(id);
        }
        removed
    }

    fn remove_hashed(&mut self, id: u32) -> bool {
        let hash = hash_of(&self.hasher, self.key(id));
        match self.index.find_entry(hash, |(_, other)| *other == id) {
            Ok(entry) => {
                entry.remove();
                true
            }
            Err(_) => false,
        }
    }
}

#[inline]
fn first_word(key: &[Atom]) -> u64 {
    key.first().map_or(0, |atom| atom.word())
}

#[inline]
fn hash_of(hasher: &FixedState, key: &[Atom]) -> u64 {
    match key {
        [only] => hasher.hash_one(only.word()),
        _ => hasher.hash_one(key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atoms(integers: &[i64]) -> Vec<Atom> {
        integers.iter().filter_map(|&integer| Atom::integer(integer)).collect()
    }

    #[test]
    fn ids_are_dense_and_used_again() {
        // Small integers, and those that are too large for the array or negative.
        for (arity, first) in [(0, 0), (1, 0), (1, DIRECT - 10), (1, -25), (2, 0)] {
            let mut keys = DenseKeys::new(arity);
            let key = |number: i64| atoms(&[first + number, number / 2][..arity]);
            let count = if arity == 0 { 1 } else { 50 };
            for number in 0..count {
                assert_eq!(keys.find(&key(number)), None);
                assert_eq!(i64::from(keys.insert(&key(number))), number);
            }
            for number in 0..count {
                let id = keys.find(&key(number)).expect("it was given");
                assert_eq!((i64::from(id), keys.key(id)), (number, &key(number)[..]));
            }
            assert!(keys.remove(0) && !keys.remove(0));
            assert_eq!((keys.find(&key(0)), keys.len() as i64), (None, count - 1));
            assert_eq!((keys.insert(&key(count + 1)), keys.capacity() as i64), (0, count));
        }
    }
}
