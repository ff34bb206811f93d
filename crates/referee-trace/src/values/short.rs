//! Short texts that are not looked up yet: up to seven bytes in the word of an atom.
//!
//! ```text
//!   d b 2 · · · · | 4       the bytes above the kind, the first lowest, above them zeros
//! ```
//!
//! Whoever reads has no table of values (see [`super`]), but many texts are short and few. In this form they go where integers
//! go, and a batch looks them up as words. **No judge ever sees such an atom.**

use std::collections::HashMap;

use super::atom::{Atom, KIND_BITS};
use super::table::Values;
use crate::number::digits_before;

/// A kind that no atom of a table has.
const SHORT: u64 = 4;
/// How many bytes a short text may have.
const LONGEST: usize = 7;

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x80 * ONES;
/// The least byte that may stand in a short text: behind controls, blanks and quotes.
const LEAST: u64 = b'#' as u64;

impl Atom {
    /// The integer of at most eight digits, or the short text, that the last so many bytes of a word write.
    #[inline]
    pub(crate) fn written(word: u64, len: usize) -> Option<Atom> {
        match (word >> (64 - 8 * len.clamp(1, 8) as u32)) as u8 {
            b'0'..=b'9' => digits_before(word, len).map(Atom::small),
            _ => Atom::short_text(word, len),
        }
    }

    /// The short text that the last so many bytes of a word write: it begins like a name, and needs no quotes anywhere. What is
    /// a truth value is no text.
    #[inline]
    pub(crate) fn short_text(word: u64, len: usize) -> Option<Atom> {
        if len.wrapping_sub(1) >= LONGEST {
            return None;
        }
        let bytes = word >> (64 - 8 * len as u32);
        let padded = bytes | (ONES * u64::from(b'a')) << (8 * len as u32);
        let first = bytes as u8;
        let is_plain = padded & TOPS == 0 && padded.wrapping_add((0x80 - LEAST) * ONES) & TOPS == TOPS;
        let is_name = first.is_ascii_alphabetic() || first == b'_';
        (is_plain && is_name && bytes != TRUE && bytes != FALSE).then_some(Atom(bytes << 8 | SHORT))
    }

    /// What a text is when it comes in this form; nothing if it never does.
    pub(crate) fn as_written(text: &str) -> Option<Atom> {
        let bytes = text.as_bytes();
        let mut padded = [0; 8];
        padded.get_mut(8_usize.checked_sub(bytes.len())?..)?.copy_from_slice(bytes);
        Atom::written(u64::from_le_bytes(padded), bytes.len())
    }

    /// Whether it is a short text that is not looked up yet.
    #[inline(always)]
    pub(crate) fn is_short(self) -> bool {
        self.0 & ((1 << KIND_BITS) - 1) == SHORT
    }

    /// Calls with the text of a short one.
    #[inline]
    pub(crate) fn with_short_text<R>(self, take: impl FnOnce(&str) -> R) -> R {
        let bytes = (self.0 >> 8).to_le_bytes();
        let len = LONGEST - (self.0.leading_zeros() / 8) as usize;
        take(std::str::from_utf8(&bytes[..len.min(LONGEST)]).unwrap_or_default())
    }
}

const TRUE: u64 = u32::from_le_bytes(*b"true") as u64;
const FALSE: u64 = u32::from_le_bytes(*b"fals") as u64 | (b'e' as u64) << 32;

/// The atoms of short texts that were looked up before: a look at one place each, where the newest stays.
///
/// They hold for one [generation](super::Values::generation) of the table.
#[derive(Debug)]
pub(crate) struct Shorts {
    known: Box<[(Atom, Atom); PLACES]>,
    generation: u64,
}

const PLACE_BITS: u32 = 8;
const PLACES: usize = 1 << PLACE_BITS;
/// Stands where nothing is known.
const NOTHING: (Atom, Atom) = (Atom::boolean(false), Atom::boolean(false));

impl Default for Shorts {
    fn default() -> Shorts {
        Shorts { known: Box::new([NOTHING; PLACES]), generation: 0 }
    }
}

impl Shorts {
    #[inline(always)]
    fn place(short: Atom) -> usize {
        (short.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - PLACE_BITS)) as usize
    }

    /// The atom of a short text, if it is known.
    #[inline(always)]
    pub(crate) fn get(&self, short: Atom) -> Option<Atom> {
        let (known, atom) = self.known[Shorts::place(short)];
        (known == short).then_some(atom)
    }

    /// The table has given back values since these were looked up: looks up anew those that the atoms stand for, and forgets them.
    /// Atoms that are among them by chance are overwritten later.
    #[inline]
    pub(crate) fn renew(&mut self, atoms: &mut [Atom], values: &mut Values) {
        if self.generation != values.generation() {
            self.look_up_anew(atoms, values);
        }
    }

    #[cold]
    fn look_up_anew(&mut self, atoms: &mut [Atom], values: &mut Values) {
        let known = self.known.iter().filter(|known| **known != NOTHING);
        let texts: HashMap<Atom, Atom> = known.map(|(short, atom)| (*atom, *short)).collect();
        for atom in atoms {
            if let Some(short) = texts.get(atom) {
                *atom = short.with_short_text(|text| values.intern(text));
            }
        }
        self.known.fill(NOTHING);
        self.generation = values.generation();
    }

    /// Keeps the atom of a short text.
    pub(crate) fn keep(&mut self, short: Atom, atom: Atom) {
        self.known[Shorts::place(short)] = (short, atom);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use referee_testing::properties;

    use super::*;
    use crate::values::{Class, classify};

    #[test]
    fn short_names_and_integers_are_written_in_a_word() {
        for text in ["a", "db2", "unknown", "_x-1.y", "truth", "falsey", "T", "Z9"] {
            let atom = Atom::as_written(text).unwrap_or_else(|| panic!("{text} is short"));
            assert!(atom.is_short() && atom.as_integer().is_none(), "{text}");
            assert_eq!(atom.with_short_text(str::to_owned), text);
        }
        assert_eq!(Atom::as_written("1205"), Atom::integer(1205));
        assert_eq!(Atom::as_written("12345678"), Atom::integer(12_345_678));
        for text in
            ["", "true", "false", "a text", "a b", "a\"", "a\t", "é", "aé", "-x", "-1", "007", "1x", "#a", "eight888"]
        {
            assert_eq!(Atom::as_written(text), None, "{text}");
        }
    }

    #[test]
    fn the_newest_at_a_place_is_known() {
        let mut shorts = Shorts::default();
        let all: Vec<Atom> = (0..4 * PLACES).filter_map(|text| Atom::as_written(&format!("s{text}"))).collect();
        for (number, &short) in (0..).zip(&all) {
            assert_eq!(shorts.get(short), None);
            shorts.keep(short, Atom::small(number));
            assert_eq!(shorts.get(short), Some(Atom::small(number)));
        }
        for (number, &short) in (0..).zip(&all) {
            assert!(shorts.get(short).is_none_or(|known| known == Atom::small(number)));
        }
    }

    proptest! {
        #![proptest_config(properties(256))]

        #[test]
        fn what_is_written_in_a_word_is_what_it_looks_like(text in "[0-9a-cA_é \"\t#.=-]{0,9}|true|false") {
            match (Atom::as_written(&text), classify(&text)) {
                (Some(atom), Class::Atom(known)) => prop_assert_eq!(atom, known),
                (Some(atom), Class::String) => prop_assert_eq!(atom.with_short_text(str::to_owned), text),
                (Some(_), Class::Number | Class::TooLarge) => prop_assert!(false, "{} is a number", text),
                (None, _) => {}
            }
        }
    }
}
