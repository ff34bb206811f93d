//! `logfmt`: `event=name key=value …` per line.

use std::io::Write;

use super::DESCRIPTION;
use super::line::EVENT;
use crate::error::TraceError;
use crate::format::encode::encoder::{EncodeOptions, Encoder, unfit};
use crate::format::encode::framed::{FramedEncoder, TextLayout};
use crate::format::encode::quoted::write_string;
use crate::format::encode::text::ByteSet;

/// What stands in quotes only: blanks, line ends and other controls, quotes, and `=`, which some readers refuse elsewhere.
const QUOTED: ByteSet = ByteSet::of(b"\"=\x7f").and(0, b' ');

/// Writes the format.
pub(crate) fn encoder<W: Write>(out: W, _: EncodeOptions<'_>) -> impl Encoder + use<W> {
    FramedEncoder::<LogfmtLayout, W>::new(out)
}

struct LogfmtLayout;

impl TextLayout for LogfmtLayout {
    const END: &'static [u8] = b"\n";

    fn check_shape(_: &str, fields: &[Box<str>]) -> Result<(), TraceError> {
        fields.iter().try_for_each(|field| check_key(field))
    }

    fn check_value(_: &str) -> Result<(), TraceError> {
        Ok(())
    }

    fn head(out: &mut Vec<u8>, name: &str) {
        out.extend_from_slice(EVENT.as_bytes());
        out.push(b'=');
        Self::value(out, name);
    }

    fn before(out: &mut Vec<u8>, _: usize, field: &str) {
        out.push(b' ');
        out.extend_from_slice(field.as_bytes());
        out.push(b'=');
    }

    #[inline]
    fn value(out: &mut Vec<u8>, value: &str) {
        match QUOTED.occur_in(value) {
            true => write_string(out, value),
            false => out.extend_from_slice(value.as_bytes()),
        }
    }
}

fn check_key(field: &str) -> Result<(), TraceError> {
    let why = match field {
        EVENT => "that key names the event",
        _ if QUOTED.occur_in(field) => "a key stands without quotes, so it holds no blank, `=` or quote",
        _ => return Ok(()),
    };
    Err(unfit(DESCRIPTION.name, "field", field, why))
}
