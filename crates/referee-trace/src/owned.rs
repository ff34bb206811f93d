//! Traces held in memory: for tests, demonstrations and the naive oracle.

use std::collections::HashMap;
use std::sync::Arc;

use crate::error::{Fault, Flow, TraceError};
use crate::event::{Argument, Event, EventShape, EventSink, NoRows, Point};
use crate::number::{Number, is_too_large};
use crate::raw::{ShapeId, Want};
use crate::reader::{ReadOptions, read_stream};
use crate::value::{Type, Value};

/// A whole trace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnedTrace {
    /// Its points, in order.
    pub points: Vec<OwnedPoint>,
}

impl OwnedTrace {
    /// Sends all points to a sink, as the first trace of an input.
    pub fn send<E: EventSink>(&self, sink: &mut E) -> Flow {
        let mut known: HashMap<EventShape, ShapeId> = HashMap::new();
        let mut events = 0;
        for (number, point) in (1..).zip(&self.points) {
            sink.begin_point(Point { trace: 1, number, time: point.time.as_ref() })?;
            for event in &point.events {
                events += 1;
                let next = ShapeId(u32::try_from(known.len()).unwrap_or(u32::MAX));
                let shape = *known.entry(event.shape()).or_insert_with_key(|shape| {
                    sink.shape(next, shape);
                    next
                });
                let texts: Vec<&str> = event.arguments.iter().map(|argument| &*argument.text).collect();
                sink.event(Event { shape, arguments: &texts, number: events, offset: 0 })?;
            }
            sink.end_point()?;
        }
        Ok(())
    }
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
    /// An event of a shape; its arguments are empty texts.
    pub fn of_shape(shape: &EventShape) -> OwnedEvent {
        let argument = |argument: &Argument| OwnedArgument {
            name: (*argument.name).into(),
            text: "".into(),
            declared: argument.declared,
        };
        OwnedEvent {
            name: (*shape.name).into(),
            arguments: shape.arguments.iter().map(argument).collect(),
            positional: shape.positional,
        }
    }

    /// Its name and arguments without their values.
    pub fn shape(&self) -> EventShape {
        let argument =
            |argument: &OwnedArgument| Argument { name: (*argument.name).into(), declared: argument.declared };
        EventShape {
            name: (*self.name).into(),
            arguments: self.arguments.iter().map(argument).collect(),
            positional: self.positional,
        }
    }

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

/// Reads a text into memory; `name` stands for it in errors. Traces that a mapping splits become several.
pub fn read_text(name: &str, text: &str, options: &ReadOptions) -> Result<Vec<OwnedTrace>, TraceError> {
    let mut collect = Collect::default();
    read_stream(name, std::io::Cursor::new(text.to_owned()), options, &mut collect)?;
    Ok(collect.into_traces())
}

/// Keeps everything it receives.
#[derive(Debug, Default)]
pub struct Collect {
    shapes: Vec<SharedShape>,
    traces: Vec<OwnedTrace>,
}

/// What the events of a shape have in common.
#[derive(Debug)]
struct SharedShape {
    name: Arc<str>,
    arguments: Vec<(Arc<str>, Option<Type>)>,
    positional: usize,
}

impl Collect {
    /// The traces received, at least one.
    pub fn into_traces(mut self) -> Vec<OwnedTrace> {
        if self.traces.is_empty() {
            self.traces.push(OwnedTrace::default());
        }
        self.traces
    }

    fn point(&mut self) -> Option<&mut OwnedPoint> {
        self.traces.last_mut()?.points.last_mut()
    }
}

impl EventSink for Collect {
    type Rows = NoRows;

    fn shape(&mut self, _id: ShapeId, shape: &EventShape) -> Want {
        let argument = |argument: &Argument| (Arc::from(&*argument.name), argument.declared);
        self.shapes.push(SharedShape {
            name: Arc::from(&*shape.name),
            arguments: shape.arguments.iter().map(argument).collect(),
            positional: shape.positional,
        });
        Want::ALL
    }

    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        let trace = usize::try_from(point.trace).unwrap_or(usize::MAX);
        while self.traces.len() < trace.max(1) {
            self.traces.push(OwnedTrace::default());
        }
        if let Some(trace) = self.traces.last_mut() {
            trace.points.push(OwnedPoint { time: point.time.cloned(), events: Vec::new() });
        }
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let shape = &self.shapes[event.shape.index()];
        let mut untyped = shape.arguments.iter().zip(event.arguments).filter(|((_, declared), _)| declared.is_none());
        if let Some((_, text)) = untyped.find(|(_, text)| is_too_large(text)) {
            return Err(Fault::too_large(text, event.offset).into());
        }
        let arguments = shape.arguments.iter().zip(event.arguments).map(|((name, declared), text)| OwnedArgument {
            name: name.clone(),
            text: (*text).into(),
            declared: *declared,
        });
        let event =
            OwnedEvent { name: shape.name.clone(), arguments: arguments.collect(), positional: shape.positional };
        if let Some(point) = self.point() {
            point.events.push(event);
        }
        Ok(())
    }

    fn end_point(&mut self) -> Flow {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_traces() {
        let traces = read_text("t", "a(1,x).b", &ReadOptions::default()).expect("readable");
        let events = [OwnedEvent::positional("a", &["1", "x"]), OwnedEvent::positional("b", &[])];
        let points = events.map(|event| OwnedPoint { time: None, events: vec![event] }).to_vec();
        assert_eq!(traces, [OwnedTrace { points }]);
        assert_eq!(read_text("t", "", &ReadOptions::default()).expect("readable"), [OwnedTrace::default()]);
    }

    #[test]
    fn what_is_sent_is_what_is_kept() {
        let [trace] =
            &read_text("t", "@3 a (1,x)(2,y); @4; @5 b (true) a (2);", &ReadOptions::default()).expect("readable")[..]
        else {
            panic!("one trace")
        };
        let mut collect = Collect::default();
        trace.send(&mut collect).expect("everything is kept");
        assert_eq!(collect.into_traces(), std::slice::from_ref(trace));
    }

    #[test]
    fn points_keep_their_times_and_events() {
        let [trace] = &read_text("t", "@3 a (1)(2); @5;", &ReadOptions::default()).expect("readable")[..] else {
            panic!("one trace")
        };
        let shape: Vec<(Option<Number>, usize)> =
            trace.points.iter().map(|point| (point.time.clone(), point.events.len())).collect();
        assert_eq!(shape, [(Some(Number::Int(3)), 2), (Some(Number::Int(5)), 0)]);
    }
}
