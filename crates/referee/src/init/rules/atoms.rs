//! Rules, and events as their formulas name them.

use crate::init::kinds::{ArgumentSummary, EventKind};

/// A rule, and what it says in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::init) struct FirstRule {
    pub sentence: String,
    pub formula: String,
}

impl FirstRule {
    /// What can be said of any log.
    pub(in crate::init) fn nothing() -> FirstRule {
        FirstRule::new("Anything may happen: put a rule of your own here.", "TRUE")
    }

    pub(super) fn new(sentence: impl Into<String>, formula: impl Into<String>) -> FirstRule {
        FirstRule { sentence: sentence.into(), formula: formula.into() }
    }
}

/// `pay(order, _)`: an event with variables for some arguments, and any value for the others.
pub(super) fn atom(kind: &EventKind, bound: &[&ArgumentSummary]) -> String {
    let is_bound = |argument: &ArgumentSummary| bound.iter().any(|own| std::ptr::eq(*own, argument));
    let arguments = kind.arguments.iter().map(|argument| if is_bound(argument) { &*argument.variable } else { "_" });
    format!("{}({})", kind.name, arguments.collect::<Vec<_>>().join(", "))
}

/// The same with a variable of one's own for one argument.
pub(super) fn atom_with(kind: &EventKind, at: usize, variable: &str) -> String {
    let arguments = (0..kind.arguments.len()).map(|index| if index == at { variable } else { "_" });
    format!("{}({})", kind.name, arguments.collect::<Vec<_>>().join(", "))
}

/// `pay(order, amount)`: an event with the names of its arguments.
pub(in crate::init) fn signature(kind: &EventKind) -> String {
    let names: Vec<&str> = kind.arguments.iter().map(|argument| &*argument.variable).collect();
    format!("{}({})", kind.name, names.join(", "))
}
