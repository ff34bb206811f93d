//! Arithmetic on values and conversions between them, as all languages share them.

use std::sync::Arc;

use referee_spec::core::{Arithmetic, Function, Problem};
use referee_trace::number::Number;
use referee_trace::value::{Type, Value};

/// The result of an operation on two numbers, whatever they are.
pub(crate) fn compute(op: Arithmetic, left: &Number, right: &Number) -> Result<Number, Problem> {
    let divided = |quotient: Option<Number>| quotient.ok_or(Problem::DivisionByZero);
    Ok(match op {
        Arithmetic::Add => left.add(right),
        Arithmetic::Subtract => left.sub(right),
        Arithmetic::Multiply => left.mul(right),
        Arithmetic::Divide => divided(left.div(right))?,
        Arithmetic::DivideTruncating => divided(left.div_trunc(right))?,
        Arithmetic::Modulo => divided(left.rem_trunc(right))?,
    })
}

/// The result of an operation of a formula, where division cuts off between integers only and is exact otherwise.
pub(crate) fn calculate(op: Arithmetic, left: &Number, right: &Number) -> Result<Value, Problem> {
    let op = match op {
        Arithmetic::DivideTruncating if !(left.is_integer() && right.is_integer()) => Arithmetic::Divide,
        other => other,
    };
    compute(op, left, right).map(Value::Number)
}

/// The result of a conversion; nothing where the value does not fit.
pub(crate) fn convert(function: Function, value: &Value) -> Option<Value> {
    match (function, value) {
        (Function::ToInteger, Value::Number(number)) => Some(Value::Number(number.trunc())),
        (Function::ToDecimal, Value::Number(_)) => Some(value.clone()),
        (Function::ToText, Value::Number(number)) => Some(Value::String(Arc::from(number.to_string()))),
        (Function::ParseInteger, Value::String(text)) => (Type::of(text) == Type::Integer).then(|| Value::of(text)),
        (Function::ParseDecimal, Value::String(text)) => Number::parse(text).map(Value::Number),
        _ => None,
    }
}
