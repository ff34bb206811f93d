//! Random properties and traces, for testing engines against the oracle.
//!
//! ```text
//!  seed ─▶ Rng ─▶ random_property(language, depth) ─▶ random_trace(property) ─▶ does the engine say what judge says?
//!                                                                                 └ no ─▶ shrink, describe ─▶ a case to read
//! ```
//!
//! The same seed gives the same cases on every machine. Properties are well-formed and use every construct of their
//! language; shapes that people write (leading universals, `event -> temporal`) are frequent. Their `source` is the
//! formula in a readable notation, and spans point into it. Traces use the few events and values that the properties
//! speak of, so that things meet, and times that hit the bounds of intervals.

mod aggregation;
mod automata;
mod dates;
mod properties;
mod property;
mod quantity;
mod rng;
mod rules;
mod shrink;
mod source;
mod trace;
mod vocabulary;

#[cfg(test)]
mod tests;

pub use aggregation::{random_aggregate, random_aggregation, random_aggregation_trace};
pub use automata::{
    random_automaton, random_lone_automaton, random_mixed_automaton, random_run, random_symmetric_automaton,
};
pub use dates::{random_dates, random_dates_trace};
pub use properties::{random_nested, random_sliced, random_slices};
pub use property::random_property;
pub use quantity::{random_quantity, random_quantity_trace};
pub use rng::Rng;
pub use rules::{random_commands, random_events, random_logfire, random_ruler};
pub use shrink::{is_well_formed, shrink};
pub use source::{describe, write_source};
pub use trace::{random_trace, random_trace_of};
