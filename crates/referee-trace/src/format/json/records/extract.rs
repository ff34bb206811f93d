//! Takes the values that paths name out of one record, and steps over everything else.
//!
//! ```text
//!  record  {"verb": "get", "user": {"uid": "7", "name": "ann"}, "annotations": {…}}
//!  tree     └ verb          └ user ──────────── └ name            skipped by its brackets
//!  slots      1 "get"                             2 "ann"
//! ```
//!
//! One pass: an object costs one comparison per member and wanted key. Of members with the same key the last one counts, as for
//! nearly all readers of JSON. `null` is no value; an object or array is its text as it is written.

use super::super::syntax;
use super::skip;
use super::wanted::{PathNode, WantedPaths};
use crate::error::Fault;
use crate::format::decode::cursor::{Cursor, Read, Trouble, is_space};
use crate::format::decode::draft::Span;
use crate::format::decode::plain;
use crate::format::decode::quoted::build_string;

/// The values of a record, by the slots of their paths.
#[derive(Debug, Default)]
pub(super) struct Slots {
    pub(super) present: u128,
    pub(super) spans: Vec<Span>,
    /// Texts whose escapes are replaced.
    pub(super) buffer: String,
}

impl Slots {
    /// Slots for so many paths.
    pub(super) fn new(count: usize) -> Slots {
        Slots { present: 0, spans: vec![Span::plain(0, 0, 0); count], buffer: String::new() }
    }

    /// Forgets all values.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.present = 0;
        self.buffer.clear();
    }

    fn set(&mut self, slots: &[usize], value: Span) {
        for &slot in slots {
            self.spans[slot] = value;
            self.present |= 1 << slot;
        }
    }
}

/// What is expected inside a record.
const INSIDE: &str = "the rest of a record";

/// Reads the value at the cursor, and keeps what is wanted of it.
#[inline]
pub(super) fn value(cursor: &mut Cursor<'_>, node: &PathNode, paths: &WantedPaths, slots: &mut Slots) -> Read<()> {
    let start = cursor.at;
    match cursor.need(INSIDE)? {
        b'{' if !node.keys.is_empty() => object(cursor, node, paths, slots)?,
        b'[' if node.enters_arrays() => array(cursor, node, paths, slots)?,
        b'{' | b'[' => cursor.at = skip::container_end(cursor.text.as_bytes(), start).ok_or(Trouble::End(INSIDE))?,
        _ if node.slots.is_empty() => return skip_value(cursor),
        _ => return scalar(cursor, node, slots),
    }
    if !node.slots.is_empty() {
        slots.set(&node.slots, Span::plain(start, start, cursor.at));
    }
    Ok(())
}

/// Reads a wanted value that is no object or array.
#[inline]
fn scalar(cursor: &mut Cursor<'_>, node: &PathNode, slots: &mut Slots) -> Read<()> {
    let value = scalar_span(cursor, &mut slots.buffer)?;
    if let Some(value) = value {
        slots.set(&node.slots, value);
    }
    Ok(())
}

/// Reads a value that is no object or array; nothing for `null`.
#[inline]
pub(super) fn scalar_span(cursor: &mut Cursor<'_>, buffer: &mut String) -> Read<Option<Span>> {
    if cursor.peek() == Some(b'"') {
        return string(cursor, buffer).map(Some);
    }
    let start = cursor.at;
    match syntax::scalar(cursor, buffer)? {
        syntax::Scalar::Null => Ok(None),
        _ => Ok(Some(Span::plain(start, start, cursor.at))),
    }
}

/// Reads a string, from its opening quote to behind its closing one.
#[inline]
pub(super) fn string(cursor: &mut Cursor<'_>, buffer: &mut String) -> Read<Span> {
    let offset = cursor.at;
    cursor.at = plain::json_string_end(cursor.text.as_bytes(), offset + 1);
    let span = if cursor.peek() == Some(b'"') {
        Span::plain(offset, offset + 1, cursor.at)
    } else {
        let from = buffer.len();
        cursor.at = offset + 1;
        build_string(cursor, buffer)?;
        Span::built(offset, from, buffer)
    };
    cursor.at += 1;
    Ok(span)
}

/// Steps over a value.
#[inline(always)]
pub(super) fn skip_value(cursor: &mut Cursor<'_>) -> Read<()> {
    let bytes = cursor.text.as_bytes();
    let end = match cursor.need(INSIDE)? {
        b'"' => skip::string_end(bytes, cursor.at + 1),
        b'{' | b'[' => skip::container_end(bytes, cursor.at),
        _ => skip::literal_end(bytes, cursor.at),
    };
    let end = end.ok_or(Trouble::End(INSIDE))?;
    if end == cursor.at {
        return Err(cursor.unexpected("a value").hint("put text in double quotes").into());
    }
    cursor.at = end;
    Ok(())
}

/// Reads an object of which some members are wanted.
fn object(cursor: &mut Cursor<'_>, node: &PathNode, paths: &WantedPaths, slots: &mut Slots) -> Read<()> {
    // What was said before under the same key does not count.
    slots.present &= !node.below;
    let mut more = open(cursor, b'}')?;
    while more {
        match member(cursor, node, &mut slots.buffer)? {
            Some(child) => {
                let child = &paths.nodes[child];
                slots.present &= !child.below;
                value(cursor, child, paths, slots)?;
            }
            None => skip_value(cursor)?,
        }
        more = another(cursor, b'}')?;
    }
    Ok(())
}

/// Steps over an opening bracket and white space; whether something is inside, otherwise the closing one is stepped over as well.
#[inline]
pub(super) fn open(cursor: &mut Cursor<'_>, close: u8) -> Read<bool> {
    cursor.at += 1;
    skip_space(cursor);
    let closes = cursor.need(INSIDE)? == close;
    cursor.at += usize::from(closes);
    Ok(!closes)
}

/// Behind a member or an element: steps over a comma, or over the closing bracket; whether another must follow.
#[inline(always)]
pub(super) fn another(cursor: &mut Cursor<'_>, close: u8) -> Read<bool> {
    skip_space(cursor);
    let byte = cursor.need(INSIDE)?;
    if byte == b',' {
        cursor.at += 1;
        skip_space(cursor);
        return Ok(true);
    }
    if byte == close {
        cursor.at += 1;
        return Ok(false);
    }
    let (expected, hint) = match close {
        b'}' => (", or }", "separate members by commas and close the object with }"),
        _ => (", or ]", "separate elements by commas and close the array with ]"),
    };
    Err(cursor.unexpected(expected).hint(hint).into())
}

/// Reads a key, its colon and the white space around it; the node that it leads to, if one does.
#[inline(always)]
pub(super) fn member(cursor: &mut Cursor<'_>, node: &PathNode, buffer: &mut String) -> Read<Option<usize>> {
    let before = buffer.len();
    let key = key(cursor, buffer)?;
    let child = node.member(key.of(cursor.text, buffer));
    buffer.truncate(before);
    Ok(child)
}

/// Reads a key, its colon and the white space around it. The text of a key with escapes is in the buffer.
#[inline(always)]
pub(super) fn key(cursor: &mut Cursor<'_>, buffer: &mut String) -> Read<Span> {
    if cursor.need(INSIDE)? != b'"' {
        let hint = if cursor.peek() == Some(b'}') { "remove the comma before it" } else { "write \"name\": value" };
        return Err(cursor.unexpected("a name in quotes").hint(hint).into());
    }
    let key = string(cursor, buffer)?;
    skip_space(cursor);
    if cursor.need(INSIDE)? != b':' {
        return Err(cursor.unexpected(": after the name").hint("write \"name\": value").into());
    }
    cursor.at += 1;
    skip_space(cursor);
    Ok(key)
}

/// Steps over white space, of which there is mostly none or one.
#[inline(always)]
pub(super) fn skip_space(cursor: &mut Cursor<'_>) {
    if cursor.peek().is_some_and(is_space) {
        cursor.skip_space();
    }
}

/// Reads an array of which some elements are wanted.
fn array(cursor: &mut Cursor<'_>, node: &PathNode, paths: &WantedPaths, slots: &mut Slots) -> Read<()> {
    slots.present &= !node.below;
    let mut more = open(cursor, b']')?;
    let mut number = 0;
    while more {
        element(cursor, node, number, paths, slots)?;
        number += 1;
        more = another(cursor, b']')?;
    }
    Ok(())
}

/// Reads an element of an array, once for each path that leads into it.
fn element(
    cursor: &mut Cursor<'_>,
    node: &PathNode,
    number: usize,
    paths: &WantedPaths,
    slots: &mut Slots,
) -> Read<()> {
    let start = *cursor;
    skip_value(cursor)?;
    let end = *cursor;
    if let Some((_, child)) = node.indices.iter().find(|(index, _)| *index == number) {
        *cursor = start;
        value(cursor, &paths.nodes[*child], paths, slots)?;
    }
    for (key, wanted, child) in &node.entries {
        let child = &paths.nodes[*child];
        // The first element that has it counts.
        let is_found = slots.present & child.below != 0;
        if !is_found && start.peek() == Some(b'{') && has_member(start, key, wanted)? {
            *cursor = start;
            value(cursor, child, paths, slots)?;
        }
    }
    *cursor = end;
    Ok(())
}

/// Whether an object has a member with this key and this value.
fn has_member(mut cursor: Cursor<'_>, wanted_key: &str, wanted_value: &str) -> Read<bool> {
    let (mut buffer, mut found) = (String::new(), false);
    let mut more = open(&mut cursor, b'}')?;
    while more {
        buffer.clear();
        let is_key = key(&mut cursor, &mut buffer)?.of(cursor.text, &buffer) == wanted_key;
        if is_key && !matches!(cursor.peek(), Some(b'{' | b'[')) {
            let value = scalar_span(&mut cursor, &mut buffer)?;
            found = value.is_some_and(|value| value.of(cursor.text, &buffer) == wanted_value);
        } else {
            found &= !is_key;
            skip_value(&mut cursor)?;
        }
        more = another(&mut cursor, b'}')?;
    }
    Ok(found)
}

/// The fault of something that is no record.
pub(super) fn no_record(cursor: &Cursor<'_>) -> Fault {
    cursor.unexpected("a record, which is an object").hint("a record is written {\"name\": value, …}")
}
