//! The meaning: every kind of rule of [`referee_spec::core`] evaluated naively, straight from its definitions.
//!
//! ```text
//!  Property, OwnedTrace ─▶ world: which values are named or seen, and when
//!                        ─▶ evaluate (terms, relation): a formula at a point, as far as points 1..k decide it
//!                        ─▶ judge: for k = 1, 2, … and the end, which rows are false ─▶ Outcome
//! ```
//!
//! That is the way of formulas; quantities, streams, signals, machines and facts have a module each.
//! It is slow and meant to be obviously right: the engine is tested against it, on hand-made cases and on those of
//! [`random`]. Three nouns: a *truth* is true, false, unknown or undecidable; an *assignment* gives values to variables,
//! some of them anonymous; a *row* is a set of assignments that a violation reports as one.
//!
//! What the definitions leave open is settled here:
//!
//! - An event atom is a disjunction over the point's events of conjunctions over arguments, in Kleene's sense: `p(1 / 0)` is
//!   false where no `p` happens, and undecidable only where a `p` does. An observation likewise.
//! - A term without a value makes its atom false even if another term of it is undecidable. A call with such an argument
//!   is false, one with an undecidable argument undecidable.
//! - Computing can yield a value that is not named. Whether a value that nobody has named equals it is undecidable.
//! - Regular expressions are followed as far as the trace is known: `p q` cannot match from a point without `p`, and that
//!   is known at once.
//! - On a prefix, what is undecidable at its last point counts as pending and is an obstacle too.
//! - `Matches` looks for a match anywhere in the text; nothing matches a text that is no regular expression.
//! - `DivideTruncating` cuts off only between integers and is exact otherwise.
//!
//! Properties must be well-formed: variables are bound, recursive calls read earlier points only.

mod aggregate;
mod arithmetic;
mod assignment;
mod combine;
mod evaluate;
pub mod facts;
mod judge;
pub mod machine;
mod quantity;
mod question;
pub mod random;
mod relation;
pub mod signal;
pub mod stream;
mod terms;
mod truth;
mod world;

#[cfg(test)]
mod tests;

use referee_spec::core::{Formula, Outcome, Property, Rule, VarId};
use referee_trace::owned::OwnedTrace;

use assignment::{Assignment, Datum};
use evaluate::Evaluator;
use world::World;

pub use quantity::judge_quantity;
pub use question::{ClockStep, Known, Meaning, Mode};
pub use truth::Truth;

/// Judges a rule on a trace.
pub fn judge_rule(rule: &Rule, trace: &OwnedTrace, mode: Mode) -> Outcome {
    match rule {
        Rule::Formula(property) => judge(property, trace, mode),
        Rule::Quantity(rule) => judge_quantity(rule, trace, mode),
        Rule::Stream(program) => stream::judge(program, trace, mode),
        Rule::Signal(formula) => signal::judge(formula, trace, mode),
        Rule::Machine(machine) => machine::judge(machine, trace, mode),
        Rule::Facts(rules) => facts::judge(rules, trace, mode),
    }
}

/// The same where a clock moves between points, in order. Only what reads the future by intervals can tell; DATEs, whose timeouts
/// belong to the point that comes next, cannot be asked.
pub fn judge_with_clock(rule: &Rule, trace: &OwnedTrace, mode: Mode, clock: &[ClockStep]) -> Outcome {
    match rule {
        Rule::Formula(property) => judge::judge(property, trace, mode, clock),
        Rule::Quantity(rule) => quantity::judge_with_clock(rule, trace, mode, clock),
        Rule::Signal(formula) => signal::judge_with_clock(formula, trace, mode, clock),
        rule => judge_rule(rule, trace, mode),
    }
}

/// Judges a property on a trace.
pub fn judge(property: &Property, trace: &OwnedTrace, mode: Mode) -> Outcome {
    judge::judge(property, trace, mode, &[])
}

/// The truth of one formula of a property at a point (from 1), as far as the known part of the trace decides it.
pub fn evaluate(
    property: &Property,
    trace: &OwnedTrace,
    formula: &Formula,
    point: usize,
    assignment: &[(VarId, Meaning)],
    known: Known,
) -> Truth {
    let mut evaluator = Evaluator::new(property, World::new(property, trace));
    match known {
        Known::UpTo(point) => evaluator.learn(point.min(trace.points.len())),
        Known::End => evaluator.learn_end(),
    }
    let mut values = Assignment::empty(property);
    for (variable, meaning) in assignment {
        let datum = match meaning {
            Meaning::Value(value) => Datum::Value(evaluator.world.intern(value.clone())),
            Meaning::Anonymous(number) => Datum::Anonymous(*number),
        };
        values = values.with(*variable, datum);
    }
    evaluator.saturate(|evaluator| {
        evaluator.formula(formula, point, &values);
    });
    evaluator.formula(formula, point, &values)
}
