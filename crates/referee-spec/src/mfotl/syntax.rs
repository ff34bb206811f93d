//! The syntax tree of MFOTL: what was written, with its place.
//!
//! Parentheses leave no trace in the tree, but the span of a formula that begins or ends with one holds it. Chains of
//! `AND` and of `OR` are one node, whatever their parentheses.

use std::sync::Arc;

use referee_trace::mapping::Unit;

use crate::core::{AggregateFunction, BinaryOp, Comparison, Direction, Quantifier, Span, UnaryOp};
use crate::parse::Comment;

/// A file: one policy.
#[derive(Debug, Clone)]
pub(super) struct Document {
    /// The policy.
    pub(super) formula: Formula,
    /// All comments, in order.
    pub(super) comments: Vec<Comment>,
}

/// A name and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) text: Arc<str>,
    pub(super) span: Span,
}

/// A formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Formula {
    pub(super) kind: FormulaKind,
    pub(super) span: Span,
}

/// What a formula says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FormulaKind {
    /// What an error left out.
    Missing,
    /// `TRUE` or `FALSE`.
    Constant(bool),
    /// `P(t, …)`: an event, a defined name, or one of `tp`, `ts`, `tpts`.
    Predicate(Predicate),
    /// `t = t` and its like.
    Compare(Comparison, Term, Term),
    /// `NOT F`.
    Not(Box<Formula>),
    /// `F AND F AND …`, at least two.
    And(Vec<Formula>),
    /// `F OR F OR …`, at least two.
    Or(Vec<Formula>),
    /// `F IMPLIES F`.
    Implies(Box<Formula>, Box<Formula>),
    /// `F EQUIV F`.
    Equiv(Box<Formula>, Box<Formula>),
    /// `EXISTS x, …. F` or `FORALL x, …. F`.
    Quantified(Quantifier, Vec<Name>, Box<Formula>),
    /// `ONCE I F` and its like.
    Unary(UnaryOp, Option<Interval>, Box<Formula>),
    /// `F SINCE I F` and its like.
    Binary(BinaryOp, Option<Interval>, Box<Formula>, Box<Formula>),
    /// `MATCHF I R` or `MATCHP I R`.
    Match(Direction, Option<Interval>, Regex),
    /// `LET P(x, …) = F IN F` or `LETPAST …`.
    Let(Box<Let>),
    /// `r <- SUM x; g, … F`.
    Aggregation(Box<Aggregation>),
}

/// A name applied to terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Predicate {
    pub(super) name: Name,
    pub(super) arguments: Vec<Term>,
}

/// A definition and the formula that may use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Let {
    /// Whether it is `LETPAST`, so that `definition` may use the name for earlier points.
    pub(super) past: bool,
    pub(super) name: Name,
    pub(super) parameters: Vec<Name>,
    pub(super) definition: Formula,
    pub(super) body: Formula,
}

/// An aggregation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Aggregation {
    pub(super) result: Name,
    pub(super) operator: AggregateFunction,
    pub(super) over: Name,
    pub(super) groups: Vec<Name>,
    pub(super) body: Formula,
}

/// A regular expression over points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Regex {
    /// `.`
    Any,
    /// `F`
    Step(Box<Formula>),
    /// `F?`
    Test(Box<Formula>),
    /// `R R …`, at least two.
    Concat(Vec<Regex>),
    /// `R + R + …`, at least two.
    Choice(Vec<Regex>),
    /// `R*`
    Star(Box<Regex>),
}

/// An interval as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: Bound,
    pub(super) low_included: bool,
    /// Nothing for `*`.
    pub(super) high: Option<Bound>,
    pub(super) high_included: bool,
    pub(super) span: Span,
}

/// An end of an interval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bound {
    /// The digits.
    pub(super) digits: Arc<str>,
    /// Nothing for the trace's own unit.
    pub(super) unit: Option<Unit>,
    pub(super) span: Span,
}

/// A term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) kind: TermKind,
    pub(super) span: Span,
}

/// What a term says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TermKind {
    /// What an error left out.
    Missing,
    /// A variable or an unquoted string.
    Name(Arc<str>),
    /// A number as written, without commas between thousands.
    Number(Arc<str>),
    /// A string.
    Text(Arc<str>),
    /// `_`
    Any,
    /// Arithmetic.
    Binary(Operator, Box<Term>, Box<Term>),
    /// `-t`
    Negate(Box<Term>),
    /// A conversion.
    Apply(Conversion, Box<Term>),
}

/// Arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

/// Conversions between types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conversion {
    FloatToInteger,
    IntegerToFloat,
    IntegerToText,
    TextToInteger,
    FloatToText,
    TextToFloat,
}

impl Formula {
    /// The formula with its parts joined as one chain of `AND`.
    pub(super) fn and(left: Formula, right: Formula, span: Span) -> Formula {
        let mut parts = left.into_conjuncts();
        parts.extend(right.into_conjuncts());
        Formula { kind: FormulaKind::And(parts), span }
    }

    /// The formula with its parts joined as one chain of `OR`.
    pub(super) fn or(left: Formula, right: Formula, span: Span) -> Formula {
        let mut parts = left.into_disjuncts();
        parts.extend(right.into_disjuncts());
        Formula { kind: FormulaKind::Or(parts), span }
    }

    /// The formulas directly below this one, in textual order.
    pub(super) fn children(&self) -> Vec<&Formula> {
        match &self.kind {
            FormulaKind::Missing | FormulaKind::Constant(_) | FormulaKind::Predicate(_) | FormulaKind::Compare(..) => {
                Vec::new()
            }
            FormulaKind::Not(body) | FormulaKind::Quantified(_, _, body) | FormulaKind::Unary(_, _, body) => vec![body],
            FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().collect(),
            FormulaKind::Implies(left, right)
            | FormulaKind::Equiv(left, right)
            | FormulaKind::Binary(_, _, left, right) => vec![left, right],
            FormulaKind::Match(_, _, regex) => regex.formulas(),
            FormulaKind::Let(definition) => vec![&definition.definition, &definition.body],
            FormulaKind::Aggregation(aggregation) => vec![&aggregation.body],
        }
    }

    fn into_conjuncts(self) -> Vec<Formula> {
        match self.kind {
            FormulaKind::And(parts) => parts,
            kind => vec![Formula { kind, span: self.span }],
        }
    }

    fn into_disjuncts(self) -> Vec<Formula> {
        match self.kind {
            FormulaKind::Or(parts) => parts,
            kind => vec![Formula { kind, span: self.span }],
        }
    }
}

impl Regex {
    /// One expression after another.
    pub(super) fn concat(parts: Vec<Regex>) -> Regex {
        Regex::flat(parts, Regex::Concat, |part| match part {
            Regex::Concat(inner) => Ok(inner),
            other => Err(other),
        })
    }

    /// One of several expressions.
    pub(super) fn choice(parts: Vec<Regex>) -> Regex {
        Regex::flat(parts, Regex::Choice, |part| match part {
            Regex::Choice(inner) => Ok(inner),
            other => Err(other),
        })
    }

    /// Joins parts, those of the same kind without a level of their own; a single part is itself.
    fn flat(
        parts: Vec<Regex>,
        join: impl Fn(Vec<Regex>) -> Regex,
        open: impl Fn(Regex) -> Result<Vec<Regex>, Regex>,
    ) -> Regex {
        let mut flat: Vec<Regex> = Vec::with_capacity(parts.len());
        for part in parts {
            match open(part) {
                Ok(inner) => flat.extend(inner),
                Err(other) => flat.push(other),
            }
        }
        match flat.pop() {
            Some(only) if flat.is_empty() => only,
            Some(last) => {
                flat.push(last);
                join(flat)
            }
            None => Regex::Any,
        }
    }

    /// Any number of times.
    pub(super) fn star(body: Regex) -> Regex {
        match body {
            Regex::Star(_) => body,
            other => Regex::Star(Box::new(other)),
        }
    }

    /// The formulas that the expression tests, in textual order.
    pub(super) fn formulas(&self) -> Vec<&Formula> {
        match self {
            Regex::Any => Vec::new(),
            Regex::Step(formula) | Regex::Test(formula) => vec![formula],
            Regex::Concat(parts) | Regex::Choice(parts) => parts.iter().flat_map(Regex::formulas).collect(),
            Regex::Star(body) => body.formulas(),
        }
    }
}
