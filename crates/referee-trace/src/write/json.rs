//! `json`: `{"name":{"field":"value",…}}` per line.

use super::framed::Layout;
use super::text::Bytes;
use crate::error::TraceError;

pub(super) struct Json;

/// What a string holds only behind a backslash.
const ESCAPED: Bytes = Bytes::of(b"\"\\").and(0, 0x1f);

impl Layout for Json {
    const END: &'static [u8] = b"}}\n";
    const QUOTE: &'static [u8] = b"\"";

    fn check_shape(_: &str, _: &[Box<str>]) -> Result<(), TraceError> {
        Ok(())
    }

    fn check_value(_: &str) -> Result<(), TraceError> {
        Ok(())
    }

    fn head(out: &mut Vec<u8>, name: &str) {
        out.push(b'{');
        write_string(out, name);
        out.extend_from_slice(b":{");
    }

    fn before(out: &mut Vec<u8>, position: usize, field: &str) {
        out.extend_from_slice(if position > 0 { b"," } else { b"" });
        write_string(out, field);
        out.push(b':');
    }

    #[inline]
    fn value(out: &mut Vec<u8>, value: &str) {
        write_content(out, value);
    }
}

fn write_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    write_content(out, text);
    out.push(b'"');
}

#[inline]
fn write_content(out: &mut Vec<u8>, text: &str) {
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
