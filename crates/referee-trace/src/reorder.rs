//! Sorts the points of a log that are slightly out of order.
//!
//! ```text
//!  Abstraction ─ points as they come ─▶ heap by (time, arrival) ─ those older than newest − window ─▶ the sink
//!
//!  window 3:   5  7  6  9  8  3          5  6  7  8  9          3 is late: 9 − 3 > 3
//! ```
//!
//! A point leaves as soon as no point may come before it any more, so the memory is that of one window, and bounded: a log that
//! would need more is refused. Without a window the whole log is sorted, trace by trace, which is how logs that list case
//! after case become one trace. Equal times keep their
//! order. A point without a time goes with the one before it. A *late* point, which is older than the window allows, is an error;
//! or, if the log is said to be unsorted, it has the newest time that has left already: that of the points it stands among.
//!
//! Costs a copy of each event's texts and a logarithm of the points in the window. The sink is called through a table of
//! functions, so that all formats are compiled once for this way, and the usual way has nothing of it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::abstraction::{Ties, equal_times};
use crate::error::{Fault, Flow, Stop};
use crate::event::{Event, EventShape, EventSink, NoRows, Point};
use crate::number::Number;
use crate::raw::{ShapeId, Want};
use crate::recycle::recycle;

/// What became of a log that was sorted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reordered {
    /// How many events were moved to an earlier place.
    pub moved: u64,
    /// How many were too late for that.
    pub late: u64,
}

/// Any sink, at run time.
pub(crate) trait AnySink {
    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Want;
    fn begin_point(&mut self, point: Point<'_>) -> Flow;
    fn event(&mut self, event: Event<'_>) -> Flow;
    fn end_point(&mut self) -> Flow;
    fn pause(&mut self) -> Flow;
}

impl<E: EventSink> AnySink for E {
    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Want {
        EventSink::shape(self, id, shape)
    }

    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        EventSink::begin_point(self, point)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        EventSink::event(self, event)
    }

    fn end_point(&mut self) -> Flow {
        EventSink::end_point(self)
    }

    fn pause(&mut self) -> Flow {
        EventSink::pause(self)
    }
}

/// How points are sorted.
pub(crate) struct Order {
    /// The window, in the unit of the trace; nothing if the whole log is sorted.
    pub window: Option<Number>,
    /// Whether late points are taken where they stand.
    pub unsorted: bool,
    /// What becomes of neighbours with equal times, after sorting.
    pub ties: Ties,
    /// How many bytes may wait.
    pub memory: usize,
}

impl Order {
    /// Whether a time is older than the window allows.
    fn is_late(&self, time: &Number, newest: &Number) -> bool {
        self.window.as_ref().is_some_and(|window| newest.sub(time) > *window)
    }

    /// How many bytes may wait, unless a test says otherwise.
    pub(crate) const MEMORY: usize = 2 << 30;
}

/// Sorts points on their way to a sink.
pub(crate) struct Reorder<'a> {
    sink: &'a mut dyn AnySink,
    order: Order,
    /// The points that wait, the one that leaves first on top.
    heap: BinaryHeap<Reverse<HeldPoint>>,
    /// The point that is being received.
    open: HeldPoint,
    /// Points that have left, to be used again.
    spare: Vec<HeldPoint>,
    arrivals: u64,
    /// The newest time of the trace.
    newest: Option<Number>,
    /// The newest time that has left.
    left: Option<Number>,
    departure: Departure,
    counts: Reordered,
    /// How many bytes wait.
    waiting: usize,
    /// Room for arguments; empty between points.
    arguments: Vec<&'static str>,
}

/// What is known of the points that have left.
#[derive(Default)]
struct Departure {
    trace: u64,
    point: u64,
    points_before: u64,
    /// Whether the last one may still get events, as its time may come again.
    is_open: bool,
    /// Its time.
    time: Option<Number>,
}

/// A point that waits.
#[derive(Debug, Default)]
struct HeldPoint {
    /// Where it stands: its time, or that of the point before it.
    place: Option<Number>,
    arrival: u64,
    trace: u64,
    time: Option<Number>,
    events: Vec<HeldEvent>,
    /// All texts, one after the other, and where each ends.
    text: String,
    ends: Vec<usize>,
}

#[derive(Debug)]
struct HeldEvent {
    shape: ShapeId,
    number: u64,
    offset: usize,
    /// Where its arguments end among those of the point.
    end: usize,
}

impl HeldPoint {
    /// How many bytes it takes, nearly.
    fn bytes(&self) -> usize {
        let lists = self.events.len() * size_of::<HeldEvent>() + self.ends.len() * size_of::<usize>();
        size_of::<HeldPoint>() + lists + self.text.len()
    }

    fn clear(&mut self) {
        (self.place, self.time) = (None, None);
        self.events.clear();
        self.text.clear();
        self.ends.clear();
    }

    fn push(&mut self, event: &Event<'_>) {
        for argument in event.arguments {
            self.text.push_str(argument);
            self.ends.push(self.text.len());
        }
        let Event { shape, number, offset, .. } = *event;
        self.events.push(HeldEvent { shape, number, offset, end: self.ends.len() });
    }
}

impl PartialEq for HeldPoint {
    fn eq(&self, other: &HeldPoint) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for HeldPoint {}

impl PartialOrd for HeldPoint {
    fn partial_cmp(&self, other: &HeldPoint) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for HeldPoint {
    fn cmp(&self, other: &HeldPoint) -> std::cmp::Ordering {
        self.place.cmp(&other.place).then(self.arrival.cmp(&other.arrival))
    }
}

impl<'a> Reorder<'a> {
    /// Passes points on to a sink, sorted.
    pub(crate) fn new(sink: &'a mut dyn AnySink, order: Order) -> Reorder<'a> {
        Reorder {
            sink,
            order,
            heap: BinaryHeap::new(),
            open: HeldPoint::default(),
            spare: Vec::new(),
            arrivals: 0,
            newest: None,
            left: None,
            departure: Departure { trace: 1, ..Departure::default() },
            counts: Reordered::default(),
            waiting: 0,
            arguments: Vec::new(),
        }
    }

    /// How many events were moved, and how many were late.
    pub(crate) fn counts(&self) -> Reordered {
        self.counts
    }

    /// How many points have left.
    pub(crate) fn points(&self) -> u64 {
        self.departure.points_before + self.departure.point
    }

    /// Nothing more comes: all that wait leave.
    pub(crate) fn finish(&mut self) -> Flow {
        while let Some(Reverse(held)) = self.heap.pop() {
            self.leave(held)?;
        }
        self.close()
    }

    /// A point is complete: it takes its place among those that wait.
    fn hold(&mut self) -> Flow {
        let mut held = std::mem::replace(&mut self.open, self.spare.pop().unwrap_or_default());
        if held.trace != self.departure.trace {
            self.next_trace(held.trace)?;
        }
        let count = held.events.len() as u64;
        match (&held.time, &self.newest) {
            (Some(time), Some(newest)) if time < newest => match self.order.is_late(time, newest) {
                true if self.order.unsorted => {
                    self.counts.late += count;
                    // It cannot stand before what has left.
                    held.time = held.time.max(self.left.clone());
                    held.place.clone_from(&held.time);
                }
                true => return Err(self.too_late(&held, newest)),
                false => {
                    self.counts.moved += count;
                    held.place.clone_from(&held.time);
                }
            },
            (Some(time), _) => {
                self.newest = Some(time.clone());
                held.place.clone_from(&held.time);
            }
            (None, _) => held.place.clone_from(&self.newest),
        }
        self.arrivals += 1;
        held.arrival = self.arrivals;
        self.waiting += held.bytes();
        if self.waiting > self.order.memory {
            return Err(self.too_many(&held));
        }
        self.heap.push(Reverse(held));
        self.release()
    }

    fn too_many(&self, held: &HeldPoint) -> Stop {
        let mib = self.order.memory >> 20;
        let message = format!("more than {mib} MiB of events wait to be sorted by time, {} events", self.heap.len());
        let offset = held.events.first().map_or(0, |event| event.offset);
        Fault::new(offset, message).hint("sort the log by time first, or take a shorter window: --reorder 5s").into()
    }

    fn too_late(&self, held: &HeldPoint, newest: &Number) -> Stop {
        let (offset, time) = (held.events.first().map_or(0, |event| event.offset), held.time.as_ref());
        let time = time.map(Number::to_string).unwrap_or_default();
        let behind = time_behind(held.time.as_ref(), newest);
        let window = self.order.window.as_ref().unwrap_or(&Number::ZERO);
        let message = format!("timestamp {time} comes after {newest}, more than the {window} that --reorder allows");
        let hint = format!(
            "`--reorder` takes a window of at least {behind}; `--unsorted` judges what is later at the newest time before it"
        );
        Fault::new(offset, message).hint(hint).into()
    }

    /// Lets go of the points before which nothing may come any more.
    fn release(&mut self) -> Flow {
        let Some(window) = &self.order.window else { return Ok(()) };
        let bound = self.newest.as_ref().map(|newest| newest.sub(window));
        while let Some(Reverse(first)) = self.heap.peek() {
            // A point of the same time as the bound may still be followed, but not preceded, by others.
            if first.place > bound {
                break;
            }
            let Some(Reverse(held)) = self.heap.pop() else { break };
            self.leave(held)?;
        }
        Ok(())
    }

    fn leave(&mut self, mut held: HeldPoint) -> Flow {
        self.waiting -= held.bytes();
        if let Some(place) = &held.place {
            self.left = Some(place.clone());
        }
        self.begin(&held)?;
        self.send(&held)?;
        if self.order.ties != Ties::Merged {
            self.close()?;
        }
        held.clear();
        self.spare.push(held);
        Ok(())
    }

    /// Begins a point, unless the one before it is at the same time and the two are one.
    fn begin(&mut self, held: &HeldPoint) -> Flow {
        let is_tie = self.departure.point > 0 && held.time.is_some() && self.departure.time == held.time;
        if is_tie && self.order.ties == Ties::Merged && self.departure.is_open {
            return Ok(());
        }
        if is_tie && self.order.ties == Ties::Refused {
            let time = held.time.as_ref().unwrap_or(&Number::ZERO);
            return Err(equal_times(time, held.events.first().map_or(0, |event| event.offset)));
        }
        self.close()?;
        self.departure.point += 1;
        self.departure.is_open = true;
        if held.time.is_some() {
            self.departure.time.clone_from(&held.time);
        }
        let Departure { trace, point, .. } = self.departure;
        self.sink.begin_point(Point { trace, number: point, time: held.time.as_ref() })
    }

    fn send(&mut self, held: &HeldPoint) -> Flow {
        let mut arguments: Vec<&str> = std::mem::take(&mut self.arguments);
        let (mut first, mut start) = (0, 0);
        for event in &held.events {
            for &end in &held.ends[first..event.end] {
                arguments.push(&held.text[start..end]);
                start = end;
            }
            first = event.end;
            // The text may lie in a block that is gone, so its offset says nothing.
            self.sink.event(Event { shape: event.shape, arguments: &arguments, number: event.number, offset: 0 })?;
            arguments.clear();
        }
        self.arguments = recycle(arguments);
        Ok(())
    }

    fn close(&mut self) -> Flow {
        match std::mem::take(&mut self.departure.is_open) {
            true => self.sink.end_point(),
            false => Ok(()),
        }
    }

    fn next_trace(&mut self, trace: u64) -> Flow {
        self.finish()?;
        (self.newest, self.left) = (None, None);
        let points_before = self.points();
        self.departure = Departure { trace, points_before, ..Departure::default() };
        Ok(())
    }
}

fn time_behind(time: Option<&Number>, newest: &Number) -> Number {
    time.map_or(Number::ZERO, |time| newest.sub(time))
}

impl EventSink for Reorder<'_> {
    type Rows = NoRows;

    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Want {
        self.sink.shape(id, shape)
    }

    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        self.open.clear();
        self.open.trace = point.trace;
        self.open.time = point.time.cloned();
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.open.push(&event);
        Ok(())
    }

    fn end_point(&mut self) -> Flow {
        self.hold()
    }

    fn pause(&mut self) -> Flow {
        self.sink.pause()
    }
}

#[cfg(test)]
mod tests;
