//! The way of plans: at the first point, at points without events, and for what handlers do not cover.
//!
//! ```text
//!   unit ─▶ its triggers that fire ─▶ each solution of their plans ─▶ keys to remove, keys to insert, violations
//! ```
//!
//! All solutions are found before anything changes, so a unit may read the table that it keeps.

use referee_trace::points::PointView;
use referee_trace::values::Values;

use crate::fo::code::program::{Source, Target, Task};
use crate::fo::run::plan_context::PlanContext;
use crate::fo::run::point_events::Registers;
use crate::fo::run::program::{Program, UnitFiring};
use crate::fo::store::sets::Set;
use crate::fo::types::ViewId;
use crate::judge::Finding;

impl Program {
    /// Judges a point by the plans of its units: of all of them, or of those that one event of its shape sets off.
    pub(super) fn judge_point(&mut self, point: &PointView<'_>, values: &Values, found: &mut Vec<Finding>) {
        let first = self.executor.store.point == 0;
        if first && point.number > 1 {
            // The reader has dropped the first point: nothing that matters happened there, but it was the first.
            self.executor.store.point = 1;
            self.run_all(true, values, found);
            return self.judge_point(point, values, found);
        }
        self.begin_point(point);
        self.move_parts(point, values);
        std::mem::swap(&mut self.events, &mut self.events_before);
        self.events.clear();
        for (shape, arguments) in point.events() {
            let words = arguments.iter().map(|atom| Program::word(self.by_text, values, *atom));
            self.events.push(shape.0, words);
        }
        self.turn_changes();
        match (first, self.events.len()) {
            (false, 1) => {
                let shape = self.events.shape(0) as usize;
                let active = self.active[self.matches.class(shape)].clone();
                for (unit, triggers) in active.iter() {
                    self.run_unit(*unit, triggers, false, values, found);
                }
            }
            _ => self.run_all(first, values, found),
        }
        self.conclude(values, found);
    }

    /// Runs all units by their plans.
    pub(super) fn run_all(&mut self, first: bool, values: &Values, found: &mut Vec<Finding>) {
        let whole = std::mem::take(&mut self.whole);
        for (unit, triggers) in whole.iter().enumerate() {
            self.run_unit(unit, triggers, first, values, found);
        }
        self.whole = whole;
    }

    pub(super) fn run_unit(
        &mut self,
        unit: usize,
        triggers: &[usize],
        first: bool,
        values: &Values,
        found: &mut Vec<Finding>,
    ) {
        let firing = UnitFiring { unit, triggers, first };
        match self.program.units[unit].target {
            Target::View(view) => self.run_view(firing, view, values),
            Target::Check(check) => self.run_check(firing, check, values),
            Target::Demand(demand) => self.run_demand(firing, demand, values, found),
        }
        while let Some((view, index, row)) = self.skips.get_mut().pop() {
            self.executor.store.tables[view].skip(index, row);
        }
    }

    /// Calls `each` for every solution of every trigger with such a task.
    #[inline]
    pub(super) fn for_each_solution(
        &self,
        firing: UnitFiring<'_>,
        values: &Values,
        registers: &mut Registers,
        wanted: impl Fn(&Task) -> bool,
        mut each: impl FnMut(&PlanContext<'_>, &Task, &mut Registers),
    ) {
        let context = self.context(values);
        let unit = &self.program.units[firing.unit];
        for trigger in firing.triggers.iter().map(|trigger| &unit.triggers[*trigger]) {
            if !wanted(&trigger.task) {
                continue;
            }
            let mut solve = |registers: &mut Registers| {
                if trigger.plan.steps.is_empty() {
                    return each(&context, &trigger.task, registers);
                }
                context.solve(&trigger.plan.steps, registers, &mut |registers| {
                    each(&context, &trigger.task, registers);
                    false
                });
            };
            match &trigger.source {
                Source::Event(matching) => {
                    for event in 0..self.events.len() {
                        if context.matches_event(&self.events, event, matching, registers) {
                            solve(registers);
                        }
                    }
                }
                Source::Before(matching) => {
                    for event in 0..self.events_before.len() {
                        if context.matches_event(&self.events_before, event, matching, registers) {
                            solve(registers);
                        }
                    }
                }
                Source::Change { view, old, actions } => {
                    let all = if *old { self.old_changes.of(*view) } else { self.executor.store.changes.of(*view) };
                    for key in all.chunks_exact(self.program.views[*view].keys().max(1)) {
                        if context.binds(key, actions, registers) {
                            solve(registers);
                        }
                    }
                }
                Source::First if firing.first => solve(registers),
                Source::First => {}
            }
        }
    }

    /// The keys that the triggers with such a task find, one after the other, and how many.
    #[inline]
    pub(super) fn keys_of(
        &mut self,
        firing: UnitFiring<'_>,
        keys: usize,
        values: &Values,
        wanted: impl Fn(&Task) -> bool,
    ) -> (Vec<u64>, usize) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        let (mut count, mut registers) = (0, self.registers);
        self.for_each_solution(firing, values, &mut registers, wanted, |_, _, registers| {
            buffer.extend_from_slice(&registers[..keys]);
            count += 1;
        });
        (buffer, count)
    }

    pub(super) fn run_view(&mut self, firing: UnitFiring<'_>, view: ViewId, values: &Values) {
        let keys = self.program.views[view].keys();
        self.executor.store.advance_window(view);
        let (goes, gone) = self.keys_of(firing, keys, values, |task| matches!(task, Task::Remove));
        let is_plain = !self.program.views[view].has_set;
        // What comes may be asked of the rows that go: all are found before the first goes.
        self.buffer = std::mem::take(&mut self.spare);
        let (comes, come) = self.keys_of(firing, keys, values, |task| is_plain && matches!(task, Task::Insert(_)));
        self.add_witnesses(firing, view, values);
        for row in 0..gone {
            self.executor.store.remove_row(view, &goes[row * keys..(row + 1) * keys]);
        }
        for row in 0..come {
            self.executor.store.insert_row(view, &comes[row * keys..(row + 1) * keys]);
        }
        (self.buffer, self.spare) = (goes, comes);
        if !is_plain {
            self.insert_sets(firing, view, values);
        }
        if come > 0 {
            self.executor.store.advance_window(view);
        }
    }

    /// Adds the witnesses of a window that is joined when it is asked for.
    fn add_witnesses(&mut self, firing: UnitFiring<'_>, view: ViewId, values: &Values) {
        let Some(join) = &self.program.views[view].join else { return };
        let (mut words, mut registers) = (Vec::new(), self.registers);
        let wanted = |task: &Task| matches!(task, Task::AddWitness(_));
        self.for_each_solution(firing, values, &mut registers, wanted, |_, _, registers| {
            words.extend(join.registers.iter().map(|register| registers[*register as usize]));
        });
        let columns = join.registers.len();
        words.chunks_exact(columns).for_each(|witness| self.executor.store.add_witness(view, witness));
    }

    pub(super) fn insert_sets(&mut self, firing: UnitFiring<'_>, view: ViewId, values: &Values) {
        let keys = self.program.views[view].keys();
        let mut made: Vec<(Vec<u64>, Set)> = Vec::new();
        let mut registers = self.registers;
        self.for_each_solution(
            firing,
            values,
            &mut registers,
            |task| matches!(task, Task::Insert(_)),
            |context, task, registers| {
                if let Task::Insert(Some(set)) = task {
                    made.push((registers[..keys].to_vec(), context.set(set, registers)));
                }
            },
        );
        for (key, set) in made {
            if set.is_empty() {
                continue;
            }
            let (row, new) = self.executor.store.tables[view].insert(&key);
            let old = self.executor.store.tables[view].set(row).cloned().unwrap_or_default();
            let all = if new { set } else { old.or(&set) };
            if new || all != old {
                self.executor.store.tables[view].replace_set(row, all);
                self.executor.store.changes.note(view, &key);
            }
        }
    }

    pub(super) fn run_check(&mut self, firing: UnitFiring<'_>, check: usize, values: &Values) {
        let bindings = &self.program.checks[check].bindings;
        let mut rows: Vec<Vec<Option<u64>>> = Vec::new();
        let mut registers = self.registers;
        self.for_each_solution(
            firing,
            values,
            &mut registers,
            |_| true,
            |_, _, registers| {
                rows.push(bindings.iter().map(|register| register.map(|at| registers[at as usize])).collect());
            },
        );
        if !rows.is_empty() {
            self.note_rows(check, &rows, values);
        }
    }
}
