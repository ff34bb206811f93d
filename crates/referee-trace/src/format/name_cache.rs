//! Finds the shape of an event without hashing it, as long as names repeat.
//!
//! A name's first eight bytes and its length make a key that tells nearly all names apart. Beside the key stands what
//! else makes the shape, folded into one word that the format chooses: how many cells, or which ones are blank. One
//! multiplication finds the slot, a few comparisons prove it right; only a miss asks [`Shapes`].

use crate::raw::{ShapeId, Want};

const SLOTS_BITS: u32 = 8;

/// A small table of the names seen lately.
#[derive(Debug)]
pub(super) struct NameCache {
    slots: Box<[Slot]>,
}

#[derive(Debug, Clone)]
struct Slot {
    head: u64,
    variant: u64,
    name: String,
    found: Found,
}

/// What the cache answers: a shape and what is wanted of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// The shape.
    pub shape: ShapeId,
    /// What the sink wants of such events.
    pub want: Want,
}

impl Default for NameCache {
    fn default() -> Self {
        let nothing = Found { shape: ShapeId(u32::MAX), want: Want::ALL };
        let empty = Slot { head: 0, variant: 0, name: String::new(), found: nothing };
        NameCache { slots: vec![empty; 1 << SLOTS_BITS].into() }
    }
}

/// A name to look up. It is not empty.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key<'a> {
    name: &'a str,
    head: u64,
    variant: u64,
}

impl<'a> Key<'a> {
    /// The key of a name and of what else makes the shape.
    #[inline]
    pub fn new(name: &'a str, variant: u64) -> Self {
        Key { name, head: head(name.as_bytes()), variant }
    }

    #[inline]
    fn slot(self) -> usize {
        let mixed = self.head ^ self.variant.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (self.name.len() as u64) << 56;
        (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> (64 - SLOTS_BITS)) as usize
    }
}

/// The first eight bytes, with zeros behind a shorter name: two reads that may overlap, no loop.
#[inline]
fn head(name: &[u8]) -> u64 {
    if let Some(head) = name.first_chunk::<8>() {
        return u64::from_le_bytes(*head);
    }
    if let (Some(first), Some(last)) = (name.first_chunk::<4>(), name.last_chunk::<4>()) {
        let shift = 8 * (name.len() - 4);
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << shift;
    }
    name.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

impl NameCache {
    /// What was last kept for this key, if `same` agrees that the shape fits.
    #[inline]
    pub fn get(&self, key: Key<'_>, same: impl FnOnce(ShapeId) -> bool) -> Option<Found> {
        let slot = &self.slots[key.slot()];
        let equal = slot.head == key.head && slot.variant == key.variant && slot.name.len() == key.name.len();
        let equal = equal && (key.name.len() <= 8 || slot.name == key.name);
        (equal && same(slot.found.shape)).then_some(slot.found)
    }

    /// Keeps the shape of a key; whatever shared its slot is forgotten.
    pub fn keep(&mut self, key: Key<'_>, found: Found) -> Found {
        let slot = &mut self.slots[key.slot()];
        slot.name.clear();
        slot.name.push_str(key.name);
        (slot.head, slot.variant, slot.found) = (key.head, key.variant, found);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_is_the_name_padded_with_zeros() {
        for length in 1..12 {
            let name = &b"abcdefghijkl"[..length];
            let mut padded = [0; 8];
            padded[..length.min(8)].copy_from_slice(&name[..length.min(8)]);
            assert_eq!(head(name), u64::from_le_bytes(padded), "{length}");
        }
    }

    #[test]
    fn names_and_variants_are_told_apart() {
        let mut cache = NameCache::default();
        let found = |number| Found { shape: ShapeId(number), want: Want::ALL };
        let keys = [("open", 1), ("open", 2), ("opened_long", 1), ("opened_lung", 1), ("o", 1)];
        let key = |(name, variant)| Key::new(name, variant);
        for (number, entry) in (0..).zip(keys) {
            assert!(cache.get(key(entry), |_| true).is_none(), "{entry:?} was not kept");
            cache.keep(key(entry), found(number));
            assert_eq!(cache.get(key(entry), |_| true).map(|found| found.shape), Some(ShapeId(number)));
            assert!(cache.get(key(entry), |_| false).is_none(), "the caller has the last word");
        }
    }
}
