//! Interprets a formula over a trace that is held in memory.

use std::collections::HashMap;
use std::sync::Arc;

use referee_spec::core::{Outcome, Property, Violation};
use referee_trace::owned::{OwnedEvent, OwnedTrace};

use crate::fo::interpret::interpreter::{Interpreter, KindId};
use crate::shared::universe::ValueId;

/// Judges a whole trace, or with `prefix` one that may go on.
pub fn judge_property(property: Arc<Property>, trace: &OwnedTrace, prefix: bool) -> Outcome {
    let mut monitor = Interpreter::new(property);
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

/// An event's name, the names of its arguments, and how many of those are positional.
type Shape = (Arc<str>, Vec<Arc<str>>, usize);

/// The event kinds of a trace that a monitor has resolved.
#[derive(Debug, Clone, Default)]
struct Kinds {
    known: HashMap<Shape, KindId>,
}

impl Kinds {
    /// Judges one point.
    fn step(&mut self, monitor: &mut Interpreter, point: &referee_trace::owned::OwnedPoint) -> Vec<Violation> {
        let events: Vec<(KindId, Vec<ValueId>)> =
            point.events.iter().map(|event| (self.resolve(monitor, event), values(monitor, event))).collect();
        let events: Vec<(KindId, &[ValueId])> = events.iter().map(|(kind, values)| (*kind, &values[..])).collect();
        monitor.step(point.time.as_ref(), &events)
    }

    fn resolve(&mut self, monitor: &mut Interpreter, event: &OwnedEvent) -> KindId {
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

fn values(monitor: &mut Interpreter, event: &OwnedEvent) -> Vec<ValueId> {
    event.arguments.iter().map(|argument| monitor.text(&argument.text, argument.declared)).collect()
}
