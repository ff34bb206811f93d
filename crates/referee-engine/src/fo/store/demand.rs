//! Demands on the future that are open: rows that wait for a goal, a failure, a deadline or the end.
//!
//! ```text
//!   at a point:  1 deadlines that have passed     2 goals that are reached
//!                3 what must hold and does not    4 demands that open, unless they are settled at once
//!   openings     row ─▶ the points at which it was opened, oldest first
//!   deadlines    oldest opening of all ─▶ newest
//! ```
//!
//! A row is a binding; its openings are the points at which it was opened and is not settled yet. They are settled oldest
//! first, by goal and by deadline, so a list per row and one queue for all deadlines do. How old a point is tells a
//! [`Clock`]. Of a property that is judged once, a row has one opening, the first, unless a goal settles only those that
//! are old enough, or time settles the old ones first. Rows whose openings are settled stay in their table for a while, as it costs less to open them again
//! there: the table has candidates, the openings tell which of them count. When such rows are many, they go, between two
//! points: somebody may be going through the table, and violations are told with their values.

mod codec;

use std::collections::VecDeque;

use referee_trace::number::Number;

use crate::fo::store::clock::Clock;
use crate::fo::store::per_point::PerPoint;
use crate::fo::store::row::Row;
use crate::fo::store::table::RowTable;
use crate::fo::types::store_shape::DemandShape;

/// No opening.
const NONE: u32 = u32::MAX;

/// How many settled rows may stay. More would be cold in memory by the time they go, which costs more than it spares: of
/// the jobs of the suite, which are opened once each, an event took 145 instead of 110 ns.
const FEW: usize = 1 << 10;

/// The bit of a row's oldest opening that tells that the row is among those that may have to go.
const PARKED: u64 = 1 << 63;

/// The openings of a row: the oldest, and the others.
#[derive(Debug, Clone, Copy)]
struct Openings {
    /// The point of the oldest, or 0 if there is none, and [`PARKED`].
    first: u64,
    next: u32,
    last: u32,
}

const SETTLED: Openings = Openings { first: 0, next: NONE, last: NONE };

/// The open demands of one branch.
#[derive(Debug)]
pub(crate) struct Demands {
    shape: DemandShape,
    /// By row.
    openings: Vec<Openings>,
    /// Further openings of rows: the point, and the one behind it. Those of no row are linked from `free`.
    further: Vec<(u64, u32)>,
    free: u32,
    /// The ages of openings, where they matter.
    clock: Option<Clock>,
    /// The openings that have a deadline, in order: some are settled already.
    deadlines: VecDeque<(u64, Row)>,
    /// The rows that were opened at this point and speak of the next one.
    pub fresh: Vec<Row>,
    /// The rows that may have no opening any more.
    parked: Vec<Row>,
    /// The openings that were found to be violated at this point.
    pub violated: Vec<(Row, u64)>,
    /// How many openings there are in all.
    pub open: u64,
    /// How many openings there are of each point, where reports need to know.
    pub points: PerPoint,
}

impl Demands {
    /// None yet.
    pub(crate) fn new(shape: DemandShape) -> Demands {
        Demands {
            openings: Vec::new(),
            further: Vec::new(),
            free: NONE,
            clock: (!shape.interval.is_all()).then(|| Clock::new(shape.interval.clone())),
            deadlines: VecDeque::new(),
            fresh: Vec::new(),
            parked: Vec::new(),
            violated: Vec::new(),
            open: 0,
            points: PerPoint::default(),
            shape,
        }
    }

    /// Opens a demand, unless the row has one that counts for it.
    #[inline(always)]
    pub(crate) fn open(&mut self, row: Row, point: u64, now: &Number) {
        self.make_room(row);
        if !self.is_settled(row) && (self.shape.single || self.newest(row) == point) {
            return;
        }
        self.append(row, point);
        self.open += 1;
        if let Some(clock) = &mut self.clock {
            clock.note(point, now);
            if self.shape.interval.high.is_some() {
                self.deadlines.push_back((point, row));
            }
        }
        if self.shape.shown {
            self.points.add(point);
        }
    }

    #[inline(always)]
    fn make_room(&mut self, row: Row) {
        if self.openings.len() <= row as usize {
            self.openings.resize(row as usize + 1, SETTLED);
        }
    }

    /// The point of the newest opening of a row that has one.
    fn newest(&self, row: Row) -> u64 {
        let Openings { first, last, .. } = self.openings[row as usize];
        if last == NONE { first & !PARKED } else { self.further[last as usize].0 }
    }

    #[inline]
    fn append(&mut self, row: Row, point: u64) {
        let own = &mut self.openings[row as usize];
        if own.first & !PARKED == 0 {
            own.first |= point;
            return;
        }
        let entry = match self.free {
            NONE => {
                self.further.push((point, NONE));
                self.further.len() as u32 - 1
            }
            free => {
                self.free = std::mem::replace(&mut self.further[free as usize], (point, NONE)).1;
                free
            }
        };
        let row = &mut self.openings[row as usize];
        match row.last {
            NONE => row.next = entry,
            last => self.further[last as usize].1 = entry,
        }
        row.last = entry;
    }

    /// Takes the oldest opening of a row that has one.
    #[inline(always)]
    fn take(&mut self, row: Row) -> u64 {
        let own = &mut self.openings[row as usize];
        let (point, parked) = (own.first & !PARKED, own.first & PARKED);
        match own.next {
            NONE => own.first = parked,
            next => {
                let (second, behind) = self.further[next as usize];
                let last = if behind == NONE { NONE } else { own.last };
                *own = Openings { first: second | parked, next: behind, last };
                self.further[next as usize].1 = self.free;
                self.free = next;
            }
        }
        self.open -= 1;
        if self.shape.shown {
            self.points.take(point);
        }
        point
    }

    /// The point of the oldest opening of a row; 0 if there is none.
    #[inline(always)]
    fn oldest(&self, row: Row) -> u64 {
        self.openings.get(row as usize).map_or(0, |own| own.first & !PARKED)
    }

    /// Lets time pass: openings whose deadline has passed are settled.
    #[inline]
    pub(crate) fn pass(&mut self, now: &Number) {
        if self.clock.as_mut().is_some_and(|clock| clock.advance(now)) {
            self.expire();
        }
    }

    #[inline(never)]
    fn expire(&mut self) {
        let first_within = self.clock.as_ref().map_or(0, Clock::first_within);
        while let Some((point, row)) = self.deadlines.front().copied().filter(|(point, _)| *point < first_within) {
            self.deadlines.pop_front();
            if self.oldest(row) == point {
                self.take(row);
                self.park(row);
                if !self.shape.forbidden {
                    self.violated.push((row, point));
                }
            }
        }
    }

    /// The goal of a row is reached: openings that are old enough are settled.
    #[inline(always)]
    pub(crate) fn meet(&mut self, row: Row) {
        let young = self.clock.as_ref().map_or(u64::MAX, Clock::first_young);
        self.settle_before(row, young, self.shape.forbidden);
    }

    /// The goal of a row is reached, and what had to come before it did so at a point: later openings are not settled.
    pub(crate) fn relay(&mut self, row: Row, latest: u64) {
        self.settle_before(row, latest + 1, self.shape.forbidden);
    }

    /// What must hold of a row fails.
    #[inline]
    pub(crate) fn fail(&mut self, row: Row) {
        self.settle_before(row, u64::MAX, !self.shape.forbidden);
    }

    /// Notes that a row may have to go.
    #[inline(always)]
    fn park(&mut self, row: Row) {
        let own = &mut self.openings[row as usize];
        if own.first & PARKED == 0 {
            own.first |= PARKED;
            self.parked.push(row);
        }
    }

    #[inline(always)]
    fn settle_before(&mut self, row: Row, end: u64, is_violation: bool) {
        if self.is_settled(row) {
            return;
        }
        while (1..end).contains(&self.oldest(row)) {
            let point = self.take(row);
            if is_violation {
                self.violated.push((row, point));
            }
        }
        self.park(row);
    }

    /// A demand is violated as it is opened.
    pub(crate) fn break_at_once(&mut self, row: Row, point: u64) {
        self.violated.push((row, point));
        self.make_room(row);
        self.park(row);
    }

    /// Settles the oldest opening of a row; tells its point.
    pub(crate) fn any(&mut self, row: Row) -> Option<u64> {
        (self.oldest(row) > 0).then(|| self.take(row))
    }

    /// The openings of a row.
    pub(crate) fn openings(&self, row: Row) -> impl Iterator<Item = u64> {
        let own = self.openings.get(row as usize).filter(|own| own.first & !PARKED > 0);
        let first = own.map(|own| (own.first & !PARKED, own.next));
        std::iter::successors(first, |(_, next)| self.further.get(*next as usize).copied()).map(|(point, _)| point)
    }

    /// Whether a row has no opening.
    #[inline(always)]
    pub(crate) fn is_settled(&self, row: Row) -> bool {
        self.oldest(row) == 0
    }

    /// Whether many rows may be settled.
    #[inline(always)]
    pub(crate) fn has_many_settled(&self) -> bool {
        self.parked.len() > FEW
    }

    /// How many rows are in their table though they are settled.
    pub(crate) fn idle(&self) -> usize {
        self.parked.iter().filter(|row| self.is_settled(**row)).count()
    }

    /// Drops all rows that are settled from their table.
    #[inline(never)]
    pub(crate) fn drop_settled(&mut self, table: &mut RowTable) {
        while let Some(row) = self.parked.pop() {
            self.openings[row as usize].first &= !PARKED;
            if self.is_settled(row) {
                table.remove(row);
            }
        }
        if self.deadlines.len() as u64 > 2 * self.open + FEW as u64 {
            self.drop_settled_deadlines();
        }
    }

    /// Drops the deadlines of openings that are settled, and the times that only these needed: where the deadline is far away, they would
    /// be many.
    fn drop_settled_deadlines(&mut self) {
        let openings = &self.openings;
        // Openings are settled oldest first, and whoever uses a row again opens it later.
        self.deadlines.retain(|(point, row)| {
            let oldest = openings[*row as usize].first & !PARKED;
            oldest > 0 && oldest <= *point
        });
        self.deadlines.shrink_to(2 * self.deadlines.len() + FEW);
        if let Some(clock) = &mut self.clock {
            clock.keep_only(self.deadlines.iter().map(|(point, _)| *point));
        }
    }
}

#[cfg(test)]
mod tests {
    use referee_spec::core::Interval;
    use referee_trace::values::Values;

    use super::*;

    /// Rows that are settled may stay, and are opened again; when they are many, they go, and only they.
    #[test]
    fn settled_rows_go_when_they_are_many() {
        let shape = DemandShape {
            view: 0,
            is_awaited: false,
            interval: Interval::all(),
            forbidden: false,
            single: true,
            shown: false,
        };
        let (mut demands, mut table) = (Demands::new(shape), RowTable::new(1, false, false, false));
        let mut values = Values::new();
        let count = 4 * FEW as u64;
        let words: Vec<u64> = (0..=count).map(|key| values.intern(&key.to_string()).word()).collect();
        for key in 1..=count {
            let (row, _) = table.insert(&[words[key as usize]]);
            demands.open(row, key, &Number::ZERO);
            if key % 4 > 0 {
                demands.meet(row);
            }
            if key % 4 == 3 {
                demands.open(row, key, &Number::ZERO);
            }
            if demands.has_many_settled() {
                demands.drop_settled(&mut table);
            }
        }
        assert_eq!(demands.open, count / 2);
        assert_eq!(table.len() - demands.idle(), demands.open as usize);
        assert!(demands.idle() <= FEW);
        for key in 1..=count {
            let is_open = table.find(&[words[key as usize]]).is_some_and(|row| !demands.is_settled(row));
            assert_eq!(is_open, matches!(key % 4, 0 | 3), "{key}");
        }
        demands.drop_settled(&mut table);
        assert_eq!((table.len() as u64, demands.idle()), (count / 2, 0));
    }
}
