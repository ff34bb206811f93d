//! The tree of a RuleR file, as written.

use std::sync::Arc;

use crate::core::Span;
use crate::rules::syntax::{Declared, Expression, Name};

/// A whole file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Document {
    /// The rulers, in order.
    pub rulers: Vec<Ruler>,
    /// The comments after the last one.
    pub comments: Vec<Arc<str>>,
}

/// `ruler Name { … }`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ruler {
    /// The comments before it.
    pub comments: Vec<Arc<str>>,
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// Its parts, in order.
    pub parts: Vec<Part>,
    /// The comments after the last of them.
    pub end_comments: Vec<Arc<str>>,
    /// From `ruler` to the closing brace.
    pub span: Span,
}

/// A part of a ruler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// The comments before it.
    pub comments: Vec<Arc<str>>,
    /// What it says.
    pub kind: PartKind,
}

/// What a part says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PartKind {
    /// `observes e(obj), f;`
    Observes(Vec<Declared>),
    /// `state Name(x:obj) { … }`
    Rules(RuleBlock),
    /// `initials Start, Safe(3);`
    Initials(Vec<Declared>),
    /// `forbidden Open;`
    Forbidden(Vec<Name>),
}

/// How long the instances of a rule live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Modifier {
    /// For ever.
    Always,
    /// Until one of its rules fires.
    State,
    /// For one event.
    Step,
}

impl Modifier {
    /// The word that is written.
    pub(super) fn word(self) -> &'static str {
        match self {
            Modifier::Always => "always",
            Modifier::State => "state",
            Modifier::Step => "step",
        }
    }
}

/// `state Name(x:obj) { … }`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RuleBlock {
    /// How long its instances live.
    pub modifier: Modifier,
    /// Its name and parameters.
    pub declared: Declared,
    /// Its rules.
    pub rules: Vec<Rule>,
    /// The comments after the last of them.
    pub end_comments: Vec<Arc<str>>,
}

/// `conditions -> targets`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rule {
    /// The comments before and in it.
    pub comments: Vec<Arc<str>>,
    /// The conditions.
    pub conditions: Vec<Expression>,
    /// What follows the arrow.
    pub targets: Vec<Target>,
    /// Where it stands.
    pub span: Span,
}

/// What follows an arrow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// `Ok`
    Ok,
    /// `Fail("message")`
    Fail(Option<Arc<str>>, Span),
    /// `Safe(i)`
    Add(Name, Vec<Expression>, Span),
    /// `!Safe(i)`
    Remove(Name, Vec<Expression>, Span),
}
