//! What happened: values, events, time points, and a reader and a writer for every trace format of the field.
//!
//! ```text
//!  bytes ─▶ source ─▶ format (decoder) ─▶ raw events ─▶ mapping ─▶ events and points ─▶ whoever judges, counts, writes
//! ```
//!
//! Three nouns: a *decoder* cuts text into raw events, the *abstraction* makes events and time points of them, a *sink*
//! receives those. All three are joined at compile time, so that one event costs no virtual call and no allocation.

pub mod abstraction;
pub mod error;
pub mod event;
pub mod format;
pub mod instant;
mod lanes;
pub mod mapping;
mod nearest;
pub mod number;
pub mod owned;
pub mod pattern;
pub mod points;
mod pool;
pub mod prefetch;
pub mod raw;
pub mod reader;
mod recycle;
pub mod reorder;
pub mod signature;
pub mod source;
pub mod stats;
pub mod value;
pub mod values;
pub mod write;
