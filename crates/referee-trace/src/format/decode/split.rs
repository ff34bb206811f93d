//! Finds separators and line ends 64 bytes at a time, and cuts lines into cells.
//!
//! ```text
//!  text         a , 1 , x \n b , " 7 , 8 " \n        one window of 8 KiB at a time
//!  separators     1   3   5    7       11    14      commas and line ends
//!  odd                           8         13        quotes and NUL bytes
//!
//!  cells        [ a | 1 | x ]                        filled from separator to separator; a line is handed over where
//!                                                    the separator is no comma
//! ```
//!
//! Sixty-four bytes become two words of one bit per byte, and the bits become positions. What a byte is does not
//! depend on what went before it, so positions stay true when a caller decides that some of them lie within quotes: it
//! reads such a line by itself and says with [`Lines::skip_to`] where it ended. A line that is not odd costs its share of
//! the scan, and per cell one position, one look at the byte there and one slice. The slices lie in an array of fixed size;
//! a line with more cells than it holds counts as odd, too.
//!
//! CR and LF each end a line. CR LF therefore yields an empty line more, which callers skip anyway, and a block may end
//! between the two. Cells of a line that reaches beyond the window are cut again with the next one: at most
//! [`MOST_CELLS`] per window.

use std::ops::Range;

use memchr::memchr2;

use super::decoder::Block;
use crate::error::{Flow, Stop};

/// How much text is scanned at a time: its positions stay in the first level cache.
const WINDOW: usize = 8 << 10;

/// How many cells a line may have that is cut here.
pub(crate) const MOST_CELLS: usize = 64;

/// The lines of a block, found one window at a time.
///
/// Invariant: `start` and whatever lies behind a position on the tape are character boundaries of `block.text`, for the
/// positions are those of ASCII bytes in it.
#[derive(Debug)]
pub(crate) struct Lines<'t, 'b> {
    block: Block<'t>,
    tapes: &'b mut Tapes,
    scanned: usize,
    start: usize,
    next_separator: usize,
    next_odd: usize,
    cells: [&'t str; MOST_CELLS],
}

/// Receives the lines of a block.
pub(crate) trait LineSink<'t> {
    /// Takes lines of a text without blanks from `start` on, whose separators are given, as long as they need not be cut; tells
    /// how many separators were used up. The next line starts behind the last of these: the answer is checked and not trusted.
    ///
    /// # Safety
    ///
    /// The separators are growing positions of ASCII bytes in `text`, none of them before `start`, and `start` is a character
    /// boundary of it.
    unsafe fn bulk(&mut self, text: &'t str, start: usize, separators: &[usize]) -> Result<usize, Stop>;

    /// Takes a line: where it starts, its first cell, and all its cells, at least one and without the blanks around them. The
    /// first cell is given by itself because what it names is looked up: read from the cells, that would have to wait
    /// until it is stored there.
    fn line(&mut self, start: usize, first: &'t str, cells: &[&'t str]) -> Flow;
}

/// Why [`Lines::each`] stopped.
pub(crate) enum Pause {
    /// The line at this place has quotes, NUL bytes, too many cells or, as the last of the input, no line end: it may end
    /// elsewhere. Go on with [`Lines::skip_to`].
    Odd(usize),
    /// No complete line is left.
    End,
}

impl<'t, 'b> Lines<'t, 'b> {
    /// The lines of a block, with buffers that may have served another.
    pub(crate) fn new(block: Block<'t>, tapes: &'b mut Tapes) -> Self {
        tapes.clear();
        Lines { block, tapes, scanned: 0, start: 0, next_separator: 0, next_odd: 0, cells: [""; MOST_CELLS] }
    }

    /// Hands over one line after another that has a line end.
    #[inline(always)]
    pub(crate) fn each(&mut self, sink: &mut impl LineSink<'t>) -> Result<Pause, Stop> {
        loop {
            let (text, blanks, cells) = (self.block.text, self.tapes.blanks, &mut self.cells);
            let separators = self.tapes.separators.rest(self.next_separator);
            let next_odd = self.tapes.odd.get(self.next_odd);
            let not_odd = match next_odd {
                usize::MAX => separators,
                _ => &separators[..separators.partition_point(|&separator| separator < next_odd)],
            };
            let (mut line_start, mut rest) = (self.start, not_odd);
            let is_long = loop {
                if !blanks {
                    // SAFETY: positions grow along the tape and are those of separators in this text, and a line starts behind one.
                    let used = unsafe { sink.bulk(text, line_start, rest)? };
                    let taken;
                    (taken, rest) = rest.split_at(used);
                    line_start = taken.last().map_or(line_start, |last| last + 1);
                }
                // SAFETY: positions grow along the tape and are those of separators in this text, and a line starts behind one.
                let Some(count) = (unsafe { cut(text, line_start, rest, blanks, cells) }) else {
                    break rest.len() >= MOST_CELLS;
                };
                let first = match blanks {
                    true => cells[0],
                    // SAFETY: as for the cell itself.
                    false => unsafe { text.get_unchecked(line_start..rest[0]) },
                };
                sink.line(line_start, first, &cells[..count])?;
                line_start = rest[count - 1] + 1;
                rest = &rest[count..];
            };
            self.start = line_start;
            self.next_separator += not_odd.len() - rest.len();
            if is_long || not_odd.len() < separators.len() {
                return Ok(Pause::Odd(line_start));
            }
            if !self.refill() {
                return Ok(if self.is_cut_off() { Pause::Odd(line_start) } else { Pause::End });
            }
        }
    }

    /// How much of the block the lines so far take.
    pub(crate) fn used(&self) -> usize {
        self.start.min(self.block.text.len())
    }

    /// Goes on at `position`, where an odd line turned out to end.
    pub(crate) fn skip_to(&mut self, position: usize) {
        assert!(self.block.text.is_char_boundary(position), "lines end between characters");
        let tapes = &*self.tapes;
        self.start = position;
        self.scanned = self.scanned.max(position);
        while tapes.odd.get(self.next_odd) < position {
            self.next_odd += 1;
        }
        while tapes.separators.get(self.next_separator) < position {
            self.next_separator += 1;
        }
    }

    /// Scans another window. False if nothing is left.
    #[cold]
    fn refill(&mut self) -> bool {
        let bytes = self.block.text.as_bytes();
        self.tapes.drop_before(self.next_separator, self.next_odd);
        (self.next_separator, self.next_odd) = (0, 0);
        if self.scanned < bytes.len() {
            self.tapes.blanks &= self.has_blanks_left();
            let end = bytes.len().min(self.scanned + WINDOW);
            scan::<false>(self.tapes, &bytes[self.scanned..end], self.scanned);
            self.scanned = end;
            return true;
        }
        false
    }

    /// Whether the input ends within a line.
    fn is_cut_off(&self) -> bool {
        self.block.last && self.start < self.block.text.len()
    }

    /// Whether the unfinished line has blanks; a long one is not searched again and again.
    fn has_blanks_left(&self) -> bool {
        let unfinished = self.block.text.as_bytes().get(self.start..self.scanned).unwrap_or_default();
        unfinished.len() > WINDOW || memchr2(b' ', b'\t', unfinished).is_some()
    }
}

/// How many cells most lines have at most.
const FEW_CELLS: usize = 8;

/// Fills the cells of the line at `start` and counts them; nothing if the line does not end at one of the separators, or has
/// too many cells.
///
/// # Safety
///
/// The separators are growing positions of ASCII bytes in `text`, and `start` is a character boundary not behind the first.
#[inline(always)]
unsafe fn cut<'t>(
    text: &'t str,
    start: usize,
    separators: &[usize],
    blanks: bool,
    cells: &mut [&'t str; MOST_CELLS],
) -> Option<usize> {
    // SAFETY: the caller's promise.
    unsafe {
        if !blanks
            && let Some(ends) = separators.first_chunk::<FEW_CELLS>()
            && let Some(cells) = cells.first_chunk_mut::<FEW_CELLS>()
            && let Some(count) = fill(start, ends.iter().zip(cells), |start, end| plain_cell(text, start, end))
        {
            return Some(count);
        }
        fill(start, separators.iter().zip(cells), |start, end| match blanks {
            true => trimmed_cell(text, start, end),
            false => plain_cell(text, start, end),
        })
    }
}

/// Fills cells from separator to separator until one ends the line. Unrolled where their number is known: eight
/// instructions per cell instead of thirteen.
#[inline(always)]
fn fill<'p, 't: 'p>(
    mut start: usize,
    places: impl Iterator<Item = (&'p usize, &'p mut &'t str)>,
    cell: impl Fn(usize, usize) -> (&'t str, u8),
) -> Option<usize> {
    for (index, (&end, place)) in places.enumerate() {
        let separator;
        (*place, separator) = cell(start, end);
        start = end + 1;
        if separator != b',' {
            return Some(index + 1);
        }
    }
    None
}

/// A cell, and the separator behind it.
///
/// # Safety
///
/// `start <= end < len`, and both are character boundaries.
#[inline(always)]
unsafe fn plain_cell(text: &str, start: usize, end: usize) -> (&str, u8) {
    debug_assert!(start <= end && end < text.len());
    // SAFETY: the caller's promise. With slices that are checked anew splitting took 1.3 times as long.
    unsafe { (text.get_unchecked(start..end), *text.as_bytes().get_unchecked(end)) }
}

/// A cell without the blanks around it, and the separator behind it.
///
/// # Safety
///
/// As for a [`plain_cell`].
unsafe fn trimmed_cell(text: &str, start: usize, end: usize) -> (&str, u8) {
    let Range { start, end: trimmed } = trim(text.as_bytes(), start..end);
    // SAFETY: the caller's promise, and a blank begins and ends where a character does.
    unsafe { (text.get_unchecked(start..trimmed), *text.as_bytes().get_unchecked(end)) }
}

/// The [`head`] of a text, not empty, that is part of another: one read in nearly all cases.
#[inline]
pub(crate) fn head_within(whole: &str, part: &str) -> u64 {
    let at = part.as_ptr().addr().wrapping_sub(whole.as_ptr().addr());
    // A wrapped difference is larger than any text, so one comparison is enough.
    match at < whole.len().saturating_sub(7) {
        true => {
            // SAFETY: eight bytes of `whole` begin at `at`, as was just asked. The checked read asks twice, and its six
            // instructions more are every twentieth of a row.
            let bytes = unsafe { whole.as_bytes().get_unchecked(at..at + 8) };
            let word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            word.wrapping_shl(0u32.wrapping_sub(8 * part.len().min(8) as u32))
        }
        false => head(part.as_bytes()),
    }
}

/// The first eight bytes of a text; those of a shorter one at the upper end of the word, above zeros.
#[inline]
pub(crate) fn head(text: &[u8]) -> u64 {
    match text.first_chunk::<8>() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => text.iter().fold(0, |word, &byte| word >> 8 | u64::from(byte) << 56),
    }
}

/// A range without the blanks at both ends.
#[inline(never)]
pub(crate) fn trim(bytes: &[u8], Range { mut start, mut end }: Range<usize>) -> Range<usize> {
    while start < end && is_blank(bytes[start]) {
        start += 1;
    }
    while start < end && is_blank(bytes[end - 1]) {
        end -= 1;
    }
    start..end
}

/// Whether a byte is a space or a tab.
#[inline]
pub(crate) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// How many numbers may be written for 64 bytes.
const SLACK: usize = 72;

/// A growing list of numbers that is overwritten, never shrunk, so that no element is initialised twice.
#[derive(Debug, Default)]
struct Tape {
    at: Vec<usize>,
    len: usize,
}

impl Tape {
    /// A number, or the largest of all behind the last.
    #[inline]
    fn get(&self, index: usize) -> usize {
        if index < self.len { self.at[index] } else { usize::MAX }
    }

    /// The numbers from `first` on.
    #[inline]
    fn rest(&self, first: usize) -> &[usize] {
        &self.at[first..self.len]
    }

    /// Makes room for `count` numbers more, and for those that are written without need.
    fn reserve(&mut self, count: usize) {
        let needed = self.len + count + SLACK;
        if self.at.len() < needed {
            self.at.resize(needed.max(2 * self.len), 0);
        }
    }

    fn drop_first(&mut self, count: usize) {
        if count > 0 {
            self.at.copy_within(count..self.len, 0);
            self.len -= count;
        }
    }
}

/// Writes the position of every bit from `len` on and gives the new length. Twelve are always written at a time, needed or
/// not, which costs less than a branch guessed wrong.
#[inline(always)]
fn write_positions(at: &mut [usize], len: usize, mut bits: u64, base: usize) -> usize {
    let count = bits.count_ones() as usize;
    let (groups, _) = at[len..len + SLACK].as_chunks_mut::<12>();
    for group in groups {
        for place in group {
            *place = base + bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
        }
        if bits == 0 {
            break;
        }
    }
    len + count
}

/// The positions found in the current window, and those of an unfinished line before it.
#[derive(Debug, Default)]
pub(crate) struct Tapes {
    separators: Tape,
    odd: Tape,
    /// Whether there are blanks; without any, no cell needs trimming.
    blanks: bool,
}

impl Tapes {
    fn clear(&mut self) {
        (self.separators.len, self.odd.len) = (0, 0);
        self.blanks = false;
    }

    /// Forgets the lines that were handed out.
    fn drop_before(&mut self, separator: usize, odd: usize) {
        self.separators.drop_first(separator);
        self.odd.drop_first(odd);
    }

    /// Writes what 64 bytes hold. The number of separators is kept in a register by the caller: in memory it would have
    /// to wait for its last store.
    #[inline(always)]
    fn add(&mut self, chunk: &[u8; 64], found: FoundBytes, base: usize, separators: usize) -> usize {
        if found.has_others {
            self.add_others(chunk, base);
        }
        write_positions(&mut self.separators.at, separators, found.separators, base)
    }

    /// Looks for odd bytes and blanks.
    #[cold]
    #[inline(never)]
    fn add_others(&mut self, chunk: &[u8; 64], base: usize) {
        let (odd, blanks) = portable::find_others(chunk);
        self.odd.reserve(64);
        self.odd.len = write_positions(&mut self.odd.at, self.odd.len, odd, base);
        self.blanks |= blanks != 0;
    }
}

/// What 64 bytes hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FoundBytes {
    /// One bit for each comma and line end.
    separators: u64,
    /// Whether there are quotes, NUL bytes, spaces or tabs; beside equals signs, blanks do not count.
    has_others: bool,
}

/// The commas, equals signs and line ends of a block, found one window at a time.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    tapes: Tapes,
    scanned: usize,
    next: usize,
    next_odd: usize,
}

impl Marks {
    /// Forgets the block.
    pub(crate) fn clear(&mut self) {
        self.tapes.clear();
        (self.scanned, self.next, self.next_odd) = (0, 0, 0);
    }

    /// Those from `at` on: so many at least, or all that the block has; but none behind a quote, within which they would mean
    /// nothing, or a NUL byte, which somebody else must refuse. Nobody asks for earlier ones again.
    pub(crate) fn from(&mut self, bytes: &[u8], at: usize, least: usize) -> &[usize] {
        while self.tapes.separators.get(self.next) < at {
            self.next += 1;
        }
        while self.tapes.odd.get(self.next_odd) < at {
            self.next_odd += 1;
        }
        while self.tapes.separators.len - self.next < least && self.scanned < bytes.len() {
            self.tapes.drop_before(self.next, self.next_odd);
            (self.next, self.next_odd) = (0, 0);
            self.scanned = self.scanned.max(at);
            let end = bytes.len().min(self.scanned + WINDOW);
            scan::<true>(&mut self.tapes, &bytes[self.scanned..end], self.scanned);
            self.scanned = end;
        }
        let all = self.tapes.separators.rest(self.next);
        match self.tapes.odd.get(self.next_odd) {
            usize::MAX => all,
            odd => &all[..all.partition_point(|&separator| separator < odd)],
        }
    }
}

impl Marks {
    /// The first so many of those that were given are not asked for again.
    #[inline]
    pub(crate) fn skip(&mut self, count: usize) {
        self.next += count;
    }
}

/// Appends the positions in `bytes`, the first of which is at `base` of the block: of equals signs as well if they are asked
/// for.
fn scan<const EQUALS: bool>(tapes: &mut Tapes, bytes: &[u8], base: usize) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has the features, as was just asked. Splitting takes twice as long without them.
        return unsafe { avx2::scan::<EQUALS>(tapes, bytes, base) };
    }
    scan_with(tapes, bytes, base, portable::find::<EQUALS>);
}

/// The body of every scan. All of it is inlined, for only what is inlined is compiled for the caller's features.
#[inline(always)]
fn scan_with(tapes: &mut Tapes, bytes: &[u8], base: usize, find: impl Fn(&[u8; 64]) -> FoundBytes) {
    tapes.separators.reserve(bytes.len());
    let (chunks, rest) = bytes.as_chunks::<64>();
    let mut separators = tapes.separators.len;
    for (index, chunk) in chunks.iter().enumerate() {
        separators = tapes.add(chunk, find(chunk), base + 64 * index, separators);
    }
    if !rest.is_empty() {
        let mut padded = [b'.'; 64];
        padded[..rest.len()].copy_from_slice(rest);
        separators = tapes.add(&padded, find(&padded), base + 64 * chunks.len(), separators);
    }
    tapes.separators.len = separators;
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    //! Two times 32 bytes.

    use std::arch::x86_64::{
        __m256i, _mm_loadu_si128, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256,
        _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    };

    use super::{FoundBytes, Tapes};

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    pub(super) fn scan<const EQUALS: bool>(tapes: &mut Tapes, bytes: &[u8], base: usize) {
        super::scan_with(tapes, bytes, base, |chunk| find::<EQUALS>(chunk));
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn find<const EQUALS: bool>(chunk: &[u8; 64]) -> FoundBytes {
        let [low, high] = chunk.as_chunks::<32>().0 else { unreachable!("64 bytes are two halves") };
        let ((low, low_others), (high, high_others)) = (find_half::<EQUALS>(low), find_half::<EQUALS>(high));
        FoundBytes {
            separators: u64::from(bits(low)) | u64::from(bits(high)) << 32,
            has_others: bits(_mm256_or_si256(low_others, high_others)) != 0,
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn bits(set: __m256i) -> u32 {
        _mm256_movemask_epi8(set).cast_unsigned()
    }

    /// The separators, and what else matters.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn find_half<const EQUALS: bool>(bytes: &[u8; 32]) -> (__m256i, __m256i) {
        // SAFETY: the reference is to 32 readable bytes, and the load needs no alignment.
        let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast::<__m256i>()) };
        let is_one_of = |table: [u8; 16]| {
            // SAFETY: the table is 16 readable bytes, and the load needs no alignment.
            let table = _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) });
            _mm256_cmpeq_epi8(bytes, _mm256_shuffle_epi8(table, bytes))
        };
        let is_nul = _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256());
        let separators = match EQUALS {
            true => _mm256_or_si256(is_one_of(SEPARATORS), _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'=' as i8))),
            false => is_one_of(SEPARATORS),
        };
        let others = match EQUALS {
            true => _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'"' as i8)),
            false => is_one_of(OTHERS),
        };
        (separators, _mm256_or_si256(others, is_nul))
    }

    const SEPARATORS: [u8; 16] = by_lower_half(b",\n\r");
    const OTHERS: [u8; 16] = by_lower_half(b"\" \t");

    /// Bytes at the places that their lower four bits tell, which differ; elsewhere one that does not belong there. So a byte
    /// is one of them if and only if it is what stands at its place: one look-up instead of a comparison with each.
    const fn by_lower_half(bytes: &[u8]) -> [u8; 16] {
        let mut table = [0; 16];
        table[0] = 1;
        let mut at = 0;
        while at < bytes.len() {
            table[(bytes[at] & 15) as usize] = bytes[at];
            at += 1;
        }
        table
    }
}

mod portable {
    //! Eight times eight bytes, in plain words.

    use super::FoundBytes;

    const LOW_BITS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    const ONES: u64 = 0x0101_0101_0101_0101;

    pub(super) fn find<const EQUALS: bool>(chunk: &[u8; 64]) -> FoundBytes {
        if EQUALS {
            return FoundBytes { separators: bits(chunk, *b",\n\r="), has_others: bits(chunk, *b"\"\0") != 0 };
        }
        let (odd, blanks) = find_others(chunk);
        FoundBytes { separators: bits(chunk, *b",\n\r"), has_others: odd | blanks != 0 }
    }

    /// One bit for each quote and NUL byte, and one for each blank.
    pub(super) fn find_others(chunk: &[u8; 64]) -> (u64, u64) {
        (bits(chunk, *b"\"\0"), bits(chunk, *b" \t"))
    }

    /// One bit for each byte that is one of these.
    fn bits<const N: usize>(chunk: &[u8; 64], these: [u8; N]) -> u64 {
        chunk.as_chunks::<8>().0.iter().enumerate().fold(0, |bits, (index, word)| {
            let word = u64::from_le_bytes(*word);
            let tops = these.iter().fold(0, |tops, &byte| tops | zeros(word ^ (ONES * u64::from(byte))));
            bits | gather(tops) << (8 * index)
        })
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
    use referee_testing::properties;

    fn bits(chunk: &[u8; 64], set: &[u8]) -> u64 {
        (0..64).filter(|&at| set.contains(&chunk[at])).fold(0, |bits, at| bits | 1 << at)
    }

    fn naive(chunk: &[u8; 64]) -> FoundBytes {
        FoundBytes { separators: bits(chunk, b",\n\r"), has_others: bits(chunk, b"\"\0 \t") != 0 }
    }

    /// Takes lines one by one.
    struct Keep<F>(F);

    impl<'t, F: FnMut(usize, &str, &[&str])> LineSink<'t> for Keep<F> {
        unsafe fn bulk(&mut self, _: &'t str, _: usize, _: &[usize]) -> Result<usize, Stop> {
            Ok(0)
        }

        fn line(&mut self, start: usize, first: &'t str, cells: &[&'t str]) -> Flow {
            (self.0)(start, first, cells);
            Ok(())
        }
    }

    fn lines(text: &str, last: bool) -> (Vec<String>, usize) {
        let mut tapes = Tapes::default();
        let mut lines = Lines::new(Block { text, last }, &mut tapes);
        let mut found = Vec::new();
        let mut keep = Keep(|_, first: &str, cells: &[&str]| {
            assert_eq!(first, cells[0]);
            let not_empty = cells.iter().filter(|cell| !cell.is_empty());
            not_empty.for_each(|cell| assert_eq!(head_within(text, cell), head(cell.as_bytes())));
            found.push(cells.join("|"));
        });
        match lines.each(&mut keep) {
            Ok(Pause::End) => (found, lines.used()),
            Ok(Pause::Odd(start)) => {
                found.push(format!("odd: {}", &text[start..]));
                (found, start)
            }
            Err(stop) => panic!("nothing stops, but {stop:?}"),
        }
    }

    #[test]
    fn lines_end_with_either_mark_and_are_odd_without() {
        assert_eq!(lines("a,1\nb\r\n,", true), (vec!["a|1".into(), "b".into(), "".into(), "odd: ,".into()], 7));
        assert_eq!(lines("a,1\nb", false), (vec!["a|1".into()], 4));
        assert_eq!(lines("", true), (vec![], 0));
        assert_eq!(lines(" a b ,\t,  ,ü \n", true), (vec!["a b|||ü".into()], 15));
    }

    #[test]
    fn a_line_may_be_longer_than_a_window() {
        let long = "x".repeat(3 * WINDOW) + &",".repeat(MOST_CELLS - 1);
        let text = format!("a,b\n{long}\nc");
        let (found, used) = lines(&text, true);
        assert_eq!(found.len(), 3);
        assert_eq!(found[1].len(), long.len());
        assert_eq!((found[2].as_str(), used), ("odd: c", text.len() - 1));
    }

    #[test]
    fn an_odd_line_is_skipped_to_where_the_caller_says() {
        let block = Block { text: "a\nb,\"x\ny,\"\nc\n", last: false };
        let mut tapes = Tapes::default();
        let mut lines = Lines::new(block, &mut tapes);
        let mut found = Vec::new();
        let mut keep = Keep(|start, first: &str, _: &[&str]| found.push((start, first.to_owned())));
        assert!(matches!(lines.each(&mut keep), Ok(Pause::Odd(2))));
        lines.skip_to(11);
        assert!(matches!(lines.each(&mut keep), Ok(Pause::End)));
        assert_eq!((found, lines.used()), (vec![(0, "a".into()), (11, "c".into())], 13));
    }

    proptest! {
        #![proptest_config(properties(256))]

        #[test]
        fn words_and_vectors_find_what_bytes_find(picks in prop::collection::vec(any::<u8>(), 64)) {
            let special = b",=\n\r\"\0a\t \x80\x8a\xac\xa2\x0c\x0b\x0e";
            let bytes: Vec<u8> = picks.iter().map(|&pick| *special.get(pick as usize).unwrap_or(&pick)).collect();
            let chunk: &[u8; 64] = bytes.as_slice().try_into().expect("64 bytes");
            prop_assert_eq!(portable::find::<false>(chunk), naive(chunk));
            let marks = FoundBytes { separators: bits(chunk, b",\n\r="), has_others: bits(chunk, b"\"\0") != 0 };
            prop_assert_eq!(portable::find::<true>(chunk), marks);
            prop_assert_eq!(portable::find_others(chunk), (bits(chunk, b"\"\0"), bits(chunk, b" \t")));
            #[cfg(target_arch = "x86_64")]
            if std::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has the feature.
                prop_assert_eq!(unsafe { (avx2::find::<false>(chunk), avx2::find::<true>(chunk)) }, (naive(chunk), marks));
            }
        }
    }
}
