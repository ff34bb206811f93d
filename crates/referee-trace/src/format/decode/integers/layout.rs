//! What stands before the values of a row of integers.
//!
//! ```text
//!  Positional   r e l , 4 7 \n            a comma
//!  Filled       r e l , 4 7 \n            a comma, and something behind it
//!  Named        r e l ,   a   =   4 7 \n   a comma, a field, `=`, and blanks: a gap of at most sixteen bytes
//!                     └────────┘
//!  Sparse       r e l , , , 4 7 , , 9 \n   a table with many blank cells: the columns that have a value, by the kind of row
//! ```
//!
//! A gap is compared as one word or two that end where it ends, all of it at once: the comma, the field and the blanks are those
//! of the row that it was learnt from, or the row is left to others.

use super::words::word_before;
use crate::format::decode::whole::present;

/// Where the values of a row begin and end.
pub(crate) trait RowLayout: Copy + Default {
    /// What all rows have in common.
    type Frame: Copy + Default + std::fmt::Debug;

    /// Whether rows of one name may be of several [kinds](RowLayout::kind).
    const HAS_KINDS: bool = false;

    /// Which rows of a name are alike, told from where a row begins and the separators from there on; nothing if the row is none
    /// of those that are read in bulk.
    #[inline(always)]
    fn kind(_frame: Self::Frame, _text: &[u8], _start: usize, _separators: &[usize]) -> Option<u64> {
        Some(0)
    }

    /// The number of the separator that ends a row of so many values, the one behind the name being the first.
    fn last(&self, values: usize) -> usize;

    /// Where a value of a row begins and ends.
    ///
    /// # Safety
    ///
    /// The separators of the row are there, and what stands before its values is as it should be.
    unsafe fn place(&self, separators: &[usize], index: usize) -> (usize, usize);

    /// Where a value begins and ends, and whether what stands before it is as it should be.
    ///
    /// # Safety
    ///
    /// The separators of the row are there, growing positions within `text`, none before its ninth byte.
    unsafe fn value(&self, text: *const u8, separators: &[usize], index: usize) -> (usize, usize, bool);
}

/// Values by position.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Positional;

impl RowLayout for Positional {
    type Frame = ();

    #[inline(always)]
    fn last(&self, values: usize) -> usize {
        values
    }

    #[inline(always)]
    unsafe fn place(&self, separators: &[usize], index: usize) -> (usize, usize) {
        // SAFETY: the caller's promise.
        unsafe { (*separators.get_unchecked(index) + 1, *separators.get_unchecked(index + 1)) }
    }

    #[inline(always)]
    unsafe fn value(&self, text: *const u8, separators: &[usize], index: usize) -> (usize, usize, bool) {
        // SAFETY: the caller's promise.
        unsafe {
            let (start, end) = self.place(separators, index);
            (start, end, *text.add(start - 1) == b',')
        }
    }
}

/// Values by position, none of them blank: in a table, a blank cell is no value.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Filled;

impl RowLayout for Filled {
    type Frame = ();

    #[inline(always)]
    fn last(&self, values: usize) -> usize {
        values
    }

    #[inline(always)]
    unsafe fn place(&self, separators: &[usize], index: usize) -> (usize, usize) {
        // SAFETY: the caller's promise.
        unsafe { Positional.place(separators, index) }
    }

    #[inline(always)]
    unsafe fn value(&self, text: *const u8, separators: &[usize], index: usize) -> (usize, usize, bool) {
        // SAFETY: the caller's promise.
        let (start, end, fits) = unsafe { Positional.value(text, separators, index) };
        (start, end, fits && end > start)
    }
}

/// The most values that a row with blank cells may have.
const FEW: usize = 8;

/// Values in some of the columns of a table; all other cells are blank. Rows are alike if the same cells are.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Sparse {
    /// The columns with a value, the name being column 0.
    columns: [u8; FEW],
    /// How many columns there are.
    width: u8,
}

impl Sparse {
    /// The layout of rows of a table of so many columns, the name included, with values in some of them; nothing if such rows are
    /// not read in bulk.
    pub(crate) fn of(width: usize, columns: impl Iterator<Item = usize>) -> Option<Sparse> {
        let mut sparse = Sparse { columns: [0; FEW], width: u8::try_from(width).ok().filter(|width| *width <= 64)? };
        let mut places = sparse.columns.iter_mut();
        for column in columns {
            *places.next()? = u8::try_from(column).ok()?;
        }
        Some(sparse)
    }
}

impl RowLayout for Sparse {
    /// How many columns there are.
    type Frame = usize;

    const HAS_KINDS: bool = true;

    #[inline(always)]
    fn kind(width: usize, text: &[u8], start: usize, separators: &[usize]) -> Option<u64> {
        present(text, start, separators.get(..width)?)
    }

    #[inline(always)]
    fn last(&self, _values: usize) -> usize {
        (self.width as usize).saturating_sub(1)
    }

    #[inline(always)]
    unsafe fn place(&self, separators: &[usize], index: usize) -> (usize, usize) {
        let column = self.columns[index % FEW] as usize;
        // SAFETY: the caller's promise; a column that has a value is behind the first.
        unsafe { (*separators.get_unchecked(column - 1) + 1, *separators.get_unchecked(column)) }
    }

    #[inline(always)]
    unsafe fn value(&self, _text: *const u8, separators: &[usize], index: usize) -> (usize, usize, bool) {
        // SAFETY: the caller's promise.
        let (start, end) = unsafe { self.place(separators, index) };
        (start, end, true)
    }
}

/// The most values with names that a row may have.
const WIDEST: usize = 8;
/// The longest gap.
const LONGEST: usize = 16;

/// Values behind the names of their fields; commas, `=` and line ends are the separators.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Named {
    gaps: [Gap; WIDEST],
}

/// What stands from a comma to the value behind it.
#[derive(Debug, Default, Clone, Copy)]
struct Gap {
    /// Its first eight bytes if it has more than eight.
    head: u64,
    /// Its last eight bytes, or all of it above zeros.
    tail: u64,
    len: u8,
    /// How much of it comes from `=` on.
    from_equals: u8,
}

impl Gap {
    fn of(gap: &str) -> Option<Gap> {
        let (len, equals) = (gap.len(), gap.find('=')?);
        let is_plain =
            gap.starts_with(',') && !gap[1..].contains([',', '\n', '\r']) && !gap[equals + 1..].contains('=');
        if !is_plain || len > LONGEST {
            return None;
        }
        let mut padded = [0; 8 + LONGEST];
        padded[8..8 + len].copy_from_slice(gap.as_bytes());
        // SAFETY: eight bytes are before the gap, and it fits.
        let (head, tail) = unsafe { Gap::words(padded.as_ptr(), 8, 8 + len) };
        Some(Gap { head, tail, len: len as u8, from_equals: (len - equals) as u8 })
    }

    /// The words of a gap.
    ///
    /// # Safety
    ///
    /// `8 <= start < end`, at most sixteen bytes apart, and so much text is there.
    #[inline(always)]
    unsafe fn words(text: *const u8, start: usize, end: usize) -> (u64, u64) {
        // SAFETY: the caller's promise, and `start + 8 <= end` where the gap is so long.
        unsafe {
            let tail = word_before(text, end);
            match end - start {
                len @ 1..8 => (0, tail >> (64 - 8 * len as u32)),
                8 => (0, tail),
                _ => (word_before(text, start + 8), tail),
            }
        }
    }
}

impl Named {
    /// How many separators a row has at most.
    pub(crate) const MOST_SEPARATORS: usize = 2 * WIDEST + 1;

    /// The layout of a row with these gaps, from each comma to the value behind it; nothing if rows like it are not read in
    /// bulk.
    pub(crate) fn of<'t>(gaps: impl ExactSizeIterator<Item = &'t str>) -> Option<Named> {
        let mut named = Named::default();
        if gaps.len() > WIDEST {
            return None;
        }
        for (place, gap) in named.gaps.iter_mut().zip(gaps) {
            *place = Gap::of(gap)?;
        }
        Some(named)
    }
}

impl RowLayout for Named {
    type Frame = ();

    #[inline(always)]
    fn last(&self, values: usize) -> usize {
        2 * values
    }

    #[inline(always)]
    unsafe fn place(&self, separators: &[usize], index: usize) -> (usize, usize) {
        let from_equals = self.gaps[index % WIDEST].from_equals as usize;
        // SAFETY: the caller's promise.
        unsafe { (*separators.get_unchecked(2 * index + 1) + from_equals, *separators.get_unchecked(2 * index + 2)) }
    }

    #[inline(always)]
    unsafe fn value(&self, text: *const u8, separators: &[usize], index: usize) -> (usize, usize, bool) {
        let gap = &self.gaps[index % WIDEST];
        // SAFETY: the caller's promise; what is read lies before the value's end, as was just asked.
        unsafe {
            let before = *separators.get_unchecked(2 * index);
            let (start, end) = self.place(separators, index);
            if start > end || start - before != gap.len as usize {
                return (end, end, false);
            }
            let (head, tail) = Gap::words(text, before, start);
            (start, end, (head ^ gap.head) | (tail ^ gap.tail) == 0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_a_comma_a_field_and_an_equals_sign() {
        for gap in [",a=", ", a = ", ",sixteen_bytes =", ",ei_ght="] {
            assert!(Gap::of(gap).is_some(), "{gap}");
        }
        for gap in ["", ",", " ,a=", ",a==", ",a=,", ",seventeen_bytes=", "a="] {
            assert!(Gap::of(gap).is_none(), "{gap}");
        }
        assert!(Named::of(vec![",a="; WIDEST].into_iter()).is_some());
        assert!(Named::of(vec![",a="; WIDEST + 1].into_iter()).is_none());
    }

    #[test]
    fn every_byte_of_a_gap_counts() {
        for gap in [",a=", ", a = ", ",ei_ght=", ",a_nine_=_"] {
            let named = Named::of([gap].into_iter()).expect("a gap");
            let mut text = format!("12345678{gap}7\n").into_bytes();
            let separators = [8, 8 + gap.find('=').expect("a gap has one"), 9 + gap.len()];
            // SAFETY: the positions are in the text and not before its ninth byte.
            let value = |text: &[u8]| unsafe { named.value(text.as_ptr(), &separators, 0) };
            assert_eq!(value(&text), (8 + gap.len(), 9 + gap.len(), true), "{gap}");
            for at in 8..8 + gap.len() {
                text[at] ^= 1;
                assert!(!value(&text).2, "byte {at} of `{gap}` differs");
                text[at] ^= 1;
            }
        }
    }
}
