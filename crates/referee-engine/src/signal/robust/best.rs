//! `F` and `G` at every sample: the greatest or least of an interval, by a monotone queue.
//!
//! ```text
//!  child values   5  3  4  7      queue of F: those that may still be the greatest of some interval
//!  samples        i        ▲      sample i is told when a later sample lies after its interval, or at the end
//! ```
//!
//! Samples of the same time have the same interval; they are told together.

use referee_spec::core::signal::Robustness;
use referee_trace::number::Number;

use super::super::degree::{Degree, SmallDegree};
use super::super::degrees::Degrees;
use super::super::sample_numbers::read_sample;
use super::super::times::{Cursor, Times};
use crate::shared::bytes::{Damaged, Reader, Writer};
use crate::shared::window::Extreme;

/// `F` or `G` at every sample.
#[derive(Debug)]
pub(super) struct Best<D> {
    low: Number,
    high: Option<Number>,
    times: Times,
    /// The values of the samples in the interval that may be the answer.
    extreme: Extreme<u64, D>,
    entered: u64,
    /// The sample that is told next, and the first and the last in its interval.
    own: Option<Cursor>,
    bounds: Option<(Cursor, Cursor)>,
    /// When the intervals of the samples of a time begin and end.
    span: Option<Span>,
}

/// When the intervals of the samples of a time begin and end.
#[derive(Debug)]
struct Span {
    /// The first sample that it was worked out for.
    sample: Cursor,
    begins: Number,
    ends: Option<Number>,
}

impl<D: Degree> Best<D> {
    /// `F` if the extreme is the greatest, `G` if it is the least, before the first sample.
    pub(super) fn new(low: Number, high: Option<Number>, extreme: Extreme<u64, D>) -> Best<D> {
        Best { low, high, times: Times::default(), extreme, entered: 0, own: None, bounds: None, span: None }
    }

    /// Samples of a time come.
    pub(super) fn arrive(&mut self, time: &Number, count: u64) {
        self.times.push(time, count);
        if self.own.is_none() && self.entered == 0 {
            self.own = self.times.first();
        }
    }

    /// Writes the times and values that intervals still reach. Where the next interval begins and ends is found again.
    pub(super) fn save(&self, out: &mut Writer) {
        self.times.save(out);
        self.times.save_cursor(self.own, out);
        out.number(self.entered);
        let entries = self.extreme.entries();
        out.length(entries.len());
        for (sample, value) in entries {
            out.number(*sample);
            value.save(out);
        }
    }

    /// Reads what [`Best::save`] wrote after so many samples.
    pub(super) fn load(&mut self, samples: u64, reader: &mut Reader) -> Result<(), Damaged> {
        self.times = Times::load(samples, reader)?;
        self.own = self.times.load_cursor(reader)?;
        self.entered = read_sample(reader)?;
        for (sample, value) in reader.list(|reader| Ok((read_sample(reader)?, D::load(reader)?)))? {
            self.extreme.enter(sample, value);
        }
        Ok(())
    }

    /// How many values and times are kept.
    pub(super) fn len(&self) -> usize {
        self.times.len() + self.extreme.len()
    }

    /// Tells the values of all samples whose intervals have passed, as far as the values in them are known.
    pub(super) fn tell(&mut self, ended: bool, values: &mut Degrees<D>, out: &mut Degrees<D>) {
        while let Some(own) = self.own
            && let Some(start) = self.pass(own, ended, values)
        {
            self.tell_time(own, start, out);
        }
    }

    /// The first sample in the interval of a sample, if that has passed and all values in it have entered.
    fn pass(&mut self, own: Cursor, ended: bool, values: &mut Degrees<D>) -> Option<Cursor> {
        if self.span.as_ref().is_none_or(|span| !span.sample.is_same_time(own)) {
            self.span = Some(self.span_of(own)?);
        }
        let Span { begins, ends, .. } = self.span.as_ref()?;
        let passed = ended || ends.as_ref().is_some_and(|end| self.times.latest().is_some_and(|latest| latest > end));
        let (start, last) = self.bounds.unwrap_or((own, own));
        let last = self.reach(later(last, own), ends.as_ref());
        let start = later(start, own);
        let start = if passed { self.begin(start, last, begins)? } else { start };
        self.bounds = Some((start, last));
        (self.enter(last, values) && passed).then_some(start)
    }

    /// Tells a sample and those of the same time behind it, whose intervals are the same but for what lies before them.
    fn tell_time(&mut self, own: Cursor, start: Cursor, out: &mut Degrees<D>) {
        for sample in own.sample..=self.times.last_of(own) {
            self.extreme.leave(&(start.sample.max(sample) - 1));
            if let Some(value) = self.extreme.value() {
                out.push(value.clone());
            }
        }
        self.own = self.times.next_time(own);
        if let Some(own) = self.own {
            self.times.forget(own);
        }
    }

    fn span_of(&self, sample: Cursor) -> Option<Span> {
        let time = self.times.time(sample)?;
        let ends = self.high.as_ref().map(|high| time.add(high));
        Some(Span { sample, begins: time.add(&self.low), ends })
    }

    /// The last sample up to a time.
    fn reach(&self, mut last: Cursor, end: Option<&Number>) -> Cursor {
        last = self.times.end_of(last);
        while let Some(next) = self.times.next_time(last)
            && end.is_none_or(|end| self.times.time(next).is_some_and(|time| time <= end))
        {
            last = self.times.end_of(next);
        }
        last
    }

    /// Lets values in up to a sample; whether they are all known.
    fn enter(&mut self, last: Cursor, values: &mut Degrees<D>) -> bool {
        while self.entered < last.sample
            && let Some(value) = values.pop()
        {
            self.entered += 1;
            self.extreme.enter(self.entered, value);
        }
        self.entered >= last.sample
    }

    /// The first sample in the interval: the last one up to its beginning, or the first of those at its beginning.
    fn begin(&self, mut start: Cursor, last: Cursor, begins: &Number) -> Option<Cursor> {
        while self.times.time(start)? < begins {
            match self.times.next_time(start).filter(|next| next.sample <= last.sample) {
                Some(next) if self.times.time(next)? <= begins => start = next,
                _ => return Some(self.times.end_of(start)),
            }
        }
        Some(start)
    }
}

impl Best<SmallDegree> {
    /// The same with degrees of any size.
    pub(super) fn widen(self) -> Best<Robustness> {
        Best {
            low: self.low,
            high: self.high,
            times: self.times,
            extreme: self.extreme.map(SmallDegree::to_robustness),
            entered: self.entered,
            own: self.own,
            bounds: self.bounds,
            span: self.span,
        }
    }
}

/// The later of two samples.
fn later(one: Cursor, other: Cursor) -> Cursor {
    if one.sample < other.sample { other } else { one }
}
