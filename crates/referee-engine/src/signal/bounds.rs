//! The bounds of intervals, in the unit of the times of a trace.

use referee_spec::core::signal::SignalInterval;
use referee_trace::mapping::Unit;
use referee_trace::number::Number;

/// The bounds of an interval in a trace's unit.
pub(super) fn bounds(interval: &SignalInterval, unit: Unit) -> (Number, Option<Number>) {
    (interval.low.in_unit(unit), interval.high.as_ref().map(|high| high.in_unit(unit)))
}
