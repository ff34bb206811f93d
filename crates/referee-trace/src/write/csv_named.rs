//! `csv-named`: `name, field = value, …` per line.

use super::cells::{write_cell, write_quoted};
use super::check_no_nul;
use super::framed::Layout;
use crate::error::TraceError;
use crate::format::Format;

pub(super) struct CsvNamed;

impl Layout for CsvNamed {
    const END: &'static [u8] = b"\n";

    fn check_shape(name: &str, fields: &[Box<str>]) -> Result<(), TraceError> {
        check_no_nul(Format::CsvNamed, "event", name)?;
        fields.iter().try_for_each(|field| check_no_nul(Format::CsvNamed, "field", field))
    }

    #[inline]
    fn check_value(value: &str) -> Result<(), TraceError> {
        check_no_nul(Format::CsvNamed, "value", value)
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
