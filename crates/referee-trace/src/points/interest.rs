//! What a judge wants of the events of one shape.

use std::sync::Arc;

use crate::raw::Want;

/// What a judge wants of the events of one shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interest {
    /// The arguments it reads.
    pub want: Want,
    /// Which of them it reads of an event that is the only one of its point.
    pub alone: Want,
    /// Whether it must hear of a point that has only such events.
    pub steps: bool,
    /// If not empty, it reads only events that have, for one of these patterns, all these texts at these arguments.
    pub patterns: Vec<Vec<(usize, Arc<str>)>>,
}

impl Interest {
    /// Every event, with all its arguments.
    pub fn all() -> Interest {
        Interest { want: Want::ALL, alone: Want::ALL, steps: true, patterns: Vec::new() }
    }

    /// No such event, and no point that has only such events.
    pub fn none() -> Interest {
        Interest { want: Want::NONE, alone: Want::NONE, steps: false, patterns: vec![] }
    }

    /// The arguments that are read of an event that is the only one of its point.
    pub(super) fn read_alone(&self) -> Want {
        self.want.and(self.alone)
    }

    /// Whether such events are never read.
    pub(super) fn is_none(&self) -> bool {
        self.want.is_none() && !self.steps
    }

    /// What either of two wants.
    #[must_use]
    pub fn or(self, other: Interest) -> Interest {
        let (want, alone) = (self.want.or(other.want), self.read_alone().or(other.read_alone()));
        let patterns = match (self.is_none(), other.is_none()) {
            (true, _) => other.patterns,
            (_, true) => self.patterns,
            _ if self.patterns.is_empty() || other.patterns.is_empty() => Vec::new(),
            _ => [self.patterns, other.patterns].concat(),
        };
        Interest { want, alone, steps: self.steps || other.steps, patterns }
    }
}
