//! One event as a decoder found it, and who receives it.

use super::integers::IntegerRows;
use super::shape::{Shape, ShapeId, Want};
use crate::error::Flow;

/// One event as the file has it.
#[derive(Debug, Clone, Copy)]
pub struct RawEvent<'a> {
    /// Its shape, announced to the sink before.
    pub shape: ShapeId,
    /// One text per field of the shape, unescaped; unspecified for fields that are not wanted.
    pub values: &'a [&'a str],
    /// Where the event starts, in bytes from the start of the block.
    pub offset: usize,
}

/// How rows of a shape come in bulk.
#[derive(Debug, Clone, Copy)]
pub struct Bulk {
    /// By which shape they are called.
    pub shape: ShapeId,
    /// Which of their cells are read.
    pub want: Want,
    /// Which of these may be short texts; the others are integers.
    pub texts: Want,
}

/// Receives what a decoder finds, in the order of the file.
pub trait RawSink {
    /// Who takes rows in bulk: [`NoRawRows`] if all events come one by one.
    type Rows: RawRowSink;

    /// A shape comes for the first time. The answer holds for all its events.
    fn shape(&mut self, id: ShapeId, shape: &Shape) -> Want;

    /// An event.
    fn event(&mut self, event: RawEvent<'_>) -> Flow;

    /// Who takes rows in bulk. Where the type says that nobody does, the code that reads them so is not compiled.
    #[inline(always)]
    fn rows(&mut self) -> Option<&mut Self::Rows> {
        None
    }

    /// Opens a time point that is explicit in the format (monpoly's `@ts`). Until the next one, all events belong to it.
    fn point(&mut self, time: &str, offset: usize) -> Flow;
}

/// Receives rows in bulk.
pub trait RawRowSink {
    /// How rows of a known shape come in bulk; nothing if they must come one by one. The answer holds for all its events.
    fn bulk(&mut self, shape: ShapeId) -> Option<Bulk>;

    /// Events of shapes that may come so, in order. Nothing is left of them in `rows`.
    fn take(&mut self, rows: &mut IntegerRows) -> Flow;

    /// The newest of the rows that were taken just now, as it is written, if some of its cells are not read.
    fn newest(&mut self, shape: ShapeId, values: &[&str]);
}

/// Takes no rows, for there is no such sink.
#[derive(Debug)]
pub enum NoRawRows {}

impl RawRowSink for NoRawRows {
    fn bulk(&mut self, _shape: ShapeId) -> Option<Bulk> {
        match *self {}
    }

    fn take(&mut self, _rows: &mut IntegerRows) -> Flow {
        match *self {}
    }

    fn newest(&mut self, _shape: ShapeId, _values: &[&str]) {
        match *self {}
    }
}
