//! The truth of a formula at the first sample, as soon as the samples decide it.
//!
//! ```text
//!  sample ─▶ tests ─▶ F, G, U ─▶ joins ─▶ … ─▶ the first sample is decided
//!            told      told       told          children before parents: one pass per sample takes everything up
//! ```
//!
//! Every operator tells what it says of a sample when that is certain, in whatever order; what it tells goes up to the
//! operator above it within the same pass. What looks at no sample but its own is one *test*, however large it is.

use std::collections::VecDeque;

use referee_spec::core::signal::{SignalFormula, SignalInterval, SignalKind};
use referee_trace::mapping::Unit;
use referee_trace::number::Number;

use super::at_once::{SignalJoin, SignalTest, is_known_at_once, parts};
use super::bounds::bounds;
use super::eventually::Eventually;
use super::first::FirstUntil;
use super::sample_numbers::{ensure, read_sample};
use super::until::{Until, UntilDecision};
use crate::shared::bytes::{Damaged, Reader, Writer};

/// What two sides say of the samples from `base` on, a byte each: what is known of either side, and whether both together are decided.
#[derive(Debug)]
struct Pairs {
    /// What two sides that are known so say together: [`FALSE`], [`TRUE`] or nothing.
    join: [u8; 16],
    base: u64,
    entries: VecDeque<u8>,
}

/// What is known of a side, in two bits; nothing is known without either.
const FALSE: u8 = 1;
const TRUE: u8 = 2;
/// How far the right side is moved, and what marks a decided sample.
const SIDE: usize = 2;
const SIDES: u8 = 15;
const DECIDED: u8 = 16;

impl Pairs {
    fn new(join: SignalJoin) -> Pairs {
        let of = |bits: u8| match bits & 3 {
            FALSE => Some(false),
            TRUE => Some(true),
            _ => None,
        };
        let both = |sides: usize| join.decide(of(sides as u8), of(sides as u8 >> SIDE)).map_or(0, bits);
        Pairs { join: std::array::from_fn(both), base: 1, entries: VecDeque::new() }
    }

    #[inline]
    fn tell(&mut self, side: usize, decision: UntilDecision, out: &mut Vec<UntilDecision>) {
        let Some(at) = decision.sample.checked_sub(self.base) else { return };
        while self.entries.len() as u64 <= at {
            self.entries.push_back(0);
        }
        let pair = &mut self.entries[at as usize];
        *pair |= bits(decision.truth) << (side * SIDE);
        let together = self.join[usize::from(*pair & SIDES)];
        if *pair & DECIDED != 0 || together == 0 {
            return;
        }
        *pair |= DECIDED;
        out.push(UntilDecision { truth: together == TRUE, ..decision });
        if at == 0 {
            self.forget();
        }
    }

    fn save(&self, out: &mut Writer) {
        out.number(self.base);
        out.length(self.entries.len());
        self.entries.iter().for_each(|entry| out.byte(*entry));
    }

    fn load(&mut self, samples: u64, reader: &mut Reader) -> Result<(), Damaged> {
        self.base = read_sample(reader)?;
        self.entries = reader.list(Reader::byte)?.into();
        ensure(self.base >= 1 && self.base + self.entries.len() as u64 <= samples + 1)?;
        ensure(self.entries.iter().all(|entry| entry & !(SIDES | DECIDED) == 0))
    }

    /// Forgets the samples before the first that is not decided.
    fn forget(&mut self) {
        while self.entries.front().is_some_and(|pair| pair & DECIDED != 0) {
            self.entries.pop_front();
            self.base += 1;
        }
    }
}

#[inline]
fn bits(truth: bool) -> u8 {
    if truth { TRUE } else { FALSE }
}

#[derive(Debug)]
enum TruthWork {
    Test(SignalTest),
    Not { body: usize },
    Join { pairs: Pairs, left: OperandSide, right: OperandSide },
    Temporal { operator: SignalOperator, negate: bool, left: Option<OperandSide>, right: OperandSide },
}

/// What an operator is made of: another one, or something that is known when a sample comes.
#[derive(Debug)]
enum OperandSide {
    Node(usize),
    Test(SignalTest),
}

impl OperandSide {
    /// What it tells, one after the other.
    #[inline]
    fn told(&self, below: &mut [TruthNode], samples: u64, news: News<'_>, mut hear: impl FnMut(UntilDecision)) {
        match (self, news) {
            (OperandSide::Node(node), _) => {
                let told = &mut below[*node].told;
                // Cheaper than draining, and they are taken whole.
                told.iter().for_each(|decision| hear(*decision));
                told.clear();
            }
            (OperandSide::Test(test), News::Sample(_, atoms)) => {
                hear(UntilDecision { sample: samples, truth: test.holds(atoms), witness: samples });
            }
            (OperandSide::Test(_), News::Time(_) | News::End) => {}
        }
    }
}

/// `F` or `U`; `G` is an `F` between two negations.
#[derive(Debug)]
enum SignalOperator {
    First(FirstUntil),
    Every(Box<Until>),
    Eventually(Eventually),
}

impl SignalOperator {
    fn len(&self) -> usize {
        match self {
            SignalOperator::First(until) => until.len(),
            SignalOperator::Every(until) => until.len(),
            SignalOperator::Eventually(eventually) => eventually.len(),
        }
    }

    #[inline]
    fn arrive(&mut self, time: &Number, out: &mut Vec<UntilDecision>) {
        match self {
            SignalOperator::First(until) => until.arrive(time, out),
            SignalOperator::Every(until) => until.arrive(time, out),
            SignalOperator::Eventually(eventually) => eventually.arrive(time, out),
        }
    }

    fn advance(&mut self, time: &Number, out: &mut Vec<UntilDecision>) {
        match self {
            SignalOperator::First(until) => until.advance(time, out),
            SignalOperator::Every(until) => until.advance(time, out),
            SignalOperator::Eventually(eventually) => eventually.advance(time, out),
        }
    }

    fn left(&mut self, told: UntilDecision, out: &mut Vec<UntilDecision>) {
        match self {
            SignalOperator::First(until) => until.left(told.sample, told.truth, out),
            SignalOperator::Every(until) => until.left(told.sample, told.truth, out),
            SignalOperator::Eventually(_) => {}
        }
    }

    #[inline]
    fn right(&mut self, told: UntilDecision, out: &mut Vec<UntilDecision>) {
        match self {
            SignalOperator::First(until) => until.right(told.sample, told.truth, out),
            SignalOperator::Every(until) => until.right(told.sample, told.truth, out),
            SignalOperator::Eventually(eventually) => eventually.right(told.truth, out),
        }
    }

    fn end(&mut self, out: &mut Vec<UntilDecision>) {
        match self {
            SignalOperator::First(until) => until.end(out),
            SignalOperator::Every(until) => until.end(out),
            SignalOperator::Eventually(eventually) => eventually.end(out),
        }
    }
}

/// An operator, and what it has told that the one above it has yet to take.
#[derive(Debug)]
struct TruthNode {
    work: TruthWork,
    told: Vec<UntilDecision>,
}

/// Decides a formula at the first sample.
#[derive(Debug)]
pub(super) struct SignalTruth {
    /// Each after those that it reads.
    nodes: Vec<TruthNode>,
    samples: u64,
    result: Option<UntilDecision>,
}

/// The right side of an operator; the left one is 0.
const RIGHT: usize = 1;

/// What brings news.
#[derive(Clone, Copy)]
enum News<'n> {
    /// A sample at a time, where these atoms hold.
    Sample(&'n Number, &'n [bool]),
    /// No sample comes before a time.
    Time(&'n Number),
    /// No more samples come.
    End,
}

impl SignalTruth {
    /// For a formula whose atoms are numbered in textual order.
    pub(super) fn new(formula: &SignalFormula, unit: Unit) -> SignalTruth {
        let mut truth = SignalTruth { nodes: Vec::new(), samples: 0, result: None };
        truth.add(formula, unit, &mut 0, true);
        truth
    }

    /// How many samples are kept.
    pub(super) fn len(&self) -> usize {
        let of = |node: &TruthNode| match &node.work {
            TruthWork::Join { pairs, .. } => pairs.entries.len(),
            TruthWork::Temporal { operator, .. } => operator.len(),
            TruthWork::Test(_) | TruthWork::Not { .. } => 0,
        };
        self.nodes.iter().map(of).sum()
    }

    /// Writes what the operators keep, between two samples: what they have told is taken up by then.
    pub(super) fn save(&self, out: &mut Writer) {
        for node in &self.nodes {
            match &node.work {
                TruthWork::Test(_) | TruthWork::Not { .. } => {}
                TruthWork::Join { pairs, .. } => pairs.save(out),
                TruthWork::Temporal { operator, .. } => match operator {
                    SignalOperator::First(until) => until.save(out),
                    SignalOperator::Every(until) => until.save(out),
                    SignalOperator::Eventually(eventually) => eventually.save(out),
                },
            }
        }
    }

    /// Reads what [`SignalTruth::save`] wrote after so many samples.
    pub(super) fn load(&mut self, samples: u64, reader: &mut Reader) -> Result<(), Damaged> {
        self.samples = samples;
        for node in &mut self.nodes {
            match &mut node.work {
                TruthWork::Test(_) | TruthWork::Not { .. } => {}
                TruthWork::Join { pairs, .. } => pairs.load(samples, reader)?,
                TruthWork::Temporal { operator, .. } => match operator {
                    SignalOperator::First(until) => until.load(reader)?,
                    SignalOperator::Every(until) => until.load(samples, reader)?,
                    SignalOperator::Eventually(eventually) => eventually.load(samples, reader)?,
                },
            }
        }
        Ok(())
    }

    /// Adds a formula behind its parts; `first` if it is asked for at the first sample only.
    fn add(&mut self, formula: &SignalFormula, unit: Unit, atoms: &mut usize, first: bool) -> usize {
        let work = if is_known_at_once(formula) {
            TruthWork::Test(SignalTest::of(formula, atoms))
        } else if let Some((join, left, right)) = parts(formula) {
            let (left, right) = (self.side(left, unit, atoms, first), self.side(right, unit, atoms, first));
            TruthWork::Join { pairs: Pairs::new(join), left, right }
        } else {
            self.unary_or_temporal(formula, unit, atoms, first)
        };
        self.nodes.push(TruthNode { work, told: Vec::new() });
        self.nodes.len() - 1
    }

    fn unary_or_temporal(&mut self, formula: &SignalFormula, unit: Unit, atoms: &mut usize, first: bool) -> TruthWork {
        let (interval, left, right, negate) = match &formula.kind {
            SignalKind::Finally(interval, body) => (interval, None, body, false),
            SignalKind::Globally(interval, body) => (interval, None, body, true),
            SignalKind::Until(interval, left, right) => (interval, Some(left), right, false),
            SignalKind::Not(body) => return TruthWork::Not { body: self.add(body, unit, atoms, first) },
            _ => return TruthWork::Test(SignalTest::of(formula, atoms)),
        };
        let body = left.is_none().then_some(&**right);
        let operator = temporal(interval, body, unit, first);
        let left = left.map(|left| self.side(left, unit, atoms, false));
        TruthWork::Temporal { operator, negate, left, right: self.side(right, unit, atoms, false) }
    }

    fn side(&mut self, formula: &SignalFormula, unit: Unit, atoms: &mut usize, first: bool) -> OperandSide {
        match is_known_at_once(formula) {
            true => OperandSide::Test(SignalTest::of(formula, atoms)),
            false => OperandSide::Node(self.add(formula, unit, atoms, first)),
        }
    }

    /// A sample comes; `atoms` says which atoms hold there. Gives the verdict once it is certain.
    #[inline]
    pub(super) fn arrive(&mut self, time: &Number, atoms: &[bool]) -> Option<UntilDecision> {
        self.samples += 1;
        self.pass(News::Sample(time, atoms))
    }

    /// Time passes: no sample will come before this time. Gives the verdict once it is certain.
    pub(super) fn advance(&mut self, time: &Number) -> Option<UntilDecision> {
        self.pass(News::Time(time))
    }

    /// No more samples come: the verdict, if there was any sample.
    pub(super) fn end(&mut self) -> Option<UntilDecision> {
        self.pass(News::End)
    }

    /// Lets all operators tell what they can, each after those that it reads.
    fn pass(&mut self, news: News<'_>) -> Option<UntilDecision> {
        for index in 0..self.nodes.len() {
            let (below, rest) = self.nodes.split_at_mut(index);
            let Some(TruthNode { work, told }) = rest.first_mut() else { break };
            match work {
                TruthWork::Test(test) => {
                    if let News::Sample(_, atoms) = news {
                        let sample = self.samples;
                        told.push(UntilDecision { sample, truth: test.holds(atoms), witness: sample });
                    }
                }
                TruthWork::Not { body } => {
                    let body = below[*body].told.drain(..);
                    told.extend(body.map(|decision| UntilDecision { truth: !decision.truth, ..decision }));
                }
                TruthWork::Join { pairs, left, right } => {
                    left.told(below, self.samples, news, |decision| pairs.tell(0, decision, told));
                    right.told(below, self.samples, news, |decision| pairs.tell(RIGHT, decision, told));
                }
                TruthWork::Temporal { operator, negate, left, right } => {
                    match news {
                        News::Sample(time, _) => operator.arrive(time, told),
                        News::Time(time) => operator.advance(time, told),
                        News::End => {}
                    }
                    if let Some(left) = left {
                        left.told(below, self.samples, news, |decision| operator.left(decision, told));
                    }
                    right.told(below, self.samples, news, |decision| {
                        operator.right(UntilDecision { truth: decision.truth != *negate, ..decision }, told);
                    });
                    // At the end all that its sides will ever say is known by now.
                    if let News::End = news {
                        operator.end(told);
                    }
                    if *negate {
                        told.iter_mut().for_each(|decision| decision.truth = !decision.truth);
                    }
                }
            }
        }
        if let Some(root) = self.nodes.last_mut().filter(|root| !root.told.is_empty()) {
            let decided = root.told.iter().find(|decision| decision.sample == 1).copied();
            root.told.clear();
            self.result = self.result.or(decided);
        }
        self.result
    }
}

/// The operator for an interval: `F` or `G` of a body, or an until.
fn temporal(interval: &SignalInterval, body: Option<&SignalFormula>, unit: Unit, first: bool) -> SignalOperator {
    let (low, high) = bounds(interval, unit);
    match body {
        _ if first => SignalOperator::First(FirstUntil::new(low, high, body.is_none())),
        Some(body) if is_known_at_once(body) => SignalOperator::Eventually(Eventually::new(low, high)),
        _ => SignalOperator::Every(Box::new(Until::new(low, high, body.is_none()))),
    }
}
