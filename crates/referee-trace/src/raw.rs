//! Concrete events: what a format says, before any mapping.
//!
//! ```text
//!  text block ─▶ Decoder ─▶ RawEvent { shape, values } ─▶ RawSink
//! ```
//!
//! Logs repeat themselves: thousands of events carry the same name and the same field names in the same order. That
//! pair is a [`Shape`]. A decoder finds the shape of an event and hands over only the values; whoever listens works out
//! once per shape what it wants of such an event, never once per event.

mod integers;
mod shape;
mod shapes;
mod sink;

pub use integers::IntegerRows;
pub(crate) use integers::{RowHead, Unused};
pub use shape::{Shape, ShapeId, Want};
pub use shapes::Shapes;
pub use sink::{Bulk, NoRawRows, RawEvent, RawRowSink, RawSink};
