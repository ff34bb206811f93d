//! Which events a rule listens to, and which of them it hopes for.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::formulas::formulas;
use crate::core::quantity::{QuantityRule, StatementKind};
use crate::core::{Formula, Kind, Property, Rule, Span};
use crate::vocabulary::Vocabulary;

/// An event that a rule names: its name, its number of arguments if that matters, and where it stands.
pub(super) type NamedEvent = (Arc<str>, Option<usize>, Span);

/// Whether a trace with these events has none that the rule listens to, so that it says nothing about the rule. A rule that reads
/// events without naming them is never unheard.
pub fn is_unheard(rule: &Rule, trace: &Vocabulary) -> bool {
    let happens = |(name, arity, _): &NamedEvent| {
        let shapes = trace.events.get(name);
        shapes.is_some_and(|shapes| shapes.iter().any(|shape| arity.is_none_or(|arity| shape.arguments.len() == arity)))
    };
    named_events(rule).is_some_and(|events| !events.is_empty() && !events.iter().any(happens))
}

/// The events that a rule names; nothing if it reads others, too.
pub fn named_events(rule: &Rule) -> Option<Vec<NamedEvent>> {
    match rule {
        Rule::Formula(property) => events_of_formula(property),
        Rule::Quantity(rule) => Some(atoms(rule)),
        Rule::Machine(machine) => Some(machine.events()),
        Rule::Facts(rules) => Some(rules.events()),
        Rule::Stream(_) | Rule::Signal(_) => None,
    }
}

fn events_of_formula(property: &Property) -> Option<Vec<NamedEvent>> {
    let mut events = Vec::new();
    let mut reads_fields = false;
    for formula in formulas(property) {
        formula.visit(&mut |formula| match &formula.kind {
            Kind::Event(atom) => {
                events.push((atom.name.clone(), atom.arguments.as_ref().map(Vec::len), formula.span));
            }
            Kind::Observe(_) => reads_fields = true,
            _ => {}
        });
    }
    (!reads_fields).then_some(events)
}

/// The atoms of a rule about numbers: events by their names alone.
pub(super) fn atoms(rule: &QuantityRule) -> Vec<NamedEvent> {
    let mut events = Vec::new();
    rule.body.visit(&mut |statement| {
        if let StatementKind::Atom(name) = &statement.kind {
            events.push((name.clone(), None, statement.span));
        }
    });
    events
}

/// The events that can only help to keep a formula true: where one of them never happens, that may be why it is violated. Of other
/// rules nothing is known.
pub fn helpful_events(rule: &Rule) -> BTreeSet<Arc<str>> {
    let mut found = Polarity::default();
    if let Rule::Formula(property) = rule {
        found.visit(&property.body, true);
        for definition in &property.definitions {
            // It may be called below any number of negations.
            found.visit_both(&definition.body);
        }
    }
    found.helpful.difference(&found.harmful).cloned().collect()
}

/// The events below an even and below an odd number of negations.
#[derive(Default)]
struct Polarity {
    helpful: BTreeSet<Arc<str>>,
    harmful: BTreeSet<Arc<str>>,
}

impl Polarity {
    /// All operators but negation, implication and equivalence only gain from what their parts gain; aggregations may do either.
    fn visit(&mut self, formula: &Formula, helps: bool) {
        match &formula.kind {
            Kind::Event(atom) => {
                let names = if helps { &mut self.helpful } else { &mut self.harmful };
                names.insert(atom.name.clone());
            }
            Kind::Not(body) => self.visit(body, !helps),
            Kind::Implies(left, right) => {
                self.visit(left, !helps);
                self.visit(right, helps);
            }
            Kind::Iff(..) | Kind::Aggregate(_) => {
                for child in formula.kind.children() {
                    self.visit_both(child);
                }
            }
            kind => kind.children().into_iter().for_each(|child| self.visit(child, helps)),
        }
    }

    fn visit_both(&mut self, formula: &Formula) {
        self.visit(formula, true);
        self.visit(formula, false);
    }
}
