//! `monpoly`: MonPoly's log.
//!
//! ```text
//!  @10 login (alice)(bob) withdraw (alice,"10 EUR");     a point: its time, then predicates with their tuples
//!  @10 tick                                              the next `@` closes a point just as `;` does
//!  @12;                                                  a point at which nothing happens
//! ```
//!
//! Each tuple is an event, and `tick` and `tick ()` are events without arguments. Values are words or texts in quotes;
//! white space and `#` comments may stand anywhere between them. In quotes `\" \\ \n \t \r` are escapes, and any
//! other backslash is one. What is used up goes token by token, so that a point may be longer than a block: the
//! decoder remembers whether a point is open and whose tuples are coming.

use crate::error::{Fault, Stop};
use crate::format::decode::decoder::{Block, Decoder};
use crate::format::decode::terms::{Arguments, ByteClass, Halt, TermCursor, TermShapes};
use crate::number::Number;
use crate::raw::{RawEvent, RawSink, Shapes};

/// What a word is made of: all that is no punctuation of the format.
static WORD: ByteClass = ByteClass::except(b" \t\r\n(),;@\"#");

/// The decoder of `monpoly`.
#[derive(Debug, Default)]
pub struct MonpolyDecoder {
    point: bool,
    /// The predicate whose tuples are coming, if `tuples`.
    predicate: String,
    tuples: bool,
    /// Where the last point of the block at hand begins, if one does.
    opened: Option<usize>,
    /// How many bytes of the open point and of the line at hand are used up.
    held: usize,
    shapes: TermShapes,
}

impl Decoder for MonpolyDecoder {
    fn decode<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop> {
        self.opened = None;
        let used = self.tokens(block, shapes, sink)?;
        let line = memchr::memrchr(b'\n', &block.text.as_bytes()[..used]);
        self.held = match line.max(self.opened) {
            _ if !self.point => 0,
            Some(start) => used - start,
            None => self.held + used,
        };
        Ok(used)
    }

    fn held(&self) -> usize {
        self.held
    }
}

impl MonpolyDecoder {
    /// Takes all tokens that are whole; tells how many bytes they have.
    fn tokens<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop> {
        let mut cursor = TermCursor::new(block.text, block.last);
        let mut arguments = Arguments::default();
        loop {
            let start = cursor.at;
            match self.token(&mut cursor, &mut arguments, shapes, sink) {
                Ok(true) => {}
                Ok(false) => return Ok(cursor.at),
                Err(Halt::Short) => return Ok(start),
                Err(Halt::Stop(stop)) => return Err(stop),
            }
        }
    }

    /// Takes one token, or a whole tuple; tells whether there was one.
    fn token<'a, S: RawSink>(
        &mut self,
        cursor: &mut TermCursor<'a>,
        arguments: &mut Arguments<'a>,
        shapes: &mut Shapes,
        sink: &mut S,
    ) -> Result<bool, Halt> {
        cursor.skip_blank()?;
        let Some(byte) = cursor.peek() else { return Ok(false) };
        match byte {
            b'@' => self.open(cursor, sink)?,
            _ if !self.point => return Err(outside(cursor).into()),
            b';' => {
                (self.point, self.tuples) = (false, false);
                cursor.at += 1;
            }
            b'(' if self.tuples => self.tuple(cursor, arguments, shapes, sink)?,
            _ => self.predicate(cursor, arguments, shapes, sink)?,
        }
        Ok(true)
    }

    /// `@` and a timestamp.
    fn open<S: RawSink>(&mut self, cursor: &mut TermCursor<'_>, sink: &mut S) -> Result<(), Halt> {
        let offset = cursor.at;
        cursor.at += 1;
        cursor.skip_blank()?;
        let start = cursor.at;
        cursor.skip(&WORD);
        if cursor.peek().is_none() && !cursor.is_last() {
            return Err(Halt::Short);
        }
        let time = cursor.since(start);
        if Number::parse(time).is_none() {
            let found = if time.is_empty() { cursor.unexpected("a timestamp").message } else { bad_time(time) };
            return Err(Fault::new(start, found)
                .hint("a timestamp is an integer or a decimal number: `@10 p (1);`")
                .into());
        }
        (self.point, self.tuples) = (true, false);
        self.opened = Some(offset);
        Ok(sink.point(time, offset)?)
    }

    /// A predicate's name, with what follows it looked at: without a tuple it is an event itself.
    fn predicate<'a, S: RawSink>(
        &mut self,
        cursor: &mut TermCursor<'a>,
        arguments: &mut Arguments<'a>,
        shapes: &mut Shapes,
        sink: &mut S,
    ) -> Result<(), Halt> {
        let offset = cursor.at;
        arguments.clear();
        value(cursor, arguments, "a predicate, `@` or `;`")?;
        cursor.skip_blank()?;
        if cursor.peek().is_none() && !cursor.is_last() {
            return Err(Halt::Short);
        }
        arguments.with(|name| {
            self.predicate.clear();
            name.iter().for_each(|name| self.predicate.push_str(name));
        });
        if self.predicate.is_empty() {
            return Err(Fault::new(offset, "expected a predicate, found an empty name").hint("give it a name").into());
        }
        self.tuples = cursor.peek() == Some(b'(');
        if !self.tuples {
            arguments.clear();
            self.deliver(offset, arguments, shapes, sink)?;
        }
        Ok(())
    }

    /// A tuple in parentheses: one event.
    fn tuple<'a, S: RawSink>(
        &mut self,
        cursor: &mut TermCursor<'a>,
        arguments: &mut Arguments<'a>,
        shapes: &mut Shapes,
        sink: &mut S,
    ) -> Result<(), Halt> {
        let offset = cursor.at;
        arguments.clear();
        cursor.at += 1;
        cursor.skip_blank()?;
        if cursor.need("a value or `)`")? != b')' {
            loop {
                value(cursor, arguments, "a value")?;
                cursor.skip_blank()?;
                match cursor.need("`,` or `)`")? {
                    b',' => cursor.at += 1,
                    b')' => break,
                    _ => return Err(quote_it(cursor.unexpected("`,` or `)`")).into()),
                }
                cursor.skip_blank()?;
            }
        }
        cursor.at += 1;
        Ok(self.deliver(offset, arguments, shapes, sink)?)
    }

    #[inline]
    fn deliver<S: RawSink>(
        &mut self,
        offset: usize,
        arguments: &Arguments<'_>,
        shapes: &mut Shapes,
        sink: &mut S,
    ) -> Result<(), Stop> {
        let shape = self.shapes.find(&self.predicate, arguments.len(), shapes, sink);
        arguments.with(|values| sink.event(RawEvent { shape, values, offset }))
    }
}

/// A word or a text in quotes.
#[inline]
fn value<'a>(cursor: &mut TermCursor<'a>, arguments: &mut Arguments<'a>, expected: &str) -> Result<(), Halt> {
    if cursor.need(expected)? == b'"' {
        return cursor.quoted(arguments);
    }
    let start = cursor.at;
    cursor.skip(&WORD);
    if cursor.at == start {
        return Err(quote_it(cursor.unexpected(expected)).into());
    }
    arguments.push(cursor.since(start));
    Ok(())
}

#[cold]
fn quote_it(fault: Fault) -> Fault {
    fault.hint("a value that is empty or holds blanks or any of ( ) , ; @ # is written in quotes")
}

#[cold]
fn bad_time(time: &str) -> String {
    let start: String = time.chars().take(40).collect();
    format!("expected a timestamp, found `{start}`")
}

#[cold]
fn outside(cursor: &TermCursor<'_>) -> Fault {
    cursor.unexpected("`@` and a timestamp").hint("every point begins with its time: `@10 p (1);`")
}

#[cfg(test)]
mod tests;
