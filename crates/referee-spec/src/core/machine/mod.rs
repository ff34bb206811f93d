//! The core of parametric machines: what QEA, the logics of JavaMOP and LARVA's DATEs lower to.
//!
//! ```text
//!  Machine ─┬─ Quantified: quantifiers over an automaton with registers         (QEA)
//!           ├─ Sliced: a logic over the events of each parameter binding        (MOP)
//!           ├─ Dates: automata with timers in nested scopes                     (LARVA)
//!           └─ Plane: a temporal formula about every point of the plane         (FO-LTL with `define`)
//! ```
//!
//! # Quantified automata
//!
//! An event *belongs* to a binding of the quantified variables if it fits some [`EventClass`] of the automaton with the
//! binding's values put in. A binding's trace is the sequence of its events. Runs begin in the first state with no
//! register bound. On an event, a run takes every transition of its state whose class the event fits: it binds the
//! transition's free variables, tests the guard of each branch in turn, and takes the first that is true: it executes the
//! statements and goes to the target. A transition none of whose guards is true is not taken. A run that takes no
//! transition stays where it is, with its registers as they were, if the state is [`Mode::Skip`]; else it goes to
//! `failure`. A binding is accepted if any run is in an accepting state (with [`Quantified::negated`]: if none is).
//!
//! The domain of a variable is the set of values at its positions in events that fit a class; joined variables have the
//! union of theirs. A condition belongs to the innermost variable it mentions: forall passes over values that it drops,
//! exists does not count them. Quantifiers fold from left to right; an empty forall is true, an empty exists false.
//!
//! **Decided.** A binding is true for good if a run is in a state from which only accepting states can be reached (guards
//! ignored; from a `next` state `failure` can), false for good if all runs are in states from which none can. The negation
//! swaps the two. Forall is false once a seen value falsifies it for good, exists true once a seen value satisfies it for
//! good; everything else is unknown until the end. A violation is one binding of the leading foralls.
//!
//! **Obstacles.** A division by zero, arithmetic on a register that nothing has bound, or a statement that computes with
//! something that is no number makes the binding *stuck*. The first point at which a binding of seen values is stuck ends
//! the judging: violations decided at earlier points stand, later ones are unknown.
//!
//! # Sliced logics
//!
//! An event binds the parameters that it declares. Bindings join where they agree; the *slices* are all joins of bindings
//! seen. The slice of a binding is the sequence of events whose bindings are part of it, from its first creation event on
//! (without creation events, from its first event on); it exists if its events from there bind all that it binds. After
//! each event of a slice its logic says which categories have been reached; each that is written down is a violation.

pub mod dates;
pub mod plane;
mod quantified;
mod sliced;

pub use quantified::{
    AutomatonExpression, AutomatonGuard, AutomatonState, AutomatonStatement, AutomatonTransition, Branch,
    ClassArgument, Condition, EventClass, Mode, Prospect, Quantified, QuantifiedVariable, Register,
};
pub use sliced::{
    Category, Ere, Fsm, FsmState, Grammar, Logic, Nested, Part, Places, RewriteRule, Rewriting, Role, Side, SliceEvent,
    Sliced, Symbol, Temporal,
};

use std::sync::Arc;

use crate::core::formula::Span;
use crate::core::language::Language;

/// One property of a specification that is a machine, ready to be judged.
#[derive(Debug, Clone)]
pub struct Machine {
    /// Its name; the file's stem where it has none of its own.
    pub name: Arc<str>,
    /// The language it was written in.
    pub language: Language,
    /// The text that all spans point into.
    pub source: Arc<str>,
    /// What it demands.
    pub body: Body,
}

/// What a machine demands.
#[derive(Debug, Clone)]
pub enum Body {
    /// Quantifiers over an automaton with registers.
    Quantified(Quantified),
    /// A logic over the slices of a trace.
    Sliced(Sliced),
    /// Automata with timers in nested scopes.
    Dates(dates::Dates),
    /// A formula about every point of the plane.
    Plane(plane::Plane),
}

impl Machine {
    /// The events it can see, each with its number of arguments, if only those with as many are meant, and its place.
    pub fn events(&self) -> Vec<(Arc<str>, Option<usize>, Span)> {
        match &self.body {
            Body::Quantified(body) => {
                let seen = body.classes.iter();
                seen.map(|class| (class.event.clone(), Some(class.arguments.len()), class.span)).collect()
            }
            Body::Sliced(body) => {
                let seen = body.events.iter().filter(|event| !event.end);
                seen.map(|event| (event.name.clone(), Some(event.parameters.len()), event.span)).collect()
            }
            Body::Dates(body) => {
                let seen = body.observed().into_iter();
                seen.map(|(name, arity, span)| (name, Some(arity), span)).collect()
            }
            Body::Plane(body) => body.events.iter().map(|event| (event.name.clone(), None, event.span)).collect(),
        }
    }

    /// The names of the variables that violations report, in order.
    pub fn binding_names(&self) -> Vec<&str> {
        match &self.body {
            Body::Quantified(body) => body.leading().map(|variable| &*variable.name).collect(),
            Body::Sliced(body) => body.parameters.iter().map(|name| &**name).collect(),
            Body::Dates(body) => body.keys.iter().map(|name| &**name).collect(),
            Body::Plane(body) => vec![&*body.variable],
        }
    }
}
