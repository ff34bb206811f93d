//! The trees that the rule languages share.

use std::sync::Arc;

use referee_trace::value::Value;

use crate::core::{Arithmetic, Comparison, Span};
use crate::parse::c_like::{Arithmetical, Connected};

pub(crate) use crate::parse::c_like::Name;

/// A condition or a value, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    /// A constant.
    Constant(Value, Span),
    /// A name.
    Name(Name),
    /// `x:obj` or `Type x`: a variable and its type, which says nothing.
    Typed(Name, Name),
    /// `_`
    Any(Span),
    /// `f(a, b)`
    Call(Name, Vec<Expression>, Span),
    /// `a.b` or `a.b(c)`
    Member(Box<Expression>, Name, Option<Vec<Expression>>, Span),
    /// `m[k]`
    Index(Box<Expression>, Vec<Expression>, Span),
    /// `not a`
    Not(Box<Expression>, Span),
    /// `a and b …`
    And(Vec<Expression>, Span),
    /// `a or b …`
    Or(Vec<Expression>, Span),
    /// `a < b`
    Compare(Comparison, Box<Expression>, Box<Expression>, Span),
    /// `a in s`
    In(Box<Expression>, Box<Expression>, Span),
    /// Arithmetic.
    Binary(Arithmetic, Box<Expression>, Box<Expression>, Span),
    /// Something that could not be read.
    Unreadable(Span),
}

impl Expression {
    /// Where it stands.
    pub(crate) fn span(&self) -> Span {
        match self {
            Expression::Constant(_, span)
            | Expression::Any(span)
            | Expression::Call(_, _, span)
            | Expression::Member(_, _, _, span)
            | Expression::Index(_, _, span)
            | Expression::Not(_, span)
            | Expression::And(_, span)
            | Expression::Or(_, span)
            | Expression::Compare(_, _, _, span)
            | Expression::In(_, _, span)
            | Expression::Binary(_, _, _, span)
            | Expression::Unreadable(span) => *span,
            Expression::Name(name) => name.span,
            Expression::Typed(name, kind) => name.span.to(kind.span),
        }
    }

    /// The parts that are joined by `and`; the expression itself if there are none.
    pub(crate) fn conjuncts(&self) -> Vec<&Expression> {
        match self {
            Expression::And(all, _) => all.iter().flat_map(Expression::conjuncts).collect(),
            other => vec![other],
        }
    }

    /// The expressions directly in this one.
    pub(crate) fn children(&self) -> Vec<&Expression> {
        match self {
            Expression::Constant(..)
            | Expression::Name(_)
            | Expression::Typed(..)
            | Expression::Any(_)
            | Expression::Unreadable(_) => Vec::new(),
            Expression::Call(_, all, _) | Expression::And(all, _) | Expression::Or(all, _) => all.iter().collect(),
            Expression::Member(base, _, arguments, _) => {
                [&**base].into_iter().chain(arguments.iter().flatten()).collect()
            }
            Expression::Index(base, keys, _) => [&**base].into_iter().chain(keys).collect(),
            Expression::Not(body, _) => vec![body],
            Expression::Compare(_, left, right, _)
            | Expression::In(left, right, _)
            | Expression::Binary(_, left, right, _) => vec![left, right],
        }
    }
}

impl Connected for Expression {
    fn not(body: Expression, span: Span) -> Expression {
        Expression::Not(Box::new(body), span)
    }

    fn and(all: Vec<Expression>, span: Span) -> Expression {
        Expression::And(all, span)
    }

    fn or(all: Vec<Expression>, span: Span) -> Expression {
        Expression::Or(all, span)
    }

    fn unreadable(span: Span) -> Expression {
        Expression::Unreadable(span)
    }
}

impl Arithmetical for Expression {
    fn binary(operator: Arithmetic, left: Expression, right: Expression, span: Span) -> Expression {
        Expression::Binary(operator, Box::new(left), Box::new(right), span)
    }
}

/// `name` or `name(parameter, …)`, as declarations have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Declared {
    /// The name.
    pub name: Name,
    /// The parameters, each with its type if one is written; nothing without parentheses.
    pub parameters: Option<Vec<Expression>>,
}

impl Declared {
    /// The names of the parameters; those of which only a type is written are called `1`, `2`, ….
    pub(crate) fn columns(&self) -> Vec<Arc<str>> {
        let name = |(number, parameter): (usize, &Expression)| match parameter {
            Expression::Typed(name, _) => name.text.clone(),
            Expression::Name(name) => name.text.clone(),
            _ => (number + 1).to_string().into(),
        };
        self.parameters.iter().flatten().enumerate().map(name).collect()
    }

    /// How many parameters there are, if that is said.
    pub(crate) fn arity(&self) -> Option<usize> {
        self.parameters.as_ref().map(Vec::len)
    }
}
