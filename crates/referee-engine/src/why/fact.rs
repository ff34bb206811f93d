//! Holds what an explanation claims, before it becomes text.
//!
//! Every fact is a statement about formulas at points that holds by the definitions; the random tests ask the oracle.

use referee_spec::core::{Direction, Formula, Interval, VarId};

use super::numbers::Amount;
use super::terms::Assignment;

/// A formula at a point, for given values of its variables.
#[derive(Debug, Clone)]
pub(crate) struct Claim<'h> {
    pub formula: &'h Formula,
    pub point: usize,
    pub given: Assignment,
}

impl<'h> Claim<'h> {
    /// Another formula, there.
    pub(super) fn of(&self, formula: &'h Formula) -> Claim<'h> {
        Claim { formula, ..self.clone() }
    }

    /// The same formula, elsewhere.
    pub(super) fn at(&self, point: usize) -> Claim<'h> {
        Claim { point, ..self.clone() }
    }
}

/// A stretch of points, and how it came about.
#[derive(Debug, Clone)]
pub(crate) struct PointStretch<'h> {
    pub first: usize,
    pub last: usize,
    pub reason: WhyReason<'h>,
}

/// Why a stretch is what it is.
#[derive(Debug, Clone)]
pub(crate) enum WhyReason<'h> {
    /// It begins with the trace and goes up to the point in question.
    Past,
    /// It goes from the point in question to the end of the trace.
    End,
    /// The points whose distance from `anchor` lies in an interval; the trace may have `ended` inside it.
    Window { anchor: usize, interval: &'h Interval, direction: Direction, ended: bool },
    /// It goes from one point to another.
    Between,
}

/// A statement.
#[derive(Debug, Clone)]
pub(crate) enum WhyFact<'h> {
    /// A formula is true or false.
    Is { claim: Claim<'h>, truth: bool },
    /// A value of a quantified variable makes the body true (exists) or false (forall).
    Example { variable: VarId, body: Claim<'h>, truth: bool },
    /// A formula is true, or false, at all points of a stretch; `nearest` is the next point beyond it where it is not.
    Throughout { claim: Claim<'h>, truth: bool, stretch: PointStretch<'h>, nearest: Option<usize> },
    /// What `begun` says was so, and later `by` was so, which ends it.
    Ended { begun: Claim<'h>, begun_truth: bool, by: Claim<'h>, by_truth: bool },
    /// An event was not followed by another one before the trace ended.
    NeverFollowed { begun: Claim<'h>, missing: Claim<'h>, last: usize },
    /// There is no point before the first, or after the last.
    Edge { point: usize, direction: Direction },
    /// The time between two neighbours does not lie in an interval.
    Gap { first: usize, interval: &'h Interval },
    /// No point has a distance from `anchor` that lies in an interval.
    NoPoint { anchor: usize, interval: &'h Interval, direction: Direction },
    /// What an aggregation amounts to; `claim` is the aggregation, which holds.
    Number { claim: Claim<'h>, number: Amount },
    /// The property is violated; nothing more could be found out.
    Violated,
}
