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
mod possible;
mod read;
mod saved;
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
use referee_trace::values::{Atom, LiveValues, Values};

use crate::judge::{Damaged, Finding, Judge, Reader, ReportRow, Size, Unsavable, Writer, mark_saved};
use plan::{StreamPlan, What};
use read::{Present, StreamReader};
use table::StreamTable;
use tasks::{
    Aim, CloseTask, Closing, EvalTask, KeyOrigin, MessagePiece, SpawnTask, StreamTask, StreamWork, TaskReach, Tasks,
    TriggerFiring,
};

/// Judges a program over one trace.
pub struct StreamJudge {
    program: Arc<Program>,
    plan: StreamPlan,
    tables: Vec<StreamTable>,
    shapes: Vec<Tasks>,
    /// The same shapes as they are, where steps are kept for late nodes.
    late_shapes: Vec<EventShape>,
    step: u64,
    now: Number,
    has_time: bool,
    point: u64,
    /// The last steps, newest last, as far as delayed nodes need them.
    recent: VecDeque<DelayedStep>,
    obstacle: Option<Obstacle>,
    violations: u64,
    binding_names: Vec<Arc<str>>,
    reports: Vec<ReportRow>,
    key: Vec<Atom>,
    slots: Vec<u32>,
    marks: Marks,
    doomed: Vec<(usize, u32)>,
}

/// Which instances have been found already; forgotten at no cost.
#[derive(Debug, Default)]
struct Marks {
    round: u64,
    /// By slot, the round in which it was last found.
    found: Vec<u64>,
}

impl Marks {
    fn begin(&mut self) {
        self.round += 1;
    }

    /// Whether a slot is found for the first time in this round.
    fn is_new(&mut self, slot: u32) -> bool {
        if slot as usize >= self.found.len() {
            self.found.resize((slot as usize + 1).next_power_of_two(), 0);
        }
        std::mem::replace(&mut self.found[slot as usize], self.round) != self.round
    }
}

/// A step that delayed nodes have yet to see.
#[derive(Debug, Clone)]
struct DelayedStep {
    shape: ShapeId,
    point: u64,
    time: Number,
    has_time: bool,
    arguments: Vec<Atom>,
}

impl StreamJudge {
    /// A judge before the first point.
    pub fn new(program: Arc<Program>) -> Result<StreamJudge, Circle> {
        let plan = StreamPlan::new(&program, delays(&program)?);
        let tables = (0..plan.nodes.len()).map(|node| plan.table(&program, node)).collect();
        let binding_names = program.binding_names().into_iter().map(Arc::from).collect();
        Ok(StreamJudge {
            plan,
            tables,
            shapes: Vec::new(),
            late_shapes: Vec::new(),
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
            marks: Marks::default(),
            doomed: Vec::new(),
            program,
        })
    }

    /// The points of a batch, where no node is late: each event is one step, and done with.
    fn prompt_points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        let before = std::mem::replace(&mut self.now, Number::ZERO);
        let (mut now, mut step, counts_steps) = (&before, self.step, self.plan.counts_steps);
        let mut last = (self.point, self.has_time);
        let shapes = std::mem::take(&mut self.shapes);
        let mut machine = self.machine(values, found);
        for point in points.iter() {
            let has_time = point.time.is_some();
            now = point.time.unwrap_or(now);
            for (shape, arguments) in point.events() {
                step += 1;
                if counts_steps {
                    machine.reader.tables.iter_mut().for_each(|table| table.set_step(step));
                }
                let decided = Some(point.number);
                machine.reader.present = Present { arguments, step, now, has_time, point: point.number, decided };
                machine.run(&shapes[shape.index()]);
            }
            last = (point.number, has_time);
        }
        (self.point, self.has_time) = last;
        self.step = step;
        self.now = now.clone();
        self.shapes = shapes;
    }

    /// One event: one step, which late nodes will see later.
    fn late_event(&mut self, shape: ShapeId, arguments: &[Atom], values: &mut Values, found: &mut Vec<Finding>) {
        self.step += 1;
        let most = self.plan.latest as usize + 1;
        let mut recent = if self.recent.len() == most { self.recent.pop_front() } else { None }
            .unwrap_or(DelayedStep { shape, point: 0, time: Number::ZERO, has_time: false, arguments: Vec::new() });
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
        let present = |delay: u32| {
            let step = arrival.checked_sub(u64::from(delay)).filter(|step| *step >= 1 && *step <= self.step)?;
            let back = usize::try_from(self.step - step).ok()?;
            let at = recent.len().checked_sub(back + 1)?;
            let DelayedStep { shape, point, time, has_time, arguments } = recent.get(at)?;
            let present = Present { arguments, step, now: time, has_time: *has_time, point: *point, decided };
            Some((&shapes[shape.index()], present))
        };
        let order = self.plan.order.clone();
        let delays: Vec<u32> = self.plan.nodes.iter().map(|node| node.delay).collect();
        let late: Vec<_> = (0..=self.plan.latest).map(present).collect();
        let mut machine = self.machine(values, found);
        for node in order {
            let Some((tasks, present)) = late[delays[node] as usize] else { continue };
            machine.reader.present = present;
            for task in tasks.list.iter().filter(|task| task.node == node) {
                machine.task(task);
            }
        }
        for (delay, late) in late.iter().enumerate() {
            let Some((tasks, present)) = late else { continue };
            machine.reader.present = *present;
            for task in tasks.list.iter().filter(|task| matches!(task.work, StreamWork::Report { .. })) {
                if task.delay as usize == delay {
                    machine.task(task);
                }
            }
            for closing in tasks.closings.iter().filter(|closing| delays[closing.node] as usize == delay) {
                machine.doom(closing);
            }
        }
        machine.close();
        self.recent = recent;
        self.shapes = shapes;
    }

    fn machine<'m>(&'m mut self, values: &'m mut Values, found: &'m mut Vec<Finding>) -> Machine<'m> {
        let present = Present { arguments: &[], step: 0, now: &Number::ZERO, has_time: false, point: 0, decided: None };
        let (tables, obstacle) = (&mut self.tables, &mut self.obstacle);
        Machine {
            program: &self.program,
            reader: StreamReader { tables, values, present, node: 0, slot: 0, obstacle },
            violations: &mut self.violations,
            binding_names: &self.binding_names,
            reports: &mut self.reports,
            key: &mut self.key,
            slots: &mut self.slots,
            marks: &mut self.marks,
            doomed: &mut self.doomed,
            found,
        }
    }

    /// Evaluates the triggers of the end.
    fn judge_end(&mut self, values: &mut Values, found: &mut Vec<Finding>) {
        let tasks = Tasks::at_end(&self.program, &self.plan, values);
        let (now, end) = (self.now.clone(), self.step + 1);
        self.tables.iter_mut().for_each(|table| table.set_step(end));
        let (has_time, point) = (self.has_time, self.point);
        let mut machine = self.machine(values, found);
        machine.reader.present = Present { arguments: &[], step: end, now: &now, has_time, point, decided: None };
        for task in &tasks.list {
            machine.task(task);
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
        let of = |node: &plan::StreamNode| match node.what {
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
        let unheard = !self.plan.counts_steps && !self.plan.keeps_time();
        let idle = tasks.list.is_empty() && tasks.closings.is_empty() && unheard;
        // What triggers is shown; with a delay, that may be any event.
        let is_shown = self.plan.latest > 0 || tasks.may_fire();
        self.shapes.push(tasks);
        if self.plan.latest > 0 {
            self.late_shapes.push(shape.clone());
        }
        if idle {
            return Interest::none();
        }
        let want = if is_shown { Want::ALL } else { Want::fields(used) };
        Interest { want, ..Interest::all() }
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        if self.plan.latest == 0 {
            return self.prompt_points(points, values, found);
        }
        for point in points.iter() {
            self.point = point.number;
            self.has_time = point.time.is_some();
            if let Some(time) = point.time {
                self.now = time.clone();
            }
            for (shape, arguments) in point.events() {
                self.late_event(shape, arguments, values, found);
            }
        }
    }

    fn take_reports(&mut self) -> Vec<ReportRow> {
        std::mem::take(&mut self.reports)
    }

    fn wants_empty_points(&self) -> bool {
        false
    }

    /// Nothing is decided between two points.
    fn advance(&mut self, _last: u64, _time: &Number, _values: &mut Values, _found: &mut Vec<Finding>) {}

    fn save(&self, values: &Values, out: &mut Writer) -> Result<(), Unsavable> {
        self.write_state(values, out);
        Ok(())
    }

    fn load(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        self.read_state(values, reader)
    }

    fn forget(&mut self, _: Atom, _: &Values) {
        // An instance says what it says until its own condition closes it, and bags count it until then.
    }

    fn mark(&mut self, values: &Values, live: &mut LiveValues) -> Result<(), Unsavable> {
        mark_saved(self, values, live)
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

/// What tasks work on.
struct Machine<'m> {
    program: &'m Program,
    reader: StreamReader<'m>,
    violations: &'m mut u64,
    binding_names: &'m [Arc<str>],
    reports: &'m mut Vec<ReportRow>,
    key: &'m mut Vec<Atom>,
    slots: &'m mut Vec<u32>,
    marks: &'m mut Marks,
    /// The instances that end with this step.
    doomed: &'m mut Vec<(usize, u32)>,
    found: &'m mut Vec<Finding>,
}

impl Machine<'_> {
    /// Does everything that the events of a shape ask for.
    #[inline]
    fn run(&mut self, tasks: &Tasks) {
        for task in &tasks.list {
            self.task(task);
        }
        for closing in &tasks.closings {
            self.doom(closing);
        }
        self.close();
    }

    #[inline]
    fn task(&mut self, task: &StreamTask) {
        match &task.work {
            StreamWork::Record(code) => {
                let datum = self.reader.read(code);
                if datum != datum::StreamDatum::Absent {
                    self.put(task.node, 0, datum);
                }
            }
            StreamWork::Live { spawns, reach, fires } => {
                let mut spawned = None;
                for spawn in spawns {
                    spawned = self.spawn(task.node, spawn);
                }
                match reach {
                    TaskReach::Only(evals) => self.evaluate(task.node, 0, evals, fires.as_ref()),
                    TaskReach::None => {}
                    _ => self.evaluate_reached(task.node, reach, fires.as_ref(), spawned),
                }
            }
            StreamWork::Report { report, columns } => self.report(*report, columns),
        }
    }

    /// Evaluates all instances that may be concerned.
    fn evaluate_reached(
        &mut self,
        node: usize,
        reach: &TaskReach<Vec<EvalTask>>,
        fires: Option<&TriggerFiring>,
        spawned: Option<u32>,
    ) {
        let before = self.found.len();
        self.each(node, reach, spawned, |machine, slot, evals| machine.evaluate(node, slot, evals, fires));
        if self.found.len() > before + 1 {
            self.found[before..].sort_by(|one, two| bindings_order(&one.violation.bindings, &two.violation.bindings));
        }
    }

    #[inline]
    fn put(&mut self, node: usize, slot: u32, datum: datum::StreamDatum) {
        let Present { step, now, .. } = self.reader.present;
        self.reader.tables[node].put(slot, step, now, datum);
    }

    /// Begins an instance, if it is time for one that does not live yet; the one that lives then.
    fn spawn(&mut self, node: usize, spawn: &SpawnTask) -> Option<u32> {
        let reader = &mut self.reader;
        let ready = spawn.guards.iter().all(|guard| reader.is_there(guard))
            && spawn.when.as_ref().is_none_or(|when| reader.truth(when) == Some(true));
        if !ready {
            return None;
        }
        if let [only] = &spawn.with[..] {
            let atom = reader.atom(only)?;
            return Some(reader.tables[node].spawn(&[atom]));
        }
        self.key.clear();
        for with in &spawn.with {
            self.key.push(reader.atom(with)?);
        }
        Some(reader.tables[node].spawn(self.key))
    }

    /// Does something for every instance that may be concerned, once for each.
    #[inline]
    fn each<T>(
        &mut self,
        node: usize,
        reach: &TaskReach<T>,
        spawned: Option<u32>,
        mut work: impl FnMut(&mut Self, u32, &T),
    ) {
        match reach {
            TaskReach::Only(task) => work(self, 0, task),
            TaskReach::None => {}
            TaskReach::Keys(aims) if let [Aim { source, work: task }] = &aims[..] => match source {
                KeyOrigin::Part(..) | KeyOrigin::Fresh(..) => self.each_of_many(node, reach, spawned, work),
                _ => {
                    if let Some(slot) = self.find(node, source, spawned) {
                        work(self, slot, task);
                    }
                }
            },
            _ => self.each_of_many(node, reach, spawned, work),
        }
    }

    /// The same where there may be several: they are found before anything is done.
    fn each_of_many<T>(
        &mut self,
        node: usize,
        reach: &TaskReach<T>,
        spawned: Option<u32>,
        mut work: impl FnMut(&mut Self, u32, &T),
    ) {
        let mut slots = std::mem::take(self.slots);
        slots.clear();
        match reach {
            TaskReach::All(task) => {
                slots.extend(self.reader.tables[node].live());
                slots.iter().for_each(|slot| work(self, *slot, task));
            }
            TaskReach::Keys(aims) => {
                self.marks.begin();
                for Aim { source, work: task } in aims {
                    let known = slots.len();
                    self.gather(node, source, spawned, &mut slots);
                    slots[known..].iter().for_each(|slot| work(self, *slot, task));
                }
            }
            TaskReach::Only(_) | TaskReach::None => {}
        }
        *self.slots = slots;
    }

    /// Adds the instances with keys from a source that are not there yet.
    #[inline]
    fn gather(&mut self, node: usize, source: &KeyOrigin, spawned: Option<u32>, slots: &mut Vec<u32>) {
        let marks = &mut *self.marks;
        match source {
            KeyOrigin::Part(part, codes) => {
                self.key.clear();
                for code in codes {
                    let Some(atom) = self.reader.atom(code) else { return };
                    self.key.push(atom);
                }
                let found = self.reader.tables[node].with_part(*part, self.key);
                slots.extend(found.iter().filter(|slot| marks.is_new(**slot)));
            }
            KeyOrigin::Fresh(other, part) => {
                let (table, own) = (&self.reader.tables[*other], &self.reader.tables[node]);
                for fresh in table.fresh(self.reader.present.step) {
                    match part {
                        Some(part) => {
                            let found = own.with_part(*part, table.key(*fresh));
                            slots.extend(found.iter().filter(|slot| marks.is_new(**slot)));
                        }
                        None => {
                            let slot = if *other == node { Some(*fresh) } else { own.find(table.key(*fresh)) };
                            slots.extend(slot.filter(|slot| marks.is_new(*slot)));
                        }
                    }
                }
            }
            KeyOrigin::Constant(_) | KeyOrigin::Key(_) | KeyOrigin::Spawned(_) => {
                let slot = self.find(node, source, spawned);
                slots.extend(slot.filter(|slot| self.marks.is_new(*slot)));
            }
        }
    }

    /// The instance with the key from a source that gives one at most.
    #[inline]
    fn find(&mut self, node: usize, source: &KeyOrigin, spawned: Option<u32>) -> Option<u32> {
        match source {
            KeyOrigin::Constant(atom) => self.reader.tables[node].find(std::slice::from_ref(atom)),
            KeyOrigin::Spawned(parts) => spawned.or_else(|| self.reader.find(node, parts)),
            KeyOrigin::Key(parts) => self.reader.find(node, parts),
            KeyOrigin::Part(..) | KeyOrigin::Fresh(..) => None,
        }
    }

    /// Evaluates an instance by the first clause that gives a value.
    #[inline]
    fn evaluate(&mut self, node: usize, slot: u32, evals: &[EvalTask], fires: Option<&TriggerFiring>) {
        let reader = &mut self.reader;
        (reader.node, reader.slot) = (node, slot);
        match fires {
            Some(firing) => {
                let truth = evals.iter().find_map(|eval| is_due(reader, eval).then(|| reader.truth(&eval.with))?);
                if truth == Some(true) {
                    self.fire(firing, node, slot);
                }
            }
            None => {
                let due = |eval: &EvalTask| match is_due(reader, eval) {
                    true => Some(reader.value(&eval.with)).filter(|datum| *datum != datum::StreamDatum::Absent),
                    false => None,
                };
                if let Some(datum) = evals.iter().find_map(due) {
                    self.put(node, slot, datum);
                }
            }
        }
    }

    #[cold]
    fn fire(&mut self, firing: &TriggerFiring, node: usize, slot: u32) {
        let obstacle = self.reader.obstacle.clone();
        let mut message = String::new();
        for piece in &firing.message {
            match piece {
                MessagePiece::Text(text) => message.push_str(text),
                MessagePiece::Value(code) => match self.reader.read(code).value(self.reader.values) {
                    Some(value) => message.push_str(&value.to_string()),
                    None => message.push('?'),
                },
            }
        }
        *self.reader.obstacle = obstacle;
        let StreamReader { tables, values, present, .. } = &mut self.reader;
        let key = tables[node].key(slot);
        let parameters = &self.program.triggers[firing.trigger].template.parameters;
        let binding = |name: &Arc<str>| {
            let index = parameters.iter().position(|parameter| parameter.name == *name)?;
            datum::StreamDatum::typed(key[index], parameters[index].value_type, values).value(values)
        };
        let bindings = self.binding_names.iter().map(binding).collect();
        *self.violations += 1;
        let Present { point, decided, .. } = *present;
        let violation = Violation { point, decided, opened: None, bindings, message: Some(message.into()) };
        self.found.push(Finding { rule: 0, violation });
    }

    fn report(&mut self, report: usize, columns: &[code::StreamCode]) {
        let reader = &mut self.reader;
        let data: Vec<datum::StreamDatum> = columns.iter().map(|column| reader.read(column)).collect();
        if data.iter().all(|datum| *datum == datum::StreamDatum::Absent) {
            return;
        }
        let values = data.iter().map(|datum| datum.value(reader.values)).collect();
        let Present { now, has_time, point, .. } = reader.present;
        self.reports.push(ReportRow { rule: 0, report, point, time: has_time.then(|| now.clone()), values });
    }

    /// Ends the instances that are doomed: all at once, as their clauses may read each other.
    #[inline]
    fn close(&mut self) {
        for (node, slot) in self.doomed.drain(..) {
            self.reader.tables[node].close(slot);
        }
    }

    /// Notes the instances that a clause ends.
    #[inline]
    fn doom(&mut self, closing: &Closing) {
        let node = closing.node;
        self.each(node, &closing.reach, None, |machine, slot, CloseTask { guards, when }| {
            let reader = &mut machine.reader;
            (reader.node, reader.slot) = (node, slot);
            if guards.iter().all(|guard| reader.is_there(guard)) && reader.truth(when) == Some(true) {
                machine.doomed.push((node, slot));
            }
        });
    }
}

/// Whether a clause is considered, and its condition holds.
#[inline(always)]
fn is_due(reader: &mut StreamReader<'_>, eval: &EvalTask) -> bool {
    eval.guards.iter().all(|guard| reader.is_there(guard))
        && eval.when.as_ref().is_none_or(|when| reader.truth(when) == Some(true))
}
