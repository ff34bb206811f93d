//! What becomes of the events of one kind, worked out once.

use referee_trace::event::{Argument, EventShape};
use referee_trace::points::Interest;

/// A kind of events that a session has resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionKind(pub(super) u32);

/// What a session knows of a kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Handling {
    /// How many arguments its events have.
    pub arity: u32,
    /// Whether some judge reads such events.
    pub is_read: bool,
    /// Whether some judge must hear of a point that has only such events.
    pub steps: bool,
}

impl Handling {
    pub(super) fn new(shape: &EventShape, interest: &Interest) -> Handling {
        let is_read = !interest.want.is_none() || interest.steps;
        Handling { arity: u32::try_from(shape.arguments.len()).unwrap_or(u32::MAX), is_read, steps: interest.steps }
    }
}

/// The shape of events with named arguments, all of them positional.
pub(super) fn shape_of(name: &str, arguments: &[&str]) -> EventShape {
    let argument = |name: &&str| Argument { name: (*name).into(), declared: None };
    EventShape { name: name.into(), arguments: arguments.iter().map(argument).collect(), positional: arguments.len() }
}
