//! Lengths of time, as specifications write them.

use referee_trace::mapping::Unit;
use referee_trace::number::Number;

/// A length of time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Duration {
    /// How many units.
    pub amount: Number,
    /// Of which length; nothing for the trace's own unit.
    pub unit: Option<Unit>,
}

impl Duration {
    /// The length in a trace's unit.
    pub fn in_unit(&self, trace: Unit) -> Number {
        let Some(unit) = self.unit else { return self.amount.clone() };
        let nanoseconds = self.amount.mul(&Number::Int(unit.nanoseconds()));
        nanoseconds.div(&Number::Int(trace.nanoseconds())).unwrap_or(Number::ZERO)
    }
}

impl std::fmt::Display for Duration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.amount, self.unit.map_or("", Unit::sign))
    }
}
