//! What each aggregate is, by definition: the values are listed, sorted where order matters, and put together.
//!
//! ```text
//!   quantile of rank q:   sort x0 ≤ x1 ≤ … ≤ x(n−1),  h = (n − 1) · q,  f = h − ⌊h⌋,  (1 − f) · x⌊h⌋ + f · x⌈h⌉
//! ```

#![deny(clippy::wildcard_enum_match_arm)]

use referee_spec::core::{AggregateFunction, Rank};
use referee_trace::number::Number;
use referee_trace::value::Value;

/// What a function makes of values; nothing where there is no such value.
pub(crate) fn combine(function: AggregateFunction, values: &[Value]) -> Option<Value> {
    let count = Number::Int(i64::try_from(values.len()).unwrap_or(i64::MAX));
    let number = match function {
        AggregateFunction::Count => Some(count),
        AggregateFunction::Sum => sum(values),
        AggregateFunction::Average => sum(values)?.div(&count),
        AggregateFunction::Minimum => return ordered(values)?.first().cloned(),
        AggregateFunction::Maximum => return ordered(values)?.last().cloned(),
        AggregateFunction::Median => median(&sorted_numbers(values)?),
        AggregateFunction::Quantile(rank) => quantile(&sorted_numbers(values)?, rank),
        AggregateFunction::Forall => return truths(values).map(|truths| Value::Boolean(!truths.contains(&false))),
        AggregateFunction::Exists => return truths(values).map(|truths| Value::Boolean(truths.contains(&true))),
    };
    number.map(Value::Number)
}

fn sum(values: &[Value]) -> Option<Number> {
    values.iter().try_fold(Number::ZERO, |sum, value| value.as_number().map(|number| sum.add(number)))
}

fn truths(values: &[Value]) -> Option<Vec<bool>> {
    values.iter().map(|value| if let Value::Boolean(truth) = value { Some(*truth) } else { None }).collect()
}

fn sorted_numbers(values: &[Value]) -> Option<Vec<Number>> {
    let mut numbers: Vec<Number> = values.iter().map(|value| value.as_number().cloned()).collect::<Option<_>>()?;
    numbers.sort();
    Some(numbers)
}

/// Numbers by size, or strings by their letters; nothing if there are both, or something else.
fn ordered(values: &[Value]) -> Option<Vec<Value>> {
    if let Some(numbers) = sorted_numbers(values) {
        return Some(numbers.into_iter().map(Value::Number).collect());
    }
    let text = |value: &Value| if let Value::String(text) = value { Some(text.to_string()) } else { None };
    let mut texts = values.iter().map(text).collect::<Option<Vec<String>>>()?;
    texts.sort();
    Some(texts.iter().map(|text| Value::string(text)).collect())
}

fn median(sorted: &[Number]) -> Option<Number> {
    let upper = sorted.get(sorted.len() / 2)?;
    match sorted.len() % 2 {
        1 => Some(upper.clone()),
        _ => sorted.get(sorted.len() / 2 - 1)?.add(upper).div(&Number::Int(2)),
    }
}

fn quantile(sorted: &[Number], rank: Rank) -> Option<Number> {
    let last = Number::Int(i64::try_from(sorted.len().checked_sub(1)?).ok()?);
    let position = last.mul(&rank.number());
    let below = position.trunc();
    let beyond = position.sub(&below);
    let above = if beyond == Number::ZERO { below.clone() } else { below.add(&Number::Int(1)) };
    let at = |index: &Number| index.as_i64().and_then(|index| sorted.get(usize::try_from(index).ok()?));
    Some(Number::Int(1).sub(&beyond).mul(at(&below)?).add(&beyond.mul(at(&above)?)))
}
