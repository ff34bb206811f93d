//! What a future operator still owes: its value at the next point.

use std::sync::Arc;

use referee_trace::number::Number;

use crate::fo::interpret::operand::OperandSlot;
use crate::fo::interpret::variables::VarSet;

/// A number for a future operator of a compiled property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FutureId(pub u32);

/// The value of a future operator at the next point: an obligation.
#[derive(Debug, Clone)]
pub(crate) struct Later {
    /// The operator.
    pub future: FutureId,
    /// The time of the point from which it is looked at.
    pub origin: Number,
    /// The values of the operator's free variables, in its order.
    pub slots: Arc<[OperandSlot]>,
    /// Whether its negation is meant.
    pub negated: bool,
    /// The point that opened the obligation. Two that differ in this alone are equal; the older one is kept.
    pub opened: u64,
}

impl PartialEq for Later {
    fn eq(&self, other: &Later) -> bool {
        self.future == other.future
            && self.negated == other.negated
            && self.origin == other.origin
            && self.slots == other.slots
    }
}

impl Eq for Later {}

impl Later {
    /// The variables that its operator is asked for.
    pub(crate) fn variables(&self) -> VarSet {
        self.slots.iter().fold(VarSet::EMPTY, |set, slot| match slot {
            OperandSlot::Var(var) => set.with(VarSet::of(*var)),
            OperandSlot::Value(_) => set,
        })
    }
}
