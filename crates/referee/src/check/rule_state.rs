//! What a session knows of one rule: whether it is still judged, its violations, its outcome.

use std::sync::Arc;

use referee_engine::judge::Size;
use referee_spec::core::{Outcome, Rule, Status};

/// What is known of one rule so far.
pub(super) struct RuleState {
    /// The number of the specification it comes from.
    pub specification: usize,
    /// The rule.
    pub rule: Arc<Rule>,
    /// Whether it takes part in the current pass and wants more points.
    pub active: bool,
    /// How many violations were reported.
    pub violations: u64,
    /// The worst outcome of the traces that are over.
    pub outcome: Option<Outcome>,
    /// What its judge remembers.
    pub sizes: Vec<Size>,
}

impl RuleState {
    /// A rule before the first point.
    pub(super) fn new(specification: usize, rule: Arc<Rule>) -> RuleState {
        RuleState { specification, rule, active: false, violations: 0, outcome: None, sizes: Vec::new() }
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

    /// Its verdict.
    pub(super) fn status(&self, timed_out: bool) -> Status {
        match (&self.outcome, self.violations) {
            (_, 1..) => Status::Violated,
            (_, 0) if timed_out => Status::TimeOut,
            (Some(outcome), _) => outcome.status,
            (None, _) => Status::Satisfied,
        }
    }
}
