//! What a formula says of a trace without samples.

use referee_spec::core::signal::{Formula, Kind};

/// What a formula says of the empty trace.
pub fn on_empty_trace(formula: &Formula) -> bool {
    match &formula.kind {
        Kind::Constant(truth) => *truth,
        Kind::Globally(..) => true,
        Kind::Compare(..) | Kind::Truth(_) | Kind::Finally(..) | Kind::Until(..) => false,
        Kind::Not(body) => !on_empty_trace(body),
        Kind::And(left, right) => on_empty_trace(left) && on_empty_trace(right),
        Kind::Or(left, right) => on_empty_trace(left) || on_empty_trace(right),
        Kind::Implies(left, right) => !on_empty_trace(left) || on_empty_trace(right),
        Kind::Iff(left, right) => on_empty_trace(left) == on_empty_trace(right),
    }
}
