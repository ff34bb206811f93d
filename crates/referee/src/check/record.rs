//! `--witness`: what a rule can see of the trace, kept so that its violations can be explained.

use referee_engine::why::{self, History};
use referee_spec::core::{Rule, Violation};
use referee_trace::event::EventShape;
use referee_trace::points::PointView;
use referee_trace::values::Values;

/// A history, and its numbers for the shapes of the current pass.
pub struct Record {
    history: History,
    kinds: Vec<why::KindId>,
}

impl Record {
    /// A record for a rule, if its violations can be explained.
    pub fn of(rule: &Rule) -> Option<Record> {
        let property = rule.as_formula()?;
        Some(Record { history: History::new(property.clone()), kinds: Vec::new() })
    }

    /// Notes a shape of events.
    pub fn resolve(&mut self, shape: &EventShape) {
        let fields: Vec<&str> = shape.arguments.iter().map(|argument| &*argument.name).collect();
        self.kinds.push(self.history.kind(&shape.name, &fields, shape.positional));
    }

    /// Adds a point.
    pub fn push(&mut self, point: PointView<'_>, shapes: &[EventShape], values: &Values) {
        let mut events = Vec::with_capacity(point.len());
        for (shape, atoms) in point.events() {
            let arguments = atoms.iter().zip(&shapes[shape.index()].arguments);
            let numbers: Vec<_> =
                arguments.map(|(&atom, argument)| self.history.text(&values.text(atom), argument.declared)).collect();
            events.push((self.kinds[shape.index()], numbers));
        }
        let events: Vec<_> = events.iter().map(|(kind, numbers)| (*kind, &numbers[..])).collect();
        self.history.push_point(point.time, &events);
    }

    /// Why a violation is one, line by line.
    pub fn explain(&self, violation: &Violation) -> Vec<String> {
        why::explain(&self.history, violation)
    }
}
