//! Evaluates atoms, the comparisons and truth values of a formula, at a sample.
//!
//! What compares integers, or looks at a truth value, is told by a few instructions ([`Atomic::plain`]); everything else by
//! [`SampleReader`], with exact numbers.

use referee_spec::core::signal::{Robustness, SignalFormula, SignalKind, SignalTerm, TermKind, holds, orders};
use referee_spec::core::{Comparison, Obstacle, Problem};
use referee_trace::number::Number;
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use super::degree::{Degree, SmallDegree};

/// An atom of a formula, made ready.
#[derive(Debug)]
pub(super) struct Atomic {
    /// The atom itself.
    pub formula: SignalFormula,
    plain: Plain,
}

/// What an atom of a formula looks at, if that is simple.
#[derive(Debug)]
enum Plain {
    Truth(usize),
    Compare(Comparison, AtomOperand, AtomOperand),
    No,
}

/// A side of a simple comparison.
#[derive(Debug, Clone, Copy)]
enum AtomOperand {
    Field(usize),
    Integer(i64),
}

impl AtomOperand {
    fn of(term: &SignalTerm) -> Option<AtomOperand> {
        match &term.kind {
            TermKind::Constant(Value::Number(Number::Int(integer))) => Some(AtomOperand::Integer(*integer)),
            TermKind::Field(field) => Some(AtomOperand::Field(*field)),
            _ => None,
        }
    }

    #[inline]
    fn is_missing(self, fields: &[Option<Atom>]) -> bool {
        matches!(self, AtomOperand::Field(field) if fields[field].is_none())
    }

    #[inline]
    fn integer(self, fields: &[Option<Atom>]) -> Option<i64> {
        match self {
            AtomOperand::Field(field) => fields[field]?.as_integer(),
            AtomOperand::Integer(integer) => Some(integer),
        }
    }
}

impl Atomic {
    /// All atoms of a formula, in textual order.
    pub(super) fn all(formula: &SignalFormula) -> Vec<Atomic> {
        let mut atoms = Vec::new();
        collect(formula, &mut atoms);
        atoms
    }

    fn new(formula: &SignalFormula) -> Atomic {
        let plain = match &formula.kind {
            SignalKind::Truth(field) => Plain::Truth(*field),
            SignalKind::Compare(comparison, left, right) => match (AtomOperand::of(left), AtomOperand::of(right)) {
                (Some(left), Some(right)) => Plain::Compare(*comparison, left, right),
                _ => Plain::No,
            },
            _ => Plain::No,
        };
        Atomic { formula: formula.clone(), plain }
    }

    /// Whether it holds and how far it is from changing, where that is simple.
    #[inline]
    pub(super) fn plain(&self, fields: &[Option<Atom>]) -> Option<(bool, SmallDegree)> {
        match &self.plain {
            Plain::Compare(comparison, left, right) => {
                let (Some(one), Some(two)) = (left.integer(fields), right.integer(fields)) else {
                    // What is not there compares with nothing.
                    let missing = left.is_missing(fields) || right.is_missing(fields);
                    return missing.then_some((false, SmallDegree::NEVER));
                };
                let distance = distance(*comparison, one.checked_sub(two)?);
                Some((orders(*comparison, one.cmp(&two)), SmallDegree::of_integer(distance)?))
            }
            Plain::Truth(field) => {
                let truth = fields[*field] == Some(Atom::boolean(true));
                Some((truth, SmallDegree::of(truth)))
            }
            Plain::No => None,
        }
    }
}

/// How far two integers with this difference are from comparing otherwise.
#[inline]
fn distance(comparison: Comparison, difference: i64) -> i64 {
    match comparison {
        Comparison::Less | Comparison::LessOrEqual => difference.saturating_neg(),
        Comparison::Greater | Comparison::GreaterOrEqual => difference,
        Comparison::Equal => difference.saturating_abs().saturating_neg(),
        _ => difference.saturating_abs(),
    }
}

fn collect(formula: &SignalFormula, atoms: &mut Vec<Atomic>) {
    match &formula.kind {
        SignalKind::Constant(_) => {}
        SignalKind::Compare(..) | SignalKind::Truth(_) => atoms.push(Atomic::new(formula)),
        SignalKind::Not(body) | SignalKind::Finally(_, body) | SignalKind::Globally(_, body) => collect(body, atoms),
        SignalKind::And(left, right)
        | SignalKind::Or(left, right)
        | SignalKind::Implies(left, right)
        | SignalKind::Iff(left, right) => {
            collect(left, atoms);
            collect(right, atoms);
        }
        SignalKind::Until(_, left, right) => {
            collect(left, atoms);
            collect(right, atoms);
        }
    }
}

/// Evaluates atoms at a sample.
pub(super) struct SampleReader<'r> {
    /// The values of the fields.
    pub fields: &'r [Option<Atom>],
    /// What they stand for.
    pub values: &'r Values,
    /// The number of the sample.
    pub point: u64,
    /// What was in the way.
    pub obstacle: &'r mut Option<Obstacle>,
}

impl SampleReader<'_> {
    /// Whether an atom holds.
    pub(super) fn holds(&mut self, atom: &SignalFormula) -> bool {
        match &atom.kind {
            SignalKind::Compare(comparison, left, right) => match (self.integer(left), self.integer(right)) {
                (Some(left), Some(right)) => orders(*comparison, left.cmp(&right)),
                _ => match (self.term(left), self.term(right)) {
                    (Some(left), Some(right)) => holds(*comparison, &left, &right),
                    _ => false,
                },
            },
            SignalKind::Truth(field) => self.fields[*field] == Some(Atom::boolean(true)),
            _ => false,
        }
    }

    /// Whether an atom holds, and how far it is from changing.
    pub(super) fn measured(&mut self, atom: &SignalFormula) -> (bool, Robustness) {
        let SignalKind::Compare(comparison, left, right) = &atom.kind else {
            let truth = self.holds(atom);
            return (truth, Robustness::of(truth));
        };
        if let (Some(left), Some(right)) = (self.integer(left), self.integer(right)) {
            let degree = Robustness::of_numbers(*comparison, &Number::Int(left), &Number::Int(right));
            return (orders(*comparison, left.cmp(&right)), degree);
        }
        match (self.term(left), self.term(right)) {
            (Some(left), Some(right)) => {
                (holds(*comparison, &left, &right), Robustness::of_comparison(*comparison, &left, &right))
            }
            _ => (false, Robustness::NegativeInfinity),
        }
    }

    /// The integer that a term is, where no wide number is in the way; it changes nothing.
    fn integer(&self, term: &SignalTerm) -> Option<i64> {
        match &term.kind {
            TermKind::Constant(Value::Number(Number::Int(integer))) => Some(*integer),
            TermKind::Field(field) => self.fields[*field]?.as_integer(),
            _ => self.computed_integer(term),
        }
    }

    fn computed_integer(&self, term: &SignalTerm) -> Option<i64> {
        match &term.kind {
            TermKind::Constant(_) | TermKind::Field(_) | TermKind::Divide(..) => None,
            TermKind::Negate(body) => self.integer(body)?.checked_neg(),
            TermKind::Absolute(body) => self.integer(body)?.checked_abs(),
            TermKind::Add(left, right) => self.integer(left)?.checked_add(self.integer(right)?),
            TermKind::Subtract(left, right) => self.integer(left)?.checked_sub(self.integer(right)?),
            TermKind::Multiply(left, right) => self.integer(left)?.checked_mul(self.integer(right)?),
        }
    }

    fn term(&mut self, term: &SignalTerm) -> Option<Value> {
        let number = match &term.kind {
            TermKind::Constant(value) => return Some(value.clone()),
            TermKind::Field(field) => return self.fields[*field].map(|atom| self.values.value(atom)),
            TermKind::Negate(body) => self.number(body)?.neg(),
            TermKind::Absolute(body) => self.number(body)?.abs(),
            TermKind::Add(left, right) => self.number(left)?.add(&self.number(right)?),
            TermKind::Subtract(left, right) => self.number(left)?.sub(&self.number(right)?),
            TermKind::Multiply(left, right) => self.number(left)?.mul(&self.number(right)?),
            TermKind::Divide(left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                match left.div(&right) {
                    Some(quotient) => quotient,
                    None => return self.obstruct(term),
                }
            }
        };
        Some(Value::Number(number))
    }

    fn number(&mut self, term: &SignalTerm) -> Option<Number> {
        self.term(term)?.as_number().cloned()
    }

    #[cold]
    fn obstruct(&mut self, term: &SignalTerm) -> Option<Value> {
        let obstacle = Obstacle { point: self.point, span: term.span, problem: Problem::DivisionByZero };
        self.obstacle.get_or_insert(obstacle);
        None
    }
}
