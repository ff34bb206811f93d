//! A batch that is being filled, with the texts that wait for their atoms.
//!
//! Filling needs no table of values, so that whoever reads need not be whoever looks up.

use super::batch::{EventRow, PointRow, Points};
use super::handling::{Fate, Handling};
use crate::error::{Fault, Flow};
use crate::event::{Event, Point};
use crate::number::{Number, parse_short};
use crate::raw::{IntegerRows, RowHead, ShapeId};
use crate::values::{Atom, Class, Pending, Shorts, Values, classify};

/// How many bytes of texts may wait before a batch is handed over early.
pub(super) const WAITING: usize = 1 << 20;
/// How many dropped events may be remembered before a batch is handed over early.
const DROPPED: usize = 1 << 12;

/// A batch that is being filled.
#[derive(Debug)]
pub struct BatchDraft {
    pub(super) points: Points,
    strings: Pending,
    numbers: Pending,
    /// The short texts that were looked up lately.
    shorts: Shorts,
    /// Whether so much waits that the batch must be handed over early.
    is_heavy: bool,
}

impl BatchDraft {
    /// An empty batch that is full after so many points or events.
    pub(super) fn new(trace: u64, size: usize) -> BatchDraft {
        let points = Points {
            trace,
            point_count: 0,
            event_count: 0,
            atom_count: 0,
            points: vec![PointRow::default(); size],
            events: vec![EventRow::default(); size],
            atoms: vec![Atom::boolean(false); size],
            times: Vec::new(),
            dropped: Vec::new(),
        };
        let (strings, numbers) = (Pending::default(), Pending::default());
        BatchDraft { points, strings, numbers, shorts: Shorts::default(), is_heavy: false }
    }

    /// Whether it must be handed over.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        let size = self.points.points.len();
        self.points.point_count >= size || self.points.event_count >= size || self.is_heavy
    }

    /// Whether so much waits that it must be handed over early.
    #[inline(always)]
    pub(super) fn is_heavy(&self) -> bool {
        self.is_heavy
    }

    /// How many events there are.
    #[inline(always)]
    pub(super) fn event_count(&self) -> usize {
        self.points.event_count
    }

    /// Appends an event if those of its arguments that are read are all short integers; tells whether it could.
    ///
    /// No function is called here, so no register has to be saved.
    #[inline(always)]
    pub(super) fn push_integers(&mut self, event: &Event<'_>, wants: impl Fn(usize) -> bool) -> bool {
        let Points { event_count, atom_count, events, atoms, .. } = &mut self.points;
        let end = *atom_count + event.arguments.len();
        let Some(row) = events.get_mut(*event_count) else { return false };
        let Some(places) = atoms.get_mut(*atom_count..end) else { return false };
        for (index, (text, place)) in event.arguments.iter().zip(places).enumerate() {
            if !wants(index) {
                *place = Atom::boolean(false);
                continue;
            }
            match parse_short(text.as_bytes()) {
                Some(integer) => *place = Atom::small(integer),
                None => return false,
            }
        }
        *row = EventRow { number: event.number, shape: event.shape, end: end as u32 };
        *event_count += 1;
        *atom_count = end;
        true
    }

    /// Whether a point is of the same trace, and neither it nor one before has a time.
    #[inline(always)]
    pub(super) fn is_plain(&self, point: &Point<'_>) -> bool {
        point.trace == self.points.trace && point.time.is_none() && self.points.times.is_empty()
    }

    /// Appends an event whose arguments are what they look like; those that are not read are `false`. A number that is too large is a
    /// fault.
    #[inline(always)]
    pub(super) fn push_texts(&mut self, event: &Event<'_>, wants: impl Fn(usize) -> bool) -> Flow {
        let first = self.make_room(event.arguments.len());
        let end = first + event.arguments.len();
        let BatchDraft { points, strings, numbers, is_heavy, .. } = self;
        for (argument, text) in event.arguments.iter().enumerate() {
            let place = first + argument;
            if !wants(argument) {
                points.atoms[place] = Atom::boolean(false);
                continue;
            }
            match classify(text) {
                Class::Atom(known) => points.atoms[place] = known,
                Class::String => strings.push_in_column(text, place, argument),
                Class::Number => numbers.push(text, place),
                Class::TooLarge => return Err(Fault::too_large(text, event.offset).into()),
            }
        }
        points.events[points.event_count] = EventRow { number: event.number, shape: event.shape, end: end as u32 };
        points.event_count += 1;
        points.atom_count = end;
        *is_heavy |= strings.size() >= WAITING || numbers.size() >= WAITING;
        Ok(())
    }

    /// Appends a plain point with one such event.
    #[inline(always)]
    pub(super) fn push_single_texts(&mut self, point: u64, event: &Event<'_>, wants: impl Fn(usize) -> bool) -> Flow {
        self.push_texts(event, wants)?;
        let Points { point_count, event_count, points, .. } = &mut self.points;
        points[*point_count] = PointRow { number: point, end: *event_count as u32 };
        *point_count += 1;
        Ok(())
    }

    /// Appends a point with one event, if what is read of it are short integers; tells whether it could.
    #[inline(always)]
    pub(super) fn push_single_integers(
        &mut self,
        point: &Point<'_>,
        event: &Event<'_>,
        wants: impl Fn(usize) -> bool,
    ) -> bool {
        if !self.is_plain(point) || !self.push_integers(event, wants) {
            return false;
        }
        let Points { point_count, event_count, points, .. } = &mut self.points;
        points[*point_count] = PointRow { number: point.number, end: *event_count as u32 };
        *point_count += 1;
        true
    }

    /// Whether these rows can be appended.
    pub(super) fn has_room(&self, rows: &IntegerRows) -> bool {
        let Points { point_count, event_count, atom_count, points, events, atoms, .. } = &self.points;
        let fits = |count: usize, room: usize, more: usize| count == 0 || count + more <= room;
        fits(*point_count, points.len(), rows.len())
            && fits(*event_count, events.len(), rows.len())
            && fits(*atom_count, atoms.len(), rows.values().len())
    }

    /// Appends points with one event each, for which there is room, and tells the shape of each.
    #[inline(always)]
    pub(super) fn push_all(
        &mut self,
        first: &Point<'_>,
        number: u64,
        rows: &mut IntegerRows,
        mut tell: impl FnMut(ShapeId),
    ) {
        let before = self.take_values(rows);
        self.take_times(rows);
        let Points { point_count, event_count, points, events, .. } = &mut self.points;
        let places = points[*point_count..].iter_mut().zip(&mut events[*event_count..]);
        let mut count = 0;
        for ((point, event), head) in places.zip(rows.heads()) {
            tell(head.shape);
            *event = EventRow { number: number + count, shape: head.shape, end: before + head.end };
            *point = PointRow { number: first.number + count, end: (*event_count as u64 + count) as u32 + 1 };
            count += 1;
        }
        *point_count += count as usize;
        *event_count += count as usize;
        for &text in rows.texts() {
            self.take_short((before + text) as usize);
        }
        rows.clear();
    }

    /// The same, without those that are dropped.
    pub(super) fn push_some(
        &mut self,
        first: &Point<'_>,
        number: u64,
        rows: &mut IntegerRows,
        fate: impl Fn(ShapeId, &[Atom]) -> Fate,
    ) {
        let room = self.points.atom_count + rows.values().len();
        if self.points.atoms.len() < room {
            self.points.atoms.resize(room, Atom::boolean(false));
        }
        let mut times = std::mem::take(&mut rows.times);
        let mut first_value = 0;
        for (index, &RowHead { shape, end, .. }) in rows.heads().iter().enumerate() {
            let values = &rows.values()[first_value as usize..end as usize];
            first_value = end;
            match fate(shape, values) {
                Fate::Keep => self.push_atoms(shape, number + index as u64, values),
                Fate::DropEvent => self.drop(shape),
                Fate::DropPoint => {
                    self.drop(shape);
                    continue;
                }
            }
            self.end_point(first.number + index as u64, &mut times.get_mut(index).and_then(Option::take));
        }
        times.clear();
        rows.times = times;
        rows.clear();
    }

    /// Takes over the times of rows, if some point has one.
    fn take_times(&mut self, rows: &mut IntegerRows) {
        let Points { point_count, times, .. } = &mut self.points;
        if rows.times.is_empty() && times.is_empty() {
            return;
        }
        times.resize(*point_count, None);
        times.append(&mut rows.times);
        times.resize(*point_count + rows.len(), None);
    }

    /// Takes over the values of rows; tells how many there were before.
    fn take_values(&mut self, rows: &mut IntegerRows) -> u32 {
        let Points { atom_count, atoms, .. } = &mut self.points;
        let before = *atom_count;
        if before == 0 {
            *atom_count = rows.swap_values(atoms);
        } else {
            let values = rows.values();
            atoms[before..before + values.len()].copy_from_slice(values);
            *atom_count += values.len();
        }
        before as u32
    }

    /// Appends any event; arguments that are not read are `false`. A number that is too large is a fault.
    #[inline(never)]
    pub(super) fn push(&mut self, event: &Event<'_>, handling: &Handling, wants: impl Fn(usize) -> bool) -> Flow {
        let first = self.make_room(event.arguments.len());
        let BatchDraft { points, strings, numbers, .. } = self;
        let end = first + event.arguments.len();
        for (argument, (text, atom)) in event.arguments.iter().zip(&mut points.atoms[first..end]).enumerate() {
            *atom = Atom::boolean(false);
            if !wants(argument) {
                continue;
            }
            let class = if handling.is_string(argument) { Class::String } else { classify(text) };
            match class {
                Class::Atom(known) => *atom = known,
                Class::String => strings.push_in_column(text, first + argument, argument),
                Class::Number => numbers.push(text, first + argument),
                Class::TooLarge => return Err(Fault::too_large(text, event.offset).into()),
            }
        }
        points.events[points.event_count] = EventRow { number: event.number, shape: event.shape, end: end as u32 };
        points.event_count += 1;
        points.atom_count = end;
        self.is_heavy |= strings.size() >= WAITING || numbers.size() >= WAITING;
        Ok(())
    }

    /// Appends an event whose arguments are known.
    #[inline(always)]
    pub(super) fn push_atoms(&mut self, shape: ShapeId, number: u64, values: &[Atom]) {
        let first = self.make_room(values.len());
        let Points { event_count, atom_count, events, atoms, .. } = &mut self.points;
        *atom_count = first + values.len();
        let mut has_shorts = false;
        for (atom, value) in atoms[first..*atom_count].iter_mut().zip(values) {
            *atom = *value;
            has_shorts |= value.is_short();
        }
        events[*event_count] = EventRow { number, shape, end: *atom_count as u32 };
        *event_count += 1;
        if has_shorts {
            self.take_shorts(first);
        }
    }

    /// Looks up the short texts from this place on.
    #[inline(never)]
    fn take_shorts(&mut self, first: usize) {
        for place in first..self.points.atom_count {
            if self.points.atoms[place].is_short() {
                self.take_short(place);
            }
        }
    }

    /// Looks up a short text at this place; if it is not known, it waits with the others, and its word stays there until then.
    #[inline]
    fn take_short(&mut self, place: usize) {
        let short = self.points.atoms[place];
        match self.shorts.get(short) {
            Some(atom) => self.points.atoms[place] = atom,
            None => {
                short.with_short_text(|text| self.strings.push(text, place));
                self.is_heavy |= self.strings.size() >= WAITING;
            }
        }
    }

    /// Makes room for an event with so many arguments; tells where they begin.
    #[inline(always)]
    fn make_room(&mut self, arguments: usize) -> usize {
        let Points { event_count, atom_count, events, atoms, .. } = &self.points;
        if *event_count == events.len() || atoms.len() - *atom_count < arguments {
            self.grow(arguments);
        }
        self.points.atom_count
    }

    #[cold]
    fn grow(&mut self, arguments: usize) {
        let Points { events, atoms, .. } = &mut self.points;
        events.resize(2 * events.len(), EventRow::default());
        atoms.resize(2 * atoms.len() + arguments, Atom::boolean(false));
    }

    /// Notes an event that was dropped. Before the first point nobody asks for it.
    #[inline(always)]
    pub(super) fn drop(&mut self, shape: ShapeId) {
        if self.points.point_count > 0 {
            self.note_dropped(shape);
        }
    }

    #[inline(never)]
    fn note_dropped(&mut self, shape: ShapeId) {
        self.points.dropped.push((self.points.point_count as u32, shape));
        self.is_heavy |= self.points.dropped.len() >= DROPPED;
    }

    /// Ends a point with all events since the last one.
    #[inline(always)]
    pub(super) fn end_point(&mut self, number: u64, time: &mut Option<Number>) {
        let Points { point_count, event_count, points, times, .. } = &mut self.points;
        points[*point_count] = PointRow { number, end: *event_count as u32 };
        if time.is_some() || !times.is_empty() {
            push_time(times, *point_count, time.take());
        }
        *point_count += 1;
    }

    /// Looks up everything that waits.
    pub(super) fn resolve(&mut self, values: &mut Values) {
        let atoms = &mut self.points.atoms;
        self.shorts.renew(&mut atoms[..self.points.atom_count], values);
        if !self.strings.is_empty() {
            values.resolve(&mut self.strings, |place, atom| {
                if atoms[place].is_short() {
                    self.shorts.keep(atoms[place], atom);
                }
                atoms[place] = atom;
            });
        }
        if !self.numbers.is_empty() {
            values.resolve_numbers(&mut self.numbers, |place, atom| atoms[place] = atom);
        }
    }

    /// Empties it for points of a trace.
    pub(super) fn clear(&mut self, trace: u64) {
        self.is_heavy = false;
        let points = &mut self.points;
        points.trace = trace;
        (points.point_count, points.event_count, points.atom_count) = (0, 0, 0);
        points.times.clear();
        points.dropped.clear();
    }
}

/// Notes the time of the point at `index`; points before it had none if nothing was noted.
#[inline]
fn push_time(times: &mut Vec<Option<Number>>, index: usize, time: Option<Number>) {
    if times.len() < index {
        times.resize(index, None);
    }
    times.push(time);
}
