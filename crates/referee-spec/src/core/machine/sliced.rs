//! Logics over the slices of a trace.

use std::sync::Arc;

use crate::core::formula::Span;

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
    /// The slice so far is in the language; for formulas over the past: the formula holds now.
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
    /// A temporal formula over the past and the calls that are open, judged at every event.
    PtCaret(Nested),
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
    /// There is a previous event of the same frame, and it held there.
    FramePrevious(Box<Temporal>),
    /// The right holds now or held before in the same frame, and since then the left at the events of the frame.
    FrameSince(Box<Temporal>, Box<Temporal>),
    /// It held at the first event of the frame.
    AtBegin(Box<Temporal>),
    /// The frame was called, and it held at the call.
    AtCall(Box<Temporal>),
    /// The right held at one of some places on the stack, and the left at all later ones.
    StackSince(Places, Box<Temporal>, Box<Temporal>),
}

impl Temporal {
    /// The formulas that it is made of.
    pub fn parts(&self) -> Vec<&Temporal> {
        match self {
            Temporal::Constant(_) | Temporal::Event(_) => Vec::new(),
            Temporal::Not(body) | Temporal::Next(body) | Temporal::Previous(body) => vec![body],
            Temporal::FramePrevious(body) | Temporal::AtBegin(body) | Temporal::AtCall(body) => vec![body],
            Temporal::And(left, right) | Temporal::Or(left, right) | Temporal::Until(left, right) => vec![left, right],
            Temporal::Since(left, right) | Temporal::FrameSince(left, right) => vec![left, right],
            Temporal::StackSince(_, left, right) => vec![left, right],
        }
    }

    /// Whether it reads which calls are open.
    pub fn reads_calls(&self) -> bool {
        let own = matches!(
            self,
            Temporal::FramePrevious(_)
                | Temporal::FrameSince(..)
                | Temporal::AtBegin(_)
                | Temporal::AtCall(_)
                | Temporal::StackSince(..)
        );
        own || self.parts().into_iter().any(Temporal::reads_calls)
    }
}

/// Places on the stack: the first events of the frames that are open, their calls, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Places {
    /// First events.
    pub begins: bool,
    /// Calls.
    pub calls: bool,
}

/// A temporal formula over the past of slices in which some events are calls and returns.
///
/// A return closes the last call that is open; if none is, it is an event like others. A *frame* is what happens between a call and its
/// return, without the frames inside it; a call and its return belong to the frame around them. So the event before a return, in its frame, is
/// its call, and the first event after a call has none. Events outside all calls are a frame, too, which nobody called. At any event the
/// stack has the frames that are open, the innermost of them the event's own; the event itself is on it if it is a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nested {
    /// The formula.
    pub formula: Temporal,
    /// What each event does.
    pub roles: Vec<Role>,
    /// Where the formula stands.
    pub span: Span,
}

/// What an event does to the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// Nothing.
    #[default]
    Plain,
    /// It opens a frame.
    Call,
    /// It closes one.
    Return,
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
