//! Abstract events and time points: what a specification speaks of.
//!
//! ```text
//!  RawEvent ─▶ Abstraction (mapping, time, points) ─▶ EventSink
//!                                                      shape, begin_point, event…, end_point
//! ```
//!
//! Arguments arrive as text with the type their mapping declares, if any: some consumers never look at a value, some
//! compare it as text, and those that judge intern it (see [`crate::values`]).

use crate::error::Flow;
use crate::number::Number;
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
    pub name: Box<str>,
    /// The arguments: first the positional ones, then those that can only be read by name.
    pub arguments: Box<[Argument]>,
    /// How many of the arguments are positional.
    pub positional: usize,
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
/// Three methods are all that a sink has to have. The others are ways for the same events that cost less; who does not override
/// them never sees them used, or sees them as those three.
///
/// | the event | is alone at its point | shares its point |
/// |---|---|---|
/// | as texts | [`single_event`](EventSink::single_event): one call for three | [`event`](EventSink::event) |
/// | as words | [`single_integers`](EventSink::single_integers): hundreds at a time | [`integers`](EventSink::integers) |
///
/// *Words* are the values of rows that a decoder read straight from their separators: short integers and texts, with no text
/// cut out and nothing looked up. A decoder reads rows so if `TAKES_INTEGERS` says that the sink can take them, which removes the
/// code for all others when it is compiled, and if [`takes_integers`](EventSink::takes_integers) says so of their shape.
/// As such rows carry only what is read, the sink gets the text of the last one by
/// [`last_of_integers`](EventSink::last_of_integers): a report on the end of a trace shows all of its last event.
pub trait EventSink {
    /// Whether events of some shapes may come as words.
    const TAKES_INTEGERS: bool = false;

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

    /// Which arguments are read of events of a known shape that come by [`EventSink::single_integers`], or by
    /// [`EventSink::integers`] if they may not be alone at their points; nothing if they must come as texts.
    fn takes_integers(&self, _shape: ShapeId, _are_alone: bool) -> Option<Want> {
        None
    }

    /// An event of the current point, of a shape that may come so, with its number.
    fn integers(&mut self, _shape: ShapeId, _number: u64, _values: &[Atom]) -> Flow {
        Ok(())
    }

    /// Time points with one event each, from `point` on, whose events are numbered from `number` on and are of shapes that
    /// may come so.
    fn single_integers(&mut self, _point: Point<'_>, _number: u64, rows: &mut IntegerRows) -> Flow {
        rows.clear();
        Ok(())
    }

    /// The last of the events that came by [`EventSink::single_integers`] just now, as it is written, if some of its arguments
    /// are not read.
    fn last_of_integers(&mut self, _event: &Event<'_>) {}

    /// All that the input has shown so far has been passed on, and more may take its time to come: a sink that collects
    /// should not wait for it.
    fn pause(&mut self) -> Flow {
        Ok(())
    }
}
