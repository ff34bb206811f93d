//! Points in batches: what those who judge consume.
//!
//! ```text
//!  EventSink ─▶ Batcher ─▶ Points { points  1     2     5            number, and where its events end
//!                 │                 events  a     b  a  a            shape, and where its arguments end
//!                 │                 atoms   7  x  7  8  x  y  9  z }
//!                 └ events that nobody wants are counted and dropped before any value is looked at
//! ```
//!
//! Integers become atoms as they come. All other texts wait until the batch is full and are then looked up together, so
//! that the waits for memory overlap; judges do the same with their own tables. A point never lies in two batches, and a
//! batch never in two traces.
//!
//! What a judge wants of a shape is an [`Interest`]: which arguments, of which rows, and whether points without any such
//! event can be left out. Points that are left out keep their numbers: the next one's is greater by more than one.

mod batcher;
mod draft;
mod handling;
mod last;
mod remote;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::error::Flow;
use crate::event::EventShape;
use crate::number::Number;
use crate::raw::{ShapeId, Want};
use crate::values::{Atom, Values};

pub use batcher::{Amount, Batcher, Filler};
pub use last::Last;
pub use remote::{Done, Remote, read_apart};

/// What a judge wants of the events of one shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interest {
    /// The arguments it reads.
    pub want: Want,
    /// Which of them it reads of an event that is the only one of its point.
    pub alone: Want,
    /// Whether it must hear of a point that has only such events.
    pub steps: bool,
    /// If not empty, it reads only events that have, for one of these patterns, all these texts at these arguments.
    pub patterns: Vec<Vec<(usize, Arc<str>)>>,
}

impl Interest {
    /// Every event, with all its arguments.
    pub fn all() -> Interest {
        Interest { want: Want::ALL, alone: Want::ALL, steps: true, patterns: Vec::new() }
    }

    /// No such event, and no point that has only such events.
    pub fn none() -> Interest {
        Interest { want: Want::NONE, alone: Want::NONE, steps: false, patterns: vec![] }
    }

    /// The arguments that are read of an event that is the only one of its point.
    fn read_alone(&self) -> Want {
        self.want.and(self.alone)
    }

    /// Whether such events are never read.
    fn is_none(&self) -> bool {
        self.want.is_none() && !self.steps
    }

    /// What either of two wants.
    #[must_use]
    pub fn or(self, other: Interest) -> Interest {
        let (want, alone) = (self.want.or(other.want), self.read_alone().or(other.read_alone()));
        let patterns = match (self.is_none(), other.is_none()) {
            (true, _) => other.patterns,
            (_, true) => self.patterns,
            _ if self.patterns.is_empty() || other.patterns.is_empty() => Vec::new(),
            _ => [self.patterns, other.patterns].concat(),
        };
        Interest { want, alone, steps: self.steps || other.steps, patterns }
    }
}

/// Receives batches of points.
pub trait PointSink {
    /// A shape comes for the first time; shapes are numbered in this order.
    fn shape(&mut self, id: ShapeId, shape: &EventShape, values: &mut Values) -> Interest;

    /// Whether points without events are handed over; asked once per trace.
    fn wants_empty_points(&self) -> bool {
        true
    }

    /// Whether the last point of a trace may be shown even if nobody reads its events; asked once per trace.
    fn shows_last_point(&self) -> bool {
        false
    }

    /// A trace is over, and this was its last point.
    fn last_point(&mut self, _last: &Last, _values: &Values) {}

    /// A new trace begins: all points up to now belong to earlier ones, the newest of which ended with point `last`.
    fn begin_trace(&mut self, trace: u64, last: u64, values: &mut Values) -> Flow;

    /// The next points, in order.
    fn points(&mut self, points: &Points, values: &mut Values) -> Flow;
}

impl<S: PointSink> PointSink for &mut S {
    fn shape(&mut self, id: ShapeId, shape: &EventShape, values: &mut Values) -> Interest {
        (**self).shape(id, shape, values)
    }

    fn wants_empty_points(&self) -> bool {
        (**self).wants_empty_points()
    }

    fn shows_last_point(&self) -> bool {
        (**self).shows_last_point()
    }

    fn last_point(&mut self, last: &Last, values: &Values) {
        (**self).last_point(last, values);
    }

    fn begin_trace(&mut self, trace: u64, last: u64, values: &mut Values) -> Flow {
        (**self).begin_trace(trace, last, values)
    }

    fn points(&mut self, points: &Points, values: &mut Values) -> Flow {
        (**self).points(points, values)
    }
}

/// Some hundred events and their points.
///
/// The arrays are overwritten, never shrunk: what they hold behind the last point, event or atom means nothing.
#[derive(Debug, Clone)]
pub struct Points {
    trace: u64,
    point_count: usize,
    event_count: usize,
    atom_count: usize,
    points: Vec<PointRow>,
    events: Vec<EventRow>,
    atoms: Vec<Atom>,
    /// The times of the points; empty if no point of the batch has one.
    times: Vec<Option<Number>>,
    /// The shapes of events that were dropped, with the number of points before them.
    dropped: Vec<(u32, ShapeId)>,
}

#[derive(Debug, Clone, Copy, Default)]
struct PointRow {
    number: u64,
    /// Where its events end.
    end: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct EventRow {
    number: u64,
    shape: ShapeId,
    /// Where its arguments end.
    end: u32,
}

/// The events of points that have exactly one each.
#[derive(Debug, Clone, Copy)]
pub struct LoneEvents<'p> {
    points: &'p [PointRow],
    events: &'p [EventRow],
    atoms: &'p [Atom],
}

impl<'p> LoneEvents<'p> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The number of a point, and the shape and the arguments of its event.
    #[inline(always)]
    pub fn get(&self, at: usize) -> Option<(u64, ShapeId, &'p [Atom])> {
        let (point, event) = (self.points.get(at)?, self.events.get(at)?);
        let start = at.checked_sub(1).map_or(0, |before| self.events[before].end);
        Some((point.number, event.shape, &self.atoms[start as usize..event.end as usize]))
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
        self.point_count
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.point_count == 0
    }

    /// A point by its place in the batch.
    #[inline]
    pub fn point(&self, index: usize) -> PointView<'_> {
        let start = self.event_end(index);
        self.view(index, start, self.atom_end(start))
    }

    #[inline(always)]
    fn view(&self, index: usize, start: usize, atoms: usize) -> PointView<'_> {
        let PointRow { number, end } = self.points[..self.point_count][index];
        let time = self.times.get(index).and_then(Option::as_ref);
        PointView { number, time, batch: self, start, end: end as usize, atoms }
    }

    /// All points, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = PointView<'_>> {
        let (mut start, mut atoms) = (0, 0);
        (0..self.point_count).map(move |index| {
            let point = self.view(index, start, atoms);
            (start, atoms) = (point.end, self.atom_end(point.end));
            point
        })
    }

    /// All events, if every point has exactly one.
    #[inline]
    pub fn lone_events(&self) -> Option<LoneEvents<'_>> {
        let points = &self.points[..self.point_count];
        // All are looked at, without a branch for each.
        let odd = points.iter().zip(1u32..).fold(0, |odd, (point, number)| odd | (point.end ^ number));
        let (events, atoms) = (&self.events[..self.event_count], self.atoms());
        (odd == 0).then_some(LoneEvents { points, events, atoms })
    }

    /// The numbers of all points, in order.
    #[inline]
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.points[..self.point_count].iter().map(|point| point.number)
    }

    /// The times of all points, in order; empty if no point has one.
    pub fn times(&self) -> &[Option<Number>] {
        debug_assert!(self.times.is_empty() || self.times.len() == self.point_count);
        &self.times
    }

    /// The arguments of all events, one after the other.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms[..self.atom_count]
    }

    /// The last point.
    pub fn last(&self) -> Option<PointView<'_>> {
        self.len().checked_sub(1).map(|index| self.point(index))
    }

    /// The point with this number, if the batch holds it.
    pub fn find(&self, number: u64) -> Option<PointView<'_>> {
        let found = self.points[..self.point_count].binary_search_by_key(&number, |point| point.number);
        found.ok().map(|index| self.point(index))
    }

    /// The shapes of all events, wanted or not, that came after the point with this number, up to the end of the batch.
    pub fn shapes_after(&self, number: u64) -> impl Iterator<Item = ShapeId> {
        let points = self.points[..self.point_count].partition_point(|point| point.number <= number);
        let first = self.event_end(points);
        let events = self.events[first..self.event_count].iter().map(|event| event.shape);
        let dropped = self.dropped.iter().filter(move |(before, _)| *before as usize >= points);
        events.chain(dropped.map(|(_, shape)| *shape))
    }

    /// Where the events of the first so many points end.
    #[inline]
    fn event_end(&self, points: usize) -> usize {
        points.checked_sub(1).map_or(0, |before| self.points[before].end as usize)
    }

    /// Where the arguments of the first so many events end.
    #[inline]
    fn atom_end(&self, events: usize) -> usize {
        events.checked_sub(1).map_or(0, |before| self.events[before].end as usize)
    }
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
    /// Where its arguments begin.
    atoms: usize,
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
        let EventRow { shape, end, .. } = self.batch.events[..self.end][event];
        (shape, &self.batch.atoms[self.batch.atom_end(event)..end as usize])
    }

    /// The number of one of its events among all events of the input, from 1.
    #[inline]
    pub fn event_number(&self, index: usize) -> u64 {
        self.batch.events[..self.end][self.start + index].number
    }

    /// The arguments of all its events, one after the other.
    #[inline]
    pub fn atoms(&self) -> &'b [Atom] {
        &self.batch.atoms[self.atoms..self.batch.atom_end(self.end)]
    }

    /// The shape of every event, and where its arguments end among those of [all](PointView::atoms).
    #[inline]
    pub fn ends(&self) -> impl Iterator<Item = (ShapeId, u32)> {
        let before = self.atoms as u32;
        self.batch.events[self.start..self.end].iter().map(move |event| (event.shape, event.end - before))
    }

    /// Shape and arguments of all its events.
    #[inline]
    pub fn events(&self) -> impl Iterator<Item = (ShapeId, &'b [Atom])> {
        let batch = self.batch;
        let mut start = self.atoms;
        batch.events[self.start..self.end].iter().map(move |event| {
            let end = event.end as usize;
            (event.shape, &batch.atoms[std::mem::replace(&mut start, end)..end])
        })
    }
}
