//! Which events there are: what a signature declares or a trace shows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use referee_trace::value::Type;

/// The events that a signature declares or a trace shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// The shapes of events, by event name.
    pub events: BTreeMap<Arc<str>, Vec<EventShape>>,
    /// Fields that are no arguments and can be read by name, as the time.
    pub fields: BTreeSet<Arc<str>>,
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
