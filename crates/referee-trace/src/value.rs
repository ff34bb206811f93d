//! Values: what an event's argument can be, and how a text becomes one.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use crate::number::Number;

/// The type of a value, or of an argument that a signature or mapping declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// `-?(0|[1-9][0-9]*)`, of any size.
    Integer,
    /// The same with a fraction or an exponent.
    Decimal,
    /// Any text.
    String,
    /// `true` or `false`.
    Boolean,
}

impl Type {
    /// The type that a text has by itself, quoted or not.
    pub fn of(text: &str) -> Type {
        match text.as_bytes() {
            b"true" | b"false" => Type::Boolean,
            [b'-' | b'0'..=b'9', ..] => match Number::parse(text) {
                Some(_) if text.contains(['.', 'e', 'E']) => Type::Decimal,
                Some(_) => Type::Integer,
                None => Type::String,
            },
            _ => Type::String,
        }
    }

    /// The name used in declarations: `int`, `float`, `string`, `bool`.
    pub fn keyword(self) -> &'static str {
        match self {
            Type::Integer => "int",
            Type::Decimal => "float",
            Type::String => "string",
            Type::Boolean => "bool",
        }
    }

    /// The type with this name, with the usual synonyms.
    pub fn from_keyword(word: &str) -> Option<Type> {
        Some(match word {
            "int" | "integer" => Type::Integer,
            "float" | "decimal" | "real" | "number" => Type::Decimal,
            "string" | "text" => Type::String,
            "bool" | "boolean" => Type::Boolean,
            _ => return None,
        })
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.keyword())
    }
}

/// A value of a trace or a specification.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// An integer or a decimal; `3` and `3.0` are the same number.
    Number(Number),
    /// A string, never equal to a number.
    String(Arc<str>),
    /// A truth value.
    Boolean(bool),
}

impl Value {
    /// The value that a text stands for, typed by itself.
    pub fn of(text: &str) -> Value {
        match text.as_bytes() {
            b"true" => Value::Boolean(true),
            b"false" => Value::Boolean(false),
            [b'-' | b'0'..=b'9', ..] => match Number::parse(text) {
                Some(number) => Value::Number(number),
                None => Value::string(text),
            },
            _ => Value::string(text),
        }
    }

    /// The value of a text whose type is declared; nothing if the text is not of that type.
    pub fn of_type(text: &str, declared: Option<Type>) -> Option<Value> {
        let value = match declared {
            Some(Type::String) => return Some(Value::string(text)),
            _ => Value::of(text),
        };
        let fits = match (declared, &value) {
            (None, _) => true,
            (Some(Type::Integer), Value::Number(number)) => number.is_integer(),
            (Some(Type::Decimal), Value::Number(_)) => true,
            (Some(Type::Boolean), Value::Boolean(_)) => true,
            _ => false,
        };
        fits.then_some(value)
    }

    /// A string.
    pub fn string(text: &str) -> Value {
        Value::String(text.into())
    }

    /// How reports order values: numbers and texts that write one by size, then all other texts by code point.
    pub fn report_order(&self, other: &Value) -> Ordering {
        let number = |value: &Value| match value {
            Value::Number(number) => Some(number.clone()),
            Value::String(text) => Number::parse(text),
            Value::Boolean(_) => None,
        };
        match (number(self), number(other)) {
            (None, None) if let (Value::String(one), Value::String(two)) = (self, other) => one.cmp(two),
            (Some(one), Some(two)) => one.cmp(&two).then_with(|| self.cmp(other)),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => self.to_string().cmp(&other.to_string()).then_with(|| self.cmp(other)),
        }
    }

    /// Writes the value behind a text, as [`Display`](fmt::Display) does.
    pub fn push_to(&self, out: &mut String) {
        match self {
            Value::Number(number) => number.push_to(out),
            Value::String(text) => out.push_str(text),
            Value::Boolean(truth) => out.push_str(if *truth { "true" } else { "false" }),
        }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }
}

impl From<i64> for Value {
    fn from(integer: i64) -> Self {
        Value::Number(Number::Int(integer))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::String(text) => f.write_str(text),
            Value::Boolean(truth) => truth.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_typed_one_by_one() {
        for (text, expected) in [
            ("7", Type::Integer),
            ("-0", Type::Integer),
            ("007", Type::String),
            ("3.0", Type::Decimal),
            ("1e3", Type::Decimal),
            ("true", Type::Boolean),
            ("True", Type::String),
            ("", Type::String),
            ("-", Type::String),
            ("12 ", Type::String),
        ] {
            assert_eq!(Type::of(text), expected, "{text}");
        }
    }

    #[test]
    fn equal_numbers_are_equal_values() {
        assert_eq!(Value::of("3"), Value::of("3.0"));
        assert_ne!(Value::of("3"), Value::string("3"));
        assert_ne!(Value::of("7"), Value::of("007"));
    }

    #[test]
    fn a_declared_type_wins() {
        assert_eq!(Value::of_type("7", Some(Type::String)), Some(Value::string("7")));
        assert_eq!(Value::of_type("7.5", Some(Type::Integer)), None);
        assert_eq!(Value::of_type("7.0", Some(Type::Integer)), Some(Value::from(7)));
        assert_eq!(Value::of_type("x", None), Some(Value::string("x")));
    }
}
