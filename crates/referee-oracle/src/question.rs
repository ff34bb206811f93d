//! What is asked of the oracle: how much of the trace is known, and what variables stand for.

use referee_trace::number::Number;
use referee_trace::value::Value;

/// Whether the trace is all there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// It ended.
    Complete,
    /// It may go on.
    Prefix,
}

/// How much of a trace is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Known {
    /// The points up to this one, from 1; whether more come is open.
    UpTo(usize),
    /// All points, and that there are no more.
    End,
}

/// A clock that moves between two points: after so many of them it is known that none comes before a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockStep {
    /// After how many points.
    pub after: usize,
    /// Before which time none comes.
    pub time: Number,
}

/// What a variable stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// A value.
    Value(Value),
    /// One of the values that nobody has named; equal numbers are equal values.
    Anonymous(usize),
}
