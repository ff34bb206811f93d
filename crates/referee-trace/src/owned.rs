//! Traces held in memory: for tests, demonstrations and the naive oracle.

use std::sync::Arc;

use crate::number::Number;
use crate::value::{Type, Value};

/// A whole trace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnedTrace {
    /// Its points, in order.
    pub points: Vec<OwnedPoint>,
}

/// A time point.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnedPoint {
    /// Its time, where the trace carries one.
    pub time: Option<Number>,
    /// Its events.
    pub events: Vec<OwnedEvent>,
}

/// An event.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OwnedEvent {
    /// Its name.
    pub name: Arc<str>,
    /// Its arguments: first the positional ones, then those that can only be read by name.
    pub arguments: Vec<OwnedArgument>,
    /// How many of the arguments are positional.
    pub positional: usize,
}

/// An argument.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OwnedArgument {
    /// Its name.
    pub name: Arc<str>,
    /// Its text.
    pub text: Arc<str>,
    /// The type that a mapping or signature declares.
    pub declared: Option<Type>,
}

impl OwnedArgument {
    /// Its value: typed by its text unless a type is declared.
    pub fn value(&self) -> Value {
        Value::of_type(&self.text, self.declared).unwrap_or_else(|| Value::string(&self.text))
    }
}

impl OwnedEvent {
    /// An event with positional arguments called `1`, `2`, ….
    pub fn positional(name: &str, texts: &[&str]) -> OwnedEvent {
        let argument = |(index, text): (usize, &&str)| OwnedArgument {
            name: (index + 1).to_string().into(),
            text: (*text).into(),
            declared: None,
        };
        OwnedEvent {
            name: name.into(),
            arguments: texts.iter().enumerate().map(argument).collect(),
            positional: texts.len(),
        }
    }
}
