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

use super::sample_numbers::{ensure, read_sample};
use crate::shared::bytes::{Damaged, Reader, Writer};

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

    /// Writes the times that are kept, and how many samples have come.
    pub(super) fn save(&self, out: &mut Writer) {
        out.number(self.count);
        out.length(self.runs.len());
        for (time, end) in &self.runs {
            out.exact(time);
            out.number(*end);
        }
    }

    /// Reads what [`Times::save`] wrote after so many samples.
    pub(super) fn load(samples: u64, reader: &mut Reader) -> Result<Times, Damaged> {
        let count = read_sample(reader)?;
        ensure(count == samples)?;
        let runs = reader.list(|reader| Ok((reader.exact()?, read_sample(reader)?)))?;
        ensure(runs.is_sorted_by(|one, other| one.1 < other.1))?;
        ensure(runs.first().is_none_or(|(_, end)| *end >= 1))?;
        ensure(runs.last().map_or(0, |(_, end)| *end) == count)?;
        Ok(Times { runs: runs.into(), gone: 0, count })
    }

    /// Writes a sample that has not been forgotten, by its place among the times that are kept.
    pub(super) fn save_cursor(&self, cursor: Option<Cursor>, out: &mut Writer) {
        out.truth(cursor.is_some());
        if let Some(Cursor { sample, run }) = cursor {
            out.number(sample);
            out.number(run.saturating_sub(self.gone));
        }
    }

    /// Reads what [`Times::save_cursor`] wrote.
    pub(super) fn load_cursor(&self, reader: &mut Reader) -> Result<Option<Cursor>, Damaged> {
        if !reader.truth()? {
            return Ok(None);
        }
        let cursor = Cursor { sample: read_sample(reader)?, run: u64::from(reader.small()?) };
        let (_, end) = self.run(cursor).ok_or(Damaged)?;
        let before = cursor.run.checked_sub(1).and_then(|run| self.runs.get(run as usize)).map_or(0, |(_, end)| *end);
        ensure(before < cursor.sample && cursor.sample <= *end)?;
        Ok(Some(cursor))
    }

    /// Nobody asks for samples before this one any more.
    #[inline]
    pub(super) fn forget(&mut self, cursor: Cursor) {
        while self.gone < cursor.run && self.runs.pop_front().is_some() {
            self.gone += 1;
        }
    }
}
