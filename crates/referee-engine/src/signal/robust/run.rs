//! What `φ U ψ` says of a run of samples, and runs that slide.
//!
//! A run is a pair (best, left): the best witness in it, and the least φ. Runs are joined by
//! (max(a, min(l, a')), min(l, l')), which is associative; so intervals slide as two stacks of such pairs, at constant
//! cost per sample on average, whatever the interval.

use referee_spec::core::signal::Robustness;

use super::super::degree::{Degree, SmallDegree};
use crate::shared::bytes::{Damaged, Reader, Writer};

/// The best witness in a run of samples, and the least φ.
#[derive(Debug, Clone)]
pub(super) struct Run<D> {
    /// The best witness.
    pub best: D,
    /// The least φ.
    pub left: D,
}

impl<D: Degree> Run<D> {
    /// No sample at all.
    pub(super) fn empty() -> Run<D> {
        Run { best: D::NEVER, left: D::ALWAYS }
    }

    /// The samples of both.
    pub(super) fn then(&self, next: &Run<D>) -> Run<D> {
        let reached = self.left.clone().min(next.best.clone());
        Run { best: self.best.clone().max(reached), left: self.left.clone().min(next.left.clone()) }
    }

    /// The same sample as the one in force when an interval begins: φ must hold there, too.
    pub(super) fn in_force(&self) -> Run<D> {
        Run { best: self.best.clone().min(self.left.clone()), left: self.left.clone() }
    }

    /// Writes both.
    pub(super) fn save(&self, out: &mut Writer) {
        self.best.save(out);
        self.left.save(out);
    }

    /// Reads what [`Run::save`] wrote.
    pub(super) fn load(reader: &mut Reader) -> Result<Run<D>, Damaged> {
        Ok(Run { best: D::load(reader)?, left: D::load(reader)? })
    }

    /// The same sample before an interval, where it is no witness.
    pub(super) fn before(&self) -> Run<D> {
        Run { best: D::NEVER, left: self.left.clone() }
    }
}

impl Run<SmallDegree> {
    /// The same with degrees of any size.
    pub(super) fn widen(self) -> Run<Robustness> {
        Run { best: self.best.to_robustness(), left: self.left.to_robustness() }
    }
}

/// Runs that slide: samples enter behind and leave in front.
#[derive(Debug)]
pub(super) struct Slide<D> {
    /// Each sample, and it joined with all behind it; the first sample last.
    front: Vec<(Run<D>, Run<D>)>,
    back: Vec<Run<D>>,
    back_total: Option<Run<D>>,
}

impl<D: Degree> Slide<D> {
    /// No samples.
    pub(super) fn new() -> Slide<D> {
        Slide { front: Vec::new(), back: Vec::new(), back_total: None }
    }

    /// A sample enters.
    pub(super) fn push(&mut self, run: Run<D>) {
        self.back_total = Some(self.back_total.take().map_or_else(|| run.clone(), |total| total.then(&run)));
        self.back.push(run);
    }

    /// The first sample leaves.
    pub(super) fn pop(&mut self) -> Option<Run<D>> {
        if self.front.is_empty() {
            self.back_total = None;
            while let Some(run) = self.back.pop() {
                let joined = self.front.last().map_or_else(|| run.clone(), |(_, behind)| run.then(behind));
                self.front.push((run, joined));
            }
        }
        self.front.pop().map(|(run, _)| run)
    }

    /// Writes the samples, first to last.
    pub(super) fn save(&self, out: &mut Writer) {
        out.length(self.len());
        self.front.iter().rev().map(|(run, _)| run).chain(&self.back).for_each(|run| run.save(out));
    }

    /// Reads what [`Slide::save`] wrote: the samples enter again, and are joined in another way with the same result.
    pub(super) fn load(reader: &mut Reader) -> Result<Slide<D>, Damaged> {
        let mut slide = Slide::new();
        reader.list(Run::load)?.into_iter().for_each(|run| slide.push(run));
        Ok(slide)
    }

    /// How many samples there are.
    pub(super) fn len(&self) -> usize {
        self.front.len() + self.back.len()
    }

    /// All samples joined.
    pub(super) fn total(&self) -> Run<D> {
        let front = self.front.last().map_or_else(Run::empty, |(_, total)| total.clone());
        self.back_total.as_ref().map_or_else(|| front.clone(), |back| front.then(back))
    }
}

impl Slide<SmallDegree> {
    /// The same with degrees of any size.
    pub(super) fn widen(self) -> Slide<Robustness> {
        Slide {
            front: self.front.into_iter().map(|(run, joined)| (run.widen(), joined.widen())).collect(),
            back: self.back.into_iter().map(Run::widen).collect(),
            back_total: self.back_total.map(Run::widen),
        }
    }
}
