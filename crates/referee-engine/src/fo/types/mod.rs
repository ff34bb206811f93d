//! The few small types that the compiler, its programs and their tables share.

pub(crate) mod join;
pub(crate) mod store_shape;

use std::cmp::Ordering;

use referee_spec::core::{Comparison, Interval};
use referee_trace::number::Number;

/// How many variables a unit may have.
pub(crate) const REGISTERS: usize = 24;

/// A table of a program, by its number.
pub(crate) type ViewId = usize;

/// A variable of one unit of the program.
pub(crate) type Var = u32;

/// Whether the newest witness of a row tells whether the row is within an interval: now belongs to it, and it ends.
pub(crate) fn is_newest_enough(interval: &Interval) -> bool {
    interval.contains(&Number::ZERO) && interval.high.is_some()
}

/// Whether numbers in this order compare so.
pub(crate) fn orders(how: Comparison, order: Ordering) -> bool {
    match how {
        Comparison::Less => order.is_lt(),
        Comparison::LessOrEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterOrEqual => order.is_ge(),
        Comparison::Equal => order.is_eq(),
        Comparison::NotEqual => order.is_ne(),
        Comparison::Substring | Comparison::Matches => false,
    }
}
