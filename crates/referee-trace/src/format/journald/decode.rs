//! `journald`: one event per entry of a journal.
//!
//! ```text
//!  __CURSOR=s=1f…                 entry(__CURSOR=s=1f…, __REALTIME_TIMESTAMP=…, MESSAGE=hello, NOTE=two\nlines)
//!  __REALTIME_TIMESTAMP=17…
//!  MESSAGE=hello
//!  NOTE                           a key alone: its value is in the next line, in which \n is a line end and \\ a backslash
//!  =two\nlines
//!                                 an empty line ends the entry
//! ```
//!
//! In a file, such a value stands as its length in eight bytes and the value as it is, which is no text: the source writes it as
//! above (see `source::journal`). Of a key that comes several times the first counts. Which entry is which event, the mapping has to
//! say; without a word all are called `entry`.

#[cfg(test)]
mod tests;

use memchr::memchr;
use memchr::memmem::find;

use crate::error::{Fault, Flow, Stop, excerpt};
use crate::format::decode::decoder::{Block, Decoder};
use crate::format::decode::draft::Span;
use crate::format::decode::name_cache::{NameCache, NameKey};
use crate::format::decode::split::head;
use crate::format::input::{InputRule, Naming};
use crate::raw::{RawEvent, RawSink, ShapeId, Shapes};
use crate::recycle::recycle;

/// The name of entries that nothing else names.
const ENTRY: &str = "entry";

/// The decoder of `journald`.
#[derive(Debug, Default)]
pub struct JournaldDecoder {
    naming: Naming,
    /// The keys that are read, if the mapping drops the others.
    only: Option<Vec<Box<str>>>,
    entry: JournalEntry,
    cache: NameCache,
    keys: Vec<&'static str>,
    texts: Vec<&'static str>,
}

/// The entry that is being read: its keys with their values.
#[derive(Debug, Default)]
struct JournalEntry {
    fields: Vec<(Span, Span)>,
    /// Values that were written with escapes.
    buffer: String,
}

impl Decoder for JournaldDecoder {
    const TAKES_NAMING: bool = true;

    fn new(input: &InputRule) -> JournaldDecoder {
        let only = input.only_named.then(|| input.fields.clone());
        JournaldDecoder { naming: input.naming.clone(), only, ..JournaldDecoder::default() }
    }

    fn decode<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop> {
        let text = block.text;
        let mut start = 0;
        loop {
            start += text[start..].bytes().take_while(|byte| *byte == b'\n').count();
            if start == text.len() {
                return Ok(start);
            }
            let end = match find(&text.as_bytes()[start..], b"\n\n") {
                Some(length) => start + length,
                None if block.last => text.len(),
                None => return Ok(start),
            };
            self.entry.read(text, start, end)?;
            self.hand_over(text, start, shapes, sink)?;
            start = end;
        }
    }
}

impl JournaldDecoder {
    fn hand_over<S: RawSink>(&mut self, text: &str, start: usize, shapes: &mut Shapes, sink: &mut S) -> Flow {
        let JournalEntry { fields, buffer } = &self.entry;
        let name_key = match &self.naming {
            Naming::Field(key) => Some(&**key),
            Naming::Usual | Naming::Constant(_) => None,
        };
        let mut name = match &self.naming {
            Naming::Constant(name) => &**name,
            Naming::Usual | Naming::Field(_) => ENTRY,
        };
        let mut is_named = name_key.is_none();
        let mut keys = recycle(std::mem::take(&mut self.keys));
        let mut texts = recycle(std::mem::take(&mut self.texts));
        for (key, value) in fields {
            let (key, value) = (key.of(text, buffer), value.of(text, buffer));
            if Some(key) == name_key {
                if !is_named && !value.is_empty() {
                    (name, is_named) = (value, true);
                }
                continue;
            }
            let is_read = self.only.as_ref().is_none_or(|only| only.iter().any(|known| **known == *key));
            if is_read && !keys.contains(&key) {
                keys.push(key);
                texts.push(value);
            }
        }
        if let (false, Some(key)) = (is_named, name_key) {
            return Err(nameless(key, start).into());
        }
        let key = NameKey::new(name, head(name.as_bytes()), keys.len() as u64);
        let is_same = |shape: ShapeId| shapes.fields(shape).iter().map(|field| &**field).eq(keys.iter().copied());
        let shape = match self.cache.get(key, is_same) {
            Some(shape) => shape,
            None => {
                let shape = shapes.find(name, &keys, sink);
                self.cache.keep(key, shape)
            }
        };
        let flow = sink.event(RawEvent { shape, values: &texts, offset: start });
        self.keys = recycle(keys);
        self.texts = recycle(texts);
        flow
    }
}

impl JournalEntry {
    /// Reads the lines of an entry.
    fn read(&mut self, text: &str, start: usize, end: usize) -> Result<(), Fault> {
        self.fields.clear();
        self.buffer.clear();
        let mut at = start;
        while at < end {
            let line_end = end_of_line(text, at, end);
            let line = &text[at..line_end];
            if let Some(length) = memchr(b'=', line.as_bytes()).filter(|length| *length > 0) {
                let key = Span::plain(at, at, at + length);
                self.fields.push((key, Span::plain(at, at + length + 1, line_end)));
                at = line_end + 1;
                continue;
            }
            if line.starts_with('=') || line_end >= end {
                return Err(no_field(line, at));
            }
            let value_start = line_end + 2;
            if !text[line_end + 1..end].starts_with('=') {
                return Err(no_field(line, at));
            }
            let value_end = end_of_line(text, value_start, end);
            let from = self.buffer.len();
            unescape(&text[value_start..value_end], &mut self.buffer);
            self.fields.push((Span::plain(at, at, line_end), Span::built(at, from, &self.buffer)));
            at = value_end + 1;
        }
        Ok(())
    }
}

fn end_of_line(text: &str, start: usize, end: usize) -> usize {
    memchr(b'\n', &text.as_bytes()[start..end]).map_or(end, |length| start + length)
}

/// Adds a value with its line ends and backslashes.
fn unescape(text: &str, buffer: &mut String) {
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => buffer.push(if letters.next() == Some('n') { '\n' } else { '\\' }),
            _ => buffer.push(letter),
        }
    }
}

#[cold]
fn nameless(key: &str, start: usize) -> Fault {
    Fault::new(start, format!("the entry has no field `{key}`, which names it"))
        .hint("name all entries with constant = \"…\" in [input], and make events of some with [[event]] and `has`")
}

#[cold]
fn no_field(line: &str, start: usize) -> Fault {
    Fault::new(start, format!("expected a line KEY=VALUE, found `{}`", excerpt(line)))
        .hint("journald is what `journalctl -o export` writes; other lines of text are described by patterns")
}
