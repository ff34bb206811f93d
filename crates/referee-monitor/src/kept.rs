//! Points that are no longer at hand, one after the other as in a batch.

use referee_trace::number::Number;
use referee_trace::points::PointView;
use referee_trace::raw::ShapeId;
use referee_trace::values::Atom;

/// Points that are no longer at hand, in order.
#[derive(Default)]
pub(crate) struct Kept {
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
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.points.clear();
        self.events.clear();
        self.atoms.clear();
    }

    /// Keeps a point that comes after the others.
    pub(crate) fn push(&mut self, point: PointView<'_>) {
        let before = self.atoms.len();
        self.atoms.extend_from_slice(point.atoms());
        for (index, (shape, end)) in point.ends().enumerate() {
            self.events.push(KeptEvent { number: point.event_number(index), shape, end: before + end as usize });
        }
        self.points.push(KeptPoint { number: point.number, time: point.time.cloned(), end: self.events.len() });
    }

    /// The arguments of all events.
    pub(crate) fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// The number of a point by its place.
    pub(crate) fn number(&self, place: usize) -> u64 {
        self.points[place].number
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// How much there is of them: all points, events and arguments.
    pub(crate) fn weight(&self) -> usize {
        self.points.len() + self.events.len() + self.atoms.len()
    }

    /// The time of a point by its place.
    pub(crate) fn time(&self, place: usize) -> Option<&Number> {
        self.points[place].time.as_ref()
    }

    /// The place of a point.
    pub(crate) fn find(&self, number: u64) -> Option<usize> {
        self.points.binary_search_by_key(&number, |point| point.number).ok()
    }

    /// Number, shape and arguments of the events of a point by its place.
    pub(crate) fn events(&self, place: usize) -> impl Iterator<Item = (u64, ShapeId, &[Atom])> {
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
    pub(crate) fn retain(&mut self, keeps: impl Fn(u64) -> bool) {
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
