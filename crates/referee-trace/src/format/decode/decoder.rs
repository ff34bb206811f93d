//! What cuts the text of one format into events.

use crate::error::Stop;
use crate::format::input::InputRule;
use crate::raw::{RawSink, Shapes};

/// A piece of the input.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    /// Text that starts where the last call stopped. A byte order mark at the start of a file is already removed.
    pub text: &'a str,
    /// Whether the input ends with this block.
    pub last: bool,
}

/// Cuts the text of one file into events.
pub trait Decoder: Default {
    /// Whether a mapping can say which field names the events, or name them all.
    const TAKES_NAMING: bool = false;

    /// A fresh decoder for records that are read so. What a format has no use for, it leaves aside.
    fn new(_input: &InputRule) -> Self {
        Self::default()
    }

    /// Hands every event that is complete in `block` to `sink` and returns how many bytes were used up.
    ///
    /// With `block.last` everything must be used up or a fault reported. Without it, an event that reaches the end of
    /// the block is left for the next call; returning 0 asks for a longer block.
    fn decode<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop>;

    /// How many of the bytes used up so far are of a point that is not over yet and of the line at hand: so much of it is in memory.
    fn held(&self) -> usize {
        0
    }

    /// What has been left out so far.
    fn skipped(&self) -> Skipped {
        Skipped::default()
    }

    /// Which of the patterns that it was given fitted a line so far.
    fn fitting(&self) -> Vec<bool> {
        Vec::new()
    }

    /// The names of all fields that events can have, if a header has told them.
    fn columns(&self) -> Option<&[Box<str>]> {
        None
    }
}

/// Lines that are no events, and were left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Skipped {
    /// How many.
    pub count: u64,
    /// Where the first was, in the block that had it.
    pub first: usize,
}

/// Something that can be done with the decoder of any format; see `Format::with_decoder`.
pub trait DecoderUser {
    /// What comes of it.
    type Output;

    /// Uses a fresh decoder.
    fn with<D: Decoder>(self, decoder: D) -> Self::Output;
}
