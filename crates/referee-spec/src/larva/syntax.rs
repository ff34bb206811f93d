//! The tree of a LARVA file, as written.

use std::sync::Arc;

use referee_trace::value::Value;

use crate::core::Span;
use crate::core::machine::dates::ClockAct;
use crate::core::stream::Duration;
use crate::parse::c_like::{CLikeExpression, CLikeGuard};

pub(super) use crate::parse::c_like::Name;

/// A condition.
pub(super) type Guard = CLikeGuard<Current, Holds>;

/// A value.
pub(super) type Expression = CLikeExpression<Current>;

/// `clock.current()`: how long a clock has run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Current(pub Name);

/// A variable that is true or false, as a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Holds(pub Name);

/// A whole file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Document {
    /// The scopes called GLOBAL; there should be one.
    pub globals: Vec<Scope>,
    /// The comments after the last one.
    pub comments: Vec<Arc<str>>,
}

/// A name with its type, as far as that is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Typed {
    /// The type, as written.
    pub sort: Option<Arc<str>>,
    /// The name.
    pub name: Name,
}

/// `GLOBAL { … }` or `FOREACH (T x, …) { … }`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scope {
    /// The comments before it.
    pub comments: Vec<Arc<str>>,
    /// The variables that it ranges over; none for GLOBAL.
    pub keys: Vec<Typed>,
    /// What is in it, in order.
    pub parts: Vec<Part>,
    /// The comments before its closing brace.
    pub end_comments: Vec<Arc<str>>,
    /// From its word to the closing brace.
    pub span: Span,
}

/// A part of a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// `VARIABLES { … }`
    Variables(Block<Declaration>),
    /// `EVENTS { … }`
    Events(Block<EventLine>),
    /// `PROPERTY name { … }`
    Property(Property),
    /// `FOREACH (…) { … }`
    Foreach(Scope),
}

/// Lines between braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block<T> {
    /// The comments before it.
    pub comments: Vec<Arc<str>>,
    /// The lines, each with the comments before it.
    pub lines: Vec<(Vec<Arc<str>>, T)>,
    /// The comments before the closing brace.
    pub end_comments: Vec<Arc<str>>,
}

/// `int n = 0;`, `Clock c;`, `Channel k = new Channel();`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Declaration {
    /// Its type and its name.
    pub typed: Typed,
    /// The value at first.
    pub initial: Option<Value>,
}

/// `name(T x) = { way | way } where k = x;`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EventLine {
    /// Its name.
    pub name: Name,
    /// The parameters that are written.
    pub parameters: Vec<Typed>,
    /// What it stands for.
    pub ways: Vec<Way>,
    /// Which key is which argument.
    pub wheres: Vec<(Name, Name)>,
}

/// One of the things that an event line stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Way {
    /// Another event line.
    Line(Name),
    /// `clock@delay`
    Timeout(Name, Duration, Span),
    /// `target.method(arguments) …`
    Call(Call),
}

/// An event of the trace or a message, as a call of a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    /// What stands before the dot.
    pub target: Option<Typed>,
    /// The method.
    pub method: Name,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// Whether `..` says that more may follow.
    pub open: bool,
    /// `target (T x)`: the first argument of the event.
    pub named_target: Option<Typed>,
    /// `uponReturning (T x)`: its last argument.
    pub returning: Option<Typed>,
    /// From the target to the last parenthesis.
    pub span: Span,
}

/// An argument of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Argument {
    /// A name.
    Named(Typed),
    /// A constant.
    Constant(Value),
    /// `_`
    Any,
}

/// `PROPERTY name { STATES { … } TRANSITIONS { … } }`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Property {
    /// The comments before it.
    pub comments: Vec<Arc<str>>,
    /// Its name.
    pub name: Name,
    /// The states, by kind, in order.
    pub states: Vec<(StateKind, Vec<Name>)>,
    /// The transitions.
    pub transitions: Block<Transition>,
    /// From `PROPERTY` to the closing brace.
    pub span: Span,
}

/// A kind of state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StateKind {
    /// Where all is well for good.
    Accepting,
    /// Where something is wrong.
    Bad,
    /// Anything else.
    Normal,
    /// Where the automaton begins.
    Starting,
}

impl StateKind {
    /// All kinds, in the order of printing.
    pub(super) const ALL: [StateKind; 4] =
        [StateKind::Accepting, StateKind::Bad, StateKind::Normal, StateKind::Starting];

    /// Its word.
    pub(super) fn word(self) -> &'static str {
        match self {
            StateKind::Accepting => "ACCEPTING",
            StateKind::Bad => "BAD",
            StateKind::Normal => "NORMAL",
            StateKind::Starting => "STARTING",
        }
    }
}

/// `s -> t [event \ condition \ action]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Transition {
    /// Where it begins.
    pub from: Name,
    /// Where it leads.
    pub to: Name,
    /// The event line.
    pub event: Name,
    /// What must hold.
    pub guard: Option<Guard>,
    /// What is done.
    pub statements: Vec<Statement>,
}

/// Something that a transition does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Statement {
    /// `x = e;`
    Assign(Name, Expression, Span),
    /// `S.add(e);`
    Add(Name, Expression, Span),
    /// `S.remove(e);`
    Remove(Name, Expression, Span),
    /// `S.clear();`
    Clear(Name),
    /// `c.reset();` and the like.
    Clock(Name, ClockAct),
    /// `k.send(e, …);`
    Send(Name, Vec<Expression>, Span),
}

/// The word of what is done with a clock.
pub(super) fn clock_word(act: ClockAct) -> &'static str {
    match act {
        ClockAct::Reset => "reset",
        ClockAct::Pause => "pause",
        ClockAct::Resume => "resume",
        ClockAct::Off => "off",
    }
}
