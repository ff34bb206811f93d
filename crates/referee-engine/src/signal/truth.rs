//! The truth of a formula at the first sample, as soon as the samples decide it.
//!
//! Every operator tells what it says of a sample when that is certain, in whatever order; what it tells goes up to the
//! operator above it, from a list of things to do rather than by calls.

use std::collections::VecDeque;

use referee_spec::core::signal::{Formula, Interval, Kind};
use referee_trace::mapping::Unit;
use referee_trace::number::Number;

use super::eventually::Eventually;
use super::first::FirstUntil;
use super::until::{Decision, Until};

#[derive(Debug, Clone, Copy)]
enum Join {
    And,
    Or,
    Implies,
    Iff,
}

impl Join {
    /// What two say together, as far as they are known.
    fn decide(self, left: Option<bool>, right: Option<bool>) -> Option<bool> {
        match (self, left, right) {
            (Join::And, Some(false), _) | (Join::And, _, Some(false)) => Some(false),
            (Join::Or, Some(true), _) | (Join::Or, _, Some(true)) => Some(true),
            (Join::Implies, Some(false), _) | (Join::Implies, _, Some(true)) => Some(true),
            (Join::And | Join::Or, Some(_), Some(right)) => Some(right),
            (Join::Implies, Some(_), Some(right)) => Some(right),
            (Join::Iff, Some(left), Some(right)) => Some(left == right),
            _ => None,
        }
    }
}

/// What two sides say of the samples from `base` on.
#[derive(Debug)]
struct Pairs {
    join: Join,
    base: u64,
    entries: VecDeque<Pair>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Pair {
    sides: [Option<bool>; 2],
    decided: bool,
}

impl Pairs {
    fn tell(&mut self, side: usize, decision: Decision, out: &mut Vec<Decision>) {
        let Some(at) = decision.sample.checked_sub(self.base) else { return };
        while self.entries.len() as u64 <= at {
            self.entries.push_back(Pair::default());
        }
        let pair = &mut self.entries[at as usize];
        pair.sides[side] = Some(decision.truth);
        if pair.decided {
            return;
        }
        if let Some(truth) = self.join.decide(pair.sides[0], pair.sides[1]) {
            pair.decided = true;
            out.push(Decision { truth, ..decision });
        }
        while self.entries.front().is_some_and(|pair| pair.decided) {
            self.entries.pop_front();
            self.base += 1;
        }
    }
}

#[derive(Debug)]
enum Work {
    Atom(usize),
    Constant(bool),
    Not,
    Join(Pairs),
    First(FirstUntil, bool),
    Every(Box<Until>, bool),
    Eventually(Eventually, bool),
}

impl Work {
    fn is_temporal(&self) -> bool {
        matches!(self, Work::First(..) | Work::Every(..) | Work::Eventually(..))
    }
}

/// An operator, and where what it says goes: to which one, on which side.
#[derive(Debug)]
struct Node {
    work: Work,
    above: Option<(usize, usize)>,
}

/// Decides a formula at the first sample.
#[derive(Debug)]
pub struct Truth {
    nodes: Vec<Node>,
    samples: u64,
    todo: Vec<(usize, Decision)>,
    found: Vec<Decision>,
    result: Option<Decision>,
}

/// The right side of an operator; the left one is 0.
const RIGHT: usize = 1;

impl Truth {
    /// For a formula whose atoms are numbered in textual order.
    pub fn new(formula: &Formula, unit: Unit) -> Truth {
        let mut truth = Truth { nodes: Vec::new(), samples: 0, todo: Vec::new(), found: Vec::new(), result: None };
        truth.add(formula, unit, &mut 0, true);
        truth
    }

    /// How many samples are kept.
    pub fn len(&self) -> usize {
        let of = |node: &Node| match &node.work {
            Work::Join(pairs) => pairs.entries.len(),
            Work::First(until, _) => until.len(),
            Work::Every(until, _) => until.len(),
            Work::Eventually(eventually, _) => eventually.len(),
            _ => 0,
        };
        self.nodes.iter().map(of).sum()
    }

    fn add(&mut self, formula: &Formula, unit: Unit, atoms: &mut usize, first: bool) -> usize {
        let join = |join| Work::Join(Pairs { join, base: 1, entries: VecDeque::new() });
        let (work, children): (Work, Vec<(&Formula, usize)>) = match &formula.kind {
            Kind::Constant(truth) => (Work::Constant(*truth), Vec::new()),
            Kind::Compare(..) | Kind::Truth(_) => {
                *atoms += 1;
                (Work::Atom(*atoms - 1), Vec::new())
            }
            Kind::Not(body) => (Work::Not, vec![(body, RIGHT)]),
            Kind::And(left, right) => (join(Join::And), vec![(left, 0), (right, RIGHT)]),
            Kind::Or(left, right) => (join(Join::Or), vec![(left, 0), (right, RIGHT)]),
            Kind::Implies(left, right) => (join(Join::Implies), vec![(left, 0), (right, RIGHT)]),
            Kind::Iff(left, right) => (join(Join::Iff), vec![(left, 0), (right, RIGHT)]),
            Kind::Finally(interval, body) => (temporal(interval, Some(body), false, unit, first), vec![(body, RIGHT)]),
            Kind::Globally(interval, body) => (temporal(interval, Some(body), true, unit, first), vec![(body, RIGHT)]),
            Kind::Until(interval, left, right) => {
                (temporal(interval, None, false, unit, first), vec![(left, 0), (right, RIGHT)])
            }
        };
        let boolean = matches!(work, Work::Not | Work::Join(_));
        let below: Vec<(usize, usize)> =
            children.into_iter().map(|(child, side)| (self.add(child, unit, atoms, first && boolean), side)).collect();
        self.nodes.push(Node { work, above: None });
        let own = self.nodes.len() - 1;
        for (child, side) in below {
            self.nodes[child].above = Some((own, side));
        }
        own
    }

    /// A sample comes; `atoms` says which atoms hold there. Gives the verdict once it is certain.
    pub fn arrive(&mut self, time: &Number, atoms: &[bool]) -> Option<Decision> {
        self.samples += 1;
        let sample = self.samples;
        for index in 0..self.nodes.len() {
            if !self.nodes[index].work.is_temporal() {
                continue;
            }
            let mut found = std::mem::take(&mut self.found);
            match &mut self.nodes[index].work {
                Work::First(until, _) => until.arrive(time, &mut found),
                Work::Every(until, _) => until.arrive(time, &mut found),
                Work::Eventually(eventually, _) => eventually.arrive(time, &mut found),
                _ => {}
            }
            self.pass_on(index, found);
        }
        self.run();
        for index in 0..self.nodes.len() {
            let truth = match self.nodes[index].work {
                Work::Atom(atom) => atoms[atom],
                Work::Constant(truth) => truth,
                _ => continue,
            };
            self.todo.push((index, Decision { sample, truth, witness: sample }));
            self.run();
        }
        self.result
    }

    /// No more samples come: the verdict, if there was any sample.
    pub fn end(&mut self) -> Option<Decision> {
        for index in 0..self.nodes.len() {
            let mut found = std::mem::take(&mut self.found);
            match &mut self.nodes[index].work {
                Work::First(until, _) => until.end(&mut found),
                Work::Every(until, _) => until.end(&mut found),
                Work::Eventually(eventually, _) => eventually.end(&mut found),
                _ => {}
            }
            self.pass_on(index, found);
            self.run();
        }
        self.result
    }

    /// Notes what an operator has told; `G` tells the opposite of what its `F` does.
    fn pass_on(&mut self, index: usize, mut found: Vec<Decision>) {
        if found.is_empty() {
            self.found = found;
            return;
        }
        let negate =
            matches!(self.nodes[index].work, Work::First(_, true) | Work::Every(_, true) | Work::Eventually(_, true));
        for decision in found.drain(..) {
            self.todo.push((index, Decision { truth: decision.truth != negate, ..decision }));
        }
        self.found = found;
    }

    /// Takes what has been told to the operators above.
    fn run(&mut self) {
        while let Some((index, decision)) = self.todo.pop() {
            let Some((above, side)) = self.nodes[index].above else {
                if decision.sample == 1 && self.result.is_none() {
                    self.result = Some(decision);
                }
                continue;
            };
            let mut found = std::mem::take(&mut self.found);
            let Decision { sample, truth, .. } = decision;
            match &mut self.nodes[above].work {
                Work::Not => found.push(Decision { truth: !truth, ..decision }),
                Work::Join(pairs) => pairs.tell(side, decision, &mut found),
                Work::First(until, negate) if side == RIGHT => until.right(sample, truth != *negate, &mut found),
                Work::First(until, _) => until.left(sample, truth, &mut found),
                Work::Every(until, negate) if side == RIGHT => until.right(sample, truth != *negate, &mut found),
                Work::Every(until, _) => until.left(sample, truth, &mut found),
                Work::Eventually(eventually, negate) => eventually.right(truth != *negate, &mut found),
                Work::Atom(_) | Work::Constant(_) => {}
            }
            self.pass_on(above, found);
        }
    }
}

/// The operator for an interval: `F` or `G` of a body, or an until.
fn temporal(interval: &Interval, body: Option<&Formula>, negate: bool, unit: Unit, first: bool) -> Work {
    let (low, high) = super::bounds(interval, unit);
    match body {
        _ if first => Work::First(FirstUntil::new(low, high, body.is_none()), negate),
        Some(body) if is_known_at_once(body) => Work::Eventually(Eventually::new(low, high), negate),
        _ => Work::Every(Box::new(Until::new(low, high, body.is_none())), negate),
    }
}

/// Whether a formula looks at no sample but its own.
fn is_known_at_once(formula: &Formula) -> bool {
    match &formula.kind {
        Kind::Constant(_) | Kind::Compare(..) | Kind::Truth(_) => true,
        Kind::Not(body) => is_known_at_once(body),
        Kind::And(left, right) | Kind::Or(left, right) | Kind::Implies(left, right) | Kind::Iff(left, right) => {
            is_known_at_once(left) && is_known_at_once(right)
        }
        Kind::Finally(..) | Kind::Globally(..) | Kind::Until(..) => false,
    }
}
