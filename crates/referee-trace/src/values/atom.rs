//! The word of one value, and what a text is without any table.

use std::fmt;

use crate::number::{Parts, parse_digits, parse_negative};

pub(super) const INTEGER: u64 = 0;
pub(super) const NUMBER: u64 = 1;
pub(super) const STRING: u64 = 2;
pub(super) const BOOLEAN: u64 = 3;
pub(super) const KIND_BITS: u32 = 3;

/// The least integer that is not written in 18 digits.
const TOO_WIDE: u64 = 10u64.pow(18);

/// An interned value of one [`Values`](crate::values::Values) table.
///
/// Its order is total, so that atoms can be sorted, and means nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Atom(pub(super) u64);

impl Atom {
    /// The atom of a truth value.
    pub const fn boolean(truth: bool) -> Atom {
        Atom((truth as u64) << KIND_BITS | BOOLEAN)
    }

    /// The atom of an integer, if it has at most 18 digits.
    #[inline]
    pub fn integer(integer: i64) -> Option<Atom> {
        (integer.unsigned_abs() < TOO_WIDE).then_some(Atom::small(integer))
    }

    /// The integer, if the atom is one of at most 18 digits in canonical form.
    #[inline]
    pub fn as_integer(self) -> Option<i64> {
        (self.kind() == INTEGER).then_some(self.0.cast_signed() >> KIND_BITS)
    }

    /// The whole word.
    #[inline]
    pub fn word(self) -> u64 {
        self.0
    }

    /// The atom of a word that [`Atom::word`] gave.
    #[inline]
    pub fn from_word(word: u64) -> Atom {
        Atom(word)
    }

    /// How far left an integer is shifted to be the word of its atom.
    #[cfg(target_arch = "x86_64")]
    pub(crate) const INTEGER_SHIFT: i32 = KIND_BITS as i32;

    /// How many kinds of atoms there are.
    pub const KINDS: usize = 4;

    /// The kind of the atom and its number within the kind, by which an array can be indexed where values are few: the
    /// number is the integer itself, or counts the texts from 0. That of a negative integer is huge.
    #[inline(always)]
    pub fn split(self) -> (usize, usize) {
        ((self.0 & (Atom::KINDS as u64 - 1)) as usize, (self.0 >> KIND_BITS) as usize)
    }

    /// The atom that [`Atom::split`] took apart.
    #[inline]
    pub fn joined(kind: usize, number: usize) -> Atom {
        Atom((number as u64) << KIND_BITS | kind as u64)
    }

    #[inline]
    pub(crate) fn small(integer: i64) -> Atom {
        Atom((integer << KIND_BITS).cast_unsigned() | INTEGER)
    }

    #[inline]
    pub(super) fn string(id: u32) -> Atom {
        Atom(u64::from(id) << KIND_BITS | STRING)
    }

    pub(super) fn number(id: u32) -> Atom {
        Atom(u64::from(id) << KIND_BITS | NUMBER)
    }

    #[inline]
    pub(super) fn kind(self) -> u64 {
        self.0 & ((1 << KIND_BITS) - 1)
    }

    #[inline]
    pub(super) fn id(self) -> u32 {
        (self.0 >> KIND_BITS) as u32
    }
}

impl fmt::Debug for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind(), self.as_integer()) {
            (_, Some(integer)) => write!(f, "{integer}"),
            (BOOLEAN, _) => write!(f, "{}", *self == Atom::boolean(true)),
            (STRING, _) => write!(f, "string#{}", self.id()),
            _ => write!(f, "number#{}", self.id()),
        }
    }
}

/// What a text is, without any table.
pub(crate) enum Class {
    /// A value whose word says all.
    Atom(Atom),
    /// A number that has to be looked up.
    Number,
    /// A string, which has to be looked up.
    String,
    /// Written as a number is, and larger than numbers may be.
    TooLarge,
}

/// Finds out what a text is; what has to be looked up may wait for others (see [`Values::resolve`](crate::values::Values::resolve)).
#[inline(always)]
pub(crate) fn classify(text: &str) -> Class {
    let integer = match text.as_bytes() {
        digits @ [b'0'..=b'9', ..] => parse_digits(digits),
        [b'-', digits @ ..] => parse_negative(digits),
        b"true" => return Class::Atom(Atom::boolean(true)),
        b"false" => return Class::Atom(Atom::boolean(false)),
        _ => return Class::String,
    };
    match integer {
        Some(integer) => Class::Atom(Atom::small(integer)),
        None => classify_number(text),
    }
}

/// The same for what starts like a number and is no short integer.
#[inline(never)]
fn classify_number(text: &str) -> Class {
    match Parts::any(text) {
        Some(parts) if parts.is_within_limits() => Class::Number,
        Some(_) => Class::TooLarge,
        None => Class::String,
    }
}
