//! `abstract`: one term per line.

use std::io::Write;

use super::DESCRIPTION;
use crate::error::TraceError;
use crate::format::encode::encoder::{EncodeOptions, Encoder, check_no_nul};
use crate::format::encode::framed::{FramedEncoder, TextLayout};
use crate::format::encode::term::{Term, put_value};

/// Writes the format.
pub(crate) fn encoder<W: Write>(out: W, _: EncodeOptions<'_>) -> impl Encoder + use<W> {
    FramedEncoder::<AbstractLayout, W>::new(out)
}

struct AbstractLayout;

impl TextLayout for AbstractLayout {
    const END: &'static [u8] = b")\n";

    fn check_shape(name: &str, _: &[Box<str>]) -> Result<(), TraceError> {
        check_no_nul(DESCRIPTION.name, "event", name)
    }

    #[inline]
    fn check_value(value: &str) -> Result<(), TraceError> {
        check_no_nul(DESCRIPTION.name, "value", value)
    }

    fn head(out: &mut Vec<u8>, name: &str) {
        out.extend_from_slice(Term::head(name).as_bytes());
    }

    fn before(out: &mut Vec<u8>, position: usize, _: &str) {
        out.extend_from_slice(if position > 0 { b"," } else { b"" });
    }

    #[inline]
    fn value(out: &mut Vec<u8>, value: &str) {
        put_value(out, value);
    }
}
