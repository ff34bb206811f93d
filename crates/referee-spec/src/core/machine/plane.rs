//! Temporal formulas about every point of the plane, where events are routes.
//!
//! An event with exactly four arguments that are numbers, `e(x1, y1, x2, y2)`, is a route: the straight line from (x1, y1) to (x2, y2), both
//! ends included; other events are no route. Each event is one step. The formula is judged at the first step, for every point of the
//! plane by itself: two points that lie on the same routes cannot be told apart.
//!
//! **Violations.** All points that violate the formula are one violation. Its binding is where they begin: the least place, by x and then by
//! y, that is such a point or has such points arbitrarily near; nothing if points on no route at all violate it.
//! **Decided** as everywhere: what reads a step that has not come is unknown, and the first points to be decided count.

use std::sync::Arc;

/// A formula about every point of the plane.
#[derive(Debug, Clone)]
pub struct Plane {
    /// The variable that stands for the point.
    pub variable: Arc<str>,
    /// The names of the events that the formula speaks of.
    pub events: Vec<Arc<str>>,
    /// What must hold of every point.
    pub formula: PlaneFormula,
}

/// A formula about one point.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlaneFormula {
    /// True or false.
    Constant(bool),
    /// The event has this name.
    Event(usize),
    /// The event is a route on which the point lies.
    OnRoute,
    /// Not.
    Not(Box<PlaneFormula>),
    /// All of them.
    And(Vec<PlaneFormula>),
    /// One of them.
    Or(Vec<PlaneFormula>),
    /// It holds at the next step, which exists.
    Next(Box<PlaneFormula>),
    /// The right side at some step from now on, the left side until then.
    Until(Box<PlaneFormula>, Box<PlaneFormula>),
}

impl PlaneFormula {
    /// The negation.
    #[must_use]
    pub fn negated(self) -> PlaneFormula {
        match self {
            PlaneFormula::Not(body) => *body,
            PlaneFormula::Constant(truth) => PlaneFormula::Constant(!truth),
            other => PlaneFormula::Not(Box::new(other)),
        }
    }
}
