//! Units run by their plans: at the first point, at points without events, and for what handlers do not cover.

use referee_trace::values::Values;

use super::{Firing, Program};
use crate::fo::code::program::{Source, Target, Task};
use crate::fo::run::world::{Registers, World};
use crate::fo::store::sets::Set;
use crate::fo::types::ViewId;
use crate::judge::Finding;

impl Program {
    pub(in crate::fo) fn run_unit(
        &mut self,
        unit: usize,
        triggers: &[usize],
        first: bool,
        values: &Values,
        found: &mut Vec<Finding>,
    ) {
        let firing = Firing { unit, triggers, first };
        match self.print.units[unit].target {
            Target::View(view) => self.run_view(firing, view, values),
            Target::Check(check) => self.run_check(firing, check, values),
            Target::Demand(demand) => self.run_demand(firing, demand, values, found),
        }
        while let Some((view, index, row)) = self.skips.get_mut().pop() {
            self.store.tables[view].skip(index, row);
        }
    }

    /// Calls `each` for every solution of every trigger with such a task.
    #[inline]
    pub(in crate::fo) fn for_each_solution(
        &self,
        firing: Firing<'_>,
        values: &Values,
        registers: &mut Registers,
        wanted: impl Fn(&Task) -> bool,
        mut each: impl FnMut(&World<'_>, &Task, &mut Registers),
    ) {
        let world = self.world(values);
        let unit = &self.print.units[firing.unit];
        for trigger in firing.triggers.iter().map(|trigger| &unit.triggers[*trigger]) {
            if !wanted(&trigger.task) {
                continue;
            }
            let mut solve = |registers: &mut Registers| {
                if trigger.plan.steps.is_empty() {
                    return each(&world, &trigger.task, registers);
                }
                world.solve(&trigger.plan.steps, registers, &mut |registers| {
                    each(&world, &trigger.task, registers);
                    false
                });
            };
            match &trigger.source {
                Source::Event(matching) => {
                    for event in 0..self.happenings.len() {
                        if world.matches_event(&self.happenings, event, matching, registers) {
                            solve(registers);
                        }
                    }
                }
                Source::Before(matching) => {
                    for event in 0..self.before.len() {
                        if world.matches_event(&self.before, event, matching, registers) {
                            solve(registers);
                        }
                    }
                }
                Source::Change { view, old, actions } => {
                    let all = if *old { self.old_changes.of(*view) } else { self.store.changes.of(*view) };
                    for key in all.chunks_exact(self.print.views[*view].keys().max(1)) {
                        if world.binds(key, actions, registers) {
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
    pub(in crate::fo) fn keys_of(
        &mut self,
        firing: Firing<'_>,
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

    pub(in crate::fo) fn run_view(&mut self, firing: Firing<'_>, view: ViewId, values: &Values) {
        let keys = self.print.views[view].keys();
        self.store.advance_window(view);
        let (goes, gone) = self.keys_of(firing, keys, values, |task| matches!(task, Task::Remove));
        let is_plain = !self.print.views[view].has_set;
        // What comes may be asked of the rows that go: all are found before the first goes.
        self.buffer = std::mem::take(&mut self.spare);
        let (comes, come) = self.keys_of(firing, keys, values, |task| is_plain && matches!(task, Task::Insert(_)));
        self.add_witnesses(firing, view, values);
        for row in 0..gone {
            self.store.break_row(view, &goes[row * keys..(row + 1) * keys]);
        }
        for row in 0..come {
            self.store.make_row(view, &comes[row * keys..(row + 1) * keys]);
        }
        (self.buffer, self.spare) = (goes, comes);
        if !is_plain {
            self.make_sets(firing, view, values);
        }
        if come > 0 {
            self.store.advance_window(view);
        }
    }

    /// Adds the witnesses of a window that is joined when it is asked for.
    fn add_witnesses(&mut self, firing: Firing<'_>, view: ViewId, values: &Values) {
        let Some(join) = &self.print.views[view].join else { return };
        let (mut words, mut registers) = (Vec::new(), self.registers);
        let wanted = |task: &Task| matches!(task, Task::AddWitness(_));
        self.for_each_solution(firing, values, &mut registers, wanted, |_, _, registers| {
            words.extend(join.registers.iter().map(|register| registers[*register as usize]));
        });
        let columns = join.registers.len();
        words.chunks_exact(columns).for_each(|witness| self.store.join_row(view, witness));
    }

    pub(in crate::fo) fn make_sets(&mut self, firing: Firing<'_>, view: ViewId, values: &Values) {
        let keys = self.print.views[view].keys();
        let mut made: Vec<(Vec<u64>, Set)> = Vec::new();
        let mut registers = self.registers;
        self.for_each_solution(
            firing,
            values,
            &mut registers,
            |task| matches!(task, Task::Insert(_)),
            |world, task, registers| {
                if let Task::Insert(Some(set)) = task {
                    made.push((registers[..keys].to_vec(), world.set(set, registers)));
                }
            },
        );
        for (key, set) in made {
            if set.is_empty() {
                continue;
            }
            let (row, new) = self.store.tables[view].insert(&key);
            let old = self.store.tables[view].set(row).cloned().unwrap_or_default();
            let all = if new { set } else { old.or(&set) };
            if new || all != old {
                self.store.tables[view].replace_set(row, all);
                self.store.changes.note(view, &key);
            }
        }
    }

    pub(in crate::fo) fn run_check(&mut self, firing: Firing<'_>, check: usize, values: &Values) {
        let bindings = &self.print.checks[check].bindings;
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
