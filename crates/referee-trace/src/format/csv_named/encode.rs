//! `csv-named`: `name, field = value, …` per line.

use std::io::Write;

use super::DESCRIPTION;
use crate::error::TraceError;
use crate::format::encode::cells::{write_cell, write_quoted};
use crate::format::encode::encoder::{EncodeOptions, Encoder, check_no_nul};
use crate::format::encode::framed::{FramedEncoder, TextLayout};

/// Writes the format.
pub(crate) fn encoder<W: Write>(out: W, _: EncodeOptions<'_>) -> impl Encoder + use<W> {
    FramedEncoder::<CsvNamedLayout, W>::new(out)
}

struct CsvNamedLayout;

impl TextLayout for CsvNamedLayout {
    const END: &'static [u8] = b"\n";

    fn check_shape(name: &str, fields: &[Box<str>]) -> Result<(), TraceError> {
        check_no_nul(DESCRIPTION.name, "event", name)?;
        fields.iter().try_for_each(|field| check_no_nul(DESCRIPTION.name, "field", field))
    }

    #[inline]
    fn check_value(value: &str) -> Result<(), TraceError> {
        check_no_nul(DESCRIPTION.name, "value", value)
    }

    fn head(out: &mut Vec<u8>, name: &str) {
        write_cell(out, name);
    }

    fn before(out: &mut Vec<u8>, _: usize, field: &str) {
        out.extend_from_slice(b", ");
        match field.contains('=') {
            true => write_quoted(out, field),
            false => write_cell(out, field),
        }
        out.extend_from_slice(b" = ");
    }

    #[inline]
    fn value(out: &mut Vec<u8>, value: &str) {
        write_cell(out, value);
    }
}
