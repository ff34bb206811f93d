//! Points in batches: what those who judge consume.
//!
//! ```text
//!  EventSink ─▶ Batcher ─▶ Points { numbers   1     2     5            one per point
//!                 │                 ends      1     3     4            where its events end
//!                 │                 shapes    a     b  a  a            one per event
//!                 │                 arguments 7  x  7  8  x  y  9  z }
//!                 └ events that nobody wants are counted and dropped before any value is looked at
//! ```
//!
//! Integers become atoms as they come. Strings wait until the batch is full and are then looked up together, so that the
//! waits for memory overlap; the closure does the same with its own tables. A point never lies in two batches, and a batch
//! never in two traces.
//!
//! What a judge wants of a shape is an [`Interest`]: which arguments, of which rows, and whether points without any such
//! event can be left out. Points that are left out keep their numbers: the next one's is greater by more than one.

use std::sync::Arc;

use crate::error::Flow;
use crate::event::{Event, EventShape, EventSink, Point};
use crate::number::{Number, parse_short};
use crate::raw::{ShapeId, Want};
use crate::value::Type;
use crate::values::{Atom, Pending, Typed, Values};

/// How many events make a batch.
const EVENTS: usize = 512;
/// How many bytes of strings may wait before a batch is handed over early.
const WAITING: usize = 1 << 20;

/// What a judge wants of the events of one shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interest {
    /// The arguments it reads.
    pub want: Want,
    /// Whether it must hear of a point that has only such events.
    pub steps: bool,
    /// If not empty, it reads only events that have, for one of these patterns, all these texts at these arguments.
    pub patterns: Vec<Vec<(usize, Arc<str>)>>,
}

impl Interest {
    /// Every event, with all its arguments.
    pub fn all() -> Interest {
        Interest { want: Want::ALL, steps: true, patterns: Vec::new() }
    }

    /// No such event, and no point that has only such events.
    pub fn none() -> Interest {
        Interest { want: Want::NONE, steps: false, patterns: vec![] }
    }

    /// Whether such events are ever read.
    fn is_none(&self) -> bool {
        self.want.is_none() && !self.steps
    }

    /// What either of two wants.
    #[must_use]
    pub fn or(self, other: Interest) -> Interest {
        let patterns = match (self.is_none(), other.is_none()) {
            (true, _) => other.patterns,
            (_, true) => self.patterns,
            _ if self.patterns.is_empty() || other.patterns.is_empty() => Vec::new(),
            _ => [self.patterns, other.patterns].concat(),
        };
        Interest { want: self.want.or(other.want), steps: self.steps || other.steps, patterns }
    }
}

/// Some hundred events and their points, one array per property.
#[derive(Debug, Clone, Default)]
pub struct Points {
    trace: u64,
    numbers: Vec<u64>,
    times: Vec<Option<Number>>,
    ends: Vec<u32>,
    shapes: Vec<ShapeId>,
    event_numbers: Vec<u64>,
    argument_ends: Vec<u32>,
    atoms: Vec<Atom>,
}

/// One time point of a batch.
#[derive(Debug, Clone, Copy)]
pub struct PointView<'b> {
    /// Its number within its trace, from 1.
    pub number: u64,
    /// Its timestamp, where the trace carries one.
    pub time: Option<&'b Number>,
    batch: &'b Points,
    start: usize,
    end: usize,
}

impl<'b> PointView<'b> {
    /// How many events it has, of those that somebody wants.
    #[inline]
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether it has none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Shape and arguments of one of its events.
    #[inline]
    pub fn event(&self, index: usize) -> (ShapeId, &'b [Atom]) {
        let event = self.start + index;
        (self.batch.shapes[event], self.batch.arguments(event))
    }

    /// The number of one of its events among all events of the input, from 1.
    pub fn event_number(&self, index: usize) -> u64 {
        self.batch.event_numbers[self.start + index]
    }

    /// Shape and arguments of all its events.
    #[inline]
    pub fn events(&self) -> impl Iterator<Item = (ShapeId, &'b [Atom])> {
        let batch = self.batch;
        (self.start..self.end).map(move |event| (batch.shapes[event], batch.arguments(event)))
    }
}

impl Points {
    /// Which trace of the input the points belong to, from 1.
    pub fn trace(&self) -> u64 {
        self.trace
    }

    /// How many points there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// A point by its place in the batch.
    #[inline]
    pub fn point(&self, index: usize) -> PointView<'_> {
        PointView {
            number: self.numbers[index],
            time: self.times[index].as_ref(),
            batch: self,
            start: index.checked_sub(1).map_or(0, |before| self.ends[before] as usize),
            end: self.ends[index] as usize,
        }
    }

    /// All points, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = PointView<'_>> {
        (0..self.len()).map(|index| self.point(index))
    }

    /// The point with this number, if the batch holds it.
    pub fn find(&self, number: u64) -> Option<PointView<'_>> {
        self.numbers.binary_search(&number).ok().map(|index| self.point(index))
    }

    #[inline]
    fn arguments(&self, event: usize) -> &[Atom] {
        let start = event.checked_sub(1).map_or(0, |before| self.argument_ends[before] as usize);
        &self.atoms[start..self.argument_ends[event] as usize]
    }

    fn clear(&mut self) {
        self.numbers.clear();
        self.times.clear();
        self.ends.clear();
        self.shapes.clear();
        self.event_numbers.clear();
        self.argument_ends.clear();
        self.atoms.clear();
    }
}

/// What becomes of the events of one shape.
#[derive(Debug)]
struct Handling {
    /// Whether they are dropped unseen.
    skip: bool,
    /// Whether their points are kept even if all their events are dropped.
    steps: bool,
    want: Want,
    patterns: Vec<Vec<(usize, Arc<str>)>>,
    /// The declared types, if there are any.
    declared: Option<Box<[Option<Type>]>>,
}

impl Handling {
    fn new(interest: Interest, shape: &EventShape) -> Handling {
        let typed = shape.arguments.iter().any(|argument| argument.declared.is_some());
        let declared = typed.then(|| shape.arguments.iter().map(|argument| argument.declared).collect());
        Handling {
            skip: interest.is_none(),
            steps: interest.steps,
            want: interest.want,
            patterns: interest.patterns,
            declared,
        }
    }

    /// Whether an event contradicts all patterns.
    #[inline]
    fn rejects(&self, texts: &[&str]) -> bool {
        !self.patterns.is_empty()
            && !self.patterns.iter().any(|pattern| pattern.iter().all(|(place, text)| texts[*place] == &**text))
    }
}

/// Receives batches of points.
pub trait PointSink {
    /// A shape comes for the first time; shapes are numbered in this order.
    fn shape(&mut self, id: ShapeId, shape: &EventShape, values: &mut Values) -> Interest;

    /// A new trace begins: all points up to now belong to earlier ones.
    fn begin_trace(&mut self, trace: u64, values: &mut Values) -> Flow;

    /// The next points, in order.
    fn points(&mut self, points: &Points, values: &mut Values) -> Flow;
}

/// Turns events into batches of points.
#[derive(Debug)]
pub struct Batcher<S> {
    sink: S,
    values: Values,
    handlings: Vec<Handling>,
    counts: Vec<u64>,
    batch: Points,
    pending: Pending,
    is_heavy: bool,
    /// Whether the open point must be handed over even if it stays without events.
    keep: bool,
    points: u64,
    last: (u64, u64),
    /// Number and time of the open point.
    open: Option<(u64, Option<Number>)>,
}

impl<S: PointSink> Batcher<S> {
    /// A batcher in front of `sink`.
    pub fn new(sink: S) -> Batcher<S> {
        Batcher {
            sink,
            values: Values::new(),
            handlings: Vec::new(),
            counts: Vec::new(),
            batch: Points { trace: 1, ..Points::default() },
            pending: Pending::default(),
            is_heavy: false,
            keep: false,
            points: 0,
            last: (1, 0),
            open: None,
        }
    }

    /// Hands over what has come so far.
    pub fn flush(&mut self) -> Flow {
        if self.batch.is_empty() {
            return Ok(());
        }
        let atoms = &mut self.batch.atoms;
        self.values.resolve(&mut self.pending, |place, atom| atoms[place] = atom);
        self.is_heavy = false;
        let flow = self.sink.points(&self.batch, &mut self.values);
        self.batch.clear();
        flow
    }

    /// How many events of each shape there were, wanted or not.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How many points there were.
    pub fn point_count(&self) -> u64 {
        self.points
    }

    /// The number of the last trace, and of its last point.
    pub fn last_point(&self) -> (u64, u64) {
        self.last
    }

    /// The sink and the values.
    pub fn parts(&mut self) -> (&mut S, &mut Values) {
        (&mut self.sink, &mut self.values)
    }

    /// The sink and the values, when all is over.
    pub fn into_parts(self) -> (S, Values) {
        (self.sink, self.values)
    }

    /// Appends an event whose arguments are all short integers; takes back what it began if one is not.
    #[inline(always)]
    fn push_integers(&mut self, event: &Event<'_>) -> bool {
        let start = self.batch.atoms.len();
        for text in event.arguments {
            match parse_short(text.as_bytes()) {
                Some(integer) => self.batch.atoms.push(Atom::small(integer)),
                None => {
                    self.batch.atoms.truncate(start);
                    return false;
                }
            }
        }
        true
    }

    /// Appends the arguments of any event; those that nobody wants are `false`.
    #[inline(never)]
    fn push_any(&mut self, event: &Event<'_>) {
        let handling = &self.handlings[event.shape.index()];
        for (place, text) in event.arguments.iter().enumerate() {
            let atoms = &mut self.batch.atoms;
            if !handling.want.has(place) {
                atoms.push(Atom::boolean(false));
                continue;
            }
            let declared = handling.declared.as_ref().and_then(|declared| declared[place]);
            let typed = match declared {
                Some(Type::String) => Typed::String,
                _ => self.values.typed(text),
            };
            match typed {
                Typed::Atom(atom) => atoms.push(atom),
                Typed::String => {
                    atoms.push(Atom::boolean(false));
                    self.pending.push(text, atoms.len() - 1);
                    self.is_heavy |= self.pending.size() >= WAITING;
                }
            }
        }
    }
}

impl<S: PointSink> EventSink for Batcher<S> {
    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Want {
        let interest = self.sink.shape(id, shape, &mut self.values);
        let mut want = interest.want;
        for (place, _) in interest.patterns.iter().flatten() {
            want = want.or(Want::fields([*place]));
        }
        self.handlings.push(Handling::new(interest, shape));
        self.counts.push(0);
        want
    }

    #[inline]
    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        self.last = (point.trace, point.number);
        self.points += 1;
        self.keep = false;
        if point.trace != self.batch.trace {
            self.flush()?;
            self.batch.trace = point.trace;
            self.sink.begin_trace(point.trace, &mut self.values)?;
        }
        self.open = Some((point.number, point.time.cloned()));
        Ok(())
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        self.counts[event.shape.index()] += 1;
        let handling = &self.handlings[event.shape.index()];
        if handling.skip {
            return Ok(());
        }
        self.keep |= handling.steps;
        if handling.rejects(event.arguments) {
            return Ok(());
        }
        if handling.declared.is_some() || handling.want != Want::ALL || !self.push_integers(&event) {
            self.push_any(&event);
        }
        self.batch.shapes.push(event.shape);
        self.batch.event_numbers.push(event.number);
        self.batch.argument_ends.push(self.batch.atoms.len() as u32);
        Ok(())
    }

    #[inline]
    fn end_point(&mut self) -> Flow {
        let Some((number, time)) = self.open.take() else { return Ok(()) };
        let events = self.batch.shapes.len() as u32;
        if !self.keep && self.batch.ends.last().copied().unwrap_or(0) == events {
            return Ok(());
        }
        self.batch.numbers.push(number);
        self.batch.times.push(time);
        self.batch.ends.push(events);
        if self.batch.numbers.len() < EVENTS && (events as usize) < EVENTS && !self.is_heavy {
            return Ok(());
        }
        self.flush()
    }

    fn pause(&mut self) -> Flow {
        // The events of an open point wait for the rest of it.
        if self.open.is_none() { self.flush() } else { Ok(()) }
    }
}
