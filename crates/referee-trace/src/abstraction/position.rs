//! Where a reading stands, and where another one goes on.

use crate::event::EventShape;
use crate::mapping::Unit;
use crate::number::Number;

/// Where a reading stands between two points of its only trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Position {
    /// How many raw events there were.
    pub events: u64,
    /// The number of the newest point.
    pub point: u64,
    /// The newest timestamp.
    pub time: Option<Number>,
    /// The newest `tp`.
    pub label: Option<Number>,
    /// The unit of times since 1970, if the first of them told it by its size.
    pub epoch: Option<Unit>,
    /// The newest time of a log without years, in seconds of its own clock.
    pub newest_second: Option<i64>,
}

/// What came before: numbers, times and shapes go on from there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Start {
    /// Where it ended.
    pub position: Position,
    /// The shapes that the sink knows. They are announced to it first, in this order.
    pub shapes: Vec<EventShape>,
}
