//! What a user asks of a generator.

use crate::share::Share;

/// Whether the trace obeys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Verdict {
    /// The property holds.
    #[default]
    Satisfied,
    /// It does not.
    Violated,
}

/// How things are called.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Values {
    /// By numbers, mostly in the order of their first appearance.
    #[default]
    Integers,
    /// By strings without any order, such as `user-8f3a51c07be2`.
    Strings,
}

/// A wish for a trace. What is left out is as the generator has it.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// How many events.
    pub events: Option<u64>,
    /// Where chance begins.
    pub seed: u64,
    /// Whether the trace obeys.
    pub verdict: Verdict,
    /// How things are called.
    pub values: Values,
    /// Which part of the trace has passed with the event that breaks the property; 0.999 by default.
    pub at: Option<Share>,
    /// The variant with times.
    pub timed: bool,
    /// How many events a time point has; 1 by default.
    pub per_point: Option<u64>,
    /// How many rows are within the property's window; 10,000 by default.
    pub live: Option<u64>,
    /// How many of the events break the property; 1 % by default.
    pub violations: Option<Share>,
}
