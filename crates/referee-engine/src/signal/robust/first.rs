//! A temporal operator at the first sample only: its samples are folded as they come, and none is kept.

use std::cmp::Ordering;

use referee_spec::core::signal::Robustness;
use referee_trace::number::Number;

use super::super::degree::{Degree, SmallDegree};
use super::super::times::{Cursor, Times};
use super::run::Run;
use crate::shared::bytes::{Damaged, Reader, Writer};

/// A temporal operator at the first sample only.
#[derive(Debug)]
pub(super) struct First<D> {
    low: Number,
    high: Option<Number>,
    begins: Option<Number>,
    ends: Option<Number>,
    times: Times,
    /// The last sample that has been folded.
    folded: Option<Cursor>,
    /// Which of two values an operator without φ keeps: the greater one if it is `F`.
    wanted: Ordering,
    total: Run<D>,
    told: bool,
}

/// Where a sample lies: before an interval, in force when it begins, or in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SamplePlace {
    Before,
    InForce,
    Inside,
}

impl<D: Degree> First<D> {
    /// `G` if it is to `negate`, otherwise `F` or an until, before the first sample.
    pub(super) fn new(low: Number, high: Option<Number>, negate: bool) -> First<D> {
        let (wanted, nothing) = if negate { (Ordering::Less, D::ALWAYS) } else { (Ordering::Greater, D::NEVER) };
        First {
            low,
            high,
            begins: None,
            ends: None,
            times: Times::default(),
            folded: None,
            wanted,
            total: Run { best: nothing, left: D::ALWAYS },
            told: false,
        }
    }

    /// Samples of a time come.
    pub(super) fn arrive(&mut self, time: &Number, count: u64) {
        if self.begins.is_none() {
            self.begins = Some(time.add(&self.low));
            self.ends = self.high.as_ref().map(|high| time.add(high));
        }
        self.times.push(time, count);
    }

    /// Writes how far samples are folded, and to what.
    pub(super) fn save(&self, out: &mut Writer) {
        for time in [&self.begins, &self.ends] {
            out.truth(time.is_some());
            time.iter().for_each(|time| out.exact(time));
        }
        self.times.save(out);
        self.times.save_cursor(self.folded, out);
        self.total.save(out);
        out.truth(self.told);
    }

    /// Reads what [`First::save`] wrote after so many samples.
    pub(super) fn load(&mut self, samples: u64, reader: &mut Reader) -> Result<(), Damaged> {
        for time in [&mut self.begins, &mut self.ends] {
            *time = if reader.truth()? { Some(reader.exact()?) } else { None };
        }
        self.times = Times::load(samples, reader)?;
        self.folded = self.times.load_cursor(reader)?;
        self.total = Run::load(reader)?;
        self.told = reader.truth()?;
        Ok(())
    }

    /// How many times are kept.
    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    /// Folds what is known; `values` tells φ and ψ at the next sample, if it can. Gives the result once it is certain.
    pub(super) fn tell(&mut self, ended: bool, mut values: impl FnMut() -> Option<(D, D)>) -> Option<D> {
        while !self.told {
            let Some(at) = self.folded.map_or_else(|| self.times.first(), |folded| self.times.next(folded)) else {
                self.told = ended;
                break;
            };
            let time = self.times.time(at)?;
            if self.ends.as_ref().is_some_and(|end| time > end) {
                self.told = true;
                break;
            }
            if time >= self.begins.as_ref()? {
                self.fold_time(at, &mut values)?;
            } else {
                let place = self.place(at, ended)?;
                let (left, best) = values()?;
                self.fold(place, left, best);
                self.folded = Some(at);
            }
            self.times.forget(at);
        }
        self.told.then(|| self.total.best.clone())
    }

    /// Folds a sample in the interval and those of the same time behind it; nothing if not all of them are known.
    fn fold_time(&mut self, at: Cursor, values: &mut impl FnMut() -> Option<(D, D)>) -> Option<()> {
        for sample in at.sample..=self.times.last_of(at) {
            let (left, best) = values()?;
            self.fold(SamplePlace::Inside, left, best);
            self.folded = Some(at.at(sample));
        }
        Some(())
    }

    /// Where a sample before the interval lies, if that is known.
    fn place(&self, at: Cursor, ended: bool) -> Option<SamplePlace> {
        let begins = self.begins.as_ref()?;
        match self.times.next(at).and_then(|next| self.times.time(next)) {
            None if !ended => None,
            Some(next) if next <= begins => Some(SamplePlace::Before),
            _ => Some(SamplePlace::InForce),
        }
    }

    #[inline]
    fn fold(&mut self, place: SamplePlace, left: D, best: D) {
        if left == D::ALWAYS && self.total.left == D::ALWAYS {
            // Without φ, or as if there were none.
            if place != SamplePlace::Before && best.cmp(&self.total.best) == self.wanted {
                self.total.best = best;
            }
            return;
        }
        let run = Run { best, left };
        self.total = self.total.then(&match place {
            SamplePlace::Inside => run,
            SamplePlace::InForce => run.in_force(),
            SamplePlace::Before => run.before(),
        });
    }
}

impl First<SmallDegree> {
    /// The same with degrees of any size.
    pub(super) fn widen(self) -> First<Robustness> {
        First {
            low: self.low,
            high: self.high,
            begins: self.begins,
            ends: self.ends,
            times: self.times,
            folded: self.folded,
            wanted: self.wanted,
            total: self.total.widen(),
            told: self.told,
        }
    }
}
