//! How many of something there are at each point, for points that come in order.
//!
//! ```text
//!   early   7 ─▶ 1, 12 ─▶ 3                    a few that stayed
//!   counts           40  41  42  43  44 …      the others, by the distance from the first
//! ```
//!
//! Most go in the order in which they came, so the points from the first to the last that have some are hardly more than
//! those that have some: an array of counts needs no hash. Where the first of them stay, they are moved to a table before
//! the array gets longer than [`SPREAD`] times what it counts.

use std::collections::{HashMap, VecDeque};

use foldhash::fast::FixedState;

/// How long the array may be per point that has some.
const SPREAD: usize = 8;
/// How long it may be in any case.
const GRANTED: usize = 1024;

/// How many there are at each point.
#[derive(Debug, Default)]
pub(crate) struct PerPoint {
    early: HashMap<u64, u32, FixedState>,
    /// The point of the first count.
    start: u64,
    counts: VecDeque<u32>,
    /// How many counts of the array are not zero.
    used: usize,
}

impl PerPoint {
    /// One more at a point, which is the last that has some, or comes behind it.
    #[inline]
    pub(crate) fn add(&mut self, point: u64) {
        if self.counts.is_empty() {
            self.start = point;
        }
        match self.place(point) {
            Some(count) => {
                *count += 1;
                self.used += usize::from(*count == 1);
            }
            None => self.append(point),
        }
    }

    #[inline(never)]
    fn append(&mut self, point: u64) {
        if point < self.start {
            // No point comes before others, but a damaged state may say that they have been.
            *self.early.entry(point).or_default() += 1;
            return;
        }
        let limit = SPREAD.saturating_mul(self.used + 1) + GRANTED;
        let len = |start: u64| usize::try_from(point - start).unwrap_or(usize::MAX).saturating_add(1);
        while len(self.start) > limit && !self.counts.is_empty() {
            self.leave_first();
        }
        if self.counts.is_empty() {
            self.start = point;
        }
        self.counts.resize(len(self.start), 0);
        self.counts.back_mut().into_iter().for_each(|count| *count = 1);
        self.used += 1;
    }

    /// Moves the first count out of the array.
    fn leave_first(&mut self) {
        if let Some(count @ 1..) = self.counts.pop_front() {
            self.early.insert(self.start, count);
            self.used -= 1;
        }
        self.start += 1;
    }

    #[inline]
    fn place(&mut self, point: u64) -> Option<&mut u32> {
        self.counts.get_mut(usize::try_from(point.checked_sub(self.start)?).ok()?)
    }

    /// One less at a point that has some.
    #[inline]
    pub(crate) fn take(&mut self, point: u64) {
        match self.place(point) {
            Some(count) => {
                *count -= 1;
                if *count == 0 {
                    self.used -= 1;
                    self.drop_zeros();
                }
            }
            None => self.take_early(point),
        }
    }

    #[inline(never)]
    fn take_early(&mut self, point: u64) {
        if let Some(count) = self.early.get_mut(&point) {
            *count -= 1;
            if *count == 0 {
                self.early.remove(&point);
            }
        }
    }

    #[inline]
    fn drop_zeros(&mut self) {
        while self.counts.front() == Some(&0) {
            self.counts.pop_front();
            self.start += 1;
        }
    }

    /// Whether a point has some.
    #[inline]
    pub(crate) fn has(&self, point: u64) -> bool {
        match point.checked_sub(self.start).and_then(|place| self.counts.get(usize::try_from(place).ok()?)) {
            Some(count) => *count > 0,
            None => !self.early.is_empty() && self.early.contains_key(&point),
        }
    }

    /// The points from this one on that have some, in order, if they all lie in the array.
    pub(crate) fn since(&self, first: u64) -> Option<impl Iterator<Item = u64>> {
        if first < self.start && !self.early.is_empty() {
            return None;
        }
        let skipped = usize::try_from(first.saturating_sub(self.start)).unwrap_or(usize::MAX).min(self.counts.len());
        let counts = self.counts.range(skipped..).zip(self.start + skipped as u64..);
        Some(counts.filter(|(count, _)| **count > 0).map(|(_, point)| point))
    }

    /// How many points have some.
    pub(crate) fn len(&self) -> usize {
        self.used + self.early.len()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// It counts as a map does, whether the first ones go first or stay.
    #[test]
    fn it_counts_as_a_map_does() {
        let mut state = 11_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for stays in [1, 3, 1000] {
            let (mut counts, mut known, mut point) = (PerPoint::default(), BTreeMap::<u64, u32>::new(), 0);
            for _ in 0..20_000 {
                point += random(3) * random(2) * [1, 40][usize::from(random(200) == 0)];
                if random(5) < 3 {
                    counts.add(point);
                    *known.entry(point).or_default() += 1;
                } else if !known.is_empty() {
                    let place = if random(stays) == 0 { 0 } else { random(known.len() as u64) as usize };
                    let taken = *known.keys().nth(place).expect("a point");
                    counts.take(taken);
                    known.entry(taken).and_modify(|count| *count -= 1);
                    known.retain(|_, count| *count > 0);
                }
                while known.len() > 40 {
                    let (first, _) = known
                        .iter()
                        .map(|(point, count)| (*point, *count))
                        .nth(usize::from(stays > 3))
                        .expect("a point");
                    while known.contains_key(&first) {
                        counts.take(first);
                        known.entry(first).and_modify(|count| *count -= 1);
                        known.retain(|_, count| *count > 0);
                    }
                }
                let asked = point.saturating_sub(random(3000));
                assert_eq!(
                    (counts.has(asked), counts.has(point)),
                    (known.contains_key(&asked), known.contains_key(&point))
                );
                assert_eq!(counts.len(), known.len());
                if let Some(since) = counts.since(asked) {
                    assert!(since.eq(known.range(asked..).map(|(point, _)| *point)), "from {asked} on");
                }
                assert!(counts.counts.len() <= SPREAD * 42 + GRANTED);
            }
        }
    }
}
