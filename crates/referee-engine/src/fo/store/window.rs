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
//!
//! Of an interval that begins with now, only the newest witness of a row matters: it lies within as long as any does.
//! Then a row has a stamp, the point of that witness, and counts as long as the stamp is not before the first point
//! within the interval ([`NewestWindow`], by a [`Clock`]): no witness has to be followed one by one. When the left side
//! fails, the row gets a stamp before all points. What does not count any more is swept out when a table has grown by a
//! quarter, so hardly more rows than those of the window are kept; rows that nobody lists are no more than a stamp in
//! an array, and wait until the sweep is worth its while. Where somebody must be told when a row ceases to count, the
//! queue does so.

mod codec;

use std::collections::VecDeque;

use referee_spec::core::Interval;
use referee_trace::number::Number;

use crate::fo::store::clock::Clock;
use crate::fo::store::row::Row;
use crate::fo::store::table::RowTable;

/// What keeps the rows of a view in time.
#[derive(Debug)]
pub(crate) enum RowWindow {
    /// By the newest witness of each row.
    Newest(NewestWindow),
    /// By all witnesses.
    Queue(QueueWindow),
}

/// The rows of an interval that begins with now.
#[derive(Debug)]
pub(crate) struct NewestWindow {
    clock: Clock,
    /// With how many rows the table is swept.
    sweep: usize,
}

/// The fewest rows that are swept.
const FEWEST: usize = 64;

impl NewestWindow {
    /// No points yet.
    pub(crate) fn new(interval: Interval) -> NewestWindow {
        NewestWindow { clock: Clock::new(interval), sweep: FEWEST }
    }

    /// A witness of the row with a key comes.
    #[inline(always)]
    pub(crate) fn add(&mut self, table: &mut RowTable, key: &[u64], point: u64, now: &Number) {
        table.put(key, point, true);
        self.note(table, point, now);
    }

    /// The same of a key of a known number of words.
    #[inline(always)]
    pub(crate) fn add_words<const WORDS: usize>(
        &mut self,
        table: &mut RowTable,
        key: &[u64; WORDS],
        point: u64,
        now: &Number,
    ) {
        table.put_words(key, point, true);
        self.note(table, point, now);
    }

    /// Notes that a witness has come.
    #[inline(always)]
    fn note(&mut self, table: &mut RowTable, point: u64, now: &Number) {
        if self.clock.note(point, now) {
            table.set_floor(self.clock.first_within());
        }
        if table.len() >= self.sweep {
            self.sweep_out(table);
        }
    }

    /// The left side fails of the row with a key.
    #[inline(always)]
    pub(crate) fn forget(&self, table: &mut RowTable, key: &[u64]) {
        table.forget_stamp(key);
    }

    /// Lets time pass.
    #[inline(always)]
    pub(crate) fn advance(&mut self, table: &mut RowTable, now: &Number) {
        if self.clock.advance(now) {
            table.set_floor(self.clock.first_within());
        }
    }

    #[inline(never)]
    fn sweep_out(&mut self, table: &mut RowTable) {
        let effort = table.sweep();
        // As many rows must come as the next sweep takes a small multiple of, also where it goes through places without
        // rows.
        self.sweep = FEWEST.max(table.len() + (table.len() / 4).max(effort / 16));
    }
}

/// The witnesses of one view.
#[derive(Debug)]
pub(crate) struct QueueWindow {
    interval: Interval,
    queue: VecDeque<(Number, Row, u32)>,
    /// How many at the front of the queue are within the interval.
    within: usize,
}

impl QueueWindow {
    /// No witnesses yet.
    pub(crate) fn new(interval: Interval) -> QueueWindow {
        QueueWindow { interval, queue: VecDeque::new(), within: 0 }
    }

    /// Adds a witness to a row.
    pub(crate) fn add(&mut self, table: &mut RowTable, row: Row, now: &Number) {
        let Some(witnesses) = table.witnesses(row) else { return };
        witnesses.waiting += 1;
        self.queue.push_back((now.clone(), row, witnesses.epoch));
    }

    /// Lets all witnesses of a row go.
    pub(crate) fn forget(&mut self, table: &mut RowTable, row: Row) {
        if let Some(witnesses) = table.witnesses(row) {
            witnesses.live = 0;
            witnesses.waiting = 0;
            witnesses.epoch = witnesses.epoch.wrapping_add(1);
        }
        table.remove(row);
    }

    /// Lets time pass; calls `changed` for rows that begin or cease to count, before those that cease are removed.
    pub(crate) fn advance(&mut self, table: &mut RowTable, now: &Number, mut changed: impl FnMut(&RowTable, Row)) {
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

#[cfg(test)]
mod tests {
    use referee_testing::seeds;

    use super::*;

    /// Numbers in no order, the same each time.
    struct Rng(u64);

    impl Rng {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % limit
        }
    }

    fn counts(table: &RowTable, key: u64) -> bool {
        table.find(&[key]).is_some_and(|row| table.is_true(row))
    }

    /// The newest witnesses alone, and all of them, keep the same rows: with times that are integers or not, an end that belongs
    /// to the interval or not, and so many rows that some are swept out.
    #[test]
    fn the_newest_witness_tells_what_all_tell() {
        for seed in seeds(40) {
            let mut rng = Rng(seed);
            let high = Number::parse(["7", "7.5", "0"][rng.below(3) as usize]).expect("a number");
            let interval =
                Interval { low: Number::ZERO, low_included: true, high: Some(high), high_included: rng.below(2) == 0 };
            if !crate::fo::types::is_newest_enough(&interval) {
                assert_eq!(interval.high, Some(Number::ZERO), "only `[0, 0)` is left to the queue");
                continue;
            }
            let (mut recent, mut queue) = (NewestWindow::new(interval.clone()), QueueWindow::new(interval));
            let newest = if seed % 2 == 0 { RowTable::of_recent(1) } else { RowTable::of_recent_stamps() };
            let (mut newest, mut all) = (newest, RowTable::new(1, false, false, true));
            let (mut now, keys) = (Number::ZERO, [5, 300][rng.below(2) as usize]);
            for point in 1..3000 {
                let step = Number::parse(["0", "0", "0", "1", "0.5", "4"][rng.below(6) as usize]).expect("a number");
                now = now.add(&step);
                recent.advance(&mut newest, &now);
                queue.advance(&mut all, &now, |_, _| {});
                let key = rng.below(keys);
                if rng.below(4) == 0 {
                    recent.forget(&mut newest, &[key]);
                    all.find(&[key]).into_iter().for_each(|row| queue.forget(&mut all, row));
                } else {
                    recent.add(&mut newest, &[key], point, &now);
                    let (row, _) = all.insert(&[key]);
                    queue.add(&mut all, row, &now);
                    queue.advance(&mut all, &now, |_, _| {});
                }
                let asked = rng.below(keys);
                assert_eq!(counts(&newest, asked), counts(&all, asked), "seed {seed}, point {point}, key {asked}");
                assert!(newest.len() <= FEWEST.max(2 * keys as usize), "rows that do not count are swept out");
            }
        }
    }
}
