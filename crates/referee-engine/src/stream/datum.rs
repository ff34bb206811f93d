//! Values while they are computed: a word and a tag, without allocation for integers, strings and truth values.

use std::cmp::Ordering;

use referee_spec::core::stream::Operator;
use referee_trace::number::Number;
use referee_trace::value::{Type, Value};
use referee_trace::values::{Atom, Values};

use crate::shared::bytes::{Damaged, Reader, Writer};

/// A value, or that there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StreamDatum {
    /// There is none.
    Absent,
    /// A truth value.
    Truth(bool),
    /// A number.
    Number(Number),
    /// A string.
    Text(Atom),
}

impl StreamDatum {
    /// Whether it is `true`.
    #[inline]
    pub(super) fn is_true(&self) -> bool {
        *self == StreamDatum::Truth(true)
    }

    /// The truth value that it is, if it is one.
    #[inline]
    pub(super) fn truth(&self) -> Option<bool> {
        match self {
            StreamDatum::Truth(truth) => Some(*truth),
            _ => None,
        }
    }

    /// The datum of a value of a specification.
    pub(super) fn constant(value: &Value, values: &mut Values) -> StreamDatum {
        let datum = StreamDatum::of(value, values);
        if let StreamDatum::Text(atom) = datum {
            values.pinned(atom);
        }
        datum
    }

    /// The datum of a value.
    fn of(value: &Value, values: &mut Values) -> StreamDatum {
        match value {
            Value::Number(number) => StreamDatum::Number(number.clone()),
            Value::Boolean(truth) => StreamDatum::Truth(*truth),
            Value::String(_) => StreamDatum::Text(values.intern_value(value)),
        }
    }

    /// The datum of an atom that must be of a type; `Absent` if it is not.
    #[inline]
    pub(super) fn typed(atom: Atom, value_type: Type, values: &mut Values) -> StreamDatum {
        match (value_type, atom.as_integer()) {
            (Type::Integer | Type::Decimal, Some(integer)) => StreamDatum::Number(Number::Int(integer)),
            (Type::Boolean, None) if atom == Atom::boolean(true) => StreamDatum::Truth(true),
            (Type::Boolean, None) if atom == Atom::boolean(false) => StreamDatum::Truth(false),
            _ => StreamDatum::typed_slowly(atom, value_type, values),
        }
    }

    #[inline(never)]
    fn typed_slowly(atom: Atom, value_type: Type, values: &mut Values) -> StreamDatum {
        match (value_type, values.value(atom)) {
            (Type::String, Value::String(_)) => StreamDatum::Text(atom),
            (Type::String, _) => {
                let text = values.text(atom).into_owned();
                StreamDatum::Text(values.intern_value(&Value::string(&text)))
            }
            (Type::Integer, Value::Number(number)) if number.is_integer() => StreamDatum::Number(number),
            (Type::Decimal, Value::Number(number)) => StreamDatum::Number(number),
            _ => StreamDatum::Absent,
        }
    }

    /// The atom that stands for it in keys; equal values have equal atoms.
    pub(super) fn key(&self, values: &mut Values) -> Option<Atom> {
        match self {
            StreamDatum::Absent => None,
            StreamDatum::Truth(truth) => Some(Atom::boolean(*truth)),
            StreamDatum::Text(atom) => Some(*atom),
            StreamDatum::Number(Number::Int(integer)) if let Some(atom) = Atom::integer(*integer) => Some(atom),
            StreamDatum::Number(number) => Some(values.intern_value(&Value::Number(number.clone()))),
        }
    }

    /// Writes it.
    pub(super) fn save(&self, values: &Values, out: &mut Writer) {
        if out.is_marking() {
            if let StreamDatum::Text(atom) = self {
                out.mark(*atom);
            }
            return;
        }
        let value = self.value(values);
        out.truth(value.is_some());
        value.iter().for_each(|value| out.value(value));
    }

    /// Reads what [`StreamDatum::save`] wrote.
    pub(super) fn load(values: &mut Values, reader: &mut Reader) -> Result<StreamDatum, Damaged> {
        if reader.truth()? { Ok(StreamDatum::of(&reader.value()?, values)) } else { Ok(StreamDatum::Absent) }
    }

    /// The value, for reports.
    pub(super) fn value(&self, values: &Values) -> Option<Value> {
        match self {
            StreamDatum::Absent => None,
            StreamDatum::Truth(truth) => Some(Value::Boolean(*truth)),
            StreamDatum::Text(atom) => Some(values.value(*atom)),
            StreamDatum::Number(number) => Some(Value::Number(number.clone())),
        }
    }
}

/// Joins two data that are both there; `None` is a division by zero. Operators that look at their right side only where it
/// matters are not joined here.
#[inline]
pub(super) fn join(
    operator: Operator,
    left: &StreamDatum,
    right: &StreamDatum,
    values: &Values,
) -> Option<StreamDatum> {
    let number = |result: Option<Number>| result.map(StreamDatum::Number);
    let order = |wanted: fn(Ordering) -> bool| Some(StreamDatum::Truth(wanted(compare(left, right, values))));
    match operator {
        Operator::Equal | Operator::Iff => return Some(StreamDatum::Truth(left == right)),
        Operator::NotEqual => return Some(StreamDatum::Truth(left != right)),
        Operator::Less => return order(Ordering::is_lt),
        Operator::LessOrEqual => return order(Ordering::is_le),
        Operator::Greater => return order(Ordering::is_gt),
        Operator::GreaterOrEqual => return order(Ordering::is_ge),
        _ => {}
    }
    let (StreamDatum::Number(left), StreamDatum::Number(right)) = (left, right) else {
        return Some(StreamDatum::Absent);
    };
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
fn compare(left: &StreamDatum, right: &StreamDatum, values: &Values) -> Ordering {
    match (left, right) {
        (StreamDatum::Number(left), StreamDatum::Number(right)) => left.cmp(right),
        (StreamDatum::Text(left), StreamDatum::Text(right)) => values.text(*left).cmp(&values.text(*right)),
        (StreamDatum::Truth(left), StreamDatum::Truth(right)) => left.cmp(right),
        _ => Ordering::Equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_datum_is_two_words() {
        assert_eq!(size_of::<StreamDatum>(), 16);
    }
}
