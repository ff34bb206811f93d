//! Rows of short integers and texts, straight from the positions of their separators.
//!
//! ```text
//!  text   … r e l , 4 7 , 1 2 0 5 \n           name   the eight bytes before its comma, shifted
//!  tape             ▲     ▲       ▲            value  the eight bytes before its separator, shifted
//!
//!  text   … r e l , a = 4 7 , b = 1 2 0 5 \n   the same; what stands before a value is compared with what stood there
//!  tape             ▲   ▲     ▲   ▲         ▲  in the row that was learnt from
//! ```
//!
//! Most rows of a log that is judged are a known name and a few small integers. For such rows no slice is made and no
//! function called. First the words of some rows are gathered: a name is one or two words and a look at a small table, a
//! value is the word that ends where it ends, and its length. Then all values are converted at once, four to a
//! vector, whatever their lengths, so that no branch depends on them ([`digits`]). Columns in which a text of at most seven bytes
//! was met, the name of a data base, of a role or of a state, are looked at one by one: such a text fits into the word of a value, and
//! the batch that it becomes part of looks it up. Everything else, a new name, a longer string, a number
//! of nine digits, is left to the reader of single rows. A kind of event whose values were something else is left alone
//! for [`PATIENCE`] rows, so that a log of long strings costs hardly more than without this.
//!
//! What stands between the values is the format's [`RowLayout`]: commas ([`Positional`], [`Filled`]), commas and blank cells ([`Sparse`]), or
//! commas, names of fields and `=` ([`Named`]).

mod digits;
mod layout;
mod words;

use crate::error::{Flow, Stop};
use crate::raw::{Bulk, IntegerRows, RawRowSink, RawSink, RowHead, ShapeId, Unused, Want};
use crate::values::Atom;
pub(crate) use layout::{Filled, Named, Positional, RowLayout, Sparse};
use words::word_before;

const SLOT_BITS: u32 = 8;

/// How many rows of a kind are not tried after one that was not plain.
const PATIENCE: u8 = 200;

/// The longest name that two words tell.
const LONGEST: usize = 16;

/// What is added to the number of values of rows of which some values are not read, in [`RowSlot::way`].
const PART: u8 = 8;

/// The way of rows with columns of texts, with many values, and of rows that are left alone.
const OTHER: u8 = 16;

/// How many rows are read one by one, at most, before the next is tried to be read with others.
const LONGEST_PAUSE: u32 = 32;

/// Rows that wait to be handed over together, and which may. Where few may, hardly any is tried.
#[derive(Debug, Default)]
pub(crate) struct Integers<L: RowLayout> {
    names: IntegerNames<L>,
    rows: IntegerRows,
    /// The last of them, if some of its values are not read.
    last: LastRow,
    /// How many rows are not tried.
    pause: u32,
    /// How many tries in a row found nothing.
    tries: u32,
}

impl<L: RowLayout> Integers<L> {
    /// Tells what all rows have in common.
    pub(crate) fn frame(&mut self, frame: L::Frame) {
        self.names.frame = frame;
    }

    /// Whether rows are to be tried now.
    #[inline(always)]
    pub(crate) fn tries(&mut self) -> bool {
        match self.pause {
            0 => true,
            _ => {
                self.pause -= 1;
                false
            }
        }
    }

    /// Takes rows from `start` on, whose separators are given, as long as they are plain, and hands over those for which there
    /// is no room; tells where the next one starts and how many separators were used up.
    ///
    /// # Safety
    ///
    /// The separators are growing positions within `text`, none of them before `start`.
    pub(crate) unsafe fn take<S: RawSink>(
        &mut self,
        text: &str,
        mut start: usize,
        separators: &[usize],
        sink: &mut S,
    ) -> Result<(usize, usize), Stop> {
        let mut used = 0;
        loop {
            // SAFETY: the caller's promise.
            let (next, count) = unsafe { self.names.take(text, start, &separators[used..], &mut self.rows) };
            if count > 0 {
                // SAFETY: the caller's promise; the last of the rows has just been taken.
                unsafe { self.names.note_last(text, &separators[used..], &self.rows, &mut self.last) };
            }
            (start, used) = (next, used + count);
            if !self.rows.is_full() {
                self.tries = if used == 0 { (self.tries + 1).min(LONGEST_PAUSE) } else { 0 };
                self.pause = self.tries;
                return Ok((start, used));
            }
            self.hand_over(sink)?;
        }
    }

    /// Hands over the rows that wait.
    #[inline(always)]
    pub(crate) fn hand_over<S: RawSink>(&mut self, sink: &mut S) -> Flow {
        if let Some(bulk) = sink.rows()
            && !self.rows.is_empty()
        {
            bulk.take(&mut self.rows)?;
            if self.last.is_part {
                self.last.tell(bulk);
            }
        }
        Ok(())
    }

    /// Ends a block: hands over the rows that wait, also where something is wrong behind them, for they come before that.
    pub(crate) fn finish<T, S: RawSink>(&mut self, outcome: Result<T, Stop>, sink: &mut S) -> Result<T, Stop> {
        if !matches!(outcome, Err(Stop::Enough)) {
            self.hand_over(sink)?;
        }
        outcome
    }

    /// Rows of a shape, with this name, so many values, and this layout, may come in bulk if the sink takes them so.
    pub(crate) fn keep<S: RawSink>(&mut self, name: &str, values: usize, layout: L, shape: ShapeId, sink: &mut S) {
        self.keep_kind(name, 0, values, layout, shape, sink);
    }

    /// The same for the rows of a name that are of a [kind](RowLayout::kind).
    pub(crate) fn keep_kind<S: RawSink>(
        &mut self,
        name: &str,
        kind: u64,
        values: usize,
        layout: L,
        shape: ShapeId,
        sink: &mut S,
    ) {
        if let Some(rows) = sink.rows()
            && let Some(bulk) = rows.bulk(shape)
            && let Some(name) = RowName::of(name)
        {
            self.names.keep(Head { name, kind }, values, layout, bulk);
        }
    }
}

/// A row of which some values are not read: whoever shows the last event of a trace shows all of it.
#[derive(Debug, Default)]
struct LastRow {
    is_part: bool,
    shape: ShapeId,
    text: String,
    /// Where each value is in the text.
    values: Vec<std::ops::Range<usize>>,
}

impl LastRow {
    #[inline(never)]
    fn tell(&mut self, sink: &mut impl RawRowSink) {
        self.is_part = false;
        let values: Vec<&str> = self.values.iter().map(|value| &self.text[value.clone()]).collect();
        sink.newest(self.shape, &values);
    }
}

/// The names whose rows may come in bulk.
#[derive(Debug)]
struct IntegerNames<L: RowLayout> {
    frame: L::Frame,
    slots: Box<[RowSlot<L>; 1 << SLOT_BITS]>,
    lengths: Box<[u64; IntegerRows::SPARE * IntegerRows::WIDEST]>,
    /// The values of columns with texts of the rows that were gathered, each with its place among all values.
    others: Vec<(u32, Atom)>,
}

/// Rows whose values are not converted yet.
struct Found {
    rows: usize,
    /// Where the row behind them starts.
    next: usize,
    /// How many separators they have.
    separators: usize,
}

/// A name, how many values follow it, and what is read of them.
///
/// Its size is a power of two, so that it is found without a multiplication.
#[derive(Debug, Clone, Copy)]
#[repr(align(128))]
struct RowSlot<L> {
    head: Head,
    layout: L,
    want: Want,
    /// The columns that may hold texts, and those of them in which there was one.
    may_hold_texts: Want,
    texts: Want,
    /// The columns that are read and have shown nothing but integers.
    together: Want,
    shape: ShapeId,
    /// How its rows are read: how many values they have, if there are few; [`PART`] more if some are not read; or [`OTHER`].
    way: u8,
    values: u8,
    /// The number of the separator that ends a row.
    last: u8,
    /// How many values are kept: all, or none if none is read.
    kept: u8,
    /// How many rows are left alone.
    waits: u8,
}

impl<L: RowLayout> RowSlot<L> {
    fn new(head: Head, values: u8, layout: L, Bulk { shape, want, texts }: Bulk) -> RowSlot<L> {
        let kept = if want.is_none() { 0 } else { values };
        let mut slot = RowSlot {
            head,
            layout,
            want,
            may_hold_texts: texts,
            texts: Want::NONE,
            together: want,
            shape,
            way: OTHER,
            values,
            last: layout.last(values as usize) as u8,
            kept,
            waits: 0,
        };
        slot.choose_way();
        slot
    }

    /// Leaves so many rows alone.
    #[cold]
    fn wait(&mut self, rows: u8) {
        self.waits = rows;
        self.choose_way();
    }

    fn choose_way(&mut self) {
        let reads_all = (0..self.values as usize).all(|value| self.together.has(value));
        self.way = match self.values {
            _ if self.waits > 0 || !self.texts.is_none() => OTHER,
            values @ 0..=4 if reads_all => values,
            values @ 0..=4 => values + PART,
            _ => OTHER,
        };
    }
}

/// What rows that are read alike have in common: their name, and their [kind](RowLayout::kind).
#[derive(Debug, Clone, Copy)]
struct Head {
    name: RowName,
    kind: u64,
}

impl Head {
    /// Whether two are the same, in one comparison.
    #[inline(always)]
    fn is(self, other: Head, has_kinds: bool) -> bool {
        let (name, of) = (self.name, other.name);
        let lengths = (name.len ^ of.len) as u64;
        let kinds = if has_kinds { self.kind ^ other.kind } else { 0 };
        (name.head ^ of.head) | (name.tail ^ of.tail) | lengths | kinds == 0
    }

    #[inline(always)]
    fn slot(self) -> usize {
        let word = self.name.tail ^ self.name.head ^ self.kind.rotate_left(40);
        (word.wrapping_mul(0xd6e8_feb8_6659_fd93) >> (64 - SLOT_BITS)) as usize
    }
}

/// A name of at most sixteen bytes: its first eight if it has more than eight, its last eight, and its length.
#[derive(Debug, Clone, Copy)]
struct RowName {
    head: u64,
    tail: u64,
    len: usize,
}

/// The name of no row.
const NOBODY: RowName = RowName { head: 0, tail: 0, len: usize::MAX };

impl RowName {
    /// The name between two positions, which is none if it is empty.
    ///
    /// # Safety
    ///
    /// `8 <= start <= end`, and so much text is there.
    #[inline(always)]
    unsafe fn at(text: *const u8, start: usize, end: usize) -> Option<RowName> {
        let len = end - start;
        // SAFETY: the caller's promise, and `start + 8 <= end` where the name is so long.
        unsafe {
            let tail = word_before(text, end);
            if len <= 8 {
                // Of an empty name, any word: nothing is known under it.
                Some(RowName { head: 0, tail: tail >> (8 * (8 - len as u32) % 64), len })
            } else if len <= LONGEST {
                Some(RowName { head: word_before(text, start + 8), tail, len })
            } else {
                None
            }
        }
    }

    fn of(name: &str) -> Option<RowName> {
        let mut padded = [0; 8 + LONGEST];
        if name.is_empty() {
            return None;
        }
        padded.get_mut(8..8 + name.len())?.copy_from_slice(name.as_bytes());
        // SAFETY: eight bytes are before the name, and it fits.
        unsafe { RowName::at(padded.as_ptr(), 8, 8 + name.len()) }
    }
}

impl<L: RowLayout> Default for IntegerNames<L> {
    fn default() -> Self {
        let (head, layout) = (Head { name: NOBODY, kind: 0 }, L::default());
        let bulk = Bulk { shape: ShapeId(u32::MAX), want: Want::NONE, texts: Want::NONE };
        let empty = RowSlot::new(head, 0, layout, bulk);
        IntegerNames {
            frame: L::Frame::default(),
            slots: Box::new([empty; 1 << SLOT_BITS]),
            lengths: Box::new([0; IntegerRows::SPARE * IntegerRows::WIDEST]),
            others: Vec::new(),
        }
    }
}

impl<L: RowLayout> IntegerNames<L> {
    /// Rows of this head and so many values may come in bulk, with these values read; whatever shared their slot may not.
    fn keep(&mut self, head: Head, values: usize, layout: L, bulk: Bulk) {
        if values <= IntegerRows::WIDEST {
            self.slots[head.slot()] = RowSlot::new(head, values as u8, layout, bulk);
        }
    }

    /// Takes rows from `start` on, whose separators are given, as long as they are plain; tells where the next one starts
    /// and how many separators were used up.
    ///
    /// # Safety
    ///
    /// The separators are growing positions within `text`, none of them before `start`.
    unsafe fn take(
        &mut self,
        text: &str,
        start: usize,
        separators: &[usize],
        rows: &mut IntegerRows,
    ) -> (usize, usize) {
        let (mut start, mut used) = (start, 0);
        while !rows.is_full() {
            // SAFETY: the caller's promise.
            let found =
                unsafe { self.gather::<false>(text.as_bytes(), start, &separators[used..], rows, IntegerRows::SPARE) };
            let plain = self.convert(found.rows, rows);
            if plain < found.rows {
                // SAFETY: as before. The rows before the one that is not plain are gathered again, to find it.
                let found = unsafe { self.gather::<true>(text.as_bytes(), start, &separators[used..], rows, plain) };
                self.convert(plain, rows);
                // SAFETY: the row was gathered before, so its name has eight bytes before it.
                unsafe { self.leave(text.as_bytes(), found.next, &separators[used + found.separators..]) };
                return (found.next, used + found.separators);
            }
            (start, used) = (found.next, used + found.separators);
            if found.rows == 0 {
                break;
            }
        }
        (start, used)
    }

    /// Notes the last of some rows, if some of its values are not read.
    ///
    /// # Safety
    ///
    /// The separators are growing positions within `text`, and that row is among those that they separate.
    unsafe fn note_last(&self, text: &str, separators: &[usize], rows: &IntegerRows, last: &mut LastRow) {
        last.is_part = false;
        let Some(&RowHead { start, .. }) = rows.heads().last() else { return };
        let own = &separators[separators.partition_point(|at| *at < start)..];
        // SAFETY: the row was taken, so its name has eight bytes before it, and all its separators are there.
        let Some(head) = (unsafe { self.head(text.as_bytes(), start, own) }) else { return };
        let slot = &self.slots[head.slot()];
        let values = slot.values as usize;
        if !slot.head.is(head, L::HAS_KINDS) || (0..values).all(|value| slot.want.has(value)) {
            return;
        }
        (last.is_part, last.shape) = (true, slot.shape);
        last.text.clear();
        last.values.clear();
        for index in 0..values {
            // SAFETY: as before.
            let (start, end, _) = unsafe { slot.layout.value(text.as_ptr(), own, index) };
            let before = last.text.len();
            // Blanks may stand around what nobody reads.
            last.text.push_str(text.get(start..end).unwrap_or_default().trim_matches([' ', '\t']));
            last.values.push(before..last.text.len());
        }
    }

    /// A row was not plain: learns which of its columns hold texts, or leaves rows like it alone for a while.
    ///
    /// # Safety
    ///
    /// As for [`IntegerNames::head`], and all separators of the row are there.
    #[cold]
    unsafe fn leave(&mut self, text: &[u8], start: usize, separators: &[usize]) {
        // SAFETY: the caller's promise.
        let Some(head) = (unsafe { self.head(text, start, separators) }) else { return };
        let slot = &mut self.slots[head.slot()];
        let is_text = |index: &usize| {
            // SAFETY: as before.
            let (start, end, fits) = unsafe { slot.layout.value(text.as_ptr(), separators, *index) };
            // SAFETY: a value lies behind a name, which lies behind the eighth byte.
            fits && unsafe { Atom::short_text(word_before(text.as_ptr(), end), end.wrapping_sub(start)) }.is_some()
        };
        let texts = Want::fields((0..slot.values as usize).filter(is_text)).and(slot.may_hold_texts);
        let waits = if texts.without(slot.texts).is_none() { PATIENCE } else { slot.waits };
        slot.texts = slot.texts.or(texts);
        slot.together = slot.want.without(slot.texts);
        slot.wait(waits);
    }

    /// What the row that begins here may have in common with others.
    ///
    /// # Safety
    ///
    /// The separators are growing positions within `text`, none of them before `start`, which is behind the eighth byte.
    #[inline(always)]
    unsafe fn head(&self, text: &[u8], start: usize, separators: &[usize]) -> Option<Head> {
        let name_end = *separators.first()?;
        // SAFETY: the caller's promise.
        let name = unsafe { RowName::at(text.as_ptr(), start, name_end)? };
        Some(Head { name, kind: L::kind(self.frame, text, start, separators)? })
    }

    /// Gathers at most so many rows: writes the words of their values, where they end, and their shapes. Rows that are gathered
    /// again need not wait.
    ///
    /// Pointers, not slices: with every position checked, a row takes twice as many instructions.
    ///
    /// # Safety
    ///
    /// The separators are growing positions within `text`, none of them before `start`.
    unsafe fn gather<const AGAIN: bool>(
        &mut self,
        text: &[u8],
        start: usize,
        separators: &[usize],
        rows: &mut IntegerRows,
        most: usize,
    ) -> Found {
        let mut found = Found { rows: 0, next: start, separators: 0 };
        self.others.clear();
        let Unused { heads, values: words, before } = rows.unused();
        // Every row gets room for as many values as a row may have. Names and values are read by the words that end where they
        // end, so eight bytes must be before them.
        let most = match start {
            ..8 => 0,
            _ => most.min(heads.len()).min(words.len() / IntegerRows::WIDEST).min(IntegerRows::SPARE),
        };
        let (bytes, text) = (text, text.as_ptr());
        let (mut own, mut written) = (separators, 0);
        while found.rows < most {
            // SAFETY: the name lies behind the eighth byte and within the text.
            let Some(head) = (unsafe { self.head(bytes, found.next, own) }) else { break };
            let slot = &mut self.slots[head.slot()];
            if !slot.head.is(head, L::HAS_KINDS) || slot.last as usize >= own.len() {
                break;
            }
            if slot.way == OTHER && slot.waits > 0 && !AGAIN {
                slot.wait(slot.waits - 1);
                break;
            }
            // SAFETY: there are that many separators, and `most` leaves room for the values, as `lengths` has.
            let rest = unsafe {
                let (words, lengths) = (words.as_mut_ptr().add(written), self.lengths.as_mut_ptr().add(written));
                match slot.way {
                    0 => read::<L, true>(text, own, slot, 0, words, lengths),
                    1 => read::<L, true>(text, own, slot, 1, words, lengths),
                    2 => read::<L, true>(text, own, slot, 2, words, lengths),
                    3 => read::<L, true>(text, own, slot, 3, words, lengths),
                    4 => read::<L, true>(text, own, slot, 4, words, lengths),
                    8 => read::<L, false>(text, own, slot, 0, words, lengths),
                    9 => read::<L, false>(text, own, slot, 1, words, lengths),
                    10 => read::<L, false>(text, own, slot, 2, words, lengths),
                    11 => read::<L, false>(text, own, slot, 3, words, lengths),
                    12 => read::<L, false>(text, own, slot, 4, words, lengths),
                    _ => read_other(text, own, slot, words, lengths, (written as u32, &mut self.others)),
                }
            };
            let Some((rest, next)) = rest else {
                slot.wait(PATIENCE);
                break;
            };
            written += slot.kept as usize;
            let head = RowHead { start: found.next, shape: slot.shape, end: (before + written) as u32 };
            // SAFETY: `most` is within the heads.
            unsafe { *heads.get_unchecked_mut(found.rows) = head };
            found.rows += 1;
            (own, found.next) = (rest, next);
        }
        found.separators = separators.len() - own.len();
        found
    }

    /// Converts the values of so many rows that were gathered, and adds them if all are plain; tells how many are.
    fn convert(&mut self, count: usize, rows: &mut IntegerRows) -> usize {
        let Unused { heads, values: words, before } = rows.unused();
        let end_of = |row: usize| heads[row].end as usize - before;
        let all = count.checked_sub(1).map_or(0, end_of);
        let good = digits::convert(&mut words[..all], &self.lengths[..all]);
        let plain = if good == all { count } else { (0..count).take_while(|row| end_of(*row) <= good).count() };
        if plain == count {
            rows.add(count, all, &self.others);
        }
        plain
    }
}

/// Writes the words of so many values of a row and their lengths, which end at these separators but the first; gives the
/// separators behind it and where the next row starts, or nothing if it has more or fewer values. What is not wanted is a zero;
/// of whole rows all is.
///
/// The caller jumps to a copy of this for every usual number of values: a processor guesses the jump and begins with the next
/// row. With a number read from the slot, the next row had to wait until the name of this one was found, and reading
/// took 1.4 times as long.
///
/// # Safety
///
/// There is one separator more than the layout has for so many values, all of them growing positions within `text`, none
/// before its ninth byte. There is room for that many words and lengths.
#[inline(always)]
unsafe fn read<'s, L: RowLayout, const WHOLE: bool>(
    text: *const u8,
    separators: &'s [usize],
    slot: &RowSlot<L>,
    values: usize,
    words: *mut Atom,
    lengths: *mut u64,
) -> Option<(&'s [usize], usize)> {
    // SAFETY: the caller's promise.
    unsafe {
        let mut is_row = true;
        for index in 0..values {
            let (start, end, fits) = slot.layout.value(text, separators, index);
            is_row &= fits;
            let is_wanted = WHOLE || slot.together.bits() >> index & 1 == 1;
            let (word, len) =
                if is_wanted { (word_before(text, end), end.wrapping_sub(start)) } else { (digits::ZERO, 1) };
            *words.add(index) = Atom::from_word(word);
            *lengths.add(index) = len as u64;
        }
        let last = slot.layout.last(values);
        let end = *separators.get_unchecked(last);
        let rest = separators.get_unchecked(last + 1..);
        match *text.add(end) {
            b'\n' if is_row => Some((rest, end + 1)),
            b'\r' if is_row => Some(after_return(text, rest, end)),
            _ => None,
        }
    }
}

/// Reads a row with many values, or with columns that hold texts; these go to `others`, with their places, the first of which
/// is given.
///
/// # Safety
///
/// As for [`read`].
#[inline(never)]
unsafe fn read_other<'s, L: RowLayout>(
    text: *const u8,
    separators: &'s [usize],
    slot: &RowSlot<L>,
    words: *mut Atom,
    lengths: *mut u64,
    (first, others): (u32, &mut Vec<(u32, Atom)>),
) -> Option<(&'s [usize], usize)> {
    // SAFETY: the caller's promise.
    unsafe {
        let rest = read::<L, false>(text, separators, slot, slot.values as usize, words, lengths)?;
        (slot.texts.is_none() || read_texts(text, separators, slot, first, others)).then_some(rest)
    }
}

/// Reads the columns of a row that hold texts: their values go to `others`, with their places, the first of which is given. Tells
/// whether all are short.
///
/// # Safety
///
/// As for [`read`], which found the row to be one.
#[inline(never)]
unsafe fn read_texts<L: RowLayout>(
    text: *const u8,
    separators: &[usize],
    slot: &RowSlot<L>,
    first: u32,
    others: &mut Vec<(u32, Atom)>,
) -> bool {
    let before = others.len();
    let mut columns = slot.texts.bits();
    while columns != 0 {
        let column = columns.trailing_zeros();
        columns &= columns - 1;
        // SAFETY: the caller's promise; a value lies behind a name, which lies behind the eighth byte.
        let written = unsafe {
            let (start, end) = slot.layout.place(separators, column as usize);
            Atom::written(word_before(text, end), end.wrapping_sub(start))
        };
        match written {
            Some(atom) => others.push((first + column, atom)),
            None => {
                others.truncate(before);
                return false;
            }
        }
    }
    true
}

/// What follows CR at this place: the next line, or LF, which belongs to it.
///
/// # Safety
///
/// The separators are growing positions within `text`, behind this place.
#[cold]
unsafe fn after_return(text: *const u8, separators: &[usize], place: usize) -> (&[usize], usize) {
    match separators {
        // SAFETY: a separator is within the text.
        [next, rest @ ..] if *next == place + 1 && unsafe { *text.add(*next) } == b'\n' => (rest, place + 2),
        _ => (separators, place + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "padding,\nrel,47,1205\nacquisition,8,0\nrel,1,x\nrel,2,3\nrel,4\nacquisition,1,2,3\n";

    fn separators() -> Vec<usize> {
        let is_separator = |byte: u8| matches!(byte, b',' | b'\n');
        TEXT.bytes().enumerate().filter(|(_, byte)| is_separator(*byte)).map(|(at, _)| at).collect()
    }

    fn take(
        names: &mut IntegerNames<Positional>,
        text: &str,
        start: usize,
        separators: &[usize],
        rows: &mut IntegerRows,
    ) -> (usize, usize) {
        // SAFETY: all separators of the text from `start` on.
        unsafe { names.take(text, start, separators, rows) }
    }

    /// The shape of each row, and where its values end.
    fn heads(rows: &IntegerRows) -> Vec<(u32, u32)> {
        rows.heads().iter().map(|head| (head.shape.0, head.end)).collect()
    }

    fn names() -> IntegerNames<Positional> {
        let mut names = IntegerNames::default();
        for (name, shape, want) in [("rel", 3, Want::ALL), ("acquisition", 4, Want::fields([1]))] {
            let name = RowName::of(name).expect("at most two words");
            let bulk = Bulk { shape: ShapeId(shape), want, texts: Want::NONE };
            names.keep(Head { name, kind: 0 }, 2, Positional, bulk);
        }
        assert!(RowName::of("a name of more than two words").is_none());
        names
    }

    #[test]
    fn rows_are_taken_as_long_as_they_are_plain() {
        let (mut names, mut rows, separators) = (names(), IntegerRows::default(), separators());
        let (start, used) = take(&mut names, TEXT, 9, &separators[2..], &mut rows);
        assert_eq!((&TEXT[start..start + 7], used), ("rel,1,x", 6));
        assert_eq!(heads(&rows), [(3, 2), (4, 4)]);
        let integers: Vec<_> = rows.values().iter().map(|atom| atom.as_integer()).collect();
        // Of the second row only the second value is read.
        assert_eq!((&integers[..2], integers[3]), (&[Some(47), Some(1205)][..], Some(0)));
    }

    #[test]
    fn a_kind_that_was_not_plain_is_left_alone_for_a_while() {
        let (mut names, mut rows, separators) = (names(), IntegerRows::default(), separators());
        take(&mut names, TEXT, 9, &separators[2..], &mut rows);
        let at = TEXT.find("rel,2,3").unwrap_or_default();
        let own = separators.partition_point(|separator| *separator < at);
        for _ in 0..PATIENCE {
            assert_eq!(take(&mut names, TEXT, at, &separators[own..], &mut rows), (at, 0));
        }
        assert_eq!(take(&mut names, TEXT, at, &separators[own..], &mut rows).1, 3);
    }

    #[test]
    fn columns_may_hold_short_texts() {
        let text = "padding,\nrel,db2,7\nrel,9,7\nrel,unknown,8\nrel,3,x\n";
        let separators: Vec<usize> =
            text.bytes().enumerate().filter(|(_, byte)| matches!(byte, b',' | b'\n')).map(|(at, _)| at).collect();
        let (mut names, mut rows) = (IntegerNames::default(), IntegerRows::default());
        let bulk = Bulk { shape: ShapeId(3), want: Want::ALL, texts: Want::fields([0]) };
        names.keep(Head { name: RowName::of("rel").expect("at most two words"), kind: 0 }, 2, Positional, bulk);
        assert_eq!(take(&mut names, text, 9, &separators[2..], &mut rows), (9, 0), "the column is learnt from");
        let (start, used) = take(&mut names, text, 9, &separators[2..], &mut rows);
        assert_eq!((&text[start..], used), ("rel,3,x\n", 9), "the other column may not");
        assert_eq!((&heads(&rows)[..], rows.texts()), (&[(3, 2), (3, 4), (3, 6)][..], &[0, 4][..]));
        let expected = ["db2", "7", "9", "7", "unknown", "8"].map(|text| Atom::as_written(text).expect("short"));
        assert_eq!(rows.values(), expected);
        rows.truncate(2);
        assert_eq!(rows.texts(), [0]);
    }

    #[test]
    fn rows_with_fewer_or_more_values_are_not_taken() {
        for line in ["rel,4\n", "acquisition,1,2,3\n"] {
            let (mut names, mut rows, separators) = (names(), IntegerRows::default(), separators());
            let at = TEXT.find(line).unwrap_or_default();
            let own = separators.partition_point(|separator| *separator < at);
            assert_eq!(take(&mut names, TEXT, at, &separators[own..], &mut rows), (at, 0), "{line}");
        }
    }

    #[test]
    fn rows_are_taken_until_there_is_no_room() {
        let text = format!("padding,\n{}", "rel,1,2\n".repeat(1000));
        let separators: Vec<usize> =
            text.bytes().enumerate().filter(|(_, byte)| matches!(byte, b',' | b'\n')).map(|(at, _)| at).collect();
        let (mut names, mut rows) = (names(), IntegerRows::default());
        let (start, used) = take(&mut names, &text, 9, &separators[2..], &mut rows);
        assert_eq!((rows.len(), used, start), (512, 3 * 512, 9 + 8 * 512));
        rows.clear();
        assert_eq!(take(&mut names, &text, start, &separators[2 + used..], &mut rows).1, 3 * 488);
    }

    #[test]
    fn rows_are_told_apart_by_their_blank_cells() {
        let text = "event,a,b,c\nstep,,47,9\nstep,5,,6\nstep,,8,\nstep,,1,2\nstep,,x,2\n";
        let separators: Vec<usize> =
            text.bytes().enumerate().filter(|(_, byte)| matches!(byte, b',' | b'\n')).map(|(at, _)| at).collect();
        let mut names = IntegerNames { frame: 4, ..IntegerNames::default() };
        for (shape, kind, columns) in [(3, 0b1101, [2, 3]), (4, 0b1011, [1, 3])] {
            let head = Head { name: RowName::of("step").expect("at most two words"), kind };
            let layout = Sparse::of(4, columns.into_iter()).expect("few columns");
            let bulk = Bulk { shape: ShapeId(shape), want: Want::ALL, texts: Want::NONE };
            names.keep(head, 2, layout, bulk);
        }
        let mut rows = IntegerRows::default();
        // SAFETY: all separators of the text from `start` on.
        let (start, used) = unsafe { names.take(text, 12, &separators[4..], &mut rows) };
        if cfg!(target_arch = "x86_64") && std::is_x86_feature_detected!("avx2") {
            assert_eq!((&text[start..start + 8], used), ("step,,8,", 8), "of the third row nothing is known");
            assert_eq!(heads(&rows), [(3, 2), (4, 4)]);
            let integers: Vec<_> = rows.values().iter().map(|atom| atom.as_integer()).collect();
            assert_eq!(integers, [Some(47), Some(9), Some(5), Some(6)]);
        }
        assert!(Sparse::of(65, std::iter::empty()).is_none() && Sparse::of(20, 1..10).is_none());
    }
}
