//! Cells of comma-separated values, quoted where a reader needs it.

use super::text::ByteSet;

const SPECIAL: ByteSet = ByteSet::of(b",\"\n\r");

/// Whether a cell's text needs quotes: it is empty, holds a comma, a quote or a line break, or has blanks at its ends.
///
/// Quotes tell an empty text from an absent one.
#[inline]
fn needs_quotes(text: &str) -> bool {
    let bytes = text.as_bytes();
    let at_ends = [bytes.first(), bytes.last()].into_iter().any(|end| end.is_none_or(u8::is_ascii_whitespace));
    at_ends || SPECIAL.occur_in(text)
}

/// Writes a cell.
#[inline]
pub(crate) fn write_cell(out: &mut Vec<u8>, text: &str) {
    match needs_quotes(text) {
        true => write_quoted(out, text),
        false => out.extend_from_slice(text.as_bytes()),
    }
}

/// Writes a text in quotes, its own quotes doubled.
pub(crate) fn write_quoted(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    for (number, piece) in text.split('"').enumerate() {
        if number > 0 {
            out.extend_from_slice(b"\"\"");
        }
        out.extend_from_slice(piece.as_bytes());
    }
    out.push(b'"');
}
