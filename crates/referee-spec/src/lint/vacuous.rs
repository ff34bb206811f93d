//! Implications that cannot fail, because a side of them is constant.
//!
//! One pass from the leaves up: each formula is constantly true, constantly false, or neither. The rules are those that
//! hold on every trace with at least one point; a quantifier is constant only where an empty domain agrees.

use referee_trace::value::Value;

use super::formulas::formulas;
use crate::core::{BinaryOp, Comparison, Formula, Kind, Property, Quantifier, Span, Term, UnaryOp};
use crate::diagnostic::Diagnostic;

/// Implications whose left side is never true or whose right side always is.
pub(super) fn lint(property: &Property) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for formula in formulas(property) {
        truth(formula, &mut found);
    }
    found
}

/// The value that a formula has everywhere, if that can be seen; implications on the way are checked.
pub(super) fn truth(formula: &Formula, found: &mut Vec<Diagnostic>) -> Option<bool> {
    match &formula.kind {
        Kind::Constant(truth) => Some(*truth),
        Kind::Compare(comparison, left, right) => constant_comparison(*comparison, left, right),
        Kind::Event(_) | Kind::Observe(_) | Kind::Call(..) => None,
        Kind::Not(body) => truth(body, found).map(|truth| !truth),
        Kind::And(all) => joined(all, false, found),
        Kind::Or(all) => joined(all, true, found),
        Kind::Implies(left, right) => implication(left, right, found),
        Kind::Iff(left, right) => match (truth(left, found), truth(right, found)) {
            (Some(left), Some(right)) => Some(left == right),
            _ => None,
        },
        Kind::Quantified(quantifier, _, body) => {
            let vacuous = *quantifier == Quantifier::Forall;
            truth(body, found).filter(|truth| *truth == vacuous)
        }
        Kind::Unary(op, interval, body) => {
            let holds_now = interval.is_all();
            unary(*op, truth(body, found)?, holds_now)
        }
        Kind::Binary(op, interval, left, right) => {
            let sides = (truth(left, found), truth(right, found));
            binary(*op, sides, interval.is_all())
        }
        Kind::Aggregate(aggregation) => {
            truth(&aggregation.body, found);
            None
        }
        Kind::Match(_, _, regex) => {
            for formula in regex.formulas() {
                truth(formula, found);
            }
            None
        }
    }
}

/// A conjunction (`decisive` false) or a disjunction (`decisive` true).
fn joined(all: &[Formula], decisive: bool, found: &mut Vec<Diagnostic>) -> Option<bool> {
    let truths: Vec<Option<bool>> = all.iter().map(|part| truth(part, found)).collect();
    if truths.contains(&Some(decisive)) || has_opposites(all) {
        return Some(decisive);
    }
    truths.iter().all(Option::is_some).then_some(!decisive)
}

/// Whether an atom stands beside its negation. Long lists are not searched: the search compares each with each.
fn has_opposites(all: &[Formula]) -> bool {
    let negated =
        |part: &Formula| matches!(&part.kind, Kind::Not(body) if all.iter().any(|other| same_atom(other, body)));
    all.len() <= 16 && all.iter().any(negated)
}

/// Whether both are the same atom. Larger formulas are not compared: their spans differ.
fn same_atom(left: &Formula, right: &Formula) -> bool {
    matches!(left.kind, Kind::Event(_) | Kind::Compare(..)) && left.kind == right.kind
}

fn implication(left: &Formula, right: &Formula, found: &mut Vec<Diagnostic>) -> Option<bool> {
    let (left_truth, right_truth) = (truth(left, found), truth(right, found));
    match (left_truth, right_truth) {
        (Some(false), _) => found.push(vacuous(left.span, "the left side of this implication is never true")),
        (_, Some(true)) => found.push(vacuous(right.span, "the right side of this implication is always true")),
        _ if same_atom(left, right) => {
            found.push(vacuous(left.span.to(right.span), "both sides of this implication are the same"));
            return Some(true);
        }
        _ => {}
    }
    match (left_truth, right_truth) {
        (Some(false), _) | (_, Some(true)) => Some(true),
        (Some(true), Some(false)) => Some(false),
        _ => None,
    }
}

fn vacuous(span: Span, message: &str) -> Diagnostic {
    let message = format!("{message}, so it cannot fail");
    Diagnostic::warning("L0004", span, message).hint("correct the side that is constant, or remove the implication")
}

/// A unary operator over a body that has one value everywhere; `holds_now` if the interval is [0, ∞).
fn unary(op: UnaryOp, body: bool, holds_now: bool) -> Option<bool> {
    match op {
        UnaryOp::Prev | UnaryOp::Next => (!body).then_some(false),
        UnaryOp::WeakPrev | UnaryOp::WeakNext => body.then_some(true),
        UnaryOp::Once | UnaryOp::Eventually => (holds_now || !body).then_some(body),
        UnaryOp::Historically | UnaryOp::Always => (holds_now || body).then_some(body),
    }
}

/// A binary operator over sides that may have one value everywhere.
fn binary(op: BinaryOp, (left, right): (Option<bool>, Option<bool>), holds_now: bool) -> Option<bool> {
    match op {
        BinaryOp::Since | BinaryOp::Until if right == Some(false) => Some(false),
        BinaryOp::Since | BinaryOp::Until if holds_now => right.filter(|right| *right),
        BinaryOp::WeakSince | BinaryOp::WeakUntil if left == Some(true) => Some(true),
        BinaryOp::WeakSince | BinaryOp::WeakUntil if holds_now => right.filter(|right| *right),
        BinaryOp::Trigger | BinaryOp::Release if right == Some(true) => Some(true),
        BinaryOp::Trigger | BinaryOp::Release if holds_now => right.filter(|right| !*right),
        BinaryOp::StrictSince => right.filter(|right| !*right),
        _ => None,
    }
}

/// Comparisons between constants, and of a variable with itself.
fn constant_comparison(comparison: Comparison, left: &Term, right: &Term) -> Option<bool> {
    use Comparison::*;
    match (left, right) {
        (Term::Constant(left), Term::Constant(right)) => compare(comparison, left, right),
        (Term::Variable(left), Term::Variable(right)) if left == right => match comparison {
            Equal => Some(true),
            NotEqual | Less | Greater => Some(false),
            LessOrEqual | GreaterOrEqual | Substring | Matches => None,
        },
        _ => None,
    }
}

fn compare(comparison: Comparison, left: &Value, right: &Value) -> Option<bool> {
    let order = match (left, right) {
        (Value::Number(left), Value::Number(right)) => Some(left.cmp(right)),
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        _ => None,
    };
    match comparison {
        Comparison::Equal => Some(left == right),
        Comparison::NotEqual => Some(left != right),
        Comparison::Less => order.map(|order| order.is_lt()),
        Comparison::LessOrEqual => order.map(|order| order.is_le()),
        Comparison::Greater => order.map(|order| order.is_gt()),
        Comparison::GreaterOrEqual => order.map(|order| order.is_ge()),
        Comparison::Substring | Comparison::Matches => None,
    }
}
