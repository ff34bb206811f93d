//! The bytes of long texts, in chunks.
//!
//! ```text
//!   place = chunk « 32 | offset        chunk   a text of 40 bytes | one of 29, and 3 bytes of nothing | free 32 | …
//! ```
//!
//! A text gets as many bytes as the next [step](room_for) of sizes has. When it goes, its bytes wait for the next text of
//! that step, so nothing is moved while texts come and go. The first chunks are small. A text that is larger than a chunk
//! gets one of its own, which goes with it.

use super::huge::Memory;

/// The bytes of long texts.
#[derive(Debug, Default)]
pub(super) struct LongTexts {
    chunks: Vec<Memory>,
    /// The chunk that is being filled, and how many of its bytes are taken.
    filling: usize,
    used: usize,
    memory: usize,
    /// How many bytes texts have, those between them included.
    live: usize,
    /// By step, the places that wait for a text.
    free: Vec<Vec<u64>>,
}

/// How much is allocated first, and at most, for long texts.
const FIRST: usize = 64 << 10;
pub(super) const LARGEST: usize = 8 << 20;

/// Up to this size texts are rounded up to a multiple of eight bytes, above to a power of two.
const FINE: usize = 1 << 10;
const GRAIN: usize = 8;
const FINE_STEPS: usize = FINE / GRAIN;

/// How many bytes a text of this length gets.
fn room_for(length: usize) -> usize {
    match length {
        0..=FINE => length.next_multiple_of(GRAIN),
        _ if length <= LARGEST => length.next_power_of_two(),
        _ => length,
    }
}

/// The number of a step.
fn step_of(room: usize) -> usize {
    match room {
        0..=FINE => room / GRAIN,
        _ => FINE_STEPS + (room / FINE).ilog2() as usize,
    }
}

fn place_at(chunk: usize, start: usize) -> u64 {
    (chunk as u64) << 32 | start as u64
}

impl LongTexts {
    /// How many bytes of memory they take.
    pub(super) fn memory(&self) -> usize {
        self.memory + self.free.iter().map(|places| places.capacity() * size_of::<u64>()).sum::<usize>()
    }

    /// Whether most of the memory has no text.
    pub(super) fn is_sparse(&self) -> bool {
        self.memory > 4 * FIRST && self.live < self.memory / 8
    }

    /// Keeps a text and says where.
    #[inline(never)]
    pub(super) fn add(&mut self, text: &[u8]) -> u64 {
        let room = room_for(text.len());
        let place = self.free.get_mut(step_of(room)).and_then(Vec::pop).unwrap_or_else(|| self.new_place(room));
        self.live += room;
        let (chunk, start) = ((place >> 32) as usize, place as u32 as usize);
        self.chunks[chunk][start..start + text.len()].copy_from_slice(text);
        place
    }

    /// A place where no text was before.
    fn new_place(&mut self, room: usize) -> u64 {
        if room > LARGEST {
            self.memory += room;
            self.chunks.push(Memory::zeroed(room));
            return place_at(self.chunks.len() - 1, 0);
        }
        if self.chunks.get(self.filling).is_none_or(|chunk| chunk.len() < self.used + room) {
            let capacity = (FIRST << (3 * self.chunks.len().min(4))).min(LARGEST).max(room);
            self.chunks.push(Memory::zeroed(capacity));
            self.memory += capacity;
            (self.filling, self.used) = (self.chunks.len() - 1, 0);
        }
        self.used += room;
        place_at(self.filling, self.used - room)
    }

    /// The text at a place.
    #[inline]
    pub(super) fn get(&self, place: u64, length: usize) -> &[u8] {
        let (chunk, start) = ((place >> 32) as usize, place as u32 as usize);
        &self.chunks[chunk][start..start + length]
    }

    /// The text of this length at a place is gone.
    pub(super) fn release(&mut self, place: u64, length: usize) {
        let room = room_for(length);
        self.live -= room;
        if room > LARGEST {
            self.memory -= room;
            self.chunks[(place >> 32) as usize] = Memory::default();
            return;
        }
        let step = step_of(room);
        if self.free.len() <= step {
            self.free.resize(step + 1, Vec::new());
        }
        self.free[step].push(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_used_again_by_texts_of_the_same_step() {
        let mut texts = LongTexts::default();
        let first = texts.add(&[b'a'; 30]);
        let second = texts.add(&[b'b'; 40]);
        texts.release(first, 30);
        assert_eq!(texts.add(&[b'c'; 25]), first);
        assert_eq!((texts.get(first, 25), texts.get(second, 40)), (&[b'c'; 25][..], &[b'b'; 40][..]));
        assert_ne!(texts.add(&[b'd'; 25]), first);
    }

    #[test]
    fn a_text_that_is_larger_than_a_chunk_takes_its_memory_with_it() {
        let mut texts = LongTexts::default();
        texts.add(b"a text that does not fit");
        let before = texts.memory();
        let large = texts.add(&vec![b'x'; LARGEST + 1]);
        assert!(texts.memory() > before + LARGEST);
        assert_eq!(texts.get(large, LARGEST + 1).len(), LARGEST + 1);
        texts.release(large, LARGEST + 1);
        assert_eq!(texts.memory(), before);
    }

    #[test]
    fn every_length_has_a_step_with_room_for_it() {
        let mut lengths: Vec<usize> = (0..5000).collect();
        lengths.extend([LARGEST - 1, LARGEST]);
        for pair in lengths.windows(2) {
            let (room, next) = (room_for(pair[0]), room_for(pair[1]));
            assert!(room >= pair[0] && (room == next) == (step_of(room) == step_of(next)), "{pair:?}");
        }
    }
}
