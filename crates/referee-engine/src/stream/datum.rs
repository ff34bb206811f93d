//! Values while they are computed: a word and a tag, without allocation for integers, strings and truth values.

use std::cmp::Ordering;

use referee_spec::core::stream::Operator;
use referee_trace::number::Number;
use referee_trace::value::{Type, Value};
use referee_trace::values::{Atom, Values};

/// A value, or that there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Datum {
    /// There is none.
    Absent,
    /// A truth value.
    Truth(bool),
    /// A number.
    Number(Number),
    /// A string.
    Text(Atom),
}

impl Datum {
    /// Whether it is `true`.
    #[inline]
    pub fn is_true(&self) -> bool {
        *self == Datum::Truth(true)
    }

    /// The truth value that it is, if it is one.
    #[inline]
    pub fn truth(&self) -> Option<bool> {
        match self {
            Datum::Truth(truth) => Some(*truth),
            _ => None,
        }
    }

    /// The datum of a value of a specification.
    pub fn of(value: &Value, values: &mut Values) -> Datum {
        match value {
            Value::Number(number) => Datum::Number(number.clone()),
            Value::Boolean(truth) => Datum::Truth(*truth),
            Value::String(_) => Datum::Text(values.intern_value(value)),
        }
    }

    /// The datum of an atom that must be of a type; `Absent` if it is not.
    #[inline]
    pub fn typed(atom: Atom, value_type: Type, values: &mut Values) -> Datum {
        match (value_type, atom.as_integer()) {
            (Type::Integer | Type::Decimal, Some(integer)) => Datum::Number(Number::Int(integer)),
            (Type::Boolean, None) if atom == Atom::boolean(true) => Datum::Truth(true),
            (Type::Boolean, None) if atom == Atom::boolean(false) => Datum::Truth(false),
            _ => Datum::typed_slowly(atom, value_type, values),
        }
    }

    #[inline(never)]
    fn typed_slowly(atom: Atom, value_type: Type, values: &mut Values) -> Datum {
        match (value_type, values.value(atom)) {
            (Type::String, Value::String(_)) => Datum::Text(atom),
            (Type::String, _) => {
                let text = values.text(atom).into_owned();
                Datum::Text(values.intern_value(&Value::string(&text)))
            }
            (Type::Integer, Value::Number(number)) if number.is_integer() => Datum::Number(number),
            (Type::Decimal, Value::Number(number)) => Datum::Number(number),
            _ => Datum::Absent,
        }
    }

    /// The atom that stands for it in keys; equal values have equal atoms.
    pub fn key(&self, values: &mut Values) -> Option<Atom> {
        match self {
            Datum::Absent => None,
            Datum::Truth(truth) => Some(Atom::boolean(*truth)),
            Datum::Text(atom) => Some(*atom),
            Datum::Number(Number::Int(integer)) if let Some(atom) = Atom::integer(*integer) => Some(atom),
            Datum::Number(number) => Some(values.intern_value(&Value::Number(number.clone()))),
        }
    }

    /// The value, for reports.
    pub fn value(&self, values: &Values) -> Option<Value> {
        match self {
            Datum::Absent => None,
            Datum::Truth(truth) => Some(Value::Boolean(*truth)),
            Datum::Text(atom) => Some(values.value(*atom)),
            Datum::Number(number) => Some(Value::Number(number.clone())),
        }
    }
}

/// Joins two data that are both there; `None` is a division by zero. Operators that look at their right side only where it
/// matters are not joined here.
#[inline]
pub fn join(operator: Operator, left: &Datum, right: &Datum, values: &Values) -> Option<Datum> {
    let number = |result: Option<Number>| result.map(Datum::Number);
    let order = |wanted: fn(Ordering) -> bool| Some(Datum::Truth(wanted(compare(left, right, values))));
    match operator {
        Operator::Equal | Operator::Iff => return Some(Datum::Truth(left == right)),
        Operator::NotEqual => return Some(Datum::Truth(left != right)),
        Operator::Less => return order(Ordering::is_lt),
        Operator::LessOrEqual => return order(Ordering::is_le),
        Operator::Greater => return order(Ordering::is_gt),
        Operator::GreaterOrEqual => return order(Ordering::is_ge),
        _ => {}
    }
    let (Datum::Number(left), Datum::Number(right)) = (left, right) else { return Some(Datum::Absent) };
    match operator {
        Operator::Add => number(Some(left.add(right))),
        Operator::Subtract => number(Some(left.sub(right))),
        Operator::Multiply => number(Some(left.mul(right))),
        Operator::Divide => number(left.div(right)),
        Operator::Remainder => number(left.rem_trunc(right)),
        Operator::Minimum => number(Some(left.min(right).clone())),
        _ => number(Some(left.max(right).clone())),
    }
}

#[inline]
fn compare(left: &Datum, right: &Datum, values: &Values) -> Ordering {
    match (left, right) {
        (Datum::Number(left), Datum::Number(right)) => left.cmp(right),
        (Datum::Text(left), Datum::Text(right)) => values.text(*left).cmp(&values.text(*right)),
        (Datum::Truth(left), Datum::Truth(right)) => left.cmp(right),
        _ => Ordering::Equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_datum_is_two_words() {
        assert_eq!(size_of::<Datum>(), 16);
    }
}
