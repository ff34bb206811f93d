//! Conditions: what is known of a truth value before everything it depends on is known.
//!
//! A condition is true, false, or open: a positive combination of things that a later point, a later value or nothing
//! will settle.
//!
//! ```text
//!  Later(f, t0, x)   the value that the future operator f, looked at from time t0, has at the next point
//!  Test(x < y)       a comparison of values that stand for "anything not listed in this table"
//!  Residual          a quantifier over the values that have not been shown yet
//!  Gathering         an aggregation, of whose assignments some are open
//!  Stuck             nothing will settle it: division by zero, or the size of a value that nobody names
//! ```
//!
//! **Conditions are simplified only by laws that hold in Kleene's logic** (neutral, absorbing and repeated members), never
//! by `a or not a`: a verdict is decided when its structure decides it, as the semantics demands.

use std::sync::Arc;

use referee_spec::core::{Arithmetic, Comparison, Function, Obstacle, Problem, Quantifier, Span};
use referee_trace::number::Number;

use crate::aggregate::Gathering;
use crate::points::implies;
use crate::table::Table;
use crate::universe::ValueId;

/// A variable of a compiled property. Inner quantifiers bind larger numbers than outer ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

/// A set of variables, exact for the first 63; the others share one bit, which may only make the set look larger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct VarSet(u64);

impl VarSet {
    /// No variable.
    pub const EMPTY: VarSet = VarSet(0);

    /// One variable.
    pub fn of(var: Var) -> VarSet {
        VarSet(1 << var.0.min(63))
    }

    /// Whether a variable may be in the set.
    pub fn has(self, var: Var) -> bool {
        self.0 & VarSet::of(var).0 != 0
    }

    /// Both sets.
    #[must_use]
    pub fn with(self, other: VarSet) -> VarSet {
        VarSet(self.0 | other.0)
    }

    /// The set without a variable, unless it shares its bit.
    #[must_use]
    pub fn without(self, var: Var) -> VarSet {
        if var.0 >= 63 { self } else { VarSet(self.0 & !VarSet::of(var).0) }
    }

    /// The first variable of the set that comes before another.
    pub fn first_before(self, var: Var) -> Option<Var> {
        let before = self.0 & (VarSet::of(var).0 - 1);
        (before != 0).then(|| Var(before.trailing_zeros()))
    }

    /// Whether the set is certainly empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// A value, or a variable that stands for anything its table does not list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slot {
    /// A value.
    Value(ValueId),
    /// Anything else.
    Var(Var),
}

/// A term whose fields, point numbers and times are already values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A value or a variable.
    Slot(Slot),
    /// Arithmetic.
    Binary(Arithmetic, Arc<Operand>, Arc<Operand>),
    /// The negative.
    Negate(Arc<Operand>),
    /// A conversion.
    Apply(Function, Arc<Operand>),
}

impl Operand {
    /// The variables of the operand.
    pub fn variables(&self) -> VarSet {
        match self {
            Operand::Slot(Slot::Value(_)) => VarSet::EMPTY,
            Operand::Slot(Slot::Var(var)) => VarSet::of(*var),
            Operand::Binary(_, left, right) => left.variables().with(right.variables()),
            Operand::Negate(body) | Operand::Apply(_, body) => body.variables(),
        }
    }

    /// The operand with `var` replaced.
    #[must_use]
    pub fn replace(&self, var: Var, slot: Slot) -> Operand {
        match self {
            Operand::Slot(Slot::Var(own)) if *own == var => Operand::Slot(slot),
            Operand::Slot(_) => self.clone(),
            Operand::Binary(op, left, right) => {
                Operand::Binary(*op, Arc::new(left.replace(var, slot)), Arc::new(right.replace(var, slot)))
            }
            Operand::Negate(body) => Operand::Negate(Arc::new(body.replace(var, slot))),
            Operand::Apply(function, body) => Operand::Apply(*function, Arc::new(body.replace(var, slot))),
        }
    }

    /// The variable, if the operand is nothing else.
    pub fn as_variable(&self) -> Option<Var> {
        match self {
            Operand::Slot(Slot::Var(var)) => Some(*var),
            _ => None,
        }
    }
}

/// A comparison that was made at a point.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Test {
    /// How.
    pub comparison: Comparison,
    /// The left side.
    pub left: Operand,
    /// The right side.
    pub right: Operand,
    /// Whether the comparison must fail.
    pub negated: bool,
    /// The point at which it was made.
    pub point: u64,
    /// Where the comparison stands in the specification.
    pub span: Span,
}

impl Test {
    /// The variables of both sides.
    pub fn variables(&self) -> VarSet {
        self.left.variables().with(self.right.variables())
    }

    /// Whether two tests differ at most in their points.
    pub fn same_but_point(&self, other: &Test) -> bool {
        self.negated == other.negated
            && self.comparison == other.comparison
            && self.left == other.left
            && self.right == other.right
    }
}

/// A number for a future operator of a compiled property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FutureId(pub u32);

/// The value of a future operator at the next point: an obligation.
#[derive(Debug, Clone)]
pub struct Later {
    /// The operator.
    pub future: FutureId,
    /// The time of the point from which it is looked at.
    pub origin: Number,
    /// The values of the operator's free variables, in its order.
    pub slots: Arc<[Slot]>,
    /// Whether its negation is meant.
    pub negated: bool,
    /// The point that opened the obligation. Two that differ in this alone are equal; the older one is kept.
    pub opened: u64,
}

impl PartialEq for Later {
    fn eq(&self, other: &Later) -> bool {
        self.future == other.future
            && self.negated == other.negated
            && self.origin == other.origin
            && self.slots == other.slots
    }
}

impl Eq for Later {}

/// The values that a quantifier still has to range over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Everything but the first `after` named values.
    Infinite {
        /// How many named values are done with.
        after: u32,
    },
    /// The values of a sort from number `after` on, as far as the whole trace will show.
    Trace {
        /// The sort.
        sort: u32,
        /// How many values are done with.
        after: u32,
    },
    /// The values of a sort shown up to now.
    SoFar {
        /// The sort.
        sort: u32,
    },
}

/// A quantifier over values still to come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Residual {
    /// Which quantifier.
    pub quantifier: Quantifier,
    /// Its variable.
    pub var: Var,
    /// What it ranges over.
    pub scope: Scope,
    /// Variables that the quantified one is known to differ from.
    pub apart: Vec<Var>,
    /// What must hold of each value.
    pub body: Table,
}

/// A condition that is neither true nor false yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Open {
    /// All of these.
    All(Vec<Condition>),
    /// Any of these.
    Any(Vec<Condition>),
    /// A future operator's value at the next point.
    Later(Later),
    /// A comparison.
    Test(Test),
    /// A quantifier over values still to come.
    Residual(Residual),
    /// An aggregation over something open.
    Gathering(Gathering),
    /// Nothing will settle this.
    Stuck(Obstacle),
}

/// What an open condition contains, found out once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenNode {
    /// The condition.
    pub open: Open,
    /// Variables that occur free in it.
    pub mentions: VarSet,
    /// Variables that occur free in its tests.
    pub tests: VarSet,
    /// Whether a later point may settle a part of it.
    pub pending: bool,
    /// How deep conditions stand in one another.
    depth: u32,
    /// The point and the place in the specification of a test or obstacle in it.
    site: Option<(u64, Span)>,
}

/// How deep conditions may stand in one another.
///
/// A rule that negates comparisons of its own past nests deeper with every point. Conditions are followed recursively, so
/// past this bound one is given up.
const MOST_DEPTH: u32 = 500;

/// True, false, or open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// Settled.
    Constant(bool),
    /// Not settled.
    Open(Arc<OpenNode>),
}

impl Condition {
    /// An open condition.
    pub fn open(open: Open) -> Condition {
        let (mentions, tests, pending) = match &open {
            Open::All(members) | Open::Any(members) => {
                members.iter().fold((VarSet::EMPTY, VarSet::EMPTY, false), |(mentions, tests, pending), member| {
                    (mentions.with(member.mentions()), tests.with(member.tests()), pending || member.is_pending())
                })
            }
            Open::Later(later) => (later_variables(later), VarSet::EMPTY, true),
            Open::Test(test) => (test.variables(), test.variables(), false),
            Open::Residual(residual) => {
                let apart = residual.apart.iter().fold(VarSet::EMPTY, |set, var| set.with(VarSet::of(*var)));
                let body = &residual.body;
                let mentions = body.mentions().with(body.nodes()).without(residual.var).with(apart);
                (mentions, body.tests().without(residual.var), true)
            }
            Open::Gathering(gathering) => (gathering.mentions(), gathering.tests(), gathering.body.is_pending()),
            Open::Stuck(_) => (VarSet::EMPTY, VarSet::EMPTY, false),
        };
        let depth = match &open {
            Open::All(members) | Open::Any(members) => 1 + members.iter().map(Condition::depth).max().unwrap_or(0),
            Open::Residual(residual) => 1 + residual.body.depth(),
            Open::Gathering(gathering) => 1 + gathering.body.depth(),
            Open::Later(_) | Open::Test(_) | Open::Stuck(_) => 0,
        };
        let site = match &open {
            Open::All(members) | Open::Any(members) => members.iter().find_map(Condition::site),
            Open::Test(test) => Some((test.point, test.span)),
            Open::Stuck(obstacle) => Some((obstacle.point, obstacle.span)),
            Open::Gathering(gathering) => Some((gathering.point, gathering.spec.span)),
            Open::Later(_) | Open::Residual(_) => None,
        };
        if depth > MOST_DEPTH {
            let (point, span) = site.unwrap_or_default();
            return Condition::open(Open::Stuck(Obstacle { point, span, problem: Problem::TooDeep }));
        }
        Condition::Open(Arc::new(OpenNode { open, mentions, tests, pending, depth, site }))
    }

    fn site(&self) -> Option<(u64, Span)> {
        match self {
            Condition::Constant(_) => None,
            Condition::Open(node) => node.site,
        }
    }

    /// How deep conditions stand in one another.
    pub fn depth(&self) -> u32 {
        match self {
            Condition::Constant(_) => 0,
            Condition::Open(node) => node.depth,
        }
    }

    /// Variables that occur free in the condition.
    pub fn mentions(&self) -> VarSet {
        match self {
            Condition::Constant(_) => VarSet::EMPTY,
            Condition::Open(node) => node.mentions,
        }
    }

    /// Variables that occur free in the condition's tests.
    pub fn tests(&self) -> VarSet {
        match self {
            Condition::Constant(_) => VarSet::EMPTY,
            Condition::Open(node) => node.tests,
        }
    }

    /// Whether a later point may settle a part of the condition.
    pub fn is_pending(&self) -> bool {
        matches!(self, Condition::Open(node) if node.pending)
    }

    /// The negation, by De Morgan's laws.
    #[must_use]
    pub fn negate(&self) -> Condition {
        let node = match self {
            Condition::Constant(truth) => return Condition::Constant(!truth),
            Condition::Open(node) => node,
        };
        Condition::open(match &node.open {
            Open::All(members) => Open::Any(members.iter().map(Condition::negate).collect()),
            Open::Any(members) => Open::All(members.iter().map(Condition::negate).collect()),
            Open::Later(later) => Open::Later(Later { negated: !later.negated, ..later.clone() }),
            Open::Test(test) => Open::Test(Test { negated: !test.negated, ..test.clone() }),
            Open::Residual(residual) => Open::Residual(Residual {
                quantifier: dual(residual.quantifier),
                body: residual.body.negate(),
                ..residual.clone()
            }),
            Open::Gathering(gathering) => {
                Open::Gathering(Gathering { negated: !gathering.negated, ..gathering.clone() })
            }
            Open::Stuck(obstacle) => Open::Stuck(obstacle.clone()),
        })
    }

    /// The conjunction (`all`) or disjunction of conditions.
    pub fn join(all: bool, members: impl IntoIterator<Item = Condition>) -> Condition {
        let mut joined: Vec<Condition> = Vec::new();
        for member in members {
            match &member {
                Condition::Constant(truth) if *truth == all => {}
                Condition::Constant(_) => return member,
                Condition::Open(node) => match &node.open {
                    Open::All(inner) if all => inner.iter().for_each(|inner| add(&mut joined, inner, all)),
                    Open::Any(inner) if !all => inner.iter().for_each(|inner| add(&mut joined, inner, all)),
                    _ => add(&mut joined, &member, all),
                },
            }
        }
        match joined.len() {
            0 => Condition::Constant(all),
            1 => joined.swap_remove(0),
            _ => Condition::open(if all { Open::All(joined) } else { Open::Any(joined) }),
        }
    }

    /// The condition at the point after an obligation, of which it is what is left.
    ///
    /// What an obligation that something happens turns into was opened where it was. One that something never happens
    /// stays itself, while what it demands anew at a point was opened there.
    #[must_use]
    pub fn inherit(&self, earlier: &Later) -> Condition {
        let node = match self {
            Condition::Open(node) if node.pending => node,
            _ => return self.clone(),
        };
        let inherited = |members: &[Condition]| members.iter().map(|member| member.inherit(earlier)).collect();
        Condition::open(match &node.open {
            Open::All(members) => Open::All(inherited(members)),
            Open::Any(members) => Open::Any(inherited(members)),
            Open::Later(later) if !earlier.negated || later.future == earlier.future => {
                Open::Later(Later { opened: later.opened.min(earlier.opened), ..later.clone() })
            }
            Open::Residual(residual) => Open::Residual(Residual {
                body: residual.body.map_conditions(&mut |condition| condition.inherit(earlier)),
                ..residual.clone()
            }),
            Open::Gathering(gathering) => Open::Gathering(Gathering {
                body: gathering.body.map_conditions(&mut |condition| condition.inherit(earlier)),
                ..gathering.clone()
            }),
            Open::Later(_) | Open::Test(_) | Open::Stuck(_) => return self.clone(),
        })
    }

    /// The first point that opened an obligation which is broken if the trace ends here.
    pub fn opened(&self) -> Option<u64> {
        let Condition::Open(node) = self else { return None };
        match &node.open {
            Open::All(members) | Open::Any(members) => members.iter().filter_map(Condition::opened).min(),
            Open::Later(later) => (!later.negated).then_some(later.opened),
            Open::Residual(residual) => residual.body.opened(),
            Open::Gathering(gathering) => gathering.body.opened(),
            Open::Test(_) | Open::Stuck(_) => None,
        }
    }

    fn as_later(&self) -> Option<&Later> {
        match self {
            Condition::Open(node) => match &node.open {
                Open::Later(later) => Some(later),
                _ => None,
            },
            Condition::Constant(_) => None,
        }
    }

    fn as_stuck(&self) -> Option<&Obstacle> {
        match self {
            Condition::Open(node) => match &node.open {
                Open::Stuck(obstacle) => Some(obstacle),
                _ => None,
            },
            Condition::Constant(_) => None,
        }
    }

    /// The first obstacle in the condition: the one at the earliest point, then the first in the text.
    pub fn obstacle(&self) -> Option<Obstacle> {
        let Condition::Open(node) = self else { return None };
        match &node.open {
            Open::All(members) | Open::Any(members) => {
                members.iter().filter_map(Condition::obstacle).min_by_key(|found| (found.point, found.span.start))
            }
            Open::Stuck(obstacle) => Some(obstacle.clone()),
            Open::Later(_) | Open::Test(_) | Open::Residual(_) | Open::Gathering(_) => None,
        }
    }
}

/// The other quantifier.
pub fn dual(quantifier: Quantifier) -> Quantifier {
    match quantifier {
        Quantifier::Forall => Quantifier::Exists,
        Quantifier::Exists => Quantifier::Forall,
    }
}

fn later_variables(later: &Later) -> VarSet {
    later.slots.iter().fold(VarSet::EMPTY, |set, slot| match slot {
        Slot::Var(var) => set.with(VarSet::of(*var)),
        Slot::Value(_) => set,
    })
}

/// Adds a member unless others absorb it, and drops those that it absorbs.
///
/// `a or (a and b)` is `a` in Kleene's logic too, and of obstacles only the first is ever reported. Without this a window
/// of comparisons would grow with every point.
fn add(joined: &mut Vec<Condition>, member: &Condition, all: bool) {
    if let Some(later) = member.as_later() {
        let older = |own: &&mut Condition| own.as_later().is_some_and(|own| own == later && own.opened > later.opened);
        if let Some(own) = joined.iter_mut().find(older) {
            *own = member.clone();
            return;
        }
    }
    // The stronger of two decides a conjunction, the weaker a disjunction.
    let absorbs = |one: &Condition, other: &Condition| match (one.as_stuck(), other.as_stuck()) {
        (Some(one), Some(other)) => one.point <= other.point && one.span == other.span && one.problem == other.problem,
        _ if all => implies(one, other),
        _ => implies(other, one),
    };
    if !joined.iter().any(|own| absorbs(own, member)) {
        joined.retain(|own| !absorbs(member, own));
        joined.push(member.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(point: u64, span: usize) -> Condition {
        let side = |number: u32| Operand::Slot(Slot::Var(Var(number)));
        let span = Span { start: span, end: span + 1 };
        let (left, right) = (side(0), side(u32::try_from(span.start).expect("small")));
        Condition::open(Open::Test(Test { comparison: Comparison::Less, left, right, negated: false, point, span }))
    }

    #[test]
    fn conditions_do_not_nest_without_end() {
        let mut nested = test(1, 1);
        for level in 2..2000 {
            nested = Condition::join(level % 2 == 0, [test(7, level), nested]);
            assert!(nested.depth() <= MOST_DEPTH, "level {level}");
        }
        let obstacle = nested.obstacle().expect("the innermost levels were given up");
        assert_eq!((obstacle.problem, obstacle.point), (Problem::TooDeep, 7));
    }

    #[test]
    fn the_older_of_two_obligations_is_kept() {
        let later = |opened| {
            let slots = Arc::from([]);
            let later = Later { future: FutureId(0), origin: Number::ZERO, slots, negated: false, opened };
            Condition::open(Open::Later(later))
        };
        for order in [[3, 5], [5, 3]] {
            let joined = Condition::join(true, order.map(later));
            assert_eq!(joined.opened(), Some(3), "{order:?}");
        }
    }
}
