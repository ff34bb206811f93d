//! The robustness at the first sample: every operator tells its values in the order of the samples, each when its interval
//! has passed.
//!
//! ```text
//!  atoms ─▶ tests ─▶ F, G ([`best`]), U ([`every`]) ─▶ joins ─▶ … ─▶ the operators at the first sample ([`first`])
//! ```
//!
//! Samples arrive one by one; what follows from them is worked out for many at once, operator by operator, children first.
//! Degrees are small integers until an atom tells one that is not: then all that is kept is [widened](Network::widen), once.

mod best;
mod every;
mod first;
mod run;

use referee_spec::core::signal::{Robustness, SignalFormula, SignalKind};
use referee_trace::mapping::Unit;
use referee_trace::number::Number;

use super::at_once::{SignalJoin, SignalTest, is_known_at_once, parts};
use super::bounds::bounds;
use super::degree::{Degree, SmallDegree};
use super::degrees::Degrees;
use crate::shared::bytes::{Damaged, Reader, Writer};
use crate::shared::window::Extreme;
use best::Best;
use every::Every;
use first::First;

/// Computes the robustness of a formula at the first sample.
#[derive(Debug)]
pub(super) enum Robust {
    /// All degrees were small so far.
    Small(RobustNetwork<SmallDegree>),
    /// Some were not.
    Wide(RobustNetwork<Robustness>),
}

impl Robust {
    /// For a formula whose atoms are numbered in textual order.
    pub(super) fn new(formula: &SignalFormula, unit: Unit) -> Robust {
        Robust::Small(RobustNetwork::new(formula, unit))
    }

    /// How many values are kept.
    pub(super) fn len(&self) -> usize {
        match self {
            Robust::Small(network) => network.len(),
            Robust::Wide(network) => network.len(),
        }
    }

    /// A sample comes; `atoms` gives the robustness of the atoms there. What follows from it is worked out by
    /// [`Robust::settle`], for many samples at once.
    #[inline]
    pub(super) fn arrive_small(&mut self, time: &Number, atoms: &[SmallDegree]) {
        match self {
            Robust::Small(network) => network.arrive(time, atoms),
            Robust::Wide(network) => {
                let atoms: Vec<Robustness> = atoms.iter().copied().map(SmallDegree::to_robustness).collect();
                network.arrive(time, &atoms);
            }
        }
    }

    /// The same with degrees of any size.
    pub(super) fn arrive(&mut self, time: &Number, atoms: &[Robustness]) {
        if let Robust::Small(network) = self {
            if let Some(atoms) = atoms.iter().map(Degree::to_small).collect::<Option<Vec<SmallDegree>>>() {
                return network.arrive(time, &atoms);
            }
            *self = Robust::Wide(std::mem::take(network).widen());
        }
        if let Robust::Wide(network) = self {
            network.arrive(time, atoms);
        }
    }

    /// The result, if the samples so far decide it.
    pub(super) fn settle(&mut self) -> Option<Robustness> {
        self.tell(false)
    }

    /// No more samples come: the result, if there was any sample.
    pub(super) fn end(&mut self) -> Option<Robustness> {
        self.tell(true)
    }

    /// Writes what the operators keep, between two batches of samples.
    pub(super) fn save(&self, out: &mut Writer) {
        match self {
            Robust::Small(network) => {
                out.truth(false);
                network.save(out);
            }
            Robust::Wide(network) => {
                out.truth(true);
                network.save(out);
            }
        }
    }

    /// Reads what [`Robust::save`] wrote after so many samples.
    pub(super) fn load(&mut self, samples: u64, reader: &mut Reader) -> Result<(), Damaged> {
        if reader.truth()?
            && let Robust::Small(network) = self
        {
            *self = Robust::Wide(std::mem::take(network).widen());
        }
        match self {
            Robust::Small(network) => network.load(samples, reader),
            Robust::Wide(network) => network.load(samples, reader),
        }
    }

    fn tell(&mut self, ended: bool) -> Option<Robustness> {
        match self {
            Robust::Small(network) => network.tell(ended).map(SmallDegree::to_robustness),
            Robust::Wide(network) => network.tell(ended),
        }
    }
}

#[derive(Debug)]
enum RobustWork<D> {
    Test(SignalTest),
    Not(usize),
    Join(SignalJoin, usize, usize),
    First { left: Option<usize>, right: usize, state: First<D> },
    Best { right: usize, state: Best<D> },
    Every { left: usize, right: usize, state: Every<D> },
}

impl RobustWork<SmallDegree> {
    fn widen(self) -> RobustWork<Robustness> {
        match self {
            RobustWork::Test(test) => RobustWork::Test(test),
            RobustWork::Not(body) => RobustWork::Not(body),
            RobustWork::Join(join, left, right) => RobustWork::Join(join, left, right),
            RobustWork::First { left, right, state } => RobustWork::First { left, right, state: state.widen() },
            RobustWork::Best { right, state } => RobustWork::Best { right, state: state.widen() },
            RobustWork::Every { left, right, state } => RobustWork::Every { left, right, state: state.widen() },
        }
    }
}

/// An operator, and what it has told that the one above it has not taken.
#[derive(Debug)]
struct RobustNode<D> {
    work: RobustWork<D>,
    told: Degrees<D>,
}

/// The operators of a formula, each after those that it reads.
#[derive(Debug)]
pub(super) struct RobustNetwork<D> {
    nodes: Vec<RobustNode<D>>,
    /// The times of the samples that operators have not heard of, and how many there are of each.
    fresh: Vec<(Number, u64)>,
    result: Option<D>,
}

impl<D> Default for RobustNetwork<D> {
    fn default() -> RobustNetwork<D> {
        RobustNetwork { nodes: Vec::new(), fresh: Vec::new(), result: None }
    }
}

impl RobustNetwork<SmallDegree> {
    /// The same with degrees of any size.
    fn widen(self) -> RobustNetwork<Robustness> {
        let widen = |node: RobustNode<SmallDegree>| RobustNode { work: node.work.widen(), told: node.told.widen() };
        RobustNetwork {
            nodes: self.nodes.into_iter().map(widen).collect(),
            fresh: self.fresh,
            result: self.result.map(SmallDegree::to_robustness),
        }
    }
}

impl<D: Degree> RobustNetwork<D> {
    fn new(formula: &SignalFormula, unit: Unit) -> RobustNetwork<D> {
        let mut network = RobustNetwork::default();
        network.add(formula, unit, &mut 0, true);
        network
    }

    fn len(&self) -> usize {
        let of = |node: &RobustNode<D>| match &node.work {
            RobustWork::Every { state, .. } => state.len(),
            RobustWork::Best { state, .. } => state.len(),
            RobustWork::First { state, .. } => state.len(),
            _ => 0,
        } + node.told.len();
        self.nodes.iter().map(of).sum()
    }

    /// Adds a formula behind its parts; `first` if it is asked for at the first sample only.
    fn add(&mut self, formula: &SignalFormula, unit: Unit, atoms: &mut usize, first: bool) -> usize {
        let work = if is_known_at_once(formula) {
            RobustWork::Test(SignalTest::of(formula, atoms))
        } else if let Some((join, left, right)) = parts(formula) {
            let left = self.add(left, unit, atoms, first);
            RobustWork::Join(join, left, self.add(right, unit, atoms, first))
        } else {
            self.unary_or_temporal(formula, unit, atoms, first)
        };
        self.nodes.push(RobustNode { work, told: Degrees::new() });
        self.nodes.len() - 1
    }

    fn unary_or_temporal(
        &mut self,
        formula: &SignalFormula,
        unit: Unit,
        atoms: &mut usize,
        first: bool,
    ) -> RobustWork<D> {
        let (interval, left, right, negate) = match &formula.kind {
            SignalKind::Finally(interval, body) => (interval, None, body, false),
            SignalKind::Globally(interval, body) => (interval, None, body, true),
            SignalKind::Until(interval, left, right) => (interval, Some(left), right, false),
            SignalKind::Not(body) => return RobustWork::Not(self.add(body, unit, atoms, first)),
            _ => return RobustWork::Test(SignalTest::of(formula, atoms)),
        };
        let left = left.map(|left| self.add(left, unit, atoms, false));
        let right = self.add(right, unit, atoms, false);
        let (low, high) = bounds(interval, unit);
        match left {
            _ if first => RobustWork::First { left, right, state: First::new(low, high, negate) },
            Some(left) => RobustWork::Every { left, right, state: Every::new(low, high) },
            None => {
                let extreme = if negate { Extreme::least() } else { Extreme::greatest() };
                RobustWork::Best { right, state: Best::new(low, high, extreme) }
            }
        }
    }

    /// Operators have heard of all samples when a batch of them is over.
    fn save(&self, out: &mut Writer) {
        debug_assert!(self.fresh.is_empty() && self.result.is_none());
        for node in &self.nodes {
            node.told.save(out);
            match &node.work {
                RobustWork::Every { state, .. } => state.save(out),
                RobustWork::Best { state, .. } => state.save(out),
                RobustWork::First { state, .. } => state.save(out),
                RobustWork::Test(_) | RobustWork::Not(_) | RobustWork::Join(..) => {}
            }
        }
    }

    fn load(&mut self, samples: u64, reader: &mut Reader) -> Result<(), Damaged> {
        for node in &mut self.nodes {
            node.told = Degrees::load(reader)?;
            match &mut node.work {
                RobustWork::Every { state, .. } => state.load(samples, reader)?,
                RobustWork::Best { state, .. } => state.load(samples, reader)?,
                RobustWork::First { state, .. } => state.load(samples, reader)?,
                RobustWork::Test(_) | RobustWork::Not(_) | RobustWork::Join(..) => {}
            }
        }
        Ok(())
    }

    #[inline]
    fn arrive(&mut self, time: &Number, atoms: &[D]) {
        match self.fresh.last_mut() {
            Some((last, count)) if last == time => *count += 1,
            _ => self.fresh.push((time.clone(), 1)),
        }
        for node in &mut self.nodes {
            if let RobustWork::Test(test) = &node.work {
                node.told.push(test.degree(atoms));
            }
        }
    }

    /// Lets all operators tell what they can, children first; the result, if that decides it.
    fn tell(&mut self, ended: bool) -> Option<D> {
        if self.result.is_none() {
            for index in 0..self.nodes.len() {
                let (below, rest) = self.nodes.split_at_mut(index);
                if let Some(node) = rest.first_mut() {
                    node.arrive(&self.fresh);
                    node.tell(ended, below);
                }
            }
            self.fresh.clear();
            self.result = self.nodes.last_mut().and_then(|root| root.told.pop());
        }
        self.result.clone()
    }
}

impl<D: Degree> RobustNode<D> {
    /// Samples come, so many at each of these times.
    fn arrive(&mut self, times: &[(Number, u64)]) {
        for (time, count) in times {
            match &mut self.work {
                RobustWork::First { state, .. } => state.arrive(time, *count),
                RobustWork::Best { state, .. } => state.arrive(time, *count),
                RobustWork::Every { state, .. } => state.arrive(time, *count),
                RobustWork::Test(_) | RobustWork::Not(_) | RobustWork::Join(..) => return,
            }
        }
    }

    /// Tells what can be told of what those below have told.
    fn tell(&mut self, ended: bool, below: &mut [RobustNode<D>]) {
        match &mut self.work {
            RobustWork::Test(_) => {}
            RobustWork::Not(body) => {
                while let Some(value) = below[*body].told.pop() {
                    self.told.push(value.negated());
                }
            }
            RobustWork::Join(join, left, right) => {
                for _ in 0..below[*left].told.len().min(below[*right].told.len()) {
                    if let Some((left, right)) = below[*left].told.pop().zip(below[*right].told.pop()) {
                        self.told.push(join.degree(left, right));
                    }
                }
            }
            RobustWork::First { left, right, state } => {
                let told = state.tell(ended, || match left {
                    Some(left) => pop_both(below, *left, *right),
                    None => below[*right].told.pop().map(|best| (D::ALWAYS, best)),
                });
                if let Some(value) = told.filter(|_| self.told.is_empty()) {
                    self.told.push(value);
                }
            }
            RobustWork::Best { right, state } => state.tell(ended, &mut below[*right].told, &mut self.told),
            RobustWork::Every { left, right, state } => {
                while let Some((left, best)) = pop_both(below, *left, *right) {
                    state.hear(left, best);
                }
                while let Some(value) = state.tell(ended) {
                    self.told.push(value);
                }
            }
        }
    }
}

/// What two operators tell of the same sample, if both have told it.
#[inline]
fn pop_both<D: Degree>(below: &mut [RobustNode<D>], left: usize, right: usize) -> Option<(D, D)> {
    if below[left].told.is_empty() || below[right].told.is_empty() {
        return None;
    }
    below[left].told.pop().zip(below[right].told.pop())
}
