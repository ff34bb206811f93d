//! Strings in quotes with the escapes of JSON (RFC 8259), which logfmt has as well.

use super::text::ByteSet;

/// What a string holds only behind a backslash.
const ESCAPED: ByteSet = ByteSet::of(b"\"\\").and(0, 0x1f);

/// Writes a text in quotes.
pub(crate) fn write_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    write_content(out, text);
    out.push(b'"');
}

/// Writes what stands between the quotes.
#[inline]
pub(crate) fn write_content(out: &mut Vec<u8>, text: &str) {
    match ESCAPED.occur_in(text) {
        true => write_escaped(out, text),
        false => out.extend_from_slice(text.as_bytes()),
    }
}

fn write_escaped(out: &mut Vec<u8>, text: &str) {
    for byte in text.bytes() {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\r' => out.extend_from_slice(b"\\r"),
            control @ 0..0x20 => out.extend_from_slice(format!("\\u{control:04x}").as_bytes()),
            other => out.push(other),
        }
    }
}
