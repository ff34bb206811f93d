//! Demands on the future by the way of plans: deadlines, goals, failures and openings of one unit, in this order.

use referee_spec::core::{Judgement, bindings_order};
use referee_trace::number::Number;
use referee_trace::value::Value;
use referee_trace::values::Values;

use crate::fo::code::program::{Follow, Target, Task};
use crate::fo::run::point_events::Registers;
use crate::fo::run::program::{Program, UnitFiring};
use crate::fo::store::row::Row;
use crate::fo::types::REGISTERS;
use crate::judge::Finding;

impl Program {
    pub(super) fn run_demand(
        &mut self,
        firing: UnitFiring<'_>,
        demand: usize,
        values: &Values,
        found: &mut Vec<Finding>,
    ) {
        self.executor.store.pass_deadlines(demand);
        let fresh = std::mem::take(&mut self.executor.store.demands[demand].fresh);
        match self.program.follows[demand].relay {
            Some(_) => self.finish_relays(firing, demand, values),
            None => {
                let met = self.demand_rows(firing, values, |task| matches!(task, Task::Meet));
                let met = met.into_iter().chain(self.rows_that(&fresh, demand, true, values)).collect::<Vec<_>>();
                met.into_iter().for_each(|row| self.executor.store.demands[demand].meet(row));
            }
        }
        let failed = self.demand_rows(firing, values, |task| matches!(task, Task::Fail));
        let failed = failed.into_iter().chain(self.rows_that(&fresh, demand, false, values)).collect::<Vec<_>>();
        failed.into_iter().for_each(|row| self.executor.store.demands[demand].fail(row));
        self.open_demands(firing, demand, values);
        self.report_demands(demand, values, found);
    }

    /// The rows of open demands that triggers with such a task find.
    fn demand_rows(&self, firing: UnitFiring<'_>, values: &Values, wanted: impl Fn(&Task) -> bool) -> Vec<Row> {
        let Target::Demand(demand) = self.program.units[firing.unit].target else { return Vec::new() };
        let view = self.program.follows[demand].view;
        let columns = self.program.views[view].columns;
        let mut rows = Vec::new();
        if self.executor.store.tables[view].len() > 0 {
            let mut registers = self.registers;
            self.for_each_solution(firing, values, &mut registers, wanted, |_, _, registers| {
                rows.extend(self.executor.store.tables[view].find(&registers[..columns]));
            });
        }
        rows
    }

    /// Settles the openings of rows whose goal holds now that are not younger than what had to come before it.
    fn finish_relays(&mut self, firing: UnitFiring<'_>, demand: usize, values: &Values) {
        let view = self.program.follows[demand].view;
        let columns = self.program.views[view].columns;
        let mut met: Vec<(Row, u64)> = Vec::new();
        if self.executor.store.tables[view].len() > 0 {
            let mut registers = self.registers;
            let wanted = |task: &Task| matches!(task, Task::Meet);
            self.for_each_solution(firing, values, &mut registers, wanted, |_, _, registers| {
                let row = self.executor.store.tables[view].find(&registers[..columns]);
                met.extend(row.map(|row| (row, self.relayed_at(demand, registers))));
            });
        }
        met.into_iter().for_each(|(row, latest)| self.executor.store.demands[demand].relay(row, latest));
    }

    /// The last point at which what must come before a goal came, for these values; 0 if it never did.
    fn relayed_at(&self, demand: usize, registers: &Registers) -> u64 {
        let Some((view, key)) = &self.program.follows[demand].relay else { return 0 };
        let key: Vec<u64> = key.iter().map(|register| registers[*register as usize]).collect();
        let table = &self.executor.store.tables[*view];
        table.find(&key).map_or(0, |row| table.stamp(row))
    }

    /// Those of some rows whose goal holds now, or for which what must hold fails.
    fn rows_that(&self, rows: &[Row], demand: usize, goal: bool, values: &Values) -> Vec<Row> {
        let follow = &self.program.follows[demand];
        let plan = if goal { &follow.goal } else { &follow.fails };
        let context = self.context(values);
        let holds = |row: &&Row| {
            let mut registers = [0; REGISTERS];
            let key = self.executor.store.tables[follow.view].key(**row);
            registers[..key.len()].copy_from_slice(key);
            !self.executor.store.demands[demand].is_settled(**row)
                && context.solve(&plan.steps, &mut registers, &mut |_| true)
        };
        rows.iter().filter(holds).copied().collect()
    }

    /// Whether the goal of a demand that opens now is reached now.
    fn is_met_at_once(&self, demand: usize, registers: &Registers, values: &Values) -> bool {
        let Follow { goal, relay, from_next, interval, .. } = &self.program.follows[demand];
        let is_met = |registers: &mut Registers| {
            relay.is_none() || self.relayed_at(demand, registers) == self.executor.store.point
        };
        let may_be = !from_next && interval.contains(&Number::ZERO);
        may_be && self.context(values).solve(&goal.steps, &mut registers.clone(), &mut { is_met })
    }

    fn open_demands(&mut self, firing: UnitFiring<'_>, demand: usize, values: &Values) {
        let columns = self.program.views[self.program.follows[demand].view].columns;
        let (buffer, count) = self.keys_of(firing, columns, values, |task| matches!(task, Task::Open));
        for at in 0..count {
            self.open_demand(demand, &buffer[at * columns..(at + 1) * columns], values);
        }
        self.buffer = buffer;
    }

    fn open_demand(&mut self, demand: usize, key: &[u64], values: &Values) {
        let follow = &self.program.follows[demand];
        let mut registers: Registers = [0; REGISTERS];
        registers[..key.len()].copy_from_slice(key);
        let met = self.is_met_at_once(demand, &registers, values);
        let may_fail = !follow.from_next && !met;
        let failed = may_fail && self.context(values).solve(&follow.fails.steps, &mut registers, &mut |_| true);
        match (met, failed, follow.forbidden) {
            (true, _, true) | (_, true, false) => self.executor.store.fail_demand_at_once(demand, key),
            (true, _, false) | (_, true, true) => {}
            (false, false, _) => self.executor.store.open_demand(demand, key),
        }
    }

    /// Tells the violations of demands that were found at this point, and lets go of what is settled.
    pub(super) fn report_demands(&mut self, demand: usize, values: &Values, found: &mut Vec<Finding>) {
        let follow = &self.program.follows[demand];
        let rule = follow.rule;
        let once = self.rules[rule].judgement == Judgement::Once;
        let mut all: Vec<(u64, Vec<Option<Value>>, Vec<u64>)> = Vec::new();
        for (row, point) in std::mem::take(&mut self.executor.store.demands[demand].violated) {
            let key = self.executor.store.tables[follow.view].key(row);
            let words: Vec<u64> =
                follow.bindings.iter().filter_map(|column| column.map(|at| key[at as usize])).collect();
            let context = self.context(values);
            let bindings = words.iter().map(|word| Some(context.value(*word))).collect();
            all.push((if once { self.executor.store.point } else { point }, bindings, words));
        }
        all.sort_by(|one, other| one.0.cmp(&other.0).then_with(|| bindings_order(&one.1, &other.1)));
        all.dedup_by(|one, other| one.0 == other.0 && one.2 == other.2);
        for (point, bindings, words) in all {
            self.violation(rule, point, self.executor.store.point, bindings, words, found);
        }
        self.executor.store.sweep_demands(demand);
    }
}
