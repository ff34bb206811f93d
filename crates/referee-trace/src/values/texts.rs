//! Texts with dense numbers.
//!
//! ```text
//!  hash of the text ─▶ slots[hash]             ─▶ record
//!                      32 bits of hash, place     number, length, bytes
//! ```
//!
//! A look-up waits for memory twice, for a slot and for a record, and hardly ever reads a wrong record, since 32 bits of the
//! hash must agree first. Growing the table moves slots by their stored hashes and touches no text. [`Texts::intern_all`]
//! looks up hundreds of texts in passes: one asks for all the slots, one reads them and asks for all the records, and as nobody
//! [waits for what was asked](crate::ahead) the waits overlap. That needs a table whose slots can be asked for, so it is open
//! addressing written out here and not a hash map. With hundreds of thousands of texts most look-ups also wait for the processor
//! to find the page; so large parts of the memory are wanted in [large pages](huge).

mod huge;

use std::hash::{BuildHasher as _, Hasher as _};

use foldhash::fast::RandomState;
use huge::Memory;

use crate::ahead;

/// A slot without a text. Zero, so that new slots are there without being written; places are one more than they are.
const EMPTY: u64 = 0;

/// A set of texts, numbered in the order in which they came.
#[derive(Debug, Default)]
pub struct Texts {
    slots: Memory,
    places: Vec<u32>,
    records: Records,
    hasher: RandomState,
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
            let hit = if key.slot != EMPTY { self.records.find(place(key.slot), text) } else { None };
            found(key.place, hit.unwrap_or_else(|| self.intern_hashed(text, key.hash)));
            start = key.end;
        }
        bytes.clear();
        keys.clear();
    }

    /// Asks for everything that the look-ups need, one pass per stage. No pass waits for what it asks for.
    fn read_ahead(&self, Pending { bytes, keys }: &mut Pending) {
        let slots = self.slots.words();
        let mut start = 0;
        for key in &mut *keys {
            key.hash = hash(&self.hasher, &bytes[start..key.end]);
            ahead::of(slots, key.hash as usize & slots.len().wrapping_sub(1));
            start = key.end;
        }
        for key in keys {
            key.slot = self.candidate(key.hash);
            if key.slot != EMPTY {
                self.records.ask_for(place(key.slot));
            }
        }
    }

    /// The first slot with this hash; empty if there is none.
    #[inline]
    fn candidate(&self, hash: u32) -> u64 {
        let slots = self.slots.words();
        let mut at = hash as usize & slots.len().wrapping_sub(1);
        while let Some(slot) = slots.get(at).map(|slot| u64::from_ne_bytes(*slot))
            && slot != EMPTY
        {
            if matches(slot, hash) {
                return slot;
            }
            at = (at + 1) & (slots.len() - 1);
        }
        EMPTY
    }

    /// A text by its number.
    pub fn get(&self, id: u32) -> &str {
        std::str::from_utf8(self.bytes(id)).expect("only texts are interned")
    }

    /// The bytes of a text by its number.
    #[inline]
    pub fn bytes(&self, id: u32) -> &[u8] {
        let place = self.places[id as usize];
        self.records.bytes(place, self.records.header(place).length as usize)
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// How many bytes of memory they take.
    pub fn memory(&self) -> usize {
        size_of_val(self.slots.words()) + self.places.capacity() * size_of::<u32>() + self.records.memory
    }

    fn intern_hashed(&mut self, text: &[u8], hash: u32) -> u32 {
        if self.places.len() * 2 >= self.slots.words().len() {
            self.grow();
        }
        let slots = self.slots.words_mut();
        let mut at = hash as usize & (slots.len() - 1);
        while let slot = u64::from_ne_bytes(slots[at])
            && slot != EMPTY
        {
            if matches(slot, hash)
                && let Some(id) = self.records.find(place(slot), text)
            {
                return id;
            }
            at = (at + 1) & (slots.len() - 1);
        }
        let id = u32::try_from(self.places.len()).expect("fewer than four billion texts fit in memory");
        let place = self.records.add(id, text);
        self.places.push(place);
        slots[at] = (u64::from(hash) << 32 | u64::from(place + 1)).to_ne_bytes();
        id
    }

    /// Doubles the slots.
    #[cold]
    fn grow(&mut self) {
        let count = (self.slots.words().len() * 2).max(256);
        let old = std::mem::replace(&mut self.slots, Memory::zeroed(count * size_of::<u64>()));
        let slots = self.slots.words_mut();
        for &slot in old.words().iter().filter(|&&slot| u64::from_ne_bytes(slot) != EMPTY) {
            let mut at = (u64::from_ne_bytes(slot) >> 32) as usize & (count - 1);
            while u64::from_ne_bytes(slots[at]) != EMPTY {
                at = (at + 1) & (count - 1);
            }
            slots[at] = slot;
        }
    }
}

/// Whether a slot is taken by a text with this hash.
#[inline]
fn matches(slot: u64, hash: u32) -> bool {
    (slot >> 32) as u32 == hash && slot != EMPTY
}

/// The place of the record that a slot leads to.
#[inline]
fn place(slot: u64) -> u32 {
    (slot as u32).wrapping_sub(1)
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
}

impl Pending {
    /// Lets a text wait. Its number is told with `place` when it is known.
    #[inline]
    pub fn push(&mut self, text: &str, place: usize) {
        append(&mut self.bytes, text.as_bytes());
        self.keys.push(Key { end: self.bytes.len(), place, hash: 0, slot: EMPTY });
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Tells every text and its place. Nothing waits afterwards.
    pub fn drain(&mut self, mut each: impl FnMut(&str, usize)) {
        let mut start = 0;
        for key in self.keys.drain(..) {
            each(std::str::from_utf8(&self.bytes[start..key.end]).expect("only texts wait"), key.place);
            start = key.end;
        }
        self.bytes.clear();
    }

    /// How many bytes wait.
    #[inline]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }
}

/// Records that never move, one behind the other in chunks.
///
/// A place counts units of eight bytes: the chunk's number above, the unit within it in the lower bits. The first chunks are
/// small, so that few texts take little memory. A text that is larger than a chunk gets one of its own.
#[derive(Debug, Default)]
struct Records {
    chunks: Vec<Chunk>,
    memory: usize,
}

const UNIT: usize = 8;
const UNIT_BITS: u32 = 20;
/// The most that is allocated at a time.
const CHUNK: usize = UNIT << UNIT_BITS;
/// How much is allocated first.
const FIRST_CHUNK: usize = CHUNK >> 5;
/// What stands before the bytes of a text.
const HEADER: usize = 8;

/// Memory whose first bytes are taken.
#[derive(Debug)]
struct Chunk {
    memory: Memory,
    used: usize,
}

/// The fixed part of a record.
#[derive(Debug, Clone, Copy)]
struct Header {
    id: u32,
    length: u32,
}

impl Records {
    /// Keeps a text and says where.
    fn add(&mut self, id: u32, text: &[u8]) -> u32 {
        let size = (HEADER + text.len()).next_multiple_of(UNIT);
        let is_full = |chunk: &Chunk| chunk.used >= CHUNK || chunk.memory.len() - chunk.used < size;
        if self.chunks.last().is_none_or(is_full) {
            let capacity = (FIRST_CHUNK << self.chunks.len().min(5)).max(size);
            self.chunks.push(Chunk { memory: Memory::zeroed(capacity), used: 0 });
            self.memory += capacity;
        }
        let index = self.chunks.len() - 1;
        let chunk = &mut self.chunks[index];
        let start = chunk.used;
        let length = u32::try_from(text.len()).expect("a text is part of a line, and lines are limited");
        let record = &mut chunk.memory[start..start + size];
        record[..4].copy_from_slice(&id.to_le_bytes());
        record[4..HEADER].copy_from_slice(&length.to_le_bytes());
        record[HEADER..HEADER + text.len()].copy_from_slice(text);
        chunk.used += size;
        let place = u32::try_from((index << UNIT_BITS) | (start / UNIT)).ok().filter(|place| *place < u32::MAX);
        place.expect("fewer than 32 GB of texts")
    }

    /// The number of the text at `place`, if it is this one.
    #[inline]
    fn find(&self, place: u32, text: &[u8]) -> Option<u32> {
        let header = self.header(place);
        let same = header.length as usize == text.len() && equal(self.bytes(place, text.len()), text);
        same.then_some(header.id)
    }

    /// Asks for the record at `place`.
    #[inline]
    fn ask_for(&self, place: u32) {
        ahead::of(self.at(place), 0);
    }

    #[inline]
    fn header(&self, place: u32) -> Header {
        let word = self.at(place).first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
        Header { id: word as u32, length: (word >> 32) as u32 }
    }

    #[inline]
    fn bytes(&self, place: u32, length: usize) -> &[u8] {
        &self.at(place)[HEADER..HEADER + length]
    }

    #[inline]
    fn at(&self, place: u32) -> &[u8] {
        let (chunk, unit) = ((place >> UNIT_BITS) as usize, place as usize & ((1 << UNIT_BITS) - 1));
        &self.chunks[chunk].memory[unit * UNIT..]
    }
}

/// Appends a text: one of 4 to 16 bytes as two words that may overlap, without a call.
#[inline]
fn append(bytes: &mut Vec<u8>, text: &[u8]) {
    let mut words = [0; 16];
    let length = text.len();
    match (length, ends::<8>(text), ends::<4>(text)) {
        (8..=16, Some((first, last)), _) => {
            words[..8].copy_from_slice(first);
            words[length - 8..length].copy_from_slice(last);
        }
        (4..8, _, Some((first, last))) => {
            words[..4].copy_from_slice(first);
            words[length - 4..length].copy_from_slice(last);
        }
        _ => return bytes.extend_from_slice(text),
    }
    let end = bytes.len() + length;
    bytes.extend_from_slice(&words);
    bytes.truncate(end);
}

/// Whether two texts of equal length are equal: those of 4 to 16 bytes by two words that may overlap.
#[inline]
fn equal(a: &[u8], b: &[u8]) -> bool {
    match a.len() {
        8..=16 => ends::<8>(a) == ends::<8>(b),
        4..8 => ends::<4>(a) == ends::<4>(b),
        _ => a == b,
    }
}

/// The first and the last bytes of a text.
#[inline]
fn ends<const N: usize>(text: &[u8]) -> Option<(&[u8; N], &[u8; N])> {
    Some((text.first_chunk()?, text.last_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn many_texts_get_dense_numbers_and_come_back() {
        let mut texts = Texts::default();
        let text =
            |id: u32| if id.is_multiple_of(3) { format!("a rather long text, number {id}") } else { format!("t{id}") };
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
