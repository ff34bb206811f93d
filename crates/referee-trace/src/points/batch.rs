//! Points, their events and the arguments of these, in three arrays.

use crate::number::Number;
use crate::raw::ShapeId;
use crate::values::Atom;

/// Some hundred events and their points.
///
/// The arrays are overwritten, never shrunk: what they hold behind the last point, event or atom means nothing.
#[derive(Debug, Clone)]
pub struct Points {
    pub(super) trace: u64,
    pub(super) point_count: usize,
    pub(super) event_count: usize,
    pub(super) atom_count: usize,
    pub(super) points: Vec<PointRow>,
    pub(super) events: Vec<EventRow>,
    pub(super) atoms: Vec<Atom>,
    /// The times of the points; empty if no point of the batch has one.
    pub(super) times: Vec<Option<Number>>,
    /// The shapes of events that were dropped, with the number of points before them.
    pub(super) dropped: Vec<(u32, ShapeId)>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PointRow {
    pub(super) number: u64,
    /// Where its events end.
    pub(super) end: u32,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct EventRow {
    pub(super) number: u64,
    pub(super) shape: ShapeId,
    /// Where its arguments end.
    pub(super) end: u32,
}

/// The events of points that have exactly one each.
#[derive(Debug, Clone, Copy)]
pub struct SingleEvents<'p> {
    points: &'p [PointRow],
    events: &'p [EventRow],
    atoms: &'p [Atom],
}

impl<'p> SingleEvents<'p> {
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

/// Filling a batch by hand, for those whose events are values already.
impl Points {
    /// No points yet of a trace of the input, which are counted from 1.
    pub fn new(trace: u64) -> Points {
        Points {
            trace,
            point_count: 0,
            event_count: 0,
            atom_count: 0,
            points: Vec::new(),
            events: Vec::new(),
            atoms: Vec::new(),
            times: Vec::new(),
            dropped: Vec::new(),
        }
    }

    /// Appends an event to the point that is ended next. It has a value for each argument of its shape.
    #[inline(always)]
    pub fn push_event(&mut self, shape: ShapeId, number: u64, arguments: &[Atom]) {
        let end = self.atom_count + arguments.len();
        if self.atoms.len() < end {
            self.atoms.resize(end, Atom::boolean(false));
        }
        let own = &mut self.atoms[self.atom_count..end];
        // Most events have one argument or two: to call for the copying of a few words takes longer than to copy them.
        match (own, arguments) {
            ([own], [one]) => *own = *one,
            ([own, second], [one, two]) => (*own, *second) = (*one, *two),
            (own, arguments) => own.copy_from_slice(arguments),
        }
        self.atom_count = end;
        let row = EventRow { number, shape, end: end as u32 };
        match self.events.get_mut(self.event_count) {
            Some(place) => *place = row,
            None => self.events.push(row),
        }
        self.event_count += 1;
    }

    /// Ends a point with all events since the last one. Its number is greater than those before.
    #[inline(always)]
    pub fn end_point(&mut self, number: u64, time: Option<Number>) {
        let row = PointRow { number, end: self.event_count as u32 };
        if time.is_some() || !self.times.is_empty() {
            if self.times.len() < self.point_count {
                self.times.resize(self.point_count, None);
            }
            self.times.push(time);
        }
        match self.points.get_mut(self.point_count) {
            Some(place) => *place = row,
            None => self.points.push(row),
        }
        self.point_count += 1;
    }

    /// Empties it for points of a trace.
    #[inline]
    pub fn clear(&mut self, trace: u64) {
        self.trace = trace;
        (self.point_count, self.event_count, self.atom_count) = (0, 0, 0);
        if !self.times.is_empty() {
            self.times.clear();
        }
        self.dropped.clear();
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
    pub fn single_events(&self) -> Option<SingleEvents<'_>> {
        if self.point_count == 1 {
            return self.only_event();
        }
        let points = &self.points[..self.point_count];
        // All are looked at, without a branch for each.
        let odd = points.iter().zip(1u32..).fold(0, |odd, (point, number)| odd | (point.end ^ number));
        let (events, atoms) = (&self.events[..self.event_count], self.atoms());
        (odd == 0).then_some(SingleEvents { points, events, atoms })
    }

    /// The event of the only point, if it has exactly one: what programs hand over one by one is to cost no loops.
    #[inline]
    fn only_event(&self) -> Option<SingleEvents<'_>> {
        let ([point, ..], [event, ..]) = (&self.points[..], &self.events[..]) else { return None };
        let (points, events) = (std::slice::from_ref(point), std::slice::from_ref(event));
        (self.event_count == 1 && point.end == 1).then_some(SingleEvents { points, events, atoms: self.atoms() })
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
