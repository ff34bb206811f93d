//! What the past operators remember from point to point.
//!
//! `φ S_I ψ` at point i asks for an earlier point j with ψ at j, φ ever since, and t_i − t_j ∈ I. Its memory is a *window*
//! of tables, one per point j at which ψ held for some assignment:
//!
//! ```text
//!   waiting (too recent for I) ─▶ live (inside I) ─▶ dropped (past I)
//! ```
//!
//! Each point's φ is conjoined to every table; a table that becomes false is dropped. Where I has no upper end, live tables
//! never leave, so they are merged into one; where I is [0, ∞) that one is all there is and an update touches only the rows
//! that φ and ψ name.
//!
//! Cost per point: O(rows changed · log rows) without an interval, and that times the number of tables otherwise.

use std::collections::VecDeque;

use referee_spec::core::Interval;
use referee_trace::number::Number;

use crate::fo::interpret::algebra::Algebra;
use crate::fo::interpret::table::ConditionTable;
use crate::fo::interpret::tree::Tree;

/// Tables with the times of the points they come from, oldest first.
pub(crate) type Dated = VecDeque<(Number, ConditionTable)>;

/// The memory of one `Since`.
#[derive(Debug, Clone, Default)]
pub(crate) struct PastWindow {
    /// Tables that are too recent for the interval.
    pub waiting: Dated,
    /// Tables inside the interval.
    pub live: Dated,
}

impl PastWindow {
    /// Replaces every table.
    pub(crate) fn map(&mut self, mut change: impl FnMut(&ConditionTable) -> ConditionTable) {
        for (_, table) in self.waiting.iter_mut().chain(&mut self.live) {
            *table = change(table);
        }
        self.waiting.retain(|(_, table)| table.as_constant() != Some(false));
        self.live.retain(|(_, table)| table.as_constant() != Some(false));
    }

    /// Whether a later point may settle something in the window.
    pub(crate) fn is_pending(&self) -> bool {
        self.waiting.iter().chain(&self.live).any(|(_, table)| table.is_pending())
    }

    /// Adds the table of the current point.
    pub(crate) fn push(&mut self, algebra: &mut Algebra, interval: &Interval, now: &Number, table: ConditionTable) {
        if table.as_constant() == Some(false) {
            return;
        }
        if interval.contains(&Number::ZERO) {
            return self.admit(algebra, interval, now.clone(), table);
        }
        // Points at the same time become old enough together; where there is no time, none ever does.
        match self.waiting.back_mut() {
            Some((last, merged)) if last == now => {
                *merged = update(algebra, merged, &ConditionTable::constant(true), &table);
            }
            _ => self.waiting.push_back((now.clone(), table)),
        }
    }

    /// Lets tables that have become old enough in, and those that have become too old out.
    pub(crate) fn advance(&mut self, algebra: &mut Algebra, interval: &Interval, now: &Number) {
        while let Some((then, _)) = self.waiting.front() {
            let age = now.sub(then);
            if !interval.contains(&age) && !interval.is_before(&age) {
                break;
            }
            if let Some((then, table)) = self.waiting.pop_front() {
                self.admit(algebra, interval, then, table);
            }
        }
        while self.live.front().is_some_and(|(then, _)| interval.is_before(&now.sub(then))) {
            self.live.pop_front();
        }
    }

    fn admit(&mut self, algebra: &mut Algebra, interval: &Interval, then: Number, table: ConditionTable) {
        match self.live.back_mut() {
            Some((last, merged)) if interval.high.is_none() || *last == then => {
                *merged = update(algebra, merged, &ConditionTable::constant(true), &table);
            }
            _ => self.live.push_back((then, table)),
        }
    }

    /// Conjoins `left` to all tables.
    pub(crate) fn restrict(&mut self, algebra: &mut Algebra, left: &ConditionTable) {
        if left.as_constant() != Some(true) {
            let nothing = ConditionTable::constant(false);
            self.map(|table| update(algebra, table, left, &nothing));
        }
    }

    /// Some live table holds.
    pub(crate) fn value(&self, algebra: &mut Algebra) -> ConditionTable {
        match self.live.len() {
            0 => ConditionTable::constant(false),
            1 => self.live[0].1.clone(),
            _ => algebra.join(Tree::any(self.live.iter().map(|(_, table)| Tree::table(table.clone())).collect())),
        }
    }

    /// All tables.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &ConditionTable> {
        self.waiting.iter().chain(&self.live).map(|(_, table)| table)
    }
}

/// The runs of a regular expression that are in one state, by the time at which they began, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Runs(pub Vec<(Number, ConditionTable)>);

impl Runs {
    /// A run that begins now, for all assignments.
    pub(crate) fn begin(&mut self, now: &Number) {
        match self.0.last_mut() {
            Some((last, table)) if last == now => *table = ConditionTable::constant(true),
            _ => self.0.push((now.clone(), ConditionTable::constant(true))),
        }
    }

    /// Replaces every table and drops those that become false.
    pub(crate) fn map(&mut self, mut change: impl FnMut(&ConditionTable) -> ConditionTable) {
        self.0.iter_mut().for_each(|(_, table)| *table = change(table));
        self.0.retain(|(_, table)| table.as_constant() != Some(false));
    }

    /// Conjoins `left` to all runs.
    pub(crate) fn restrict(&mut self, algebra: &mut Algebra, left: &ConditionTable) {
        if left.as_constant() != Some(true) {
            let nothing = ConditionTable::constant(false);
            self.map(|table| update(algebra, table, left, &nothing));
        }
    }

    /// Adds other runs; those that began at the same time are merged.
    pub(crate) fn absorb(&mut self, algebra: &mut Algebra, others: Runs) {
        for (then, table) in others.0 {
            match self.0.binary_search_by(|(own, _)| own.cmp(&then)) {
                Ok(at) => self.0[at].1 = update(algebra, &self.0[at].1, &ConditionTable::constant(true), &table),
                Err(at) => self.0.insert(at, (then, table)),
            }
        }
    }

    /// Drops runs that began too long ago, and merges those that no later time can tell apart.
    pub(crate) fn expire(&mut self, algebra: &mut Algebra, interval: &Interval, now: &Number) {
        self.0.retain(|(then, _)| !interval.is_before(&now.sub(then)));
        if interval.high.is_none() {
            let old = self.0.partition_point(|(then, _)| interval.contains(&now.sub(then)));
            let merged: Vec<(Number, ConditionTable)> = self.0.drain(..old).collect();
            if let Some((oldest, _)) = merged.first() {
                let oldest = oldest.clone();
                let any = Tree::any(merged.into_iter().map(|(_, table)| Tree::table(table)).collect());
                self.0.insert(0, (oldest, algebra.join(any)));
            }
        }
    }

    /// Some run that began within the interval holds.
    pub(crate) fn value(&self, algebra: &mut Algebra, interval: &Interval, now: &Number) -> ConditionTable {
        let within = self.0.iter().filter(|(then, _)| interval.contains(&now.sub(then)));
        algebra.join(Tree::any(within.map(|(_, table)| Tree::table(table.clone())).collect()))
    }

    /// Whether a later point may settle something.
    pub(crate) fn is_pending(&self) -> bool {
        self.0.iter().any(|(_, table)| table.is_pending())
    }

    /// All tables.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &ConditionTable> {
        self.0.iter().map(|(_, table)| table)
    }
}

/// `(state and left) or right`, touching only the rows that `left` and `right` name where they are neutral elsewhere.
pub(crate) fn update(
    algebra: &mut Algebra,
    state: &ConditionTable,
    left: &ConditionTable,
    right: &ConditionTable,
) -> ConditionTable {
    match (left.as_constant(), right.as_constant()) {
        (Some(true), Some(false)) => return state.clone(),
        (_, Some(true)) => return right.clone(),
        (Some(false), _) => return right.clone(),
        _ => {}
    }
    let neutral = |table: &ConditionTable, var, truth| match table.level_of(var) {
        Some(node) => node.rest.as_constant() == Some(truth),
        None => table.as_constant() == Some(truth),
    };
    let var = [state, left, right].into_iter().filter_map(ConditionTable::top).min();
    match var {
        Some(var) if neutral(left, var, true) && neutral(right, var, false) => {
            let mut updated = state.clone();
            for table in [left, right] {
                let Some(node) = table.level_of(var) else { continue };
                for value in node.rows.keys() {
                    let (old, left, right) =
                        (algebra.at(state, var, *value), algebra.at(left, var, *value), algebra.at(right, var, *value));
                    let row = update(algebra, &old, &left, &right);
                    let rest = match updated.level_of(var) {
                        Some(node) => node.rest.clone(),
                        None => updated.clone(),
                    };
                    let same = algebra.at(&rest, var, *value) == row;
                    updated = updated.with_row(var, *value, (!same).then_some(row));
                }
            }
            updated
        }
        _ => {
            let kept = Tree::all(vec![Tree::table(state.clone()), Tree::table(left.clone())]);
            algebra.join(Tree::any(vec![kept, Tree::table(right.clone())]))
        }
    }
}
