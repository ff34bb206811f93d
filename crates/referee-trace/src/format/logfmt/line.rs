//! One line of `key=value` pairs, as places in the text.
//!
//! ```text
//!  time=3 event=login user="ann b" cached
//!  key  value         key  quoted  a key alone: its value is `true`
//! ```

use crate::error::{Fault, excerpt};
use crate::format::decode::cursor::{Cursor, Trouble};
use crate::format::decode::draft::Span;
use crate::format::decode::plain::json_string_end;
use crate::format::decode::quoted::build_string;

/// The key that names the event.
pub(super) const EVENT: &str = "event";

/// What a key without a value stands for.
const BARE: &str = "true";

/// A line that was read.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub keys: Vec<LineKey>,
    pub values: Vec<Span>,
    /// Texts whose escapes are replaced, and the values of keys that have none.
    pub buffer: String,
}

/// A key and its place in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineKey {
    pub start: usize,
    end: usize,
    /// Whether no `=` follows.
    pub is_bare: bool,
}

impl LineKey {
    pub(super) fn text(self, text: &str) -> &str {
        &text[self.start..self.end]
    }
}

impl Line {
    /// Reads the pairs between two places of a text, which has no line end between them.
    pub(super) fn read(&mut self, text: &str, start: usize, end: usize) -> Result<(), Fault> {
        self.keys.clear();
        self.values.clear();
        self.buffer.clear();
        let text = &text[..end];
        let mut at = start;
        loop {
            at = skip_blanks(text, at);
            if at == end {
                return Ok(());
            }
            at = self.pair(text, at)?;
        }
    }

    /// Reads the pair that starts here; tells where it ends.
    fn pair(&mut self, text: &str, start: usize) -> Result<usize, Fault> {
        let bytes = text.as_bytes();
        let end = find(bytes, start, |byte| is_blank(byte) || matches!(byte, b'=' | b'"'));
        let key = LineKey { start, end, is_bare: bytes.get(end) != Some(&b'=') };
        match bytes.get(end) {
            Some(b'"') => return Err(stray_quote(end)),
            Some(b'=') if end == start => {
                return Err(Fault::new(start, "expected a key, found `=`").hint("write key=value, without blanks"));
            }
            _ => self.keys.push(key),
        }
        if key.is_bare {
            let from = self.buffer.len();
            self.buffer.push_str(BARE);
            self.values.push(Span::built(start, from, &self.buffer));
            return Ok(end);
        }
        match bytes.get(end + 1) {
            Some(b'"') => self.quoted(text, end + 1),
            _ => self.bare(bytes, end + 1),
        }
    }

    /// Reads a value without quotes.
    fn bare(&mut self, bytes: &[u8], start: usize) -> Result<usize, Fault> {
        let end = find(bytes, start, |byte| is_blank(byte) || byte == b'"');
        self.values.push(Span::plain(start, start, end));
        if bytes.get(end) == Some(&b'"') { Err(stray_quote(end)) } else { Ok(end) }
    }

    /// Reads the value whose opening quote is here.
    fn quoted(&mut self, text: &str, opening: usize) -> Result<usize, Fault> {
        let bytes = text.as_bytes();
        let mut end = json_string_end(bytes, opening + 1);
        if bytes.get(end) == Some(&b'"') {
            self.values.push(Span::plain(opening, opening + 1, end));
        } else {
            let from = self.buffer.len();
            let mut cursor = Cursor::new(text, opening + 1);
            build_string(&mut cursor, &mut self.buffer).map_err(|trouble| match trouble {
                Trouble::End(expected) => unfinished(text, expected),
                Trouble::Fault(fault) => *fault,
            })?;
            self.values.push(Span::built(opening, from, &self.buffer));
            end = cursor.at;
        }
        match text[end + 1..].chars().next() {
            Some(next) if !matches!(next, ' ' | '\t' | '\r') => Err(text_behind_quote(end + 1, next)),
            _ => Ok(end + 1),
        }
    }
}

fn find(bytes: &[u8], start: usize, is_end: impl Fn(u8) -> bool) -> usize {
    bytes[start..].iter().position(|&byte| is_end(byte)).map_or(bytes.len(), |length| start + length)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// The first place from here on that is not blank.
pub(super) fn skip_blanks(text: &str, at: usize) -> usize {
    find(text.as_bytes(), at, |byte| !is_blank(byte))
}

#[cold]
fn stray_quote(at: usize) -> Fault {
    Fault::new(at, "expected a key or a value without quotes, found `\"`")
        .hint("put the whole value in quotes: key=\"a \\\"b\\\"\"")
}

#[cold]
fn unfinished(text: &str, expected: &str) -> Fault {
    Fault::new(text.len(), format!("expected {expected}, found the end of the line"))
        .hint("close the quote on the same line, and write a line end within it as \\n")
}

#[cold]
fn text_behind_quote(at: usize, found: char) -> Fault {
    Fault::new(at, format!("expected a blank behind a closing quote, found `{}`", found.escape_default()))
        .hint("put a blank between pairs, and write quotes within a value as \\\"")
}

#[cold]
pub(super) fn nameless(line: &str, start: usize, key: Option<&str>) -> Fault {
    let key = key.unwrap_or(EVENT);
    Fault::new(start, format!("expected a pair `{key}=NAME`, found none in `{}`", excerpt(line)))
        .hint("each line names its event; where another key does, a mapping says so: [input] with name = \"msg\", or constant = \"log\" for all; --map logfmt reads what servers write")
}
