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
//! are old enough. Rows whose openings are settled stay in their table until the point is judged: somebody may be going
//! through it, and violations are told with their values.

use std::collections::VecDeque;

use referee_spec::core::Interval;
use referee_trace::number::Number;

use super::clock::Clock;
use super::per_point::PerPoint;
use super::table::{Row, Table};

/// No opening.
const NONE: u32 = u32::MAX;

/// What all demands of one branch have in common.
#[derive(Debug, Clone)]
pub struct Terms {
    /// Durations from an opening to its goal.
    pub interval: Interval,
    /// Whether reaching the goal is the violation.
    pub forbidden: bool,
    /// Whether a row has one opening only.
    pub single: bool,
    /// Whether reports need to know which points have openings.
    pub shown: bool,
}

/// The openings of a row: the oldest, and the others.
#[derive(Debug, Clone, Copy)]
struct Openings {
    /// The point of the oldest; 0 if there is none.
    first: u64,
    next: u32,
    last: u32,
}

const SETTLED: Openings = Openings { first: 0, next: NONE, last: NONE };

/// The open demands of one branch.
#[derive(Debug)]
pub struct Demands {
    terms: Terms,
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
    /// The rows of which some opening was settled at this point.
    touched: Vec<Row>,
    /// The openings that were found to be violated at this point.
    pub broken: Vec<(Row, u64)>,
    /// How many openings there are in all.
    pub open: u64,
    /// How many openings there are of each point, where reports need to know.
    pub points: PerPoint,
}

impl Demands {
    /// None yet.
    pub fn new(terms: Terms) -> Demands {
        Demands {
            openings: Vec::new(),
            further: Vec::new(),
            free: NONE,
            clock: (!terms.interval.is_all()).then(|| Clock::new(terms.interval.clone())),
            deadlines: VecDeque::new(),
            fresh: Vec::new(),
            touched: Vec::new(),
            broken: Vec::new(),
            open: 0,
            points: PerPoint::default(),
            terms,
        }
    }

    /// Opens a demand, unless the row has one that counts for it.
    #[inline]
    pub fn open(&mut self, row: Row, point: u64, now: &Number) {
        if self.openings.len() <= row as usize {
            self.openings.resize(row as usize + 1, SETTLED);
        }
        if !self.is_settled(row) && (self.terms.single || self.newest(row) == point) {
            return;
        }
        self.append(row, point);
        self.open += 1;
        if let Some(clock) = &mut self.clock {
            clock.note(point, now);
            if self.terms.interval.high.is_some() {
                self.deadlines.push_back((point, row));
            }
        }
        if self.terms.shown {
            self.points.add(point);
        }
    }

    /// The point of the newest opening of a row that has one.
    fn newest(&self, row: Row) -> u64 {
        let Openings { first, last, .. } = self.openings[row as usize];
        if last == NONE { first } else { self.further[last as usize].0 }
    }

    #[inline]
    fn append(&mut self, row: Row, point: u64) {
        if self.openings[row as usize].first == 0 {
            self.openings[row as usize].first = point;
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
    #[inline]
    fn take(&mut self, row: Row) -> u64 {
        let own = &mut self.openings[row as usize];
        let point = own.first;
        match own.next {
            NONE => *own = SETTLED,
            next => {
                let (second, behind) = self.further[next as usize];
                *own = Openings { first: second, next: behind, last: if behind == NONE { NONE } else { own.last } };
                self.further[next as usize].1 = self.free;
                self.free = next;
            }
        }
        self.open -= 1;
        if self.terms.shown {
            self.points.take(point);
        }
        point
    }

    /// The point of the oldest opening of a row; 0 if there is none.
    #[inline]
    fn oldest(&self, row: Row) -> u64 {
        self.openings.get(row as usize).map_or(0, |own| own.first)
    }

    /// Lets time pass: openings whose deadline has passed are settled.
    #[inline]
    pub fn pass(&mut self, now: &Number) {
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
                self.touched.push(row);
                if !self.terms.forbidden {
                    self.broken.push((row, point));
                }
            }
        }
    }

    /// The goal of a row is reached: openings that are old enough are settled.
    #[inline]
    pub fn meet(&mut self, row: Row) {
        let young = self.clock.as_ref().map_or(u64::MAX, Clock::first_young);
        self.settle_before(row, young, self.terms.forbidden);
    }

    /// The goal of a row is reached, and what had to come before it did so at a point: later openings are not settled.
    pub fn relay(&mut self, row: Row, latest: u64) {
        self.settle_before(row, latest + 1, self.terms.forbidden);
    }

    /// What must hold of a row fails.
    #[inline]
    pub fn fail(&mut self, row: Row) {
        self.settle_before(row, u64::MAX, !self.terms.forbidden);
    }

    #[inline]
    fn settle_before(&mut self, row: Row, end: u64, is_violation: bool) {
        while (1..end).contains(&self.oldest(row)) {
            let point = self.take(row);
            if is_violation {
                self.broken.push((row, point));
            }
        }
        self.touched.push(row);
    }

    /// A demand is violated as it is opened.
    pub fn break_at_once(&mut self, row: Row, point: u64) {
        self.broken.push((row, point));
        self.touched.push(row);
    }

    /// Settles the oldest opening of a row; tells its point.
    pub fn any(&mut self, row: Row) -> Option<u64> {
        (self.oldest(row) > 0).then(|| self.take(row))
    }

    /// The openings of a row.
    pub fn openings(&self, row: Row) -> impl Iterator<Item = u64> {
        let own = self.openings.get(row as usize).filter(|own| own.first > 0);
        let first = own.map(|own| (own.first, own.next));
        std::iter::successors(first, |(_, next)| self.further.get(*next as usize).copied()).map(|(point, _)| point)
    }

    /// Whether a row has no opening.
    #[inline]
    pub fn is_settled(&self, row: Row) -> bool {
        self.oldest(row) == 0
    }

    /// Drops the rows that were settled at this point from their table.
    #[inline]
    pub fn sweep(&mut self, table: &mut Table) {
        while let Some(row) = self.touched.pop() {
            if self.is_settled(row) {
                table.remove(row);
            }
        }
    }
}
