//! From keys to numbers: where a row or a group of rows is.
//!
//! ```text
//!   no word      one number
//!   one word     integers and strings are numbered densely: an array per kind, indexed by the value itself
//!                what would make the array too large, −1 or 10¹², is hashed
//!                where nobody asks for the row, only whether it is there, one bit
//!   more words   hashed; the words themselves are with the rows
//! ```
//!
//! Looking up one word is one access to memory, without a hash and without a comparison. An array has at most some
//! [`ENTRIES_PER_KEY`] entries of four bytes per key.

use std::collections::HashSet;

use hashbrown::HashTable;
use referee_trace::values::Atom;

pub(crate) use crate::fo::store::raw_table::NONE;
use crate::fo::store::raw_table::RawTable;

/// How many entries an array may have per key that is in it.
const ENTRIES_PER_KEY: usize = 8;

/// How many keys are granted to an array that has none yet.
const GRANTED: usize = 128;

/// What words are multiplied with: odd numbers without a pattern.
const FACTORS: [u64; 3] = [0xf135_7aea_2e62_a9c5, 0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];

/// The hash of some words. Up to three are multiplied at the same time, none waiting for another.
#[inline(always)]
pub(crate) fn hash(words: &[u64]) -> u32 {
    let times = |at: usize, word: u64| word.wrapping_mul(FACTORS[at]);
    let hash = match *words {
        [one] => times(0, one),
        [one, two] => times(0, one).wrapping_add(times(1, two)),
        [one, two, three] => times(0, one).wrapping_add(times(1, two)).wrapping_add(times(2, three)),
        _ => words.iter().fold(0, |hash: u64, word| times(0, hash.rotate_left(23) ^ word)),
    };
    (hash >> 32) as u32
}

/// A hash of half the width, as wide as tables want it.
#[inline(always)]
fn widen(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

/// Numbers by one word.
#[derive(Debug, Clone, Default)]
pub(crate) struct Direct {
    dense: [Vec<u32>; Atom::KINDS],
    sparse: HashTable<(u64, u32)>,
    len: usize,
}

impl Direct {
    /// The number of a word, or [`NONE`].
    #[inline(always)]
    pub(crate) fn get(&self, word: u64) -> u32 {
        let (kind, id) = Atom::from_word(word).split();
        match self.dense[kind].get(id) {
            Some(number) => *number,
            None if self.sparse.is_empty() => NONE,
            None => self.get_sparse(word),
        }
    }

    #[inline(never)]
    fn get_sparse(&self, word: u64) -> u32 {
        self.sparse.find(widen(hash(&[word])), |(known, _)| *known == word).map_or(NONE, |found| found.1)
    }

    /// Gives a word that has none a number.
    #[inline(always)]
    pub(crate) fn add(&mut self, word: u64, number: u32) {
        self.len += 1;
        let (kind, id) = Atom::from_word(word).split();
        match self.dense[kind].get_mut(id) {
            Some(place) => *place = number,
            None => self.add_far(word, number),
        }
    }

    #[inline(never)]
    fn add_far(&mut self, word: u64, number: u32) {
        let (kind, id) = Atom::from_word(word).split();
        if id < (self.len + GRANTED).saturating_mul(ENTRIES_PER_KEY) {
            self.widen(kind, id);
            self.dense[kind][id] = number;
        } else {
            let rehash = |(word, _): &(u64, u32)| widen(hash(&[*word]));
            self.sparse.insert_unique(widen(hash(&[word])), (word, number), rehash);
        }
    }

    /// Makes the array of a kind long enough, and moves into it what now belongs there.
    fn widen(&mut self, kind: usize, id: usize) {
        let len = (id + 1).next_power_of_two().max(64);
        self.dense[kind].resize(len, NONE);
        let dense = &mut self.dense[kind];
        self.sparse.retain(|(word, number)| {
            let (of, id) = Atom::from_word(*word).split();
            let moves = of == kind && id < len;
            if moves {
                dense[id] = *number;
            }
            !moves
        });
    }

    /// Gives a word a number if it has none; tells which it had, or [`NONE`].
    #[inline(always)]
    pub(crate) fn add_if_none(&mut self, word: u64, number: u32) -> u32 {
        let (kind, id) = Atom::from_word(word).split();
        match self.dense[kind].get_mut(id) {
            Some(place) if *place == NONE => {
                *place = number;
                self.len += 1;
                NONE
            }
            Some(place) => *place,
            None => self.add_far_if_none(word, number),
        }
    }

    #[inline(never)]
    fn add_far_if_none(&mut self, word: u64, number: u32) -> u32 {
        let known = self.get(word);
        if known == NONE {
            self.add(word, number);
        }
        known
    }

    /// Gives a word a number, whether it has one or not; tells which it had, or [`NONE`].
    #[inline(always)]
    pub(crate) fn put(&mut self, word: u64, number: u32) -> u32 {
        let (kind, id) = Atom::from_word(word).split();
        match self.dense[kind].get_mut(id) {
            Some(place) => {
                let known = std::mem::replace(place, number);
                self.len += usize::from(known == NONE);
                known
            }
            None => self.put_far(word, number),
        }
    }

    #[inline(never)]
    fn put_far(&mut self, word: u64, number: u32) -> u32 {
        let known = self.get(word);
        match known {
            NONE => self.add(word, number),
            _ => self.replace(word, number),
        }
        known
    }

    /// Gives a word a number if it has none, or anyway if `renews` says so; tells which it had, or [`NONE`].
    #[inline(always)]
    pub(crate) fn put_if(&mut self, word: u64, number: u32, renews: bool) -> u32 {
        let (kind, id) = Atom::from_word(word).split();
        match self.dense[kind].get_mut(id) {
            Some(place) => {
                let known = *place;
                if renews || known == NONE {
                    *place = number;
                }
                self.len += usize::from(known == NONE);
                known
            }
            None if renews => self.put_far(word, number),
            None => self.add_far_if_none(word, number),
        }
    }

    /// Changes all numbers.
    pub(crate) fn renumber(&mut self, mut change: impl FnMut(u32) -> u32) {
        let dense = self.dense.iter_mut().flatten().filter(|number| **number != NONE);
        let sparse = self.sparse.iter_mut().map(|(_, number)| number);
        dense.chain(sparse).for_each(|number| *number = change(*number));
    }

    /// Takes the numbers away that are not to be kept.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(u32) -> bool) {
        let mut gone = 0;
        for place in self.dense.iter_mut().flatten().filter(|number| **number != NONE) {
            if !keep(*place) {
                *place = NONE;
                gone += 1;
            }
        }
        let sparse = self.sparse.len();
        self.sparse.retain(|(_, number)| keep(*number));
        self.len -= gone + sparse - self.sparse.len();
    }

    /// Takes the numbers away that are below one.
    pub(crate) fn retain_from(&mut self, least: u32) {
        let mut gone = 0;
        for place in self.dense.iter_mut().flat_map(|dense| dense.iter_mut()) {
            // Without a branch, so that many are compared at once.
            let is_below = *place < least;
            *place = if is_below { NONE } else { *place };
            gone += usize::from(is_below);
        }
        let sparse = self.sparse.len();
        self.sparse.retain(|(_, number)| *number >= least);
        self.len -= gone + sparse - self.sparse.len();
    }

    /// The words and their numbers, in no order that matters.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u64, u32)> {
        let dense = self.dense.iter().enumerate().flat_map(|(kind, dense)| {
            let entries = dense.iter().enumerate().filter(|(_, number)| **number != NONE);
            entries.map(move |(id, number)| (Atom::joined(kind, id).word(), *number))
        });
        dense.chain(self.sparse.iter().copied())
    }

    /// How many words have a number.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How many words it has places for without hashing them.
    pub(crate) fn width(&self) -> usize {
        self.dense.iter().map(Vec::len).sum()
    }

    /// Gives a word that has a number another one.
    #[inline]
    pub(crate) fn replace(&mut self, word: u64, other: u32) {
        let (kind, id) = Atom::from_word(word).split();
        match self.dense[kind].get_mut(id) {
            Some(place) => *place = other,
            None => {
                let found = self.sparse.find_mut(widen(hash(&[word])), |(known, _)| *known == word);
                found.into_iter().for_each(|entry| entry.1 = other);
            }
        }
    }

    /// Takes the number of a word away; tells which it was, or [`NONE`].
    #[inline(always)]
    pub(crate) fn take(&mut self, word: u64) -> u32 {
        let (kind, id) = Atom::from_word(word).split();
        let number = match self.dense[kind].get_mut(id) {
            Some(place) => std::mem::replace(place, NONE),
            None if self.sparse.is_empty() => NONE,
            None => self.take_sparse(word),
        };
        self.len -= usize::from(number != NONE);
        number
    }

    #[inline(never)]
    fn take_sparse(&mut self, word: u64) -> u32 {
        let found = self.sparse.find_entry(widen(hash(&[word])), |(known, _)| *known == word);
        found.map_or(NONE, |entry| entry.remove().0.1)
    }
}

/// Words, as bits: there or not.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bits {
    dense: [Vec<u64>; Atom::KINDS],
    sparse: HashSet<u64>,
    len: usize,
}

impl Bits {
    /// Whether a word is there: 0, or [`NONE`].
    #[inline(always)]
    fn get(&self, word: u64) -> u32 {
        let (kind, id) = Atom::from_word(word).split();
        let is_there = match self.dense[kind].get(id / 64) {
            Some(bits) => bits >> (id % 64) & 1 == 1,
            None => !self.sparse.is_empty() && self.sparse.contains(&word),
        };
        if is_there { 0 } else { NONE }
    }

    /// The words, in no order that matters.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        let dense = self.dense.iter().enumerate().flat_map(|(kind, dense)| {
            let places = dense.iter().enumerate().filter(|(_, bits)| **bits != 0);
            let ids = places
                .flat_map(|(at, bits)| (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| 64 * at + bit));
            ids.map(move |id| Atom::joined(kind, id).word())
        });
        dense.chain(self.sparse.iter().copied())
    }

    /// Adds a word that is not there.
    #[inline(always)]
    fn add(&mut self, word: u64) {
        self.len += 1;
        let (kind, id) = Atom::from_word(word).split();
        match self.dense[kind].get_mut(id / 64) {
            Some(bits) => *bits |= 1 << (id % 64),
            None => self.add_far(word),
        }
    }

    #[inline(never)]
    fn add_far(&mut self, word: u64) {
        let (kind, id) = Atom::from_word(word).split();
        if id / 64 >= (self.len + GRANTED).saturating_mul(ENTRIES_PER_KEY) {
            self.sparse.insert(word);
            return;
        }
        let len = (id / 64 + 1).next_power_of_two();
        self.dense[kind].resize(len, 0);
        let is_near = |word: &u64| {
            let (of, id) = Atom::from_word(*word).split();
            of == kind && id / 64 < len
        };
        for word in self.sparse.extract_if(is_near).chain([word]) {
            let (_, id) = Atom::from_word(word).split();
            self.dense[kind][id / 64] |= 1 << (id % 64);
        }
    }

    /// Adds a word if it is not there; tells whether it was, as [`Bits::get`] does.
    #[inline(always)]
    pub(crate) fn add_if_none(&mut self, word: u64) -> u32 {
        let known = self.get(word);
        if known == NONE {
            self.add(word);
        }
        known
    }

    /// Takes a word away; tells whether it was there, as [`Bits::get`] does.
    #[inline(always)]
    pub(crate) fn take(&mut self, word: u64) -> u32 {
        let (kind, id) = Atom::from_word(word).split();
        let was_there = match self.dense[kind].get_mut(id / 64) {
            Some(bits) => {
                let was_there = *bits >> (id % 64) & 1 == 1;
                *bits &= !(1 << (id % 64));
                was_there
            }
            None => self.sparse.remove(&word),
        };
        self.len -= usize::from(was_there);
        if was_there { 0 } else { NONE }
    }
}

/// Numbers by some words. Which way is a byte of its own, as every look-up asks for it: hidden in a value of one of them, it would
/// take longer to find out.
#[derive(Debug, Clone)]
#[repr(u8)]
pub(crate) enum Lookup {
    /// By no word: one number, or none.
    Nothing(u32),
    /// By one word.
    One(Direct),
    /// By one word, all the same number.
    Set(Bits),
    /// By more than one word; somebody else keeps the words.
    Many(RawTable),
}

impl Lookup {
    /// Without any number, for keys of so many words.
    pub(crate) fn new(words: usize) -> Lookup {
        match words {
            0 => Lookup::Nothing(NONE),
            1 => Lookup::One(Direct::default()),
            _ => Lookup::Many(RawTable::default()),
        }
    }

    /// Makes room for so many keys, where that is worth it.
    pub(crate) fn reserve(&mut self, keys: usize) {
        if let Lookup::Many(raw_table) = self {
            raw_table.reserve(keys);
        }
    }

    /// The number of a key, or [`NONE`]; `is` tells whether a number stands for it.
    #[inline(always)]
    pub(crate) fn get(&self, key: &[u64], is: impl Fn(u32) -> bool) -> u32 {
        match self {
            Lookup::Nothing(number) => *number,
            Lookup::One(direct) => direct.get(key[0]),
            Lookup::Set(bits) => bits.get(key[0]),
            Lookup::Many(raw_table) => raw_table.get(hash(key), is),
        }
    }

    /// Gives a key that has none a number.
    #[inline(always)]
    pub(crate) fn add(&mut self, key: &[u64], number: u32) {
        match self {
            Lookup::Nothing(place) => *place = number,
            Lookup::One(direct) => direct.add(key[0], number),
            Lookup::Set(bits) => bits.add(key[0]),
            Lookup::Many(raw_table) => raw_table.add(hash(key), number),
        }
    }

    /// Gives a key another number.
    #[inline(always)]
    pub(crate) fn replace(&mut self, key: &[u64], number: u32, other: u32) {
        match self {
            Lookup::Nothing(place) => *place = other,
            Lookup::One(direct) => direct.replace(key[0], other),
            Lookup::Set(_) => {}
            Lookup::Many(raw_table) => raw_table.replace(hash(key), number, other),
        }
    }

    /// Takes the number of a key away; tells which it was, or [`NONE`]. `is` tells whether a number stands for it.
    #[inline(always)]
    pub(crate) fn take(&mut self, key: &[u64], is: impl Fn(u32) -> bool) -> u32 {
        match self {
            Lookup::Nothing(place) => std::mem::replace(place, NONE),
            Lookup::One(direct) => direct.take(key[0]),
            Lookup::Set(bits) => bits.take(key[0]),
            Lookup::Many(raw_table) => raw_table.take(hash(key), is),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(integer: i64) -> u64 {
        Atom::integer(integer).map_or(0, Atom::word)
    }

    #[test]
    fn far_words_move_into_the_array_when_it_grows() {
        let mut direct = Direct::default();
        let far = integer(5000);
        direct.add(far, 1);
        direct.add(integer(-1), 2);
        assert_eq!(direct.sparse.len(), 2);
        for near in 0..3000 {
            direct.add(integer(near), 10 + near as u32);
        }
        direct.add(integer(4999), 3);
        assert_eq!(direct.sparse.len(), 1);
        assert_eq!((direct.get(far), direct.get(integer(-1)), direct.get(integer(4999))), (1, 2, 3));
        assert_eq!(direct.get(integer(2999)), 3009);
        direct.replace(far, 4);
        direct.replace(integer(-1), 5);
        assert_eq!((direct.get(far), direct.get(integer(-1))), (4, 5));
        assert_eq!((direct.get(integer(3000)), direct.get(integer(1 << 50))), (NONE, NONE));
        assert_eq!((direct.take(far), direct.take(integer(-1)), direct.take(integer(-2))), (4, 5, NONE));
        assert_eq!((direct.get(far), direct.get(integer(-1))), (NONE, NONE));
        assert_eq!(direct.len, 3001);
    }

    #[test]
    fn bits_are_a_set() {
        let mut bits = Bits::default();
        let mut known = HashSet::new();
        let mut state = 3_u64;
        for _ in 0..5000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let word = match state >> 60 {
                0 => integer(-((state >> 40) as i64 % 5) - 1),
                1 => integer((state >> 30) as i64 % 1_000_000),
                2 => Atom::boolean(state >> 50 & 1 == 1).word(),
                _ => integer((state >> 33) as i64 % 200),
            };
            assert_eq!(bits.get(word) == 0, known.contains(&word));
            match known.remove(&word) {
                true => assert_eq!((bits.take(word), bits.take(word)), (0, NONE)),
                false => {
                    known.insert(word);
                    bits.add(word);
                }
            }
            assert_eq!(bits.len, known.len());
        }
    }

    #[test]
    fn kinds_of_values_do_not_mix() {
        let mut direct = Direct::default();
        direct.add(Atom::boolean(true).word(), 7);
        assert_eq!(direct.get(integer(1)), NONE);
        assert_eq!(direct.get(Atom::boolean(true).word()), 7);
    }
}
