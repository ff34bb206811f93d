//! One writer per trace format.
//!
//! ```text
//!  events and points ─▶ TraceSink ─────────────▶ TraceWriter ─▶ Output
//!                       what the format carries,  its text       beside the target,
//!                       what is refused                          renamed at the end
//! ```
//!
//! **Written and read again, a trace is the same, or it was not written.** What a format cannot carry is refused with
//! an explanation:
//!
//! | | field names | time | several events at a point | points without events |
//! |---|---|---|---|---|
//! | csv, csv-named, xml, json, blocks | yes | field `ts` | field `tp` | no |
//! | csv-plain | no | no | no | no |
//! | abstract | no | at all points or at none | with times | no |
//! | monpoly | no | needed | yes | yes |
//!
//! A lossy writer leaves out what cannot be carried (and takes a point's number where a time is needed), but it never
//! changes a text: a name or value that the format cannot hold is refused all the same.

mod abstract_;
mod blocks;
mod cells;
mod csv;
mod csv_named;
mod csv_plain;
mod entry;
mod framed;
mod json;
mod monpoly;
mod output;
mod pieces;
mod plan;
mod sink;
mod text;
mod xml;

use std::io::{self, Write};
use std::path::Path;

pub use abstract_::Term;
pub use entry::{Entry, Word};
pub use output::Output;
pub use sink::{Foreseen, TraceSink};

use crate::error::TraceError;
use crate::format::Format;
use framed::FramedWriter;

/// Why a trace is not written to its end.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The format cannot carry it.
    #[error(transparent)]
    Refused(#[from] TraceError),
    /// The output takes no more.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

/// An event with the fields that its format gets to see.
#[derive(Debug, Clone, Copy)]
struct Record<'a> {
    /// A number for its name and its fields: what has the same number has the same of both.
    kind: usize,
    name: &'a str,
    fields: &'a [Box<str>],
    /// The values of its own fields.
    own: &'a [Entry<'a>],
    /// The values of the fields behind them, which tell its point.
    more: &'a [Entry<'a>],
}

impl<'a> Record<'a> {
    /// The value of the field at a place.
    #[inline]
    fn value(&self, place: usize) -> Entry<'a> {
        match self.own.get(place) {
            Some(value) => *value,
            None => self.more[place - self.own.len()],
        }
    }
}

/// Puts events down in one format.
///
/// Before an event is written its name, fields and values have been checked, so only the output itself can fail.
trait TraceWriter {
    /// Refuses names that the format cannot hold; none is empty.
    fn check_shape(&self, name: &str, fields: &[Box<str>]) -> Result<(), TraceError>;

    /// Refuses a value that the format cannot hold; words and numbers are held by all.
    fn check_value(&self, value: &str) -> Result<(), TraceError>;

    /// Tells the kinds of all events in the order of their first appearance, before the first event; their records have no values.
    fn foresee(&mut self, _kinds: &[Record<'_>]) -> Result<(), TraceError> {
        Ok(())
    }

    /// A point begins; only for formats with points of their own.
    fn begin_point(&mut self, _time: Entry<'_>) -> io::Result<()> {
        Ok(())
    }

    /// The event that is written next is at the point with this number and time; only for formats whose lines say so.
    fn lead(&mut self, _number: u64, _time: Entry<'_>) {}

    /// Writes an event.
    fn event(&mut self, record: &Record<'_>) -> io::Result<()>;

    /// The point is complete; only for formats with points of their own.
    fn end_point(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Writes what is left and flushes.
    fn finish(&mut self) -> Result<(), WriteError>;
}

/// The writer of a format.
fn writer<'w>(
    format: Format,
    lossy: bool,
    out: impl Write + 'w,
    spool_directory: Option<&Path>,
) -> Box<dyn TraceWriter + 'w> {
    match format {
        Format::Csv => Box::new(csv::CsvWriter::new(out, lossy, spool_directory)),
        Format::CsvNamed => Box::new(FramedWriter::<csv_named::CsvNamed, _>::new(out)),
        Format::CsvPlain => Box::new(FramedWriter::<csv_plain::CsvPlain, _>::new(out)),
        Format::Xml => Box::new(FramedWriter::<xml::Xml, _>::new(out)),
        Format::Json => Box::new(FramedWriter::<json::Json, _>::new(out)),
        Format::Blocks => Box::new(FramedWriter::<blocks::Blocks, _>::new(out)),
        Format::Monpoly => Box::new(monpoly::MonpolyWriter::new(out)),
        Format::Abstract => Box::new(FramedWriter::<abstract_::Abstract, _>::new(out)),
    }
}

/// A text that a format cannot hold: `what` says which text, `why` what is wrong with it.
#[cold]
fn unfit(format: Format, what: &str, text: &str, why: &str) -> TraceError {
    let shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    let message = format!("{} cannot hold the {what} `{shown}`: {why}", format.name());
    TraceError::new(message).hint("json can hold every text; a mapping can rename events and fields")
}

/// Refuses what no text of the readers may hold.
#[inline]
fn check_no_nul(format: Format, what: &str, text: &str) -> Result<(), TraceError> {
    match text.as_bytes().contains(&0) {
        true => Err(unfit(format, what, text, "NUL is no character of a text file")),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests;
