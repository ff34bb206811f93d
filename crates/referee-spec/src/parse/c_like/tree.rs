//! Trees of C-like languages, as written.

use std::sync::Arc;

use referee_trace::value::Value;

use crate::core::{Arithmetic, Comparison, Span};

/// A name and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    /// The name; empty if it is missing.
    pub(crate) text: Arc<str>,
    /// Its place.
    pub(crate) span: Span,
}

/// A condition, where a language keeps conditions and values apart. `V` and `C` are the values and conditions that only one
/// language has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CLikeGuard<V, C> {
    /// `true` or `false`
    Constant(bool),
    /// The body does not hold.
    Not(Box<CLikeGuard<V, C>>),
    /// All of them hold.
    And(Vec<CLikeGuard<V, C>>),
    /// One of them holds.
    Or(Vec<CLikeGuard<V, C>>),
    /// Two values compare so.
    Compare(Comparison, CLikeExpression<V>, CLikeExpression<V>),
    /// The value is in the set.
    In(CLikeExpression<V>, Name),
    /// The set is empty.
    Empty(Name),
    /// What only this language can ask.
    Own(C),
    /// Something that could not be read.
    Unreadable,
}

/// A value, where a language keeps conditions and values apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CLikeExpression<V> {
    /// A variable.
    Variable(Name),
    /// A constant.
    Constant(Value),
    /// What only this language can compute.
    Own(V),
    /// Arithmetic, and its place.
    Binary(Arithmetic, Box<CLikeExpression<V>>, Box<CLikeExpression<V>>, Span),
}
