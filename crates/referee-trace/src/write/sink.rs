//! From events and points to what a format's writer takes.
//!
//! Formats with field names have no points: an event stands alone unless a field `tp` says otherwise. So the first
//! event of each point waits until a second one comes, and then both get `tp`, or until the point ends, and then it
//! needs none. One event is copied at most; the others go straight to the writer, and so do all where it is told beforehand
//! how many events a point has. Lines of `abstract` begin with the number and the time of their point, if points have times.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use super::plan::WritePlan;
use super::reread::{Beginning, Remembering, refuse_mistakable};
use crate::error::{Fault, Flow, Stop, TraceError, WriteError};
use crate::event::{Event, EventShape, EventSink, NoRows, Point};
use crate::format::encode::encoder::{EncodeOptions, Encoder, Record};
use crate::format::encode::entry::{Entry, Word};
use crate::format::{Format, PointNotation};
use crate::number::Number;
use crate::raw::{ShapeId, Want};

/// Writes all points and events that it receives in one format.
pub struct TraceSink<'w> {
    writer: Box<dyn Encoder + 'w>,
    format: Format,
    /// How the format tells points.
    points: PointNotation,
    lossy: bool,
    plans: Vec<WritePlan>,
    point: CurrentPoint,
    held: Held,
    /// Whether the first point had a time, once it has come.
    begins_timed: Option<bool>,
    /// Room for the values of one event.
    entries: Vec<Entry<'static>>,
    /// How the text begins.
    beginning: Beginning,
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
    /// Its time, if it has one.
    time: Option<WrittenTime>,
    /// The text of a time that is no integer.
    decimal: String,
    /// How many of its events came.
    events: u64,
    /// How many events it has, where that was told.
    told: Option<u64>,
}

/// The time of a point.
#[derive(Debug, Clone, Copy)]
enum WrittenTime {
    Integer(i64),
    /// Another, whose text the point has.
    Decimal,
}

impl CurrentPoint {
    /// Its number as a value.
    fn label(&self) -> Entry<'static> {
        Entry::Integer(self.number.cast_signed())
    }

    /// Its time as a value.
    #[inline]
    fn time(&self) -> Option<Entry<'_>> {
        self.time.map(|time| match time {
            WrittenTime::Integer(integer) => Entry::Integer(integer),
            WrittenTime::Decimal => Entry::Word(Word::known(&self.decimal)),
        })
    }
}

impl<'w> TraceSink<'w> {
    /// Writes to `out` in a format. A lossy sink leaves out what the format cannot carry.
    ///
    /// The header of `csv` is known only at the end of the trace: its rows wait in a file without a name in
    /// `spool_directory`, or in the system's directory for such files.
    pub fn new(format: Format, lossy: bool, out: impl io::Write + 'w, spool_directory: Option<&Path>) -> Self {
        let beginning = Beginning::default();
        let out = Remembering { out, beginning: beginning.clone() };
        let writer = format.encoder(out, EncodeOptions { lossy, spool_directory });
        TraceSink {
            writer,
            format,
            points: format.description().points,
            lossy,
            plans: Vec::new(),
            point: CurrentPoint::default(),
            held: Held::default(),
            begins_timed: None,
            entries: Vec::new(),
            beginning,
            failure: None,
        }
    }

    /// Tells the kinds of all events in the order of their first appearance, once all shapes are known and before the first
    /// event: then no row of `csv` has to wait for the header, which is the same as without this.
    pub fn foresee(&mut self, kinds: &[Foreseen]) -> Result<(), WriteError> {
        let record = |one: &Foreseen| {
            let shape = one.shape.index();
            let plan = &self.plans[shape];
            let (kind, fields) = (kind(shape, one.grouped, one.timed), plan.fields(one.grouped, one.timed));
            Record { kind, name: &plan.name, fields, own: &[], more: &[] }
        };
        let records: Vec<Record<'_>> = kinds.iter().map(record).collect();
        Ok(self.writer.foresee(&records)?)
    }

    /// A time point begins that has so many events, each of which comes by [`TraceSink::tell`]; it ends like any other.
    #[inline]
    pub fn begin_told_point(&mut self, time: Option<i64>, events: u64) -> Flow {
        let number = self.point.number + 1;
        let entered = self.enter(1, number, time.map(WrittenTime::Integer));
        self.point.told = Some(events);
        self.begin(entered)
    }

    /// An event of such a point, with the values of all arguments that are wanted: the same as an event with their texts.
    #[inline]
    pub fn tell(&mut self, shape: ShapeId, values: &[Entry<'_>]) -> Flow {
        let own = &values[..self.plans[shape.index()].arity];
        self.check(shape.index(), 0, own)?;
        self.point.events += 1;
        let told = self.point.told.unwrap_or(0);
        if self.point.events > told {
            return self.fail(untold(told));
        }
        self.write(shape.index(), own, told > 1).or_else(|error| self.fail(error))
    }

    /// Completes the text. A failure that stopped the reading comes out here, and that the text would be taken for another format.
    pub fn finish(mut self) -> Result<(), WriteError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.writer.finish()?;
        if !self.lossy {
            refuse_mistakable(self.format, &self.beginning.borrow())?;
        }
        Ok(())
    }

    fn names_fields(&self) -> bool {
        self.points == PointNotation::Fields
    }

    fn has_points(&self) -> bool {
        self.points == PointNotation::Explicit
    }

    /// Whether several events can be told to be at one point.
    fn tells_points(&self) -> bool {
        self.has_points() || self.names_fields() || self.leads()
    }

    /// Whether lines begin with the number and the time of their point.
    fn leads(&self) -> bool {
        self.points == PointNotation::LineStarts && self.point.time.is_some()
    }

    /// Ends the reading because of something that belongs to no event.
    fn fail(&mut self, failure: impl Into<WriteError>) -> Flow {
        self.failure = Some(failure.into());
        Err(Stop::Enough)
    }

    /// The time of a point; refuses one that has no decimal text.
    fn time_of(&mut self, number: &Number) -> Result<WrittenTime, TraceError> {
        if let Some(integer) = number.as_i64() {
            return Ok(WrittenTime::Integer(integer));
        }
        let decimal = &mut self.point.decimal;
        decimal.clear();
        let _ = write!(decimal, "{number}");
        match Number::parse(decimal) {
            Some(_) => Ok(WrittenTime::Decimal),
            None => Err(TraceError::new(format!("the time {number} is no finite decimal number"))
                .hint("choose another unit of time in the mapping")),
        }
    }

    /// Notes the point's number and time; refuses what the format cannot carry of them.
    #[inline]
    fn enter(&mut self, trace: u64, number: u64, time: Option<WrittenTime>) -> Result<(), TraceError> {
        let current = &mut self.point;
        current.number += 1;
        current.events = 0;
        current.told = None;
        let begins_timed = *self.begins_timed.get_or_insert(time.is_some());
        if !self.lossy {
            current.time = time;
            return self.refuse_point(trace, number, begins_timed);
        }
        current.time = match time {
            // What the first point does all others have to do.
            _ if self.points == PointNotation::LineStarts && !begins_timed => None,
            None if self.points == PointNotation::LineStarts => current.time,
            time => time,
        };
        Ok(())
    }

    fn refuse_point(&self, trace: u64, number: u64, begins_timed: bool) -> Result<(), TraceError> {
        let format = self.format.name();
        let is_timed = self.point.time.is_some();
        let (message, hint) = if trace > 1 {
            (
                "a file holds one trace, and the mapping splits the input into several".to_owned(),
                "remove `split` from the mapping, or write all traces as one with --lossy",
            )
        } else if self.has_points() && !is_timed {
            (
                format!("{format} needs a time for every point, and point {number} has none"),
                "name the field of the time in a mapping, or take the points' numbers for times with --lossy",
            )
        } else if self.points == PointNotation::LineStarts {
            if begins_timed == is_timed {
                return Ok(());
            }
            let has = if begins_timed { "has none" } else { "has one" };
            (
                format!("{format} has a time at every point or at none, and point {number} {has}"),
                "write a format with field names, or do with the times that the first point asks for with --lossy",
            )
        } else if !self.has_points() && !self.names_fields() && is_timed {
            (
                format!("{format} has no place for the time of a point"),
                "write monpoly or a format with field names, or drop the times with --lossy",
            )
        } else {
            return Ok(());
        };
        Err(TraceError::new(message).hint(hint))
    }

    /// Begins a point that was entered.
    #[inline]
    fn begin(&mut self, entered: Result<(), TraceError>) -> Flow {
        if let Err(refusal) = entered {
            return self.fail(refusal);
        }
        if !self.has_points() {
            return Ok(());
        }
        let time = self.point.time().unwrap_or(self.point.label());
        self.writer.begin_point(time).or_else(|error| self.fail(error))
    }

    /// Refuses an event that the format cannot carry.
    #[inline]
    fn check(&self, shape: usize, offset: usize, values: &[Entry<'_>]) -> Result<(), Fault> {
        let fits = |value: &Entry<'_>| match value {
            Entry::Text(text) => self.writer.check_value(text),
            _ => Ok(()),
        };
        let refusal = if let Some(refusal) = &self.plans[shape].refusal {
            refusal.clone()
        } else if let Err(refusal) = values.iter().try_for_each(fits) {
            refusal
        } else if self.point.events > 0 && !self.lossy && !self.tells_points() {
            second_event(self.format)
        } else {
            return Ok(());
        };
        Err(Fault { offset, message: refusal.message, hint: refusal.hint })
    }

    /// Takes an event that the format can carry: writes it, or holds it until its point is known to have another.
    fn take(&mut self, shape: usize, texts: &[&str], own: &[Entry<'_>]) -> io::Result<()> {
        self.point.events += 1;
        if !self.names_fields() {
            return self.write(shape, own, false);
        }
        if self.point.events == 1 {
            self.held.hold(shape, texts, own);
            return Ok(());
        }
        self.release(true)?;
        self.write(shape, own, true)
    }

    /// Writes the event that is held, if any.
    fn release(&mut self, grouped: bool) -> io::Result<()> {
        let Some(shape) = self.held.shape.take() else { return Ok(()) };
        let mut held = std::mem::take(&mut self.held);
        let mut entries = recycled(std::mem::take(&mut held.entries));
        held.values().for_each(|entry| entries.push(entry));
        let written = self.write(shape, &entries, grouped);
        held.entries = recycled(entries);
        self.held = held;
        written
    }

    /// Writes an event, with the fields that tell its point and time where the format has such and there is something to tell.
    #[inline]
    fn write(&mut self, shape: usize, own: &[Entry<'_>], grouped: bool) -> io::Result<()> {
        let plan = &self.plans[shape];
        if !self.names_fields() {
            if self.points == PointNotation::LineStarts
                && let Some(time) = self.point.time()
            {
                self.writer.lead(self.point.number, time);
            }
            let (kind, fields) = (kind(shape, false, false), plan.fields(false, false));
            return self.writer.event(&Record { kind, name: &plan.name, fields, own, more: &[] });
        }
        let (label, time) = (self.point.label(), self.point.time());
        let more = [label, time.unwrap_or(label)];
        let more = &more[usize::from(!grouped)..1 + usize::from(time.is_some())];
        let (kind, fields) = (kind(shape, grouped, time.is_some()), plan.fields(grouped, time.is_some()));
        self.writer.event(&Record { kind, name: &plan.name, fields, own, more })
    }
}

#[cold]
fn untold(events: u64) -> io::Error {
    io::Error::other(format!("a point has more events than the {events} that it was told to have"))
}

#[cold]
fn second_event(format: Format) -> TraceError {
    let message = format!("{} holds one event per point, and this is the second of its point", format.name());
    TraceError::new(message).hint("write a format with field names, or give each event a point with --lossy")
}

impl EventSink for TraceSink<'_> {
    type Rows = NoRows;

    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Want {
        debug_assert_eq!(id.index(), self.plans.len(), "shapes are announced in order");
        let plan = WritePlan::new(shape, self.format, self.lossy, &*self.writer);
        let want = Want::fields(0..plan.arity);
        self.plans.push(plan);
        want
    }

    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        let time = point.time.map(|time| self.time_of(time)).transpose();
        let entered = time.and_then(|time| self.enter(point.trace, point.number, time));
        self.begin(entered)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let shape = event.shape.index();
        let texts = &event.arguments[..self.plans[shape].arity];
        let mut entries = recycled(std::mem::take(&mut self.entries));
        texts.iter().for_each(|text| entries.push(Entry::of(text)));
        let checked = self.check(shape, event.offset, &entries);
        let taken = checked.map(|()| self.take(shape, texts, &entries));
        self.entries = recycled(entries);
        taken?.or_else(|error| self.fail(error))
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
    text: String,
    /// Where each value ends, and whether it is a word.
    ends: Vec<(usize, bool)>,
    /// Room for them as values.
    entries: Vec<Entry<'static>>,
}

impl Held {
    fn hold(&mut self, shape: usize, texts: &[&str], values: &[Entry<'_>]) {
        self.shape = Some(shape);
        self.text.clear();
        self.ends.clear();
        for (text, value) in texts.iter().zip(values) {
            self.text.push_str(text);
            self.ends.push((self.text.len(), matches!(value, Entry::Word(_))));
        }
    }

    fn values(&self) -> impl Iterator<Item = Entry<'_>> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(end, _)| *end));
        starts.zip(&self.ends).map(|(start, &(end, is_word))| match &self.text[start..end] {
            text if is_word => Entry::Word(Word::known(text)),
            text => Entry::Text(text),
        })
    }
}

/// A number for the name and the fields of what is written.
fn kind(shape: usize, grouped: bool, timed: bool) -> usize {
    4 * shape + 2 * usize::from(grouped) + usize::from(timed)
}

/// The same list, emptied, for values whose texts live elsewhere: its room is kept.
fn recycled<'a>(mut entries: Vec<Entry<'_>>) -> Vec<Entry<'a>> {
    entries.clear();
    entries.into_iter().map(|_| Entry::Integer(0)).collect()
}
