//! The few small types that the compiler, its programs and their tables share.

pub mod join;

use referee_spec::core::Interval;
use referee_trace::number::Number;

/// How many variables a unit may have.
pub const REGISTERS: usize = 24;

/// A table of a program, by its number.
pub type ViewId = usize;

/// A variable of one unit of the program.
pub type Var = u32;

/// Whether the newest witness of a row tells whether the row is within an interval: now belongs to it, and it ends.
pub fn is_newest_enough(interval: &Interval) -> bool {
    interval.contains(&Number::ZERO) && interval.high.is_some()
}
