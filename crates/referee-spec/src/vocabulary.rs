//! Which events there are: what a signature declares or a trace shows.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use referee_trace::event;
use referee_trace::owned::{OwnedEvent, OwnedTrace};
use referee_trace::value::Type;

/// The events that a signature declares or a trace shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// The shapes of events, by event name.
    pub events: BTreeMap<Arc<str>, Vec<EventShape>>,
    /// Fields that are no arguments and can be read by name, as the time.
    pub fields: BTreeSet<Arc<str>>,
    /// All fields that events could have carried, if the header of a table told them.
    pub columns: Option<BTreeSet<Box<str>>>,
}

impl Vocabulary {
    /// What traces in memory show.
    pub fn of_traces(traces: &[OwnedTrace]) -> Vocabulary {
        let events = traces.iter().flat_map(|trace| &trace.points).flat_map(|point| &point.events);
        let mut known: HashSet<event::EventShape> = HashSet::new();
        let mut vocabulary = Vocabulary::default();
        for shape in events.map(OwnedEvent::shape) {
            if !known.contains(&shape) {
                vocabulary.add(&shape);
                known.insert(shape);
            }
        }
        vocabulary
    }

    /// Adds a shape of events that a trace shows.
    pub fn add(&mut self, shape: &event::EventShape) {
        let (arguments, others) = shape.arguments.split_at(shape.positional);
        self.fields.extend(others.iter().map(|field| Arc::from(&*field.name)));
        let argument =
            |argument: &event::Argument| Argument { name: Some((*argument.name).into()), declared: argument.declared };
        let arguments = EventShape { arguments: arguments.iter().map(argument).collect() };
        self.events.entry((*shape.name).into()).or_default().push(arguments);
    }
}

/// What arguments an event has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventShape {
    /// The arguments in order.
    pub arguments: Vec<Argument>,
}

/// One argument of an event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Argument {
    /// Its name, if it has one.
    pub name: Option<Arc<str>>,
    /// Its type, if that is known.
    pub declared: Option<Type>,
}
