//! From events and points to what a format's writer takes.
//!
//! Formats with field names have no points: an event stands alone unless a field `tp` says otherwise. So the first
//! event of each point waits until a second one comes, and then both get `tp`, or until the point ends, and then it
//! needs none. One event is copied at most; the others go straight to the writer, and so do all where it is known that
//! each point has one event. Lines of `abstract` begin with the number and the time of their point, if points have times.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use super::plan::Plan;
use super::text::is_harmless;
use super::{Record, TraceWriter, WriteError, writer};
use crate::error::{Fault, Flow, Stop, TraceError};
use crate::event::{Event, EventShape, EventSink, Point};
use crate::format::Format;
use crate::number::Number;
use crate::raw::{ShapeId, Want};

/// Writes all points and events that it receives in one format.
pub struct TraceSink<'w> {
    writer: Box<dyn TraceWriter + 'w>,
    format: Format,
    lossy: bool,
    plans: Vec<Plan>,
    point: CurrentPoint,
    held: Held,
    /// Whether it is known that no point has two events.
    alone: bool,
    /// Whether the first point had a time, once it has come.
    begins_timed: Option<bool>,
    /// The time of the last point, where a lossy sink needs one.
    last_time: String,
    /// Room for the values of one event with `tp` and `ts` behind them.
    values: Vec<&'static str>,
    failure: Option<WriteError>,
}

/// A kind of event that will come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreseen {
    /// Its shape.
    pub shape: ShapeId,
    /// Whether other events are at its point.
    pub grouped: bool,
    /// Whether its point has a time.
    pub timed: bool,
}

/// The point whose events are coming.
#[derive(Debug, Default)]
struct CurrentPoint {
    /// How many points came up to this one.
    number: u64,
    /// The number as text; empty until it is needed.
    label: String,
    /// The time as text; empty if there is none.
    time: String,
    /// How many of its events came.
    events: u64,
}

impl CurrentPoint {
    /// Makes the label, which few points need.
    fn name(&mut self) {
        self.label.clear();
        self.label.push_str(itoa::Buffer::new().format(self.number));
    }
}

impl<'w> TraceSink<'w> {
    /// Writes to `out` in a format. A lossy sink leaves out what the format cannot carry.
    ///
    /// The header of `csv` is known only at the end of the trace: its rows wait in a file without a name in
    /// `spool_directory`, or in the system's directory for such files.
    pub fn new(format: Format, lossy: bool, out: impl io::Write + 'w, spool_directory: Option<&Path>) -> Self {
        let writer = writer(format, lossy, out, spool_directory);
        TraceSink {
            writer,
            format,
            lossy,
            plans: Vec::new(),
            point: CurrentPoint::default(),
            held: Held::default(),
            alone: false,
            begins_timed: None,
            last_time: String::new(),
            values: Vec::new(),
            failure: None,
        }
    }

    /// Tells that each point will have one event at most, so that none has to wait for the end of its point.
    pub fn expect_single_events(&mut self) {
        self.alone = true;
    }

    /// Tells the kinds of all events in the order of their first appearance, once all shapes are known and before the first
    /// event: then no row of `csv` has to wait for the header, which is the same as without this.
    pub fn foresee(&mut self, kinds: &[Foreseen]) -> Result<(), WriteError> {
        let record = |one: &Foreseen| {
            let shape = one.shape.index();
            let plan = &self.plans[shape];
            let (kind, fields) = (kind(shape, one.grouped, one.timed), plan.fields(one.grouped, one.timed));
            Record { kind, name: &plan.name, fields, values: &[], harmless: true }
        };
        let records: Vec<Record<'_>> = kinds.iter().map(record).collect();
        Ok(self.writer.foresee(&records)?)
    }

    /// Completes the text. A failure that stopped the reading comes out here.
    pub fn finish(mut self) -> Result<(), WriteError> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.writer.finish(),
        }
    }

    fn has_points(&self) -> bool {
        self.format == Format::Monpoly
    }

    /// Whether several events can be told to be at one point.
    fn tells_points(&self) -> bool {
        self.has_points() || self.format.names_fields() || self.leads()
    }

    /// Whether lines begin with the number and the time of their point.
    fn leads(&self) -> bool {
        self.format == Format::Abstract && !self.point.time.is_empty()
    }

    /// Ends the reading because of something that belongs to no event.
    fn fail(&mut self, failure: impl Into<WriteError>) -> Flow {
        self.failure = Some(failure.into());
        Err(Stop::Enough)
    }

    /// Notes the point's number and time; refuses what the format cannot carry of them.
    fn enter(&mut self, point: &Point<'_>) -> Result<(), TraceError> {
        let current = &mut self.point;
        current.number += 1;
        current.events = 0;
        current.label.clear();
        current.time.clear();
        if let Some(integer) = point.time.and_then(Number::as_i64) {
            current.time.push_str(itoa::Buffer::new().format(integer));
        } else if let Some(time) = point.time {
            let _ = write!(current.time, "{time}");
            if Number::parse(&current.time).is_none() {
                return Err(TraceError::new(format!("the time {time} is no finite decimal number"))
                    .hint("choose another unit of time in the mapping"));
            }
        }
        let begins_timed = *self.begins_timed.get_or_insert(point.time.is_some());
        if !self.lossy {
            return self.refuse_point(point, begins_timed);
        }
        if self.format == Format::Abstract && !begins_timed {
            self.point.time.clear();
        } else if self.format == Format::Abstract && point.time.is_none() {
            self.point.time.push_str(&self.last_time);
        }
        self.last_time.clone_from(&self.point.time);
        Ok(())
    }

    fn refuse_point(&self, point: &Point<'_>, begins_timed: bool) -> Result<(), TraceError> {
        let format = self.format.name();
        let (message, hint) = if point.trace > 1 {
            (
                "a file holds one trace, and the mapping splits the input into several".to_owned(),
                "remove `split` from the mapping, or write all traces as one with --lossy",
            )
        } else if self.has_points() && point.time.is_none() {
            (
                format!("{format} needs a time for every point, and point {} has none", point.number),
                "name the field of the time in a mapping, or take the points' numbers for times with --lossy",
            )
        } else if self.format == Format::Abstract {
            if begins_timed == point.time.is_some() {
                return Ok(());
            }
            let has = if begins_timed { "has none" } else { "has one" };
            (
                format!("{format} has a time at every point or at none, and point {} {has}", point.number),
                "write a format with field names, or do with the times that the first point asks for with --lossy",
            )
        } else if !self.has_points() && !self.format.names_fields() && point.time.is_some() {
            (
                format!("{format} has no place for the time of a point"),
                "write monpoly or a format with field names, or drop the times with --lossy",
            )
        } else {
            return Ok(());
        };
        Err(TraceError::new(message).hint(hint))
    }

    /// Refuses an event that the format cannot carry.
    fn check(&self, event: &Event<'_>, values: &[&str], harmless: bool) -> Result<(), Fault> {
        let refusal = if let Some(refusal) = &self.plans[event.shape.index()].refusal {
            refusal.clone()
        } else if !harmless && let Err(refusal) = self.writer.check_values(values) {
            refusal
        } else if self.point.events > 0 && !self.lossy && !self.tells_points() {
            let message =
                format!("{} holds one event per point, and this is the second of its point", self.format.name());
            TraceError::new(message).hint("write a format with field names, or give each event a point with --lossy")
        } else {
            return Ok(());
        };
        Err(Fault { offset: event.offset, message: refusal.message, hint: refusal.hint })
    }

    /// Takes an event that the format can carry: writes it, or holds it until its point is known to have another.
    fn take(&mut self, shape: usize, own: &[&str], harmless: bool) -> io::Result<()> {
        self.point.events += 1;
        if !self.format.names_fields() {
            if self.leads() {
                self.point.name();
                self.writer.lead(&self.point.label, &self.point.time);
            }
            let plan = &self.plans[shape];
            let (kind, fields) = (kind(shape, false, false), plan.fields(false, false));
            return self.writer.event(&Record { kind, name: &plan.name, fields, values: own, harmless });
        }
        if self.alone {
            return self.take_alone(shape, own, harmless);
        }
        if self.point.events == 1 {
            self.held.hold(shape, own, harmless);
            return Ok(());
        }
        if self.point.events == 2 {
            self.point.name();
        }
        self.release(true)?;
        self.put(shape, own.iter().copied(), harmless, true)
    }

    /// Writes an event that has its point to itself.
    fn take_alone(&mut self, shape: usize, own: &[&str], harmless: bool) -> io::Result<()> {
        if self.point.events > 1 {
            return Err(io::Error::other("a point has two events, and it was told to have one"));
        }
        if !self.point.time.is_empty() {
            return self.put(shape, own.iter().copied(), harmless, false);
        }
        let plan = &self.plans[shape];
        let (kind, fields) = (kind(shape, false, false), plan.fields(false, false));
        self.writer.event(&Record { kind, name: &plan.name, fields, values: own, harmless })
    }

    /// Writes the event that is held, if any.
    fn release(&mut self, grouped: bool) -> io::Result<()> {
        let Some(shape) = self.held.shape.take() else { return Ok(()) };
        let held = std::mem::take(&mut self.held);
        let written = self.put(shape, held.texts(), held.harmless, grouped);
        self.held = held;
        written
    }

    /// Writes an event with the fields that tell its point and time, where there is something to tell. Those are numbers, of
    /// which only abstract, which tells both before the event, minds the dot.
    fn put<'a>(
        &mut self,
        shape: usize,
        own: impl Iterator<Item = &'a str>,
        harmless: bool,
        grouped: bool,
    ) -> io::Result<()> {
        let timed = !self.point.time.is_empty();
        let plan = &self.plans[shape];
        let mut values: Vec<&str> = recycled(std::mem::take(&mut self.values));
        own.for_each(|text| values.push(text));
        values.extend(grouped.then_some(self.point.label.as_str()));
        values.extend(timed.then_some(self.point.time.as_str()));
        let (kind, fields) = (kind(shape, grouped, timed), plan.fields(grouped, timed));
        let record = Record { kind, name: &plan.name, fields, values: &values, harmless };
        let written = self.writer.event(&record);
        self.values = recycled(values);
        written
    }
}

impl EventSink for TraceSink<'_> {
    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Want {
        debug_assert_eq!(id.index(), self.plans.len(), "shapes are announced in order");
        let plan = Plan::new(shape, self.format, self.lossy, &*self.writer);
        let want = Want::fields(0..plan.arity);
        self.plans.push(plan);
        want
    }

    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        if let Err(refusal) = self.enter(&point) {
            return self.fail(refusal);
        }
        if !self.has_points() {
            return Ok(());
        }
        if point.time.is_none() {
            self.point.name();
        }
        let time = if point.time.is_some() { &self.point.time } else { &self.point.label };
        match self.writer.begin_point(time) {
            Ok(()) => Ok(()),
            Err(error) => self.fail(error),
        }
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let plan = &self.plans[event.shape.index()];
        let own = &event.arguments[..plan.arity];
        let harmless = own.iter().all(|value| is_harmless(value));
        self.check(&event, own, harmless)?;
        self.take(event.shape.index(), own, harmless).or_else(|error| self.fail(error))
    }

    fn end_point(&mut self) -> Flow {
        if self.point.events == 0 && !self.has_points() && !self.lossy {
            let message =
                format!("{} has no points without events, and point {} is one", self.format.name(), self.point.number);
            return self.fail(TraceError::new(message).hint("write monpoly, or leave such points out with --lossy"));
        }
        let ended = self.release(false).and_then(|()| if self.has_points() { self.writer.end_point() } else { Ok(()) });
        ended.or_else(|error| self.fail(error))
    }
}

/// The values of the event that waits for the end of its point, one behind the other.
#[derive(Debug, Default)]
struct Held {
    /// The event's shape, while one is held.
    shape: Option<usize>,
    harmless: bool,
    text: String,
    ends: Vec<usize>,
}

impl Held {
    fn hold(&mut self, shape: usize, values: &[&str], harmless: bool) {
        self.shape = Some(shape);
        self.harmless = harmless;
        self.text.clear();
        self.ends.clear();
        for value in values {
            self.text.push_str(value);
            self.ends.push(self.text.len());
        }
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.text[start..end])
    }
}

/// A number for the name and the fields of what is written.
fn kind(shape: usize, grouped: bool, timed: bool) -> usize {
    4 * shape + 2 * usize::from(grouped) + usize::from(timed)
}

/// The same list, emptied, for texts that live elsewhere: its room is kept.
fn recycled<'a>(mut texts: Vec<&str>) -> Vec<&'a str> {
    texts.clear();
    texts.into_iter().map(|_| "").collect()
}
