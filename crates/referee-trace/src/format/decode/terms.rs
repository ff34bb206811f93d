//! What the two formats that write events as terms, [`monpoly`](crate::format::monpoly) and [`abstract_`](crate::format::abstract_),
//! share.
//!
//! ```text
//!  block ─▶ TermCursor ─▶ Arguments ─▶ TermShapes ─▶ RawEvent
//!           (bytes)   (texts)      (name, arity)
//! ```
//!
//! A cursor never goes beyond the block: where the text ends in the middle of something, it says [`Halt::Short`] if
//! more may come, and a fault if not. Every byte is looked at once, apart from the event that a block cuts in two.

use memchr::memchr2;

use super::name_cache::{NameCache, NameKey};
use super::split::head;
use crate::error::{Fault, Stop};
use crate::raw::{RawSink, ShapeId, Shapes};

/// Why a cursor cannot go on.
pub(crate) enum Halt {
    /// The block ends in the middle of something, and more will come.
    Short,
    /// The text is wrong, or the sink has seen enough.
    Stop(Stop),
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Halt::Stop(fault.into())
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Halt::Stop(stop)
    }
}

/// A place in a block of text.
pub(crate) struct TermCursor<'a> {
    text: &'a str,
    /// How many bytes of the block lie behind.
    pub at: usize,
    last: bool,
}

impl<'a> TermCursor<'a> {
    pub(crate) fn new(text: &'a str, last: bool) -> Self {
        TermCursor { text, at: 0, last }
    }

    /// The next byte, if the block has one.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte, which the text must have: `expected` says what for.
    #[inline]
    pub(crate) fn need(&self, expected: &str) -> Result<u8, Halt> {
        self.peek().ok_or_else(|| self.ended(expected))
    }

    /// The block ends where `expected` should stand.
    #[cold]
    pub(crate) fn ended(&self, expected: &str) -> Halt {
        if self.last {
            let message = format!("expected {expected}, found the end of the text");
            Fault::new(self.text.len(), message)
                .hint("the text is cut off: complete its last event or remove it")
                .into()
        } else {
            Halt::Short
        }
    }

    /// A fault here: something else than `expected` was found.
    #[cold]
    pub(crate) fn unexpected(&self, expected: &str) -> Fault {
        let found = match self.rest().chars().next() {
            Some('\n' | '\r') => "the end of the line".to_owned(),
            Some(found) if found.is_control() => format!("the control character {}", found.escape_default()),
            Some(found) => format!("`{found}`"),
            None => "the end of the text".to_owned(),
        };
        Fault::new(self.at, format!("expected {expected}, found {found}"))
    }

    /// Whether the text ends with this block.
    pub(crate) fn is_last(&self) -> bool {
        self.last
    }

    /// The text from here to the end of the block.
    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The byte before the next one; 0 at the start of the block.
    pub(crate) fn before(&self) -> u8 {
        self.at.checked_sub(1).and_then(|at| self.text.as_bytes().get(at)).copied().unwrap_or(0)
    }

    /// The text from `start` to here.
    #[inline]
    pub(crate) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Goes on while bytes belong to `class`.
    #[inline]
    pub(crate) fn skip(&mut self, class: &ByteClass) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|&byte| !class.has(byte)).unwrap_or(rest.len());
    }

    /// Goes over blanks, line breaks and `#` comments; stands before a comment whose end is not in the block.
    pub(crate) fn skip_blank(&mut self) -> Result<(), Halt> {
        self.skip(&BLANK);
        while self.peek() == Some(b'#') {
            self.skip_comment()?;
            self.skip(&BLANK);
        }
        Ok(())
    }

    /// Goes over a comment, up to the line break after it.
    pub(crate) fn skip_comment(&mut self) -> Result<(), Halt> {
        match memchr2(b'\n', b'\r', self.rest().as_bytes()) {
            Some(length) => self.at += length,
            None if self.last => self.at = self.text.len(),
            None => return Err(Halt::Short),
        }
        Ok(())
    }

    /// Takes a text in quotes, from its opening quote on.
    pub(crate) fn quoted(&mut self, arguments: &mut Arguments<'a>) -> Result<(), Halt> {
        self.at += 1;
        let start = self.at;
        if self.seek_quote_or_backslash()? == b'"' {
            arguments.push(self.since(start));
        } else {
            let kept = arguments.scratch.len();
            self.unescape(start, &mut arguments.scratch)?;
            arguments.push_escaped(kept);
        }
        self.at += 1;
        Ok(())
    }

    /// Copies a quoted text with its escapes resolved and stands on its closing quote.
    fn unescape(&mut self, start: usize, scratch: &mut String) -> Result<(), Halt> {
        scratch.push_str(self.since(start));
        while self.seek_quote_or_backslash()? == b'\\' {
            self.at += 1;
            let meant = match self.need("the rest of a text in quotes")? {
                b'n' => '\n',
                b't' => '\t',
                b'r' => '\r',
                b'"' => '"',
                b'\\' => '\\',
                _ => {
                    // A path such as "C:\dir": what no escape begins with stands for itself.
                    self.at -= 1;
                    '\\'
                }
            };
            scratch.push(meant);
            self.at += 1;
            let start = self.at;
            self.seek_quote_or_backslash()?;
            scratch.push_str(self.since(start));
        }
        Ok(())
    }

    fn seek_quote_or_backslash(&mut self) -> Result<u8, Halt> {
        match memchr2(b'"', b'\\', self.rest().as_bytes()) {
            Some(length) => {
                self.at += length;
                self.need("`\"`")
            }
            None => Err(self.ended("`\"` at the end of a text in quotes")),
        }
    }
}

/// A set of bytes.
pub(crate) struct ByteClass([bool; 256]);

impl ByteClass {
    /// The bytes in `members`.
    pub(crate) const fn of(members: &[u8]) -> ByteClass {
        let mut set = [false; 256];
        let mut index = 0;
        while index < members.len() {
            set[members[index] as usize] = true;
            index += 1;
        }
        ByteClass(set)
    }

    /// Every byte but those in `members`, so every character beyond ASCII as well.
    pub(crate) const fn except(members: &[u8]) -> ByteClass {
        let mut class = ByteClass::of(members);
        let mut byte = 0;
        while byte < 256 {
            class.0[byte] = !class.0[byte];
            byte += 1;
        }
        class
    }

    /// Whether `byte` is a member.
    #[inline]
    pub(crate) fn has(&self, byte: u8) -> bool {
        self.0[byte as usize]
    }
}

/// White space, line breaks included.
pub(crate) static BLANK: ByteClass = ByteClass::of(b" \t\r\n");

/// The argument texts of one event: slices of the block, apart from those that escapes made different.
#[derive(Default)]
pub(crate) struct Arguments<'a> {
    plain: Vec<&'a str>,
    /// The arguments with escapes: their position, and where their text ends in `scratch`.
    escaped: Vec<(usize, std::ops::Range<usize>)>,
    scratch: String,
}

impl<'a> Arguments<'a> {
    /// Forgets all arguments and keeps the room.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.plain.clear();
        self.escaped.clear();
        self.scratch.clear();
    }

    /// How many arguments there are.
    pub(crate) fn len(&self) -> usize {
        self.plain.len()
    }

    #[inline]
    pub(crate) fn push(&mut self, text: &'a str) {
        self.plain.push(text);
    }

    /// Takes what was added to the scratch from `start` on as an argument.
    fn push_escaped(&mut self, start: usize) {
        self.escaped.push((self.plain.len(), start..self.scratch.len()));
        self.plain.push("");
    }

    /// Calls `take` with the texts. Only an event with escapes costs an allocation.
    #[inline]
    pub(crate) fn with<R>(&self, take: impl FnOnce(&[&str]) -> R) -> R {
        if self.escaped.is_empty() {
            return take(&self.plain);
        }
        let mut all: Vec<&str> = self.plain.clone();
        for (position, range) in &self.escaped {
            all[*position] = &self.scratch[range.clone()];
        }
        take(&all)
    }
}

/// Finds the shape of an event from its name and the number of its arguments, mostly without a hash.
#[derive(Debug, Default)]
pub(crate) struct TermShapes {
    names: NameCache,
}

impl TermShapes {
    /// The shape of events with this name, which is not empty, and so many arguments.
    #[inline]
    pub(crate) fn find<S: RawSink>(&mut self, name: &str, arity: usize, shapes: &mut Shapes, sink: &mut S) -> ShapeId {
        match self.names.get(NameKey::new(name, head(name.as_bytes()), arity as u64), |_| true) {
            Some(shape) => shape,
            None => self.find_anew(name, arity, shapes, sink),
        }
    }

    #[cold]
    fn find_anew<S: RawSink>(&mut self, name: &str, arity: usize, shapes: &mut Shapes, sink: &mut S) -> ShapeId {
        let numerals: Vec<String> = (1..=arity).map(|position| position.to_string()).collect();
        let fields: Vec<&str> = numerals.iter().map(String::as_str).collect();
        let shape = shapes.find(name, &fields, sink);
        self.names.keep(NameKey::new(name, head(name.as_bytes()), arity as u64), shape)
    }
}
