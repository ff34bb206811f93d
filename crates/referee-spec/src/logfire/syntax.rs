//! The tree of a LogFire file, as written.

use std::sync::Arc;

use crate::core::Span;
use crate::rules::syntax::{Declared, Expression, Name};

/// A whole file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Document {
    /// The monitors, in order; what stands outside of `monitor` blocks is one, too.
    pub monitors: Vec<Monitor>,
    /// The comments after the last one.
    pub comments: Vec<Arc<str>>,
}

/// `monitor Name { … }`, or what stands outside of such blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Monitor {
    /// The comments before it.
    pub comments: Vec<Arc<str>>,
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// Declarations and rules, in order.
    pub items: Vec<Item>,
    /// The comments after the last of them.
    pub end_comments: Vec<Arc<str>>,
    /// Where it stands.
    pub span: Span,
}

/// A declaration or a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// The comments before and in it.
    pub comments: Vec<Arc<str>>,
    /// What it is.
    pub kind: ItemKind,
}

/// What an item is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// `event e(x), f`
    Events(Vec<Declared>),
    /// `fact F(x), G` or `hot fact F(x)`
    Facts {
        /// Whether they must not be left at the end.
        hot: bool,
        /// The facts.
        facts: Vec<Declared>,
    },
    /// `rule name: conditions -> actions`
    Rule(Rule),
}

/// `rule name: conditions -> actions`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rule {
    /// Its name.
    pub name: Name,
    /// The conditions.
    pub condition: Expression,
    /// The actions.
    pub actions: Vec<Action>,
    /// Where it stands.
    pub span: Span,
}

/// An action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action {
    /// Something is done to a fact; without parentheses, to the one of the conditions.
    Change(Change, Declared, Span),
    /// `fail "message"`
    Fail(Option<Arc<str>>, Span),
    /// `ok`
    Ok,
}

/// What is done to a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// It holds.
    Insert,
    /// It holds no longer.
    Remove,
    /// It takes the place of the fact of that name in the conditions.
    Update,
}

impl Change {
    /// All of them.
    pub(super) const ALL: [Change; 3] = [Change::Insert, Change::Remove, Change::Update];

    /// The word that is written.
    pub(super) fn word(self) -> &'static str {
        match self {
            Change::Insert => "insert",
            Change::Remove => "remove",
            Change::Update => "update",
        }
    }
}
