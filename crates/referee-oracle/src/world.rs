//! A trace as a property sees it: points with times and events, and which values were named or seen when.
//!
//! Values become dense numbers in the order in which they count for reports: the constants of the specification by their
//! place in its text (by the start of the atom they stand in; then definitions before the body, outer formulas before
//! inner ones, left before right), then what the trace shows, point by point: its number and its time (where the property
//! mentions them), then its events in order, their arguments in order. Only positions count that the property reads: those
//! whose values are *named* (see [`referee_spec::core::Violation::bindings`]) and those of its sorts. Values that only a
//! computation yields come after all of these; they are known but not named.

use std::collections::HashMap;
use std::sync::Arc;

use referee_spec::core::{Equality, Formula, Kind, Position, Property, SortId, Term};
use referee_trace::number::Number;
use referee_trace::owned::{OwnedArgument, OwnedEvent, OwnedPoint, OwnedTrace};
use referee_trace::value::Value;

/// The number of a value.
pub(crate) type ValueId = usize;

/// The trace, prepared for one property.
pub(crate) struct World {
    /// How many points the trace has.
    pub length: usize,
    /// Its points; one without events for the empty trace, as the definition wants.
    points: Vec<Point>,
    values: Vec<Value>,
    index: HashMap<Value, ValueId>,
    equality: Equality,
    /// Per value, the first point at which it is named, if it is: 0 for constants.
    named: Vec<Option<usize>>,
    /// Per sort, its values with the first point that shows them.
    seen: Vec<HashMap<ValueId, usize>>,
}

/// A point of the trace.
pub(crate) struct Point {
    /// Its time; 0 without one.
    pub time: Number,
    /// Its events.
    pub events: Vec<Event>,
}

/// An event of the trace.
pub(crate) struct Event {
    /// Its name.
    pub name: Arc<str>,
    /// How many of its arguments are positional: the first ones.
    pub positional: usize,
    /// The names and values of its arguments.
    pub arguments: Vec<(Arc<str>, ValueId)>,
}

impl Event {
    /// The value of a field.
    pub(crate) fn field(&self, name: &str) -> Option<ValueId> {
        self.arguments.iter().find(|(field, _)| **field == *name).map(|&(_, value)| value)
    }
}

impl World {
    /// The trace as `property` sees it.
    pub(crate) fn new(property: &Property, trace: &OwnedTrace) -> World {
        let mut world = World {
            length: trace.points.len(),
            points: Vec::new(),
            values: Vec::new(),
            index: HashMap::new(),
            equality: property.equality,
            named: Vec::new(),
            seen: vec![HashMap::new(); property.sorts.len()],
        };
        let unit = [OwnedPoint::default()];
        let points = if trace.points.is_empty() { &unit[..] } else { &trace.points };
        let vocabulary = Vocabulary::of(property);
        for constant in &vocabulary.constants {
            world.name(constant.clone(), 0);
        }
        for (point, number) in points.iter().zip(1..) {
            world.read(property, &vocabulary, point, number);
        }
        world.points = points.iter().map(|point| world.prepare(point)).collect();
        world
    }

    fn name(&mut self, value: Value, point: usize) {
        let id = self.intern(value);
        self.named[id].get_or_insert(point);
    }

    /// Notes the values that a point names and those that it shows at the positions of sorts.
    fn read(&mut self, property: &Property, vocabulary: &Vocabulary, point: &OwnedPoint, number: usize) {
        if vocabulary.point_number {
            self.name(Value::from(number as i64 - 1), number);
        }
        if vocabulary.point_time {
            self.name(Value::Number(time(point)), number);
        }
        for event in &point.events {
            for (index, argument) in event.arguments.iter().enumerate() {
                if vocabulary.names(event, index) {
                    self.name(self.meaning(argument), number);
                }
                for (sort, definition) in property.sorts.iter().enumerate() {
                    if definition.positions.iter().any(|position| is_at(position, event, index)) {
                        self.name(self.meaning(argument), number);
                        let id = self.intern(self.meaning(argument));
                        self.seen[sort].entry(id).or_insert(number);
                    }
                }
            }
        }
    }

    fn prepare(&mut self, point: &OwnedPoint) -> Point {
        Point { time: time(point), events: point.events.iter().map(|event| self.prepare_event(event)).collect() }
    }

    fn prepare_event(&mut self, event: &OwnedEvent) -> Event {
        let mut arguments = Vec::new();
        for argument in &event.arguments {
            arguments.push((argument.name.clone(), self.intern(self.meaning(argument))));
        }
        Event { name: event.name.clone(), positional: event.positional, arguments }
    }

    fn meaning(&self, argument: &OwnedArgument) -> Value {
        match self.equality {
            Equality::ByText => Value::string(&argument.text),
            Equality::ByValue => argument.value(),
        }
    }

    /// The number of a value; by text, every value is the string that writes it.
    pub(crate) fn intern(&mut self, value: Value) -> ValueId {
        let value = match (self.equality, value) {
            (Equality::ByText, Value::Number(number)) => Value::string(&number.to_string()),
            (Equality::ByText, Value::Boolean(truth)) => Value::string(&truth.to_string()),
            (_, value) => value,
        };
        if let Some(&id) = self.index.get(&value) {
            return id;
        }
        self.values.push(value.clone());
        self.named.push(None);
        self.index.insert(value, self.values.len() - 1);
        self.values.len() - 1
    }

    /// A value by its number.
    pub(crate) fn value(&self, id: ValueId) -> &Value {
        &self.values[id]
    }

    /// The number that a value is, or by text the number that it writes.
    pub(crate) fn number(&self, id: ValueId) -> Option<Number> {
        match (self.equality, self.value(id)) {
            (Equality::ByText, Value::String(text)) => Number::parse(text),
            (_, value) => value.as_number().cloned(),
        }
    }

    /// A point by its number, from 1.
    pub(crate) fn point(&self, number: usize) -> &Point {
        &self.points[number - 1]
    }

    /// Whether a value is named up to a point.
    pub(crate) fn is_named(&self, id: ValueId, point: usize) -> bool {
        self.named[id].is_some_and(|first| first <= point)
    }

    /// Whether a value is seen at the positions of a sort up to a point.
    pub(crate) fn is_seen(&self, sort: SortId, id: ValueId, point: usize) -> bool {
        self.seen[sort.0 as usize].get(&id).is_some_and(|&first| first <= point)
    }

    /// All values, in their order.
    pub(crate) fn ids(&self) -> std::ops::Range<ValueId> {
        0..self.values.len()
    }
}

fn time(point: &OwnedPoint) -> Number {
    point.time.clone().unwrap_or(Number::ZERO)
}

/// Whether the argument at `index` of an event stands at a position.
fn is_at(position: &Position, event: &OwnedEvent, index: usize) -> bool {
    match position {
        Position::Argument { event: name, arity, index: wanted } => {
            event.name == *name && event.positional == *arity && index == *wanted
        }
        Position::Field { event: name, field } => {
            name.as_ref().is_none_or(|name| event.name == *name) && event.arguments[index].name == *field
        }
    }
}

/// What the text of a property mentions.
#[derive(Default)]
struct Vocabulary {
    constants: Vec<Value>,
    events: Vec<(Arc<str>, usize)>,
    fields: Vec<Arc<str>>,
    point_number: bool,
    point_time: bool,
}

impl Vocabulary {
    fn of(property: &Property) -> Vocabulary {
        let mut atoms: Vec<&Formula> = Vec::new();
        let bodies = property.definitions.iter().map(|definition| &definition.body);
        for formula in bodies.chain([&property.body]) {
            formula.visit(&mut |formula| atoms.push(formula));
        }
        atoms.sort_by_key(|atom| atom.span.start);
        let mut vocabulary = Vocabulary::default();
        for atom in atoms {
            vocabulary.add(&atom.kind);
        }
        vocabulary
    }

    fn add(&mut self, kind: &Kind) {
        match kind {
            Kind::Event(atom) => {
                self.events.extend(atom.arguments.iter().map(|arguments| (atom.name.clone(), arguments.len())));
            }
            Kind::Observe(observation) => {
                self.fields.extend(observation.required.iter().map(|(field, _)| field.clone()));
                self.fields.extend(observation.present.iter().cloned());
            }
            _ => {}
        }
        for term in kind.terms() {
            self.add_term(term);
        }
    }

    fn add_term(&mut self, term: &Term) {
        match term {
            Term::Constant(value) => self.constants.push(value.clone()),
            Term::Field(field) => self.fields.push(field.clone()),
            Term::PointNumber => self.point_number = true,
            Term::PointTime => self.point_time = true,
            Term::Binary(_, left, right) => {
                self.add_term(left);
                self.add_term(right);
            }
            Term::Negate(body) | Term::Apply(_, body) => self.add_term(body),
            Term::Variable(_) | Term::Any => {}
        }
    }

    /// Whether the argument at `index` of an event is named by happening.
    fn names(&self, event: &OwnedEvent, index: usize) -> bool {
        let positional = index < event.positional
            && self.events.iter().any(|(name, arity)| *name == event.name && *arity == event.positional);
        positional || self.fields.contains(&event.arguments[index].name)
    }
}
