//! `csv-plain`: `name,value,…` per line.

use super::cells::write_cell;
use super::check_no_nul;
use super::framed::Layout;
use crate::error::TraceError;
use crate::format::Format;

pub(super) struct CsvPlain;

impl Layout for CsvPlain {
    const END: &'static [u8] = b"\n";

    fn check_shape(name: &str, _: &[Box<str>]) -> Result<(), TraceError> {
        check_no_nul(Format::CsvPlain, "event", name)
    }

    #[inline]
    fn check_value(value: &str) -> Result<(), TraceError> {
        check_no_nul(Format::CsvPlain, "value", value)
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
