//! Moments as logs write them: a text becomes a day, a time of the day and an offset, and these a number of units since 1970.
//!
//! ```text
//!  "2026-11-15T12:30:00.5+01:00" ─▶ WrittenTime { day 20772, second 45000, nanosecond 5e8, offset 3600 } ─▶ Moment ─▶ Number
//! ```
//!
//! The forms of logs have their digits at fixed places, so they are read by position: ten nanoseconds where a general parser
//! takes a hundred. Neighbours are nearly always of one day, whose number is therefore kept (`DayCache`). A text that has
//! another form of ISO 8601 goes to `jiff`, which is also what random tests compare with.

mod calendar;
mod digits;
mod forms;
mod moment;
mod pattern;

pub(crate) use calendar::DayCache;
pub use forms::{Guess, guess};
pub(crate) use forms::{apache, rfc3339, syslog};
pub(crate) use moment::{WrittenTime, Zone};
pub(crate) use pattern::Pattern;
