//! Rules over facts: what guarded commands, RuleR and LogFire lower to.
//!
//! # Meaning
//!
//! A *fact* is a relation's name with values; at every moment a set of facts holds. The events of a trace that belong to
//! the [`RuleSet::alphabet`] are its *steps*, one after the other, also those that share a point; all other events are
//! passed over. At a step:
//!
//! ```text
//!  facts before ─┬─▶ firings: bindings under which a rule's event, facts and guards hold, all on the facts before
//!    the event ──┘        └─▶ effects, together or in turn ─▶ facts after;  each fail of a firing is a violation
//! ```
//!
//! - A *firing* is a rule and a binding of the variables of its event and its facts. Its event, if it has one, is the one at
//!   hand. A rule without an event is tried at every step.
//! - Guards are judged in Kleene's sense: what cannot be computed (division by zero, arithmetic on something that is no
//!   number or has no value, a number longer than [`LONGEST_NUMBER`]) is unknown. A firing whose guards are not false but unknown makes the judge give up, as does an
//!   action that cannot be computed; then nothing of that step is reported.
//! - A comparison over something that has no value (a field that the event lacks, a variable never assigned) is false.
//! - [`Effects::Together`]: what any firing removes goes, and then what any firing inserts is there. A fact of a relation of
//!   [`Lifetime::Step`] that was there before goes in any case.
//! - [`Effects::InTurn`]: firings act in the textual order of their rules, each action on what the one before has left. Such
//!   rules have no facts to join, so that each fires at most once.
//! - Where a relation's first columns are its key, inserting a fact removes those with the same key.
//!
//! Nothing chains within a step, so no set of rules can loop. When a complete trace is over, every fact of a hot relation
//! that is left is a violation of the last point, opened where the fact was inserted.

mod guard;
mod pattern;
mod rule_set;

pub use guard::{FactGuard, FactTerm};
pub use pattern::{EventPattern, FactPattern, Slot};
pub use rule_set::{Action, Effects, Implication, LONGEST_NUMBER, Lifetime, Observed, Relation, RuleSet};
