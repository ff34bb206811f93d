//! The truth of `φ U_[a,b] ψ` at the first sample only: what a formula that is judged once needs of its outermost operators.
//!
//! The same conditions as in [`super::until`], for one interval: p, f, q and w only move forward, and samples before both p
//! and q are forgotten.

use std::collections::{BTreeSet, VecDeque};

use referee_trace::number::Number;

use super::sample_numbers::{ensure, read_sample};
use super::until::UntilDecision;
use crate::shared::bytes::{Damaged, Reader, Writer};

/// One until at the first sample.
#[derive(Debug)]
pub(super) struct FirstUntil {
    low: Number,
    high: Option<Number>,
    has_left: bool,
    /// When the interval begins and ends, once there is a first sample.
    begins: Option<Number>,
    ends: Option<Number>,
    /// What φ and ψ say of the samples from `base` on.
    entries: VecDeque<(Option<bool>, Option<bool>)>,
    base: u64,
    /// The first sample at which φ is not true, and the first in the interval at which ψ is not false.
    left_open: u64,
    right_open: u64,
    /// The first sample in the interval, once known, and whether it is one still in force.
    start: Option<(u64, bool)>,
    end: Option<u64>,
    rights_true: BTreeSet<u64>,
    lefts_false: BTreeSet<u64>,
    decided: bool,
}

impl FirstUntil {
    /// An until before the first sample.
    pub(super) fn new(low: Number, high: Option<Number>, has_left: bool) -> FirstUntil {
        FirstUntil {
            low,
            high,
            has_left,
            begins: None,
            ends: None,
            entries: VecDeque::new(),
            base: 1,
            left_open: 1,
            right_open: 1,
            start: None,
            end: None,
            rights_true: BTreeSet::new(),
            lefts_false: BTreeSet::new(),
            decided: false,
        }
    }

    /// How many samples are kept.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Writes what is known of the samples that count, and how far it has come.
    pub(super) fn save(&self, out: &mut Writer) {
        out.truth(self.decided);
        for time in [&self.begins, &self.ends] {
            out.truth(time.is_some());
            time.iter().for_each(|time| out.exact(time));
        }
        [self.base, self.left_open, self.right_open].into_iter().for_each(|sample| out.number(sample));
        out.truth(self.start.is_some());
        if let Some((start, in_force)) = self.start {
            out.number(start);
            out.truth(in_force);
        }
        out.truth(self.end.is_some());
        self.end.iter().for_each(|end| out.number(*end));
        out.length(self.entries.len());
        for (left, right) in &self.entries {
            out.perhaps(*left);
            out.perhaps(*right);
        }
    }

    /// Reads what [`FirstUntil::save`] wrote. Which samples are true or false follows from what is known of them.
    pub(super) fn load(&mut self, reader: &mut Reader) -> Result<(), Damaged> {
        self.decided = reader.truth()?;
        for time in [&mut self.begins, &mut self.ends] {
            *time = if reader.truth()? { Some(reader.exact()?) } else { None };
        }
        (self.base, self.left_open, self.right_open) =
            (read_sample(reader)?, read_sample(reader)?, read_sample(reader)?);
        self.start = if reader.truth()? { Some((read_sample(reader)?, reader.truth()?)) } else { None };
        self.end = if reader.truth()? { Some(read_sample(reader)?) } else { None };
        self.entries = reader.list(|reader| Ok((reader.perhaps()?, reader.perhaps()?)))?.into();
        for (sample, (left, right)) in (self.base..).zip(&self.entries) {
            if *right == Some(true) {
                self.rights_true.insert(sample);
            }
            if *left == Some(false) {
                self.lefts_false.insert(sample);
            }
        }
        ensure(self.base >= 1)
    }

    fn next(&self) -> u64 {
        self.base + self.entries.len() as u64
    }

    /// A sample comes.
    pub(super) fn arrive(&mut self, time: &Number, out: &mut Vec<UntilDecision>) {
        let sample = self.next();
        if self.decided {
            return;
        }
        self.entries.push_back((if self.has_left { None } else { Some(true) }, None));
        if sample == 1 {
            self.begins = Some(time.add(&self.low));
            self.ends = self.high.as_ref().map(|high| time.add(high));
        }
        let started = self.start.is_none() && self.begin(sample, time);
        let ended = self.end.is_none() && self.ends.as_ref().is_some_and(|end| time > end);
        if ended {
            self.end = Some(sample - 1);
        }
        // A sample of which nothing is known yet decides nothing.
        if started || ended {
            self.consider(out);
        }
    }

    /// Time passes: no sample will come before this time, and the last one is in force until then.
    pub(super) fn advance(&mut self, time: &Number, out: &mut Vec<UntilDecision>) {
        let last = self.next() - 1;
        let begins = self.start.is_none() && self.begins.as_ref().is_some_and(|begins| time > begins);
        let ends = self.end.is_none() && self.ends.as_ref().is_some_and(|ends| time > ends);
        if self.decided || !(begins || ends) {
            return;
        }
        if begins {
            self.start = Some((last, true));
            self.right_open = last;
        }
        if ends {
            self.end = Some(last);
        }
        self.consider(out);
    }

    /// Whether the interval begins with a sample at this time.
    fn begin(&mut self, sample: u64, time: &Number) -> bool {
        let Some(begins) = &self.begins else { return false };
        if time == begins || (sample == 1 && time > begins) {
            self.start = Some((sample, false));
            self.right_open = sample;
        } else if time > begins {
            self.start = Some((sample - 1, true));
            self.right_open = sample - 1;
        } else {
            // Only the last sample before the interval can be the one in force when it begins.
            self.right_open = sample;
        }
        self.start.is_some()
    }

    /// What ψ says of a sample is known.
    #[inline]
    pub(super) fn right(&mut self, sample: u64, truth: bool, out: &mut Vec<UntilDecision>) {
        if let Some(entry) = sample.checked_sub(self.base).and_then(|at| self.entries.get_mut(at as usize)) {
            entry.1 = Some(truth);
            if truth {
                self.rights_true.insert(sample);
            } else if sample > self.right_open {
                // The first one that is not false stays where it was.
                return;
            } else if !self.has_left && self.start.is_some() && self.end.is_none() && self.rights_true.is_empty() {
                return self.pass_false();
            }
            self.consider(out);
        }
    }

    /// Without φ, and before the interval has ended, a ψ that is false only moves the first one that is not.
    fn pass_false(&mut self) {
        self.left_open = self.next();
        while let Some((_, Some(false))) = self.at(self.right_open) {
            self.right_open += 1;
        }
        self.forget();
    }

    /// What φ says of a sample is known.
    pub(super) fn left(&mut self, sample: u64, truth: bool, out: &mut Vec<UntilDecision>) {
        if let Some(entry) = sample.checked_sub(self.base).and_then(|at| self.entries.get_mut(at as usize)) {
            entry.0 = Some(truth);
            if !truth {
                self.lefts_false.insert(sample);
            }
            self.consider(out);
        }
    }

    /// No more samples come.
    pub(super) fn end(&mut self, out: &mut Vec<UntilDecision>) {
        let last = self.next() - 1;
        if self.start.is_none() {
            self.start = Some((last, true));
            self.right_open = last;
        }
        self.end.get_or_insert(last);
        self.consider(out);
    }

    fn at(&self, sample: u64) -> Option<(Option<bool>, Option<bool>)> {
        sample.checked_sub(self.base).and_then(|at| self.entries.get(at as usize)).copied()
    }

    fn consider(&mut self, out: &mut Vec<UntilDecision>) {
        if self.decided {
            return;
        }
        while self.at(self.left_open).is_some_and(|(left, _)| left == Some(true)) {
            self.left_open += 1;
        }
        let false_left = if self.has_left { self.lefts_false.first().copied() } else { None };
        let Some((start, in_force)) = self.start else {
            if let Some(left) = false_left {
                self.decide(false, left, out);
            }
            self.forget();
            return;
        };
        while self.at(self.right_open).is_some_and(|(_, right)| right == Some(false)) {
            self.right_open += 1;
        }
        let none_true = self.rights_true.is_empty();
        let witness = if none_true { None } else { self.rights_true.range(start..).next().copied() };
        if let Some(witness) = witness.filter(|witness| self.end.is_none_or(|end| *witness <= end)) {
            let reaches =
                if in_force && witness == start { self.left_open > witness } else { self.left_open >= witness };
            if reaches {
                return self.decide(true, witness, out);
            }
        }
        let open = self.right_open;
        let over = self.end.is_some_and(|end| open > end);
        let blocked = false_left.is_some_and(|left| left < open || (in_force && open == start && left <= start));
        if over || blocked {
            return self.decide(false, false_left.filter(|_| blocked).unwrap_or(1), out);
        }
        self.forget();
    }

    fn decide(&mut self, truth: bool, witness: u64, out: &mut Vec<UntilDecision>) {
        self.decided = true;
        self.entries.clear();
        self.rights_true.clear();
        self.lefts_false.clear();
        out.push(UntilDecision { sample: 1, truth, witness });
    }

    fn forget(&mut self) {
        let keep = self.left_open.min(self.right_open).min(self.next());
        while self.base < keep {
            self.entries.pop_front();
            if !self.rights_true.is_empty() {
                self.rights_true.remove(&self.base);
            }
            self.base += 1;
        }
    }
}
