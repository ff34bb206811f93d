//! `blocks`: a name line, then one `field = value` line per field.
//!
//! ```text
//!  withdraw            an event's name
//!  user = alice        its fields; spaces around `=` and at the ends of a line do not count
//!  amount = 10
//!                      blank lines end an event
//!  logout              an event without fields
//! ```
//!
//! A value is the rest of its line, so it may hold `=` itself. A line without `=` inside an event is a fault and no new
//! event: a lost `=` must not turn a field into something that happened. One search for line breaks and one for `=`
//! per line; an event that the block cuts in two is read again with the next block.

use std::collections::HashSet;

use memchr::{memchr, memchr_iter};

use crate::error::{Fault, Stop, excerpt};
use crate::format::decode::decoder::{Block, Decoder};
use crate::format::decode::name_cache::{NameCache, NameKey};
use crate::format::decode::split::head;
use crate::raw::{RawEvent, RawSink, ShapeId, Shapes};

/// The decoder of `blocks`.
#[derive(Debug, Default)]
pub struct BlocksDecoder {
    names: NameCache,
}

impl Decoder for BlocksDecoder {
    fn decode<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop> {
        let text = block.text;
        let mut event = BlockEvent::default();
        let (mut start, mut used) = (0, 0);
        for end in memchr_iter(b'\n', text.as_bytes()) {
            event.line(&text[start..end], start)?;
            start = end + 1;
            if event.complete {
                self.deliver(&mut event, shapes, sink)?;
            }
            if event.name.is_none() {
                used = start;
            }
        }
        if !block.last {
            return Ok(used);
        }
        event.line(&text[start..], start)?;
        if event.name.is_some() {
            self.deliver(&mut event, shapes, sink)?;
        }
        Ok(text.len())
    }
}

impl BlocksDecoder {
    fn deliver<S: RawSink>(
        &mut self,
        event: &mut BlockEvent<'_>,
        shapes: &mut Shapes,
        sink: &mut S,
    ) -> Result<(), Stop> {
        let name = event.name.take().unwrap_or_default();
        let key = NameKey::new(name, head(name.as_bytes()), event.fields.len() as u64);
        let shape = match self.names.get(key, |shape| event.has_fields_of(shape, shapes)) {
            Some(shape) => shape,
            None => {
                let shape = event.shape(name, shapes, sink)?;
                self.names.keep(key, shape)
            }
        };
        sink.event(RawEvent { shape, values: &event.values, offset: event.offset })?;
        event.clear();
        Ok(())
    }
}

/// The event whose lines are being read.
#[derive(Default)]
struct BlockEvent<'a> {
    name: Option<&'a str>,
    offset: usize,
    fields: Vec<&'a str>,
    values: Vec<&'a str>,
    /// Whether a blank line has ended it.
    complete: bool,
}

impl<'a> BlockEvent<'a> {
    fn line(&mut self, line: &'a str, offset: usize) -> Result<(), Fault> {
        let content = line.trim_ascii();
        if content.is_empty() {
            self.complete = self.name.is_some();
            return Ok(());
        }
        let offset = offset + (line.len() - line.trim_ascii_start().len());
        match (self.name, memchr(b'=', content.as_bytes())) {
            (None, None) => {
                self.name = Some(content);
                self.offset = offset;
            }
            (Some(_), Some(equals)) if equals > 0 => {
                self.fields.push(content[..equals].trim_ascii_end());
                self.values.push(content[equals + 1..].trim_ascii_start());
            }
            (None, Some(_)) => return Err(nameless(content, offset)),
            (Some(_), Some(_)) => {
                return Err(Fault::new(offset, "expected a field's name, found `=`").hint("write `field = value`"));
            }
            (Some(name), None) => return Err(no_equals(name, content, offset)),
        }
        Ok(())
    }

    fn has_fields_of(&self, shape: ShapeId, shapes: &Shapes) -> bool {
        shapes.fields(shape).iter().zip(&self.fields).all(|(known, field)| **known == **field)
    }

    /// Finds the shape anew; one that no event had before is checked.
    fn shape<S: RawSink>(&self, name: &str, shapes: &mut Shapes, sink: &mut S) -> Result<ShapeId, Fault> {
        let known = shapes.len();
        let shape = shapes.find(name, &self.fields, sink);
        if shapes.len() == known {
            return Ok(shape);
        }
        let mut seen = HashSet::new();
        match self.fields.iter().find(|&field| !seen.insert(field)) {
            Some(twice) => Err(two_fields(name, twice, self.offset)),
            None => Ok(shape),
        }
    }

    fn clear(&mut self) {
        self.fields.clear();
        self.values.clear();
        self.complete = false;
    }
}

#[cold]
fn nameless(content: &str, offset: usize) -> Fault {
    Fault::new(offset, format!("expected an event's name, found the field `{}`", excerpt(content)))
        .hint("write the event's name on a line of its own before its fields, with no blank line between them")
}

#[cold]
fn no_equals(name: &str, content: &str, offset: usize) -> Fault {
    let (name, content) = (excerpt(name), excerpt(content));
    Fault::new(offset, format!("expected `field = value` of the event `{name}`, found `{content}`"))
        .hint("if this is the next event's name, put a blank line before it")
}

#[cold]
fn two_fields(name: &str, field: &str, offset: usize) -> Fault {
    Fault::new(offset, format!("the event `{}` has two fields `{}`", excerpt(name), excerpt(field)))
        .hint("the fields of an event need different names")
}

#[cfg(test)]
mod tests;
