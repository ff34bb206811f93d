//! `φ U ψ` at every sample, by runs that slide.

use std::collections::VecDeque;

use referee_spec::core::signal::Robustness;
use referee_trace::number::Number;

use super::super::degree::{Degree, SmallDegree};
use super::super::sample_numbers::{ensure, read_sample};
use super::run::{Run, Slide};
use crate::shared::bytes::{Damaged, Reader, Writer};

/// An until at every sample.
#[derive(Debug)]
pub(super) struct Every<D> {
    low: Number,
    high: Option<Number>,
    /// The times of the samples from `base` on.
    times: VecDeque<Number>,
    base: u64,
    /// What φ and ψ say of the samples from `entered` on that no interval has reached.
    waiting: VecDeque<Run<D>>,
    entered: u64,
    /// The samples from `own` up to the first in its interval, and those behind it in the interval.
    before: Slide<D>,
    inside: Slide<D>,
    /// The sample between the two.
    first: Option<Run<D>>,
    own: u64,
    start: u64,
    last: u64,
}

impl<D: Degree> Every<D> {
    /// An until before the first sample.
    pub(super) fn new(low: Number, high: Option<Number>) -> Every<D> {
        Every {
            low,
            high,
            times: VecDeque::new(),
            base: 1,
            waiting: VecDeque::new(),
            entered: 1,
            before: Slide::new(),
            inside: Slide::new(),
            first: None,
            own: 1,
            start: 0,
            last: 0,
        }
    }

    /// Samples of a time come.
    pub(super) fn arrive(&mut self, time: &Number, count: u64) {
        self.times.extend((0..count).map(|_| time.clone()));
    }

    /// What φ and ψ say of the next sample.
    pub(super) fn hear(&mut self, left: D, best: D) {
        self.waiting.push_back(Run { best, left });
    }

    /// Writes the samples from the one that is told next on, and where they are.
    pub(super) fn save(&self, out: &mut Writer) {
        out.exacts(self.times.iter());
        [self.own, self.start, self.last, self.entered].into_iter().for_each(|sample| out.number(sample));
        out.length(self.waiting.len());
        self.waiting.iter().for_each(|run| run.save(out));
        self.before.save(out);
        out.truth(self.first.is_some());
        self.first.iter().for_each(|run| run.save(out));
        self.inside.save(out);
    }

    /// Reads what [`Every::save`] wrote after so many samples: those before the interval's first, those behind it up to the first that has not
    /// entered, and those that wait are as many as the numbers say.
    pub(super) fn load(&mut self, samples: u64, reader: &mut Reader) -> Result<(), Damaged> {
        self.times = reader.list(Reader::exact)?.into();
        (self.own, self.start) = (read_sample(reader)?, read_sample(reader)?);
        (self.last, self.entered) = (read_sample(reader)?, read_sample(reader)?);
        self.base = self.own;
        self.waiting = reader.list(Run::load)?.into();
        self.before = Slide::load(reader)?;
        self.first = if reader.truth()? { Some(Run::load(reader)?) } else { None };
        self.inside = Slide::load(reader)?;
        ensure(self.own >= 1)?;
        let count = self.count();
        ensure(count == samples)?;
        ensure(self.own <= self.start + 1 && self.start <= count && self.last <= count && self.entered > self.start)?;
        ensure(self.before.len() as u64 == self.start.saturating_sub(self.own))?;
        ensure(self.inside.len() as u64 == self.entered - 1 - self.start)?;
        ensure(self.entered + self.waiting.len() as u64 <= count + 1)
    }

    /// How many samples are kept.
    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    fn count(&self) -> u64 {
        self.base + self.times.len() as u64 - 1
    }

    fn time(&self, sample: u64) -> &Number {
        &self.times[(sample - self.base) as usize]
    }

    /// The value of the next sample, if its interval has passed and all in it is known.
    pub(super) fn tell(&mut self, ended: bool) -> Option<D> {
        let count = self.count();
        if self.own > count {
            return None;
        }
        let end = self.high.as_ref().map(|high| self.time(self.own).add(high));
        if !ended && end.as_ref().is_none_or(|end| *self.time(count) <= *end) {
            return None;
        }
        self.last = self.last.max(self.own);
        while self.last < count && end.as_ref().is_none_or(|end| *self.time(self.last + 1) <= *end) {
            self.last += 1;
        }
        if self.last >= self.entered + self.waiting.len() as u64 {
            return None;
        }
        let begins = self.time(self.own).add(&self.low);
        self.begin(self.own);
        while self.start < self.last && *self.time(self.start) < begins && *self.time(self.start + 1) <= begins {
            self.begin(self.start + 1);
        }
        while self.entered <= self.last {
            let run = self.take();
            self.inside.push(run);
        }
        let in_force = *self.time(self.start) < begins;
        let first = self.first.clone().unwrap_or_else(Run::empty);
        let first = if in_force { first.in_force() } else { first };
        let value = self.before.total().then(&first).then(&self.inside.total()).best;
        self.leave();
        Some(value)
    }

    fn take(&mut self) -> Run<D> {
        self.entered += 1;
        self.waiting.pop_front().unwrap_or_else(Run::empty)
    }

    /// Lets the interval begin no earlier than with a sample.
    fn begin(&mut self, sample: u64) {
        while self.start < sample {
            if let Some(first) = self.first.take().filter(|_| self.start >= self.own) {
                // Before its interval a sample is no witness.
                self.before.push(first.before());
            }
            self.start += 1;
            let next = if self.start < self.entered { self.inside.pop() } else { Some(self.take()) };
            self.first = next;
        }
    }

    /// The sample that was told last is not needed any more.
    fn leave(&mut self) {
        if self.own < self.start {
            self.before.pop();
        }
        self.own += 1;
        while self.base < self.own {
            self.times.pop_front();
            self.base += 1;
        }
    }
}

impl Every<SmallDegree> {
    /// The same with degrees of any size.
    pub(super) fn widen(self) -> Every<Robustness> {
        Every {
            low: self.low,
            high: self.high,
            times: self.times,
            base: self.base,
            waiting: self.waiting.into_iter().map(Run::widen).collect(),
            entered: self.entered,
            before: self.before.widen(),
            inside: self.inside.widen(),
            first: self.first.map(Run::widen),
            own: self.own,
            start: self.start,
            last: self.last,
        }
    }
}
