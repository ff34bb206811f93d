//! What the trace showed at points that are reported, or may be.
//!
//! Points of the current batch are at hand. Of earlier ones, those whose verdict is open are kept until it is not, and
//! the last one, which the end of the trace may be reported for; as atoms, not as texts. They lie one after the other, as in a
//! batch, and are found by their numbers. When many of them are no longer open, the others are moved together: nothing is allocated
//! per point, and there are never more than twice as many as are open.

use referee_engine::Seated;
use referee_spec::core::Violation;
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::points::{Interest, Last, PointView, Points};
use referee_trace::raw::{ShapeId, Want};
use referee_trace::value::Value;
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
    open: Kept,
    last: Kept,
    /// The last point of the trace when it is over, with events that nobody reads.
    end: Option<(u64, Context)>,
}

/// The values that a violation is about, as texts; and as integers, where the text is what an integer is written as.
struct About(Vec<(String, Option<i64>)>);

impl About {
    fn new(violation: &Violation) -> About {
        let texts = violation.bindings.iter().flatten().map(Value::to_string);
        let with_integer = |text: String| {
            let integer = text.parse().ok().filter(|integer: &i64| integer.to_string() == text);
            (text, integer)
        };
        About(texts.map(with_integer).collect())
    }

    /// How many of the values are among the arguments that are read.
    fn shares(&self, arguments: &[Atom], read: Want, values: &Values) -> usize {
        let is_among = |(text, integer): &&(String, Option<i64>)| {
            let read = arguments.iter().enumerate().filter(|(place, _)| read.has(*place));
            { read }.any(|(_, atom)| match atom.as_integer() {
                Some(own) => *integer == Some(own),
                None => values.text(*atom) == **text,
            })
        };
        self.0.iter().filter(is_among).count()
    }
}

/// Points that are no longer at hand, in order.
#[derive(Default)]
struct Kept {
    points: Vec<KeptPoint>,
    events: Vec<KeptEvent>,
    atoms: Vec<Atom>,
}

struct KeptPoint {
    number: u64,
    time: Option<Number>,
    /// Where its events end.
    end: usize,
}

#[derive(Clone, Copy)]
struct KeptEvent {
    number: u64,
    shape: ShapeId,
    /// Where its arguments end.
    end: usize,
}

impl Kept {
    fn clear(&mut self) {
        self.points.clear();
        self.events.clear();
        self.atoms.clear();
    }

    /// Keeps a point that comes after the others.
    fn push(&mut self, point: PointView<'_>) {
        for (index, (shape, arguments)) in point.events().enumerate() {
            self.atoms.extend_from_slice(arguments);
            self.events.push(KeptEvent { number: point.event_number(index), shape, end: self.atoms.len() });
        }
        self.points.push(KeptPoint { number: point.number, time: point.time.cloned(), end: self.events.len() });
    }

    /// The place of a point.
    fn find(&self, number: u64) -> Option<usize> {
        self.points.binary_search_by_key(&number, |point| point.number).ok()
    }

    /// Number, shape and arguments of the events of a point by its place.
    fn events(&self, place: usize) -> impl Iterator<Item = (u64, ShapeId, &[Atom])> {
        let start = place.checked_sub(1).map_or(0, |before| self.points[before].end);
        (start..self.points[place].end).map(|event| {
            let KeptEvent { number, shape, end } = self.events[event];
            (number, shape, &self.atoms[self.atom_start(event)..end])
        })
    }

    fn atom_start(&self, event: usize) -> usize {
        event.checked_sub(1).map_or(0, |before| self.events[before].end)
    }

    /// Keeps only some points, and moves them together.
    fn retain(&mut self, keeps: impl Fn(u64) -> bool) {
        let (mut points, mut events, mut atoms, mut start) = (0, 0, 0, 0);
        for place in 0..self.points.len() {
            let own = std::mem::replace(&mut start, self.points[place].end)..self.points[place].end;
            if !keeps(self.points[place].number) {
                continue;
            }
            // What is moved lies before what is yet to be read.
            let first = self.atom_start(own.start);
            let last = self.atom_start(own.end);
            let shift = first - atoms;
            self.atoms.copy_within(first..last, atoms);
            atoms += last - first;
            for event in own {
                self.events[events] = KeptEvent { end: self.events[event].end - shift, ..self.events[event] };
                events += 1;
            }
            self.points.swap(points, place);
            self.points[points].end = events;
            points += 1;
        }
        self.points.truncate(points);
        self.events.truncate(events);
        self.atoms.truncate(atoms);
    }
}

impl Default for Contexts {
    fn default() -> Contexts {
        Contexts {
            trace: 1,
            shapes: Vec::new(),
            read: Vec::new(),
            open: Kept::default(),
            last: Kept::default(),
            end: None,
        }
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
        self.last.clear();
        self.end = None;
    }

    /// The trace is over: what the last point showed is complete now.
    pub fn end_trace(&mut self, last: &Last, values: &Values) {
        let Context { trace, time, number, mut events } = self.at(last.number(), None, None, values);
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
        // Most properties leave no point open: then no point has to be looked at.
        let asked = if waiting.is_empty() { 0 } else { points.len() };
        for point in points.iter().take(asked) {
            if waiting.iter().any(|judge| judge.is_open(point.number)) {
                self.open.push(point);
            }
        }
        let count: usize = waiting.iter().map(|judge| judge.open_points()).sum();
        if self.open.points.len() > 2 * count + SLACK {
            self.open.retain(|point| waiting.iter().any(|judge| judge.is_open(point)));
        }
        self.last.clear();
        points.last().into_iter().for_each(|point| self.last.push(point));
    }

    /// What the trace showed at the point of a violation, in the current batch or among those that were kept. Of its events, it
    /// has the one that the violation is about.
    pub fn of(&self, violation: &Violation, batch: Option<&Points>, values: &Values) -> Context {
        let about = About::new(violation);
        self.at(violation.point, batch, Some(&about), values)
    }

    fn at(&self, point: u64, batch: Option<&Points>, about: Option<&About>, values: &Values) -> Context {
        if let Some(point) = batch.and_then(|batch| batch.find(point)) {
            let events = (0..point.len()).map(|index| {
                let (shape, arguments) = point.event(index);
                (point.event_number(index), shape, arguments)
            });
            return self.context(point.time, events, about, values);
        }
        if let Some((_, end)) = self.end.as_ref().filter(|(number, _)| *number == point) {
            return end.clone();
        }
        let found = [&self.open, &self.last].into_iter().find_map(|kept| Some((kept, kept.find(point)?)));
        match found {
            Some((kept, place)) => self.context(kept.points[place].time.as_ref(), kept.events(place), about, values),
            None => Context { trace: self.trace, time: None, number: None, events: Vec::new() },
        }
    }

    fn context<'e>(
        &self,
        time: Option<&Number>,
        events: impl Iterator<Item = (u64, ShapeId, &'e [Atom])>,
        about: Option<&About>,
        values: &Values,
    ) -> Context {
        let mut events = events.peekable();
        let number = events.peek().map(|(number, ..)| *number);
        let mut shown: Vec<_> = events.filter(|(_, shape, _)| self.is_shown(*shape)).collect();
        if let Some(about) = about.filter(|_| shown.len() > 1) {
            let shares = |(_, shape, arguments): &(u64, ShapeId, &[Atom])| {
                about.shares(arguments, self.read[shape.index()], values)
            };
            // Of equals the first is taken.
            let best = shown.iter().copied().rev().max_by_key(shares);
            shown.clear();
            shown.extend(best);
        }
        let events = shown.into_iter().map(|(number, shape, arguments)| {
            let read = arguments.iter().enumerate().filter(|(place, _)| self.read[shape.index()].has(*place));
            // What was chosen need not be chosen again.
            let texts = match about {
                Some(_) => Vec::new(),
                None => read.map(|(_, &atom)| values.text(atom).into_owned()).collect(),
            };
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
