//! Sets of bytes: which bytes belong to a class of characters, and with which bytes a pattern can go on.

use regex_syntax::hir::Class;

use crate::lanes;

/// The bytes with which the rest of a pattern can begin, and whether it can be empty where the line ends.
///
/// It may hold too many, never too few: that two sets share nothing is certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FirstSet {
    bytes: [u64; 4],
    at_end: bool,
}

impl FirstSet {
    pub(super) const EMPTY: FirstSet = FirstSet { bytes: [0; 4], at_end: false };
    /// Whatever follows.
    pub(super) const ANYTHING: FirstSet = FirstSet { bytes: [u64::MAX; 4], at_end: true };
    /// Only the end of the line.
    pub(super) const END: FirstSet = FirstSet { bytes: [0; 4], at_end: true };

    pub(super) fn byte(byte: u8) -> FirstSet {
        let mut set = FirstSet::EMPTY;
        set.bytes[usize::from(byte >> 6)] |= 1 << (byte & 63);
        set
    }

    pub(super) fn or(self, other: FirstSet) -> FirstSet {
        let bytes = std::array::from_fn(|word| self.bytes[word] | other.bytes[word]);
        FirstSet { bytes, at_end: self.at_end || other.at_end }
    }

    /// Whether no byte begins both; two patterns that both need no byte are not apart either.
    pub(super) fn is_apart_from(self, other: FirstSet) -> bool {
        (0..4).all(|word| self.bytes[word] & other.bytes[word] == 0) && !(self.at_end && other.at_end)
    }

    /// Whether a pattern that begins so may go on here.
    #[inline]
    pub(super) fn allows(&self, next: Option<&u8>) -> bool {
        match next {
            Some(&byte) => self.bytes[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1,
            None => self.at_end,
        }
    }
}

/// What a byte says about a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Membership {
    No,
    Yes,
    /// It begins or continues a character that one would have to look at, or to count.
    Unknown,
}

/// Which bytes belong to a class of characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ByteClass {
    table: Box<[Membership; 256]>,
    /// Up to three bytes that end a run, if all others go on: they are looked for many at a time.
    stops: Option<Stops>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stops {
    None,
    /// One, two or three different ones.
    Bytes([u8; 3]),
}

impl ByteClass {
    /// The bytes of a class; with `counts`, characters of several bytes have to be counted.
    pub(super) fn of(class: &Class, counts: bool) -> Option<ByteClass> {
        let Class::Unicode(class) = class else { return None };
        let contains = |first: u32, last: u32| {
            class.ranges().iter().any(|range| u32::from(range.start()) <= first && last <= u32::from(range.end()))
        };
        let beyond = match class.ranges().last().is_some_and(|range| range.end() >= '\u{80}') {
            false => Membership::No,
            // Surrogates are no characters, so one range, or two around them, are all that is not ASCII.
            true if contains(0x80, 0x0010_FFFF) && !counts => Membership::Yes,
            true => Membership::Unknown,
        };
        let member = |byte: u8| match byte {
            0..0x80 if contains(byte.into(), byte.into()) => Membership::Yes,
            0..0x80 => Membership::No,
            _ => beyond,
        };
        Some(ByteClass::from_table(std::array::from_fn(|byte| member(byte as u8))))
    }

    /// The class of one byte.
    pub(super) fn single(only: u8) -> ByteClass {
        ByteClass::from_table(std::array::from_fn(|byte| {
            if byte == usize::from(only) { Membership::Yes } else { Membership::No }
        }))
    }

    fn from_table(table: [Membership; 256]) -> ByteClass {
        // A line has no line end within.
        let is_stop = |byte: &u8| table[usize::from(*byte)] != Membership::Yes && *byte != b'\n';
        let stops: Vec<u8> = (0..=u8::MAX).filter(is_stop).collect();
        let stops = match stops[..] {
            [] => Some(Stops::None),
            [a] => Some(Stops::Bytes([a; 3])),
            [a, b] => Some(Stops::Bytes([a, b, b])),
            [a, b, c] => Some(Stops::Bytes([a, b, c])),
            _ => None,
        };
        ByteClass { table: Box::new(table), stops }
    }

    /// The bytes with which a run of it can begin.
    pub(super) fn first(&self) -> FirstSet {
        let all = (0..=u8::MAX).filter(|byte| self.member(*byte) != Membership::No);
        all.fold(FirstSet::EMPTY, |set, byte| set.or(FirstSet::byte(byte)))
    }

    /// Whether every byte of a line belongs to it.
    pub(super) fn is_everything(&self) -> bool {
        self.stops == Some(Stops::None)
    }

    #[inline]
    pub(super) fn member(&self, byte: u8) -> Membership {
        self.table[usize::from(byte)]
    }

    /// How many bytes at the start belong to it, at most `most`.
    #[inline]
    pub(super) fn run(&self, bytes: &[u8], most: usize) -> usize {
        let bytes = &bytes[..bytes.len().min(most)];
        match self.stops {
            Some(Stops::Bytes(stops)) => lanes::find(bytes, 0, stops).unwrap_or(bytes.len()),
            Some(Stops::None) => bytes.len(),
            None => bytes.iter().position(|byte| self.member(*byte) != Membership::Yes).unwrap_or(bytes.len()),
        }
    }
}
