//! Tables with defaults: what a subformula is worth for every assignment of its variables.
//!
//! ```text
//!   x ┬ 7 ─▶ y ┬ 1 ─▶ true
//!     │        └ anything else ─▶ false
//!     └ anything else ─▶ false
//! ```
//!
//! A table is a decision diagram. Each level decides on one variable, outer variables first; the rows that differ are
//! listed, and one child serves all other values. A condition below "anything else" may mention the variable: it is then
//! true of each value that the row stands for, not of one. Rows live in a persistent tree, so that yesterday's table and
//! today's share all but what changed: an update costs O(log rows) per changed row.

use std::sync::Arc;

use rpds::RedBlackTreeMapSync;

use crate::condition::{Condition, Var, VarSet};
use crate::universe::ValueId;

/// The listed rows of one level.
pub type Rows = RedBlackTreeMapSync<ValueId, Table>;

/// A table over the variables of a subformula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Table {
    /// The same for all assignments, but for variables that the condition mentions.
    Leaf(Condition),
    /// Depends on a variable.
    Node(Arc<Node>),
}

/// One level of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The variable that is decided on.
    pub var: Var,
    /// The rows that differ.
    pub rows: Rows,
    /// What holds for all other values.
    pub rest: Table,
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

impl Table {
    /// A table that is true or false for all.
    pub fn constant(truth: bool) -> Table {
        Table::Leaf(Condition::Constant(truth))
    }

    /// The truth value, if it is the same for all.
    pub fn as_constant(&self) -> Option<bool> {
        match self {
            Table::Leaf(Condition::Constant(truth)) => Some(*truth),
            _ => None,
        }
    }

    /// A level over tables that do not depend on `var`. Rows equal to the rest must have been left out.
    pub fn level(var: Var, rows: Rows, rest: Table) -> Table {
        if rows.is_empty() {
            return rest;
        }
        let contents = rows.values().fold(rest.contents(), |sum, child| sum.with(child.contents()));
        Table::level_containing(var, rows, rest, contents)
    }

    fn level_containing(var: Var, rows: Rows, rest: Table, contents: Contents) -> Table {
        let contents = Contents { nodes: contents.nodes.with(VarSet::of(var)), ..contents };
        Table::Node(Arc::new(Node { var, rows, rest, contents }))
    }

    /// This level with one row changed, or removed where it has become equal to the rest. Costs O(log rows), unless the
    /// row was pending: then what is left is looked through, lest it be taken for pending for ever.
    #[must_use]
    pub fn with_row(&self, var: Var, value: ValueId, child: Option<Table>) -> Table {
        let (rows, rest, contents) = match self.level_of(var) {
            Some(node) => (node.rows.clone(), node.rest.clone(), node.contents),
            None => (Rows::new_sync(), self.clone(), self.contents()),
        };
        let old_pending = rows.get(&value).is_some_and(Table::is_pending);
        let contents = child.as_ref().map_or(contents, |child| contents.with(child.contents()));
        let rows = match child {
            Some(child) => rows.insert(value, child),
            None => rows.remove(&value),
        };
        match old_pending {
            true => Table::level(var, rows, rest),
            false if rows.is_empty() => rest,
            false => Table::level_containing(var, rows, rest, contents),
        }
    }

    fn contents(&self) -> Contents {
        match self {
            Table::Leaf(condition) => Contents {
                nodes: VarSet::EMPTY,
                mentions: condition.mentions(),
                tests: condition.tests(),
                pending: condition.is_pending(),
                depth: condition.depth(),
            },
            Table::Node(node) => node.contents,
        }
    }

    /// The table that is true for one value of a variable and false for all others, or the opposite.
    pub fn equals(var: Var, value: ValueId, truth: bool) -> Table {
        let rows = Rows::new_sync().insert(value, Table::constant(truth));
        Table::level(var, rows, Table::constant(!truth))
    }

    /// The variable of the topmost level.
    pub fn top(&self) -> Option<Var> {
        match self {
            Table::Leaf(_) => None,
            Table::Node(node) => Some(node.var),
        }
    }

    /// The variables that have a level in the table.
    pub fn nodes(&self) -> VarSet {
        self.contents().nodes
    }

    /// The variables that conditions of the table mention.
    pub fn mentions(&self) -> VarSet {
        self.contents().mentions
    }

    /// The variables that tests of the table mention.
    pub fn tests(&self) -> VarSet {
        self.contents().tests
    }

    /// Whether a later point may settle a condition of the table.
    pub fn is_pending(&self) -> bool {
        self.contents().pending
    }

    /// How deep conditions of the table stand in one another.
    pub fn depth(&self) -> u32 {
        self.contents().depth
    }

    /// Whether the table depends on a variable in any way.
    pub fn depends_on(&self, var: Var) -> bool {
        self.nodes().has(var) || self.mentions().has(var)
    }

    /// The level of `var`, if it is the topmost.
    pub fn level_of(&self, var: Var) -> Option<&Node> {
        match self {
            Table::Node(node) if node.var == var => Some(node),
            _ => None,
        }
    }

    /// The table with every truth value turned round.
    #[must_use]
    pub fn negate(&self) -> Table {
        match self {
            Table::Leaf(condition) => Table::Leaf(condition.negate()),
            Table::Node(node) => {
                let rows = node.rows.iter().map(|(value, child)| (*value, child.negate())).collect();
                Table::level(node.var, rows, node.rest.negate())
            }
        }
    }

    /// The table with every condition replaced by one that is equal to it.
    #[must_use]
    pub fn map_conditions(&self, change: &mut impl FnMut(&Condition) -> Condition) -> Table {
        match self {
            Table::Leaf(condition) => Table::Leaf(change(condition)),
            Table::Node(node) => {
                let rows = node.rows.iter().map(|(value, child)| (*value, child.map_conditions(change))).collect();
                Table::level(node.var, rows, node.rest.map_conditions(change))
            }
        }
    }

    /// The first point that opened an obligation which is broken if the trace ends here.
    pub fn opened(&self) -> Option<u64> {
        let mut first: Option<u64> = None;
        self.for_each_condition(&mut |condition| first = first.into_iter().chain(condition.opened()).min());
        first
    }

    /// Calls `visit` for every condition of the table.
    pub fn for_each_condition(&self, visit: &mut impl FnMut(&Condition)) {
        match self {
            Table::Leaf(condition) => visit(condition),
            Table::Node(node) => {
                node.rows.values().for_each(|child| child.for_each_condition(visit));
                node.rest.for_each_condition(visit);
            }
        }
    }

    /// How many rows the table lists, on all levels.
    pub fn row_count(&self) -> usize {
        match self {
            Table::Leaf(_) => 0,
            Table::Node(node) => {
                node.rows.values().map(|child| 1 + child.row_count()).sum::<usize>() + node.rest.row_count()
            }
        }
    }
}
