//! What raw events mean: the mapping, which field is the time, and what equal times make of neighbours.

use crate::error::{Fault, Stop};
use crate::mapping::Mapping;
use crate::number::Number;
use crate::signature::Signature;

/// Which field is the time of an event, where the mapping does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TimeField {
    /// A field called `ts`.
    #[default]
    Ts,
    /// A field called `ts`, `time` or `timestamp`, in any case: for languages with time.
    Named,
    /// The last positional field, or one that is named as above: for timed DejaVu.
    LastPositional,
}

/// What becomes of neighbours with equal times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ties {
    /// They are points of their own, if nothing else makes them one.
    #[default]
    Apart,
    /// They are one point.
    Merged,
    /// They are an error: for languages in which times increase strictly.
    Refused,
}

/// What the raw events mean.
#[derive(Debug, Clone, Default)]
pub struct Meaning {
    /// From concrete to abstract events.
    pub mapping: Mapping,
    /// Which field is the time, where the mapping does not say.
    pub time: TimeField,
    /// The declared types of arguments.
    pub signature: Option<Signature>,
    /// What becomes of neighbours with equal times.
    pub ties: Ties,
    /// Whether times may go back, as the sink sorts.
    pub unsorted: bool,
}

/// What is wrong with a time that comes a second time, where times increase strictly.
pub(crate) fn equal_times(time: &Number, offset: usize) -> Stop {
    Fault::new(offset, format!("timestamp {time} comes a second time"))
        .hint("here timestamps must increase; `--merge` makes one point of events with equal timestamps")
        .into()
}
