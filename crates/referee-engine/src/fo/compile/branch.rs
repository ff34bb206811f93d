//! The ways in which a property can be violated: what holds at a point, and at most one demand on the future that fails.
//!
//! | law | statement | side condition | because |
//! |---|---|---|---|
//! | either | `(h U a) ∨ (h U b) = h U (a ∨ b)`, so that both fail iff one demand does | the same h, interval and first point; neither goal demands more | the witness of one side is one of the disjunction; both sides fail where h does, or where the interval or the trace ends, so they are decided at the same moment |

use referee_spec::core::Interval;

use crate::faults::{self, Fault};
use crate::fo::code::reason::Reason;
use crate::fo::compile::logic::Logic;
use crate::fo::passes::Passes;
use crate::fo::types::Var;

/// What the compiler can say instead of an answer.
pub(crate) type Lowered<T> = Result<T, Reason>;

/// A demand on the future: `hold U goal` within the interval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FutureDemand {
    /// Durations from now to the goal.
    pub interval: Interval,
    /// What must hold until then.
    pub hold: Logic,
    /// What must come.
    pub goal: Logic,
    /// Whether the violation is that it comes true, or that it does not.
    pub forbidden: bool,
    /// Whether it speaks of the next point and those after it.
    pub from_next: bool,
    /// What is demanded from the goal on, of a demand that is forbidden (see [`crate::fo::compile::future_to_past`]).
    pub then: Option<Box<FutureDemand>>,
    /// What must come before the goal, of a demand that is not.
    pub relay: Option<Relay>,
}

/// What must come first, and then, or at the same point, the goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Relay {
    /// What must come first.
    pub first: Logic,
    /// The variables of which both speak: some values of them will do.
    pub own: Vec<Var>,
}

impl FutureDemand {
    /// `hold U goal` from now on.
    pub(crate) fn new(interval: Interval, hold: Logic, goal: Logic, forbidden: bool) -> FutureDemand {
        FutureDemand { interval, hold, goal, forbidden, from_next: false, then: None, relay: None }
    }

    /// The demand that fails iff this one and another one do, if there is one.
    fn either(self, other: FutureDemand, passes: &Passes) -> Option<FutureDemand> {
        let is_plain = |demand: &FutureDemand| !demand.forbidden && demand.then.is_none() && demand.relay.is_none();
        let alike = self.interval == other.interval && self.from_next == other.from_next;
        let same = passes.either && alike && (self.hold == other.hold || faults::is(Fault::Either));
        (same && is_plain(&self) && is_plain(&other))
            .then(|| FutureDemand { goal: Logic::or([self.goal, other.goal]), ..self })
    }
}

/// One way to violate a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Branch {
    /// What holds at the point.
    pub guard: Logic,
    /// What fails afterwards.
    pub demand: Option<FutureDemand>,
    /// Whether only the end of the trace decides it.
    pub by_end: bool,
}

impl Branch {
    pub(crate) fn past(guard: Logic) -> Branch {
        Branch { guard, demand: None, by_end: false }
    }

    /// The same, where the point is the first.
    pub(crate) fn at_first(self) -> Branch {
        Branch { guard: self.guard.at_first(), ..self }
    }

    pub(crate) fn and(self, other: Branch, passes: &Passes) -> Lowered<Branch> {
        let demand = match (self.demand, other.demand) {
            (Some(one), Some(other)) => Some(one.either(other, passes).ok_or(Reason::Future)?),
            (one, other) => one.or(other),
        };
        Ok(Branch { guard: Logic::and([self.guard, other.guard]), demand, by_end: false })
    }
}

/// A property as the compiler sees it.
#[derive(Debug, Clone)]
pub(crate) struct Violations {
    /// The variables that a violation reports, in order.
    pub bindings: Vec<Var>,
    /// The ways to violate it.
    pub branches: Vec<Branch>,
}
