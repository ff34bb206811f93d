//! Finds the shape of an event without hashing it, as long as names repeat.
//!
//! A name's first eight bytes and its length make a key that tells nearly all names apart. Beside the key stands what
//! else makes the shape, folded into one word that the format chooses: how many cells, or which ones are blank. One
//! multiplication finds the slot, a few comparisons prove it right; only a miss asks [`Shapes`].

use crate::raw::ShapeId;

const SLOT_BITS: u32 = 8;

/// A small table of the names seen lately.
#[derive(Debug)]
pub(crate) struct NameCache {
    slots: Box<[CachedName; 1 << SLOT_BITS]>,
}

#[derive(Debug)]
#[repr(align(64))]
struct CachedName {
    head: u64,
    variant: u64,
    name: String,
    shape: ShapeId,
}

impl Default for NameCache {
    fn default() -> Self {
        let empty = |_| CachedName { head: 0, variant: 0, name: String::new(), shape: ShapeId(u32::MAX) };
        NameCache { slots: Box::new(std::array::from_fn(empty)) }
    }
}

/// A name to look up. It is not empty.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameKey<'a> {
    name: &'a str,
    head: u64,
    variant: u64,
}

impl<'a> NameKey<'a> {
    /// The key of a name, its first eight bytes, and of what else makes the shape.
    #[inline]
    pub(crate) fn new(name: &'a str, head: u64, variant: u64) -> Self {
        NameKey { name, head, variant }
    }

    #[inline]
    fn slot(self) -> usize {
        let mixed = self.head.wrapping_add(self.variant);
        (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> (64 - SLOT_BITS)) as usize
    }
}

impl NameCache {
    /// What was last kept for this key, if its name has at most eight bytes.
    #[inline]
    pub(crate) fn get_short(&self, key: NameKey<'_>) -> Option<ShapeId> {
        let slot = &self.slots[key.slot()];
        let length = slot.name.len() ^ key.name.len();
        let equal = (slot.head ^ key.head) | (slot.variant ^ key.variant) | length as u64 == 0;
        (equal && key.name.len() <= 8).then_some(slot.shape)
    }

    /// What was last kept for this key, if `same` agrees that the shape fits.
    #[inline]
    pub(crate) fn get(&self, key: NameKey<'_>, same: impl FnOnce(ShapeId) -> bool) -> Option<ShapeId> {
        let slot = &self.slots[key.slot()];
        let length = slot.name.len() ^ key.name.len();
        let equal = (slot.head ^ key.head) | (slot.variant ^ key.variant) | length as u64 == 0;
        let equal = equal && (key.name.len() <= 8 || slot.name == key.name);
        (equal && same(slot.shape)).then_some(slot.shape)
    }

    /// Keeps the shape of a key; whatever shared its slot is forgotten.
    pub(crate) fn keep(&mut self, key: NameKey<'_>, shape: ShapeId) -> ShapeId {
        let slot = &mut self.slots[key.slot()];
        slot.name.clear();
        slot.name.push_str(key.name);
        (slot.head, slot.variant, slot.shape) = (key.head, key.variant, shape);
        shape
    }
}

#[cfg(test)]
mod tests {
    use super::super::split::head;
    use super::*;

    #[test]
    fn names_and_variants_are_told_apart() {
        let mut cache = NameCache::default();
        let keys = [("open", 1), ("open", 2), ("opened_long", 1), ("opened_lung", 1), ("o", 1)];
        let key = |(name, variant): (&'static str, u64)| NameKey::new(name, head(name.as_bytes()), variant);
        for (number, entry) in (0..).zip(keys) {
            assert!(cache.get(key(entry), |_| true).is_none(), "{entry:?} was not kept");
            cache.keep(key(entry), ShapeId(number));
            assert_eq!(cache.get(key(entry), |_| true), Some(ShapeId(number)));
            assert_eq!(cache.get_short(key(entry)), (entry.0.len() <= 8).then_some(ShapeId(number)));
            assert!(cache.get(key(entry), |_| false).is_none(), "the caller has the last word");
        }
    }
}
