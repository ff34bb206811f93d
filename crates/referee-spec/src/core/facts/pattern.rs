//! Patterns of events and facts.

use std::sync::Arc;

use referee_trace::value::Value;

/// What an event must look like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventPattern {
    /// Its name.
    pub event: Arc<str>,
    /// Its first positional arguments.
    pub arguments: Vec<Slot>,
    /// Whether more arguments may follow.
    pub open: bool,
}

impl EventPattern {
    /// How many positional arguments it demands, unless any number will do.
    pub fn arity(&self) -> Option<usize> {
        (!self.open).then_some(self.arguments.len())
    }

    /// Whether an event with this name and so many positional arguments may fit.
    pub fn admits(&self, name: &str, positional: usize) -> bool {
        *self.event == *name
            && if self.open { positional >= self.arguments.len() } else { positional == self.arguments.len() }
    }
}

/// What a fact must look like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactPattern {
    /// The number of its relation.
    pub relation: usize,
    /// Its values, one per column.
    pub arguments: Vec<Slot>,
}

/// What one value of an event or a fact must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slot {
    /// The value of a variable: it is bound here, or equal to where it is bound.
    Variable(usize),
    /// A constant.
    Constant(Value),
    /// Anything.
    Any,
}
