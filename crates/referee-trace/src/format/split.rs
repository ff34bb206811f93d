//! Finds separators and line ends 64 bytes at a time.
//!
//! ```text
//!  text         a , 1 , x \n b , " 7 , 8 " \n        one window of 16 KiB at a time
//!  separators     1   3   5    7       11    14      commas and line ends
//!  ends                   2                   5      which of the separators end a line
//!  odd                           8         13        quotes and NUL bytes
//! ```
//!
//! Sixty-four bytes become three words of one bit per byte, and the bits become positions. What a byte is does not
//! depend on what went before it, so positions stay true when a caller decides that some of them lie within quotes: it
//! reads such a line by itself and says with [`Lines::skip_to`] where it ended. A line without odd bytes costs its share
//! of the scan and one addition per cell.
//!
//! CR and LF each end a line. CR LF therefore yields an empty line more, which callers skip anyway, and a block may end
//! between the two.

use super::Block;

/// How much text is scanned at a time: its positions stay in the first level cache.
const WINDOW: usize = 16 << 10;

/// A line of text without its line end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// Where it starts in the block.
    pub start: usize,
    /// Whether it has quotes or NUL bytes: then it may end elsewhere, and its cells must be looked at closely.
    pub odd: bool,
    first: usize,
    end: usize,
}

/// The lines of a block, found one window at a time. Its buffers serve block after block.
#[derive(Debug, Default)]
pub(super) struct Lines {
    tapes: Tapes,
    scanned: usize,
    start: usize,
    next_separator: usize,
    next_end: usize,
    next_odd: usize,
}

impl Lines {
    /// Forgets the last block.
    pub fn begin(&mut self) {
        self.tapes.clear();
        (self.scanned, self.start) = (0, 0);
        (self.next_separator, self.next_end, self.next_odd) = (0, 0, 0);
    }

    /// The next line that is complete: one with its line end, or the last one of the input.
    #[inline]
    pub fn next(&mut self, block: Block<'_>) -> Option<Line> {
        while self.next_end == self.tapes.ends.len {
            if !self.refill(block) {
                return None;
            }
        }
        let (start, first) = (self.start, self.next_separator);
        let end = self.tapes.ends.at[self.next_end];
        let position = self.tapes.separators.at[end];
        self.next_end += 1;
        self.next_separator = end + 1;
        self.start = position + 1;
        let odd = self.next_odd < self.tapes.odd.len && self.tapes.odd.at[self.next_odd] < position;
        Some(Line { start, odd, first, end })
    }

    /// Where the cells of a line end; the last one with the line.
    #[inline]
    pub fn cell_ends(&self, line: Line) -> &[usize] {
        &self.tapes.separators.at[line.first..=line.end]
    }

    /// How much of the block the lines so far take.
    pub fn used(&self, block: Block<'_>) -> usize {
        self.start.min(block.text.len())
    }

    /// Goes on at `position`, where an odd line turned out to end.
    pub fn skip_to(&mut self, position: usize) {
        let tapes = &self.tapes;
        self.start = position;
        self.scanned = self.scanned.max(position);
        while self.next_odd < tapes.odd.len && tapes.odd.at[self.next_odd] < position {
            self.next_odd += 1;
        }
        while self.next_separator < tapes.separators.len && tapes.separators.at[self.next_separator] < position {
            self.next_separator += 1;
        }
        while self.next_end < tapes.ends.len && tapes.ends.at[self.next_end] < self.next_separator {
            self.next_end += 1;
        }
    }

    /// Scans another window; at the end of the input, ends the last line there. False if nothing is left.
    #[cold]
    fn refill(&mut self, block: Block<'_>) -> bool {
        let bytes = block.text.as_bytes();
        self.tapes.drop_before(self.next_separator, self.next_odd);
        (self.next_separator, self.next_end, self.next_odd) = (0, 0, 0);
        if self.scanned < bytes.len() {
            let end = bytes.len().min(self.scanned + WINDOW);
            scan(&mut self.tapes, &bytes[self.scanned..end], self.scanned);
            self.scanned = end;
            return true;
        }
        let remains = block.last && self.start < bytes.len();
        if remains {
            self.tapes.end_line(bytes.len());
        }
        remains
    }
}

/// A growing list of numbers that is overwritten, never shrunk, so that no element is initialised twice.
#[derive(Debug, Default)]
struct Tape {
    at: Vec<usize>,
    len: usize,
}

impl Tape {
    /// The places of the next 64 numbers.
    #[inline]
    fn room(&mut self) -> &mut [usize; 64] {
        if self.at.len() < self.len + 64 {
            self.at.resize(2 * self.len + 64, 0);
        }
        self.at[self.len..].first_chunk_mut().expect("room for 64 numbers was made above")
    }

    /// Appends the position of every bit.
    #[inline]
    fn extend(&mut self, mut bits: u64, base: usize) {
        let count = bits.count_ones() as usize;
        let room = self.room();
        for place in room.iter_mut().take(count) {
            *place = base + bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
        }
        self.len += count;
    }

    fn drop_first(&mut self, count: usize) {
        if count > 0 {
            self.at.copy_within(count..self.len, 0);
            self.len -= count;
        }
    }
}

/// The positions found in the current window, and those of an unfinished line before it.
#[derive(Debug, Default)]
struct Tapes {
    separators: Tape,
    ends: Tape,
    odd: Tape,
}

impl Tapes {
    fn clear(&mut self) {
        (self.separators.len, self.ends.len, self.odd.len) = (0, 0, 0);
    }

    /// Forgets the lines that were handed out. An unfinished line is moved at most once, however long it grows.
    fn drop_before(&mut self, separator: usize, odd: usize) {
        self.separators.drop_first(separator);
        self.odd.drop_first(odd);
        self.ends.len = 0;
    }

    fn end_line(&mut self, position: usize) {
        self.ends.room()[0] = self.separators.len;
        self.separators.room()[0] = position;
        self.ends.len += 1;
        self.separators.len += 1;
    }

    /// Appends what 64 bytes hold.
    #[inline(always)]
    fn extend(&mut self, found: Found, base: usize) {
        let before = self.separators.len;
        let room = self.ends.room();
        let count = found.ends.count_ones() as usize;
        let mut bits = found.ends;
        for place in room.iter_mut().take(count) {
            let below = (bits & bits.wrapping_neg()).wrapping_sub(1);
            *place = before + (found.separators & below).count_ones() as usize;
            bits &= bits.wrapping_sub(1);
        }
        self.ends.len += count;
        self.separators.extend(found.separators, base);
        if found.odd != 0 {
            self.odd.extend(found.odd, base);
        }
    }
}

/// One bit for each of 64 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    /// Commas and line ends.
    separators: u64,
    /// CR and LF.
    ends: u64,
    /// Quotes and NUL bytes.
    odd: u64,
}

/// Appends the positions in `bytes`, the first of which is at `base` of the block.
fn scan(tapes: &mut Tapes, bytes: &[u8], base: usize) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has the features, as was just asked. Splitting takes 1.0 times as long without them.
        return unsafe { avx2::scan(tapes, bytes, base) };
    }
    scan_with(tapes, bytes, base, portable::find);
}

#[inline(always)]
fn scan_with(tapes: &mut Tapes, bytes: &[u8], base: usize, find: impl Fn(&[u8; 64]) -> Found) {
    let (chunks, rest) = bytes.as_chunks::<64>();
    for (index, chunk) in chunks.iter().enumerate() {
        tapes.extend(find(chunk), base + 64 * index);
    }
    if !rest.is_empty() {
        let mut padded = [b' '; 64];
        padded[..rest.len()].copy_from_slice(rest);
        tapes.extend(find(&padded), base + 64 * chunks.len());
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    //! Two times 32 bytes.

    use std::arch::x86_64::{
        __m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
    };

    use super::{Found, Tapes};

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    pub fn scan(tapes: &mut Tapes, bytes: &[u8], base: usize) {
        super::scan_with(tapes, bytes, base, |chunk| find(chunk));
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn find(chunk: &[u8; 64]) -> Found {
        let (low, high) = chunk.split_at(32);
        let (low, high) = (find_half(low.as_array().expect("half")), find_half(high.as_array().expect("half")));
        let join = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        Found { separators: join(low[0], high[0]), ends: join(low[1], high[1]), odd: join(low[2], high[2]) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn find_half(bytes: &[u8; 32]) -> [u32; 3] {
        // SAFETY: the reference is to 32 readable bytes, and the load needs no alignment.
        let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast::<__m256i>()) };
        let is = |byte: u8| _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte.cast_signed()));
        let ends = _mm256_or_si256(is(b'\n'), is(b'\r'));
        let separators = _mm256_or_si256(ends, is(b','));
        let odd = _mm256_or_si256(is(b'"'), is(0));
        [separators, ends, odd].map(|set| _mm256_movemask_epi8(set).cast_unsigned())
    }
}

mod portable {
    //! Eight times eight bytes, in plain words.

    use super::Found;

    const LOW_BITS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    const ONES: u64 = 0x0101_0101_0101_0101;

    pub fn find(chunk: &[u8; 64]) -> Found {
        let mut found = Found { separators: 0, ends: 0, odd: 0 };
        for (index, word) in chunk.as_chunks::<8>().0.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            let ends = zeros(word ^ ONES * u64::from(b'\n')) | zeros(word ^ ONES * u64::from(b'\r'));
            let separators = ends | zeros(word ^ ONES * u64::from(b','));
            let odd = zeros(word ^ ONES * u64::from(b'"')) | zeros(word);
            found.separators |= gather(separators) << (8 * index);
            found.ends |= gather(ends) << (8 * index);
            found.odd |= gather(odd) << (8 * index);
        }
        found
    }

    /// The top bit of every byte that is zero; exact, since no byte carries into the next.
    fn zeros(word: u64) -> u64 {
        !(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS)
    }

    /// Moves the top bits of eight bytes together.
    fn gather(tops: u64) -> u64 {
        (tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(chunk: &[u8; 64]) -> Found {
        let bits = |set: &[u8]| (0..64).filter(|&at| set.contains(&chunk[at])).fold(0, |bits, at| bits | 1 << at);
        Found { separators: bits(b",\n\r"), ends: bits(b"\n\r"), odd: bits(b"\"\0") }
    }

    fn lines(text: &str, last: bool) -> (Vec<String>, usize) {
        let (block, mut lines) = (Block { text, last }, Lines::default());
        let mut found = Vec::new();
        lines.begin();
        while let Some(line) = lines.next(block) {
            let mut start = line.start;
            let cells = lines.cell_ends(line).iter().map(|&end| &text[std::mem::replace(&mut start, end + 1)..end]);
            found.push(cells.collect::<Vec<_>>().join("|"));
        }
        (found, lines.used(block))
    }

    #[test]
    fn lines_end_with_either_mark_or_with_the_input() {
        assert_eq!(lines("a,1\nb\r\n,", true), (vec!["a|1".into(), "b".into(), "".into(), "|".into()], 8));
        assert_eq!(lines("a,1\nb", false), (vec!["a|1".into()], 4));
        assert_eq!(lines("", true), (vec![], 0));
    }

    #[test]
    fn a_line_may_be_longer_than_a_window() {
        let long = "x,".repeat(WINDOW);
        let text = format!("a,b\n{long}\nc");
        let (found, used) = lines(&text, true);
        assert_eq!(found.len(), 3);
        assert_eq!(found[1].len(), long.len());
        assert_eq!((found[2].as_str(), used), ("c", text.len()));
    }

    #[test]
    fn an_odd_line_is_skipped_to_where_the_caller_says() {
        let block = Block { text: "a\nb,\"x\ny,\"\nc\n", last: false };
        let mut lines = Lines::default();
        lines.begin();
        assert!(!lines.next(block).expect("a").odd);
        let odd = lines.next(block).expect("the quoted line");
        assert_eq!((odd.start, odd.odd), (2, true));
        lines.skip_to(11);
        let next = lines.next(block).expect("c");
        assert_eq!((next.start, next.odd, lines.cell_ends(next)), (11, false, &[12][..]));
        assert!(lines.next(block).is_none());
    }

    proptest! {
        #[test]
        fn words_and_vectors_find_what_bytes_find(picks in prop::collection::vec(any::<u8>(), 64)) {
            let special = b",\n\r\"\0a \x80\x8a\xac\xa2\x0c\x0b\x0e";
            let bytes: Vec<u8> = picks.iter().map(|&pick| *special.get(pick as usize).unwrap_or(&pick)).collect();
            let chunk: &[u8; 64] = bytes.as_slice().try_into().expect("64 bytes");
            prop_assert_eq!(portable::find(chunk), naive(chunk));
            #[cfg(target_arch = "x86_64")]
            if std::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has the feature.
                prop_assert_eq!(unsafe { avx2::find(chunk) }, naive(chunk));
            }
        }
    }
}
