//! Tables with defaults, and the conditions at their leaves: what a subformula is worth for every assignment of its variables.
//!
//! ```text
//!   x ┬ 7 ─▶ y ┬ 1 ─▶ true
//!     │        └ anything else ─▶ false
//!     └ anything else ─▶ false
//! ```
//!
//! A table is a decision diagram. Each level decides on one variable, outer variables first. It lists the rows that differ,
//! and one child serves all other values. A condition below "anything else" may mention the variable: it is then true of
//! each value that the row stands for, not of one. Rows live in a persistent tree, so that the tables of two points share
//! all rows that did not change: an update costs O(log rows) per changed row.
//!
//! A leaf is a condition: true, false, or open. An open condition is a positive combination of things that a later point, a
//! later value or nothing will settle. Quantifiers and aggregations that are open contain tables again, so the two types stand in one file.
//!
//! ```text
//!  Later(f, t0, x)   the value that the future operator f, evaluated from time t0 on, has at the next point
//!  Test(x < y)       a comparison of values that stand for "anything not listed in this table"
//!  Residual          a quantifier over the values that have not been shown yet
//!  Gathering         an aggregation, of whose assignments some are open
//!  Stuck             nothing will settle it: division by zero, or the size of a value that nobody names
//! ```

use std::sync::Arc;

use referee_spec::core::{Obstacle, Problem, Quantifier, Span};
use rpds::RedBlackTreeMapSync;

use crate::fo::interpret::aggregate::Aggregate;
use crate::fo::interpret::obligation::Later;
use crate::fo::interpret::operand::{OperandSlot, Test};
use crate::fo::interpret::variables::{FormulaVar, VarSet};
use crate::shared::universe::ValueId;

/// The listed rows of one level.
pub(crate) type ConditionRows = RedBlackTreeMapSync<ValueId, ConditionTable>;

/// A table over the variables of a subformula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ConditionTable {
    /// The same for all assignments, but for variables that the condition mentions.
    Leaf(Condition),
    /// Depends on a variable.
    Node(Arc<Node>),
}

/// One level of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    /// The variable that is decided on.
    pub var: FormulaVar,
    /// The rows that differ.
    pub rows: ConditionRows,
    /// What holds for all other values.
    pub rest: ConditionTable,
    contents: Contents,
}

/// What a table contains; may be said to contain more than it does, never less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Contents {
    nodes: VarSet,
    mentions: VarSet,
    tests: VarSet,
    pending: bool,
    depth: u32,
}

impl Contents {
    fn with(self, other: Contents) -> Contents {
        Contents {
            nodes: self.nodes.with(other.nodes),
            mentions: self.mentions.with(other.mentions),
            tests: self.tests.with(other.tests),
            pending: self.pending || other.pending,
            depth: self.depth.max(other.depth),
        }
    }
}

impl ConditionTable {
    /// A table that is true or false for all.
    pub(crate) fn constant(truth: bool) -> ConditionTable {
        ConditionTable::Leaf(Condition::Constant(truth))
    }

    /// The truth value, if it is the same for all.
    pub(crate) fn as_constant(&self) -> Option<bool> {
        match self {
            ConditionTable::Leaf(Condition::Constant(truth)) => Some(*truth),
            _ => None,
        }
    }

    /// A level over tables that do not depend on `var`. Rows equal to the rest must have been left out.
    pub(crate) fn level(var: FormulaVar, rows: ConditionRows, rest: ConditionTable) -> ConditionTable {
        if rows.is_empty() {
            return rest;
        }
        let contents = rows.values().fold(rest.contents(), |sum, child| sum.with(child.contents()));
        ConditionTable::level_containing(var, rows, rest, contents)
    }

    fn level_containing(
        var: FormulaVar,
        rows: ConditionRows,
        rest: ConditionTable,
        contents: Contents,
    ) -> ConditionTable {
        let contents = Contents { nodes: contents.nodes.with(VarSet::of(var)), ..contents };
        ConditionTable::Node(Arc::new(Node { var, rows, rest, contents }))
    }

    /// This level with one row changed, or removed where it has become equal to the rest. Costs O(log rows), unless the
    /// row was pending: then what is left is looked through, lest it be taken for pending for ever.
    #[must_use]
    pub(crate) fn with_row(&self, var: FormulaVar, value: ValueId, child: Option<ConditionTable>) -> ConditionTable {
        let (rows, rest, contents) = match self.level_of(var) {
            Some(node) => (node.rows.clone(), node.rest.clone(), node.contents),
            None => (ConditionRows::new_sync(), self.clone(), self.contents()),
        };
        let old_pending = rows.get(&value).is_some_and(ConditionTable::is_pending);
        let contents = child.as_ref().map_or(contents, |child| contents.with(child.contents()));
        let rows = match child {
            Some(child) => rows.insert(value, child),
            None => rows.remove(&value),
        };
        match old_pending {
            true => ConditionTable::level(var, rows, rest),
            false if rows.is_empty() => rest,
            false => ConditionTable::level_containing(var, rows, rest, contents),
        }
    }

    fn contents(&self) -> Contents {
        match self {
            ConditionTable::Leaf(condition) => Contents {
                nodes: VarSet::EMPTY,
                mentions: condition.mentions(),
                tests: condition.tests(),
                pending: condition.is_pending(),
                depth: condition.depth(),
            },
            ConditionTable::Node(node) => node.contents,
        }
    }

    /// The table that is true for one value of a variable and false for all others, or the opposite.
    pub(crate) fn equals(var: FormulaVar, value: ValueId, truth: bool) -> ConditionTable {
        let rows = ConditionRows::new_sync().insert(value, ConditionTable::constant(truth));
        ConditionTable::level(var, rows, ConditionTable::constant(!truth))
    }

    /// The variable of the topmost level.
    pub(crate) fn top(&self) -> Option<FormulaVar> {
        match self {
            ConditionTable::Leaf(_) => None,
            ConditionTable::Node(node) => Some(node.var),
        }
    }

    /// The variables that have a level in the table.
    pub(crate) fn nodes(&self) -> VarSet {
        self.contents().nodes
    }

    /// The variables that conditions of the table mention.
    pub(crate) fn mentions(&self) -> VarSet {
        self.contents().mentions
    }

    /// The variables that tests of the table mention.
    pub(crate) fn tests(&self) -> VarSet {
        self.contents().tests
    }

    /// Whether a later point may settle a condition of the table.
    pub(crate) fn is_pending(&self) -> bool {
        self.contents().pending
    }

    /// How deep conditions of the table stand in one another.
    pub(crate) fn depth(&self) -> u32 {
        self.contents().depth
    }

    /// Whether the table depends on a variable in any way.
    pub(crate) fn depends_on(&self, var: FormulaVar) -> bool {
        self.nodes().has(var) || self.mentions().has(var)
    }

    /// The level of `var`, if it is the topmost.
    pub(crate) fn level_of(&self, var: FormulaVar) -> Option<&Node> {
        match self {
            ConditionTable::Node(node) if node.var == var => Some(node),
            _ => None,
        }
    }

    /// The table with every truth value turned round.
    #[must_use]
    pub(crate) fn negate(&self) -> ConditionTable {
        match self {
            ConditionTable::Leaf(condition) => ConditionTable::Leaf(condition.negate()),
            ConditionTable::Node(node) => {
                let rows = node.rows.iter().map(|(value, child)| (*value, child.negate())).collect();
                ConditionTable::level(node.var, rows, node.rest.negate())
            }
        }
    }

    /// The table with every condition replaced by one that is equal to it.
    #[must_use]
    pub(crate) fn map_conditions(&self, change: &mut impl FnMut(&Condition) -> Condition) -> ConditionTable {
        match self {
            ConditionTable::Leaf(condition) => ConditionTable::Leaf(change(condition)),
            ConditionTable::Node(node) => {
                let rows = node.rows.iter().map(|(value, child)| (*value, child.map_conditions(change))).collect();
                ConditionTable::level(node.var, rows, node.rest.map_conditions(change))
            }
        }
    }

    /// The first point that opened an obligation which is broken if the trace ends here.
    pub(crate) fn opened(&self) -> Option<u64> {
        let mut first: Option<u64> = None;
        self.for_each_condition(&mut |condition| first = first.into_iter().chain(condition.opened()).min());
        first
    }

    /// Calls `visit` for every condition of the table.
    pub(crate) fn for_each_condition(&self, visit: &mut impl FnMut(&Condition)) {
        match self {
            ConditionTable::Leaf(condition) => visit(condition),
            ConditionTable::Node(node) => {
                node.rows.values().for_each(|child| child.for_each_condition(visit));
                node.rest.for_each_condition(visit);
            }
        }
    }

    /// How many rows the table lists, on all levels.
    pub(crate) fn row_count(&self) -> usize {
        match self {
            ConditionTable::Leaf(_) => 0,
            ConditionTable::Node(node) => {
                node.rows.values().map(|child| 1 + child.row_count()).sum::<usize>() + node.rest.row_count()
            }
        }
    }
}

/// The values that a quantifier still has to range over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Scope {
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
pub(crate) struct Residual {
    /// Which quantifier.
    pub quantifier: Quantifier,
    /// Its variable.
    pub var: FormulaVar,
    /// What it ranges over.
    pub scope: Scope,
    /// Variables that the quantified one is known to differ from.
    pub apart: Vec<FormulaVar>,
    /// What must hold of each value.
    pub body: ConditionTable,
}

/// A condition that is neither true nor false yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Open {
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
pub(crate) struct OpenNode {
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
pub(super) const MOST_DEPTH: u32 = 500;

/// True, false, or open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    /// Settled.
    Constant(bool),
    /// Not settled.
    Open(Arc<OpenNode>),
}

impl Condition {
    /// An open condition.
    pub(crate) fn open(open: Open) -> Condition {
        let (mentions, tests, pending) = match &open {
            Open::All(members) | Open::Any(members) => {
                members.iter().fold((VarSet::EMPTY, VarSet::EMPTY, false), |(mentions, tests, pending), member| {
                    (mentions.with(member.mentions()), tests.with(member.tests()), pending || member.is_pending())
                })
            }
            Open::Later(later) => (later.variables(), VarSet::EMPTY, true),
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
    pub(crate) fn depth(&self) -> u32 {
        match self {
            Condition::Constant(_) => 0,
            Condition::Open(node) => node.depth,
        }
    }

    /// Variables that occur free in the condition.
    pub(crate) fn mentions(&self) -> VarSet {
        match self {
            Condition::Constant(_) => VarSet::EMPTY,
            Condition::Open(node) => node.mentions,
        }
    }

    /// Variables that occur free in the condition's tests.
    pub(crate) fn tests(&self) -> VarSet {
        match self {
            Condition::Constant(_) => VarSet::EMPTY,
            Condition::Open(node) => node.tests,
        }
    }

    /// Whether a later point may settle a part of the condition.
    pub(crate) fn is_pending(&self) -> bool {
        matches!(self, Condition::Open(node) if node.pending)
    }

    /// The negation, by De Morgan's laws.
    #[must_use]
    pub(crate) fn negate(&self) -> Condition {
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

    /// The condition at the point after an obligation, of which it is what is left.
    ///
    /// What an obligation that something happens turns into was opened where it was. One that something never happens
    /// stays itself, while what it demands anew at a point was opened there.
    #[must_use]
    pub(crate) fn inherit(&self, earlier: &Later) -> Condition {
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
    pub(crate) fn opened(&self) -> Option<u64> {
        let Condition::Open(node) = self else { return None };
        match &node.open {
            Open::All(members) | Open::Any(members) => members.iter().filter_map(Condition::opened).min(),
            Open::Later(later) => (!later.negated).then_some(later.opened),
            Open::Residual(residual) => residual.body.opened(),
            Open::Gathering(gathering) => gathering.body.opened(),
            Open::Test(_) | Open::Stuck(_) => None,
        }
    }

    /// The first obstacle in the condition: the one at the earliest point, then the first in the text.
    pub(crate) fn obstacle(&self) -> Option<Obstacle> {
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
pub(crate) fn dual(quantifier: Quantifier) -> Quantifier {
    match quantifier {
        Quantifier::Forall => Quantifier::Exists,
        Quantifier::Exists => Quantifier::Forall,
    }
}

/// An aggregation whose assignments are not all known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gathering {
    /// What is done.
    pub spec: Arc<Aggregate>,
    /// What is to be the result.
    pub result: OperandSlot,
    /// Whose values are put together.
    pub over: OperandSlot,
    /// What assignments must satisfy.
    pub body: ConditionTable,
    /// Whether its negation is meant.
    pub negated: bool,
    /// The point at which it was made.
    pub point: u64,
}

impl Gathering {
    /// The variables that occur free in it.
    pub(crate) fn mentions(&self) -> VarSet {
        let body = self.body.mentions().with(self.body.nodes());
        let own = self.spec.own.iter().fold(body, |set, var| set.without(*var));
        [self.result, self.over].into_iter().fold(own, |set, slot| match slot {
            OperandSlot::Var(var) if !self.spec.own.contains(&var) => set.with(VarSet::of(var)),
            _ => set,
        })
    }

    /// The variables that occur free in its tests.
    pub(crate) fn tests(&self) -> VarSet {
        self.spec.own.iter().fold(self.body.tests(), |set, var| set.without(*var))
    }

    /// The same with a variable replaced, in the body already.
    #[must_use]
    pub(crate) fn with(&self, var: FormulaVar, slot: OperandSlot, body: ConditionTable) -> Gathering {
        let replaced = |own: OperandSlot| if own == OperandSlot::Var(var) { slot } else { own };
        Gathering { result: replaced(self.result), over: replaced(self.over), body, ..self.clone() }
    }

    /// What the aggregation gives up with.
    pub(crate) fn obstacle(&self, problem: Problem) -> Obstacle {
        Obstacle { point: self.point, span: self.spec.span, problem }
    }

    /// A table that waits for the aggregation.
    pub(crate) fn open(self) -> ConditionTable {
        ConditionTable::Leaf(Condition::open(Open::Gathering(self)))
    }
}

/// The obstacle at the earlier point, or further up in the text.
pub(crate) fn earlier(one: Option<Obstacle>, other: Option<Obstacle>) -> Option<Obstacle> {
    one.into_iter().chain(other).min_by_key(|obstacle| (obstacle.point, obstacle.span.start))
}
