//! Windows: rows whose witnesses count from one age to another.
//!
//! ```text
//!   queue   oldest ───────────────────────────▶ newest
//!           │ within the interval │ too young  │
//!           └ leaves when too old └ matured
//! ```
//!
//! All witnesses of a view share one interval, so both ends move along one queue: amortised O(1) per witness. A row
//! counts as long as one of its witnesses is within the interval. When the left side fails, the row's epoch goes up, and
//! its witnesses in the queue no longer count.

use std::collections::VecDeque;

use referee_spec::core::Interval;
use referee_trace::number::Number;

use super::table::{Row, Table};

/// The queue of one view.
#[derive(Debug)]
pub struct Window {
    interval: Interval,
    queue: VecDeque<(Number, Row, u32)>,
    /// How many at the front of the queue are within the interval.
    within: usize,
}

impl Window {
    /// An empty window.
    pub fn new(interval: Interval) -> Window {
        Window { interval, queue: VecDeque::new(), within: 0 }
    }

    /// Adds a witness to a row.
    pub fn add(&mut self, table: &mut Table, row: Row, now: &Number) {
        let Some(witnesses) = table.witnesses(row) else { return };
        witnesses.waiting += 1;
        self.queue.push_back((now.clone(), row, witnesses.epoch));
    }

    /// Lets all witnesses of a row go.
    pub fn forget(&mut self, table: &mut Table, row: Row) {
        if let Some(witnesses) = table.witnesses(row) {
            witnesses.live = 0;
            witnesses.waiting = 0;
            witnesses.epoch = witnesses.epoch.wrapping_add(1);
        }
        table.remove(row);
    }

    /// Lets time pass; calls `changed` for rows that begin or cease to count, before those that cease are removed.
    pub fn advance(&mut self, table: &mut Table, now: &Number, mut changed: impl FnMut(&Table, Row)) {
        while let Some((time, row, epoch)) = self.queue.get(self.within) {
            let age = now.sub(time);
            if !self.interval.contains(&age) && !self.interval.is_before(&age) {
                break;
            }
            let (row, epoch) = (*row, *epoch);
            let counts = table.witnesses(row).filter(|witnesses| witnesses.epoch == epoch).map(|witnesses| {
                witnesses.live += 1;
                witnesses.live
            });
            match self.interval.high {
                Some(_) => self.within += 1,
                // Nothing gets too old: the row remembers that there was a witness, and the queue need not.
                None => {
                    self.queue.pop_front();
                    if let (Some(_), Some(witnesses)) = (counts, table.witnesses(row)) {
                        witnesses.waiting -= 1;
                    }
                }
            }
            if counts == Some(1) {
                changed(table, row);
            }
        }
        while self.within > 0 {
            let Some((time, row, epoch)) = self.queue.front() else { break };
            if !self.interval.is_before(&now.sub(time)) {
                break;
            }
            let (row, epoch) = (*row, *epoch);
            self.queue.pop_front();
            self.within -= 1;
            let left = table.witnesses(row).filter(|witnesses| witnesses.epoch == epoch).map(|witnesses| {
                witnesses.live -= 1;
                witnesses.waiting -= 1;
                *witnesses
            });
            if let Some(left) = left {
                if left.live == 0 {
                    changed(table, row);
                }
                if left.live == 0 && left.waiting == 0 {
                    if let Some(witnesses) = table.witnesses(row) {
                        witnesses.epoch = witnesses.epoch.wrapping_add(1);
                    }
                    table.remove(row);
                }
            }
        }
    }
}
