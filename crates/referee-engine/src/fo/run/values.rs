//! Words as values: what a word stands for, and how values compare.

use referee_spec::core::Comparison;
use referee_trace::number::Number;
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use crate::fo::types::orders;

/// The value of a word, as reports have it.
pub(super) fn value(word: u64, values: &Values, by_text: bool) -> Value {
    let atom = Atom::from_word(word);
    match by_text {
        true => Value::string(&values.text(atom)),
        false => values.value(atom),
    }
}

/// Order is between two numbers or two strings; where values are texts, between texts that write numbers.
pub(super) fn values_compare(how: Comparison, left: &Value, right: &Value, by_text: bool) -> bool {
    let parsed = |value: &Value| match value {
        Value::String(text) if by_text => Number::parse(text),
        Value::Number(number) => Some(number.clone()),
        _ => None,
    };
    match how {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        how => match (parsed(left), parsed(right), left, right) {
            (Some(left), Some(right), ..) => orders(how, left.cmp(&right)),
            (None, None, Value::String(left), Value::String(right)) if !by_text => orders(how, left.cmp(right)),
            _ => false,
        },
    }
}
