//! All texts by their numbers: an array of cells that never move, and the bytes of [long texts](super::long_texts).
//!
//! ```text
//!  number  ─▶ chunk, index ─▶ cell ─┬─ the text
//!                                   └─ place ─▶ chunk, offset ─▶ the bytes of a long one
//! ```
//!
//! A chunk is three large pages, so nothing is copied while the array grows, and what is taken at a time is little of the
//! whole. Only the first chunk begins small, so that few texts take little memory. The numbers of texts that are gone are
//! given to new ones, the least first; chunks at the end in which no text is left go.

use super::cell::{Cell, Kept, SIZE, short_text};
use super::huge::Memory;
use super::long_texts::LongTexts;
use crate::prefetch;
use crate::values::bits::Bits;

/// How many cells a chunk has, as a power of two.
const CHUNK_BITS: u32 = 18;
const CHUNK: usize = SIZE << CHUNK_BITS;
/// The size of the first chunk at first, and by how much it grows.
const FIRST_CHUNK: usize = CHUNK >> 8;
const GROWTH: usize = 16;

/// The texts.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// All numbers are below.
    count: usize,
    chunks: Vec<Memory>,
    long: LongTexts,
    free: FreeNumbers,
}

/// Numbers of texts that are gone.
#[derive(Debug, Default)]
struct FreeNumbers {
    numbers: Bits,
    count: usize,
    /// In which word of the set the search for the least begins.
    from: usize,
}

impl FreeNumbers {
    /// Takes the least number.
    #[inline(never)]
    fn take(&mut self) -> Option<usize> {
        let number = self.numbers.least_from(self.from)?;
        self.numbers.remove(number);
        self.count -= 1;
        self.from = number as usize / 64;
        Some(number as usize)
    }

    fn give(&mut self, number: u32) {
        self.numbers.insert(number);
        self.count += 1;
        self.from = self.from.min(number as usize / 64);
    }
}

impl Cells {
    /// How many texts there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.count - self.free.count
    }

    /// Whether a number is that of a text.
    #[inline]
    pub(super) fn has(&self, id: u32) -> bool {
        (id as usize) < self.count && (self.free.count == 0 || !self.free.numbers.has(id))
    }

    /// How many bytes of memory they take.
    pub(super) fn memory(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum::<usize>() + self.long.memory()
    }

    /// Keeps a text and gives it a number. A long one is among these bytes.
    #[inline(always)]
    pub(super) fn add(&mut self, cell: &Cell, bytes: &[u8]) -> u32 {
        let id = match self.free.count {
            0 => self.count,
            _ => self.free.take().unwrap_or(self.count),
        };
        let (chunk, place) = place_of(id);
        if self.chunks.get(chunk).is_none_or(|chunk| chunk.len() <= place) {
            self.grow();
        }
        let kept = self.chunks[chunk][place..].first_chunk_mut().expect("cells are whole");
        match cell.long_among(bytes) {
            None => cell.write(kept),
            Some(text) => cell.moved(self.long.add(text)).write(kept),
        }
        self.count = self.count.max(id + 1);
        id as u32
    }

    /// A text is gone: its number may be given again.
    pub(super) fn release(&mut self, id: u32) {
        if let Some((place, length)) = Cell::read(self.at(id)).as_long() {
            self.long.release(place, length);
        }
        self.free.give(id);
    }

    /// Gives back memory behind the last text, and that of long texts if most of it is free.
    pub(super) fn trim(&mut self) {
        while self.count > 0 && self.free.numbers.has(self.count as u32 - 1) {
            self.count -= 1;
            self.free.count -= 1;
        }
        self.free.numbers.truncate(self.count as u32);
        self.chunks.truncate(self.count.div_ceil(1 << CHUNK_BITS).max(1));
        if self.long.is_sparse() {
            self.move_long_texts();
        }
    }

    /// Moves all long texts together.
    fn move_long_texts(&mut self) {
        let old = std::mem::take(&mut self.long);
        for id in 0..self.count as u32 {
            if self.free.numbers.has(id) {
                continue;
            }
            let cell = Cell::read(self.at(id));
            if let Some((place, length)) = cell.as_long() {
                let moved = cell.moved(self.long.add(old.get(place, length)));
                let (chunk, place) = place_of(id as usize);
                moved.write(self.chunks[chunk][place..].first_chunk_mut().expect("cells are whole"));
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::texts::long_texts::LARGEST;

    #[test]
    fn a_text_may_be_larger_than_a_chunk() {
        let mut cells = Cells::default();
        let large = "x".repeat(LARGEST + 1).into_bytes();
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
