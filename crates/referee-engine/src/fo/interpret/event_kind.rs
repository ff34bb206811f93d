//! What a monitor does with the events of one name and one list of fields, found out once per kind of event.

use std::collections::HashSet;
use std::sync::Arc;

use referee_spec::core::{Kind, Position, Property, Term};

use crate::fo::interpret::algebra::Algebra;
use crate::fo::interpret::evaluate::Occurrence;
use crate::shared::universe::ValueId;

/// What a monitor does with an event kind.
#[derive(Debug, Clone)]
pub(crate) struct EventKind {
    pub(super) name: Arc<str>,
    pub(super) fields: Arc<[Arc<str>]>,
    pub(super) positional: usize,
    /// The arguments whose values count as named.
    names: Vec<usize>,
    /// The arguments that feed sorts.
    feeds: Vec<(usize, usize)>,
    /// Whether the property can see such an event at all.
    relevant: bool,
}

impl EventKind {
    pub(crate) fn of(property: &Property, name: &str, fields: &[&str], positional: usize) -> EventKind {
        let feeds = fed_sorts(property, name, fields, positional);
        let mut names = named_arguments(property, name, fields, positional);
        names.extend(feeds.iter().map(|(index, _)| *index));
        names.sort_unstable();
        names.dedup();
        EventKind {
            name: name.into(),
            fields: fields.iter().map(|&field| field.into()).collect(),
            positional,
            names,
            feeds,
            relevant: is_relevant(property, name, fields, positional),
        }
    }

    /// Whether such events can make a difference.
    pub(crate) fn is_seen(&self) -> bool {
        self.relevant || !self.names.is_empty()
    }

    /// Registers the values of an event, and keeps it if the property can see it.
    pub(crate) fn enter(
        &self,
        values: &[ValueId],
        point: u64,
        algebra: &mut Algebra,
        members: &mut [HashSet<ValueId>],
    ) -> Option<Occurrence> {
        for &index in &self.names {
            algebra.universe.name_known(values[index], point);
        }
        for &(index, sort) in &self.feeds {
            if members[sort].insert(values[index]) {
                algebra.domains[sort].push(values[index]);
            }
        }
        self.relevant.then(|| Occurrence {
            name: self.name.clone(),
            fields: self.fields.clone(),
            positional: self.positional,
            values: values.to_vec(),
        })
    }
}

/// All formulas of a property.
fn for_each_formula<'p>(property: &'p Property, visit: &mut impl FnMut(&'p Kind)) {
    for definition in &property.definitions {
        definition.body.visit(&mut |formula| visit(&formula.kind));
    }
    property.body.visit(&mut |formula| visit(&formula.kind));
}

fn mentioned_fields(property: &Property) -> HashSet<Arc<str>> {
    let mut fields = HashSet::new();
    for_each_formula(property, &mut |kind| {
        if let Kind::Observe(observation) = kind {
            fields.extend(observation.present.iter().cloned());
            fields.extend(observation.required.iter().map(|(field, _)| field.clone()));
            kind.terms().into_iter().for_each(|term| collect_fields(term, &mut fields));
        }
    });
    fields
}

fn collect_fields(term: &Term, fields: &mut HashSet<Arc<str>>) {
    match term {
        Term::Field(field) => {
            fields.insert(field.clone());
        }
        Term::Binary(_, left, right) => {
            collect_fields(left, fields);
            collect_fields(right, fields);
        }
        Term::Negate(body) | Term::Apply(_, body) => collect_fields(body, fields),
        _ => {}
    }
}

/// Which arguments of an event kind count as named values: see [`referee_spec::core::Violation`].
pub(crate) fn named_arguments(property: &Property, name: &str, fields: &[&str], positional: usize) -> Vec<usize> {
    let mut applied = false;
    for_each_formula(property, &mut |kind| {
        if let Kind::Event(atom) = kind {
            applied |= *atom.name == *name && atom.arguments.as_ref().is_some_and(|terms| terms.len() == positional);
        }
    });
    let mentioned = mentioned_fields(property);
    (0..fields.len()).filter(|&index| (applied && index < positional) || mentioned.contains(fields[index])).collect()
}

pub(crate) fn fed_sorts(property: &Property, name: &str, fields: &[&str], positional: usize) -> Vec<(usize, usize)> {
    let mut feeds = Vec::new();
    for (sort, positions) in property.sorts.iter().map(|sort| &sort.positions).enumerate() {
        for position in positions {
            match position {
                Position::Argument { event, arity, index } if **event == *name && *arity == positional => {
                    feeds.push((*index, sort));
                }
                Position::Field { event, field } if event.as_ref().is_none_or(|event| **event == *name) => {
                    feeds.extend(fields.iter().position(|own| *own == &**field).map(|index| (index, sort)));
                }
                _ => {}
            }
        }
    }
    feeds.sort_unstable();
    feeds.dedup();
    feeds
}

pub(crate) fn is_relevant(property: &Property, name: &str, fields: &[&str], positional: usize) -> bool {
    let mut relevant = false;
    for_each_formula(property, &mut |kind| {
        if let Kind::Event(atom) = kind {
            relevant |= *atom.name == *name && atom.arguments.as_ref().is_none_or(|terms| terms.len() == positional);
        }
    });
    let mentioned = mentioned_fields(property);
    relevant || fields.iter().any(|field| mentioned.contains(*field))
}
