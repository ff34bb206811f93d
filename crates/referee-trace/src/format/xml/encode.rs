//! `xml`: `<event>` elements, one per line, in a `<log>`.

use std::io::Write;

use super::DESCRIPTION;
use crate::error::TraceError;
use crate::format::encode::encoder::{EncodeOptions, Encoder, unfit};
use crate::format::encode::framed::{FramedEncoder, TextLayout};
use crate::format::encode::text::ByteSet;

/// Writes the format.
pub(crate) fn encoder<W: Write>(out: W, _: EncodeOptions<'_>) -> impl Encoder + use<W> {
    FramedEncoder::<XmlLayout, W>::new(out)
}

struct XmlLayout;

/// What is written as it is, wherever it stands in a text.
const PLAIN: ByteSet = ByteSet::of(b"!\"#$%'()*+,-./:;=?@[\\]^_`{|}~").and(b'0', b'9').and(b'A', b'Z').and(b'a', b'z');

impl TextLayout for XmlLayout {
    const OPENING: &'static [u8] = b"<log>\n";
    const CLOSING: &'static [u8] = b"</log>\n";
    const AFTER: &'static [u8] = b"</value></field>";
    const END: &'static [u8] = b"</event>\n";

    fn check_shape(name: &str, fields: &[Box<str>]) -> Result<(), TraceError> {
        check_characters("event", name)?;
        fields.iter().try_for_each(|field| check_characters("field", field))
    }

    #[inline]
    fn check_value(value: &str) -> Result<(), TraceError> {
        if PLAIN.make_up(value) { Ok(()) } else { check_characters("value", value) }
    }

    fn head(out: &mut Vec<u8>, name: &str) {
        out.extend_from_slice(b"<event><name>");
        write_text(out, name);
        out.extend_from_slice(b"</name>");
    }

    fn before(out: &mut Vec<u8>, _: usize, field: &str) {
        out.extend_from_slice(b"<field><name>");
        write_text(out, field);
        out.extend_from_slice(b"</name><value>");
    }

    #[inline]
    fn value(out: &mut Vec<u8>, value: &str) {
        match PLAIN.make_up(value) {
            true => out.extend_from_slice(value.as_bytes()),
            false => write_text(out, value),
        }
    }
}

/// Refuses characters that no XML document may hold, not even as a reference.
fn check_characters(what: &str, text: &str) -> Result<(), TraceError> {
    let allowed =
        |character| !matches!(character, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}');
    match text.chars().all(allowed) {
        true => Ok(()),
        false => Err(unfit(DESCRIPTION.name, what, text, "XML forbids one of its characters")),
    }
}

/// Writes a text with references for markup, for line breaks and tabs, and for blanks at its ends.
fn write_text(out: &mut Vec<u8>, text: &str) {
    let inner = text.trim_matches(' ');
    let leading = text.len() - text.trim_start_matches(' ').len();
    let trailing = text.len() - leading - inner.len();
    out.extend_from_slice("&#32;".repeat(leading).as_bytes());
    for byte in inner.bytes() {
        match byte {
            b'&' => out.extend_from_slice(b"&amp;"),
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            b'\n' => out.extend_from_slice(b"&#10;"),
            b'\r' => out.extend_from_slice(b"&#13;"),
            b'\t' => out.extend_from_slice(b"&#9;"),
            other => out.push(other),
        }
    }
    out.extend_from_slice("&#32;".repeat(trailing).as_bytes());
}
