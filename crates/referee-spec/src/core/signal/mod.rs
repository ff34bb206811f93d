//! Signal temporal logic: formulas over fields that keep their values until the next sample.
//!
//! # Meaning
//!
//! Every point is a *sample*; samples are numbered 1..n, and sample i has the time t_i (a sample without time has that of
//! the one before, the first one 0). A field has the value that the last event up to the sample gave it.
//!
//! ```text
//!  x         5        8     3              a formula, too, has one value per sample, and keeps it until the next one
//!            ├────────┼─────┼──────▶
//!  t         0        4     6     9
//!                 └──────┘
//!                 [t+3, t+7]               seen through the interval: samples 1 (still in force at 3), 2 and 3
//! ```
//!
//! Sample j lies in the interval [a, b] as seen from sample i ≤ j if t_j ∈ [t_i + a, t_i + b], or if it is the one in force
//! at t_i + a: t_j < t_i + a < t_{j+1}, the last sample being in force for ever. So no interval is empty.
//!
//! | formula | holds at i iff | robustness at i |
//! |---|---|---|
//! | `a < b`, `a <= b` | so | b − a |
//! | `a > b`, `a >= b` | so | a − b |
//! | `a = b`, `a != b` of numbers | so | −\|a − b\|, \|a − b\| |
//! | any other atom, `true`, `false` | so | ∞ if it holds, else −∞ |
//! | `not φ` | φ does not | the negated one |
//! | `φ and ψ`, `φ or ψ` | both, one of them | the less, the greater |
//! | `F_I φ`, `G_I φ` | φ at some, at all j in I | the greatest, the least of them |
//! | `φ U_I ψ` | ψ at some j in I, and φ at all k in [i, j), and at j if t_j < t_i + a | greatest over j of the least of those |
//!
//! An atom over a field that has no value yet, or whose terms do not compare, does not hold. At the first sample at which any
//! term divides by zero the judgement ends, unless there was a verdict before. A formula is judged at the first
//! sample; of the empty trace, `G` holds and all else that looks at samples does not.
//!
//! **Decided.** After sample k a formula at a sample up to k is true, false or unknown in Kleene's sense; samples after k are
//! unknown, and so is whether k lies in an interval that begins after t_k. No sample after k lies in an interval that ended
//! before t_k.

use std::cmp::Ordering;
use std::sync::Arc;

use referee_trace::mapping::Unit;
use referee_trace::number::Number;
use referee_trace::value::Value;

use super::stream::Duration;
use crate::core::formula::{Comparison, Span};

/// A formula over signals, ready to be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    /// Its name: the file's stem.
    pub name: Arc<str>,
    /// The text that all spans point into.
    pub source: Arc<str>,
    /// The unit of the trace's times.
    pub unit: Unit,
    /// Whether the robustness is wanted, too.
    pub robustness: bool,
    /// The fields it reads.
    pub fields: Vec<Arc<str>>,
    /// The formula.
    pub formula: SignalFormula,
}

/// A formula and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignalFormula {
    /// What it says.
    pub kind: SignalKind,
    /// Where it stands.
    pub span: Span,
}

/// What a formula says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignalKind {
    /// `true`, `false`
    Constant(bool),
    /// Two terms compared.
    Compare(Comparison, SignalTerm, SignalTerm),
    /// A field that is `true`.
    Truth(usize),
    /// `not φ`
    Not(Box<SignalFormula>),
    /// `φ and ψ`
    And(Box<SignalFormula>, Box<SignalFormula>),
    /// `φ or ψ`
    Or(Box<SignalFormula>, Box<SignalFormula>),
    /// `φ => ψ`
    Implies(Box<SignalFormula>, Box<SignalFormula>),
    /// `φ <=> ψ`
    Iff(Box<SignalFormula>, Box<SignalFormula>),
    /// `F_I φ`
    Finally(SignalInterval, Box<SignalFormula>),
    /// `G_I φ`
    Globally(SignalInterval, Box<SignalFormula>),
    /// `φ U_I ψ`
    Until(SignalInterval, Box<SignalFormula>, Box<SignalFormula>),
}

/// A term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignalTerm {
    /// What it says.
    pub kind: TermKind,
    /// Where it stands.
    pub span: Span,
}

/// What a term says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TermKind {
    /// A value.
    Constant(Value),
    /// A field.
    Field(usize),
    /// `-t`
    Negate(Box<SignalTerm>),
    /// `abs(t)`
    Absolute(Box<SignalTerm>),
    /// `t + t`
    Add(Box<SignalTerm>, Box<SignalTerm>),
    /// `t - t`
    Subtract(Box<SignalTerm>, Box<SignalTerm>),
    /// `t * t`
    Multiply(Box<SignalTerm>, Box<SignalTerm>),
    /// `t / t`, exact.
    Divide(Box<SignalTerm>, Box<SignalTerm>),
}

/// How far a formula is from changing its truth.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Robustness {
    /// It cannot become true by any change.
    NegativeInfinity,
    /// By how much values may change.
    Finite(Number),
    /// It cannot become false by any change.
    PositiveInfinity,
}

impl Robustness {
    /// The one of something that holds or not, whatever numbers are.
    pub fn of(truth: bool) -> Robustness {
        if truth { Robustness::PositiveInfinity } else { Robustness::NegativeInfinity }
    }

    /// That of the negation.
    #[must_use]
    #[inline]
    pub fn negated(&self) -> Robustness {
        match self {
            Robustness::NegativeInfinity => Robustness::PositiveInfinity,
            Robustness::Finite(number) => Robustness::Finite(number.neg()),
            Robustness::PositiveInfinity => Robustness::NegativeInfinity,
        }
    }

    /// That of comparing two values.
    pub fn of_comparison(comparison: Comparison, left: &Value, right: &Value) -> Robustness {
        let (Value::Number(one), Value::Number(two)) = (left, right) else {
            return Robustness::of(holds(comparison, left, right));
        };
        Robustness::of_numbers(comparison, one, two)
    }

    /// That of comparing two numbers.
    #[inline]
    pub fn of_numbers(comparison: Comparison, one: &Number, two: &Number) -> Robustness {
        Robustness::Finite(match comparison {
            Comparison::Less | Comparison::LessOrEqual => two.sub(one),
            Comparison::Greater | Comparison::GreaterOrEqual => one.sub(two),
            Comparison::Equal => one.sub(two).abs().neg(),
            _ => one.sub(two).abs(),
        })
    }
}

impl std::fmt::Display for Robustness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Robustness::NegativeInfinity => f.write_str("-inf"),
            Robustness::Finite(number) => number.fmt(f),
            Robustness::PositiveInfinity => f.write_str("inf"),
        }
    }
}

/// Whether two values compare so: numbers by size, strings by code point, anything for equality.
pub fn holds(comparison: Comparison, left: &Value, right: &Value) -> bool {
    let ordered = match (left, right) {
        (Value::Number(_), Value::Number(_)) | (Value::String(_), Value::String(_)) => Some(left.cmp(right)),
        _ => None,
    };
    match comparison {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        _ => ordered.is_some_and(|order| orders(comparison, order)),
    }
}

/// Whether two values in this order compare so.
#[inline]
pub fn orders(comparison: Comparison, order: Ordering) -> bool {
    match comparison {
        Comparison::Equal => order.is_eq(),
        Comparison::NotEqual => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::LessOrEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

/// How far ahead an operator looks: from `low` to `high`, both included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignalInterval {
    /// The beginning.
    pub low: Duration,
    /// The end; nothing if there is none.
    pub high: Option<Duration>,
}

impl SignalInterval {
    /// All of the future, the present included.
    pub fn all() -> SignalInterval {
        SignalInterval { low: Duration { amount: Number::ZERO, unit: None }, high: None }
    }

    /// Whether it is all of the future.
    pub fn is_all(&self) -> bool {
        self.low.amount == Number::ZERO && self.high.is_none()
    }
}

impl SignalFormula {
    /// The formulas directly below this one, in textual order.
    pub fn children(&self) -> Vec<&SignalFormula> {
        match &self.kind {
            SignalKind::Constant(_) | SignalKind::Compare(..) | SignalKind::Truth(_) => Vec::new(),
            SignalKind::Not(body) | SignalKind::Finally(_, body) | SignalKind::Globally(_, body) => vec![body],
            SignalKind::And(left, right)
            | SignalKind::Or(left, right)
            | SignalKind::Implies(left, right)
            | SignalKind::Iff(left, right)
            | SignalKind::Until(_, left, right) => vec![left, right],
        }
    }

    /// Where the field of this number is read first, if it is.
    fn use_of_field(&self, field: usize) -> Option<Span> {
        match &self.kind {
            SignalKind::Truth(own) => (*own == field).then_some(self.span),
            SignalKind::Compare(_, left, right) => left.use_of_field(field).or_else(|| right.use_of_field(field)),
            _ => self.children().into_iter().find_map(|child| child.use_of_field(field)),
        }
    }
}

impl SignalTerm {
    fn use_of_field(&self, field: usize) -> Option<Span> {
        match &self.kind {
            TermKind::Constant(_) => None,
            TermKind::Field(own) => (*own == field).then_some(self.span),
            TermKind::Negate(body) | TermKind::Absolute(body) => body.use_of_field(field),
            TermKind::Add(left, right)
            | TermKind::Subtract(left, right)
            | TermKind::Multiply(left, right)
            | TermKind::Divide(left, right) => left.use_of_field(field).or_else(|| right.use_of_field(field)),
        }
    }
}

impl Signal {
    /// The fields it reads, each with the place at which it is read first.
    pub fn field_uses(&self) -> impl Iterator<Item = (&Arc<str>, Span)> {
        let place = |field| self.formula.use_of_field(field).unwrap_or(self.formula.span);
        self.fields.iter().enumerate().map(move |(field, name)| (name, place(field)))
    }

    /// The text at a span.
    pub fn text(&self, span: Span) -> &str {
        self.source.get(span.start..span.end).unwrap_or("")
    }
}
