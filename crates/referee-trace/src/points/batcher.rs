//! From events to batches of points.
//!
//! ```text
//!   EventSink ─▶ Filler: keeps or drops, fills a draft ─ Outlet ─┬▶ Direct: looks texts up, calls the sink
//!                                                               └▶ Remote: sends the draft to another thread
//! ```

use super::amount::Amount;
use super::draft::BatchDraft;
use super::handling::{Handling, Way};
use super::interest::Interest;
use super::last::Last;
use super::sink::PointSink;
use crate::error::Flow;
use crate::event::{Event, EventShape, EventSink, Point, RowSink};
use crate::number::Number;
use crate::raw::{IntegerRows, ShapeId, Want};
use crate::values::Atom;

/// How many points or events make a batch.
pub(super) const SIZE: usize = 512;

/// Turns events into batches of points and hands them to a sink.
pub type Batcher<S> = Filler<Direct<S>>;

/// Where full batches go.
pub trait Outlet {
    /// A shape comes for the first time.
    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Interest;

    /// Takes a batch, and leaves an empty one.
    fn batch(&mut self, draft: &mut BatchDraft, amount: impl FnOnce() -> Amount) -> Flow;

    /// A trace is over, and another one begins.
    fn begin_trace(&mut self, trace: u64, last: &mut Last, amount: impl FnOnce() -> Amount) -> Flow;

    /// More may take its time to come, after so much.
    fn pause(&mut self, amount: impl FnOnce() -> Amount);

    /// What the current trace's points are wanted for.
    fn demands(&self) -> Demands;
}

/// What a sink wants of points that nobody reads.
#[derive(Debug, Clone, Copy, Default)]
pub struct Demands {
    /// Whether points without events are handed over.
    pub empty_points: bool,
    /// Whether the last point may be shown.
    pub last_point: bool,
}

impl Demands {
    /// What a sink wants now.
    pub(super) fn of(sink: &impl PointSink) -> Demands {
        Demands { empty_points: sink.wants_empty_points(), last_point: sink.shows_last_point() }
    }
}

/// Fills batches with points.
#[derive(Debug)]
pub struct Filler<O> {
    pub(super) outlet: O,
    handlings: Vec<Handling>,
    draft: BatchDraft,
    keeps_empty: bool,
    /// Whether events of some shape may be dropped.
    may_drop: bool,
    /// How many points the traces before had.
    points_before: u64,
    open: Open,
    pub(super) last: Last,
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

/// Hands batches to a sink at once.
#[derive(Debug)]
pub struct Direct<S> {
    sink: S,
}

impl<S: PointSink> Outlet for Direct<S> {
    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Interest {
        self.sink.shape(id, shape)
    }

    fn batch(&mut self, draft: &mut BatchDraft, _: impl FnOnce() -> Amount) -> Flow {
        draft.resolve(self.sink.values());
        let flow = self.sink.points(&draft.points);
        draft.clear(draft.points.trace());
        flow
    }

    fn begin_trace(&mut self, trace: u64, last: &mut Last, _: impl FnOnce() -> Amount) -> Flow {
        self.sink.last_point(last);
        self.sink.begin_trace(trace, last.number)
    }

    fn pause(&mut self, amount: impl FnOnce() -> Amount) {
        self.sink.pause(amount);
    }

    fn demands(&self) -> Demands {
        Demands::of(&self.sink)
    }
}

impl<S: PointSink> Batcher<S> {
    /// A batcher in front of `sink`.
    pub fn new(sink: S) -> Batcher<S> {
        Filler::with(Direct { sink }, SIZE)
    }

    /// The input is over, or nobody wants to read on: hands over the last points. One that is not complete is forgotten.
    pub fn finish(&mut self) -> Flow {
        self.flush()?;
        self.outlet.sink.last_point(&self.last);
        Ok(())
    }

    /// The number of the last point of the last trace; 0 if there was none.
    pub fn last_point(&self) -> u64 {
        self.last.number
    }

    /// The sink.
    pub fn sink(&mut self) -> &mut S {
        &mut self.outlet.sink
    }

    /// The sink, when all is over.
    pub fn into_sink(self) -> S {
        self.outlet.sink
    }
}

impl<O: Outlet> Filler<O> {
    /// Fills batches of this size for an outlet.
    pub(super) fn with(outlet: O, size: usize) -> Filler<O> {
        let demands = outlet.demands();
        let mut last = Last::default();
        last.begin_trace(demands.last_point);
        Filler {
            outlet,
            handlings: Vec::new(),
            draft: BatchDraft::new(1, size),
            keeps_empty: demands.empty_points,
            may_drop: false,
            points_before: 0,
            open: Open::default(),
            last,
        }
    }

    #[inline(never)]
    pub(super) fn flush(&mut self) -> Flow {
        if self.draft.points.is_empty() {
            return Ok(());
        }
        let amount = || amount(&self.handlings, self.points_before, self.last.number);
        self.outlet.batch(&mut self.draft, amount)
    }

    /// How much has been read.
    pub fn amount(&self) -> Amount {
        amount(&self.handlings, self.points_before, self.last.number)
    }

    /// Takes an event of the open point, whatever its arguments are, perhaps after a try to take them as short integers.
    #[inline(never)]
    fn texts(&mut self, event: &Event<'_>, tried: bool) -> Flow {
        let handling = &mut self.handlings[event.shape.index()];
        if tried {
            handling.give_up();
        }
        self.draft.push_texts(event, |place| handling.wants(place))
    }

    /// Takes an event of the open point that may be dropped, or has arguments that are not what they look like.
    #[inline(never)]
    fn any_event(&mut self, event: &Event<'_>) -> Flow {
        let handling = &self.handlings[event.shape.index()];
        if handling.rejects(event.arguments) {
            self.drop_event(event);
            return Ok(());
        }
        self.draft.push(event, handling, |place| handling.wants(place))
    }

    /// Drops an event of the open point.
    fn drop_event(&mut self, event: &Event<'_>) {
        self.open.dropped = true;
        self.draft.drop(event.shape);
        if self.last.keeps_dropped {
            self.last.keep(event, self.open.time.as_ref());
        }
    }

    /// Takes a point with one event that is not plain, or not of a kind of which all are taken.
    #[inline(never)]
    fn any_single_event(&mut self, point: Point<'_>, event: &Event<'_>) -> Flow {
        if point.trace != self.draft.points.trace {
            self.begin_trace(point.trace)?;
        }
        self.last.number = point.number;
        let handling = &mut self.handlings[event.shape.index()];
        handling.count += 1;
        if self.last.keeps_dropped && handling.way != Way::Drop && !handling.is_complete_alone {
            // What is not read of it may be shown.
            self.last.keep(event, point.time);
        }
        if handling.way == Way::Drop || handling.rejects(event.arguments) {
            self.draft.drop(event.shape);
            if self.last.keeps_dropped && (handling.way == Way::Drop || handling.is_complete_alone) {
                self.last.keep(event, point.time);
            }
            if !handling.steps {
                return if self.draft.is_heavy() { self.flush() } else { Ok(()) };
            }
        } else {
            self.draft.push(event, handling, |place| handling.wants_alone(place))?;
        }
        self.draft.end_point(point.number, &mut point.time.cloned());
        if self.draft.is_full() { self.flush() } else { Ok(()) }
    }

    /// Takes a plain point with one event, whatever its arguments are.
    #[inline(never)]
    fn single_texts(&mut self, point: Point<'_>, event: &Event<'_>) -> Flow {
        let handling = &mut self.handlings[event.shape.index()];
        handling.count += 1;
        self.last.number = point.number;
        if self.last.keeps_dropped && !handling.is_complete_alone {
            // What is not read of it may be shown.
            self.last.keep(event, None);
        }
        self.draft.push_single_texts(point.number, event, |place| handling.wants_alone(place))?;
        if self.draft.is_full() { self.flush() } else { Ok(()) }
    }

    #[inline(never)]
    fn begin_trace(&mut self, trace: u64) -> Flow {
        self.flush()?;
        self.draft.clear(trace);
        let last = self.last.number;
        let amount = || amount(&self.handlings, self.points_before, last);
        self.outlet.begin_trace(trace, &mut self.last, amount)?;
        self.points_before += last;
        let demands = self.outlet.demands();
        self.last.begin_trace(demands.last_point);
        self.keeps_empty = demands.empty_points;
        Ok(())
    }
}

impl<O: Outlet> EventSink for Filler<O> {
    type Rows = Self;

    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Want {
        let interest = self.outlet.shape(id, shape);
        let want = if self.last.keeps_dropped { Want::ALL } else { read_fields(&interest) };
        let handling = Handling::new(interest, shape);
        self.may_drop |= handling.may_drop;
        self.handlings.push(handling);
        want
    }

    #[inline(always)]
    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        if point.trace != self.draft.points.trace() {
            self.begin_trace(point.trace)?;
        }
        self.last.number = point.number;
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
        let tries = handling.tries();
        match handling.way {
            Way::Drop => self.drop_event(&event),
            Way::Choosy => return self.any_event(&event),
            Way::Whole if tries && self.draft.push_integers(&event, |_| true) => {}
            Way::Part if tries && self.draft.push_integers(&event, |place| handling.wants(place)) => {}
            Way::Whole | Way::Part => return self.texts(&event, tries),
        }
        Ok(())
    }

    #[inline(always)]
    fn single_event(&mut self, point: Point<'_>, event: Event<'_>) -> Flow {
        let handling = &mut self.handlings[event.shape.index()];
        if handling.is_single_whole && handling.tries() {
            if self.draft.push_single_integers(&point, &event, |_| true) {
                handling.count += 1;
                self.last.number = point.number;
                return if self.draft.is_full() { self.flush() } else { Ok(()) };
            }
            handling.give_up();
        }
        if handling.is_single_simple && self.draft.is_plain(&point) {
            return self.single_texts(point, &event);
        }
        let is_idle = self.draft.points.is_empty() && !self.last.keeps_dropped;
        if handling.way == Way::Drop && is_idle && point.trace == self.draft.points.trace {
            handling.count += 1;
            self.last.number = point.number;
            return Ok(());
        }
        self.any_single_event(point, &event)
    }

    #[inline(always)]
    fn end_point(&mut self) -> Flow {
        self.open.is_open = false;
        let is_bare = self.draft.event_count() == self.open.events_before;
        if is_bare && !self.open.steps && (self.open.dropped || !self.keeps_empty) {
            self.open.time = None;
            return if self.draft.is_heavy() { self.flush() } else { Ok(()) };
        }
        self.draft.end_point(self.last.number, &mut self.open.time);
        if self.draft.is_full() { self.flush() } else { Ok(()) }
    }

    #[inline(always)]
    fn rows(&mut self) -> Option<&mut Self> {
        Some(self)
    }

    fn pause(&mut self) -> Flow {
        // The events of an open point wait for the rest of it.
        if self.open.is_open {
            return Ok(());
        }
        self.flush()?;
        self.outlet.pause(|| amount(&self.handlings, self.points_before, self.last.number));
        Ok(())
    }
}

impl<O: Outlet> RowSink for Filler<O> {
    fn wanted(&self, shape: ShapeId, are_alone: bool) -> Option<Want> {
        self.handlings[shape.index()].wanted(are_alone, self.last.keeps_dropped)
    }

    #[inline(always)]
    fn row(&mut self, shape: ShapeId, number: u64, values: &[Atom]) -> Flow {
        let handling = &mut self.handlings[shape.index()];
        handling.count += 1;
        self.open.steps |= handling.steps;
        match handling.way {
            Way::Whole | Way::Part => self.draft.push_atoms(shape, number, values),
            Way::Choosy if !handling.rejects_written(values) => self.draft.push_atoms(shape, number, values),
            Way::Drop | Way::Choosy => {
                self.open.dropped = true;
                self.draft.drop(shape);
            }
        }
        Ok(())
    }

    fn single_rows(&mut self, point: Point<'_>, number: u64, rows: &mut IntegerRows) -> Flow {
        if point.trace != self.draft.points.trace {
            self.begin_trace(point.trace)?;
        }
        if !self.draft.has_room(rows) {
            self.flush()?;
        }
        self.last.number = point.number + rows.len() as u64 - 1;
        let handlings = &mut self.handlings;
        let drops = self.may_drop && rows.heads().iter().any(|head| handlings[head.shape.index()].may_drop);
        match drops {
            false => self.draft.push_all(&point, number, rows, |shape| handlings[shape.index()].count += 1),
            true => {
                rows.heads().iter().for_each(|head| handlings[head.shape.index()].count += 1);
                self.draft.push_some(&point, number, rows, |shape, values| handlings[shape.index()].fate(values));
            }
        }
        if self.draft.is_full() { self.flush() } else { Ok(()) }
    }

    fn newest(&mut self, event: &Event<'_>) {
        if self.last.keeps_dropped {
            self.last.keep(event, None);
        }
    }
}

/// The arguments that are read to tell whether an event is wanted, or because it is.
pub(super) fn read_fields(interest: &Interest) -> Want {
    let places = interest.patterns.iter().flatten().map(|(place, _)| *place);
    interest.want.or(Want::fields(places))
}

fn amount(handlings: &[Handling], points_before: u64, last_point: u64) -> Amount {
    let counts = handlings.iter().map(|handling| handling.count).collect();
    Amount { counts, points: points_before + last_point, last_point }
}
