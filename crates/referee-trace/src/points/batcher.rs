//! From events to batches of points.

use super::draft::Draft;
use super::handling::{Handling, Way};
use super::{Interest, PointSink};
use crate::error::Flow;
use crate::event::{Event, EventShape, EventSink, Point};
use crate::number::Number;
use crate::raw::{ShapeId, Want};
use crate::values::Values;

/// How many points or events make a batch.
pub(super) const SIZE: usize = 512;

/// Turns events into batches of points.
#[derive(Debug)]
pub struct Batcher<S> {
    sink: S,
    values: Values,
    handlings: Vec<Handling>,
    draft: Draft,
    keeps_empty: bool,
    /// How many points the traces before had.
    points_before: u64,
    open: Open,
    /// The number of the last point of the trace.
    last: u64,
}

/// The point that is being read.
#[derive(Debug, Default)]
struct Open {
    is_open: bool,
    time: Option<Number>,
    /// Whether somebody must hear of it even if all its events are dropped.
    steps: bool,
    /// Whether an event was dropped.
    dropped: bool,
    /// How many events of the batch are older.
    events_before: usize,
}

impl<S: PointSink> Batcher<S> {
    /// A batcher in front of `sink`.
    pub fn new(sink: S) -> Batcher<S> {
        Batcher {
            keeps_empty: sink.wants_empty_points(),
            sink,
            values: Values::new(),
            handlings: Vec::new(),
            draft: Draft::new(1, SIZE),
            points_before: 0,
            open: Open::default(),
            last: 0,
        }
    }

    /// The input is over, or nobody wants to read on: hands over the last points. One that is not complete is forgotten.
    pub fn finish(&mut self) -> Flow {
        self.flush()
    }

    #[inline(never)]
    fn flush(&mut self) -> Flow {
        if self.draft.points.is_empty() {
            return Ok(());
        }
        self.draft.resolve(&mut self.values);
        let flow = self.sink.points(&self.draft.points, &mut self.values);
        self.draft.clear(self.draft.points.trace());
        flow
    }

    /// How many events of each shape there were, wanted or not.
    pub fn counts(&self) -> Vec<u64> {
        self.handlings.iter().map(|handling| handling.count).collect()
    }

    /// How many points there were.
    pub fn point_count(&self) -> u64 {
        self.points_before + self.last
    }

    /// The number of the last point of the last trace; 0 if there was none.
    pub fn last_point(&self) -> u64 {
        self.last
    }

    /// The sink and the values.
    pub fn parts(&mut self) -> (&mut S, &mut Values) {
        (&mut self.sink, &mut self.values)
    }

    /// Takes an event that is not simply a row of short integers.
    #[inline(never)]
    fn any_event(&mut self, event: &Event<'_>) {
        let handling = &self.handlings[event.shape.index()];
        if handling.rejects(event.arguments) {
            self.open.dropped = true;
            self.draft.drop(event.shape);
        } else {
            self.draft.push(event, handling);
        }
    }

    /// Takes a point with one event that is not simply a row of short integers.
    #[inline(never)]
    fn any_lone_event(&mut self, point: Point<'_>, event: &Event<'_>) -> Flow {
        if point.trace != self.draft.points.trace {
            self.begin_trace(point.trace)?;
        }
        self.last = point.number;
        let handling = &mut self.handlings[event.shape.index()];
        handling.count += 1;
        let is_part = handling.way == Way::Part;
        if is_part && self.draft.push_lone_integers(&point, event, |place| handling.wants(place)) {
            return if self.draft.is_full() { self.flush() } else { Ok(()) };
        }
        if handling.way == Way::Drop || handling.rejects(event.arguments) {
            self.draft.drop(event.shape);
            if !handling.steps {
                return if self.draft.is_heavy() { self.flush() } else { Ok(()) };
            }
        } else {
            self.draft.push(event, handling);
        }
        self.draft.end_point(point.number, &mut point.time.cloned());
        if self.draft.is_full() { self.flush() } else { Ok(()) }
    }

    #[inline(never)]
    fn begin_trace(&mut self, trace: u64) -> Flow {
        self.flush()?;
        self.draft.clear(trace);
        self.sink.begin_trace(trace, self.last, &mut self.values)?;
        self.points_before += std::mem::take(&mut self.last);
        self.keeps_empty = self.sink.wants_empty_points();
        Ok(())
    }
}

impl<S: PointSink> EventSink for Batcher<S> {
    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Want {
        let interest = self.sink.shape(id, shape, &mut self.values);
        let want = read_fields(&interest);
        self.handlings.push(Handling::new(interest, shape));
        want
    }

    #[inline(always)]
    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        if point.trace != self.draft.points.trace() {
            self.begin_trace(point.trace)?;
        }
        self.last = point.number;
        if let Some(time) = point.time {
            self.open.time = Some(time.clone());
        }
        (self.open.is_open, self.open.steps, self.open.dropped) = (true, false, false);
        self.open.events_before = self.draft.event_count();
        Ok(())
    }

    #[inline(always)]
    fn event(&mut self, event: Event<'_>) -> Flow {
        let handling = &mut self.handlings[event.shape.index()];
        handling.count += 1;
        self.open.steps |= handling.steps;
        match handling.way {
            Way::Drop => {
                self.open.dropped = true;
                self.draft.drop(event.shape);
            }
            Way::Whole if self.draft.push_integers(&event, |_| true) => {}
            Way::Part if self.draft.push_integers(&event, |place| handling.wants(place)) => {}
            Way::Whole | Way::Part | Way::Choosy => self.any_event(&event),
        }
        Ok(())
    }

    #[inline(always)]
    fn lone_event(&mut self, point: Point<'_>, event: Event<'_>) -> Flow {
        let handling = &mut self.handlings[event.shape.index()];
        if handling.way == Way::Whole && self.draft.push_lone_integers(&point, &event, |_| true) {
            handling.count += 1;
            self.last = point.number;
            return if self.draft.is_full() { self.flush() } else { Ok(()) };
        }
        if handling.way == Way::Drop && point.trace == self.draft.points.trace && self.draft.points.is_empty() {
            handling.count += 1;
            self.last = point.number;
            return Ok(());
        }
        self.any_lone_event(point, &event)
    }

    #[inline(always)]
    fn end_point(&mut self) -> Flow {
        self.open.is_open = false;
        let is_bare = self.draft.event_count() == self.open.events_before;
        if is_bare && !self.open.steps && (self.open.dropped || !self.keeps_empty) {
            self.open.time = None;
            return if self.draft.is_heavy() { self.flush() } else { Ok(()) };
        }
        self.draft.end_point(self.last, &mut self.open.time);
        if self.draft.is_full() { self.flush() } else { Ok(()) }
    }

    fn pause(&mut self) -> Flow {
        // The events of an open point wait for the rest of it.
        if self.open.is_open { Ok(()) } else { self.flush() }
    }
}

/// The arguments that are read to tell whether an event is wanted, or because it is.
pub(super) fn read_fields(interest: &Interest) -> Want {
    let places = interest.patterns.iter().flatten().map(|(place, _)| *place);
    interest.want.or(Want::fields(places))
}
