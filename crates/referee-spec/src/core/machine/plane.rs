//! Temporal formulas about every point of the plane, where the arguments of an event single out regions.
//!
//! ```text
//!  define inBox(p, x1, y1, x2, y2) = x1 <= p.x and p.x <= x2 and y1 <= p.y and p.y <= y2        a region definition
//!  event enter(0, 0, 4, 2)  ─▶  arguments x1 = 0, y1 = 0, x2 = 4, y2 = 2  ─▶  a rectangle       its region at this event
//! ```
//!
//! A [`RegionDefinition`] is true of a point at an event that has exactly as many positional arguments as the definition has
//! parameters, if those that it reads are numbers and its condition holds with them; otherwise it is false of every point. A
//! condition joins comparisons of terms that are linear in the point, so a region is bounded by straight lines. Each event is one
//! step. The formula is judged at the first step, for every point of the plane by itself: two points that lie in the same
//! regions cannot be told apart.
//!
//! **Violations.** All points that violate the formula are one violation. Its binding is where they begin: the least place, by x
//! and then by y, that is such a point or has such points arbitrarily near; nothing if there is no least one, because they go on
//! for ever to the left or, where they are leftmost, downwards.
//! **Decided** as everywhere: what reads a step that has not come is unknown, and the first points to be decided count.

use std::sync::Arc;

use referee_trace::number::Number;

use crate::core::formula::{Arithmetic, Comparison, Span};

/// A formula about every point of the plane.
#[derive(Debug, Clone)]
pub struct Plane {
    /// The variable that stands for the point.
    pub variable: Arc<str>,
    /// The events that the formula names.
    pub events: Vec<PlaneEvent>,
    /// The definitions that the formula uses; at most [`Plane::MOST_REGIONS`].
    pub regions: Vec<RegionDefinition>,
    /// What must hold of every point.
    pub formula: PlaneFormula,
}

impl Plane {
    /// How many definitions one formula may use: which of them hold of a point is kept as the bits of a word.
    pub const MOST_REGIONS: usize = 64;
}

/// An event that a formula about points names.
#[derive(Debug, Clone)]
pub struct PlaneEvent {
    /// Its name, whatever its arguments.
    pub name: Arc<str>,
    /// Where it is named first.
    pub span: Span,
}

/// A formula about one point.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlaneFormula {
    /// True or false.
    Constant(bool),
    /// The event has this name.
    Event(usize),
    /// The point lies in the region that this definition makes of the event.
    Inside(usize),
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

/// A predicate over points: which region the arguments of an event single out.
#[derive(Debug, Clone)]
pub struct RegionDefinition {
    /// Its name.
    pub name: Arc<str>,
    /// How many arguments an event has that it speaks of.
    pub arity: usize,
    /// Which of these arguments the condition reads.
    pub reads: Vec<usize>,
    /// When a point lies in the region.
    pub condition: RegionCondition,
}

/// A condition on a point and the arguments of an event.
#[derive(Debug, Clone)]
pub enum RegionCondition {
    /// True or false.
    Constant(bool),
    /// A comparison by order or equality; both sides are linear in the point.
    Compare(Comparison, RegionTerm, RegionTerm),
    /// Not.
    Not(Box<RegionCondition>),
    /// All of them.
    And(Vec<RegionCondition>),
    /// One of them.
    Or(Vec<RegionCondition>),
}

/// A number that is linear in the coordinates of a point: no two coordinates are multiplied, and nothing is divided by anything but
/// a number that is written down and not zero.
#[derive(Debug, Clone)]
pub enum RegionTerm {
    /// A number.
    Number(Number),
    /// How far right the point lies.
    X,
    /// How far up the point lies.
    Y,
    /// An argument of the event, counted from 0.
    Argument(usize),
    /// The negation.
    Negate(Box<RegionTerm>),
    /// A sum, difference, product or quotient.
    Binary(Arithmetic, Box<RegionTerm>, Box<RegionTerm>),
    /// The least of some terms that do not read the point.
    Least(Vec<RegionTerm>),
    /// The greatest of some terms that do not read the point.
    Greatest(Vec<RegionTerm>),
}
