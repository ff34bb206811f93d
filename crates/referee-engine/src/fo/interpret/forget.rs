//! Forgetting values that never come again.
//!
//! ```text
//!   forget(v) ─▶ pasts:  rows x = v that nothing reads any more are dropped      (see `forgettable`)
//!            └─▶ roots:  rows x = v that can no longer become violations, and would not as "anything else", are dropped
//! ```
//!
//! An obligation on v that may still be violated stays, and is judged at its deadline or at the end. The value keeps its
//! number, its text and its place in the domains of sorts: quantifiers still range over it. Verdicts, points and bindings
//! are those of a monitor that forgets nothing. Only what `pause` counts as pending may differ, for dead values that can
//! do no harm: they count as long as their obligations are kept, or as anything else does.
//!
//! Cost: O(log rows) per table in which x is the outermost variable, else O(rows of the variables outside x).

use referee_spec::core::Judgement;

use crate::fo::interpret::algebra::Algebra;
use crate::fo::interpret::evaluate::Memory;
use crate::fo::interpret::forgettable::Forgettable;
use crate::fo::interpret::interpreter::Interpreter;
use crate::fo::interpret::obligation::Later;
use crate::fo::interpret::operand::OperandSlot;
use crate::fo::interpret::plan::InterpretedFormula;
use crate::fo::interpret::table::{Condition, ConditionTable, Open};
use crate::fo::interpret::variables::FormulaVar;
use crate::shared::universe::ValueId;

impl Interpreter {
    /// Frees what only this value could reach: it died, and no later event will show it.
    ///
    /// If the value does come again, the verdicts on it are those on a value with another past.
    pub(crate) fn forget(&mut self, value: ValueId) {
        let compiled = self.evaluator.compiled.clone();
        let once = self.property.judgement == Judgement::Once;
        let forgettable = self.forgettable.take().unwrap_or_else(|| Forgettable::of(&compiled, once));
        for (memory, vars) in self.evaluator.memories.iter_mut().zip(&forgettable.unread) {
            for var in vars {
                forget_in(memory, &mut self.evaluator.algebra, *var, value);
            }
        }
        for root in &mut self.roots {
            for (var, _) in &compiled.bindings {
                let mut dead = Dead { algebra: &mut self.evaluator.algebra, var: *var, value };
                let harmless = |algebra: &mut Algebra, row: &ConditionTable, rest: &ConditionTable| {
                    let others = algebra.at(rest, *var, value);
                    [row, &others].into_iter().all(|table| is_harmless(table, &compiled, &forgettable, value))
                };
                root.table = dead.dropped(&root.table, &harmless).unwrap_or_else(|| root.table.clone());
            }
        }
        self.forgettable = Some(forgettable);
    }
}

fn forget_in(memory: &mut Memory, algebra: &mut Algebra, var: FormulaVar, value: ValueId) {
    let mut dead = Dead { algebra, var, value };
    let mut drop = |table: &ConditionTable| dead.dropped(table, &|_, _, _| true).unwrap_or_else(|| table.clone());
    match memory {
        Memory::Prev(previous) => previous.iter_mut().for_each(|(_, table)| *table = drop(table)),
        Memory::Since(window) => window.map(drop),
        Memory::Match(states) => states.iter_mut().for_each(|runs| runs.map(&mut drop)),
    }
}

/// A value of a variable whose rows are to go.
struct Dead<'a> {
    algebra: &'a mut Algebra,
    var: FormulaVar,
    value: ValueId,
}

impl Dead<'_> {
    /// The table without the rows of the value that `may_go`, by what they and the rest of their level say; nothing if
    /// there is none.
    fn dropped(
        &mut self,
        table: &ConditionTable,
        may_go: &impl Fn(&mut Algebra, &ConditionTable, &ConditionTable) -> bool,
    ) -> Option<ConditionTable> {
        let ConditionTable::Node(node) = table else { return None };
        if node.var == self.var {
            let row = node.rows.get(&self.value)?;
            return may_go(self.algebra, row, &node.rest).then(|| table.with_row(self.var, self.value, None));
        }
        if !table.nodes().has(self.var) {
            return None;
        }
        let mut changed = false;
        let mut without = |table: &ConditionTable| match self.dropped(table, may_go) {
            Some(table) => {
                changed = true;
                table
            }
            None => table.clone(),
        };
        let rest = without(&node.rest);
        let rows: Vec<(ValueId, ConditionTable)> =
            node.rows.iter().map(|(value, row)| (*value, without(row))).collect();
        changed.then(|| self.algebra.level(node.var, rows, rest))
    }
}

/// Whether nothing in a table can become a violation, now that the value is dead.
fn is_harmless(
    table: &ConditionTable,
    compiled: &InterpretedFormula,
    forgettable: &Forgettable,
    value: ValueId,
) -> bool {
    let mut harmless = true;
    table.for_each_condition(&mut |condition| harmless &= worth(condition, compiled, forgettable, value) == Some(true));
    harmless
}

/// What a condition comes to, where lost obligations alone settle it.
fn worth(
    condition: &Condition,
    compiled: &InterpretedFormula,
    forgettable: &Forgettable,
    value: ValueId,
) -> Option<bool> {
    let node = match condition {
        Condition::Constant(truth) => return Some(*truth),
        Condition::Open(node) => node,
    };
    let joined = |all: bool, members: &[Condition]| {
        let mut neutral = true;
        for member in members {
            match worth(member, compiled, forgettable, value) {
                Some(truth) if truth != all => return Some(truth),
                known => neutral &= known.is_some(),
            }
        }
        neutral.then_some(all)
    };
    match &node.open {
        Open::All(members) => joined(true, members),
        Open::Any(members) => joined(false, members),
        Open::Later(later) => is_lost(later, compiled, forgettable, value).then_some(later.negated),
        Open::Test(_) | Open::Residual(_) | Open::Gathering(_) | Open::Stuck(_) => None,
    }
}

fn is_lost(later: &Later, compiled: &InterpretedFormula, forgettable: &Forgettable, value: ValueId) -> bool {
    let own = &compiled.futures[later.future.0 as usize].slots;
    let mut slots = own.iter().zip(later.slots.iter());
    slots.any(|slots| match slots {
        (OperandSlot::Var(var), OperandSlot::Value(actual)) => {
            *actual == value && forgettable.lost.contains(&(later.future, *var))
        }
        _ => false,
    })
}
