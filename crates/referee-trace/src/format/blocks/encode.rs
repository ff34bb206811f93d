//! `blocks`: a name line, `field = value` lines, and a blank line.

use std::io::Write;

use super::DESCRIPTION;
use crate::error::TraceError;
use crate::format::encode::encoder::{EncodeOptions, Encoder, check_no_nul, unfit};
use crate::format::encode::framed::{FramedEncoder, TextLayout};

/// Writes the format.
pub(crate) fn encoder<W: Write>(out: W, _: EncodeOptions<'_>) -> impl Encoder + use<W> {
    FramedEncoder::<BlocksLayout, W>::new(out)
}

struct BlocksLayout;

impl TextLayout for BlocksLayout {
    const AFTER: &'static [u8] = b"\n";
    const END: &'static [u8] = b"\n";

    fn check_shape(name: &str, fields: &[Box<str>]) -> Result<(), TraceError> {
        check_key("event", name)?;
        fields.iter().try_for_each(|field| check_key("field", field))
    }

    #[inline]
    fn check_value(value: &str) -> Result<(), TraceError> {
        check_line("value", value)
    }

    fn head(out: &mut Vec<u8>, name: &str) {
        out.extend_from_slice(name.as_bytes());
        out.push(b'\n');
    }

    fn before(out: &mut Vec<u8>, _: usize, field: &str) {
        out.extend_from_slice(field.as_bytes());
        out.extend_from_slice(b" = ");
    }

    #[inline]
    fn value(out: &mut Vec<u8>, value: &str) {
        out.extend_from_slice(value.as_bytes());
    }
}

fn check_key(what: &str, text: &str) -> Result<(), TraceError> {
    if text.contains('=') {
        return Err(unfit(DESCRIPTION.name, what, text, "`=` stands between a field and its value"));
    }
    check_line(what, text)
}

#[inline]
fn check_line(what: &str, text: &str) -> Result<(), TraceError> {
    if text.contains('\n') || text.trim_ascii() != text {
        return Err(unfit(DESCRIPTION.name, what, text, "it stands on one line, whose outer blanks do not count"));
    }
    check_no_nul(DESCRIPTION.name, what, text)
}
