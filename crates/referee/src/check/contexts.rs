//! What the trace showed at points that are reported, or may be.
//!
//! Points of the current batch are at hand. Of earlier ones, those whose verdict is open are kept until it is not, and
//! the last one, which the end of the trace may be reported for; as atoms, not as texts.

use std::collections::HashMap;

use referee_engine::Seated;
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::points::{Interest, Last, PointView, Points};
use referee_trace::raw::{ShapeId, Want};
use referee_trace::values::{Atom, Values};
use referee_trace::write::Term;

use super::report::Context;

/// How many points may be kept in vain.
const SLACK: usize = 64;

/// The points that may be reported.
pub struct Contexts {
    trace: u64,
    shapes: Vec<EventShape>,
    /// What is read of the events of a shape. Those of which some positional argument is not read are not shown.
    read: Vec<Want>,
    open: HashMap<u64, Kept>,
    last: Option<(u64, Kept)>,
    /// The last point of the trace when it is over, with events that nobody reads.
    end: Option<(u64, Context)>,
}

/// An event's number, shape and arguments.
type KeptEvent = (u64, ShapeId, Box<[Atom]>);

/// A point that is no longer at hand.
struct Kept {
    time: Option<Number>,
    events: Box<[KeptEvent]>,
}

impl Kept {
    fn new(point: PointView<'_>) -> Kept {
        let event = |index| {
            let (shape, arguments) = point.event(index);
            (point.event_number(index), shape, arguments.into())
        };
        Kept { time: point.time.cloned(), events: (0..point.len()).map(event).collect() }
    }
}

impl Default for Contexts {
    fn default() -> Contexts {
        Contexts { trace: 1, shapes: Vec::new(), read: Vec::new(), open: HashMap::new(), last: None, end: None }
    }
}

impl Contexts {
    /// Notes a shape, and what is read of its events.
    pub fn shape(&mut self, shape: &EventShape, interest: &Interest) {
        self.read.push(interest.want);
        self.shapes.push(shape.clone());
    }

    /// All shapes of the pass.
    pub fn shapes(&self) -> &[EventShape] {
        &self.shapes
    }

    /// All shapes of the pass, when it is over.
    pub fn take_shapes(&mut self) -> Vec<EventShape> {
        std::mem::take(&mut self.shapes)
    }

    /// A new trace begins: its points have nothing to do with earlier ones.
    pub fn begin_trace(&mut self, trace: u64) {
        self.trace = trace;
        self.open.clear();
        (self.last, self.end) = (None, None);
    }

    /// The trace is over: what the last point showed is complete now.
    pub fn end_trace(&mut self, last: &Last, values: &Values) {
        let Context { trace, time, number, mut events } = self.of(last.number(), None, values);
        for (number, shape, texts) in last.dropped() {
            // What was not read of an event is known now.
            events.retain(|(known, ..)| *known != number);
            let shape = &self.shapes[shape.index()];
            let term = Term { name: &shape.name, values: &texts[..shape.positional] }.to_string();
            events.push((number, term, texts.into_iter().map(str::to_owned).collect()));
        }
        events.sort_by_key(|(number, ..)| *number);
        let number = number.into_iter().chain(events.first().map(|(number, ..)| *number)).min();
        let time = time.or_else(|| last.time().cloned());
        self.end = Some((last.number(), Context { trace, time, number, events }));
    }

    /// Keeps what may be reported later of a batch that is gone by then.
    pub fn keep(&mut self, points: &Points, seats: &[Seated]) {
        let waiting: Vec<_> = seats.iter().map(|seat| &seat.judge).filter(|judge| judge.open_points() > 0).collect();
        for point in points.iter() {
            if waiting.iter().any(|judge| judge.is_open(point.number)) {
                self.open.insert(point.number, Kept::new(point));
            }
        }
        let count: usize = waiting.iter().map(|judge| judge.open_points()).sum();
        if self.open.len() > 2 * count + SLACK {
            self.open.retain(|point, _| waiting.iter().any(|judge| judge.is_open(*point)));
        }
        self.last = points.last().map(|point| (point.number, Kept::new(point)));
    }

    /// What the trace showed at a point of the current batch, or at one that was kept.
    pub fn of(&self, point: u64, batch: Option<&Points>, values: &Values) -> Context {
        if let Some(point) = batch.and_then(|batch| batch.find(point)) {
            let events = (0..point.len()).map(|index| {
                let (shape, arguments) = point.event(index);
                (point.event_number(index), shape, arguments)
            });
            return self.context(point.time, events, values);
        }
        if let Some((_, end)) = self.end.as_ref().filter(|(number, _)| *number == point) {
            return end.clone();
        }
        let last = self.last.as_ref().filter(|(number, _)| *number == point).map(|(_, kept)| kept);
        match self.open.get(&point).or(last) {
            Some(kept) => {
                let events = kept.events.iter().map(|(number, shape, arguments)| (*number, *shape, &**arguments));
                self.context(kept.time.as_ref(), events, values)
            }
            None => Context { trace: self.trace, time: None, number: None, events: Vec::new() },
        }
    }

    fn context<'e>(
        &self,
        time: Option<&Number>,
        events: impl Iterator<Item = (u64, ShapeId, &'e [Atom])>,
        values: &Values,
    ) -> Context {
        let mut events = events.peekable();
        let number = events.peek().map(|(number, ..)| *number);
        let shown = events.filter(|(_, shape, _)| self.is_shown(*shape));
        let events = shown.map(|(number, shape, arguments)| {
            let read = arguments.iter().enumerate().filter(|(place, _)| self.read[shape.index()].has(*place));
            let texts = read.map(|(_, &atom)| values.text(atom).into_owned()).collect();
            (number, self.term(shape, arguments, values), texts)
        });
        Context { trace: self.trace, time: time.cloned(), number, events: events.collect() }
    }

    /// Whether all that the abstract form shows of such events is read.
    fn is_shown(&self, shape: ShapeId) -> bool {
        (0..self.shapes[shape.index()].positional).all(|place| self.read[shape.index()].has(place))
    }

    /// An event in abstract form.
    pub fn term(&self, shape: ShapeId, arguments: &[Atom], values: &Values) -> String {
        let shape = &self.shapes[shape.index()];
        let texts: Vec<_> = arguments[..shape.positional].iter().map(|&atom| values.text(atom)).collect();
        let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
        Term { name: &shape.name, values: &texts }.to_string()
    }
}
