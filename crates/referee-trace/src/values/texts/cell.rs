//! A text in three words.
//!
//! ```text
//!  at most 23 bytes   s e s s i o n - 7 4 1 0 … 0 | length     the text, and zeros behind it
//!  more               hash    | place     | length | 255       its bytes are elsewhere
//! ```
//!
//! Most texts of a log are names of things and fit. Such a text is hashed, compared and copied as three words, whatever its
//! length, and no loop over bytes is left. Two cells of short texts are equal if and only if the texts are: zeros may stand
//! for themselves or for nothing, but the lengths tell those apart.

use std::hash::{BuildHasher as _, Hasher as _};

use foldhash::fast::RandomState;

use super::buckets::LEAST_HASH;

/// How many bytes a cell has.
pub(super) const SIZE: usize = 24;
/// The most bytes of a text that fits into a cell.
pub(super) const MOST: usize = SIZE - 1;
/// The last word of the cell of a longer text has all these bits; the others are the length.
const LONG: u64 = 0xFF << 56;

/// A text, or what is known of it if it is long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell([u64; 3]);

impl Cell {
    /// A text that fits: read as words that may overlap, without a call and without a loop.
    #[inline(always)]
    pub(super) fn short(text: &[u8]) -> Option<Cell> {
        let length = text.len();
        // The bits that are not part of the last bytes, if those are to fill up what is left of so many bytes.
        let excess = |whole: usize| 8 * (whole - length) as u32;
        let [first, second, third] = match length {
            17..=MOST => [first_word(text), first_word(&text[8..]), last_word(text) >> excess(24)],
            9..=16 => [first_word(text), last_word(text) >> excess(16), 0],
            8 => [first_word(text), 0, 0],
            4..8 => [first_half(text) | last_half(text) << (8 * (length - 4)), 0, 0],
            0..4 => [text.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)), 0, 0],
            _ => return None,
        };
        Some(Cell([first, second, third | (length as u64) << 56]))
    }

    /// A text that does not fit and has so many bytes from `place` on.
    #[inline]
    pub(super) fn long(place: usize, length: usize) -> Cell {
        Cell([0, place as u64, LONG | length as u64])
    }

    /// The same long text at another place.
    #[inline]
    pub(super) fn moved(self, place: u64) -> Cell {
        Cell([self.0[0], place, self.0[2]])
    }

    /// Place and length of a text that did not fit.
    #[inline(always)]
    pub(super) fn as_long(&self) -> Option<(u64, usize)> {
        (self.0[2] >= LONG).then_some((self.0[1], (self.0[2] & !LONG) as usize))
    }

    /// The bytes of a text that did not fit, if its place counts these.
    #[inline(always)]
    pub(super) fn long_among<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        self.as_long().map(|(place, length)| &bytes[place as usize..place as usize + length])
    }

    /// Whether two texts can be the same: if both are short, they are if nothing is different, and otherwise if what is known
    /// of them beside their places is the same.
    #[inline(always)]
    pub(super) fn resembles(&self, other: &Cell) -> bool {
        let differ = (self.0[0] ^ other.0[0]) | (self.0[2] ^ other.0[2]);
        differ == 0 && (self.0[1] == other.0[1] || self.0[2] >= LONG)
    }

    /// Writes it down. Word by word: an array in between would be read before it is written.
    #[inline(always)]
    pub(super) fn write(&self, kept: &mut Kept) {
        let (words, _) = kept.as_chunks_mut();
        words[0] = self.0[0].to_le_bytes();
        words[1] = self.0[1].to_le_bytes();
        words[2] = self.0[2].to_le_bytes();
    }

    /// As it was written down.
    #[inline(always)]
    pub(super) fn read(kept: &Kept) -> Cell {
        let (words, _) = kept.as_chunks();
        Cell([u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1]), u64::from_le_bytes(words[2])])
    }
}

/// A cell as it is kept.
pub(super) type Kept = [u8; SIZE];

/// The text that was written down, if it is a short one.
#[inline]
pub(super) fn short_text(kept: &Kept) -> Option<&[u8]> {
    kept.get(..usize::from(kept[MOST]))
}

#[inline(always)]
fn first_word(text: &[u8]) -> u64 {
    text.first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

#[inline(always)]
fn last_word(text: &[u8]) -> u64 {
    text.last_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

#[inline(always)]
fn first_half(text: &[u8]) -> u64 {
    text.first_chunk().map_or(0, |half| u32::from_le_bytes(*half).into())
}

#[inline(always)]
fn last_half(text: &[u8]) -> u64 {
    text.last_chunk().map_or(0, |half| u32::from_le_bytes(*half).into())
}

/// Hashes texts, in every process otherwise: nobody can write a trace whose texts collide.
#[derive(Debug)]
pub(super) struct Hashes {
    keys: [u64; 3],
    long: RandomState,
}

impl Default for Hashes {
    fn default() -> Self {
        let long = RandomState::default();
        Hashes { keys: [0_u8, 1, 2].map(|index| long.hash_one(index)), long }
    }
}

impl Hashes {
    /// Those that are the same for all short texts.
    #[cfg(test)]
    pub(super) fn same() -> Hashes {
        Hashes { keys: [0; 3], ..Hashes::default() }
    }

    /// The hash of a text, never one that [buckets](super::buckets) take for something else. A long one is among these bytes, and its cell keeps more of the hash.
    #[inline(always)]
    pub(super) fn of(&self, cell: &mut Cell, bytes: &[u8]) -> u32 {
        let hash = match cell.long_among(bytes) {
            None => self.short(cell),
            Some(text) => {
                cell.0[0] = self.long(text);
                cell.0[0]
            }
        };
        ((hash >> 32) as u32).max(LEAST_HASH)
    }

    /// Two multiplications, each of which is folded: the upper half of a product depends on all the lower bits, and the lower
    /// half on all the upper ones.
    #[inline(always)]
    fn short(&self, Cell(words): &Cell) -> u64 {
        let begin = fold(words[0] ^ self.keys[0], words[1] ^ self.keys[1]);
        fold(begin ^ words[2], self.keys[2])
    }

    #[inline(never)]
    fn long(&self, text: &[u8]) -> u64 {
        let mut hasher = self.long.build_hasher();
        hasher.write(text);
        hasher.finish()
    }
}

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_comes_back_from_its_cell() {
        let text = b"every byte of a text counts, up to the last one";
        for length in 0..text.len() {
            let short = Cell::short(&text[..length]);
            assert_eq!(short.is_some(), length <= MOST, "{length} bytes");
            let Some(cell) = short else { continue };
            let mut kept = Kept::default();
            cell.write(&mut kept);
            assert_eq!(short_text(&kept), Some(&text[..length]));
            assert_eq!((Cell::read(&kept), cell.as_long()), (cell, None));
        }
    }

    #[test]
    fn a_long_text_is_known_by_its_place_and_length() {
        let cell = Cell::long(7, 300);
        let mut kept = Kept::default();
        cell.write(&mut kept);
        assert_eq!((Cell::read(&kept).as_long(), short_text(&kept)), (Some((7, 300)), None));
        assert_eq!(cell.long_among(&[b'x'; 310]), Some(&[b'x'; 300][..]));
        assert_eq!(cell.moved(9).as_long(), Some((9, 300)));
        assert!(cell.resembles(&cell.moved(9)));
        assert!(!cell.resembles(&Cell::long(7, 301)));
    }

    #[test]
    fn every_byte_and_the_length_make_a_difference() {
        let hashes = Hashes::default();
        let hash = |text: &[u8]| Cell::short(text).map(|mut cell| (cell, hashes.of(&mut cell, &[])));
        for length in 0..=MOST {
            let text = vec![b'x'; length];
            for changed in 0..length {
                let mut other = text.clone();
                other[changed] = 0;
                assert_ne!(hash(&text), hash(&other), "byte {changed} of {length}");
                assert!(hash(&text).zip(hash(&other)).is_some_and(|(a, b)| !a.0.resembles(&b.0)));
            }
            let longer = [&text[..], &[0]].concat();
            assert_ne!(hash(&text), hash(&longer), "{length} bytes and a zero");
            assert!(hash(&text).zip(hash(&longer)).is_none_or(|(a, b)| !a.0.resembles(&b.0)));
        }
    }
}
