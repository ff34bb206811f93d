//! The content of names and values: text, references, CDATA sections, with comments between.

use super::syntax::{self, Element};
use crate::error::Fault;
use crate::format::decode::cursor::{Cursor, Read, Trouble, is_space};
use crate::format::decode::draft::Span;
use crate::format::decode::plain;

/// Reads text up to the next tag.
pub(super) fn read(element: &Element, cursor: &mut Cursor<'_>, buffer: &mut String) -> Read<Span> {
    let start = cursor.at;
    let end = plain::xml_text_end(cursor.text.as_bytes(), start);
    if !cursor.text.as_bytes()[end..].starts_with(b"</") {
        let from = build(element, cursor, buffer)?;
        return Ok(Span::built(start, from, buffer));
    }
    cursor.at = end;
    let text = cursor.text[start..end].trim_start_matches(' ');
    let from = end - text.len();
    Ok(Span::plain(start, from, from + text.trim_end_matches(' ').len()))
}

/// Reads text up to the next tag into the buffer, and returns where in the buffer it starts.
pub(super) fn build(element: &Element, cursor: &mut Cursor<'_>, buffer: &mut String) -> Read<usize> {
    let mut content = Content::new(buffer);
    while content.piece(element, cursor)? {}
    Ok(content.finish())
}

/// Text that is put together from pieces.
///
/// White space at either end is layout, unless it is written as a reference or in a CDATA section.
struct Content<'b> {
    buffer: &'b mut String,
    start: usize,
    /// Whether anything but layout was seen.
    begun: bool,
    /// How much of the buffer is certainly not layout at the end.
    kept: usize,
}

impl<'b> Content<'b> {
    fn new(buffer: &'b mut String) -> Self {
        let start = buffer.len();
        Content { buffer, start, begun: false, kept: start }
    }

    /// Reads some text and the markup behind it; false at a tag.
    fn piece(&mut self, element: &Element, cursor: &mut Cursor<'_>) -> Read<bool> {
        let length = memchr::memchr2(b'<', b'&', cursor.rest()).ok_or(Trouble::End(element.close))?;
        let text = &cursor.text[cursor.at..cursor.at + length];
        check(text, cursor.at)?;
        self.text(text);
        cursor.at += length;
        if cursor.peek() == Some(b'&') {
            let character = syntax::reference(cursor)?;
            self.buffer.push(character);
            self.keep();
            return Ok(true);
        }
        if syntax::miscellaneous(cursor, element.close)? {
            return Ok(true);
        }
        if !cursor.eat("<![CDATA[", element.close)? {
            return Ok(false);
        }
        let start = cursor.at;
        let section = cursor.up_to("]]>", "]]>")?;
        syntax::check_characters(section, start)?;
        cursor.at += "]]>".len();
        push_lines(self.buffer, section);
        self.keep();
        Ok(true)
    }

    /// Adds text as it stands in the file.
    fn text(&mut self, text: &str) {
        let text = if self.begun { text } else { text.trim_start_matches(is_layout) };
        let before = self.buffer.len();
        push_lines(self.buffer, text);
        let solid = self.buffer[before..].trim_end_matches(is_layout).len();
        if solid > 0 {
            self.begun = true;
            self.kept = before + solid;
        }
    }

    /// All that is in the buffer is meant.
    fn keep(&mut self) {
        self.begun = true;
        self.kept = self.buffer.len();
    }

    /// Drops the layout at the end; returns where the text starts in the buffer.
    fn finish(self) -> usize {
        self.buffer.truncate(self.kept);
        self.start
    }
}

/// Finds what must not stand in text.
fn check(text: &str, offset: usize) -> Read<()> {
    syntax::check_characters(text, offset)?;
    match memchr::memmem::find(text.as_bytes(), b"]]>") {
        Some(distance) => Err(Fault::new(offset + distance, "expected text, found ]]> outside a CDATA section")
            .hint("write it as ]]&gt;")
            .into()),
        None => Ok(()),
    }
}

/// Adds text with every line end as a line feed, as XML asks.
fn push_lines(buffer: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\r', rest.as_bytes()) {
        buffer.push_str(&rest[..at]);
        buffer.push('\n');
        rest = &rest[at + 1..];
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    buffer.push_str(rest);
}

/// Whether a character is XML white space.
fn is_layout(character: char) -> bool {
    u8::try_from(character).is_ok_and(is_space)
}
