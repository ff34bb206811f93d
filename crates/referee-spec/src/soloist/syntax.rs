//! The tree of a file as it was written.
//!
//! Parentheses are not part of the tree; the span of what they enclose includes them. Chains of `&` and of `|` are flat.

use std::sync::Arc;

use referee_trace::mapping::Unit;
use referee_trace::number::Number;

use super::lex::Letter;
use crate::core::stream::Duration;
use crate::core::{Comparison, Interval, Span};

/// A property as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// Its name, if it has one.
    pub(super) name: Option<Arc<str>>,
    /// What it says.
    pub(super) formula: Formula,
    /// Where.
    pub(super) span: Span,
}

/// A formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Formula {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// What a formula says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// What could not be read; an error was reported.
    Missing,
    /// `true`, `false`
    Constant(bool),
    /// `p`
    Atom(Arc<str>),
    /// `!F`
    Not(Box<Formula>),
    /// `F & F & …`
    And(Vec<Formula>),
    /// `F | F | …`
    Or(Vec<Formula>),
    /// `F -> F`
    Implies(Box<Formula>, Box<Formula>),
    /// `F <-> F`
    Iff(Box<Formula>, Box<Formula>),
    /// `F U_I F`, `F S_I F`
    Binary(Letter, Option<WrittenInterval>, Box<Formula>, Box<Formula>),
    /// `G_I F` and its like, this many times.
    Unary(Letter, u32, Option<WrittenInterval>, Box<Formula>),
    /// `C[K] <= n (p)` and its like.
    Modality(Box<Modality>),
}

/// A modality as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Modality {
    pub(super) letter: Letter,
    /// K.
    pub(super) window: Natural,
    /// h, where the modality has one.
    pub(super) stretch: Option<Natural>,
    pub(super) comparison: Comparison,
    /// n.
    pub(super) bound: Natural,
    /// One, or two for `D`.
    pub(super) arguments: Vec<Formula>,
}

/// An interval as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WrittenInterval {
    pub(super) low: Natural,
    pub(super) low_included: bool,
    /// Nothing for `inf`.
    pub(super) high: Option<Natural>,
    pub(super) high_included: bool,
}

/// A natural number as written, or a length of time such as `30s`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Natural {
    /// Its digits, without zeros in front.
    pub(super) digits: Arc<str>,
    /// The unit, if it is written with one.
    pub(super) unit: Option<Unit>,
    pub(super) span: Span,
}

impl Natural {
    /// The number in the trace's unit of time.
    pub(super) fn in_unit(&self, trace: Unit) -> Number {
        let amount = Number::parse(&self.digits).unwrap_or(Number::ZERO);
        Duration { amount, unit: self.unit }.in_unit(trace)
    }

    /// Whether one of two lengths has a unit and the other has none, so that only the trace tells which is longer.
    pub(super) fn is_mixed_with(&self, other: &Natural) -> bool {
        self.unit.is_some() != other.unit.is_some() && &*self.digits != "0" && &*other.digits != "0"
    }
}

impl std::fmt::Display for Natural {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.digits, self.unit.map_or("", Unit::sign))
    }
}

impl WrittenInterval {
    /// The interval in the trace's unit of time.
    pub(super) fn in_unit(&self, trace: Unit) -> Interval {
        Interval {
            low: self.low.in_unit(trace),
            low_included: self.low_included,
            high: self.high.as_ref().map(|high| high.in_unit(trace)),
            high_included: self.high_included,
        }
    }
}

impl Formula {
    /// The formulas directly below this one.
    pub(super) fn children(&self) -> Vec<&Formula> {
        match &self.kind {
            Kind::Missing | Kind::Constant(_) | Kind::Atom(_) => Vec::new(),
            Kind::Not(body) | Kind::Unary(_, _, _, body) => vec![body],
            Kind::And(parts) | Kind::Or(parts) => parts.iter().collect(),
            Kind::Implies(left, right) | Kind::Iff(left, right) | Kind::Binary(_, _, left, right) => vec![left, right],
            Kind::Modality(modality) => modality.arguments.iter().collect(),
        }
    }

    /// Whether something in it could not be read.
    pub(super) fn has_gap(&self) -> bool {
        self.kind == Kind::Missing || self.children().into_iter().any(Formula::has_gap)
    }
}
