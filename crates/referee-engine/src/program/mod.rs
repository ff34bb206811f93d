//! The fast path: a property compiled to tables and handlers, as one would write it by hand.
//!
//! ```text
//!   Property ─▶ lower (ways to violate it) ─▶ laws (rewritings) ─▶ views (tables) ─▶ blueprint (units, triggers, plans)
//!                                                                                        │
//!   batch of points ─▶ Program: per point, the units that the event's shape can trigger ◀┘ ─▶ violations
//! ```
//!
//! `[login(u), logout(u))` becomes a table keyed by u with one insert and one delete; `access(u,f) -> …` a look-up or two
//! when that event comes. **Candidates are a superset, values are exact** (see [`blueprint`]). What the compiler does not
//! cover takes the general path; [`Reason`] says why.
//!
//! Cost per event: the units of its shape, each a match of the event and a few probes. No allocation once tables have
//! grown. Values are words, interned by the reader; integers are never hashed to be interned.

mod blueprint;
mod demand;
mod laws;
mod logic;
mod lower;
mod plan;
mod sets;
mod show;
mod table;
mod views;
mod window;
mod world;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use referee_spec::core::{Equality, Judgement, Outcome, Property, Status, Violation, bindings_order};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::owned::OwnedTrace;
use referee_trace::points::{Interest, PointView, Points};
use referee_trace::raw::Want;
use referee_trace::value::Value;
use referee_trace::values::Values;

use crate::judge::{Finding, Judge, Size, Wanted};

use blueprint::{Blueprint, Source, Target, Task};
use demand::{Demands, Opening};
use logic::{Argument, Pattern};
use table::{Row, Table};
use views::{REGISTERS, Upkeep, ViewId};
use window::Window;
use world::{Constants, Happenings, Matches, Registers, World};

pub use laws::Passes;
pub use lower::Reason;

/// Why the fast path does not take a property, if it does not.
pub fn obstacle(property: &Arc<Property>, passes: &Passes) -> Option<Reason> {
    blueprint::compile(std::slice::from_ref(property), passes).err()
}

/// A rule of the program, as far as reports need it.
#[derive(Debug)]
struct Rule {
    judgement: Judgement,
    violations: u64,
    /// The bindings that were reported, for properties judged once; pairs of point and bindings where a violation could be
    /// found twice.
    reported: HashSet<(u64, Vec<u64>)>,
    /// Whether a violation could be found by two branches at different points.
    ambiguous: bool,
    /// The rows that violate the property at this point: one word per binding.
    now: Vec<Vec<Option<u64>>>,
    /// What only the end decides: the bindings, and the point at which they were found.
    by_end: HashMap<Vec<u64>, u64>,
}

/// A violation's bindings, as values and as words.
type Told = (Vec<Option<Value>>, Vec<Option<u64>>);

/// A unit that runs, with those of its triggers that this point can set off.
#[derive(Debug, Clone, Copy)]
struct Firing<'t> {
    unit: usize,
    triggers: &'t [usize],
    first: bool,
}

/// Judges formulas by tables and handlers.
pub struct Program {
    print: Blueprint,
    passes: Passes,
    wanted: Wanted,
    by_text: bool,
    rules: Vec<Rule>,
    properties: Vec<Arc<Property>>,
    tables: Vec<Table>,
    windows: Vec<Option<Window>>,
    demands: Vec<Demands>,
    /// The keys of rows that changed at this point, and at the one before, by view.
    changes: Vec<Vec<u64>>,
    old_changes: Vec<Vec<u64>>,
    tracked: Vec<bool>,
    matches: Matches,
    constants: Constants,
    /// What a point with one event of each shape can trigger: units and their triggers.
    active: Vec<Vec<(usize, Vec<usize>)>>,
    /// All triggers of each unit.
    whole: Vec<Vec<usize>>,
    /// The views that tell what changes.
    telling: Vec<ViewId>,
    /// The checks that look at a view at every point.
    states: Vec<usize>,
    /// Whether there is something to report at this point.
    has_rows: bool,
    registers: Registers,
    /// Whether every point must be judged, whatever its events.
    every_point: bool,
    happenings: Happenings,
    before: Happenings,
    point: u64,
    time: Number,
    buffer: Vec<u64>,
    skips: RefCell<Vec<(ViewId, usize, Row)>>,
}

impl Program {
    /// Compiles properties that compare values alike into one program.
    pub fn new(properties: &[Arc<Property>], passes: Passes, wanted: Wanted) -> Result<Program, Reason> {
        let print = blueprint::compile(properties, &passes)?;
        let mut tables: Vec<Table> = print
            .views
            .iter()
            .map(|view| {
                let window = matches!(view.upkeep, Upkeep::Window(_));
                Table::new(view.keys(), view.stamped, view.has_set, window)
            })
            .collect();
        for (table, indexes) in tables.iter_mut().zip(&print.indexes) {
            indexes.iter().for_each(|(columns, _)| table.add_index(columns));
        }
        let windows = print.views.iter().map(|view| match &view.upkeep {
            Upkeep::Window(interval) => Some(Window::new(interval.clone())),
            _ => None,
        });
        let windows = windows.collect();
        let (tracked, every_point) = needs(&print);
        let telling = (0..tracked.len()).filter(|view| tracked[*view]).collect();
        let by_text = properties.first().is_some_and(|property| property.equality == Equality::ByText);
        Ok(Program {
            rules: rules(properties, &print),
            properties: properties.to_vec(),
            demands: print.follows.iter().map(|_| Demands::default()).collect(),
            changes: vec![Vec::new(); print.views.len()],
            old_changes: vec![Vec::new(); print.views.len()],
            tables,
            windows,
            tracked,
            matches: Matches::default(),
            constants: Constants::default(),
            active: Vec::new(),
            whole: print.units.iter().map(|unit| (0..unit.triggers.len()).collect()).collect(),
            telling,
            states: (0..print.checks.len()).filter(|check| print.checks[*check].state.is_some()).collect(),
            has_rows: false,
            registers: [0; REGISTERS],
            every_point,
            happenings: Happenings::default(),
            before: Happenings::default(),
            point: 0,
            time: Number::ZERO,
            buffer: Vec::new(),
            skips: RefCell::default(),
            print,
            passes,
            wanted,
            by_text,
        })
    }

    /// The words of the constants.
    fn resolve_constants(&mut self, values: &mut Values) {
        self.constants.values = self.print.constants.clone();
        self.constants.words = self
            .constants
            .values
            .iter()
            .map(|value| match (self.by_text, value) {
                (true, value) => values.intern(&value.to_string()).word(),
                (false, value) => values.intern_value(value).word(),
            })
            .collect();
    }

    /// The units and triggers that a point with one event of this shape can set off.
    fn units_of(&self, places: &[Option<Box<[usize]>>]) -> Vec<(usize, Vec<usize>)> {
        let mut changing: Vec<bool> = self.windows.iter().map(Option::is_some).collect();
        let mut units = Vec::new();
        for (number, unit) in self.print.units.iter().enumerate() {
            let fires = |trigger: &usize| match &unit.triggers[*trigger].source {
                Source::Event(matching) => places[matching.pattern].is_some(),
                Source::Before(_) | Source::Change { old: true, .. } => true,
                Source::Change { view, .. } => {
                    changing[*view] || matches!(self.print.views[*view].upkeep, Upkeep::Copy(_))
                }
                Source::First => false,
            };
            let triggers: Vec<usize> = (0..unit.triggers.len()).filter(fires).collect();
            let waits = matches!(unit.target, Target::Demand(_));
            let window = matches!(unit.target, Target::View(view) if self.windows[view].is_some());
            if !triggers.is_empty() || waits || window {
                units.push((number, triggers));
                if let Target::View(view) = unit.target {
                    changing[view] = true;
                }
            }
        }
        units
    }

    fn judge_point(&mut self, point: &PointView<'_>, values: &Values, found: &mut Vec<Finding>) {
        let first = self.point == 0;
        if first && point.number > 1 {
            // The reader has dropped the first point: nothing that matters happened there, but it was the first.
            self.point = 1;
            self.run_all(true, values, found);
            return self.judge_point(point, values, found);
        }
        self.point = point.number;
        match point.time {
            Some(time) => self.time.clone_from(time),
            None if self.time == Number::ZERO => {}
            None => self.time = Number::ZERO,
        }
        std::mem::swap(&mut self.happenings, &mut self.before);
        self.happenings.clear();
        for (shape, arguments) in point.events() {
            let words = arguments.iter().map(|&atom| match self.by_text {
                true => atom.word(),
                false => values.normal(atom).word(),
            });
            self.happenings.push(shape.0, words);
        }
        self.turn_changes();
        match (first, self.happenings.len()) {
            (false, 1) => {
                let shape = self.happenings.shape(0) as usize;
                let active = std::mem::take(&mut self.active[shape]);
                for (unit, triggers) in &active {
                    self.run_unit(*unit, triggers, false, values, found);
                }
                self.active[shape] = active;
            }
            _ => self.run_all(first, values, found),
        }
        self.state_checks();
        if self.has_rows {
            self.has_rows = false;
            self.report(values, found);
        }
    }

    fn run_all(&mut self, first: bool, values: &Values, found: &mut Vec<Finding>) {
        let whole = std::mem::take(&mut self.whole);
        for (unit, triggers) in whole.iter().enumerate() {
            self.run_unit(unit, triggers, first, values, found);
        }
        self.whole = whole;
    }

    /// What changed becomes what changed before, and copies follow.
    fn turn_changes(&mut self) {
        if !self.every_point {
            self.telling.iter().for_each(|view| self.changes[*view].clear());
            return;
        }
        std::mem::swap(&mut self.changes, &mut self.old_changes);
        self.telling.iter().for_each(|view| self.changes[*view].clear());
        self.print.copies.iter().for_each(|(copy, _)| self.changes[*copy].clear());
        for at in 0..self.print.copies.len() {
            let (copy, of) = self.print.copies[at];
            self.follow_copy(copy, of);
        }
    }

    fn follow_copy(&mut self, copy: ViewId, of: ViewId) {
        let keys = self.print.views[of].keys();
        let changed = std::mem::take(&mut self.old_changes[of]);
        let rows = changed.len().checked_div(keys).unwrap_or(usize::from(!changed.is_empty()));
        for row in 0..rows {
            let key = if keys == 0 { &[][..] } else { &changed[row * keys..(row + 1) * keys] };
            let source = self.tables[of].find(key).filter(|&row| self.tables[of].is_true(row));
            match source {
                Some(source) => {
                    let set = self.tables[of].set(source).cloned();
                    let (row, _) = self.tables[copy].insert(key);
                    if let Some(set) = set {
                        self.tables[copy].replace_set(row, set);
                    }
                }
                None => {
                    if let Some(row) = self.tables[copy].find(key) {
                        self.tables[copy].remove(row);
                    }
                }
            }
            self.changes[copy].extend_from_slice(if keys == 0 { &[0] } else { key });
        }
        self.old_changes[of] = changed;
    }

    fn world<'a>(&'a self, values: &'a Values) -> World<'a> {
        World {
            tables: &self.tables,
            events: &self.happenings,
            matches: &self.matches,
            constants: &self.constants,
            values,
            time: &self.time,
            by_text: self.by_text,
            skips: &self.skips,
        }
    }

    fn run_unit(&mut self, unit: usize, triggers: &[usize], first: bool, values: &Values, found: &mut Vec<Finding>) {
        let firing = Firing { unit, triggers, first };
        match self.print.units[unit].target {
            Target::View(view) => self.run_view(firing, view, values),
            Target::Check(check) => self.run_check(firing, check, values),
            Target::Demand(demand) => self.run_demand(firing, demand, values, found),
        }
        while let Some((view, index, row)) = self.skips.get_mut().pop() {
            self.tables[view].skip(index, row);
        }
    }

    /// Calls `each` for every solution of every trigger with such a task.
    #[inline]
    fn for_each_solution(
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
                    let all = if *old { &self.old_changes[*view] } else { &self.changes[*view] };
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
    fn keys_of(
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

    fn run_view(&mut self, firing: Firing<'_>, view: ViewId, values: &Values) {
        let keys = self.print.views[view].keys();
        self.advance_window(view);
        let (buffer, count) = self.keys_of(firing, keys, values, |task| matches!(task, Task::Break));
        for row in 0..count {
            self.break_row(view, &buffer[row * keys..(row + 1) * keys]);
        }
        self.buffer = buffer;
        if self.print.views[view].has_set {
            return self.make_sets(firing, view, values);
        }
        let (buffer, count) = self.keys_of(firing, keys, values, |task| matches!(task, Task::Make(_)));
        for row in 0..count {
            self.make_row(view, &buffer[row * keys..(row + 1) * keys]);
        }
        self.buffer = buffer;
        if count > 0 {
            self.advance_window(view);
        }
    }

    fn note_change(changes: &mut Vec<u64>, tracked: bool, key: &[u64]) {
        if tracked {
            // A row without columns is noted by a word that nobody reads.
            changes.extend_from_slice(if key.is_empty() { &[0] } else { key });
        }
    }

    fn advance_window(&mut self, view: ViewId) {
        let Some(window) = &mut self.windows[view] else { return };
        let (changes, tracked) = (&mut self.changes[view], self.tracked[view]);
        window.advance(&mut self.tables[view], &self.time, |table, row| {
            Program::note_change(changes, tracked, table.key(row));
        });
    }

    fn break_row(&mut self, view: ViewId, key: &[u64]) {
        let Some(row) = self.tables[view].find(key) else { return };
        Program::note_change(&mut self.changes[view], self.tracked[view], key);
        match &mut self.windows[view] {
            Some(window) => window.forget(&mut self.tables[view], row),
            None => self.tables[view].remove(row),
        }
    }

    fn make_row(&mut self, view: ViewId, key: &[u64]) {
        let (row, new) = self.tables[view].insert(key);
        if let Some(window) = &mut self.windows[view] {
            return window.add(&mut self.tables[view], row, &self.time);
        }
        let last = self.print.views[view].upkeep == Upkeep::LastStamp;
        if new || last {
            self.tables[view].set_stamp(row, self.point);
            Program::note_change(&mut self.changes[view], self.tracked[view], key);
        }
    }

    fn make_sets(&mut self, firing: Firing<'_>, view: ViewId, values: &Values) {
        let keys = self.print.views[view].keys();
        let mut made: Vec<(Vec<u64>, sets::Set)> = Vec::new();
        let mut registers = self.registers;
        self.for_each_solution(
            firing,
            values,
            &mut registers,
            |task| matches!(task, Task::Make(_)),
            |world, task, registers| {
                if let Task::Make(Some(set)) = task {
                    made.push((registers[..keys].to_vec(), world.set(set, registers)));
                }
            },
        );
        for (key, set) in made {
            if set.is_empty() {
                continue;
            }
            let (row, new) = self.tables[view].insert(&key);
            let old = self.tables[view].set(row).cloned().unwrap_or_default();
            let all = if new { set } else { old.or(&set) };
            if new || all != old {
                self.tables[view].replace_set(row, all);
                Program::note_change(&mut self.changes[view], self.tracked[view], &key);
            }
        }
    }

    fn run_check(&mut self, firing: Firing<'_>, check: usize, values: &Values) {
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
            self.note_rows(check, rows);
        }
    }

    /// The rows of a violation's view are violations of every point.
    fn state_checks(&mut self) {
        for at in 0..self.states.len() {
            let check = self.states[at];
            let Some(view) = self.print.checks[check].state else { continue };
            if self.tables[view].len() == 0 {
                continue;
            }
            let table = &self.tables[view];
            let bindings = &self.print.checks[check].bindings;
            let row = |row: Row| {
                let key = table.key(row);
                bindings.iter().map(|column| column.map(|at| key[at as usize])).collect()
            };
            let rows: Vec<Vec<Option<u64>>> = table.rows().map(row).collect();
            self.note_rows(check, rows);
        }
    }

    fn note_rows(&mut self, check: usize, rows: Vec<Vec<Option<u64>>>) {
        let check = &self.print.checks[check];
        let rule = &mut self.rules[check.rule];
        if !check.by_end {
            self.has_rows = true;
            return rule.now.extend(rows);
        }
        for row in rows {
            let words: Vec<u64> = row.into_iter().flatten().collect();
            rule.by_end.entry(words).or_insert(self.point);
        }
    }

    /// Reports the violations of this point.
    fn report(&mut self, values: &Values, found: &mut Vec<Finding>) {
        for rule in 0..self.rules.len() {
            if self.rules[rule].now.is_empty() {
                continue;
            }
            let rows = std::mem::take(&mut self.rules[rule].now);
            let world = self.world(values);
            let mut rows: Vec<Told> = rows
                .into_iter()
                .map(|row| (row.iter().map(|word| word.map(|word| world.value(word))).collect(), row))
                .collect();
            rows.sort_by(|(one, _), (other, _)| bindings_order(one, other));
            rows.dedup_by(|(_, one), (_, other)| one == other);
            if self.rules[rule].judgement == Judgement::EveryPoint {
                rows.truncate(1);
            }
            for (bindings, words) in rows {
                let words = words.into_iter().flatten().collect();
                self.violation(rule, self.point, self.point, bindings, words, found);
            }
        }
    }

    fn violation(
        &mut self,
        rule: usize,
        point: u64,
        decided: u64,
        bindings: Vec<Option<Value>>,
        words: Vec<u64>,
        found: &mut Vec<Finding>,
    ) {
        let state = &mut self.rules[rule];
        let new = match state.judgement {
            Judgement::Once => state.reported.insert((0, words)),
            _ if state.ambiguous => state.reported.insert((point, words)),
            _ => true,
        };
        if new {
            state.violations += 1;
            let violation = Violation { point, decided: Some(decided), opened: None, bindings, message: None };
            found.push(Finding { rule, violation });
        }
    }

    fn run_demand(&mut self, firing: Firing<'_>, demand: usize, values: &Values, found: &mut Vec<Finding>) {
        let mut broken: Vec<(Row, u64)> = Vec::new();
        self.pass_deadlines(demand, &mut broken);
        let fresh = std::mem::take(&mut self.demands[demand].fresh);
        let met = self.demand_rows(firing, values, |task| matches!(task, Task::Meet));
        let met = met.into_iter().chain(self.rows_that(&fresh, demand, true, values)).collect::<Vec<_>>();
        self.reach_goals(demand, &met, &mut broken);
        let failed = self.demand_rows(firing, values, |task| matches!(task, Task::Fail));
        let failed = failed.into_iter().chain(self.rows_that(&fresh, demand, false, values)).collect::<Vec<_>>();
        self.fail(demand, &failed, &mut broken);
        self.open_demands(firing, demand, values, &mut broken);
        self.report_demands(demand, broken, values, found);
        let view = self.print.follows[demand].view;
        for row in met.into_iter().chain(failed) {
            self.demands[demand].sweep(row, &mut self.tables[view]);
        }
    }

    fn pass_deadlines(&mut self, demand: usize, broken: &mut Vec<(Row, u64)>) {
        let follow = &self.print.follows[demand];
        if follow.interval.high.is_none() {
            return;
        }
        let mut passed = Vec::new();
        while let Some((row, opening)) = self.demands[demand].expired(&follow.interval, &self.time) {
            passed.push((row, opening.point));
        }
        match follow.forbidden {
            true => self.demands[demand].settled_now.extend(passed.iter().map(|(row, _)| *row)),
            false => broken.extend(passed),
        }
    }

    /// The rows of open demands that triggers with such a task find.
    fn demand_rows(&self, firing: Firing<'_>, values: &Values, wanted: impl Fn(&Task) -> bool) -> Vec<Row> {
        let Target::Demand(demand) = self.print.units[firing.unit].target else { return Vec::new() };
        let view = self.print.follows[demand].view;
        let columns = self.print.views[view].columns;
        let mut rows = Vec::new();
        if self.tables[view].len() > 0 {
            let mut registers = self.registers;
            self.for_each_solution(firing, values, &mut registers, wanted, |_, _, registers| {
                rows.extend(self.tables[view].find(&registers[..columns]));
            });
        }
        rows
    }

    /// Those of some rows whose goal holds now, or for which what must hold fails.
    fn rows_that(&self, rows: &[Row], demand: usize, goal: bool, values: &Values) -> Vec<Row> {
        let follow = &self.print.follows[demand];
        let plan = if goal { &follow.goal } else { &follow.fails };
        let world = self.world(values);
        let holds = |row: &&Row| {
            let mut registers = [0; REGISTERS];
            let key = self.tables[follow.view].key(**row);
            registers[..key.len()].copy_from_slice(key);
            !self.demands[demand].is_settled(**row) && world.solve(&plan.steps, &mut registers, &mut |_| true)
        };
        rows.iter().filter(holds).copied().collect()
    }

    fn reach_goals(&mut self, demand: usize, met: &[Row], broken: &mut Vec<(Row, u64)>) {
        let follow = &self.print.follows[demand];
        for &row in met {
            while let Some(opening) = self.demands[demand].settled(row, &follow.interval, &self.time) {
                if follow.forbidden {
                    broken.push((row, opening.point));
                }
            }
        }
    }

    fn fail(&mut self, demand: usize, failed: &[Row], broken: &mut Vec<(Row, u64)>) {
        let forbidden = self.print.follows[demand].forbidden;
        for &row in failed {
            while let Some(opening) = self.demands[demand].any(row) {
                if !forbidden {
                    broken.push((row, opening.point));
                }
            }
        }
    }

    fn open_demands(&mut self, firing: Firing<'_>, demand: usize, values: &Values, broken: &mut Vec<(Row, u64)>) {
        let follow = &self.print.follows[demand];
        let (view, from_next, forbidden) = (follow.view, follow.from_next, follow.forbidden);
        let columns = self.print.views[view].columns;
        let now_counts = follow.interval.contains(&Number::ZERO);
        let bounded = follow.interval.high.is_some();
        let once = self.rules[follow.rule].judgement == Judgement::Once;
        let (buffer, count) = self.keys_of(firing, columns, values, |task| matches!(task, Task::Open));
        for at in 0..count {
            let key = &buffer[at * columns..(at + 1) * columns];
            let (row, _) = self.tables[view].insert(key);
            let world = self.world(values);
            let mut registers: Registers = [0; REGISTERS];
            registers[..columns].copy_from_slice(key);
            let follow = &self.print.follows[demand];
            let holds = |steps: &[plan::Step]| world.solve(steps, &mut registers.clone(), &mut |_| true);
            let met = !from_next && now_counts && holds(&follow.goal.steps);
            let failed = !from_next && !met && holds(&follow.fails.steps);
            if (met && forbidden) || (failed && !forbidden) {
                broken.push((row, self.point));
            }
            if !met && !failed {
                let opening = Opening { point: self.point, time: self.time.clone() };
                self.demands[demand].open(row, opening, once, bounded);
                if from_next {
                    self.demands[demand].fresh.push(row);
                }
            }
        }
        // Rows that were settled at once stay until their violations are told.
        if count > 0 {
            let rows: Vec<Row> =
                (0..count).filter_map(|at| self.tables[view].find(&buffer[at * columns..(at + 1) * columns])).collect();
            let settled: Vec<Row> = rows.into_iter().filter(|row| self.demands[demand].is_settled(*row)).collect();
            self.demands[demand].settled_now.extend(settled);
        }
        self.buffer = buffer;
    }

    fn report_demands(&mut self, demand: usize, broken: Vec<(Row, u64)>, values: &Values, found: &mut Vec<Finding>) {
        let follow = &self.print.follows[demand];
        let (rule, view) = (follow.rule, follow.view);
        let once = self.rules[rule].judgement == Judgement::Once;
        let mut all: Vec<(u64, Vec<Option<Value>>, Vec<u64>)> = Vec::new();
        for (row, point) in &broken {
            let key = self.tables[view].key(*row);
            let words: Vec<u64> = self.print.follows[demand]
                .bindings
                .iter()
                .filter_map(|column| column.map(|at| key[at as usize]))
                .collect();
            let world = self.world(values);
            let bindings = words.iter().map(|word| Some(world.value(*word))).collect();
            all.push((if once { self.point } else { *point }, bindings, words));
        }
        all.sort_by(|one, other| one.0.cmp(&other.0).then_with(|| bindings_order(&one.1, &other.1)));
        all.dedup_by(|one, other| one.0 == other.0 && one.2 == other.2);
        for (point, bindings, words) in all {
            self.violation(rule, point, self.point, bindings, words, found);
        }
        for row in std::mem::take(&mut self.demands[demand].settled_now) {
            self.demands[demand].sweep(row, &mut self.tables[view]);
        }
        for (row, _) in broken {
            self.demands[demand].sweep(row, &mut self.tables[view]);
        }
    }

    /// What the end decides.
    fn decide_at_end(&mut self, last: u64, values: &Values) -> Vec<Finding> {
        let mut found = Vec::new();
        for demand in 0..self.demands.len() {
            let follow = &self.print.follows[demand];
            if follow.forbidden {
                continue;
            }
            let rows: Vec<Row> = self.tables[follow.view].rows().collect();
            for row in rows {
                while let Some(opening) = self.demands[demand].any(row) {
                    let follow = &self.print.follows[demand];
                    let key = self.tables[follow.view].key(row);
                    let words: Vec<u64> =
                        follow.bindings.iter().filter_map(|column| column.map(|at| key[at as usize])).collect();
                    self.end_violation(follow.rule, words, opening.point, last, values, &mut found);
                }
            }
        }
        for rule in 0..self.rules.len() {
            for (words, point) in std::mem::take(&mut self.rules[rule].by_end) {
                self.end_violation(rule, words, point, last, values, &mut found);
            }
        }
        found
    }

    fn end_violation(
        &mut self,
        rule: usize,
        words: Vec<u64>,
        opened: u64,
        last: u64,
        values: &Values,
        found: &mut Vec<Finding>,
    ) {
        let world = self.world(values);
        let bindings = words.iter().map(|word| Some(world.value(*word))).collect();
        let point = if self.rules[rule].judgement == Judgement::Once { last } else { opened };
        let before = found.len();
        self.violation(rule, point, last, bindings, words, found);
        if let Some(Finding { violation, .. }) = found.get_mut(before) {
            (violation.decided, violation.opened) = (None, Some(opened));
        }
    }
}

impl Judge for Program {
    fn shape(&mut self, shape: &EventShape, values: &mut Values) -> Interest {
        if self.matches.places.is_empty() {
            self.resolve_constants(values);
        }
        let places: Vec<Option<Box<[usize]>>> =
            self.print.patterns.iter().map(|pattern| places(pattern, shape)).collect();
        let seen = places.iter().any(Option::is_some);
        let interest = Interest {
            // What is decided at a point is reported with the events of that point, whatever they are.
            want: if seen || self.every_point { Want::ALL } else { Want::NONE },
            steps: self.every_point,
            patterns: if self.passes.filter { self.filter(&places) } else { Vec::new() },
        };
        self.active.push(self.units_of(&places));
        self.matches.places.push(places);
        interest
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        for point in points.iter() {
            self.judge_point(&point, values, found);
            if !found.is_empty() && self.is_done() {
                return;
            }
        }
    }

    fn end(&mut self, last: u64, prefix: bool, values: &mut Values) -> Vec<Outcome> {
        if last == 0 {
            // What holds of no point at all is a matter of the definitions, not of speed.
            let nothing = OwnedTrace::default();
            return self.properties.iter().map(|property| crate::judge(property.clone(), &nothing, prefix)).collect();
        }
        let mut found = if prefix { Vec::new() } else { self.decide_at_end(last, values) };
        found.sort_by(|one, other| one.violation.report_order(&other.violation));
        let mut outcomes: Vec<Outcome> = (0..self.rules.len())
            .map(|rule| Outcome {
                status: if self.rules[rule].violations > 0 { Status::Violated } else { Status::Satisfied },
                violations: Vec::new(),
                pending: if prefix { self.pending(rule) } else { 0 },
                obstacle: None,
            })
            .collect();
        for Finding { rule, violation } in found {
            outcomes[rule].violations.push(violation);
        }
        outcomes
    }

    fn wants_empty_points(&self) -> bool {
        self.every_point
    }

    fn reports_last_point(&self) -> bool {
        self.rules.iter().any(|rule| rule.judgement == Judgement::Once)
    }

    fn is_open(&self, point: u64) -> bool {
        self.demands.iter().any(|demands| demands.points.contains_key(&point))
    }

    fn open_points(&self) -> usize {
        self.demands.iter().map(|demands| demands.points.len()).sum()
    }

    fn sizes(&self) -> Vec<Size> {
        let views = self.print.views.iter().zip(&self.tables);
        views.map(|(view, table)| Size { rule: 0, purpose: view.text.clone(), rows: table.len() }).collect()
    }
}

impl Program {
    /// What rows of a shape must have, if all that look at it want constants.
    fn filter(&self, places: &[Option<Box<[usize]>>]) -> Vec<Vec<(usize, Arc<str>)>> {
        let mut patterns = Vec::new();
        for (pattern, arguments) in &self.print.uses {
            let Some(places) = &places[*pattern] else { continue };
            let wanted: Vec<(usize, Arc<str>)> = places
                .iter()
                .zip(arguments)
                .filter_map(|(place, argument)| match argument {
                    Argument::Constant(Value::String(text)) => Some((*place, text.clone())),
                    _ => None,
                })
                .collect();
            if wanted.is_empty() {
                return Vec::new();
            }
            if !patterns.contains(&wanted) {
                patterns.push(wanted);
            }
        }
        patterns
    }

    fn pending(&self, rule: usize) -> u64 {
        let of_rule = |(follow, _): &(&blueprint::Follow, &Demands)| follow.rule == rule;
        self.print.follows.iter().zip(&self.demands).filter(of_rule).map(|(_, demands)| demands.open).sum()
    }

    /// Whether every rule has the violation that was wanted of it.
    fn is_done(&self) -> bool {
        self.wanted == Wanted::First && self.rules.iter().all(|rule| rule.violations > 0)
    }

    /// The properties, in the order of their rules.
    pub fn properties(&self) -> &[Arc<Property>] {
        &self.properties
    }
}

/// Where the arguments of a pattern are in events of a shape.
fn places(pattern: &Pattern, shape: &EventShape) -> Option<Box<[usize]>> {
    match pattern {
        Pattern::Positional(name, count) => {
            (*shape.name == **name && shape.positional == *count).then(|| (0..*count).collect())
        }
        Pattern::Bare(name) => (*shape.name == **name).then(|| Box::new([]) as Box<[usize]>),
        Pattern::Fields(fields) => {
            fields.iter().map(|field| shape.arguments.iter().position(|argument| *argument.name == **field)).collect()
        }
    }
}

/// Which views must tell what changes, and whether every point must be judged.
fn needs(print: &Blueprint) -> (Vec<bool>, bool) {
    let mut tracked = vec![false; print.views.len()];
    let mut every = !print.copies.is_empty() || print.checks.iter().any(|check| check.state.is_some());
    // Deadlines pass, and the next point comes, at whatever point it is.
    every |= print.follows.iter().any(|follow| follow.from_next || follow.interval.high.is_some());
    print.copies.iter().for_each(|(_, of)| tracked[*of] = true);
    for (target, trigger) in print.units.iter().flat_map(|unit| unit.triggers.iter().map(|own| (unit.target, own))) {
        match &trigger.source {
            // What the first point decides is decided there, whatever happens at it.
            Source::First if !matches!(target, Target::View(_)) => every = true,
            Source::Change { view, old, .. } => {
                tracked[*view] = true;
                every |= *old || matches!(print.views[*view].upkeep, Upkeep::Window(_));
            }
            Source::Before(_) => every = true,
            Source::Event(_) | Source::First => {}
        }
    }
    (tracked, every)
}

fn rules(properties: &[Arc<Property>], print: &Blueprint) -> Vec<Rule> {
    let rule = |(number, property): (usize, &Arc<Property>)| {
        let branches = print.checks.iter().filter(|check| check.rule == number).count();
        let demands = print.follows.iter().filter(|follow| follow.rule == number).count();
        Rule {
            judgement: property.judgement,
            violations: 0,
            reported: HashSet::new(),
            ambiguous: demands > 0 && branches + demands > 1,
            now: Vec::new(),
            by_end: HashMap::new(),
        }
    };
    properties.iter().enumerate().map(rule).collect()
}
