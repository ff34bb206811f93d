//! A place in a block of text, for the descents that read one event of a nested format.
//!
//! A block may end anywhere, also inside an event. So nothing here confuses "wrong" with "not there yet": whatever
//! depends on text behind the end of the block answers [`Trouble::End`], and the decoder asks for a longer block or,
//! at the end of the input, reports what is missing.

use crate::error::{Fault, Stop};

/// Why an event could not be read.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The block ends where this was expected.
    End(&'static str),
    /// The text is wrong. Boxed: the descent returns a result per token.
    Fault(Box<Fault>),
}

impl Trouble {
    /// What the trouble means at the end of the input, where `length` bytes were given and no more will come.
    pub(crate) fn at_the_end(self, length: usize) -> Stop {
        match self {
            Trouble::End(expected) => Fault::new(length, format!("expected {expected}, found the end of the file"))
                .hint("the file is incomplete: it was cut off, or its writer did not finish")
                .into(),
            Trouble::Fault(fault) => Stop::Fault(fault),
        }
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Trouble::Fault(Box::new(fault))
    }
}

/// The result of reading a piece of an event.
pub(crate) type Read<T> = Result<T, Trouble>;

/// A place in a block of text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'t> {
    /// The block.
    pub(crate) text: &'t str,
    /// How far it is read. Always at a character boundary: only whole characters are stepped over.
    pub(crate) at: usize,
}

impl<'t> Cursor<'t> {
    /// A cursor at this offset of a block.
    pub(crate) fn new(text: &'t str, at: usize) -> Self {
        Cursor { text, at }
    }

    /// What is left of the block.
    pub(crate) fn rest(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// The next byte, unless the block ends.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte, which must be there: `expected` may not be missing.
    #[inline]
    pub(crate) fn need(&self, expected: &'static str) -> Read<u8> {
        self.peek().ok_or(Trouble::End(expected))
    }

    /// Whether `literal` comes next, where `expected` may stand; it is not stepped over.
    pub(crate) fn sees(&self, literal: &str, expected: &'static str) -> Read<bool> {
        let rest = self.rest();
        if rest.len() < literal.len() && literal.as_bytes().starts_with(rest) {
            return Err(Trouble::End(expected));
        }
        Ok(rest.starts_with(literal.as_bytes()))
    }

    /// Steps over `literal` if it comes next, where `expected` may stand.
    pub(crate) fn eat(&mut self, literal: &str, expected: &'static str) -> Read<bool> {
        let sees = self.sees(literal, expected)?;
        if sees {
            self.at += literal.len();
        }
        Ok(sees)
    }

    /// Steps over spaces, tabs and line ends; whether there were any.
    #[inline]
    pub(crate) fn skip_space(&mut self) -> bool {
        let from = self.at;
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() && is_space(bytes[self.at]) {
            self.at += 1;
        }
        self.at > from
    }

    /// Steps to the next `literal` and returns what stands before it.
    pub(crate) fn up_to(&mut self, literal: &str, expected: &'static str) -> Read<&'t str> {
        let length = memchr::memmem::find(self.rest(), literal.as_bytes()).ok_or(Trouble::End(expected))?;
        let before = &self.text[self.at..self.at + length];
        self.at += length;
        Ok(before)
    }

    /// Steps over a word of characters for which `belongs` holds. A word may go on behind the end of the block.
    pub(crate) fn word(&mut self, expected: &'static str, belongs: impl Fn(char) -> bool) -> Read<&'t str> {
        let rest = &self.text[self.at..];
        let length = rest.find(|character| !belongs(character)).ok_or(Trouble::End(expected))?;
        self.at += length;
        Ok(&rest[..length])
    }

    /// A fault here: `expected` was expected, and something else is found.
    pub(crate) fn unexpected(&self, expected: &str) -> Fault {
        let found = match self.text[self.at..].chars().next() {
            Some(character) => describe(character),
            None => "the end of the file".to_owned(),
        };
        Fault::new(self.at, format!("expected {expected}, found {found}"))
    }
}

/// Whether a byte is a space, tab or line end: the white space of both XML and JSON.
#[inline]
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// A character as a message shows it.
pub(crate) fn describe(character: char) -> String {
    match character {
        '\n' | '\r' => "the end of the line".to_owned(),
        '\u{7f}' => "the character U+007F".to_owned(),
        _ if character < ' ' => format!("the character U+{:04X}", u32::from(character)),
        '\u{fffe}' | '\u{ffff}' => format!("the character U+{:04X}", u32::from(character)),
        _ => format!("`{character}`"),
    }
}
