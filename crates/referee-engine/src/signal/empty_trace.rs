//! What a formula says of a trace without samples.

use referee_spec::core::signal::{SignalFormula, SignalKind};

/// What a formula says of the empty trace.
pub(super) fn on_empty_trace(formula: &SignalFormula) -> bool {
    match &formula.kind {
        SignalKind::Constant(truth) => *truth,
        SignalKind::Globally(..) => true,
        SignalKind::Compare(..) | SignalKind::Truth(_) | SignalKind::Finally(..) | SignalKind::Until(..) => false,
        SignalKind::Not(body) => !on_empty_trace(body),
        SignalKind::And(left, right) => on_empty_trace(left) && on_empty_trace(right),
        SignalKind::Or(left, right) => on_empty_trace(left) || on_empty_trace(right),
        SignalKind::Implies(left, right) => !on_empty_trace(left) || on_empty_trace(right),
        SignalKind::Iff(left, right) => on_empty_trace(left) == on_empty_trace(right),
    }
}
