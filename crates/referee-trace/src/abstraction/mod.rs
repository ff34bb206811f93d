//! Makes abstract events and time points of raw events.
//!
//! ```text
//!  shape (once) ─▶ plan: split marker? label and time where? which outputs, which field goes where?
//!  event ─▶ plan ─▶ [begin_point] ─▶ event… ─▶ [end_point]
//! ```
//!
//! Everything that depends only on a shape is worked out when the shape is announced. An event whose plan is *plain* (no
//! label, no time, nothing mapped) costs one look at its plan and the three calls of the sink; the values are passed on
//! as they are. One that is plain but for its time also costs reading that, without a call if it is a small integer
//! that does not go back. Other events cost their conditions, their time and one copy of a pointer per argument that moves.
//! Nothing is allocated per event.
//!
//! Points come about in three ways:
//!
//! | the raw events | a point is |
//! |---|---|
//! | come after [`RawSink::point`](crate::raw::RawSink::point) | all events up to the next call; it may be empty |
//! | carry a field `tp` | adjacent events with equal `tp`; labels increase, gaps mean nothing |
//! | neither | one event |
//!
//! No file is needed: a running program calls the same three methods of [`RawSink`](crate::raw::RawSink), then [`Abstraction::finish`].

mod clocks;
mod meaning;
mod plan;
mod position;
mod run;

pub(crate) use meaning::equal_times;
pub use meaning::{Meaning, NeededTimes, Ties, TimeField, TimeNeed};
pub(crate) use plan::EntryUse;
pub use position::{Position, Start};
pub use run::{Abstraction, Totals};

#[cfg(test)]
mod tests;
