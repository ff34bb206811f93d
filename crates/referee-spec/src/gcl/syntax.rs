//! The tree of a file of guarded commands, as written.

use std::sync::Arc;

use crate::core::Span;
use crate::rules::syntax::{Expression, Name};

/// A whole file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Document {
    /// The properties, in order; what stands outside of `property` blocks is one, too.
    pub properties: Vec<Property>,
    /// The comments after the last one.
    pub comments: Vec<Arc<str>>,
}

/// `property Name { … }`, or what stands outside of such blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Property {
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
    /// `var x = 0`, `set s`, `map m`
    Declaration(Sort, Name, Option<Expression>),
    /// `event | condition -> actions;`
    Rule(Rule),
}

/// What a global name holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// One value.
    Variable,
    /// Elements.
    Set,
    /// Keys with values.
    Map,
}

/// `event | condition -> actions;`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rule {
    /// The event.
    pub pattern: Pattern,
    /// The condition, if there is one.
    pub condition: Option<Expression>,
    /// The actions.
    pub statements: Vec<Statement>,
    /// Where it stands.
    pub span: Span,
}

/// `*.method(..) target (Type x)`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// What stands before the last dot: a class or `*`.
    pub qualifier: Option<Arc<str>>,
    /// The event's name.
    pub name: Name,
    /// Its arguments.
    pub arguments: Arguments,
    /// The target: the first argument.
    pub target: Option<Expression>,
}

/// The arguments of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Arguments {
    /// No parentheses: any arguments.
    None,
    /// `(..)`: any arguments.
    Any,
    /// These.
    Listed(Vec<Expression>),
}

/// An action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Statement {
    /// `x = e` or `m[k] = e`; `x++`, `x += e` and their like are written out.
    Assign(Expression, Expression, Span),
    /// `s.add(e)`
    Call(Name, Method, Vec<Expression>, Span),
    /// `fail("message")`
    Fail(Option<Arc<str>>, Span),
}

/// What is done to a set or a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// A set gets an element.
    Add,
    /// A map gets a value for a key.
    Put,
    /// A set loses an element, a map a key.
    Remove,
    /// Nothing is left.
    Clear,
}

impl Method {
    /// The method with this name.
    pub(super) fn named(name: &str) -> Option<Method> {
        Some(match name {
            "add" => Method::Add,
            "put" => Method::Put,
            "remove" => Method::Remove,
            "clear" => Method::Clear,
            _ => return None,
        })
    }

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Method::Add => "add",
            Method::Put => "put",
            Method::Remove => "remove",
            Method::Clear => "clear",
        }
    }
}
