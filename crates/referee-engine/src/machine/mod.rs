//! Judges machines: quantified automata, sliced logics, DATEs, and formulas about the plane.
//!
//! ```text
//!  alphabet: which events fit what ─▶ event_routing: which bindings they reach ─▶ automaton: where those go ─▶ judge
//!                                        └ store: instances, classes, groups, indexes      └ config: one number per behaviour
//! ```
//!
//! An *instance* is a binding, perhaps of some variables only, that behaves otherwise than what it extends. Its
//! *configuration* is a number: instances with equal numbers behave alike from now on, and are moved together.

mod alphabet;
mod automaton;
mod behaviour;
mod binding;
mod config;
mod dates;
mod distinct_values;
mod event_routing;
mod finite;
mod grammar;
mod harmless;
mod key_numbers;
mod nested;
mod plane;
mod quantified;
mod quantifier_tree;
mod replay;
mod rewriting;
mod seen;
mod slice_forgetting;
mod slices;
mod state;
mod store;
mod symmetry;

use referee_spec::core::machine::{Body, Machine};

use crate::judge::Judge;
pub use dates::DatesJudge;
pub use plane::PlaneJudge;
pub use quantified::{QuantifiedJudge, halved};
pub use slices::SlicedJudge;
pub use symmetry::Halving;

/// The judge of a machine. `complete` says that the trace will not be ended as a prefix, so that nothing needs to be kept for
/// counting what is pending.
pub fn judge(machine: &Machine, complete: bool) -> Box<dyn Judge> {
    match &machine.body {
        Body::Quantified(body) => Box::new(QuantifiedJudge::new(machine, body, complete)),
        Body::Sliced(body) => Box::new(SlicedJudge::new(machine, body)),
        Body::Dates(body) => Box::new(DatesJudge::new(machine, body)),
        Body::Plane(body) => Box::new(PlaneJudge::new(machine, body)),
    }
}
