//! What aggregates make of values: of a list, or of values that come and go.
//!
//! ```text
//!   [3, 8, 5] ──────────────────────────────▶ put_together ─▶ 16            the general path, reasons
//!   3 enters, 8 enters, 5 enters, 3 leaves ─▶ KeptOrder, sums ─▶ result     policies by deltas, windows of streams
//! ```
//!
//! This is the only file of the engine that matches aggregates; each `match` names all of them, so a new one does not
//! compile before its answers are here. The oracle says the same by definition.

#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use referee_spec::core::{AggregateFunction, AggregateOperand, OfNothing, Rank};
use referee_trace::number::Number;
use referee_trace::value::Value;

use crate::shared::window::{Extreme, RunningQuantile, quantile};

/// A number of values, as a value.
pub(crate) fn counted(count: usize) -> Value {
    Value::Number(Number::Int(i64::try_from(count).unwrap_or(i64::MAX)))
}

/// What a function makes of no values at all; an empty group has no result.
pub(crate) fn of_nothing(function: AggregateFunction, grouped: bool) -> Option<Value> {
    match function.descriptor().of_nothing {
        _ if grouped => None,
        OfNothing::Absent => None,
        OfNothing::Zero => Some(counted(0)),
        OfNothing::Truth(truth) => Some(Value::Boolean(truth)),
    }
}

/// What a function makes of values, at least one; nothing if they are of the wrong kind.
pub(crate) fn put_together(function: AggregateFunction, values: &[Value]) -> Option<Value> {
    let sum = |numbers: &[Number]| numbers.iter().fold(Number::ZERO, |sum, number| sum.add(number));
    let sorted = || {
        let mut numbers = numbers(values)?;
        numbers.sort();
        Some(numbers)
    };
    let found = match function {
        AggregateFunction::Count => return Some(counted(values.len())),
        AggregateFunction::Minimum => return first_in_order(values, |order| order.is_lt()),
        AggregateFunction::Maximum => return first_in_order(values, |order| order.is_gt()),
        AggregateFunction::Forall => return Some(Value::Boolean(truths(values)?.into_iter().all(|truth| truth))),
        AggregateFunction::Exists => return Some(Value::Boolean(truths(values)?.into_iter().any(|truth| truth))),
        AggregateFunction::Sum => Some(sum(&numbers(values)?)),
        AggregateFunction::Average => sum(&numbers(values)?).div(&Number::Int(i64::try_from(values.len()).ok()?)),
        AggregateFunction::Median => quantile(&sorted()?, Rank::MIDDLE),
        AggregateFunction::Quantile(rank) => quantile(&sorted()?, rank),
    };
    found.map(Value::Number)
}

fn numbers(values: &[Value]) -> Option<Vec<Number>> {
    values.iter().map(|value| value.as_number().cloned()).collect()
}

fn truths(values: &[Value]) -> Option<Vec<bool>> {
    let truth = |value: &Value| match value {
        Value::Boolean(truth) => Some(*truth),
        Value::Number(_) | Value::String(_) => None,
    };
    values.iter().map(truth).collect()
}

/// The first of numbers, or of strings, in an order.
fn first_in_order(values: &[Value], before: impl Fn(std::cmp::Ordering) -> bool) -> Option<Value> {
    let mut values = values.iter();
    let mut first = values.next().filter(|value| !matches!(value, Value::Boolean(_)))?;
    for value in values {
        let order = match (value, first) {
            (Value::Number(value), Value::Number(first)) => value.cmp(first),
            (Value::String(value), Value::String(first)) => value.cmp(first),
            _ => return None,
        };
        if before(order) {
            first = value;
        }
    }
    Some(first.clone())
}

/// In which order values leave again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaving {
    /// As they came.
    OldestFirst,
    /// Anyhow.
    AnyOrder,
}

/// What is kept of the order of values that come and go.
#[derive(Debug, Clone, Default)]
pub(crate) enum KeptOrder {
    /// Nothing: counts and sums tell all.
    #[default]
    None,
    /// The least or the greatest of numbers, and of strings.
    End(Extreme<u64, Number>, Extreme<u64, Arc<str>>),
    /// The numbers around a rank.
    Ranked(RunningQuantile),
}

impl KeptOrder {
    /// What a function needs.
    pub(crate) fn of(function: AggregateFunction, leaving: Leaving) -> KeptOrder {
        let ranked = |rank| KeptOrder::Ranked(RunningQuantile::new(rank));
        match function {
            AggregateFunction::Count
            | AggregateFunction::Sum
            | AggregateFunction::Average
            | AggregateFunction::Forall
            | AggregateFunction::Exists => KeptOrder::None,
            AggregateFunction::Minimum => match leaving {
                Leaving::OldestFirst => KeptOrder::End(Extreme::least(), Extreme::least()),
                Leaving::AnyOrder => ranked(Rank::LEAST),
            },
            AggregateFunction::Maximum => match leaving {
                Leaving::OldestFirst => KeptOrder::End(Extreme::greatest(), Extreme::greatest()),
                Leaving::AnyOrder => ranked(Rank::GREATEST),
            },
            AggregateFunction::Median => ranked(Rank::MIDDLE),
            AggregateFunction::Quantile(rank) => ranked(rank),
        }
    }

    fn value(&self, kind: Option<ValueKind>) -> Option<Value> {
        match (self, kind?) {
            (KeptOrder::End(numbers, _), ValueKind::Numbers) => numbers.value().cloned().map(Value::Number),
            (KeptOrder::End(_, texts), ValueKind::Strings) => texts.value().cloned().map(Value::String),
            (KeptOrder::Ranked(running), ValueKind::Numbers) => running.value().map(Value::Number),
            (KeptOrder::None | KeptOrder::End(..) | KeptOrder::Ranked(_), _) => None,
        }
    }
}

/// What all values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Numbers,
    Strings,
    Truths,
}

impl ValueKind {
    /// What a checked program hands to a function.
    pub(crate) fn wanted_by(function: AggregateFunction) -> ValueKind {
        match function.descriptor().operand {
            AggregateOperand::Ignored | AggregateOperand::Numbers | AggregateOperand::Ordered => ValueKind::Numbers,
            AggregateOperand::Truths => ValueKind::Truths,
        }
    }
}

/// What is kept of values that come and go.
#[derive(Debug)]
pub(crate) struct KeptValues<'k, S> {
    /// How many there are, at least one.
    pub count: u64,
    /// How many of them are true.
    pub trues: u64,
    /// What they are, if they are all alike.
    pub kind: Option<ValueKind>,
    /// Their sum, if they are numbers.
    pub sum: S,
    /// What is kept of their order.
    pub order: &'k KeptOrder,
}

/// What a function makes of values that are kept; nothing if they are of the wrong kind.
pub(crate) fn result(function: AggregateFunction, kept: KeptValues<'_, impl FnOnce() -> Number>) -> Option<Value> {
    let KeptValues { count, trues, kind, sum, order } = kept;
    let counted = || Number::Int(i64::try_from(count).unwrap_or(i64::MAX));
    let is = |wanted| kind == Some(wanted);
    match function {
        AggregateFunction::Count => Some(Value::Number(counted())),
        AggregateFunction::Sum => is(ValueKind::Numbers).then(|| Value::Number(sum())),
        AggregateFunction::Average if is(ValueKind::Numbers) => sum().div(&counted()).map(Value::Number),
        AggregateFunction::Average => None,
        AggregateFunction::Minimum
        | AggregateFunction::Maximum
        | AggregateFunction::Median
        | AggregateFunction::Quantile(_) => order.value(kind),
        AggregateFunction::Forall => is(ValueKind::Truths).then_some(Value::Boolean(trues == count)),
        AggregateFunction::Exists => is(ValueKind::Truths).then_some(Value::Boolean(trues > 0)),
    }
}

/// A result that is an integer whenever the values are: it is compared without any value being built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntegerTotal {
    Count,
    Sum,
}

/// Whether the result of a function is such a total.
pub(crate) fn integer_total(function: AggregateFunction) -> Option<IntegerTotal> {
    match function {
        AggregateFunction::Count => Some(IntegerTotal::Count),
        AggregateFunction::Sum => Some(IntegerTotal::Sum),
        AggregateFunction::Average
        | AggregateFunction::Minimum
        | AggregateFunction::Maximum
        | AggregateFunction::Median
        | AggregateFunction::Quantile(_)
        | AggregateFunction::Forall
        | AggregateFunction::Exists => None,
    }
}

#[cfg(test)]
mod tests {
    use referee_spec::core::AggregateMaker;

    use super::*;
    use crate::shared::window::Sum;

    fn all() -> impl Iterator<Item = AggregateFunction> {
        AggregateFunction::ALL.iter().map(|row| match row.make {
            AggregateMaker::Plain(function) => function,
            AggregateMaker::Ranked(make) => make(Rank::new(19, 20).expect("a rank")),
        })
    }

    /// Values that came and went leave behind what a list of the others says: no aggregate is missing on either way.
    #[test]
    fn kept_values_say_what_a_list_of_them_says() {
        let of = |integers: &[i64]| integers.iter().map(|one| Value::Number(Number::Int(*one))).collect::<Vec<_>>();
        let numbers = of(&[5, -2, 9, 9, 0, 4, 7, -2, 3]);
        let truths = [true, false, true, true].map(Value::Boolean).to_vec();
        for function in all() {
            let kind = ValueKind::wanted_by(function);
            let values = if kind == ValueKind::Truths { &truths } else { &numbers };
            for (leaving, gone) in [(Leaving::OldestFirst, 0), (Leaving::OldestFirst, 3), (Leaving::AnyOrder, 2)] {
                let mut order = KeptOrder::of(function, leaving);
                let (mut sum, mut trues) = (Sum::default(), 0);
                for (stamp, value) in values.iter().enumerate() {
                    if let Value::Number(number) = value {
                        sum.add(number);
                        match &mut order {
                            KeptOrder::None => {}
                            KeptOrder::End(numbers, _) => numbers.enter(stamp as u64, number.clone()),
                            KeptOrder::Ranked(running) => running.enter(number.clone()),
                        }
                    }
                    trues += u64::from(*value == Value::Boolean(true));
                }
                for (stamp, value) in values[..gone].iter().enumerate() {
                    if let Value::Number(number) = value {
                        sum.remove(number);
                        match &mut order {
                            KeptOrder::None => {}
                            KeptOrder::End(numbers, _) => numbers.leave(&(stamp as u64)),
                            KeptOrder::Ranked(running) => running.leave(number),
                        }
                    }
                    trues -= u64::from(*value == Value::Boolean(true));
                }
                let count = (values.len() - gone) as u64;
                let kept = KeptValues { count, trues, kind: Some(kind), sum: || sum.value(), order: &order };
                let expected = put_together(function, &values[gone..]);
                assert!(expected.is_some(), "{function:?}");
                assert_eq!(result(function, kept), expected, "{function:?} {leaving:?}");
            }
        }
    }

    #[test]
    fn values_of_the_wrong_kind_have_no_result() {
        let mixed = [Value::Number(Number::Int(1)), Value::string("a")];
        for function in all() {
            assert_eq!(put_together(function, &mixed).is_some(), function.ignores_values(), "{function:?}");
        }
        let texts = [Value::string("b"), Value::string("a")];
        assert_eq!(put_together(AggregateFunction::Minimum, &texts), Some(Value::string("a")));
        assert_eq!(put_together(AggregateFunction::Maximum, &texts), Some(Value::string("b")));
    }

    #[test]
    fn an_empty_group_has_no_result() {
        for function in all() {
            assert_eq!(of_nothing(function, true), None);
        }
        assert_eq!(of_nothing(AggregateFunction::Sum, false), Some(counted(0)));
        assert_eq!(of_nothing(AggregateFunction::Median, false), None);
    }
}
