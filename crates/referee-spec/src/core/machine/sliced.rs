//! Logics over the slices of a trace.

use std::sync::Arc;

use crate::core::Span;

/// A logic over the slices of a trace.
#[derive(Debug, Clone)]
pub struct Sliced {
    /// The parameters, in order of declaration.
    pub parameters: Vec<Arc<str>>,
    /// The events; a [`Symbol`] is the number of one.
    pub events: Vec<SliceEvent>,
    /// Whether only slices that bind all parameters are judged.
    pub full_binding: bool,
    /// What is demanded of each slice.
    pub logic: Logic,
    /// The categories that are violations, each with its name.
    pub categories: Vec<(Category, Arc<str>)>,
}

/// The number of an event of the alphabet.
pub type Symbol = usize;

/// An event of the alphabet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SliceEvent {
    /// Its name.
    pub name: Arc<str>,
    /// The parameter that each positional argument binds.
    pub parameters: Vec<usize>,
    /// Whether it begins slices.
    pub creation: bool,
    /// Whether it follows the last event in every slice, instead of coming in the trace.
    pub end: bool,
    /// Where it is declared.
    pub span: Span,
}

/// When a slice is reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Category {
    /// The slice so far is in the language; for past-time formulas: the formula holds now.
    Match,
    /// No continuation can be in the language, for the first time; for past-time formulas: the formula does not hold now.
    Fail,
    /// Every continuation is in the language, for the first time.
    Surely,
    /// The machine is in one of these states.
    States(Vec<usize>),
}

/// A logic.
#[derive(Debug, Clone)]
pub enum Logic {
    /// A finite state machine.
    Fsm(Fsm),
    /// An extended regular expression.
    Ere(Ere),
    /// A temporal formula, judged at the first event.
    Ltl(Temporal),
    /// A temporal formula over the past, judged at every event.
    PtLtl(Temporal),
    /// A context-free grammar.
    Cfg(Grammar),
    /// A string rewriting system.
    Srs(Rewriting),
}

/// A finite state machine; the first state is initial. An event without a transition and without default fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fsm {
    /// The states.
    pub states: Vec<FsmState>,
    /// Names for sets of states.
    pub aliases: Vec<(Arc<str>, Vec<usize>)>,
}

impl Fsm {
    /// The states that a name stands for.
    pub fn named(&self, name: &str) -> Option<Vec<usize>> {
        let alias = self.aliases.iter().find(|(alias, _)| **alias == *name).map(|(_, states)| states.clone());
        alias.or_else(|| self.states.iter().position(|state| *state.name == *name).map(|state| vec![state]))
    }
}

/// A state of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FsmState {
    /// Its name.
    pub name: Arc<str>,
    /// The target by event.
    pub targets: Vec<Option<usize>>,
}

/// An extended regular expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ere {
    /// No word.
    Empty,
    /// The empty word.
    Epsilon,
    /// One event.
    Event(Symbol),
    /// One after the other.
    Concat(Box<Ere>, Box<Ere>),
    /// Either.
    Or(Box<Ere>, Box<Ere>),
    /// Both.
    And(Box<Ere>, Box<Ere>),
    /// Any other word.
    Not(Box<Ere>),
    /// Any number of times.
    Star(Box<Ere>),
}

/// A temporal formula over the events of a slice. Operators of the future read the events from now on, those of the past
/// the events up to now; a dual of an operator is `not op not`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Temporal {
    /// True or false.
    Constant(bool),
    /// The event happens now.
    Event(Symbol),
    /// Not.
    Not(Box<Temporal>),
    /// Both.
    And(Box<Temporal>, Box<Temporal>),
    /// Either.
    Or(Box<Temporal>, Box<Temporal>),
    /// There is a next event, and it holds there.
    Next(Box<Temporal>),
    /// The right holds now or later, and until then the left.
    Until(Box<Temporal>, Box<Temporal>),
    /// There is a previous event, and it held there.
    Previous(Box<Temporal>),
    /// The right holds now or held before, and since then the left.
    Since(Box<Temporal>, Box<Temporal>),
}

/// A context-free grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grammar {
    /// The names of the nonterminals; the first is the start.
    pub nonterminals: Vec<Arc<str>>,
    /// The productions: a nonterminal and its right side.
    pub productions: Vec<(usize, Vec<Part>)>,
    /// Where the grammar stands.
    pub span: Span,
}

/// A part of a right side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// An event.
    Event(Symbol),
    /// A nonterminal.
    Nonterminal(usize),
}

/// A string rewriting system. After each event, which is appended to the string, the string is rewritten until no rule
/// applies: at the leftmost place where one does, by the textually first one there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewriting {
    /// The names of the symbols; the first ones are the events.
    pub names: Vec<Arc<str>>,
    /// The rules.
    pub rules: Vec<RewriteRule>,
}

/// A rewriting rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RewriteRule {
    /// Whether the left side stands only at the beginning of the string.
    pub at_start: bool,
    /// Whether the left side stands only at its end.
    pub at_end: bool,
    /// The left side.
    pub left: Vec<usize>,
    /// What replaces it.
    pub right: Side,
    /// Where the rule stands.
    pub span: Span,
}

/// The right side of a rewriting rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Side {
    /// Symbols.
    Symbols(Vec<usize>),
    /// The slice matches, for good.
    Succeed,
    /// The slice fails, for good.
    Fail,
}
