//! The tree of a QEA file, as written.

use std::convert::Infallible;
use std::sync::Arc;

use referee_trace::value::Value;

use crate::core::{Quantifier, Span};
use crate::parse::c_like::{CLikeExpression, CLikeGuard};

pub(super) use crate::parse::c_like::Name;

/// A condition.
pub(super) type Guard = CLikeGuard<Infallible, Infallible>;

/// A value.
pub(super) type Expression = CLikeExpression<Infallible>;

/// A whole file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Document {
    /// The automata, in order.
    pub automata: Vec<Automaton>,
    /// The comments after the last one.
    pub comments: Vec<Arc<str>>,
}

/// `qea (Name) { … }`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Automaton {
    /// The comments before it.
    pub comments: Vec<Arc<str>>,
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// What stands before the states, in order.
    pub head: Vec<Head>,
    /// The states.
    pub states: Vec<State>,
    /// The comments after the last state.
    pub end_comments: Vec<Arc<str>>,
    /// From `qea` to the closing brace.
    pub span: Span,
}

/// A part of an automaton before its states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    /// The comments before it.
    pub comments: Vec<Arc<str>>,
    /// What it says.
    pub kind: HeadKind,
}

/// What a part before the states says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum HeadKind {
    /// `forall(x, y)` or `exists(x, y)`
    Quantified(Quantifier, Vec<Name>),
    /// `where(F)`
    Where(Guard),
    /// `join(x, y)`
    Join(Vec<Name>),
    /// `negated`
    Negated,
}

/// A state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    /// The comments before it.
    pub comments: Vec<Arc<str>>,
    /// Whether `accept` stands before it.
    pub accepting: bool,
    /// Whether it is `next` and not `skip`.
    pub is_next: bool,
    /// Its name.
    pub name: Name,
    /// Its transitions.
    pub transitions: Vec<Transition>,
    /// The comments after the last of them.
    pub end_comments: Vec<Arc<str>>,
}

/// A transition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Transition {
    /// The comments before and in it.
    pub comments: Vec<Arc<str>>,
    /// The event's name.
    pub event: Name,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// What follows, and what follows `else`.
    pub branches: Vec<Branch>,
}

/// An argument of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Argument {
    /// A variable.
    Variable(Name),
    /// A constant.
    Constant(Value),
    /// `_`
    Any,
}

/// `if [guard] do [statements] -> State`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Branch {
    /// The guard, if there is one.
    pub guard: Option<Guard>,
    /// The statements.
    pub statements: Vec<Statement>,
    /// The target.
    pub target: Name,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Statement {
    /// `x := e`; `x++`, `x += e` and their like are written out.
    Assign(Name, Expression, Span),
    /// `S.add(e)`
    Add(Name, Expression, Span),
    /// `S.remove(e)`
    Remove(Name, Expression, Span),
    /// `S := {}`
    Clear(Name),
}
