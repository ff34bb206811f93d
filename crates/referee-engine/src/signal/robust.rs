//! The robustness at the first sample: every operator tells its values in the order of the samples, each when its interval
//! has passed.
//!
//! ```text
//!  child values   5  3  4  7      queue of F: those that may still be the greatest of some interval
//!  samples        i        ▲      sample i is told when a later sample lies after its interval, or at the end
//! ```
//!
//! `F` and `G` keep a monotone queue each ([`Extreme`]). `φ U ψ` over a run of samples is a pair (best, left): the best
//! witness in it, and the least φ. Runs are joined by (max(a, min(l, a')), min(l, l')), which is associative; so intervals
//! slide as two stacks of such pairs, at constant cost per sample on average, whatever the interval. Operators that are
//! needed at the first sample only fold their samples as they come and keep none.

use std::cmp::Ordering;
use std::collections::VecDeque;

use referee_spec::core::signal::{Formula, Kind, Robustness};
use referee_trace::mapping::Unit;
use referee_trace::number::Number;

use super::at_once::{Join, Test, is_known_at_once, parts};
use super::degrees::Degrees;
use super::times::{Cursor, Times};
use crate::window::Extreme;

/// The best witness in a run of samples, and the least φ.
#[derive(Debug, Clone)]
struct Run {
    best: Robustness,
    left: Robustness,
}

impl Run {
    fn empty() -> Run {
        Run { best: Robustness::NegativeInfinity, left: Robustness::PositiveInfinity }
    }

    fn then(&self, next: &Run) -> Run {
        let reached = self.left.clone().min(next.best.clone());
        Run { best: self.best.clone().max(reached), left: self.left.clone().min(next.left.clone()) }
    }

    /// The same sample as the one in force when an interval begins: φ must hold there, too.
    fn in_force(&self) -> Run {
        Run { best: self.best.clone().min(self.left.clone()), left: self.left.clone() }
    }
}

/// Runs that slide: samples enter behind and leave in front.
#[derive(Debug, Default)]
struct Slide {
    /// Each sample, and it joined with all behind it; the first sample last.
    front: Vec<(Run, Run)>,
    back: Vec<Run>,
    back_total: Option<Run>,
}

impl Slide {
    fn push(&mut self, run: Run) {
        self.back_total = Some(self.back_total.take().map_or_else(|| run.clone(), |total| total.then(&run)));
        self.back.push(run);
    }

    fn pop(&mut self) -> Option<Run> {
        if self.front.is_empty() {
            self.back_total = None;
            while let Some(run) = self.back.pop() {
                let joined = self.front.last().map_or_else(|| run.clone(), |(_, behind)| run.then(behind));
                self.front.push((run, joined));
            }
        }
        self.front.pop().map(|(run, _)| run)
    }

    fn total(&self) -> Run {
        let front = self.front.last().map_or_else(Run::empty, |(_, total)| total.clone());
        self.back_total.as_ref().map_or_else(|| front.clone(), |back| front.then(back))
    }
}

/// `F` or `G` at every sample.
#[derive(Debug)]
struct Best {
    low: Number,
    high: Option<Number>,
    times: Times,
    /// The values of the samples in the interval that may be the answer.
    extreme: Extreme<u64, Robustness>,
    /// What ψ says of samples after the interval.
    waiting: Degrees,
    entered: u64,
    /// The sample that is told next, and the first and the last in its interval.
    own: Option<Cursor>,
    bounds: Option<(Cursor, Cursor)>,
    /// When the intervals of the samples of a run begin and end.
    span: Option<Span>,
}

/// When the intervals of the samples of a run of equal times begin and end.
#[derive(Debug)]
struct Span {
    /// The first sample that it was worked out for.
    sample: Cursor,
    begins: Number,
    ends: Option<Number>,
}

impl Best {
    fn new(low: Number, high: Option<Number>, extreme: Extreme<u64, Robustness>) -> Best {
        let (times, waiting) = (Times::default(), Degrees::default());
        Best { low, high, times, extreme, waiting, entered: 0, own: None, bounds: None, span: None }
    }

    fn arrive(&mut self, time: &Number) {
        self.times.push(time);
        if self.times.count() == 1 {
            self.own = self.times.first();
        }
    }

    /// The value of the next sample, if its interval has passed and all in it is known.
    fn tell(&mut self, ended: bool) -> Option<Robustness> {
        let own = self.own?;
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
        if !self.enter(last) || !passed {
            return None;
        }
        self.extreme.leave(&(start.sample - 1));
        self.own = self.times.next(own);
        if let Some(own) = self.own {
            self.times.forget(own);
        }
        self.extreme.value().cloned()
    }

    fn span_of(&self, sample: Cursor) -> Option<Span> {
        let time = self.times.time(sample)?;
        let ends = self.high.as_ref().map(|high| time.add(high));
        Some(Span { sample, begins: time.add(&self.low), ends })
    }

    /// The last sample up to a time.
    fn reach(&self, mut last: Cursor, end: Option<&Number>) -> Cursor {
        while let Some(next) = self.times.next(last)
            && end.is_none_or(|end| self.times.time(next).is_some_and(|time| time <= end))
        {
            last = next;
        }
        last
    }

    /// Lets values in up to a sample; whether they are all known.
    fn enter(&mut self, last: Cursor) -> bool {
        while self.entered < last.sample
            && let Some(value) = self.waiting.pop()
        {
            self.entered += 1;
            self.extreme.enter(self.entered, value);
        }
        self.entered >= last.sample
    }

    /// The first sample in the interval: the last one up to its beginning.
    #[inline]
    fn begin(&self, mut start: Cursor, last: Cursor, begins: &Number) -> Option<Cursor> {
        while start.sample < last.sample
            && self.times.time(start)? < begins
            && let Some(next) = self.times.next(start)
            && self.times.time(next)? <= begins
        {
            start = next;
        }
        Some(start)
    }
}

/// The later of two samples.
fn later(one: Cursor, other: Cursor) -> Cursor {
    if one.sample < other.sample { other } else { one }
}

/// An until at every sample.
#[derive(Debug)]
struct Every {
    low: Number,
    high: Option<Number>,
    /// The times of the samples from `base` on.
    times: VecDeque<Number>,
    base: u64,
    /// What φ and ψ say of the samples from `entered` on that no interval has reached.
    waiting: VecDeque<Run>,
    entered: u64,
    /// The samples from `own` up to the first in its interval, and those behind it in the interval.
    before: Slide,
    inside: Slide,
    /// The sample between the two.
    first: Option<Run>,
    own: u64,
    start: u64,
    last: u64,
}

impl Every {
    fn new(low: Number, high: Option<Number>) -> Every {
        Every {
            low,
            high,
            times: VecDeque::new(),
            base: 1,
            waiting: VecDeque::new(),
            entered: 1,
            before: Slide::default(),
            inside: Slide::default(),
            first: None,
            own: 1,
            start: 0,
            last: 0,
        }
    }

    fn count(&self) -> u64 {
        self.base + self.times.len() as u64 - 1
    }

    fn time(&self, sample: u64) -> &Number {
        &self.times[(sample - self.base) as usize]
    }

    /// The value of the next sample, if its interval has passed and all in it is known.
    fn tell(&mut self, ended: bool) -> Option<Robustness> {
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

    fn take(&mut self) -> Run {
        self.entered += 1;
        self.waiting.pop_front().unwrap_or_else(Run::empty)
    }

    /// Lets the interval begin no earlier than with a sample.
    fn begin(&mut self, sample: u64) {
        while self.start < sample {
            if let Some(first) = self.first.take().filter(|_| self.start >= self.own) {
                // Before its interval a sample is no witness.
                self.before.push(Run { best: Robustness::NegativeInfinity, left: first.left });
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

/// A temporal operator at the first sample only.
#[derive(Debug)]
struct First {
    low: Number,
    high: Option<Number>,
    begins: Option<Number>,
    ends: Option<Number>,
    times: Times,
    /// The last sample that has been folded.
    folded: Option<Cursor>,
    /// Which of two values an operator without φ keeps: the greater one if it is `F`.
    wanted: Ordering,
    total: Run,
    told: bool,
}

impl First {
    fn new(low: Number, high: Option<Number>, negate: bool) -> First {
        let (wanted, nothing) = match negate {
            false => (Ordering::Greater, Robustness::NegativeInfinity),
            true => (Ordering::Less, Robustness::PositiveInfinity),
        };
        First {
            low,
            high,
            begins: None,
            ends: None,
            times: Times::default(),
            folded: None,
            wanted,
            total: Run { best: nothing, left: Robustness::PositiveInfinity },
            told: false,
        }
    }

    #[inline]
    fn arrive(&mut self, time: &Number) {
        if self.begins.is_none() {
            self.begins = Some(time.add(&self.low));
            self.ends = self.high.as_ref().map(|high| time.add(high));
        }
        self.times.push(time);
    }

    /// Folds what is known; `values` tells φ and ψ at the next sample, if it can. Gives the result once it is certain.
    fn tell(
        &mut self,
        ended: bool,
        mut values: impl FnMut() -> Option<(Robustness, Robustness)>,
    ) -> Option<Robustness> {
        while !self.told {
            let Some(at) = self.folded.map_or_else(|| self.times.first(), |folded| self.times.next(folded)) else {
                self.told = ended;
                break;
            };
            if self.ends.as_ref().is_some_and(|end| self.times.time(at).is_some_and(|time| time > end)) {
                self.told = true;
                break;
            }
            let place = self.place(at, ended)?;
            let (left, best) = values()?;
            self.fold(place, left, best);
            self.folded = Some(at);
            self.times.forget(at);
        }
        self.told.then(|| self.total.best.clone())
    }

    /// Where a sample lies, if that is known.
    #[inline]
    fn place(&self, at: Cursor, ended: bool) -> Option<Place> {
        let begins = self.begins.as_ref()?;
        if self.times.time(at)? >= begins {
            return Some(Place::Inside);
        }
        match self.times.next(at).and_then(|next| self.times.time(next)) {
            None if !ended => None,
            Some(next) if next <= begins => Some(Place::Before),
            _ => Some(Place::InForce),
        }
    }

    #[inline]
    fn fold(&mut self, place: Place, left: Robustness, best: Robustness) {
        if left == Robustness::PositiveInfinity && self.total.left == Robustness::PositiveInfinity {
            // Without φ, or as if there were none.
            if place != Place::Before && best.cmp(&self.total.best) == self.wanted {
                self.total.best = best;
            }
            return;
        }
        let run = Run { best, left };
        self.total = self.total.then(&match place {
            Place::Inside => run,
            Place::InForce => run.in_force(),
            Place::Before => Run { best: Robustness::NegativeInfinity, left: run.left },
        });
    }
}

/// Where a sample lies: before an interval, in force when it begins, or in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Before,
    InForce,
    Inside,
}

#[derive(Debug)]
enum Work {
    Test(Test),
    Not(usize),
    Join(Join, usize, usize),
    First { left: Option<usize>, right: usize, state: First },
    Best { right: usize, state: Best },
    Every { left: usize, right: usize, state: Every },
}

/// An operator, and what it has told that nobody has taken.
#[derive(Debug)]
struct Node {
    work: Work,
    told: Degrees,
}

/// Computes the robustness of a formula at the first sample.
#[derive(Debug)]
pub struct Robust {
    nodes: Vec<Node>,
    result: Option<Robustness>,
}

impl Robust {
    /// For a formula whose atoms are numbered in textual order.
    pub fn new(formula: &Formula, unit: Unit) -> Robust {
        let mut robust = Robust { nodes: Vec::new(), result: None };
        robust.add(formula, unit, &mut 0, true);
        robust
    }

    /// How many values are kept.
    pub fn len(&self) -> usize {
        let of = |node: &Node| match &node.work {
            Work::Every { state, .. } => state.times.len(),
            Work::Best { state, .. } => state.times.len() + state.extreme.len() + state.waiting.len(),
            Work::First { state, .. } => state.times.len(),
            _ => 0,
        } + node.told.len();
        self.nodes.iter().map(of).sum()
    }

    /// Adds a formula behind its parts; `first` if it is asked for at the first sample only.
    fn add(&mut self, formula: &Formula, unit: Unit, atoms: &mut usize, first: bool) -> usize {
        let work = if is_known_at_once(formula) {
            Work::Test(Test::of(formula, atoms))
        } else if let Some((join, left, right)) = parts(formula) {
            let left = self.add(left, unit, atoms, first);
            Work::Join(join, left, self.add(right, unit, atoms, first))
        } else {
            self.unary_or_temporal(formula, unit, atoms, first)
        };
        self.nodes.push(Node { work, told: Degrees::default() });
        self.nodes.len() - 1
    }

    fn unary_or_temporal(&mut self, formula: &Formula, unit: Unit, atoms: &mut usize, first: bool) -> Work {
        let (interval, left, right, negate) = match &formula.kind {
            Kind::Finally(interval, body) => (interval, None, body, false),
            Kind::Globally(interval, body) => (interval, None, body, true),
            Kind::Until(interval, left, right) => (interval, Some(left), right, false),
            Kind::Not(body) => return Work::Not(self.add(body, unit, atoms, first)),
            _ => return Work::Test(Test::of(formula, atoms)),
        };
        let left = left.map(|left| self.add(left, unit, atoms, false));
        let right = self.add(right, unit, atoms, false);
        let (low, high) = super::bounds(interval, unit);
        match left {
            _ if first => Work::First { left, right, state: First::new(low, high, negate) },
            Some(left) => Work::Every { left, right, state: Every::new(low, high) },
            None => {
                let extreme = if negate { Extreme::least() } else { Extreme::greatest() };
                Work::Best { right, state: Best::new(low, high, extreme) }
            }
        }
    }

    /// A sample comes; `atoms` gives the robustness of the atoms there. What follows from it is worked out by
    /// [`Robust::settle`], for many samples at once.
    pub fn arrive(&mut self, time: &Number, atoms: &[Robustness]) {
        for node in &mut self.nodes {
            match &mut node.work {
                Work::Test(test) => node.told.push(test.degree(atoms)),
                Work::First { state, .. } => state.arrive(time),
                Work::Best { state, .. } => state.arrive(time),
                Work::Every { state, .. } => state.times.push_back(time.clone()),
                Work::Not(_) | Work::Join(..) => {}
            }
        }
    }

    /// The result, if the samples so far decide it.
    pub fn settle(&mut self) -> Option<Robustness> {
        self.tell(false);
        self.result.clone()
    }

    /// No more samples come: the result, if there was any sample.
    pub fn end(&mut self) -> Option<Robustness> {
        self.tell(true);
        self.result.clone()
    }

    /// Lets all operators tell what they can, children first.
    fn tell(&mut self, ended: bool) {
        if self.result.is_some() {
            return;
        }
        for index in 0..self.nodes.len() {
            let (below, rest) = self.nodes.split_at_mut(index);
            let Some(node) = rest.first_mut() else { break };
            match &mut node.work {
                Work::Test(_) => {}
                Work::Not(body) => {
                    while let Some(value) = below[*body].told.pop() {
                        node.told.push(value.negated());
                    }
                }
                Work::Join(join, left, right) => {
                    while let Some((left, right)) = pop_both(below, *left, *right) {
                        node.told.push(join.degree(left, right));
                    }
                }
                Work::First { left, right, state } => {
                    let told = state.tell(ended, || match left {
                        Some(left) => pop_both(below, *left, *right),
                        None => below[*right].told.pop().map(|best| (Robustness::PositiveInfinity, best)),
                    });
                    if let Some(value) = told.filter(|_| node.told.is_empty()) {
                        node.told.push(value);
                    }
                }
                Work::Best { right, state } => {
                    while let Some(value) = below[*right].told.pop() {
                        state.waiting.push(value);
                    }
                    while let Some(value) = state.tell(ended) {
                        node.told.push(value);
                    }
                }
                Work::Every { left, right, state } => {
                    while let Some((left, best)) = pop_both(below, *left, *right) {
                        state.waiting.push_back(Run { best, left });
                    }
                    while let Some(value) = state.tell(ended) {
                        node.told.push(value);
                    }
                }
            }
        }
        self.result = self.nodes.last_mut().and_then(|root| root.told.pop());
    }
}

/// What two operators tell of the same sample, if both have told it.
fn pop_both(below: &mut [Node], left: usize, right: usize) -> Option<(Robustness, Robustness)> {
    if below[left].told.is_empty() || below[right].told.is_empty() {
        return None;
    }
    below[left].told.pop().zip(below[right].told.pop())
}
