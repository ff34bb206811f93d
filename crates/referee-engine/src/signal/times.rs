//! Keeps the times of samples, those of equal time together.
//!
//! ```text
//!  times    0        4        6           runs (time, number of its last sample)
//!  samples  1  2  3  4  5     6  7
//! ```
//!
//! Signals are sampled in ticks that many samples share, and intervals are much longer than those; a run takes as much room
//! as a sample would.

use std::collections::VecDeque;

use referee_trace::number::Number;

/// The times of samples from the first that still matters on.
#[derive(Debug, Default)]
pub(super) struct Times {
    runs: VecDeque<(Number, u64)>,
    /// How many runs have been forgotten.
    gone: u64,
    count: u64,
}

/// A sample, and the run that it lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cursor {
    /// The number of the sample, from 1.
    pub sample: u64,
    run: u64,
}

impl Cursor {
    /// Whether two samples have the same time.
    #[inline]
    pub(super) fn is_same_time(self, other: Cursor) -> bool {
        self.run == other.run
    }

    /// Another sample of the same time.
    #[inline]
    pub(super) fn at(self, sample: u64) -> Cursor {
        Cursor { sample, ..self }
    }
}

impl Times {
    /// So many samples of a time come.
    pub(super) fn push(&mut self, time: &Number, count: u64) {
        self.count += count;
        match self.runs.back_mut() {
            Some((last, end)) if last == time => *end = self.count,
            _ => self.runs.push_back((time.clone(), self.count)),
        }
    }

    /// How many runs are kept.
    pub(super) fn len(&self) -> usize {
        self.runs.len()
    }

    /// The first sample.
    pub(super) fn first(&self) -> Option<Cursor> {
        (self.count > 0).then_some(Cursor { sample: 1, run: 0 })
    }

    /// The sample after another, if it has come.
    #[inline]
    pub(super) fn next(&self, cursor: Cursor) -> Option<Cursor> {
        if cursor.sample >= self.count {
            return None;
        }
        let sample = cursor.sample + 1;
        let (_, end) = self.run(cursor)?;
        Some(Cursor { sample, run: cursor.run + u64::from(sample > *end) })
    }

    /// The first sample of the time after a sample's, if it has come.
    #[inline]
    pub(super) fn next_time(&self, cursor: Cursor) -> Option<Cursor> {
        let sample = self.last_of(cursor) + 1;
        (sample <= self.count).then_some(Cursor { sample, run: cursor.run + 1 })
    }

    /// The number of the last sample of the same time that has come.
    #[inline]
    pub(super) fn last_of(&self, cursor: Cursor) -> u64 {
        self.run(cursor).map_or(cursor.sample, |(_, end)| *end)
    }

    /// The last sample of the same time that has come.
    #[inline]
    pub(super) fn end_of(&self, cursor: Cursor) -> Cursor {
        Cursor { sample: self.last_of(cursor), run: cursor.run }
    }

    #[inline]
    fn run(&self, cursor: Cursor) -> Option<&(Number, u64)> {
        self.runs.get(cursor.run.checked_sub(self.gone)? as usize)
    }

    /// The time of a sample that has not been forgotten.
    #[inline]
    pub(super) fn time(&self, cursor: Cursor) -> Option<&Number> {
        self.run(cursor).map(|(time, _)| time)
    }

    /// The time of the newest sample.
    #[inline]
    pub(super) fn latest(&self) -> Option<&Number> {
        self.runs.back().map(|(time, _)| time)
    }

    /// Nobody asks for samples before this one any more.
    #[inline]
    pub(super) fn forget(&mut self, cursor: Cursor) {
        while self.gone < cursor.run && self.runs.pop_front().is_some() {
            self.gone += 1;
        }
    }
}
