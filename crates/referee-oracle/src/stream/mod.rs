//! Streams evaluated over a whole trace, straight from the table in [`referee_spec::core::stream`].
//!
//! ```text
//!  value(stream, key, step)  =  the first clause that is considered and gives a value, if the instance lives
//!  birth(stream, key, step)  =  where the instance that lives at this step began
//! ```
//!
//! Both call themselves and each other, for any step at any time; what was found is remembered. Nothing is kept in order,
//! nothing is forgotten, and instances are tried one by one.

mod evaluate;
mod oracle;
pub mod random;

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use referee_spec::core::stream::{Clause, Delays, Moment, Piece, Program, Template, delays};
use referee_spec::core::{Obstacle, Outcome, Status, Violation, bindings_order};
use referee_trace::number::Number;
use referee_trace::owned::OwnedTrace;
use referee_trace::value::Value;

use crate::question::Mode;
use oracle::{Oracle, Step, StreamContext, TemplateId};

/// Judges a program on a trace.
pub fn judge(program: &Program, trace: &OwnedTrace, mode: Mode) -> Outcome {
    let Ok(delays) = delays(program) else { unreachable!("a compiled program has no circles") };
    let mut oracle = Oracle::new(program, trace);
    oracle.evaluate_all();
    let mut violations = oracle.step_violations(&delays);
    let mut pending = 0;
    match mode {
        Mode::Complete => violations.extend(oracle.end_violations()),
        Mode::Prefix => {
            violations.retain(|(_, violation)| violation.decided.is_some());
            pending = oracle.pending(&delays);
        }
    }
    violations.sort_by(|(first, one), (second, two)| {
        first.cmp(second).then_with(|| bindings_order(&one.bindings, &two.bindings))
    });
    let violations: Vec<Violation> = violations.into_iter().map(|(_, violation)| violation).collect();
    let status = match (violations.is_empty(), &oracle.obstacle) {
        (false, _) => Status::Violated,
        (true, Some(_)) => Status::GaveUp,
        (true, None) => Status::Satisfied,
    };
    Outcome { status, violations, pending, obstacle: oracle.obstacle }
}

/// One row of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Which report of the program, from 0.
    pub report: usize,
    /// The point.
    pub point: u64,
    /// Its time, where the trace carries one.
    pub time: Option<Number>,
    /// One value per column, where there is one.
    pub values: Vec<Option<Value>>,
}

/// The rows of all reports of a program, in the order of the steps.
pub fn rows(program: &Program, trace: &OwnedTrace, mode: Mode) -> Vec<Row> {
    let Ok(delays) = delays(program) else { unreachable!("a compiled program has no circles") };
    let mut oracle = Oracle::new(program, trace);
    let mut rows = Vec::new();
    for step in 1..=oracle.steps.len() {
        for (index, report) in program.reports.iter().enumerate() {
            let delay = report.columns.iter().map(|column| delays.streams[column.index()]).max().unwrap_or(0);
            if mode == Mode::Prefix && step + delay as usize > oracle.steps.len() {
                continue;
            }
            let values: Vec<Option<Value>> =
                report.columns.iter().map(|column| oracle.value(column.index(), &[], step)).collect();
            if values.iter().any(Option::is_some) {
                let point = oracle.steps[step - 1].point;
                let time = trace.points[point as usize - 1].time.clone();
                rows.push(Row { report: index, point, time, values });
            }
        }
    }
    rows
}

impl<'t> Oracle<'t> {
    fn new(program: &'t Program, trace: &'t OwnedTrace) -> Oracle<'t> {
        let mut steps: Vec<Step<'t>> = Vec::new();
        for (index, point) in trace.points.iter().enumerate() {
            let before = steps.last().map_or(Number::ZERO, |step| step.time.clone());
            let time = point.time.clone().unwrap_or(before);
            let step = |event| Step { point: index as u64 + 1, time: time.clone(), event };
            steps.extend(point.events.iter().map(step));
        }
        Oracle {
            program,
            steps,
            values: HashMap::new(),
            births: HashMap::new(),
            spawns: HashMap::new(),
            obstacle: None,
        }
    }

    fn template(&self, id: TemplateId) -> &'t Template {
        let outputs = id.checked_sub(self.program.inputs.len());
        let program = self.program;
        match outputs.and_then(|index| program.outputs.get(index)) {
            Some(output) => &output.template,
            None => &program.triggers[id - program.stream_count()].template,
        }
    }

    fn trigger_id(&self, index: usize) -> TemplateId {
        self.program.stream_count() + index
    }

    /// Evaluates everything once, so that all obstacles are met.
    fn evaluate_all(&mut self) {
        for step in 1..=self.steps.len() {
            for input in 0..self.program.inputs.len() {
                self.value(input, &[], step);
            }
            for id in self.program.inputs.len()..self.program.stream_count() + self.program.triggers.len() {
                let is_end = id >= self.program.stream_count()
                    && self.program.triggers[id - self.program.stream_count()].moment == Moment::End;
                for key in self.live_keys(id, step) {
                    if !is_end {
                        self.value(id, &key, step);
                    }
                    self.is_closed(id, &key, step);
                }
            }
        }
    }

    /// The keys of the instances that live at a step.
    fn live_keys(&mut self, id: TemplateId, step: usize) -> BTreeSet<Vec<Value>> {
        if self.template(id).spawns.is_empty() {
            return BTreeSet::from([Vec::new()]);
        }
        let spawned: BTreeSet<Vec<Value>> = (1..=step).flat_map(|earlier| self.spawned(id, earlier)).collect();
        spawned.into_iter().filter(|key| self.birth(id, key, step).is_some()).collect()
    }

    /// The keys for which an instance is wanted at a step.
    fn spawned(&mut self, id: TemplateId, step: usize) -> BTreeSet<Vec<Value>> {
        if step > self.steps.len() {
            return BTreeSet::new();
        }
        if let Some(known) = self.spawns.get(&(id, step)) {
            return known.clone();
        }
        let wanted = self.template(id).spawns.iter().filter_map(|spawn| {
            let context = StreamContext { step, key: &[] };
            let clause = Clause { expressions: spawn.with.iter().chain(&spawn.when).collect() };
            if !self.is_considered(&clause, context) || !self.holds(spawn.when.as_ref(), context) {
                return None;
            }
            spawn.with.iter().map(|with| self.expression(with, context)).collect()
        });
        let keys: BTreeSet<Vec<Value>> = wanted.collect();
        self.spawns.insert((id, step), keys.clone());
        keys
    }

    /// Where the instance that lives at a step began.
    fn birth(&mut self, id: TemplateId, key: &[Value], step: usize) -> Option<usize> {
        if self.template(id).spawns.is_empty() {
            return Some(1);
        }
        let place = (id, key.to_vec(), step);
        if let Some(known) = self.births.get(&place) {
            return *known;
        }
        let before = match step {
            0 | 1 => None,
            _ => self.birth(id, key, step - 1).filter(|_| !self.is_closed(id, key, step - 1)),
        };
        let spawned = self.spawned(id, step).contains(key);
        let birth = before.or(spawned.then_some(step));
        self.births.insert(place, birth);
        birth
    }

    fn is_closed(&mut self, id: TemplateId, key: &[Value], step: usize) -> bool {
        let Some(close) = &self.template(id).close else { return false };
        let context = StreamContext { step, key };
        self.is_considered(&Clause { expressions: vec![close] }, context) && self.holds(Some(close), context)
    }

    /// The value of an instance at a step.
    fn value(&mut self, id: TemplateId, key: &[Value], step: usize) -> Option<Value> {
        if step < 1 || step > self.steps.len() {
            return None;
        }
        let place = (id, key.to_vec(), step);
        if let Some(known) = self.values.get(&place) {
            return known.clone();
        }
        let value = match self.program.inputs.get(id) {
            Some(input) => self.input(input, step),
            None => self.birth(id, key, step).and_then(|_| self.computed(id, StreamContext { step, key })),
        };
        self.values.insert(place, value.clone());
        value
    }

    fn computed(&mut self, id: TemplateId, context: StreamContext<'_>) -> Option<Value> {
        self.template(id).evals.iter().find_map(|eval| {
            let clause = Clause { expressions: eval.when.iter().chain([&eval.with]).collect() };
            let wanted = self.is_considered(&clause, context) && self.holds(eval.when.as_ref(), context);
            wanted.then(|| self.expression(&eval.with, context)).flatten()
        })
    }

    fn step_violations(&mut self, delays: &Delays) -> Vec<((usize, usize), Violation)> {
        let mut violations = Vec::new();
        for (index, trigger) in self.program.triggers.iter().enumerate() {
            if trigger.moment != Moment::Step {
                continue;
            }
            let id = self.trigger_id(index);
            for step in 1..=self.steps.len() {
                for key in self.live_keys(id, step) {
                    if self.value(id, &key, step) == Some(Value::Boolean(true)) {
                        let decided = self.steps.get(step - 1 + delays.triggers[index] as usize).map(|step| step.point);
                        let violation = self.violation(index, &key, step, decided);
                        violations.push(((step, index), violation));
                    }
                }
            }
        }
        violations
    }

    fn end_violations(&mut self) -> Vec<((usize, usize), Violation)> {
        let mut violations = Vec::new();
        let end = self.steps.len() + 1;
        for (index, trigger) in self.program.triggers.iter().enumerate() {
            if trigger.moment != Moment::End {
                continue;
            }
            let id = self.trigger_id(index);
            for key in self.live_keys(id, end) {
                if self.computed(id, StreamContext { step: end, key: &key }) == Some(Value::Boolean(true)) {
                    violations.push(((end, index), self.violation(index, &key, end, None)));
                }
            }
        }
        violations
    }

    fn violation(&mut self, index: usize, key: &[Value], step: usize, decided: Option<u64>) -> Violation {
        let trigger = &self.program.triggers[index];
        let context = StreamContext { step, key };
        let before = self.obstacle.clone();
        let mut message = String::new();
        for piece in &trigger.message {
            match piece {
                Piece::Text(text) => message.push_str(text),
                Piece::Value(value) => match self.expression(value, context) {
                    Some(value) => message.push_str(&value.to_string()),
                    None => message.push('?'),
                },
            }
        }
        self.obstacle = before;
        let parameters = &trigger.template.parameters;
        let binding = |name: &&str| {
            parameters.iter().position(|parameter| *parameter.name == **name).map(|index| key[index].clone())
        };
        let bindings = self.program.binding_names().iter().map(binding).collect();
        let point = self.steps.get(step - 1).or(self.steps.last()).map_or(0, |step| step.point);
        Violation { point, decided, opened: None, bindings, message: Some(message.into()) }
    }

    /// How many evaluations of triggers wait for what may come.
    fn pending(&self, delays: &Delays) -> u64 {
        let of = |(index, trigger): (usize, &referee_spec::core::stream::StreamTrigger)| match trigger.moment {
            Moment::Step => u64::from(delays.triggers[index]).min(self.steps.len() as u64),
            Moment::End => 1,
        };
        self.program.triggers.iter().enumerate().map(of).sum()
    }

    /// Notes what stands in the way, if it is the first.
    fn obstruct(&mut self, obstacle: Obstacle) {
        let order = |known: &Obstacle| {
            (known.point, known.span.start, known.span.end).cmp(&(
                obstacle.point,
                obstacle.span.start,
                obstacle.span.end,
            ))
        };
        if self.obstacle.as_ref().is_none_or(|known| order(known) == Ordering::Greater) {
            self.obstacle = Some(obstacle);
        }
    }
}
