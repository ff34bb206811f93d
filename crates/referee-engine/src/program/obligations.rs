//! Demands on the future: how they are opened, met, broken and told.

use referee_spec::core::{Judgement, bindings_order};
use referee_trace::number::Number;
use referee_trace::value::Value;
use referee_trace::values::Values;

use super::blueprint::{Follow, Target, Task};
use super::demand::{Manner, Opening};
use super::plan::Step;
use super::table::Row;
use super::views::REGISTERS;
use super::world::Registers;
use super::{Firing, Program};
use crate::judge::Finding;

impl Program {
    pub(super) fn run_demand(&mut self, firing: Firing<'_>, demand: usize, values: &Values, found: &mut Vec<Finding>) {
        let mut broken: Vec<(Row, u64)> = Vec::new();
        self.pass_deadlines(demand, &mut broken);
        let fresh = std::mem::take(&mut self.demands[demand].fresh);
        let met = match self.print.follows[demand].relay {
            Some(_) => self.finish_relays(firing, demand, values),
            None => {
                let met = self.demand_rows(firing, values, |task| matches!(task, Task::Meet));
                let met = met.into_iter().chain(self.rows_that(&fresh, demand, true, values)).collect::<Vec<_>>();
                self.reach_goals(demand, &met, &mut broken);
                met
            }
        };
        let failed = self.demand_rows(firing, values, |task| matches!(task, Task::Fail));
        let failed = failed.into_iter().chain(self.rows_that(&fresh, demand, false, values)).collect::<Vec<_>>();
        self.fail(demand, &failed, &mut broken);
        self.open_demands(firing, demand, values, &mut broken);
        self.report_demands(demand, broken, values, found);
        let view = self.print.follows[demand].view;
        for row in met.into_iter().chain(failed) {
            self.demands[demand].sweep(row, &mut self.store.tables[view]);
        }
    }

    pub(super) fn pass_deadlines(&mut self, demand: usize, broken: &mut Vec<(Row, u64)>) {
        let follow = &self.print.follows[demand];
        if follow.interval.high.is_none() {
            return;
        }
        let mut passed = Vec::new();
        while let Some((row, opening)) = self.demands[demand].expired(&follow.interval, &self.store.time) {
            passed.push((row, opening.point));
        }
        match follow.forbidden {
            true => self.demands[demand].settled_now.extend(passed.iter().map(|(row, _)| *row)),
            false => broken.extend(passed),
        }
    }

    /// The rows of open demands that triggers with such a task find.
    pub(super) fn demand_rows(&self, firing: Firing<'_>, values: &Values, wanted: impl Fn(&Task) -> bool) -> Vec<Row> {
        let Target::Demand(demand) = self.print.units[firing.unit].target else { return Vec::new() };
        let view = self.print.follows[demand].view;
        let columns = self.print.views[view].columns;
        let mut rows = Vec::new();
        if self.store.tables[view].len() > 0 {
            let mut registers = self.registers;
            self.for_each_solution(firing, values, &mut registers, wanted, |_, _, registers| {
                rows.extend(self.store.tables[view].find(&registers[..columns]));
            });
        }
        rows
    }

    /// Settles the openings of rows whose goal holds now that are not younger than what had to come before it; tells
    /// which rows these are.
    fn finish_relays(&mut self, firing: Firing<'_>, demand: usize, values: &Values) -> Vec<Row> {
        let view = self.print.follows[demand].view;
        let columns = self.print.views[view].columns;
        let mut met: Vec<(Row, u64)> = Vec::new();
        if self.store.tables[view].len() > 0 {
            let mut registers = self.registers;
            let wanted = |task: &Task| matches!(task, Task::Meet);
            self.for_each_solution(firing, values, &mut registers, wanted, |_, _, registers| {
                let row = self.store.tables[view].find(&registers[..columns]);
                met.extend(row.map(|row| (row, self.relayed_at(demand, registers))));
            });
        }
        for (row, latest) in &met {
            while self.demands[demand].relayed(*row, *latest).is_some() {}
        }
        met.into_iter().map(|(row, _)| row).collect()
    }

    /// The last point at which what must come before a goal came, for these values; 0 if it never did.
    fn relayed_at(&self, demand: usize, registers: &Registers) -> u64 {
        let Some((view, key)) = &self.print.follows[demand].relay else { return 0 };
        let key: Vec<u64> = key.iter().map(|register| registers[*register as usize]).collect();
        let table = &self.store.tables[*view];
        table.find(&key).map_or(0, |row| table.stamp(row))
    }

    /// Those of some rows whose goal holds now, or for which what must hold fails.
    pub(super) fn rows_that(&self, rows: &[Row], demand: usize, goal: bool, values: &Values) -> Vec<Row> {
        let follow = &self.print.follows[demand];
        let plan = if goal { &follow.goal } else { &follow.fails };
        let world = self.world(values);
        let holds = |row: &&Row| {
            let mut registers = [0; REGISTERS];
            let key = self.store.tables[follow.view].key(**row);
            registers[..key.len()].copy_from_slice(key);
            !self.demands[demand].is_settled(**row) && world.solve(&plan.steps, &mut registers, &mut |_| true)
        };
        rows.iter().filter(holds).copied().collect()
    }

    pub(super) fn reach_goals(&mut self, demand: usize, met: &[Row], broken: &mut Vec<(Row, u64)>) {
        let follow = &self.print.follows[demand];
        for &row in met {
            while let Some(opening) = self.demands[demand].settled(row, &follow.interval, &self.store.time) {
                if follow.forbidden {
                    broken.push((row, opening.point));
                }
            }
        }
    }

    pub(super) fn fail(&mut self, demand: usize, failed: &[Row], broken: &mut Vec<(Row, u64)>) {
        let forbidden = self.print.follows[demand].forbidden;
        for &row in failed {
            while let Some(opening) = self.demands[demand].any(row) {
                if !forbidden {
                    broken.push((row, opening.point));
                }
            }
        }
    }

    /// Whether the goal of a demand that opens now is reached now.
    fn is_met_at_once(&self, demand: usize, registers: &Registers, values: &Values) -> bool {
        let Follow { goal, relay, .. } = &self.print.follows[demand];
        let is_met =
            |registers: &mut Registers| relay.is_none() || self.relayed_at(demand, registers) == self.store.point;
        self.world(values).solve(&goal.steps, &mut registers.clone(), &mut { is_met })
    }

    pub(super) fn open_demands(
        &mut self,
        firing: Firing<'_>,
        demand: usize,
        values: &Values,
        broken: &mut Vec<(Row, u64)>,
    ) {
        let follow = &self.print.follows[demand];
        let (view, from_next, forbidden) = (follow.view, follow.from_next, follow.forbidden);
        let columns = self.print.views[view].columns;
        let now_counts = follow.interval.contains(&Number::ZERO);
        let bounded = follow.interval.high.is_some();
        let once = self.rules[follow.rule].judgement == Judgement::Once;
        let single = once && follow.relay.is_none();
        let (buffer, count) = self.keys_of(firing, columns, values, |task| matches!(task, Task::Open));
        for at in 0..count {
            let key = &buffer[at * columns..(at + 1) * columns];
            let (row, _) = self.store.tables[view].insert(key);
            let world = self.world(values);
            let mut registers: Registers = [0; REGISTERS];
            registers[..columns].copy_from_slice(key);
            let follow = &self.print.follows[demand];
            let holds = |steps: &[Step]| world.solve(steps, &mut registers.clone(), &mut |_| true);
            let met = !from_next && now_counts && self.is_met_at_once(demand, &registers, values);
            let failed = !from_next && !met && holds(&follow.fails.steps);
            if (met && forbidden) || (failed && !forbidden) {
                broken.push((row, self.store.point));
            }
            if !met && !failed {
                let opening = Opening { point: self.store.point, time: self.store.time.clone() };
                let how = Manner { single, shown: !once, bounded };
                self.demands[demand].open(row, opening, how);
                if from_next {
                    self.demands[demand].fresh.push(row);
                }
            }
        }
        // Rows that were settled at once stay until their violations are told.
        if count > 0 {
            let rows: Vec<Row> = (0..count)
                .filter_map(|at| self.store.tables[view].find(&buffer[at * columns..(at + 1) * columns]))
                .collect();
            let settled: Vec<Row> = rows.into_iter().filter(|row| self.demands[demand].is_settled(*row)).collect();
            self.demands[demand].settled_now.extend(settled);
        }
        self.buffer = buffer;
    }

    pub(super) fn report_demands(
        &mut self,
        demand: usize,
        broken: Vec<(Row, u64)>,
        values: &Values,
        found: &mut Vec<Finding>,
    ) {
        let follow = &self.print.follows[demand];
        let (rule, view) = (follow.rule, follow.view);
        let once = self.rules[rule].judgement == Judgement::Once;
        let mut all: Vec<(u64, Vec<Option<Value>>, Vec<u64>)> = Vec::new();
        for (row, point) in &broken {
            let key = self.store.tables[view].key(*row);
            let words: Vec<u64> = self.print.follows[demand]
                .bindings
                .iter()
                .filter_map(|column| column.map(|at| key[at as usize]))
                .collect();
            let world = self.world(values);
            let bindings = words.iter().map(|word| Some(world.value(*word))).collect();
            all.push((if once { self.store.point } else { *point }, bindings, words));
        }
        all.sort_by(|one, other| one.0.cmp(&other.0).then_with(|| bindings_order(&one.1, &other.1)));
        all.dedup_by(|one, other| one.0 == other.0 && one.2 == other.2);
        for (point, bindings, words) in all {
            self.violation(rule, point, self.store.point, bindings, words, found);
        }
        for row in std::mem::take(&mut self.demands[demand].settled_now) {
            self.demands[demand].sweep(row, &mut self.store.tables[view]);
        }
        for (row, _) in broken {
            self.demands[demand].sweep(row, &mut self.store.tables[view]);
        }
    }
}
