//! Aggregations over tables.
//!
//! ```text
//!   body, over groups and own variables          result, over groups and r
//!   u ┬ ann ─▶ a ┬ 3 ─▶ i ┬ 0 ─▶ true             u ┬ ann ─▶ r ┬ 7 ─▶ true
//!     │          └ 4 ─▶ i ┬ 2 ─▶ true      SUM      │          └ anything else ─▶ false
//!     └ anything else ─▶ false             ──▶      └ anything else ─▶ false
//! ```
//!
//! Levels of outer variables, wherever they stand in the body, are kept; below them the paths to *true* are the assignments.
//! Where the body is open, or depends on an outer variable that is not known yet, the aggregation waits as a
//! [`Gathering`]. Where "anything else" satisfies it, there is no end of assignments.
//!
//! Cost: all assignments of all groups that the body lists, at every point. It is the general path; policies of the usual
//! shape are judged by deltas instead.

use referee_spec::core::{AggregateFunction, Span};
use referee_trace::number::Number;
use referee_trace::value::Value;

use crate::fo::interpret::variables::Var;
use crate::shared::window::median;

/// What an aggregation does, whatever it is applied to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aggregate {
    /// How values are put together.
    pub function: AggregateFunction,
    /// Whether there are groups, so that an empty one has no number.
    pub grouped: bool,
    /// The variables that it binds.
    pub own: Vec<Var>,
    /// Where it stands.
    pub span: Span,
}

pub(crate) fn counted(count: usize) -> Value {
    Value::Number(Number::Int(i64::try_from(count).unwrap_or(i64::MAX)))
}

/// What a function makes of no values at all.
pub(crate) fn of_nothing(function: AggregateFunction, grouped: bool) -> Option<Value> {
    let zero = matches!(function, AggregateFunction::Count | AggregateFunction::Sum);
    (zero && !grouped).then(|| counted(0))
}

/// What a function makes of values, at least one; nothing if they are of the wrong kind.
pub(crate) fn put_together(function: AggregateFunction, values: &[Value]) -> Option<Value> {
    let texts: Option<Vec<&str>> = values.iter().map(as_text).collect();
    match (function, texts) {
        (AggregateFunction::Minimum, Some(texts)) => return texts.into_iter().min().map(Value::string),
        (AggregateFunction::Maximum, Some(texts)) => return texts.into_iter().max().map(Value::string),
        _ => {}
    }
    if function == AggregateFunction::Count {
        return Some(counted(values.len()));
    }
    let mut numbers: Vec<Number> = values.iter().map(|value| value.as_number().cloned()).collect::<Option<_>>()?;
    let sum = |numbers: &[Number]| numbers.iter().fold(Number::ZERO, |sum, number| sum.add(number));
    let result = match function {
        AggregateFunction::Count | AggregateFunction::Sum => Some(sum(&numbers)),
        AggregateFunction::Average => sum(&numbers).div(&Number::Int(i64::try_from(numbers.len()).ok()?)),
        AggregateFunction::Minimum => numbers.into_iter().min(),
        AggregateFunction::Maximum => numbers.into_iter().max(),
        AggregateFunction::Median => {
            numbers.sort();
            median(&numbers)
        }
    };
    result.map(Value::Number)
}

fn as_text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}
