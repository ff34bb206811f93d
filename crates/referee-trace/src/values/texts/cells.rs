//! All texts by their numbers: an array of cells that never move, and the bytes of long texts.
//!
//! ```text
//!  number  ─▶ chunk, index ─▶ cell ─┬─ the text
//!                                   └─ place ─▶ chunk, offset ─▶ the bytes of a long one
//! ```
//!
//! A chunk is three large pages, so nothing is copied while the array grows, and what is taken at a time is little of the
//! whole. Only the first chunk begins small, so that few texts take little memory.

use super::cell::{Cell, Kept, SIZE, short_text};
use super::huge::Memory;
use crate::prefetch;

/// How many cells a chunk has, as a power of two.
const CHUNK_BITS: u32 = 18;
const CHUNK: usize = SIZE << CHUNK_BITS;
/// The size of the first chunk at first, and by how much it grows.
const FIRST_CHUNK: usize = CHUNK >> 8;
const GROWTH: usize = 16;

/// The texts.
#[derive(Debug, Default)]
pub(super) struct Cells {
    count: usize,
    chunks: Vec<Memory>,
    long: LongTexts,
}

impl Cells {
    /// How many texts there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// How many bytes of memory they take.
    pub(super) fn memory(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum::<usize>() + self.long.memory
    }

    /// Keeps a text and gives it a number. A long one is among these bytes.
    #[inline(always)]
    pub(super) fn add(&mut self, cell: &Cell, bytes: &[u8]) -> u32 {
        let (chunk, place) = place_of(self.count);
        if self.chunks.get(chunk).is_none_or(|chunk| chunk.len() <= place) {
            self.grow();
        }
        let kept = self.chunks[chunk][place..].first_chunk_mut().expect("cells are whole");
        match cell.long_among(bytes) {
            None => cell.write(kept),
            Some(text) => cell.moved(self.long.add(text)).write(kept),
        }
        self.count += 1;
        (self.count - 1) as u32
    }

    /// Makes room for one cell at least.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        assert!(u32::try_from(self.count).is_ok(), "fewer than four billion texts fit in memory");
        match &mut self.chunks[..] {
            [] => self.chunks.push(Memory::zeroed(FIRST_CHUNK)),
            [first] if first.len() < CHUNK => {
                let mut larger = Memory::zeroed(first.len() * GROWTH);
                larger[..first.len()].copy_from_slice(first);
                *first = larger;
            }
            _ => self.chunks.push(Memory::zeroed(CHUNK)),
        }
    }

    /// Whether a text is the one with this number. A long one is among these bytes.
    #[inline(always)]
    pub(super) fn is(&self, id: u32, cell: &Cell, bytes: &[u8]) -> bool {
        let kept = Cell::read(self.at(id));
        kept.resembles(cell) && cell.long_among(bytes).is_none_or(|text| self.long_text(&kept) == text)
    }

    /// The bytes of a text.
    #[inline]
    pub(super) fn bytes(&self, id: u32) -> &[u8] {
        let kept = self.at(id);
        short_text(kept).unwrap_or_else(|| self.long_text(&Cell::read(kept)))
    }

    /// The bytes of a long text.
    fn long_text(&self, cell: &Cell) -> &[u8] {
        cell.as_long().map_or(&[], |(place, length)| self.long.get(place, length))
    }

    /// Asks for a cell, which may lie in two lines of the cache.
    #[inline(always)]
    pub(super) fn ask_for(&self, id: u32) {
        let cell = self.at(id);
        prefetch::of(cell, 0);
        prefetch::of(cell, SIZE - 1);
    }

    /// Asks for the bytes of a text, if it is a long one.
    pub(super) fn ask_for_long(&self, id: u32) {
        prefetch::of(self.long_text(&Cell::read(self.at(id))), 0);
    }

    #[inline(always)]
    fn at(&self, id: u32) -> &Kept {
        let (chunk, place) = place_of(id as usize);
        self.chunks[chunk][place..].first_chunk().expect("cells are whole")
    }
}

/// The chunk of a cell, and where it begins there.
#[inline(always)]
fn place_of(index: usize) -> (usize, usize) {
    (index >> CHUNK_BITS, SIZE * (index & ((1 << CHUNK_BITS) - 1)))
}

/// The bytes of long texts, one behind the other in chunks.
///
/// A place has the number of the chunk above and the offset in the lower half. The first chunks are small. A text that is larger
/// than a chunk gets one of its own.
#[derive(Debug, Default)]
struct LongTexts {
    chunks: Vec<Memory>,
    used: usize,
    memory: usize,
}

/// How much is allocated first, and at most, for long texts.
const FIRST_LONG: usize = 64 << 10;
const MOST_LONG: usize = 8 << 20;

impl LongTexts {
    /// Keeps a text and says where.
    #[inline(never)]
    fn add(&mut self, text: &[u8]) -> u64 {
        if self.chunks.last().is_none_or(|chunk| chunk.len() - self.used < text.len()) {
            let capacity = (FIRST_LONG << (3 * self.chunks.len().min(4))).min(MOST_LONG).max(text.len());
            self.chunks.push(Memory::zeroed(capacity));
            self.memory += capacity;
            self.used = 0;
        }
        let (index, start) = (self.chunks.len() - 1, self.used);
        self.used += text.len();
        self.chunks[index][start..self.used].copy_from_slice(text);
        (index as u64) << 32 | start as u64
    }

    /// The text at a place.
    #[inline]
    fn get(&self, place: u64, length: usize) -> &[u8] {
        let (chunk, start) = ((place >> 32) as usize, place as u32 as usize);
        &self.chunks[chunk][start..start + length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_may_be_larger_than_a_chunk() {
        let mut cells = Cells::default();
        let large = "x".repeat(MOST_LONG + 1).into_bytes();
        let texts = [&b"a text that does not fit"[..], &large, b"another text that is long"];
        for (text, id) in texts.iter().zip(0..) {
            assert_eq!(cells.add(&Cell::long(0, text.len()), text), id);
        }
        assert!(cells.memory() > large.len());
        for (text, id) in texts.iter().zip(0..) {
            assert_eq!(cells.bytes(id), *text);
            assert!(cells.is(id, &Cell::long(0, text.len()), text));
            assert!(!cells.is(id, &Cell::long(0, text.len()), &vec![b'y'; text.len()]));
        }
    }
}
