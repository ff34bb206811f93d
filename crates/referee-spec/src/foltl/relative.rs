//! Formulas per object: judged on the points that belong to one object, and on no others.
//!
//! Below `(forall c:connection)` the term `chunksize(c)` speaks of the points whose event has the value of `c` in its
//! field `connection` and carries the field `chunksize`. The whole formula below that quantifier is then judged on the
//! subsequence of these points, and temporal operators range over them only. Let `s` be true at exactly these points (if
//! several fields are asked of one object: those that carry any of them; if several quantifiers are of this kind: those
//! that belong to all their objects, since a subsequence of a subsequence is their intersection).
//!
//! **Inside**, at a point of the subsequence, φ′ is φ with its operators confined to `s`:
//!
//! | φ | φ′ | because |
//! |---|---|---|
//! | atom, Boolean connective, quantifier | the same over φ′, ψ′ | they read the current point only |
//! | `always φ`, `always-been φ` | `always (s => φ′)`, … | points outside put no demand |
//! | `eventually φ`, `once φ` | `eventually (s and φ′)`, … | a witness must belong |
//! | `φ until ψ`, weakly too, `since` too | `(s => φ′) until (s and ψ′)` | both of the above |
//! | `φ release ψ` | `(s and φ′) release (s => ψ′)` | the dual |
//! | `next φ` | `next ((not s) until (s and φ′))` | the next point that belongs, and there is one |
//! | `weak-next φ` | `weak-next ((not s) weakly until (s and φ′))` | the same, if there is one |
//! | `last φ`, `weak-last φ` | mirrored with `since` | |
//!
//! **At the root**, at the first point of the trace, φ° is the value of φ at the first point that belongs; on an empty
//! subsequence, what φ says of the empty trace: atoms and strong operators are false, weak ones and `always` true.
//! Connectives, quantifiers over other variables and comparisons without fields commute with that. For the others:
//!
//! | φ | φ° |
//! |---|---|
//! | `always`, `eventually`, `until`, `weakly until`, `release` | φ′: the points before the first one that belongs change nothing |
//! | atom, `next`, `last`, `once`, `since` | `(not s) until (s and φ′)` |
//! | `weak-next`, `weak-last`, `always-been`, `weakly since` | `(not s) weakly until (s and φ′)` |
//!
//! For this the quantifier must be read at the first point: no temporal operator may stand above it.

use crate::core::{BinaryOp, Formula, Interval, Kind, UnaryOp};

/// Where a formula is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// At the first point of the trace.
    Root,
    /// Below a temporal operator, at a point that belongs to the object.
    Inside,
}

/// The points that belong to an object, as a formula that is true at them.
#[derive(Debug, Clone)]
pub(super) struct Selector(Formula);

impl Selector {
    /// The points at which `formula` holds.
    pub(super) fn new(formula: Formula) -> Selector {
        Selector(formula)
    }

    /// The points that belong to both.
    pub(super) fn and(&self, other: Formula) -> Selector {
        let span = self.0.span;
        Selector(Formula::new(Kind::And(vec![self.0.clone(), other]), span))
    }

    /// An atom that reads the current point.
    pub(super) fn atom(&self, atom: Formula, place: Place) -> Formula {
        if place == Place::Root { self.first(BinaryOp::Until, atom) } else { atom }
    }

    /// A unary operator over a body that is confined already.
    pub(super) fn unary(&self, op: UnaryOp, body: Formula, place: Place) -> Formula {
        let span = body.span;
        let body = match op {
            UnaryOp::Always | UnaryOp::Historically => self.implies(body),
            UnaryOp::Eventually | UnaryOp::Once => self.both(body),
            UnaryOp::Next => self.first(BinaryOp::Until, body),
            UnaryOp::WeakNext => self.first(BinaryOp::WeakUntil, body),
            UnaryOp::Prev => self.first(BinaryOp::Since, body),
            UnaryOp::WeakPrev => self.first(BinaryOp::WeakSince, body),
        };
        let confined = Formula::new(Kind::Unary(op, Interval::all(), Box::new(body)), span);
        match (place, op) {
            (Place::Inside, _) | (_, UnaryOp::Always | UnaryOp::Eventually) => confined,
            (_, UnaryOp::WeakNext | UnaryOp::WeakPrev | UnaryOp::Historically) => {
                self.first(BinaryOp::WeakUntil, confined)
            }
            (_, UnaryOp::Next | UnaryOp::Prev | UnaryOp::Once) => self.first(BinaryOp::Until, confined),
        }
    }

    /// A binary operator over sides that are confined already.
    pub(super) fn binary(&self, op: BinaryOp, left: Formula, right: Formula, place: Place) -> Formula {
        let dual = matches!(op, BinaryOp::Release | BinaryOp::Trigger);
        let (left, right) =
            if dual { (self.both(left), self.implies(right)) } else { (self.implies(left), self.both(right)) };
        let confined = binary(op, left, right);
        match (place, op) {
            (Place::Inside, _) | (_, BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release) => confined,
            (_, BinaryOp::Since | BinaryOp::StrictSince) => self.first(BinaryOp::Until, confined),
            (_, BinaryOp::WeakSince | BinaryOp::Trigger) => self.first(BinaryOp::WeakUntil, confined),
        }
    }

    /// `body` at the first point that belongs, seen along `op`.
    fn first(&self, op: BinaryOp, body: Formula) -> Formula {
        let outside = Formula::new(Kind::Not(Box::new(self.0.clone())), self.0.span);
        binary(op, outside, self.both(body))
    }

    fn both(&self, body: Formula) -> Formula {
        let span = body.span;
        Formula::new(Kind::And(vec![self.0.clone(), body]), span)
    }

    fn implies(&self, body: Formula) -> Formula {
        let span = body.span;
        Formula::new(Kind::Implies(Box::new(self.0.clone()), Box::new(body)), span)
    }
}

fn binary(op: BinaryOp, left: Formula, right: Formula) -> Formula {
    let span = right.span;
    Formula::new(Kind::Binary(op, Interval::all(), Box::new(left), Box::new(right)), span)
}
