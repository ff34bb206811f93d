//! The judge of streams: equations evaluated step by step.
//!
//! ```text
//!  Program ─ plan ─▶ nodes, tables
//!                      shape ─ code ─▶ tasks: what is left to do on such events, in order
//!  event ─▶ tasks of its shape: spawn, eval, trigger … and at last close ─▶ violations
//! ```
//!
//! Per event, only the tasks of its shape run: streams whose inputs are not in the event, or whose condition is false
//! whatever it carries, are not looked at. Instances are found by key wherever a condition says which (see
//! [`referee_spec::core::stream::reach`]). A task costs its operators plus one look-up per key; values are two words, and
//! nothing is allocated once tables have their size.

mod code;
mod datum;
mod plan;
mod read;
mod table;
mod tasks;
mod window;

use std::collections::VecDeque;
use std::sync::Arc;

use referee_spec::core::stream::{Circle, Moment, Program, delays};
use referee_spec::core::{Obstacle, Outcome, Status, Violation, bindings_order};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::points::{Interest, Points};
use referee_trace::raw::{ShapeId, Want};
use referee_trace::values::{Atom, Values};

use crate::judge::{Finding, Judge, ReportRow, Size};
use plan::{Plan, What};
use read::{Reader, SHORT_KEY};
use table::Table;
use tasks::{Closing, Reach, Task, Tasks, Work};

/// Judges a program over one trace.
pub struct StreamJudge {
    program: Arc<Program>,
    plan: Plan,
    tables: Vec<Table>,
    shapes: Vec<Tasks>,
    step: u64,
    now: Number,
    has_time: bool,
    point: u64,
    /// The last steps, newest last, as far as delayed nodes need them.
    recent: VecDeque<Recent>,
    obstacle: Option<Obstacle>,
    violations: u64,
    binding_names: Vec<Arc<str>>,
    reports: Vec<ReportRow>,
    key: Vec<Atom>,
    slots: Vec<u32>,
    doomed: Vec<(usize, u32)>,
}

/// A step that delayed nodes have yet to see.
#[derive(Debug, Clone)]
struct Recent {
    shape: ShapeId,
    point: u64,
    time: Number,
    has_time: bool,
    arguments: Vec<Atom>,
}

/// The step that nodes of one delay are at.
#[derive(Clone, Copy)]
struct Moments<'m> {
    arguments: &'m [Atom],
    step: u64,
    now: &'m Number,
    has_time: bool,
    point: u64,
    /// The point that has just been read; nothing after the last one.
    decided: Option<u64>,
}

impl StreamJudge {
    /// A judge before the first point.
    pub fn new(program: Arc<Program>) -> Result<StreamJudge, Circle> {
        let plan = Plan::new(&program, delays(&program)?);
        let tables = (0..plan.nodes.len()).map(|node| plan.table(&program, node)).collect();
        let binding_names = program.binding_names().into_iter().map(Arc::from).collect();
        Ok(StreamJudge {
            plan,
            tables,
            shapes: Vec::new(),
            step: 0,
            now: Number::ZERO,
            has_time: false,
            point: 0,
            recent: VecDeque::new(),
            obstacle: None,
            violations: 0,
            binding_names,
            reports: Vec::new(),
            key: Vec::new(),
            slots: Vec::new(),
            doomed: Vec::new(),
            program,
        })
    }

    /// One event: one step.
    #[inline]
    fn event(&mut self, shape: ShapeId, arguments: &[Atom], values: &mut Values, found: &mut Vec<Finding>) {
        self.step += 1;
        if self.plan.latest == 0 {
            let tasks = std::mem::take(&mut self.shapes[shape.index()]);
            let now = std::mem::replace(&mut self.now, Number::ZERO);
            let moment = Moments {
                arguments,
                step: self.step,
                now: &now,
                has_time: self.has_time,
                point: self.point,
                decided: Some(self.point),
            };
            if self.plan.counts_steps {
                self.tables.iter_mut().for_each(|table| table.set_step(moment.step));
            }
            let mut machine = self.machine(values, found);
            for task in &tasks.list {
                machine.task(task, moment);
            }
            for closing in &tasks.closings {
                machine.doom(closing, moment);
            }
            machine.close();
            self.now = now;
            self.shapes[shape.index()] = tasks;
            return;
        }
        let most = self.plan.latest as usize + 1;
        let mut recent = if self.recent.len() == most { self.recent.pop_front() } else { None }.unwrap_or(Recent {
            shape,
            point: 0,
            time: Number::ZERO,
            has_time: false,
            arguments: Vec::new(),
        });
        recent.shape = shape;
        recent.point = self.point;
        recent.time = self.now.clone();
        recent.has_time = self.has_time;
        recent.arguments.clear();
        recent.arguments.extend_from_slice(arguments);
        self.recent.push_back(recent);
        self.arrive(0, Some(self.point), values, found);
    }

    /// Lets all nodes take their next step, `past_end` arrivals after the last event.
    fn arrive(&mut self, past_end: u64, decided: Option<u64>, values: &mut Values, found: &mut Vec<Finding>) {
        let arrival = self.step + past_end;
        for (node, table) in self.plan.nodes.iter().zip(&mut self.tables) {
            table.set_step(arrival.saturating_sub(u64::from(node.delay)));
        }
        let (recent, shapes) = (std::mem::take(&mut self.recent), std::mem::take(&mut self.shapes));
        let moment = |delay: u32| {
            let step = arrival.checked_sub(u64::from(delay)).filter(|step| *step >= 1 && *step <= self.step)?;
            let back = usize::try_from(self.step - step).ok()?;
            let at = recent.len().checked_sub(back + 1)?;
            let Recent { shape, point, time, has_time, arguments } = recent.get(at)?;
            let moment = Moments { arguments, step, now: time, has_time: *has_time, point: *point, decided };
            Some((&shapes[shape.index()], moment))
        };
        let order = self.plan.order.clone();
        let delays: Vec<u32> = self.plan.nodes.iter().map(|node| node.delay).collect();
        let late: Vec<_> = (0..=self.plan.latest).map(moment).collect();
        let mut machine = self.machine(values, found);
        for node in order {
            let Some((tasks, moment)) = late[delays[node] as usize] else { continue };
            for task in tasks.list.iter().filter(|task| task.node == node) {
                machine.task(task, moment);
            }
        }
        for (delay, late) in late.iter().enumerate() {
            let Some((tasks, moment)) = late else { continue };
            for task in tasks.list.iter().filter(|task| matches!(task.work, Work::Report { .. })) {
                if task.delay as usize == delay {
                    machine.task(task, *moment);
                }
            }
            for closing in tasks.closings.iter().filter(|closing| delays[closing.node] as usize == delay) {
                machine.doom(closing, *moment);
            }
        }
        machine.close();
        self.recent = recent;
        self.shapes = shapes;
    }

    fn machine<'m>(&'m mut self, values: &'m mut Values, found: &'m mut Vec<Finding>) -> Machine<'m> {
        Machine {
            program: &self.program,
            tables: &mut self.tables,
            obstacle: &mut self.obstacle,
            violations: &mut self.violations,
            binding_names: &self.binding_names,
            reports: &mut self.reports,
            key: &mut self.key,
            slots: &mut self.slots,
            doomed: &mut self.doomed,
            values,
            found,
        }
    }

    /// Evaluates the triggers of the end.
    fn judge_end(&mut self, values: &mut Values, found: &mut Vec<Finding>) {
        let tasks = Tasks::at_end(&self.program, &self.plan, values);
        let (now, end) = (self.now.clone(), self.step + 1);
        self.tables.iter_mut().for_each(|table| table.set_step(end));
        let moment =
            Moments { arguments: &[], step: end, now: &now, has_time: self.has_time, point: self.point, decided: None };
        let mut machine = self.machine(values, found);
        for task in &tasks.list {
            machine.task(task, moment);
        }
    }

    fn status(&self) -> Status {
        match (self.violations, &self.obstacle) {
            (1.., _) => Status::Violated,
            (0, Some(_)) => Status::GaveUp,
            (0, None) => Status::Satisfied,
        }
    }

    /// How many evaluations of triggers wait for what may come.
    fn pending(&self) -> u64 {
        let of = |node: &plan::Node| match node.what {
            What::Trigger(index) => match self.program.triggers[index].moment {
                Moment::Step => u64::from(node.delay).min(self.step),
                Moment::End => 1,
            },
            _ => 0,
        };
        self.plan.nodes.iter().map(of).sum()
    }
}

impl Judge for StreamJudge {
    fn shape(&mut self, shape: &EventShape, values: &mut Values) -> Interest {
        let mut used = Vec::new();
        let tasks =
            Tasks::of_shape(&self.program, &self.plan, shape, values, &mut used, !self.program.reports.is_empty());
        let idle = tasks.list.is_empty() && tasks.closings.is_empty() && !self.plan.counts_steps;
        self.shapes.push(tasks);
        if idle {
            return Interest::none();
        }
        Interest { want: Want::fields(used), ..Interest::all() }
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        for point in points.iter() {
            self.point = point.number;
            self.has_time = point.time.is_some();
            if let Some(time) = point.time {
                self.now = time.clone();
            }
            for (shape, arguments) in point.events() {
                self.event(shape, arguments, values, found);
            }
        }
    }

    fn take_reports(&mut self) -> Vec<ReportRow> {
        std::mem::take(&mut self.reports)
    }

    fn wants_empty_points(&self) -> bool {
        false
    }

    fn end(&mut self, last: u64, prefix: bool, values: &mut Values) -> Vec<Outcome> {
        self.point = last;
        let mut found = Vec::new();
        let mut pending = 0;
        if prefix {
            pending = self.pending();
        } else {
            for past_end in 1..=u64::from(self.plan.latest) {
                self.arrive(past_end, None, values, &mut found);
            }
            self.judge_end(values, &mut found);
        }
        let violations: Vec<Violation> = found.into_iter().map(|finding| finding.violation).collect();
        vec![Outcome { status: self.status(), violations, pending, obstacle: self.obstacle.clone() }]
    }

    fn is_open(&self, point: u64) -> bool {
        self.plan.latest > 0 && self.recent.iter().any(|recent| recent.point == point)
    }

    fn open_points(&self) -> usize {
        self.recent.len().min(self.plan.latest as usize)
    }

    fn sizes(&self) -> Vec<Size> {
        let mut sizes = Vec::new();
        for (node, table) in self.plan.nodes.iter().zip(&self.tables) {
            let What::Output(index) = node.what else { continue };
            let output = &self.program.outputs[index];
            if !output.template.parameters.is_empty() {
                let purpose = format!("instances of {}", output.name);
                sizes.push(Size { rule: 0, purpose, rows: table.len() });
            }
            if table.window_len() > 0 {
                let purpose = format!("windows of {}", output.name);
                sizes.push(Size { rule: 0, purpose, rows: table.window_len() });
            }
        }
        sizes
    }
}

/// The key of the instance at hand, apart from its table.
struct OwnKey {
    short: [Atom; SHORT_KEY],
    len: usize,
    /// A key that is longer.
    long: Vec<Atom>,
}

impl OwnKey {
    #[inline]
    fn of(key: &[Atom]) -> OwnKey {
        let mut own = OwnKey { short: [Atom::boolean(false); SHORT_KEY], len: key.len(), long: Vec::new() };
        match own.short.get_mut(..key.len()) {
            Some(short) => short.copy_from_slice(key),
            None => own.long.extend_from_slice(key),
        }
        own
    }

    #[inline]
    fn atoms(&self) -> &[Atom] {
        self.short.get(..self.len).unwrap_or(&self.long)
    }
}

/// What tasks work on.
struct Machine<'m> {
    program: &'m Program,
    tables: &'m mut Vec<Table>,
    values: &'m mut Values,
    obstacle: &'m mut Option<Obstacle>,
    violations: &'m mut u64,
    binding_names: &'m [Arc<str>],
    reports: &'m mut Vec<ReportRow>,
    key: &'m mut Vec<Atom>,
    slots: &'m mut Vec<u32>,
    /// The instances that end with this step.
    doomed: &'m mut Vec<(usize, u32)>,
    found: &'m mut Vec<Finding>,
}

impl Machine<'_> {
    #[inline]
    fn task(&mut self, task: &Task, moment: Moments<'_>) {
        match &task.work {
            Work::Record(code) => {
                let datum = self.reader(moment, 0, &[]).read(code);
                if datum != datum::Datum::Absent {
                    self.tables[task.node].put(0, moment.step, moment.now, datum);
                }
            }
            Work::Live { spawn, evals, reach, fires } => {
                if let Some(spawn) = spawn {
                    self.spawn(task.node, spawn, moment);
                }
                match reach {
                    Reach::Only => self.evaluate(task.node, 0, evals, fires.as_ref(), moment),
                    Reach::None => {}
                    _ => {
                        let before = self.found.len();
                        self.each(task.node, reach, moment, |machine, slot| {
                            machine.evaluate(task.node, slot, evals, fires.as_ref(), moment);
                        });
                        if self.found.len() > before + 1 {
                            self.found[before..]
                                .sort_by(|one, two| bindings_order(&one.violation.bindings, &two.violation.bindings));
                        }
                    }
                }
            }
            Work::Report { report, columns } => self.report(*report, columns, moment),
        }
    }

    fn reader<'r>(&'r mut self, moment: Moments<'r>, slot: u32, key: &'r [Atom]) -> Reader<'r> {
        Reader {
            tables: self.tables,
            values: self.values,
            arguments: moment.arguments,
            step: moment.step,
            now: moment.now,
            point: moment.point,
            key,
            slot,
            obstacle: self.obstacle,
        }
    }

    fn spawn(&mut self, node: usize, spawn: &tasks::SpawnTask, moment: Moments<'_>) {
        let mut key = std::mem::take(self.key);
        key.clear();
        let mut reader = self.reader(moment, 0, &[]);
        let ready = spawn.guards.iter().all(|guard| reader.is_there(guard))
            && spawn.when.as_ref().is_none_or(|when| reader.truth(when) == Some(true));
        if ready && spawn.with.iter().all(|with| reader.atom(with).map(|atom| key.push(atom)).is_some()) {
            self.tables[node].spawn(&key);
        }
        *self.key = key;
    }

    /// Does something for every instance that may be concerned.
    fn each(&mut self, node: usize, reach: &Reach, moment: Moments<'_>, mut work: impl FnMut(&mut Self, u32)) {
        let mut slots = std::mem::take(self.slots);
        slots.clear();
        match reach {
            Reach::All => slots.extend(self.tables[node].live()),
            Reach::Keys(sources) => {
                for source in sources {
                    self.gather(node, source, moment, &mut slots);
                }
            }
            Reach::Only => slots.push(0),
            Reach::None => {}
        }
        for slot in &slots {
            work(self, *slot);
        }
        *self.slots = slots;
    }

    fn gather(&mut self, node: usize, source: &tasks::Source, moment: Moments<'_>, slots: &mut Vec<u32>) {
        match source {
            tasks::Source::Key(parts) => {
                let slot = self.reader(moment, 0, &[]).find(node, parts);
                slots.extend(slot.filter(|slot| !slots.contains(slot)));
            }
            tasks::Source::Fresh(other) => {
                let (table, own) = (&self.tables[*other], &self.tables[node]);
                for fresh in table.fresh(moment.step) {
                    let slot = if *other == node { Some(*fresh) } else { own.find(table.key(*fresh)) };
                    slots.extend(slot.filter(|slot| !slots.contains(slot)));
                }
            }
        }
    }

    /// Evaluates an instance by the first clause that gives a value.
    #[inline]
    fn evaluate(
        &mut self,
        node: usize,
        slot: u32,
        evals: &[tasks::EvalTask],
        fires: Option<&tasks::Firing>,
        moment: Moments<'_>,
    ) {
        let key = OwnKey::of(self.tables[node].key(slot));
        let key = key.atoms();
        let mut reader = self.reader(moment, slot, key);
        let mut datum = datum::Datum::Absent;
        for eval in evals {
            let ready = eval.guards.iter().all(|guard| reader.is_there(guard))
                && eval.when.as_ref().is_none_or(|when| reader.truth(when) == Some(true));
            if ready {
                datum = match fires {
                    Some(_) => reader.truth(&eval.with).map_or(datum::Datum::Absent, datum::Datum::Truth),
                    None => reader.value(&eval.with),
                };
            }
            if datum != datum::Datum::Absent {
                break;
            }
        }
        match fires {
            Some(firing) if datum.is_true() => self.fire(firing, key, slot, moment),
            Some(_) => {}
            None if datum != datum::Datum::Absent => self.tables[node].put(slot, moment.step, moment.now, datum),
            None => {}
        }
    }

    #[cold]
    fn fire(&mut self, firing: &tasks::Firing, key: &[Atom], slot: u32, moment: Moments<'_>) {
        let obstacle = self.obstacle.clone();
        let mut message = String::new();
        for piece in &firing.message {
            match piece {
                tasks::MessagePiece::Text(text) => message.push_str(text),
                tasks::MessagePiece::Value(code) => {
                    let datum = self.reader(moment, slot, key).read(code);
                    match datum.value(self.values) {
                        Some(value) => message.push_str(&value.to_string()),
                        None => message.push('?'),
                    }
                }
            }
        }
        *self.obstacle = obstacle;
        let parameters = &self.program.triggers[firing.trigger].template.parameters;
        let binding = |name: &Arc<str>| {
            let index = parameters.iter().position(|parameter| parameter.name == *name)?;
            datum::Datum::typed(key[index], parameters[index].value_type, self.values).value(self.values)
        };
        let bindings = self.binding_names.iter().map(binding).collect();
        *self.violations += 1;
        let violation = Violation {
            point: moment.point,
            decided: moment.decided,
            opened: None,
            bindings,
            message: Some(message.into()),
        };
        self.found.push(Finding { rule: 0, violation });
    }

    fn report(&mut self, report: usize, columns: &[code::Code], moment: Moments<'_>) {
        let mut reader = self.reader(moment, 0, &[]);
        let data: Vec<datum::Datum> = columns.iter().map(|column| reader.read(column)).collect();
        if data.iter().all(|datum| *datum == datum::Datum::Absent) {
            return;
        }
        let values = data.iter().map(|datum| datum.value(self.values)).collect();
        let time = moment.has_time.then(|| moment.now.clone());
        self.reports.push(ReportRow { report, point: moment.point, time, values });
    }

    /// Ends the instances that are doomed: all at once, as their clauses may read each other.
    #[inline]
    fn close(&mut self) {
        for (node, slot) in self.doomed.drain(..) {
            self.tables[node].close(slot);
        }
    }

    /// Notes the instances that a clause ends.
    fn doom(&mut self, closing: &Closing, moment: Moments<'_>) {
        let node = closing.node;
        self.each(node, &closing.reach, moment, |machine, slot| {
            let key = OwnKey::of(machine.tables[node].key(slot));
            let mut reader = machine.reader(moment, slot, key.atoms());
            let ready =
                closing.guards.iter().all(|guard| reader.is_there(guard)) && reader.truth(&closing.when) == Some(true);
            if ready {
                machine.doomed.push((node, slot));
            }
        });
    }
}
