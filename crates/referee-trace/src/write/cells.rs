//! Cells of comma-separated values, quoted where a reader needs it.

use std::io::{self, Write};

/// Whether a reader takes a cell with this text for blank.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// Whether a cell's text needs quotes: it holds a comma, a quote or a line break, or blanks at its ends.
fn needs_quotes(text: &str) -> bool {
    let bytes = text.as_bytes();
    let at_ends = [bytes.first(), bytes.last()].into_iter().flatten().any(u8::is_ascii_whitespace);
    at_ends || bytes.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r'))
}

/// Writes a cell.
pub(super) fn write_cell(out: &mut impl Write, text: &str) -> io::Result<()> {
    if !needs_quotes(text) {
        return out.write_all(text.as_bytes());
    }
    out.write_all(b"\"")?;
    for (number, piece) in text.split('"').enumerate() {
        if number > 0 {
            out.write_all(b"\"\"")?;
        }
        out.write_all(piece.as_bytes())?;
    }
    out.write_all(b"\"")
}
