//! Judging a trace that is held in memory.

use std::collections::HashMap;
use std::sync::Arc;

use referee_spec::core::{Outcome, Property, Rule, Status, Violation};
use referee_trace::error::Flow;
use referee_trace::event::EventShape;
use referee_trace::owned::{OwnedEvent, OwnedTrace};
use referee_trace::points::{Batcher, Interest, PointSink, Points};
use referee_trace::raw::ShapeId;
use referee_trace::values::Values;

use crate::judge::{Finding, Wanted};
use crate::monitor::{KindId, Monitor};
use crate::program::{Passes, Program, Reason};
use crate::seats::{Seated, Settings, judges};
use crate::universe::ValueId;

/// Judges a whole trace, or with `prefix` one that may go on.
pub fn judge(property: Arc<Property>, trace: &OwnedTrace, prefix: bool) -> Outcome {
    let mut monitor = Monitor::new(property);
    let mut kinds = Kinds::default();
    let mut violations = Vec::new();
    for point in &trace.points {
        violations.extend(kinds.step(&mut monitor, point));
    }
    let mut outcome = if prefix { monitor.pause() } else { monitor.end() };
    violations.append(&mut outcome.violations);
    violations.sort_by(Violation::report_order);
    Outcome { violations, ..outcome }
}

/// Judges a whole trace against one rule as the command line does, in batches; or with `prefix` one that may go on.
pub fn judge_rule(rule: &Arc<Rule>, trace: &OwnedTrace, prefix: bool) -> Outcome {
    run(judges(std::slice::from_ref(rule), &Settings { prefix, ..Settings::default() }), trace, prefix)
}

/// Judges a whole trace by a compiled program; the reason if the property takes the general path.
///
/// How many bindings are pending on a prefix of a property judged once, only the general path counts.
pub fn judge_compiled(
    property: Arc<Property>,
    trace: &OwnedTrace,
    prefix: bool,
    passes: Passes,
) -> Result<Outcome, Reason> {
    let judge = Box::new(Program::new(&[property], passes, Wanted::All)?);
    Ok(run(vec![Seated { judge, rules: vec![0] }], trace, prefix))
}

/// The same where only the first violation that is decided is wanted; what comes behind it may be missing.
pub fn first_compiled(property: Arc<Property>, trace: &OwnedTrace, passes: Passes) -> Result<Outcome, Reason> {
    let judge = Box::new(Program::new(&[property], passes, Wanted::First)?);
    Ok(run(vec![Seated { judge, rules: vec![0] }], trace, false))
}

fn run(seats: Vec<Seated>, trace: &OwnedTrace, prefix: bool) -> Outcome {
    let mut batcher = Batcher::new(Listener { seats, found: Vec::new() });
    // A listener never has enough.
    let _ = trace.send(&mut batcher).and_then(|()| batcher.finish());
    let last = batcher.last_point();
    let (listener, values) = batcher.parts();
    let mut outcome = listener.end(last, prefix, values);
    outcome.violations.sort_by(Violation::report_order);
    outcome
}

/// The robustness of a rule over signals on a whole trace, where the rule wants it.
pub fn judge_robustness(rule: &Arc<Rule>, trace: &OwnedTrace) -> Option<String> {
    let seats = judges(std::slice::from_ref(rule), &Settings::default());
    let mut batcher = Batcher::new(Listener { seats, found: Vec::new() });
    // A listener never has enough.
    let _ = trace.send(&mut batcher).and_then(|()| batcher.finish());
    let last = batcher.last_point();
    let (listener, values) = batcher.parts();
    listener.end(last, false, values);
    listener.seats.iter().find_map(|seat| seat.judge.robustness(0))
}

/// Judges one rule and keeps what is found.
struct Listener {
    seats: Vec<Seated>,
    found: Vec<Finding>,
}

impl Listener {
    /// The outcome of the only rule.
    fn end(&mut self, last: u64, prefix: bool, values: &mut Values) -> Outcome {
        let ends = self.seats.iter_mut().flat_map(|seat| seat.judge.end(last, prefix, values));
        let nothing = Outcome { status: Status::Satisfied, violations: Vec::new(), pending: 0, obstacle: None };
        let mut outcome = ends.last().unwrap_or(nothing);
        outcome.violations.extend(self.found.drain(..).map(|finding| finding.violation));
        outcome
    }
}

impl PointSink for Listener {
    fn shape(&mut self, _: ShapeId, shape: &EventShape, values: &mut Values) -> Interest {
        let interests = self.seats.iter_mut().map(|seat| seat.judge.shape(shape, values));
        interests.fold(Interest::none(), Interest::or)
    }

    fn wants_empty_points(&self) -> bool {
        self.seats.iter().any(|seat| seat.judge.wants_empty_points())
    }

    fn begin_trace(&mut self, _: u64, _: u64, _: &mut Values) -> Flow {
        Ok(())
    }

    fn points(&mut self, points: &Points, values: &mut Values) -> Flow {
        self.seats.iter_mut().for_each(|seat| seat.judge.points(points, values, &mut self.found));
        Ok(())
    }
}

/// An event's name, the names of its arguments, and how many of those are positional.
type Shape = (Arc<str>, Vec<Arc<str>>, usize);

/// The event kinds of a trace that a monitor has resolved.
#[derive(Debug, Clone, Default)]
pub struct Kinds {
    known: HashMap<Shape, KindId>,
}

impl Kinds {
    /// Judges one point.
    pub fn step(&mut self, monitor: &mut Monitor, point: &referee_trace::owned::OwnedPoint) -> Vec<Violation> {
        let events: Vec<(KindId, Vec<ValueId>)> =
            point.events.iter().map(|event| (self.resolve(monitor, event), values(monitor, event))).collect();
        let events: Vec<(KindId, &[ValueId])> = events.iter().map(|(kind, values)| (*kind, &values[..])).collect();
        monitor.step(point.time.as_ref(), &events)
    }

    fn resolve(&mut self, monitor: &mut Monitor, event: &OwnedEvent) -> KindId {
        let fields: Vec<Arc<str>> = event.arguments.iter().map(|argument| argument.name.clone()).collect();
        let key = (event.name.clone(), fields, event.positional);
        if let Some(kind) = self.known.get(&key) {
            return *kind;
        }
        let fields: Vec<&str> = key.1.iter().map(|field| &**field).collect();
        let kind = monitor.kind(&event.name, &fields, event.positional);
        self.known.insert(key, kind);
        kind
    }
}

fn values(monitor: &mut Monitor, event: &OwnedEvent) -> Vec<ValueId> {
    event.arguments.iter().map(|argument| monitor.text(&argument.text, argument.declared)).collect()
}
