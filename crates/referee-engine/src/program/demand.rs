//! Demands on the future that are open: rows that wait for a goal, a failure, a deadline or the end.
//!
//! ```text
//!   at a point:  1 deadlines that have passed     2 goals that are reached
//!                3 what must hold and does not    4 demands that open, unless they are settled at once
//! ```
//!
//! A row is a binding; its openings are the points at which it was opened and is not settled yet, oldest first. They are
//! settled oldest first too, by goal and by deadline, so a queue per row and one for all deadlines do. Of a property that
//! is judged once, a row has one opening, the first, unless a goal settles only those that are old enough.

use std::collections::{HashMap, VecDeque};

use foldhash::fast::FixedState;
use referee_spec::core::Interval;
use referee_trace::number::Number;

use super::table::{Row, Table};

/// Where and when a demand was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The point.
    pub point: u64,
    /// Its time.
    pub time: Number,
}

/// How a demand is opened.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// Whether a row has one opening only.
    pub single: bool,
    /// Whether reports need to know which points have openings.
    pub shown: bool,
    /// Whether it has a deadline.
    pub bounded: bool,
}

/// The open demands of one branch.
#[derive(Debug, Default)]
pub struct Demands {
    /// By row.
    openings: Vec<VecDeque<Opening>>,
    deadlines: VecDeque<(Row, Opening)>,
    /// The rows that were opened at this point and speak of the next one.
    pub fresh: Vec<Row>,
    /// The rows that were settled as soon as they were opened.
    pub settled_now: Vec<Row>,
    /// How many openings there are in all.
    pub open: u64,
    /// How many openings there are of each point, where reports need to know.
    pub points: HashMap<u64, u32, FixedState>,
}

impl Demands {
    /// Opens a demand.
    pub fn open(&mut self, row: Row, opening: Opening, how: Manner) {
        if self.openings.len() <= row as usize {
            self.openings.resize_with(row as usize + 1, VecDeque::new);
        }
        let queue = &mut self.openings[row as usize];
        if queue.back().is_some_and(|last| how.single || last.point == opening.point) {
            return;
        }
        if how.bounded {
            self.deadlines.push_back((row, opening.clone()));
        }
        if how.shown {
            *self.points.entry(opening.point).or_default() += 1;
        }
        queue.push_back(opening);
        self.open += 1;
    }

    /// Takes the oldest opening of a row if it is the one with this point, or whichever it is.
    fn take(&mut self, row: Row, point: Option<u64>) -> Option<Opening> {
        let queue = self.openings.get_mut(row as usize)?;
        if point.is_some_and(|point| queue.front().is_none_or(|first| first.point != point)) {
            return None;
        }
        let opening = queue.pop_front()?;
        self.open -= 1;
        if let Some(count) = self.points.get_mut(&opening.point) {
            *count -= 1;
            if *count == 0 {
                self.points.remove(&opening.point);
            }
        }
        Some(opening)
    }

    /// Takes the next opening whose deadline has passed.
    pub fn expired(&mut self, interval: &Interval, now: &Number) -> Option<(Row, Opening)> {
        while let Some((row, opening)) = self.deadlines.front() {
            if !interval.is_before(&now.sub(&opening.time)) {
                return None;
            }
            let (row, point) = (*row, opening.point);
            self.deadlines.pop_front();
            if let Some(opening) = self.take(row, Some(point)) {
                return Some((row, opening));
            }
        }
        None
    }

    /// Takes the next opening of a row that this moment can settle: it is old enough.
    pub fn settled(&mut self, row: Row, interval: &Interval, now: &Number) -> Option<Opening> {
        let first = self.openings.get(row as usize)?.front()?;
        if !interval.contains(&now.sub(&first.time)) {
            return None;
        }
        self.take(row, None)
    }

    /// Takes the next opening of a row if it is not younger than a point.
    pub fn relayed(&mut self, row: Row, latest: u64) -> Option<Opening> {
        let first = self.openings.get(row as usize)?.front()?;
        if first.point > latest {
            return None;
        }
        self.take(row, None)
    }

    /// Takes the next opening of a row.
    pub fn any(&mut self, row: Row) -> Option<Opening> {
        self.take(row, None)
    }

    /// The openings of a row.
    pub fn openings(&self, row: Row) -> impl Iterator<Item = &Opening> {
        self.openings.get(row as usize).into_iter().flatten()
    }

    /// Whether a row has no opening.
    pub fn is_settled(&self, row: Row) -> bool {
        self.openings.get(row as usize).is_none_or(VecDeque::is_empty)
    }

    /// Drops a row that has no opening from its table.
    pub fn sweep(&self, row: Row, table: &mut Table) {
        if self.is_settled(row) {
            table.remove(row);
        }
    }
}
