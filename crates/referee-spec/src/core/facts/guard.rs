//! Conditions and computed values.

use std::sync::Arc;

use referee_trace::value::Value;

use super::pattern::EventPattern;
use crate::core::formula::{Arithmetic, Comparison, Span};

/// A condition on the variables of a rule, the event at hand and the facts.
#[derive(Debug, Clone)]
pub enum Guard {
    /// True or false.
    Constant(bool),
    /// Not.
    Not(Box<Guard>),
    /// All of them.
    And(Vec<Guard>),
    /// One of them.
    Or(Vec<Guard>),
    /// Two values compare so; an order only between two numbers or two strings.
    Compare(Comparison, Term, Term),
    /// A fact with these values holds; nothing stands for any value.
    Holds(usize, Vec<Option<Term>>),
    /// The event at hand fits; its variables have their values.
    Happens(EventPattern),
    /// There is a value.
    Defined(Term),
}

impl Guard {
    /// Adds the relations that it reads.
    pub fn relations(&self, found: &mut Vec<usize>) {
        match self {
            Guard::Constant(_) | Guard::Happens(_) => {}
            Guard::Not(body) => body.relations(found),
            Guard::And(all) | Guard::Or(all) => all.iter().for_each(|guard| guard.relations(found)),
            Guard::Holds(relation, _) => found.push(*relation),
            Guard::Compare(..) | Guard::Defined(_) => {}
        }
        self.visit_terms(&mut |term| match term {
            Term::Lookup(relation, _) | Term::Size(relation) => found.push(*relation),
            _ => {}
        });
    }

    /// Calls `visit` for all terms in it.
    pub fn visit_terms<'g>(&'g self, visit: &mut impl FnMut(&'g Term)) {
        match self {
            Guard::Constant(_) | Guard::Happens(_) => {}
            Guard::Not(body) => body.visit_terms(visit),
            Guard::And(all) | Guard::Or(all) => all.iter().for_each(|guard| guard.visit_terms(visit)),
            Guard::Compare(_, left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            Guard::Holds(_, terms) => terms.iter().flatten().for_each(|term| term.visit(visit)),
            Guard::Defined(term) => term.visit(visit),
        }
    }

    /// Calls `visit` for all patterns of events in it.
    pub fn visit_events<'g>(&'g self, visit: &mut impl FnMut(&'g EventPattern)) {
        match self {
            Guard::Not(body) => body.visit_events(visit),
            Guard::And(all) | Guard::Or(all) => all.iter().for_each(|guard| guard.visit_events(visit)),
            Guard::Happens(pattern) => visit(pattern),
            Guard::Constant(_) | Guard::Compare(..) | Guard::Holds(..) | Guard::Defined(_) => {}
        }
    }
}

/// A value that is looked up or computed; it may have none.
#[derive(Debug, Clone)]
pub enum Term {
    /// That of a variable of the rule.
    Variable(usize),
    /// A constant.
    Constant(Value),
    /// A field of the event at hand, by its name.
    Field(Arc<str>),
    /// The last value of the fact whose key these are.
    Lookup(usize, Vec<Term>),
    /// How many facts there are.
    Size(usize),
    /// Arithmetic, and its place.
    Binary(Arithmetic, Box<Term>, Box<Term>, Span),
}

impl Term {
    /// Calls `visit` for this term and all in it.
    pub fn visit<'t>(&'t self, visit: &mut impl FnMut(&'t Term)) {
        visit(self);
        match self {
            Term::Variable(_) | Term::Constant(_) | Term::Field(_) | Term::Size(_) => {}
            Term::Lookup(_, keys) => keys.iter().for_each(|key| key.visit(visit)),
            Term::Binary(_, left, right, _) => {
                left.visit(visit);
                right.visit(visit);
            }
        }
    }
}
