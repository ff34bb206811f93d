//! What the trace showed at points that are reported, or may be.
//!
//! Points of the current batch are at hand. Of earlier ones, those whose verdict is open are kept until it is not, and
//! the last one, which the end of the trace may be reported for; as atoms, not as texts. They lie one after the other, as in a
//! batch, and are found by their numbers. When many of them are no longer open, the others are moved together: nothing is allocated
//! per point, and where they take more than a few pages, there are never more than twice as many as are open.

use std::collections::HashMap;

use referee_engine::AssignedJudge;
use referee_engine::judge::{Damaged, Reader, Writer};
use referee_spec::core::Violation;
use referee_trace::event::{EventShape, EventShapes};
use referee_trace::number::{Number, canonical_integer, push_integer};
use referee_trace::points::{Interest, Last, Points};
use referee_trace::raw::{ShapeId, Want};
use referee_trace::value::Value;
use referee_trace::values::{Atom, LiveValues, Values};
use referee_trace::write::Term;

use crate::kept::Kept;
use crate::lines::Context;

/// How many points may be kept in vain.
const SLACK: usize = 64;
/// How many words may be kept in any case: to move a few points after every batch took six times as long as to keep them.
const GRANTED: usize = 1 << 14;

/// The points that may be reported.
#[derive(Default)]
pub struct Contexts {
    /// How events of each shape are shown, and what is read of them: there may be as many shapes as events, and few forms.
    forms: Vec<u32>,
    /// The forms by their numbers.
    all_forms: Vec<Form>,
    numbers: HashMap<Form, u32>,
    open: Kept,
    last: Kept,
    /// The last point of the trace when it is over, with events that nobody reads.
    end: Option<End>,
    /// Which points of a batch are open.
    places: Vec<usize>,
    /// What was asked for last: its texts are written over, not made anew.
    context: Context,
}

/// What is the same of all events of a shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Form {
    /// What is read.
    read: Want,
    /// Whether all that the abstract form shows is read. Others are not shown.
    is_shown: bool,
    /// Whether some rule hears of such events.
    is_heard_of: bool,
}

/// The last point of a trace.
struct End {
    point: u64,
    time: Option<Number>,
    number: Option<u64>,
    events: Vec<EndEvent>,
}

/// An event of the last point: number in the input, abstract form, and the texts of all arguments.
struct EndEvent {
    number: u64,
    term: String,
    texts: Vec<String>,
}

/// Whether a value is written like this.
fn is_written(value: &Value, text: &str) -> bool {
    match value {
        Value::Number(Number::Int(integer)) => canonical_integer(text) == Some(*integer),
        Value::Number(number) => number.to_string() == text,
        Value::String(own) => **own == *text,
        Value::Boolean(truth) => text == if *truth { "true" } else { "false" },
    }
}

/// Whether a value is written as an atom is.
fn is_written_as(value: &Value, atom: Atom, values: &Values) -> bool {
    match (atom.as_integer(), value) {
        (None, _) => match (values.plain_bytes(atom), value) {
            // Such texts do not begin as numbers do.
            (Some(bytes), Value::String(text)) => text.as_bytes() == bytes,
            (Some(_), Value::Number(_)) => false,
            _ => is_written(value, &values.text(atom)),
        },
        (Some(integer), Value::Number(number)) => number.as_i64() == Some(integer),
        (Some(integer), Value::String(text)) => canonical_integer(text) == Some(integer),
        (Some(_), Value::Boolean(_)) => false,
    }
}

/// How many of the values that a violation is about are among others.
fn shares(violation: &Violation, is_among: impl Fn(&Value) -> bool) -> usize {
    violation.bindings.iter().flatten().filter(|value| is_among(value)).count()
}

/// The first event of those that carry most of a violation's values.
fn best<E>(events: impl Iterator<Item = E>, shares: impl Fn(&E) -> usize) -> Option<E> {
    let mut events = events.peekable();
    let first = events.next()?;
    // One alone need not be compared.
    if events.peek().is_none() {
        return Some(first);
    }
    let mut best = (shares(&first), first);
    for event in events {
        let own = shares(&event);
        if own > best.0 {
            best = (own, event);
        }
    }
    Some(best.1)
}

impl Contexts {
    /// Notes a shape, and what is read of its events.
    pub fn shape(&mut self, shape: &EventShape, interest: &Interest) {
        let read = interest.want;
        let is_shown = (0..shape.positional).all(|place| read.has(place));
        let is_heard_of = !read.is_none() || interest.steps;
        let form = Form { read, is_shown, is_heard_of };
        let number = *self.numbers.entry(form).or_insert_with(|| {
            self.all_forms.push(form);
            self.all_forms.len() as u32 - 1
        });
        self.forms.push(number);
    }

    /// Whether some rule hears of events of each shape.
    pub fn heard_of(&self) -> Vec<bool> {
        self.forms.iter().map(|number| self.all_forms[*number as usize].is_heard_of).collect()
    }

    /// A new trace begins: its points have nothing to do with earlier ones.
    pub fn begin_trace(&mut self, trace: u64) {
        self.context.trace = trace;
        self.open.clear();
        self.last.clear();
        self.end = None;
    }

    /// The trace is over: what the last point showed is complete now.
    pub fn end_trace(&mut self, last: &Last, shapes: &EventShapes, values: &Values) {
        let known = self.find(last.number());
        let mut time = None;
        let mut number = None;
        let mut events = Vec::new();
        if let Some((kept, place)) = known {
            time = kept.time(place).cloned();
            number = kept.events(place).next().map(|(number, ..)| number);
            let shown = kept.events(place).filter(|(_, shape, _)| self.form(*shape).is_shown);
            events.extend(shown.map(|(number, shape, arguments)| {
                let mut term = String::new();
                term_of(&shapes.get(shape.index()), arguments, values, &mut term);
                let read = arguments.iter().enumerate().filter(|(place, _)| self.form(shape).read.has(*place));
                let texts = read.map(|(_, &atom)| values.text(atom).into_owned()).collect();
                EndEvent { number, term, texts }
            }));
        }
        for (number, shape, texts) in last.dropped() {
            // What was not read of an event is known now.
            events.retain(|known| known.number != number);
            let shape = &shapes.get(shape.index());
            let term = Term { name: &shape.name, values: &texts[..shape.positional] }.to_string();
            events.push(EndEvent { number, term, texts: texts.into_iter().map(str::to_owned).collect() });
        }
        events.sort_by_key(|event| event.number);
        let number = number.into_iter().chain(events.first().map(|event| event.number)).min();
        let time = time.or_else(|| last.time().cloned());
        self.end = Some(End { point: last.number(), time, number, events });
    }

    /// Keeps what may be reported later of a batch that is gone by then.
    pub fn keep(&mut self, points: &Points, judges: &[AssignedJudge]) {
        let waiting: Vec<_> = judges.iter().map(|own| &own.judge).filter(|judge| judge.open_points() > 0).collect();
        // Most properties leave no point open: then no point has to be looked at.
        self.places.clear();
        waiting.iter().for_each(|judge| judge.open_among(points, &mut self.places));
        if waiting.len() > 1 {
            self.places.sort_unstable();
            self.places.dedup();
        }
        self.places.iter().for_each(|place| self.open.push(points.point(*place)));
        let count: usize = waiting.iter().map(|judge| judge.open_points()).sum();
        if self.open.len() > 2 * count + SLACK && self.open.weight() > GRANTED {
            self.open.retain(|point| waiting.iter().any(|judge| judge.is_open(point)));
        }
        self.last.clear();
        points.last().into_iter().for_each(|point| self.last.push(point));
    }

    /// Marks the values of the points that are kept.
    pub fn mark(&self, live: &mut LiveValues) {
        [&self.open, &self.last].into_iter().flat_map(Kept::atoms).for_each(|atom| live.mark(*atom));
    }

    /// What the trace showed at the point of a violation, in the current batch or among those that were kept. Of its events, it
    /// has the one that the violation is about.
    pub fn of(
        &mut self,
        violation: &Violation,
        batch: Option<&Points>,
        shapes: &EventShapes,
        values: &Values,
    ) -> &Context {
        let mut context = std::mem::take(&mut self.context);
        context.clear();
        self.fill(&mut context, violation, batch, shapes, values);
        self.context = context;
        &self.context
    }

    fn fill(
        &self,
        context: &mut Context,
        violation: &Violation,
        batch: Option<&Points>,
        shapes: &EventShapes,
        values: &Values,
    ) {
        if let Some(point) = batch.and_then(|batch| batch.find(violation.point)) {
            let events = (0..point.len()).map(|index| {
                let (shape, arguments) = point.event(index);
                (point.event_number(index), shape, arguments)
            });
            context.time = point.time.cloned();
            return self.choose(context, violation, events, shapes, values);
        }
        if let Some(end) = self.end.as_ref().filter(|end| end.point == violation.point) {
            (context.time, context.number) = (end.time.clone(), end.number);
            let carries =
                |event: &&EndEvent| shares(violation, |value| event.texts.iter().any(|text| is_written(value, text)));
            if let Some(event) = best(end.events.iter(), carries) {
                context.number = Some(event.number);
                context.event.push_str(&event.term);
            }
            return;
        }
        if let Some((kept, place)) = self.find(violation.point) {
            context.time = kept.time(place).cloned();
            self.choose(context, violation, kept.events(place), shapes, values);
        }
    }

    /// A point that was kept, and its place.
    fn find(&self, point: u64) -> Option<(&Kept, usize)> {
        [&self.open, &self.last].into_iter().find_map(|kept| Some((kept, kept.find(point)?)))
    }

    /// Shows the event that a violation is about.
    fn choose<'e>(
        &self,
        context: &mut Context,
        violation: &Violation,
        events: impl Iterator<Item = (u64, ShapeId, &'e [Atom])>,
        shapes: &EventShapes,
        values: &Values,
    ) {
        let mut events = events.peekable();
        context.number = events.peek().map(|(number, ..)| *number);
        let shown = events.filter(|(_, shape, _)| self.form(*shape).is_shown);
        let carries = |(_, shape, arguments): &(u64, ShapeId, &[Atom])| {
            let read = self.form(*shape).read;
            let is_among = |value: &Value| {
                let mut atoms = arguments.iter().enumerate().filter(|(place, _)| read.has(*place));
                atoms.any(|(_, atom)| is_written_as(value, *atom, values))
            };
            shares(violation, is_among)
        };
        if let Some((number, shape, arguments)) = best(shown, carries) {
            context.number = Some(number);
            term_of(&shapes.get(shape.index()), arguments, values, &mut context.event);
        }
    }

    /// Writes the points that may be reported later: shapes by their numbers, values by their texts.
    pub fn write(&self, judges: &[AssignedJudge], values: &Values, out: &mut Writer) {
        let is_open = |point: u64| judges.iter().any(|own| own.judge.is_open(point));
        for kept in [&self.open, &self.last] {
            let is_last = std::ptr::eq(kept, &self.last);
            let places: Vec<usize> = (0..kept.len()).filter(|&place| is_last || is_open(kept.number(place))).collect();
            out.length(places.len());
            places.into_iter().for_each(|place| self.write_point(kept, place, values, out));
        }
    }

    fn write_point(&self, kept: &Kept, place: usize, values: &Values, out: &mut Writer) {
        out.number(kept.number(place));
        out.truth(kept.time(place).is_some());
        kept.time(place).into_iter().for_each(|time| out.exact(time));
        out.length(kept.events(place).count());
        for (number, shape, arguments) in kept.events(place) {
            out.number(number);
            out.length(shape.index());
            out.truth(self.form(shape).is_shown);
            out.length(arguments.len());
            arguments.iter().for_each(|atom| out.text(&values.text(*atom)));
        }
    }

    /// Reads what was written, when all shapes of that time are known.
    pub fn read(&mut self, reader: &mut Reader, values: &mut Values) -> Result<(), Damaged> {
        for is_last in [false, true] {
            let mut points = Points::new(1);
            let mut newest = 0;
            for _ in 0..reader.length()? {
                newest = self.read_point(newest, &mut points, reader, values)?;
            }
            let kept = if is_last { &mut self.last } else { &mut self.open };
            points.iter().for_each(|point| kept.push(point));
        }
        if reader.is_done() { Ok(()) } else { Err(Damaged) }
    }

    /// Reads a point that comes after `newest`; tells its number.
    fn read_point(
        &self,
        newest: u64,
        points: &mut Points,
        reader: &mut Reader,
        values: &mut Values,
    ) -> Result<u64, Damaged> {
        let point = reader.number()?;
        let time = if reader.truth()? { Some(reader.exact()?) } else { None };
        for _ in 0..reader.length()? {
            let (number, shape) = (reader.number()?, reader.small()?);
            let was_shown = reader.truth()?;
            let atoms = reader.list(|reader| Ok(values.intern(reader.text()?)))?;
            let Some(form) = self.forms.get(shape as usize) else { return Err(Damaged) };
            // What was not read then is not there to be shown now.
            if was_shown || !self.all_forms[*form as usize].is_shown {
                points.push_event(ShapeId(shape), number, &atoms);
            }
        }
        points.end_point(point, time);
        if point > newest { Ok(point) } else { Err(Damaged) }
    }

    fn form(&self, shape: ShapeId) -> &Form {
        &self.all_forms[self.forms[shape.index()] as usize]
    }
}

/// Writes an event in abstract form behind a text. Arguments that were not read are missing.
pub fn term_of(shape: &EventShape, arguments: &[Atom], values: &Values, out: &mut String) {
    out.push_str(&Term::head(&shape.name));
    for (place, &atom) in arguments.iter().take(shape.positional).enumerate() {
        if place > 0 {
            out.push(',');
        }
        match atom.as_integer() {
            Some(integer) => push_integer(integer, out),
            None => Term::push_value(&values.text(atom), out),
        }
    }
    out.push(')');
}
