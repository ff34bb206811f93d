//! DATEs: automata with timers, in scopes that are opened for every value.
//!
//! ```text
//!  GLOBAL ─┬─ variables, clocks, channels, events, properties
//!          └─ FOREACH (u) ─┬─ its own                            one context per value of u
//!                          └─ FOREACH (s) …                      one per value of s, below each context of u
//! ```
//!
//! Everything is numbered through the whole file: keys (the variables of FOREACH), variables, clocks, channels, events,
//! properties. A *context* is a scope with values for its keys; it holds the variables and clocks of its scope and the
//! states of its properties.
//!
//! **Happenings** are events of the trace, timeouts and received messages. A happening *fits* an event line if it fits one of
//! its ways; in a context it must agree with the values of the context's keys. A happening is dealt with in two steps:
//!
//! 1. *Contexts open.* For every scope, outer ones first: if the happening fits a way of a line in that scope, or below it, and gives
//!    its keys and those of all scopes around it values, then the context with these values opens, unless it is there. Its variables have
//!    their initial values, its clocks begin to run, its properties begin.
//! 2. *Automata move.* Contexts take turns: each is followed by those below it, those of one scope come in the order of opening, scopes and
//!    properties in textual order. Each automaton takes the first transition from its state whose event fits and whose condition holds,
//!    and executes its statements at once; if there is none it stays. Entering a bad state is a violation.
//!
//! A timeout or a message happens to the context of its clock or channel and to those below it only. Messages that are sent wait until
//! the happening has been dealt with, and are then dealt with one after the other.
//!
//! **Time.** Without times in the trace, points count. `c@d` happens when the clock has run for d: after everything at that very time,
//! and before anything later. Of several the earliest comes first, then that of the context that opened first, then by the clock's
//! place in the text. When the trace is over (and not a prefix), time goes on: every timeout that is ahead happens, in the same order, as
//! long as its clock is left alone. What a timeout between two points violates is a violation of the later one.
//!
//! **Obstacles.** An expression that cannot be computed, or more than [`MOST_HAPPENINGS`] timeouts and messages between two
//! events, ends the judging.

use std::sync::Arc;

use referee_trace::number::Number;
use referee_trace::value::Value;

use crate::core::formula::{Arithmetic, Comparison, Span};

/// How many timeouts and messages are dealt with between two events of the trace.
pub const MOST_HAPPENINGS: u64 = 100_000;

/// The scopes of a file and all that is in them.
#[derive(Debug, Clone, Default)]
pub struct Dates {
    /// The scopes in textual order; the first is GLOBAL.
    pub scopes: Vec<Scope>,
    /// The names of the keys.
    pub keys: Vec<Arc<str>>,
    /// The variables.
    pub variables: Vec<DateVariable>,
    /// The clocks.
    pub clocks: Vec<Clock>,
    /// The names of the channels and their scopes.
    pub channels: Vec<(Arc<str>, usize)>,
    /// The event lines.
    pub events: Vec<Event>,
    /// The automata.
    pub properties: Vec<DateProperty>,
}

/// A scope.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// The scope that it stands in; nothing for GLOBAL.
    pub parent: Option<usize>,
    /// Its own keys.
    pub keys: Vec<usize>,
    /// Its own variables.
    pub variables: Vec<usize>,
    /// Its own clocks.
    pub clocks: Vec<usize>,
    /// Its own properties.
    pub properties: Vec<usize>,
}

/// A variable.
#[derive(Debug, Clone)]
pub struct DateVariable {
    /// Its name.
    pub name: Arc<str>,
    /// Its scope.
    pub scope: usize,
    /// Whether it holds a set of values, which is empty at first.
    pub is_set: bool,
    /// Its value at first, if it has one.
    pub initial: Option<Value>,
}

/// A clock.
#[derive(Debug, Clone)]
pub struct Clock {
    /// Its name.
    pub name: Arc<str>,
    /// Its scope.
    pub scope: usize,
    /// After how long something waits for it, ascending.
    pub delays: Vec<Number>,
    /// Where it is declared.
    pub span: Span,
}

/// An event line.
#[derive(Debug, Clone)]
pub struct Event {
    /// Its name.
    pub name: Arc<str>,
    /// Its scope.
    pub scope: usize,
    /// The names of the values that it shows.
    pub locals: Vec<Arc<str>>,
    /// The happenings that it stands for; the first that fits counts.
    pub ways: Vec<Way>,
}

/// Happenings that an event line stands for.
#[derive(Debug, Clone)]
pub struct Way {
    /// What happens.
    pub trigger: DateTrigger,
    /// What its arguments must be; nothing for timeouts.
    pub arguments: Vec<DateArgument>,
    /// Whether more arguments may follow.
    pub open: bool,
    /// Where it stands.
    pub span: Span,
}

/// What happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DateTrigger {
    /// An event of the trace with this name.
    Observed(Arc<str>),
    /// A clock has run for its delay of this number.
    Timeout(usize, usize),
    /// A message comes through a channel.
    Received(usize),
}

/// What an argument must be, as far as anything is demanded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DateArgument {
    /// The value of a key.
    pub key: Option<usize>,
    /// The value of a local; where that stands twice, both are equal.
    pub local: Option<usize>,
    /// A constant.
    pub constant: Option<Value>,
}

impl Way {
    /// The keys that it gives values, each once, with a position of each.
    pub fn keys(&self) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (position, argument) in self.arguments.iter().enumerate() {
            if let Some(key) = argument.key
                && found.iter().all(|(known, _)| *known != key)
            {
                found.push((key, position));
            }
        }
        found
    }
}

/// An automaton.
#[derive(Debug, Clone)]
pub struct DateProperty {
    /// Its name.
    pub name: Arc<str>,
    /// Its scope.
    pub scope: usize,
    /// The states.
    pub states: Vec<DateState>,
    /// Where it begins.
    pub start: usize,
    /// The transitions in textual order.
    pub transitions: Vec<DateTransition>,
}

/// A state of an automaton.
#[derive(Debug, Clone)]
pub struct DateState {
    /// Its name.
    pub name: Arc<str>,
    /// Whether entering it is a violation.
    pub bad: bool,
}

/// A transition.
#[derive(Debug, Clone)]
pub struct DateTransition {
    /// Where it begins.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// The event line.
    pub event: usize,
    /// What must hold.
    pub guard: DateGuard,
    /// What is done then, in order.
    pub statements: Vec<DateStatement>,
}

/// A condition. An atom over something without a value is false.
#[derive(Debug, Clone)]
pub enum DateGuard {
    /// True or false.
    Constant(bool),
    /// Not.
    Not(Box<DateGuard>),
    /// All of them.
    And(Vec<DateGuard>),
    /// One of them.
    Or(Vec<DateGuard>),
    /// Two values compare so; an order only between two numbers or two strings.
    Compare(Comparison, DateExpression, DateExpression),
    /// The value is in the set.
    In(DateExpression, usize),
    /// The set is empty.
    Empty(usize),
}

/// A value that is computed.
#[derive(Debug, Clone)]
pub enum DateExpression {
    /// That of a key.
    Key(usize),
    /// That of a local of the event.
    Local(usize),
    /// That of a variable.
    Variable(usize),
    /// How long a clock has run.
    Clock(usize),
    /// A constant.
    Constant(Value),
    /// Arithmetic, and its place.
    Binary(Arithmetic, Box<DateExpression>, Box<DateExpression>, Span),
}

/// Something that a transition does.
#[derive(Debug, Clone)]
pub enum DateStatement {
    /// A variable gets a value.
    Assign(usize, DateExpression, Span),
    /// A set gets an element.
    Add(usize, DateExpression, Span),
    /// A set loses an element.
    Remove(usize, DateExpression, Span),
    /// A set becomes empty.
    Clear(usize),
    /// Something is done with a clock.
    Clock(usize, ClockAct),
    /// A message is sent; the place says where.
    Send(usize, Vec<DateExpression>, Span),
}

/// What can be done with a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockAct {
    /// It runs from zero, and all its timeouts are ahead.
    Reset,
    /// It stands still.
    Pause,
    /// It runs on, if it stood still.
    Resume,
    /// It has no value and no timeouts until it is reset.
    Off,
}

impl Dates {
    /// The events of the trace that it speaks of with a fixed number of arguments, each with that number and its place.
    pub fn observed(&self) -> Vec<(Arc<str>, usize, Span)> {
        let ways = self.events.iter().flat_map(|event| &event.ways).filter(|way| !way.open);
        let named = ways.filter_map(|way| match &way.trigger {
            DateTrigger::Observed(name) => Some((name.clone(), way.arguments.len(), way.span)),
            _ => None,
        });
        named.collect()
    }

    /// The scopes that a scope stands in, itself last.
    pub fn chain(&self, scope: usize) -> Vec<usize> {
        let mut chain = vec![scope];
        while let Some(parent) = self.scopes[chain[0]].parent {
            chain.insert(0, parent);
        }
        chain
    }

    /// The keys of a scope and those that it stands in, outer ones first.
    pub fn keys_of(&self, scope: usize) -> Vec<usize> {
        self.chain(scope).into_iter().flat_map(|scope| self.scopes[scope].keys.iter().copied()).collect()
    }

    /// Whether a scope is another one or stands in it.
    pub fn is_inside(&self, inner: usize, outer: usize) -> bool {
        self.chain(inner).contains(&outer)
    }
}
