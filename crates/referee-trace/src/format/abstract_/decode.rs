//! `abstract`: `a(1).b(2,x)`, as demonstrations are printed.
//!
//! ```text
//!  login(alice).withdraw(alice, 10.5).          events are separated by dots; lines may break after one
//!  logout
//!  note("a, b")                                 or by line breaks; values with , ( ) . " stand in quotes
//!  17 @32 login(bob)                            what `referee cat` prints: position, time, event
//!  17 login(bob)                                or position and event, where points have no time
//! ```
//!
//! `a` and `a()` are events without arguments. A dot between digits belongs to a number, every other dot separates
//! events. In quotes `\" \\ \n \t \r` are escapes. A `#` where an event could begin or has ended starts a comment.
//! Lines with a position and a time make the point of that time; adjacent lines with equal positions share it. Without a time, events whose
//! position the next line or the one before has get it as their field `tp`, which tells points in all formats.
//! What is used up goes event by event, each byte is looked at once.

use crate::error::{Fault, Stop};
use crate::format::decode::decoder::{Block, Decoder};
use crate::format::decode::terms::{Arguments, BLANK, ByteClass, Halt, TermCursor, TermShapes};
use crate::number::Number;
use crate::raw::{RawEvent, RawSink, Shapes};

/// White space within a line.
static SPACE: ByteClass = ByteClass::of(b" \t\r");
/// What a name without quotes is made of.
static NAME: ByteClass = ByteClass::except(b" \t\r\n(),.\"#@");
/// What a value without quotes is made of, apart from the dots in numbers.
static VALUE: ByteClass = ByteClass::except(b",().\"\n\r");

/// The decoder of `abstract`.
#[derive(Debug, Default)]
pub struct AbstractDecoder {
    before: Before,
    name: String,
    /// The position that the last line with one gave.
    position: String,
    /// Whether lines give times.
    timed: bool,
    /// Whether two lines without a time have that position.
    shared: bool,
    /// Room for the values of an event of such a line, and their names.
    labelled: Labelled,
    shapes: TermShapes,
}

/// What stands before the place reached.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A line break, or nothing.
    #[default]
    LineBreak,
    /// A position: its event follows.
    Position,
    /// An event.
    Event,
    /// A dot.
    Dot,
}

impl Decoder for AbstractDecoder {
    fn decode<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop> {
        let mut cursor = TermCursor::new(block.text, block.last);
        let mut arguments = Arguments::default();
        loop {
            let start = cursor.at;
            match self.step(&mut cursor, &mut arguments, shapes, sink) {
                Ok(true) => {}
                Ok(false) => return Ok(cursor.at),
                Err(Halt::Short) => return Ok(start),
                Err(Halt::Stop(stop)) => return Err(stop),
            }
        }
    }
}

impl AbstractDecoder {
    /// Takes a separator, a comment, a position or an event; tells whether there was one.
    fn step<'a, S: RawSink>(
        &mut self,
        cursor: &mut TermCursor<'a>,
        arguments: &mut Arguments<'a>,
        shapes: &mut Shapes,
        sink: &mut S,
    ) -> Result<bool, Halt> {
        cursor.skip(&SPACE);
        let Some(byte) = cursor.peek() else {
            return if self.before == Before::Position { Err(cursor.ended("an event")) } else { Ok(false) };
        };
        match (byte, self.before) {
            (b'\n' | b'#', Before::Position) => return Err(missing_event(cursor).into()),
            (b'\n', _) => self.line_break(cursor),
            (b'#', _) => cursor.skip_comment()?,
            (b'.', Before::Event) => {
                self.before = Before::Dot;
                cursor.at += 1;
            }
            (b'.', _) => return Err(ellipsis(cursor).into()),
            (_, Before::Event) => return Err(no_separator(cursor).into()),
            (b'0'..=b'9', Before::LineBreak) if is_position(cursor)? => self.position(cursor, sink)?,
            _ => self.event(cursor, arguments, shapes, sink)?,
        }
        Ok(true)
    }

    fn line_break(&mut self, cursor: &mut TermCursor<'_>) {
        cursor.at += 1;
        if self.before == Before::Event {
            self.before = Before::LineBreak;
        }
    }

    /// `17` or `17 @32` at the start of a line that goes on.
    fn position<S: RawSink>(&mut self, cursor: &mut TermCursor<'_>, sink: &mut S) -> Result<(), Halt> {
        let offset = cursor.at;
        cursor.skip(&NAME);
        let position = cursor.since(offset);
        let again = self.position == position;
        cursor.skip(&SPACE);
        if cursor.peek() == Some(b'@') {
            let time = time(cursor)?;
            self.timed = true;
            if !again {
                sink.point(time, offset)?;
            }
        } else if self.timed {
            return Err(untimed(cursor).into());
        } else if again && !self.shared {
            return Err(shared_position(position, offset).into());
        } else {
            self.shared = again || is_next(position, cursor)?;
        }
        self.position.clear();
        self.position.push_str(position);
        self.before = Before::Position;
        Ok(())
    }

    /// A name and its arguments, if any.
    fn event<'a, S: RawSink>(
        &mut self,
        cursor: &mut TermCursor<'a>,
        arguments: &mut Arguments<'a>,
        shapes: &mut Shapes,
        sink: &mut S,
    ) -> Result<(), Halt> {
        if self.timed && self.before == Before::LineBreak {
            return Err(untimed(cursor).into());
        }
        let offset = cursor.at;
        self.name(cursor, arguments)?;
        arguments.clear();
        cursor.skip(&SPACE);
        match cursor.peek() {
            Some(b'(') => list(cursor, arguments)?,
            None if !cursor.is_last() => return Err(Halt::Short),
            _ => {}
        }
        let has_position = self.before == Before::Position;
        self.before = Before::Event;
        if has_position && self.shared && !self.timed {
            let AbstractDecoder { name, position, labelled, .. } = self;
            return Ok(arguments.with(|values| labelled.deliver(name, position, values, offset, shapes, sink))?);
        }
        let shape = self.shapes.find(&self.name, arguments.len(), shapes, sink);
        Ok(arguments.with(|values| sink.event(RawEvent { shape, values, offset }))?)
    }

    fn name<'a>(&mut self, cursor: &mut TermCursor<'a>, arguments: &mut Arguments<'a>) -> Result<(), Halt> {
        arguments.clear();
        let start = cursor.at;
        if cursor.peek() == Some(b'"') {
            cursor.quoted(arguments)?;
        } else {
            cursor.skip(&NAME);
            arguments.push(cursor.since(start));
            if cursor.at == start {
                return Err(cursor.unexpected("an event").hint("write events as `name(value,value)`").into());
            }
            if !cursor.since(start).is_ascii() && cursor.since(start).contains('…') {
                cursor.at = start;
                return Err(ellipsis(cursor).into());
            }
        }
        arguments.with(|name| {
            self.name.clear();
            name.iter().for_each(|name| self.name.push_str(name));
        });
        if self.name.is_empty() {
            return Err(Fault::new(start, "expected an event, found an empty name").hint("give it a name").into());
        }
        Ok(())
    }
}

/// Whether digits that begin a line are a position: something other than arguments or a separator follows on the line.
fn is_position(cursor: &TermCursor<'_>) -> Result<bool, Halt> {
    let rest = cursor.rest();
    let after = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let next = after.trim_start_matches([' ', '\t', '\r']);
    match next.bytes().next() {
        None if cursor.is_last() => Ok(false),
        None => Err(Halt::Short),
        Some(byte) => Ok(after.starts_with([' ', '\t']) && !matches!(byte, b'(' | b'.' | b'\n' | b'#')),
    }
}

/// Whether the line after the one at hand, blank ones left out, begins with this position, too.
fn is_next(position: &str, cursor: &TermCursor<'_>) -> Result<bool, Halt> {
    let after = cursor.rest().split_once('\n').map_or("", |(_, after)| after.trim_ascii_start());
    match after.strip_prefix(position) {
        Some(rest) if !rest.is_empty() => Ok(rest.starts_with([' ', '\t'])),
        _ if !cursor.is_last() && position.starts_with(after) => Err(Halt::Short),
        _ => Ok(false),
    }
}

/// Room for an event with its position as a field.
#[derive(Debug, Default)]
struct Labelled {
    fields: Vec<String>,
}

impl Labelled {
    /// Hands over an event with these values and its position.
    fn deliver<S: RawSink>(
        &mut self,
        name: &str,
        position: &str,
        values: &[&str],
        offset: usize,
        shapes: &mut Shapes,
        sink: &mut S,
    ) -> Result<(), Stop> {
        while self.fields.len() < values.len() {
            self.fields.push((self.fields.len() + 1).to_string());
        }
        let numerals = self.fields[..values.len()].iter().map(String::as_str);
        let fields: Vec<&str> = numerals.chain(["tp"]).collect();
        let values = [values, &[position]].concat();
        let shape = shapes.find(name, &fields, sink);
        sink.event(RawEvent { shape, values: &values, offset })
    }
}

/// `@32`, up to the blank that must follow.
fn time<'a>(cursor: &mut TermCursor<'a>) -> Result<&'a str, Halt> {
    cursor.at += 1;
    let start = cursor.at;
    cursor.skip(&TIME);
    cursor.need("a blank after the time")?;
    let time = cursor.since(start);
    if Number::parse(time).is_some() {
        return Ok(time);
    }
    let message = format!("expected a time after `@`, found `{}`", time.chars().take(40).collect::<String>());
    Err(Fault::new(start, message).hint("a time is an integer or a decimal number: `17 @32 a(1)`").into())
}

/// What a time is made of: all up to a blank.
static TIME: ByteClass = ByteClass::except(b" \t\r\n");

/// `(v,…)`.
fn list<'a>(cursor: &mut TermCursor<'a>, arguments: &mut Arguments<'a>) -> Result<(), Halt> {
    cursor.at += 1;
    cursor.skip(&BLANK);
    if cursor.need("a value or `)`")? != b')' {
        loop {
            value(cursor, arguments)?;
            cursor.skip(&BLANK);
            match cursor.need("`,` or `)`")? {
                b',' => cursor.at += 1,
                b')' => break,
                _ => return Err(quote_it(cursor.unexpected("`,` or `)`")).into()),
            }
            cursor.skip(&BLANK);
        }
    }
    cursor.at += 1;
    Ok(())
}

/// A text in quotes, or what stands between commas without its outer blanks.
fn value<'a>(cursor: &mut TermCursor<'a>, arguments: &mut Arguments<'a>) -> Result<(), Halt> {
    if cursor.need("a value")? == b'"' {
        return cursor.quoted(arguments);
    }
    let start = cursor.at;
    cursor.skip(&VALUE);
    while is_decimal_point(cursor)? {
        cursor.at += 1;
        cursor.skip(&VALUE);
    }
    let text = cursor.since(start).trim_ascii_end();
    if text.is_empty() {
        return Err(quote_it(cursor.unexpected("a value")).into());
    }
    arguments.push(text);
    Ok(())
}

/// Whether the cursor stands on a dot between two digits.
fn is_decimal_point(cursor: &TermCursor<'_>) -> Result<bool, Halt> {
    match cursor.rest().as_bytes() {
        [b'.'] => Err(cursor.ended("`,` or `)`")),
        [b'.', b'0'..=b'9', ..] => Ok(cursor.before().is_ascii_digit()),
        _ => Ok(false),
    }
}

#[cold]
fn quote_it(fault: Fault) -> Fault {
    fault.hint("a value that is empty or holds any of , ( ) . \" is written in quotes")
}

#[cold]
fn ellipsis(cursor: &TermCursor<'_>) -> Fault {
    cursor.unexpected("an event").hint("one dot separates two events; an ellipsis stands for events nobody can read")
}

#[cold]
fn no_separator(cursor: &TermCursor<'_>) -> Fault {
    if cursor.rest().starts_with('…') {
        return ellipsis(cursor);
    }
    cursor.unexpected("`.` or a line break after an event").hint("separate events as in `a(1).b(2)`")
}

#[cold]
fn missing_event(cursor: &TermCursor<'_>) -> Fault {
    cursor.unexpected("an event after its position").hint("write `17 a(1)` or `17 @32 a(1)` on one line")
}

#[cold]
fn untimed(cursor: &TermCursor<'_>) -> Fault {
    Fault::new(cursor.at, "expected a position and a time, as on the lines before")
        .hint("give every line its position and time, as in `17 @32 a(1)`, or none of them")
}

#[cold]
fn shared_position(position: &str, offset: usize) -> Fault {
    Fault::new(offset, format!("two events share the position {position}, and something stands between their lines"))
        .hint("put lines with equal positions below each other, or give them a time, as in `17 @32 a(1)`")
}

#[cfg(test)]
mod tests;
