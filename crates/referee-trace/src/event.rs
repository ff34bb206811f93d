//! Abstract events and time points: what a specification speaks of.
//!
//! ```text
//!  RawEvent ─▶ Abstraction (mapping, time, points) ─▶ EventSink
//!                                                      shape, begin_point, event…, end_point
//! ```
//!
//! Arguments arrive as text with the type their mapping declares, if any: some consumers never look at a value, some
//! compare it as text, and those that judge intern it (see [`crate::values`]).

use std::sync::Arc;

use crate::error::Flow;
use crate::number::Number;
use crate::pool::Pool;
use crate::raw::{IntegerRows, ShapeId, Want};
use crate::value::Type;
use crate::values::Atom;

/// A named argument of an abstract event.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Argument {
    /// Its name: the field's name, or `1`, `2`, … in positional formats.
    pub name: Box<str>,
    /// The type that a mapping or signature declares; without one, each text is typed by itself.
    pub declared: Option<Type>,
}

/// The name and arguments that many abstract events share.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EventShape {
    /// The event's name.
    pub name: Arc<str>,
    /// The arguments: first the positional ones, then those that can only be read by name. Many shapes share one list.
    pub arguments: Arc<[Argument]>,
    /// How many of the arguments are positional.
    pub positional: usize,
}

/// Shapes by their numbers. A log may have as many names as lines, so what is kept of one is small.
#[derive(Debug, Default)]
pub struct EventShapes {
    names: Vec<Arc<str>>,
    /// What each shape has beside its name, by its number in the pool.
    rests: Vec<u32>,
    pool: Pool<(Arc<[Argument]>, usize)>,
}

impl EventShapes {
    /// Adds a shape, which gets the next number.
    pub fn push(&mut self, shape: &EventShape) {
        self.names.push(shape.name.clone());
        self.rests.push(self.pool.number((shape.arguments.clone(), shape.positional)));
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The number of a shape, looked for among all of them.
    pub fn find(&self, shape: &EventShape) -> Option<usize> {
        let is_same = |number: &usize| {
            let (arguments, positional) = self.rest(*number);
            self.names[*number] == shape.name && (positional, arguments) == (&shape.positional, &shape.arguments)
        };
        (0..self.count()).find(is_same)
    }

    /// A shape.
    pub fn get(&self, number: usize) -> EventShape {
        let (arguments, positional) = self.rest(number);
        EventShape { name: self.names[number].clone(), arguments: arguments.clone(), positional: *positional }
    }

    /// The arguments of a shape.
    pub fn arguments(&self, number: usize) -> &[Argument] {
        &self.rest(number).0
    }

    /// The names of all shapes.
    pub fn names(&self) -> impl Iterator<Item = &Arc<str>> + Clone {
        self.names.iter()
    }

    /// All shapes.
    pub fn iter(&self) -> impl Iterator<Item = EventShape> {
        (0..self.count()).map(|number| self.get(number))
    }

    fn rest(&self, number: usize) -> &(Arc<[Argument]>, usize) {
        self.pool.get(self.rests[number])
    }
}

/// One abstract event.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    /// Its shape, announced to the sink before.
    pub shape: ShapeId,
    /// One text per argument of the shape; unspecified for arguments that are not wanted.
    pub arguments: &'a [&'a str],
    /// Its number among all events of the input, from 1.
    pub number: u64,
    /// Where it starts in the current block, for faults.
    pub offset: usize,
}

/// The head of a time point.
#[derive(Debug, Clone, Copy)]
pub struct Point<'a> {
    /// Which trace of the input, from 1; more than one only where a mapping splits the input.
    pub trace: u64,
    /// Its number within its trace, from 1.
    pub number: u64,
    /// Its timestamp, where the trace carries one.
    pub time: Option<&'a Number>,
}

/// Receives the points and events of a trace, in order.
///
/// `begin_point (event)* end_point` repeats. `end_point` comes as soon as the point is known to be over, which in a
/// format without explicit points is right after its event: a live stream is judged event by event.
///
/// Three methods are all that a sink has to have. [`single_event`](EventSink::single_event) is one call for those three, and events
/// that a decoder read as words go to the sink's [`RowSink`], if it has one.
pub trait EventSink {
    /// Who takes events as words: [`NoRows`] if all of them come as texts.
    type Rows: RowSink;

    /// A shape comes for the first time. The answer says which arguments are wanted.
    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Want;

    /// A time point begins.
    fn begin_point(&mut self, point: Point<'_>) -> Flow;

    /// An event of the current point.
    fn event(&mut self, event: Event<'_>) -> Flow;

    /// The current point is complete.
    fn end_point(&mut self) -> Flow;

    /// A time point with one event: the same as the three calls, at once.
    #[inline]
    fn single_event(&mut self, point: Point<'_>, event: Event<'_>) -> Flow {
        self.begin_point(point)?;
        self.event(event)?;
        self.end_point()
    }

    /// Who takes events as words. Where the type says that nobody does, the code that reads words is not compiled.
    #[inline(always)]
    fn rows(&mut self) -> Option<&mut Self::Rows> {
        None
    }

    /// All that the input has shown so far has been passed on, and more may take its time to come: a sink that collects
    /// should not wait for it.
    fn pause(&mut self) -> Flow {
        Ok(())
    }
}

/// Receives events as *words*: the values of rows that a decoder read straight from their separators, short integers and texts, with
/// no text cut out and nothing looked up.
///
/// A decoder reads rows of a shape so if [`wanted`](RowSink::wanted) says which of their arguments are read. Points begin and end by the
/// sink's [`EventSink`].
pub trait RowSink {
    /// Which arguments are read of events of a known shape, which are alone at their points or may share them; nothing if they must
    /// come as texts.
    fn wanted(&self, shape: ShapeId, are_alone: bool) -> Option<Want>;

    /// An event of the current point, with its number.
    fn row(&mut self, shape: ShapeId, number: u64, values: &[Atom]) -> Flow;

    /// Time points with one event each, from `point` on, whose events are numbered from `number` on. Nothing is left of them in `rows`.
    fn single_rows(&mut self, point: Point<'_>, number: u64, rows: &mut IntegerRows) -> Flow;

    /// The text of the newest row, if some of its arguments are not read: a report on the end of a trace shows all of its last
    /// event.
    fn newest(&mut self, event: &Event<'_>);
}

/// Takes no words, for there is no such sink.
#[derive(Debug)]
pub enum NoRows {}

impl RowSink for NoRows {
    fn wanted(&self, _shape: ShapeId, _are_alone: bool) -> Option<Want> {
        match *self {}
    }

    fn row(&mut self, _shape: ShapeId, _number: u64, _values: &[Atom]) -> Flow {
        match *self {}
    }

    fn single_rows(&mut self, _point: Point<'_>, _number: u64, _rows: &mut IntegerRows) -> Flow {
        match *self {}
    }

    fn newest(&mut self, _event: &Event<'_>) {
        match *self {}
    }
}
