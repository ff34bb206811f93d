//! Cells of comma-separated values, quoted where a reader needs it.

use std::io::{self, Write};

/// Whether a cell's text needs quotes: it is empty, holds a comma, a quote or a line break, or has blanks at its ends.
///
/// Quotes tell an empty text from an absent one.
fn needs_quotes(text: &str) -> bool {
    let bytes = text.as_bytes();
    let at_ends = [bytes.first(), bytes.last()].into_iter().any(|end| end.is_none_or(u8::is_ascii_whitespace));
    at_ends || bytes.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r'))
}

/// Writes a cell.
pub(super) fn write_cell(out: &mut impl Write, text: &str) -> io::Result<()> {
    match needs_quotes(text) {
        true => write_quoted(out, text),
        false => out.write_all(text.as_bytes()),
    }
}

/// Writes a text in quotes, its own quotes doubled.
pub(super) fn write_quoted(out: &mut impl Write, text: &str) -> io::Result<()> {
    out.write_all(b"\"")?;
    for (number, piece) in text.split('"').enumerate() {
        if number > 0 {
            out.write_all(b"\"\"")?;
        }
        out.write_all(piece.as_bytes())?;
    }
    out.write_all(b"\"")
}
