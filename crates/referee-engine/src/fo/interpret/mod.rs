//! The interpreter: it evaluates any formula over tables with a default, point by point.

pub(crate) mod aggregate;
pub(crate) mod algebra;
pub(crate) mod codec;
pub(crate) mod comparing;
pub(crate) mod evaluate;
pub(crate) mod event_kind;
pub(crate) mod forget;
pub(crate) mod forgettable;
pub(crate) mod interpreted_judge;
pub(crate) mod interpreter;
pub(crate) mod join_conditions;
pub(crate) mod obligation;
pub(crate) mod operand;
pub(crate) mod past;
pub(crate) mod plan;
pub(crate) mod regex_automaton;
pub(crate) mod snapshot;
pub(crate) mod table;
pub(crate) mod tree;
pub(crate) mod variables;
pub(crate) mod violations;
pub(crate) mod whole_trace;
