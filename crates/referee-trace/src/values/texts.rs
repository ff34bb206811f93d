//! Texts with dense numbers.
//!
//! ```text
//!  hash of the text ─▶ slots[hash]          ─▶ entries[id]                    ─▶ arena
//!                      32 bits of hash, id     length, and 12 bytes of text      longer texts only
//!                                              or 4 of them and a place
//! ```
//!
//! A look-up waits for memory twice when texts are short, three times when they are long, and hardly ever looks at a wrong
//! entry, since 32 bits of the hash must agree first. Growing the table moves slots by their stored hashes and touches no
//! text. [`Texts::intern_all`] looks up hundreds of texts in passes: one reads all the slots, one all the entries, one all
//! the longer texts, and as no read of a pass depends on another the waits overlap. That needs a table whose slots can be read
//! ahead, so it is open addressing written out here and not a hash map.

use foldhash::fast::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};

/// The longest text that lies in its entry.
const SHORT: usize = 12;
/// How much an arena allocates at a time.
const CHUNK: usize = 256 << 10;
/// An empty slot: no text has the number -1.
const EMPTY: u64 = u32::MAX as u64;

/// A set of texts, numbered in the order in which they came.
#[derive(Debug, Default)]
pub struct Texts {
    slots: Vec<u64>,
    entries: Vec<Entry>,
    arena: Arena,
    hasher: RandomState,
}

/// A text, or where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    length: u32,
    bytes: [u8; SHORT],
}

/// What stands where an entry was not found.
const NO_ENTRY: Entry = Entry { length: 0, bytes: [0; SHORT] };

/// The beginning of an entry, which is all of it where the text is short.
#[inline]
fn entry_of(text: &[u8]) -> Entry {
    let length = u32::try_from(text.len()).expect("a text is part of a line, and lines are limited");
    let mut bytes = [0; SHORT];
    let shown = if text.len() <= SHORT { text } else { &text[..4] };
    bytes[..shown.len()].copy_from_slice(shown);
    Entry { length, bytes }
}

impl Entry {
    #[inline]
    fn is_short(self) -> bool {
        self.length as usize <= SHORT
    }

    /// Where a long text is.
    #[inline]
    fn place(&self) -> u64 {
        self.bytes.last_chunk().map_or(0, |place| u64::from_le_bytes(*place))
    }

    fn set_place(&mut self, place: u64) {
        self.bytes[4..].copy_from_slice(&place.to_le_bytes());
    }
}

impl Texts {
    /// The number of a text, a new one if it is new.
    pub fn intern(&mut self, text: &str) -> u32 {
        let hash = hash(&self.hasher, text.as_bytes());
        self.intern_hashed(text.as_bytes(), hash)
    }

    /// The numbers of all texts that wait, each told with its place. Nothing waits afterwards.
    pub fn intern_all(&mut self, pending: &mut Pending, mut found: impl FnMut(usize, u32)) {
        self.read_ahead(pending);
        let Pending { bytes, keys } = pending;
        let mut start = 0;
        for key in &*keys {
            let text = &bytes[start..key.end];
            let hit = matches(key.slot, key.hash) && self.is_at(key.entry, entry_of(text), text);
            found(key.place, if hit { key.slot as u32 } else { self.intern_hashed(text, key.hash) });
            start = key.end;
        }
        bytes.clear();
        keys.clear();
    }

    /// Reads everything that the look-ups need, one pass per stage. No pass branches on what it reads, so it need not wait.
    fn read_ahead(&self, Pending { bytes, keys }: &mut Pending) {
        let mut start = 0;
        for key in &mut *keys {
            key.hash = hash(&self.hasher, &bytes[start..key.end]);
            start = key.end;
        }
        for key in &mut *keys {
            key.slot = self.slots.get(self.first_slot(key.hash)).copied().unwrap_or(EMPTY);
        }
        for key in &mut *keys {
            key.entry = self.entries.get(key.slot as u32 as usize).copied().unwrap_or(NO_ENTRY);
        }
        let touched = keys.iter().filter(|key| matches(key.slot, key.hash) && !key.entry.is_short());
        std::hint::black_box(touched.fold(0, |sum, key| sum ^ self.arena.get(key.entry)[0]));
    }

    /// A text by its number.
    pub fn get(&self, id: u32) -> &str {
        let entry = &self.entries[id as usize];
        let bytes = if entry.is_short() { &entry.bytes[..entry.length as usize] } else { self.arena.get(*entry) };
        std::str::from_utf8(bytes).expect("only texts are interned")
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many bytes of memory they take.
    pub fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<u64>() + self.entries.capacity() * size_of::<Entry>() + self.arena.memory
    }

    fn intern_hashed(&mut self, text: &[u8], hash: u32) -> u32 {
        if self.entries.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let entry = entry_of(text);
        let mut at = self.first_slot(hash);
        while self.slots[at] != EMPTY {
            if matches(self.slots[at], hash) && self.is_at(self.entries[self.slots[at] as u32 as usize], entry, text) {
                return self.slots[at] as u32;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        let id = u32::try_from(self.entries.len()).expect("fewer than four billion texts fit in memory");
        self.slots[at] = u64::from(hash) << 32 | u64::from(id);
        self.add(entry, text);
        id
    }

    fn add(&mut self, mut entry: Entry, text: &[u8]) {
        if !entry.is_short() {
            entry.set_place(self.arena.add(text));
        }
        self.entries.push(entry);
    }

    /// Whether the text of another entry is this one.
    #[inline]
    fn is_at(&self, other: Entry, entry: Entry, text: &[u8]) -> bool {
        if entry.is_short() {
            return other == entry;
        }
        other.length == entry.length && other.bytes[..4] == entry.bytes[..4] && self.arena.get(other) == text
    }

    #[inline]
    fn first_slot(&self, hash: u32) -> usize {
        hash as usize & self.slots.len().wrapping_sub(1)
    }

    /// Doubles the slots.
    #[cold]
    fn grow(&mut self) {
        let count = (self.slots.len() * 2).max(256);
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; count]);
        for slot in old.into_iter().filter(|&slot| slot != EMPTY) {
            let mut at = self.first_slot((slot >> 32) as u32);
            while self.slots[at] != EMPTY {
                at = (at + 1) & (count - 1);
            }
            self.slots[at] = slot;
        }
    }
}

/// Whether a slot is taken by a text with this hash.
#[inline]
fn matches(slot: u64, hash: u32) -> bool {
    (slot >> 32) as u32 == hash && slot != EMPTY
}

#[inline]
fn hash(state: &RandomState, text: &[u8]) -> u32 {
    let mut hasher = state.build_hasher();
    hasher.write(text);
    let hash = hasher.finish();
    (hash ^ hash >> 32) as u32
}

/// Texts that wait to be looked up together.
#[derive(Debug, Default)]
pub struct Pending {
    bytes: Vec<u8>,
    keys: Vec<Key>,
}

/// A text that waits: it ends at `end` of all the bytes, where the next one starts.
#[derive(Debug)]
struct Key {
    end: usize,
    place: usize,
    hash: u32,
    slot: u64,
    entry: Entry,
}

impl Pending {
    /// Lets a text wait. Its number is told with `place` when it is known.
    #[inline]
    pub fn push(&mut self, text: &str, place: usize) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.keys.push(Key { end: self.bytes.len(), place, hash: 0, slot: EMPTY, entry: NO_ENTRY });
    }

    /// How many bytes wait.
    #[inline]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }
}

/// Bytes that never move.
#[derive(Debug, Default)]
struct Arena {
    chunks: Vec<Vec<u8>>,
    memory: usize,
}

impl Arena {
    /// Keeps a text and says where: the chunk's number above, the place in it in the lower 32 bits.
    fn add(&mut self, text: &[u8]) -> u64 {
        let room = self.chunks.last().map_or(0, |chunk| chunk.capacity() - chunk.len());
        if room < text.len() {
            self.chunks.push(Vec::with_capacity(CHUNK.max(text.len())));
            self.memory += CHUNK.max(text.len());
        }
        let index = self.chunks.len() - 1;
        let chunk = &mut self.chunks[index];
        let start = chunk.len();
        chunk.extend_from_slice(text);
        (index as u64) << 32 | start as u64
    }

    #[inline]
    fn get(&self, entry: Entry) -> &[u8] {
        let (chunk, start) = ((entry.place() >> 32) as usize, entry.place() as u32 as usize);
        &self.chunks[chunk][start..start + entry.length as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn many_texts_get_dense_numbers_and_come_back() {
        let mut texts = Texts::default();
        let text = |id: u32| if id % 3 == 0 { format!("a rather long text, number {id}") } else { format!("t{id}") };
        for id in 0..20_000 {
            assert_eq!(texts.intern(&text(id)), id);
        }
        for id in 0..20_000 {
            assert_eq!(texts.intern(&text(id)), id);
            assert_eq!(texts.get(id), text(id));
        }
        assert_eq!(texts.len(), 20_000);
        assert!(texts.memory() > 20_000 * 16, "{}", texts.memory());
    }

    #[test]
    fn texts_that_differ_in_length_alone_differ() {
        let mut texts = Texts::default();
        for (id, text) in (0..).zip(["", "\0", "\0\0", "abcdefghijkl", "abcdefghijklm", "abcdefghijkln"]) {
            assert_eq!(texts.intern(text), id);
        }
    }

    #[test]
    fn a_text_may_be_larger_than_a_chunk() {
        let mut texts = Texts::default();
        let large = "x".repeat(CHUNK + 1);
        assert_eq!((texts.intern("another text"), texts.intern(&large), texts.intern("one more text")), (0, 1, 2));
        assert_eq!(texts.get(1), large);
    }

    proptest! {
        #[test]
        fn many_at_once_are_as_one_by_one(rounds in prop::collection::vec(prop::collection::vec("[ab]{0,14}", 0..60), 1..6)) {
            let (mut one_by_one, mut at_once) = (Texts::default(), Texts::default());
            let mut pending = Pending::default();
            for round in rounds {
                round.iter().enumerate().for_each(|(place, text)| pending.push(text, place));
                let mut ids = Vec::new();
                at_once.intern_all(&mut pending, |place, id| ids.push((place, id)));
                let expected: Vec<_> = round.iter().map(|text| one_by_one.intern(text)).enumerate().collect();
                prop_assert_eq!(ids, expected);
                prop_assert_eq!(pending.size(), 0);
            }
        }
    }
}
