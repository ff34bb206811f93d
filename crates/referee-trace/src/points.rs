//! Points in batches: what those who judge consume.
//!
//! ```text
//!  EventSink ─▶ Batcher ─▶ Points { points  1     2     5            number, and where its events end
//!                 │                 events  a     b  a  a            shape, and where its arguments end
//!                 │                 atoms   7  x  7  8  x  y  9  z }
//!                 └ events that nobody wants are counted and dropped before any value is looked at
//! ```
//!
//! Integers become atoms as they come. All other texts wait until the batch is full and are then looked up together, so
//! that the waits for memory overlap; judges do the same with their own tables. A point never lies in two batches, and a
//! batch never in two traces.
//!
//! What a judge wants of a shape is an [`Interest`]: which arguments, of which rows, and whether points without any such
//! event can be left out. Points that are left out keep their numbers: the next one's is greater by more than one.

mod amount;
mod batch;
mod batcher;
mod draft;
mod handling;
mod interest;
mod last;
mod remote;
mod sink;

pub use amount::Amount;
pub use batch::{PointView, Points, SingleEvents};
pub use batcher::{Batcher, Filler};
pub use interest::Interest;
pub use last::Last;
pub use remote::{Done, Remote, read_on_own_thread};
pub use sink::PointSink;

#[cfg(test)]
mod tests;
