//! Conditions and computed values.

use std::sync::Arc;

use referee_trace::value::Value;

use super::pattern::EventPattern;
use crate::core::formula::{Arithmetic, Comparison, Span};

/// A condition on the variables of a rule, the event at hand and the facts.
#[derive(Debug, Clone)]
pub enum FactGuard {
    /// True or false.
    Constant(bool),
    /// Not.
    Not(Box<FactGuard>),
    /// All of them.
    And(Vec<FactGuard>),
    /// One of them.
    Or(Vec<FactGuard>),
    /// Two values compare so; an order only between two numbers or two strings.
    Compare(Comparison, FactTerm, FactTerm),
    /// A fact with these values holds; nothing stands for any value.
    Holds(usize, Vec<Option<FactTerm>>),
    /// The event at hand fits; its variables have their values.
    Happens(EventPattern),
    /// There is a value.
    Defined(FactTerm),
}

impl FactGuard {
    /// Adds the relations that it reads.
    pub fn relations(&self, found: &mut Vec<usize>) {
        match self {
            FactGuard::Constant(_) | FactGuard::Happens(_) => {}
            FactGuard::Not(body) => body.relations(found),
            FactGuard::And(all) | FactGuard::Or(all) => all.iter().for_each(|guard| guard.relations(found)),
            FactGuard::Holds(relation, _) => found.push(*relation),
            FactGuard::Compare(..) | FactGuard::Defined(_) => {}
        }
        self.visit_terms(&mut |term| match term {
            FactTerm::Lookup(relation, _) | FactTerm::Size(relation) => found.push(*relation),
            _ => {}
        });
    }

    /// Calls `visit` for all terms in it.
    pub fn visit_terms<'g>(&'g self, visit: &mut impl FnMut(&'g FactTerm)) {
        match self {
            FactGuard::Constant(_) | FactGuard::Happens(_) => {}
            FactGuard::Not(body) => body.visit_terms(visit),
            FactGuard::And(all) | FactGuard::Or(all) => all.iter().for_each(|guard| guard.visit_terms(visit)),
            FactGuard::Compare(_, left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            FactGuard::Holds(_, terms) => terms.iter().flatten().for_each(|term| term.visit(visit)),
            FactGuard::Defined(term) => term.visit(visit),
        }
    }

    /// Calls `visit` for all patterns of events in it.
    pub fn visit_events<'g>(&'g self, visit: &mut impl FnMut(&'g EventPattern)) {
        match self {
            FactGuard::Not(body) => body.visit_events(visit),
            FactGuard::And(all) | FactGuard::Or(all) => all.iter().for_each(|guard| guard.visit_events(visit)),
            FactGuard::Happens(pattern) => visit(pattern),
            FactGuard::Constant(_) | FactGuard::Compare(..) | FactGuard::Holds(..) | FactGuard::Defined(_) => {}
        }
    }
}

/// A value that is looked up or computed; it may have none.
#[derive(Debug, Clone)]
pub enum FactTerm {
    /// That of a variable of the rule.
    Variable(usize),
    /// A constant.
    Constant(Value),
    /// A field of the event at hand, by its name.
    Field(Arc<str>),
    /// The last value of the fact whose key these are.
    Lookup(usize, Vec<FactTerm>),
    /// How many facts there are.
    Size(usize),
    /// Arithmetic, and its place.
    Binary(Arithmetic, Box<FactTerm>, Box<FactTerm>, Span),
}

impl FactTerm {
    /// Calls `visit` for this term and all in it.
    pub fn visit<'t>(&'t self, visit: &mut impl FnMut(&'t FactTerm)) {
        visit(self);
        match self {
            FactTerm::Variable(_) | FactTerm::Constant(_) | FactTerm::Field(_) | FactTerm::Size(_) => {}
            FactTerm::Lookup(_, keys) => keys.iter().for_each(|key| key.visit(visit)),
            FactTerm::Binary(_, left, right, _) => {
                left.visit(visit);
                right.visit(visit);
            }
        }
    }
}
