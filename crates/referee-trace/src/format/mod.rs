//! One module per trace format: how its text is cut into events.
//!
//! | format | shape |
//! |---|---|
//! | [`csv`] | header `event, f1, f2`, then one event per row |
//! | [`csv_named`] | `name, field = value, …` |
//! | [`csv_plain`] | `name,value,…` |
//! | [`xml`] | `<log><event><name/><field><name/><value/></field>…</event></log>` |
//! | [`json`] | objects, in five writings |
//! | [`blocks`] | a name line, then `field = value` lines |
//! | [`monpoly`] | `@ts P (v,…)(v,…) Q (v,…);` |
//! | [`abstract_`] | `a(1).b(2,x)` |
//!
//! **A decoder never sees a file.** It gets a block of text, takes the whole events at its start and says how far it
//! came; the rest comes again with more behind it. So the same code reads mapped files, pipes and compressed streams,
//! and a decoder's memory does not depend on the length of the trace.

pub mod abstract_;
pub mod blocks;
pub mod csv;
pub mod csv_named;
pub mod csv_plain;
mod cursor;
pub mod detect;
mod draft;
mod integers;
pub mod json;
pub mod monpoly;
mod mould;
mod name_cache;
mod plain;
mod rows;
mod split;
mod terms;
#[cfg(test)]
pub(crate) mod testing;
mod whole;
pub mod xml;

use crate::error::Stop;
use crate::raw::{RawSink, Shapes};

/// A trace format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// CSV with a header whose first cell is `event`.
    Csv,
    /// CSV whose cells name their fields.
    CsvNamed,
    /// CSV without header or field names.
    CsvPlain,
    /// XML.
    Xml,
    /// JSON.
    Json,
    /// A name line and field lines per event.
    Blocks,
    /// MonPoly's log.
    Monpoly,
    /// `a(1).b(2)`.
    Abstract,
}

impl Format {
    /// Every format, in the order in which the manual lists them.
    pub const ALL: [Format; 8] = [
        Format::Csv,
        Format::CsvNamed,
        Format::CsvPlain,
        Format::Xml,
        Format::Json,
        Format::Blocks,
        Format::Monpoly,
        Format::Abstract,
    ];

    /// The name that `--format` takes.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::CsvNamed => "csv-named",
            Format::CsvPlain => "csv-plain",
            Format::Xml => "xml",
            Format::Json => "json",
            Format::Blocks => "blocks",
            Format::Monpoly => "monpoly",
            Format::Abstract => "abstract",
        }
    }

    /// The format with this name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Whether fields are named by the file itself; otherwise they are called `1`, `2`, ….
    pub fn names_fields(self) -> bool {
        !matches!(self, Format::CsvPlain | Format::Monpoly | Format::Abstract)
    }
}

/// A piece of the input.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    /// Text that starts where the last call stopped. A byte order mark at the start of a file is already removed.
    pub text: &'a str,
    /// Whether the input ends with this block.
    pub last: bool,
}

/// Cuts the text of one file into events.
pub trait Decoder {
    /// Hands every event that is complete in `block` to `sink` and returns how many bytes were used up.
    ///
    /// With `block.last` everything must be used up or a fault reported. Without it, an event that reaches the end of
    /// the block is left for the next call; returning 0 asks for a longer block.
    fn decode<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop>;
}
