//! Values on their way to a writer: as texts, or as what their maker knows them to be.
//!
//! A text is looked at before it is written, byte by byte: whether the format can hold it, and whether it needs quotes. Of a
//! number, and of a text that has been looked at before, neither is a question, and a number is written where it belongs
//! at once, without being a text in between.

use super::pieces::{put_integer, put_short, put_tag, put_tenths};
use super::text::is_harmless;

/// A value of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry<'a> {
    /// Any text.
    Text(&'a str),
    /// A text that no format minds.
    Word(Word<'a>),
    /// A number.
    Integer(i64),
    /// A number with one decimal place, in tenths.
    Tenths(i64),
    /// A word, a hyphen, and twelve hexadecimal digits for the lower 48 bits of a number, such as `user-8f3a51c07be2`.
    Tagged(Word<'a>, u64),
}

/// A text of ASCII letters, digits, `-` and `_`, which no format minds anywhere; it is not empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'a>(&'a str);

impl<'a> Word<'a> {
    /// The text as a word, if it is one.
    #[inline]
    pub fn new(text: &'a str) -> Option<Word<'a>> {
        is_harmless(text).then_some(Word(text))
    }

    /// A text that is known to be a word, or the text of a number, whose dot no format minds where it is a number's.
    #[inline]
    pub(crate) fn known(text: &'a str) -> Word<'a> {
        Word(text)
    }
}

impl<'a> Entry<'a> {
    /// A text, which is a word if it can be one.
    #[inline]
    pub fn of(text: &'a str) -> Entry<'a> {
        Word::new(text).map_or(Entry::Text(text), Entry::Word)
    }

    /// Puts the value as it is behind a text.
    #[inline]
    pub fn append_to(self, out: &mut Vec<u8>) {
        self.put(out, |out, text| out.extend_from_slice(text.as_bytes()));
    }

    /// Puts the value behind a text, with a way to write texts of which nothing is known.
    #[inline]
    pub(crate) fn put(self, out: &mut Vec<u8>, write_text: impl FnOnce(&mut Vec<u8>, &str)) {
        match self {
            Entry::Text(text) => write_text(out, text),
            Entry::Word(Word(text)) => put_short(out, text.as_bytes()),
            Entry::Integer(number) => put_integer(out, number),
            Entry::Tenths(number) => put_tenths(out, number),
            Entry::Tagged(Word(text), number) => {
                put_short(out, text.as_bytes());
                put_tag(out, number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_their_text() {
        let word = Word::new("user").expect("a word");
        for (entry, expected) in [
            (Entry::of("a, b"), "a, b"),
            (Entry::of("a-b"), "a-b"),
            (Entry::Integer(-12), "-12"),
            (Entry::Tenths(-5), "-0.5"),
            (Entry::Tagged(word, 0x8f3a_51c0_7be2), "user-8f3a51c07be2"),
        ] {
            let mut text = Vec::new();
            entry.append_to(&mut text);
            assert_eq!(String::from_utf8(text).as_deref(), Ok(expected));
        }
        assert_eq!(Entry::of("a, b"), Entry::Text("a, b"));
        assert_eq!(Word::new(""), None);
    }
}
