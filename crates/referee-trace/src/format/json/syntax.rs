//! The tokens of JSON: names, strings, numbers, the words true, false and null.

use crate::error::Fault;
use crate::format::decode::cursor::{Cursor, Read};
use crate::format::decode::draft::Span;
use crate::format::decode::event_template::{Hole, HoleKind};
use crate::format::decode::plain;
use crate::format::decode::quoted::build_string;

/// A value of a field, and where it stands.
pub(super) enum Scalar {
    /// Text in quotes.
    String(Span, Hole),
    /// A number, `true` or `false`.
    Literal(Span, Hole),
    /// No value.
    Null,
}

/// Whether a name comes next, with quotes or without.
pub(super) fn begins_name(cursor: &Cursor<'_>) -> bool {
    cursor.text[cursor.at..].starts_with(|character| character == '"' || is_bare_start(character))
}

/// Reads a name, its colon and the white space behind it.
pub(super) fn key(cursor: &mut Cursor<'_>, buffer: &mut String) -> Read<(Span, Hole)> {
    let start = *cursor;
    cursor.need("a name")?;
    let name = if !begins_name(cursor) {
        let hint = if cursor.peek() == Some(b'}') { "remove the comma before it" } else { "write \"name\": value" };
        return Err(cursor.unexpected("a name in quotes").hint(hint).into());
    } else if cursor.peek() == Some(b'"') {
        string(cursor, buffer)?
    } else {
        cursor.word(":", is_bare)?;
        (Span::plain(start.at, start.at, cursor.at), Hole { start: start.at, end: cursor.at, kind: HoleKind::Bare })
    };
    if name.0.is_empty() {
        return Err(start.unexpected("a name").hint("events and fields need names that are not empty").into());
    }
    cursor.skip_space();
    if !cursor.eat(":", ":")? {
        return Err(cursor.unexpected(": after the name").hint("write \"name\": value").into());
    }
    cursor.skip_space();
    Ok(name)
}

/// After a value: steps over a comma, or over the brace that ends the object; whether another name must follow.
pub(super) fn another(cursor: &mut Cursor<'_>) -> Read<bool> {
    cursor.skip_space();
    let more = match cursor.need(", or }")? {
        b',' => true,
        b'}' => false,
        _ => return Err(cursor.unexpected(", or }").hint("separate fields by commas; put text in quotes").into()),
    };
    cursor.at += 1;
    if more {
        cursor.skip_space();
    }
    Ok(more)
}

/// Reads the value of a field.
pub(super) fn scalar(cursor: &mut Cursor<'_>, buffer: &mut String) -> Read<Scalar> {
    let start = cursor.at;
    match cursor.need("a value")? {
        b'"' => return string(cursor, buffer).map(|(text, hole)| Scalar::String(text, hole)),
        b'-' | b'0'..=b'9' => number(cursor)?,
        b'n' if cursor.eat("null", "null")? => return Ok(Scalar::Null),
        b't' if cursor.eat("true", "true")? => {}
        b'f' if cursor.eat("false", "false")? => {}
        b'{' | b'[' => {
            let found = if cursor.peek() == Some(b'{') { "an object" } else { "an array" };
            return Err(Fault::new(start, format!("expected a string, number, true, false or null, found {found}"))
                .hint("a mapping reads what is nested by its path, and `referee init FILE` writes one; a trace that needs none has scalars only")
                .into());
        }
        _ => return Err(cursor.unexpected("a value").hint("put text in double quotes").into()),
    }
    let hole = Hole { start, end: cursor.at, kind: HoleKind::Literal };
    Ok(Scalar::Literal(Span::plain(start, start, cursor.at), hole))
}

/// Steps over a number.
fn number(cursor: &mut Cursor<'_>) -> Read<()> {
    let start = *cursor;
    let (at, complete) = number_end(cursor.text.as_bytes(), cursor.at);
    cursor.at = at;
    let next = cursor.need("the rest of a number")?;
    if !complete {
        return Err(cursor.unexpected("a digit").hint("a number is written like -12.5e3").into());
    }
    if next.is_ascii_digit() {
        return Err(start
            .unexpected("a number without leading zeros")
            .hint("put it in quotes, or drop the zeros")
            .into());
    }
    Ok(())
}

/// How far a number reaches from `at`, and whether it is complete there; if not, a digit is missing.
#[inline]
fn number_end(bytes: &[u8], mut at: usize) -> (usize, bool) {
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let digits = |mut at: usize| {
        while digit(at) {
            at += 1;
        }
        at
    };
    at += usize::from(bytes.get(at) == Some(&b'-'));
    if !digit(at) {
        return (at, false);
    }
    at = if bytes[at] == b'0' { at + 1 } else { digits(at) };
    if bytes.get(at) == Some(&b'.') {
        if !digit(at + 1) {
            return (at + 1, false);
        }
        at = digits(at + 1);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        if !digit(at) {
            return (at, false);
        }
        at = digits(at);
    }
    (at, true)
}

/// The end of a number, `true` or `false` that starts at `at`.
#[inline]
pub(super) fn literal_end(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b't' => bytes[at..].starts_with(b"true").then_some(at + 4),
        b'f' => bytes[at..].starts_with(b"false").then_some(at + 5),
        _ => match number_end(bytes, at) {
            (end, true) => Some(end),
            (_, false) => None,
        },
    }
}

/// The end of the ASCII part of a name without quotes.
#[inline]
pub(super) fn bare_name_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|&&byte| byte.is_ascii() && is_bare(char::from(byte))).count()
}

/// Whether a name without quotes may begin with this character.
fn is_bare_start(character: char) -> bool {
    character.is_alphabetic() || matches!(character, '_' | '$')
}

/// Whether a name without quotes may contain this character.
fn is_bare(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$' | '-' | '.')
}

/// Reads a string.
fn string(cursor: &mut Cursor<'_>, buffer: &mut String) -> Read<(Span, Hole)> {
    let offset = cursor.at;
    let start = offset + 1;
    cursor.at = plain::json_string_end(cursor.text.as_bytes(), start);
    let span = if cursor.peek() == Some(b'"') {
        Span::plain(offset, start, cursor.at)
    } else {
        let from = buffer.len();
        cursor.at = start;
        build_string(cursor, buffer)?;
        Span::built(offset, from, buffer)
    };
    let hole = Hole { start, end: cursor.at, kind: HoleKind::Text };
    cursor.at += 1;
    Ok((span, hole))
}
