//! What a rule can see of the trace, kept where its violations are to be explained.

use referee_spec::core::{Rule, Violation};
use referee_trace::event::{EventShape, EventShapes};
use referee_trace::points::PointView;
use referee_trace::values::Values;

use crate::facts::Witness;
use crate::quantity;
use crate::signal;
use crate::why::{self, FormulaHistory};

/// A history, and its numbers for the shapes of the trace.
pub(super) enum Record {
    /// Of a formula.
    Formula(Box<FormulaHistory>, Vec<why::HistoryKindId>),
    /// Of a quantitative rule: which atom each shape is, if it is one.
    Quantity(Box<quantity::QuantityHistory>, Vec<Option<usize>>),
    /// Of rules over facts.
    Facts(Box<Witness>),
    /// Of a formula over signals.
    Signal(Box<signal::SignalHistory>),
}

impl Record {
    /// A record for a rule, if its violations can be explained.
    pub(super) fn of(rule: &Rule) -> Option<Record> {
        Some(match rule {
            Rule::Formula(property) => Record::Formula(Box::new(FormulaHistory::new(property.clone())), Vec::new()),
            Rule::Quantity(rule) => Record::Quantity(Box::new(quantity::QuantityHistory::new(rule)), Vec::new()),
            Rule::Facts(rules) => Record::Facts(Box::new(Witness::new(rules.clone()))),
            Rule::Signal(signal) => Record::Signal(Box::new(signal::SignalHistory::new(signal.clone()))),
            // Triggers carry their own message.
            Rule::Stream(_) | Rule::Machine(_) => return None,
        })
    }

    /// Notes a shape of events.
    pub(super) fn resolve(&mut self, shape: &EventShape) {
        match self {
            Record::Formula(history, kinds) => {
                let fields: Vec<&str> = shape.arguments.iter().map(|argument| &*argument.name).collect();
                kinds.push(history.kind(&shape.name, &fields, shape.positional));
            }
            Record::Quantity(history, atoms) => atoms.push(history.atom(&shape.name)),
            Record::Facts(witness) => witness.shape(shape),
            Record::Signal(history) => history.shape(shape),
        }
    }

    /// Adds a point.
    pub(super) fn push(&mut self, point: PointView<'_>, shapes: &EventShapes, values: &Values) {
        match self {
            Record::Formula(history, kinds) => push_formula(history, kinds, point, shapes, values),
            Record::Quantity(history, atoms) => {
                for (shape, _) in point.events() {
                    if let Some(atom) = atoms[shape.index()] {
                        history.happen(atom);
                    }
                }
                history.push_point(point.time);
            }
            Record::Facts(witness) => witness.point(point, shapes, values),
            Record::Signal(history) => history.push(point, values),
        }
    }

    /// Why a violation is one, line by line.
    pub(super) fn explain(&self, violation: &Violation) -> Vec<String> {
        match self {
            Record::Formula(history, _) => why::explain(history, violation),
            Record::Quantity(history, _) => history.explain(violation),
            Record::Facts(witness) => witness.explain(violation),
            Record::Signal(history) => history.explain(violation),
        }
    }
}

fn push_formula(
    history: &mut FormulaHistory,
    kinds: &[why::HistoryKindId],
    point: PointView<'_>,
    shapes: &EventShapes,
    values: &Values,
) {
    let mut events = Vec::with_capacity(point.len());
    for (shape, atoms) in point.events() {
        let arguments = atoms.iter().zip(shapes.arguments(shape.index()));
        let numbers: Vec<_> =
            arguments.map(|(&atom, argument)| history.text(&values.text(atom), argument.declared)).collect();
        events.push((kinds[shape.index()], numbers));
    }
    let events: Vec<_> = events.iter().map(|(kind, numbers)| (*kind, &numbers[..])).collect();
    history.push_point(point.time, &events);
}
