//! The bench: one monitor per property, all fed in one pass.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Instant;

use referee_engine::{KindId, Monitor, ValueId};
use referee_oracle::Mode;
use referee_spec::core::{Judgement, Language, Outcome, Property, Status, Violation};
use referee_spec::diagnostic::Diagnostic;
use referee_spec::language::{Argument, EventShape as Arguments, Vocabulary};
use referee_spec::lint;
use referee_trace::abstraction::TimeField;
use referee_trace::error::{Flow, Stop};
use referee_trace::event::{Event, EventShape, EventSink, Point};
use referee_trace::number::Number;
use referee_trace::owned::{Collect, OwnedTrace};
use referee_trace::raw::{ShapeId, Want};
use referee_trace::write::Term;

use super::CheckArgs;
use super::options::is_timed;
use super::report::{Context, Reporter};
use crate::failure::Failure;

/// One property at the bench.
struct Seat {
    specification: usize,
    property: Arc<Property>,
    monitor: Monitor,
    /// The monitor's number for each shape of the current pass.
    kinds: Vec<KindId>,
    /// Whether it takes part in the current pass and wants more points.
    active: bool,
    violations: u64,
    outcome: Option<Outcome>,
    /// What the trace showed at points that are still open.
    open_points: HashMap<u64, Context>,
}

impl Seat {
    /// Notes the outcome of one trace; the property's is the worst of all.
    fn conclude(&mut self, outcome: Outcome) {
        self.outcome = Some(match self.outcome.take() {
            None => outcome,
            Some(earlier) => Outcome {
                status: if earlier.status == Status::Satisfied { outcome.status } else { earlier.status },
                violations: Vec::new(),
                pending: earlier.pending + outcome.pending,
                obstacle: earlier.obstacle.or(outcome.obstacle),
            },
        });
    }
}

/// The monitor's number for a shape.
fn resolve(monitor: &mut Monitor, shape: &EventShape) -> KindId {
    let fields: Vec<&str> = shape.arguments.iter().map(|argument| &*argument.name).collect();
    monitor.kind(&shape.name, &fields, shape.positional)
}

/// An event of the current point.
struct Pending {
    shape: usize,
    number: u64,
    texts: Vec<String>,
}

/// All properties, and the point that is being read.
pub struct Bench<'a> {
    seats: Vec<Seat>,
    reporter: &'a mut Reporter,
    settings: Settings,
    shapes: Vec<EventShape>,
    counts: Vec<u64>,
    events: Vec<Pending>,
    used: usize,
    point: u64,
    trace: u64,
    time: Option<Number>,
    total_events: u64,
    total_points: u64,
    kinds: BTreeMap<String, u64>,
    vocabulary: Vocabulary,
    /// The whole input, for the oracle only.
    collect: Collect,
    timed_out: bool,
    failure: Option<Failure>,
}

/// What the command line asks of the bench.
struct Settings {
    all: bool,
    prefix: bool,
    oracle: bool,
    print_events: bool,
    deadline: Option<Instant>,
    json: bool,
}

impl<'a> Bench<'a> {
    /// Seats the properties.
    pub fn new(properties: Vec<(usize, Arc<Property>)>, reporter: &'a mut Reporter, args: &CheckArgs) -> Bench<'a> {
        let seats = properties
            .into_iter()
            .map(|(specification, property)| Seat {
                specification,
                monitor: Monitor::new(property.clone()),
                property,
                kinds: Vec::new(),
                active: false,
                violations: 0,
                outcome: None,
                open_points: HashMap::new(),
            })
            .collect();
        Bench {
            seats,
            reporter,
            settings: Settings {
                all: args.all,
                prefix: args.prefix,
                oracle: args.oracle,
                print_events: args.trace,
                deadline: args.timeout.map(|timeout| Instant::now() + timeout),
                json: args.json,
            },
            shapes: Vec::new(),
            counts: Vec::new(),
            events: Vec::new(),
            used: 0,
            point: 0,
            trace: 1,
            time: None,
            total_events: 0,
            total_points: 0,
            kinds: BTreeMap::new(),
            vocabulary: Vocabulary::default(),
            collect: Collect::default(),
            timed_out: false,
            failure: None,
        }
    }

    /// The properties by how their languages read time: one pass over the trace for each way.
    pub fn groups(&self, args: &CheckArgs) -> Vec<(TimeField, Vec<usize>)> {
        let mut groups: Vec<(TimeField, Vec<usize>)> = Vec::new();
        for (index, seat) in self.seats.iter().enumerate() {
            let time = match seat.property.language {
                Language::Qtl if is_timed(args) => TimeField::LastPositional,
                Language::Foltl | Language::Qtl => TimeField::Ts,
                Language::Mfotl => TimeField::Named,
            };
            match groups.iter_mut().find(|(known, _)| *known == time) {
                Some((_, members)) => members.push(index),
                None => groups.push((time, vec![index])),
            }
        }
        groups
    }

    /// Begins a pass for some of the properties.
    pub fn select(&mut self, members: Vec<usize>) {
        for (index, seat) in self.seats.iter_mut().enumerate() {
            seat.active = members.contains(&index);
            seat.kinds.clear();
        }
        self.shapes.clear();
        self.counts.clear();
        self.kinds.clear();
        self.point = 0;
        self.trace = 1;
        self.used = 0;
        self.total_events = 0;
        self.total_points = 0;
        self.collect = Collect::default();
    }

    /// Ends a pass: the trace is over for the properties that took part.
    pub fn finish_pass(&mut self) -> Result<(), Failure> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        if self.settings.oracle {
            self.judge_with_oracle()?;
        }
        for index in 0..self.seats.len() {
            if self.seats[index].active && !self.timed_out && !self.settings.oracle {
                self.finish_seat(index, self.settings.prefix)?;
            }
            self.seats[index].active = false;
        }
        for (shape, count) in self.shapes.iter().zip(&self.counts) {
            *self.kinds.entry(shape.name.to_string()).or_default() += count;
            let arguments = shape.arguments[..shape.positional].iter();
            let arguments =
                arguments.map(|argument| Argument { name: Some((*argument.name).into()), declared: argument.declared });
            let arguments = Arguments { arguments: arguments.collect() };
            self.vocabulary.events.entry((*shape.name).into()).or_default().push(arguments);
        }
        Ok(())
    }

    /// The trace is over for one property. Only the last trace of the input may be a prefix.
    fn finish_seat(&mut self, index: usize, prefix: bool) -> Result<(), Failure> {
        let seat = &mut self.seats[index];
        let mut outcome = if prefix { seat.monitor.pause() } else { seat.monitor.end() };
        let violations = std::mem::take(&mut outcome.violations);
        seat.conclude(outcome);
        self.report(index, violations)
    }

    /// The mapping begins a new trace: the properties that want more judge it from the start.
    fn finish_trace(&mut self) -> Result<(), Failure> {
        for index in 0..self.seats.len() {
            if !self.seats[index].active {
                continue;
            }
            self.finish_seat(index, false)?;
            let seat = &mut self.seats[index];
            seat.monitor = Monitor::new(seat.property.clone());
            seat.kinds = self.shapes.iter().map(|shape| resolve(&mut seat.monitor, shape)).collect();
            seat.open_points.clear();
        }
        Ok(())
    }

    /// Judges what was collected; only the last trace may be a prefix.
    fn judge_with_oracle(&mut self) -> Result<(), Failure> {
        let traces = std::mem::take(&mut self.collect).into_traces();
        let mut events_before = 0;
        for (number, trace) in (1..).zip(&traces) {
            self.trace = number;
            let prefix = self.settings.prefix && number == traces.len() as u64;
            let mode = if prefix { Mode::Prefix } else { Mode::Complete };
            for index in 0..self.seats.len() {
                if self.seats[index].active {
                    let mut outcome = referee_oracle::judge(&self.seats[index].property, trace, mode);
                    let violations = std::mem::take(&mut outcome.violations);
                    let context = |violation: &Violation| {
                        (violation.point, point_context(trace, violation.point, events_before, number))
                    };
                    let contexts: Vec<(u64, Context)> = violations.iter().map(context).collect();
                    self.seats[index].open_points = contexts.into_iter().collect();
                    self.seats[index].conclude(outcome);
                    self.report(index, violations)?;
                }
            }
            events_before += trace.points.iter().map(|point| point.events.len() as u64).sum::<u64>();
        }
        Ok(())
    }

    /// Reports violations of one property; unless all are wanted, the first ends its part.
    fn report(&mut self, index: usize, violations: Vec<Violation>) -> Result<(), Failure> {
        for violation in violations {
            if !self.settings.all && self.seats[index].violations > 0 {
                break;
            }
            let context = self.context(index, &violation);
            let seat = &mut self.seats[index];
            seat.violations += 1;
            self.reporter.violation(index, &seat.property, &violation, &context)?;
        }
        if self.seats[index].violations > 0 && !self.settings.all {
            self.seats[index].active = false;
        }
        Ok(())
    }

    /// What the trace showed at a violation's point.
    fn context(&self, index: usize, violation: &Violation) -> Context {
        match self.seats[index].open_points.get(&violation.point) {
            Some(context) => context.clone(),
            None => self.current_context(),
        }
    }

    fn current_context(&self) -> Context {
        let events = self.events[..self.used].iter().map(|event| {
            let shape = &self.shapes[event.shape];
            let values: Vec<&str> = event.texts[..shape.positional].iter().map(String::as_str).collect();
            (event.number, Term { name: &shape.name, values: &values }.to_string(), event.texts.clone())
        });
        Context { trace: self.trace, time: self.time.clone(), events: events.collect() }
    }

    /// Judges the point that was read.
    fn judge_point(&mut self) -> Result<(), Failure> {
        for index in 0..self.seats.len() {
            if !self.seats[index].active {
                continue;
            }
            let violations = self.step(index);
            self.report(index, violations)?;
            self.keep_open_point(index);
        }
        Ok(())
    }

    fn step(&mut self, index: usize) -> Vec<Violation> {
        let seat = &mut self.seats[index];
        let mut events: Vec<(KindId, Vec<ValueId>)> = Vec::with_capacity(self.used);
        for event in &self.events[..self.used] {
            let arguments = &self.shapes[event.shape].arguments;
            let values = event.texts.iter().zip(arguments.iter());
            let values = values.map(|(text, argument)| seat.monitor.text(text, argument.declared)).collect();
            events.push((seat.kinds[event.shape], values));
        }
        let events: Vec<(KindId, &[ValueId])> = events.iter().map(|(kind, values)| (*kind, &values[..])).collect();
        seat.monitor.step(self.time.as_ref(), &events)
    }

    /// A point whose verdict is open may be reported much later: what it showed is kept until then.
    fn keep_open_point(&mut self, index: usize) {
        let point = self.point;
        let judged_here = self.seats[index].property.judgement != Judgement::Once;
        if judged_here && self.seats[index].monitor.is_open(point) {
            let context = self.current_context();
            let seat = &mut self.seats[index];
            seat.open_points.insert(point, context);
            if seat.open_points.len() > 2 * seat.monitor.open_points() + 64 {
                let monitor = &seat.monitor;
                seat.open_points.retain(|point, _| monitor.is_open(*point));
            }
        }
    }

    fn is_late(&mut self) -> bool {
        // The clock is asked now and then only; a point may be a fraction of a microsecond.
        if self.total_points.is_multiple_of(256) && self.settings.deadline.is_some_and(|end| Instant::now() >= end) {
            self.timed_out = true;
        }
        self.timed_out
    }

    /// What the properties say of events that the trace never showed, by specification.
    pub fn strangers(&self) -> Vec<(usize, Vec<Diagnostic>)> {
        let complete = self.seats.iter().all(|seat| self.settings.all || seat.violations == 0) && !self.timed_out;
        if !complete || self.total_events == 0 {
            return Vec::new();
        }
        let unmet = |seat: &Seat| {
            let known = lint::lint(&seat.property, None);
            let mut found = lint::lint(&seat.property, Some(&self.vocabulary));
            found.retain(|diagnostic| !known.contains(diagnostic));
            (seat.specification, found)
        };
        self.seats.iter().map(unmet).collect()
    }

    /// Prints what is left to say and gives the overall verdict.
    pub fn conclude(self) -> Result<Status, Failure> {
        for (index, seat) in self.seats.iter().enumerate() {
            let status = match (&seat.outcome, seat.violations) {
                (_, 1..) => Status::Violated,
                (_, 0) if self.timed_out => Status::TimeOut,
                (Some(outcome), _) => outcome.status,
                (None, _) => Status::Satisfied,
            };
            self.reporter.property(index, &seat.property, status, seat.outcome.as_ref(), seat.violations);
            if !self.settings.json {
                self.reporter.tables(&seat.property, &seat.monitor);
            }
        }
        self.reporter.conclude(self.total_events, self.total_points, &self.kinds, self.settings.prefix)
    }

    fn take(&mut self, event: &Event<'_>) {
        if self.used == self.events.len() {
            self.events.push(Pending { shape: 0, number: 0, texts: Vec::new() });
        }
        let slot = &mut self.events[self.used];
        slot.shape = event.shape.index();
        slot.number = event.number;
        slot.texts.resize_with(event.arguments.len(), String::new);
        for (text, argument) in slot.texts.iter_mut().zip(event.arguments) {
            text.clear();
            text.push_str(argument);
        }
        self.used += 1;
    }

    fn stop(&mut self, failure: Failure) -> Flow {
        self.failure = Some(failure);
        Err(Stop::Enough)
    }
}

/// What a trace in memory shows at a point, `events_before` being those of earlier traces.
fn point_context(trace: &OwnedTrace, point: u64, events_before: u64, number: u64) -> Context {
    let before = usize::try_from(point).unwrap_or(usize::MAX).saturating_sub(1);
    let earlier: usize = trace.points.iter().take(before).map(|point| point.events.len()).sum();
    let Some(found) = trace.points.get(before) else {
        return Context { trace: number, time: None, events: Vec::new() };
    };
    let events = found.events.iter().zip(events_before + earlier as u64 + 1..).map(|(event, number)| {
        let texts: Vec<String> = event.arguments.iter().map(|argument| argument.text.to_string()).collect();
        let values: Vec<&str> = texts[..event.positional].iter().map(String::as_str).collect();
        (number, Term { name: &event.name, values: &values }.to_string(), texts.clone())
    });
    Context { trace: number, time: found.time.clone(), events: events.collect() }
}

impl EventSink for Bench<'_> {
    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Want {
        self.collect.shape(id, shape);
        for seat in &mut self.seats {
            let kind = resolve(&mut seat.monitor, shape);
            seat.kinds.push(kind);
        }
        self.shapes.push(shape.clone());
        self.counts.push(0);
        Want::ALL
    }

    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        if point.trace != self.trace && !self.settings.oracle {
            if let Err(failure) = self.finish_trace() {
                return self.stop(failure);
            }
            if !self.seats.iter().any(|seat| seat.active) {
                return Err(Stop::Enough);
            }
        }
        self.point = point.number;
        self.trace = point.trace;
        self.time = point.time.cloned();
        self.used = 0;
        match self.settings.oracle {
            true => self.collect.begin_point(point),
            false => Ok(()),
        }
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.total_events += 1;
        self.counts[event.shape.index()] += 1;
        if self.settings.print_events {
            let shape = &self.shapes[event.shape.index()];
            let term = Term { name: &shape.name, values: &event.arguments[..shape.positional] };
            if let Err(failure) = self.reporter.event(&term) {
                return self.stop(failure);
            }
        }
        if self.settings.oracle {
            return self.collect.event(event);
        }
        self.take(&event);
        Ok(())
    }

    fn end_point(&mut self) -> Flow {
        self.total_points += 1;
        if self.settings.oracle {
            return self.collect.end_point();
        }
        if let Err(failure) = self.judge_point() {
            return self.stop(failure);
        }
        if self.is_late() || !self.seats.iter().any(|seat| seat.active) {
            return Err(Stop::Enough);
        }
        Ok(())
    }
}
