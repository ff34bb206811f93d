//! What a session knows of one rule: whether it is still judged, its violations, its outcome.

use std::sync::Arc;

use referee_engine::judge::Size;
use referee_spec::core::{Outcome, Rule, Status};
use referee_trace::abstraction::TimeNeed;

use super::cut::Cut;

/// What is known of one rule so far.
pub(super) struct RuleState {
    /// The number of the specification it comes from.
    pub specification: usize,
    /// The rule.
    pub rule: Arc<Rule>,
    /// Which points must have a time for it.
    pub need: TimeNeed,
    /// Whether it takes part in the current pass and wants more points.
    pub active: bool,
    /// Whether a violation ended its part before the end of the trace.
    pub stopped: bool,
    /// How many violations were reported.
    pub violations: u64,
    /// The worst outcome of the traces that are over.
    pub outcome: Option<Outcome>,
    /// What its judge remembers.
    pub sizes: Vec<Size>,
}

impl RuleState {
    /// A rule before the first point.
    pub(super) fn new(specification: usize, rule: Arc<Rule>, need: TimeNeed) -> RuleState {
        RuleState {
            specification,
            rule,
            need,
            active: false,
            stopped: false,
            violations: 0,
            outcome: None,
            sizes: Vec::new(),
        }
    }

    /// Notes the outcome of one trace; the rule's is the worst of all.
    pub(super) fn conclude(&mut self, outcome: Outcome) {
        self.outcome = Some(match self.outcome.take() {
            None => outcome,
            Some(earlier) => Outcome {
                status: if earlier.status == Status::Satisfied { outcome.status } else { earlier.status },
                violations: Vec::new(),
                pending: earlier.pending + outcome.pending,
                obstacle: earlier.obstacle.or(outcome.obstacle),
            },
        });
    }

    /// Its verdict; `cut` is what ended the check before the end of the trace, if something did.
    pub(super) fn status(&self, cut: Option<Cut>) -> Status {
        match (&self.outcome, self.violations, cut) {
            (_, 1.., _) => Status::Violated,
            (_, 0, Some(cut)) => cut.status(),
            (Some(outcome), _, None) => outcome.status,
            (None, _, None) => Status::Satisfied,
        }
    }
}
