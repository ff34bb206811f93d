//! Traces held in memory: for tests, demonstrations and the naive oracle.

use std::sync::Arc;

use crate::error::Flow;
use crate::event::{Event, EventShape, EventSink, Point};
use crate::number::Number;
use crate::raw::{ShapeId, Want};
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

/// Receives a trace and keeps all of it.
#[derive(Debug, Default)]
pub struct Collector {
    /// What has come so far.
    pub trace: OwnedTrace,
    shapes: Vec<Kept>,
}

/// The parts of a shape that its events share.
#[derive(Debug)]
struct Kept {
    name: Arc<str>,
    arguments: Vec<(Arc<str>, Option<Type>)>,
    positional: usize,
}

impl EventSink for Collector {
    fn shape(&mut self, _: ShapeId, shape: &EventShape) -> Want {
        self.shapes.push(Kept {
            name: (*shape.name).into(),
            arguments: shape.arguments.iter().map(|argument| ((*argument.name).into(), argument.declared)).collect(),
            positional: shape.positional,
        });
        Want::ALL
    }

    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        self.trace.points.push(OwnedPoint { time: point.time.cloned(), events: Vec::new() });
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let shape = &self.shapes[event.shape.index()];
        let argument = |((name, declared), text): (&(Arc<str>, Option<Type>), &&str)| OwnedArgument {
            name: name.clone(),
            text: (*text).into(),
            declared: *declared,
        };
        let arguments = shape.arguments.iter().zip(event.arguments).map(argument).collect();
        let event = OwnedEvent { name: shape.name.clone(), arguments, positional: shape.positional };
        if let Some(point) = self.trace.points.last_mut() {
            point.events.push(event);
        }
        Ok(())
    }

    fn end_point(&mut self) -> Flow {
        Ok(())
    }
}
