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
    /// Whether events of some shapes may come by [`RawSink::integers`].
    const TAKES_INTEGERS: bool = false;

    /// A shape comes for the first time. The answer holds for all its events.
    fn shape(&mut self, id: ShapeId, shape: &Shape) -> Want;

    /// An event.
    fn event(&mut self, event: RawEvent<'_>) -> Flow;

    /// How rows of a known shape come by [`RawSink::integers`]; nothing if they must come one by one. The answer holds for all
    /// its events.
    fn takes_integers(&mut self, _shape: ShapeId) -> Option<Bulk> {
        None
    }

    /// Events of shapes that may come so, in order. Nothing is left of them in `rows`.
    fn integers(&mut self, rows: &mut IntegerRows) -> Flow {
        rows.clear();
        Ok(())
    }

    /// The last of the events that came by [`RawSink::integers`] just now, as it is written, if some of its cells are not read.
    fn last_of_integers(&mut self, _shape: ShapeId, _values: &[&str]) {}

    /// Opens a time point that is explicit in the format (monpoly's `@ts`). Until the next one, all events belong to it.
    fn point(&mut self, time: &str, offset: usize) -> Flow;
}
