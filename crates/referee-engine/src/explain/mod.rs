//! How a property will be judged, in plain words: for people who wonder what a specification costs.
//!
//! ```text
//!   Rule ─▶ one file per kind of rule ─▶ Outline ─▶ text, or JSON by its fields
//!             formulas: the tables and what events do to them (effects), when a violation is certain (timing)
//! ```

mod effects;
mod facts;
mod formulas;
mod machines;
mod outline;
mod quantities;
mod signals;
mod streams;
mod timing;
mod wording;

#[cfg(test)]
mod tests;

use referee_spec::core::Rule;

pub use outline::{EventOutline, Looks, Outline, TableOutline};

/// The outline of a rule.
pub fn of(rule: &Rule) -> Outline {
    match rule {
        Rule::Formula(property) => formulas::of_formula(property),
        Rule::Quantity(rule) => quantities::of_quantity(rule),
        Rule::Stream(program) => streams::of_program(program),
        Rule::Signal(signal) => signals::of_signal(signal),
        Rule::Machine(machine) => machines::of(machine),
        Rule::Facts(rules) => facts::of(rules),
    }
}
