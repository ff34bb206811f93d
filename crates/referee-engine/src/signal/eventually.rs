//! The truth of `F_[a,b] ψ` at every sample, where ψ is known as each sample comes: the usual case of [`super::until`].
//!
//! ```text
//!  samples   ···· open ···· │ ···· waiting ···· │      open: their intervals have begun, and ψ was never true in them
//!                           t − a               t
//! ```
//!
//! Where ψ is true, all open samples are; where an interval ends, its sample was false. Each sample is looked at once, and
//! samples of the same time as one.

use std::collections::VecDeque;

use referee_trace::number::Number;

use super::sample_numbers::{ensure, read_sample};
use super::until::UntilDecision;
use crate::shared::bytes::{Damaged, Reader, Writer};

/// One `F`.
#[derive(Debug)]
pub(super) struct Eventually {
    low: Number,
    high: Option<Number>,
    /// Times, with the number of the last sample of each: those whose intervals have begun, and those whose have not.
    open: VecDeque<(Number, u64)>,
    waiting: VecDeque<(Number, u64)>,
    /// The first sample that is open, and the first that waits.
    first_open: u64,
    first_waiting: u64,
    samples: u64,
    /// What ψ said of the last sample.
    last: bool,
}

impl Eventually {
    /// An operator before the first sample.
    pub(super) fn new(low: Number, high: Option<Number>) -> Eventually {
        Eventually {
            low,
            high,
            open: VecDeque::new(),
            waiting: VecDeque::new(),
            first_open: 1,
            first_waiting: 1,
            samples: 0,
            last: false,
        }
    }

    /// How many times of samples are kept.
    pub(super) fn len(&self) -> usize {
        self.open.len() + self.waiting.len()
    }

    /// Writes the samples that are open or wait.
    pub(super) fn save(&self, out: &mut Writer) {
        for times in [&self.open, &self.waiting] {
            out.length(times.len());
            for (time, end) in times {
                out.exact(time);
                out.number(*end);
            }
        }
        out.number(self.first_open);
        out.number(self.first_waiting);
        out.truth(self.last);
    }

    /// Reads what [`Eventually::save`] wrote after so many samples.
    pub(super) fn load(&mut self, samples: u64, reader: &mut Reader) -> Result<(), Damaged> {
        let mut times = || reader.list(|reader| Ok((reader.exact()?, read_sample(reader)?)));
        (self.open, self.waiting) = (times()?.into(), times()?.into());
        (self.first_open, self.first_waiting) = (read_sample(reader)?, read_sample(reader)?);
        self.last = reader.truth()?;
        self.samples = samples;
        let ends = |times: &VecDeque<(Number, u64)>, first: u64, last: u64| {
            let mut ends = times.iter().map(|(_, end)| *end);
            ends.clone().is_sorted_by(|one, other| one < other) && ends.all(|end| first <= end && end <= last)
        };
        ensure(1 <= self.first_open && self.first_open <= self.first_waiting && self.first_waiting <= samples + 1)?;
        ensure(ends(&self.open, self.first_open, self.first_waiting - 1))?;
        ensure(ends(&self.waiting, self.first_waiting, samples))
    }

    /// A sample comes; [`Eventually::right`] must follow.
    pub(super) fn arrive(&mut self, time: &Number, out: &mut Vec<UntilDecision>) {
        self.samples += 1;
        if self.waiting.is_empty() && self.low == Number::ZERO {
            // It begins at once.
            push(&mut self.open, time, self.samples);
            self.first_waiting = self.samples + 1;
        } else {
            push(&mut self.waiting, time, self.samples);
        }
        while let Some((of, end)) = self.waiting.front()
            && let begins = of.add(&self.low)
            && *time >= begins
        {
            // Between two samples the earlier one is in force.
            let in_force = *time > begins && *end < self.samples;
            self.begin(in_force, self.samples - 1, out);
        }
        self.close(time, out);
    }

    /// Time passes: no sample will come before this time, and the last one is in force until then.
    pub(super) fn advance(&mut self, time: &Number, out: &mut Vec<UntilDecision>) {
        while let Some((of, _)) = self.waiting.front()
            && *time > of.add(&self.low)
        {
            self.begin(true, self.samples, out);
        }
        self.close(time, out);
    }

    /// The intervals that end before a time have ended.
    fn close(&mut self, time: &Number, out: &mut Vec<UntilDecision>) {
        while let Some(high) = &self.high
            && let Some((of, end)) = self.open.front()
            && *time > of.add(high)
        {
            decide(self.first_open..=*end, false, None, out);
            self.first_open = end + 1;
            self.open.pop_front();
        }
    }

    /// The intervals of the samples of the first time that waits begin, by the sample before if that is in force.
    fn begin(&mut self, in_force: bool, before: u64, out: &mut Vec<UntilDecision>) {
        let Some((time, end)) = self.waiting.pop_front() else { return };
        if in_force && self.last {
            decide(self.first_waiting..=end, true, Some(before), out);
            self.first_open = end + 1;
        } else {
            push(&mut self.open, &time, end);
        }
        self.first_waiting = end + 1;
    }

    /// What ψ says of the sample that came last.
    pub(super) fn right(&mut self, truth: bool, out: &mut Vec<UntilDecision>) {
        self.last = truth;
        if truth {
            decide(self.first_open..=self.first_waiting - 1, true, Some(self.samples), out);
            self.first_open = self.first_waiting;
            self.open.clear();
        }
    }

    /// No more samples come: the last one is in force for ever.
    pub(super) fn end(&mut self, out: &mut Vec<UntilDecision>) {
        decide(self.first_open..=self.first_waiting - 1, false, None, out);
        let witness = self.last.then_some(self.samples);
        decide(self.first_waiting..=self.samples, self.last, witness, out);
        (self.first_open, self.first_waiting) = (self.samples + 1, self.samples + 1);
        self.open.clear();
        self.waiting.clear();
    }
}

/// Adds a sample, to the last time if that is its own.
fn push(times: &mut VecDeque<(Number, u64)>, time: &Number, sample: u64) {
    match times.back_mut() {
        Some((last, end)) if last == time => *end = sample,
        _ => times.push_back((time.clone(), sample)),
    }
}

fn decide(samples: std::ops::RangeInclusive<u64>, truth: bool, witness: Option<u64>, out: &mut Vec<UntilDecision>) {
    out.extend(samples.map(|sample| UntilDecision { sample, truth, witness: witness.unwrap_or(sample) }));
}
