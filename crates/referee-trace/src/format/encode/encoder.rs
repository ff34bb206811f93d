//! What writes the events of a trace in one format.

use std::io;
use std::path::Path;

use super::entry::Entry;
use crate::error::{TraceError, WriteError};

/// How a trace is to be written.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EncodeOptions<'a> {
    /// Whether what the format cannot carry is left out rather than refused.
    pub(crate) lossy: bool,
    /// Where rows wait that cannot be written yet; without it, in the system's directory for temporary files.
    pub(crate) spool_directory: Option<&'a Path>,
}

/// An event with the fields that its format gets to see.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record<'a> {
    /// A number for its name and its fields: what has the same number has the same of both.
    pub(crate) kind: usize,
    pub(crate) name: &'a str,
    pub(crate) fields: &'a [Box<str>],
    /// The values of its own fields.
    pub(crate) own: &'a [Entry<'a>],
    /// The values of the fields behind them, which tell its point.
    pub(crate) more: &'a [Entry<'a>],
}

impl<'a> Record<'a> {
    /// The value of the field at a place.
    #[inline]
    pub(crate) fn value(&self, place: usize) -> Entry<'a> {
        match self.own.get(place) {
            Some(value) => *value,
            None => self.more[place - self.own.len()],
        }
    }
}

/// Puts events down in one format.
///
/// Before an event is written its name, fields and values have been checked, so only the output itself can fail.
pub(crate) trait Encoder {
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

/// A text that a format cannot hold: `what` says which text, `why` what is wrong with it.
#[cold]
pub(crate) fn unfit(format: &str, what: &str, text: &str, why: &str) -> TraceError {
    let shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    let message = format!("{format} cannot hold the {what} `{shown}`: {why}");
    TraceError::new(message).hint("json can hold every text; a mapping can rename events and fields")
}

/// Refuses what no text of the readers may hold.
#[inline]
pub(crate) fn check_no_nul(format: &str, what: &str, text: &str) -> Result<(), TraceError> {
    match text.as_bytes().contains(&0) {
        true => Err(unfit(format, what, text, "NUL is no character of a text file")),
        false => Ok(()),
    }
}
