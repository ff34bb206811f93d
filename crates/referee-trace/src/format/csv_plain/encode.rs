//! `csv-plain`: `name,value,…` per line.

use std::io::Write;

use super::DESCRIPTION;
use crate::error::TraceError;
use crate::format::encode::cells::write_cell;
use crate::format::encode::encoder::{EncodeOptions, Encoder, check_no_nul};
use crate::format::encode::framed::{FramedEncoder, TextLayout};

/// Writes the format.
pub(crate) fn encoder<W: Write>(out: W, _: EncodeOptions<'_>) -> impl Encoder + use<W> {
    FramedEncoder::<CsvPlainLayout, W>::new(out)
}

struct CsvPlainLayout;

impl TextLayout for CsvPlainLayout {
    const END: &'static [u8] = b"\n";

    fn check_shape(name: &str, _: &[Box<str>]) -> Result<(), TraceError> {
        check_no_nul(DESCRIPTION.name, "event", name)
    }

    #[inline]
    fn check_value(value: &str) -> Result<(), TraceError> {
        check_no_nul(DESCRIPTION.name, "value", value)
    }

    fn head(out: &mut Vec<u8>, name: &str) {
        write_cell(out, name);
    }

    fn before(out: &mut Vec<u8>, _: usize, _: &str) {
        out.push(b',');
    }

    #[inline]
    fn value(out: &mut Vec<u8>, value: &str) {
        write_cell(out, value);
    }
}
