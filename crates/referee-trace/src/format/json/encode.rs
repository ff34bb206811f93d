//! `json`: `{"name":{"field":"value",…}}` per line.

use std::io::Write;

use crate::error::TraceError;
use crate::format::encode::encoder::{EncodeOptions, Encoder};
use crate::format::encode::framed::{FramedEncoder, TextLayout};
use crate::format::encode::quoted::{write_content, write_string};

/// Writes the format.
pub(crate) fn encoder<W: Write>(out: W, _: EncodeOptions<'_>) -> impl Encoder + use<W> {
    FramedEncoder::<JsonLayout, W>::new(out)
}

struct JsonLayout;

impl TextLayout for JsonLayout {
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
