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
//! | [how it tells points](crate::format::PointNotation) | field names | time | more than one event at a point | points without events |
//! |---|---|---|---|---|
//! | `Fields` | yes | field `ts` | field `tp` | no |
//! | `Absent` | no | no | no | no |
//! | `LineStarts` | no | at all points or at none | with times | no |
//! | `Explicit` | no | needed | yes | yes |
//!
//! So is a text that its reader would take for another format (`reread`).
//!
//! A lossy writer leaves out what cannot be carried (and takes a point's number where a time is needed), but it never
//! changes a text: a name or value that the format cannot hold is refused all the same.

mod output;
mod plan;
mod reread;
mod sink;

pub use crate::error::WriteError;
pub use crate::format::encode::entry::{Entry, Word};
pub use crate::format::encode::term::Term;
pub use output::Output;
pub use sink::{Foreseen, TraceSink};

#[cfg(test)]
mod tests;
