//! What holds between two events.

use std::collections::BTreeMap;

use referee_trace::value::Value;

/// A relation's number and values.
pub(super) type Fact = (usize, Vec<Value>);
/// All facts that hold, each with the point that inserted it; nothing for those that hold at first.
pub(super) type Facts = BTreeMap<Fact, Option<u64>>;
