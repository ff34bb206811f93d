//! What is known while a LARVA file is lowered: the scopes so far, and what the visible names stand for.

use std::sync::Arc;

use referee_trace::mapping::Unit;

use crate::core::Span;
use crate::core::machine::dates::Dates;
use crate::diagnostic::Diagnostic;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Thing {
    Key(usize),
    Variable(usize),
    Set(usize),
    Clock(usize),
    Channel(usize),
    Local(usize),
}

impl Thing {
    pub(super) fn kind(self) -> &'static str {
        match self {
            Thing::Key(_) => "a variable of FOREACH",
            Thing::Variable(_) => "a variable",
            Thing::Set(_) => "a set",
            Thing::Clock(_) => "a clock",
            Thing::Channel(_) => "a channel",
            Thing::Local(_) => "a value of the event",
        }
    }
}

pub(super) struct Lowering<'t> {
    pub(super) diagnostics: &'t mut Vec<Diagnostic>,
    pub(super) dates: Dates,
    /// The unit of the trace's times.
    pub(super) unit: Unit,
    /// What is visible, inner scopes last.
    pub(super) names: Vec<(Arc<str>, Thing, Span)>,
    /// The events that are visible, with their numbers.
    pub(super) events: Vec<(Arc<str>, usize, Span)>,
}
