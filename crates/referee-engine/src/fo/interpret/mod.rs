//! The interpreter: it evaluates any formula over tables with a default, point by point.

pub mod aggregate;
pub mod algebra;
pub mod codec;
pub mod comparing;
pub mod evaluate;
pub mod event_kind;
pub mod forget;
pub mod forgettable;
pub mod interpreted_judge;
pub mod join_conditions;
pub mod monitor;
pub mod obligation;
pub mod operand;
pub mod past;
pub mod plan;
pub mod regex_automaton;
pub mod snapshot;
pub mod table;
pub mod tree;
pub mod variables;
pub mod violations;
pub mod whole_trace;
