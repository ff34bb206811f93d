//! A hash table of numbers whose keys somebody else keeps.
//!
//! ```text
//!   slots   · 7 · · 3 9 · ·      a number lies at its hash, or behind it without a gap
//! ```
//!
//! Open addressing with linear probing, at most half full; a number that goes is followed up by those behind it, so
//! nothing is left in its place. A slot is eight bytes: for tables of pairs, which most look-ups of a monitor ask, one
//! probe finds the number, or the place for it. In the tables of locks that a monitor of `acq` and `rel` keeps, this
//! costs half of what a general table does, which looks up a key again to insert or remove it.

use crate::fo::store::fetch::fetch;

/// No number.
pub(crate) const NONE: u32 = u32::MAX;

const SMALLEST: usize = 16;

#[derive(Debug, Clone, Copy)]
struct Bucket {
    hash: u32,
    number: u32,
}

const EMPTY: Bucket = Bucket { hash: 0, number: NONE };

/// Numbers by hashes.
#[derive(Debug, Clone, Default)]
pub(crate) struct RawTable {
    slots: Vec<Bucket>,
    len: usize,
}

impl RawTable {
    /// The number with this hash for which `is` holds, or [`NONE`].
    #[inline(always)]
    pub(crate) fn get(&self, hash: u32, is: impl Fn(u32) -> bool) -> u32 {
        self.place(hash, is).map_or(NONE, |at| self.slots[at].number)
    }

    /// Fetches the place of a hash.
    #[inline(always)]
    pub(crate) fn fetch(&self, hash: u32) {
        let mask = self.slots.len().wrapping_sub(1);
        self.slots.get(hash as usize & mask).into_iter().for_each(fetch);
    }

    /// Where the number with this hash is for which `is` holds.
    #[inline(always)]
    fn place(&self, hash: u32, is: impl Fn(u32) -> bool) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            let bucket = self.slots[at];
            if bucket.number == NONE {
                return None;
            }
            if bucket.hash == hash && is(bucket.number) {
                return Some(at);
            }
            at = (at + 1) & mask;
        }
    }

    /// The number with this hash for which `is` holds, or the place where it would be.
    #[inline(always)]
    pub(crate) fn seek(&self, hash: u32, is: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        while let Some(bucket) = self.slots.get(at) {
            if bucket.number == NONE {
                break;
            }
            if bucket.hash == hash && is(bucket.number) {
                return Ok(bucket.number);
            }
            at = (at + 1) & mask;
        }
        Err(at)
    }

    /// Adds a number that is not there yet at the place that was found for it.
    #[inline(always)]
    pub(crate) fn add_at(&mut self, place: usize, hash: u32, number: u32) {
        if self.slots.len() <= 2 * self.len {
            return self.add(hash, number);
        }
        self.len += 1;
        self.slots[place] = Bucket { hash, number };
    }

    /// Adds a number unless one is there with this hash for which `is` holds; tells which, or [`NONE`].
    #[inline(always)]
    pub(crate) fn add_if_none(&mut self, hash: u32, number: u32, is: impl Fn(u32) -> bool) -> u32 {
        match self.seek(hash, is) {
            Ok(known) => known,
            Err(place) => {
                self.add_at(place, hash, number);
                NONE
            }
        }
    }

    /// Adds a number that is not there yet.
    #[inline(always)]
    pub(crate) fn add(&mut self, hash: u32, number: u32) {
        if self.slots.len() <= 2 * self.len {
            self.grow();
        }
        self.len += 1;
        self.put(Bucket { hash, number });
    }

    #[inline(always)]
    fn put(&mut self, bucket: Bucket) {
        let mask = self.slots.len() - 1;
        let mut at = bucket.hash as usize & mask;
        while self.slots[at].number != NONE {
            at = (at + 1) & mask;
        }
        self.slots[at] = bucket;
    }

    #[inline(never)]
    fn grow(&mut self) {
        self.widen((2 * self.slots.len()).max(SMALLEST));
    }

    /// Makes room for so many numbers.
    pub(crate) fn reserve(&mut self, numbers: usize) {
        let slots = (2 * numbers + 1).next_power_of_two();
        if slots > self.slots.len().max(SMALLEST) {
            self.widen(slots);
        }
    }

    fn widen(&mut self, slots: usize) {
        let wider = vec![EMPTY; slots];
        let old = std::mem::replace(&mut self.slots, wider);
        old.into_iter().filter(|bucket| bucket.number != NONE).for_each(|bucket| self.put(bucket));
    }

    /// Puts another number in the place of one.
    #[inline(always)]
    pub(crate) fn replace(&mut self, hash: u32, number: u32, other: u32) {
        if let Some(at) = self.place(hash, |known| known == number) {
            self.slots[at].number = other;
        }
    }

    /// Takes the number with this hash away for which `is` holds; tells which it was, or [`NONE`].
    #[inline(always)]
    pub(crate) fn take(&mut self, hash: u32, is: impl Fn(u32) -> bool) -> u32 {
        let Some(at) = self.place(hash, is) else { return NONE };
        let number = self.slots[at].number;
        self.close(at);
        number
    }

    /// Closes a gap: what would not be found behind it moves up.
    #[inline(always)]
    fn close(&mut self, mut gap: usize) {
        self.len -= 1;
        let mask = self.slots.len() - 1;
        let mut at = (gap + 1) & mask;
        while self.slots[at].number != NONE {
            let home = self.slots[at].hash as usize & mask;
            // How far it is from its home, and how far the gap is before it.
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(gap) & mask) {
                self.slots[gap] = self.slots[at];
                gap = at;
            }
            at = (at + 1) & mask;
        }
        self.slots[gap] = EMPTY;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use referee_testing::seeds;

    use super::*;

    /// Numbers that come and go in an order that a seed decides, with hashes that often collide and wrap around.
    #[test]
    fn it_is_a_map() {
        for seed in seeds(50) {
            let mut state = seed + 1;
            let mut random = |below: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % below
            };
            let (mut raw_table, mut known) = (RawTable::default(), HashMap::new());
            for _ in 0..2000 {
                let number = random(60) as u32;
                let hash = (number / 3).wrapping_mul(5).wrapping_sub(20);
                match known.remove(&number) {
                    Some(hash) => assert_eq!(raw_table.take(hash, |known| known == number), number),
                    None => {
                        known.insert(number, hash);
                        match (random(2), raw_table.seek(hash, |known| known == number)) {
                            (0, Err(place)) => raw_table.add_at(place, hash, number),
                            (_, found) => {
                                assert!(found.is_err());
                                raw_table.add(hash, number);
                            }
                        }
                        assert_eq!(raw_table.seek(hash, |known| known == number), Ok(number));
                    }
                }
                let asked = random(60) as u32;
                let hash = (asked / 3).wrapping_mul(5).wrapping_sub(20);
                let expected = if known.contains_key(&asked) { asked } else { NONE };
                assert_eq!(raw_table.get(hash, |number| number == asked), expected);
            }
            assert_eq!(raw_table.len, known.len());
        }
    }
}
