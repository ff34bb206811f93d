//! Drafts: the work that a property needs, before the linker decides which tables and units it shares with other properties.
//!
//! A *draft* checks one way to violate a property, or follows one demand on the future. It names views by the numbers that the compiler
//! gave them; the linker gives those of a program new numbers ([`crate::fo::compile::link`]).

use referee_spec::core::Interval;

use crate::fo::compile::form::{Form, ViewUse};
use crate::fo::types::ViewId;

/// One way to violate a property.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    /// The register or column of each binding; nothing for any value.
    pub bindings: Vec<Option<u8>>,
    /// Whether only the end of the trace decides it.
    pub by_end: bool,
    /// How it is found.
    pub way: FoundBy,
}

/// How a violation is found.
#[derive(Debug, Clone)]
pub(crate) enum FoundBy {
    /// Where an event drives the form, which is asked then.
    Driven(Form),
    /// As a row of a view, at every point.
    Rows(ViewId),
    /// By a demand on the future.
    Demand(Box<DemandDraft>),
}

/// A demand on the future.
#[derive(Debug, Clone)]
pub(crate) struct DemandDraft {
    /// When it is opened.
    pub opens: Form,
    /// What fails.
    pub fails: Form,
    /// What must come.
    pub goal: Form,
    /// What must come before the goal: a row whose last stamp tells.
    pub relay: Option<ViewUse>,
    /// How many registers are columns of its table.
    pub columns: usize,
    /// Durations from the opening to the goal.
    pub interval: Interval,
    /// Whether reaching the goal is the violation.
    pub forbidden: bool,
    /// Whether it speaks of the next point and those after it.
    pub from_next: bool,
}
