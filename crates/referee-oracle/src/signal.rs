//! Signal temporal logic by its definition: every formula at every sample, as far as it is known.
//!
//! Nothing is remembered: what a formula says of a sample is worked out from the trace each time it is asked for.

use referee_spec::core::signal::{
    Robustness, Signal, SignalFormula, SignalInterval, SignalKind, SignalTerm, TermKind, holds,
};
use referee_spec::core::{Obstacle, Outcome, Problem, Status, Violation};
use referee_trace::number::Number;
use referee_trace::owned::OwnedTrace;
use referee_trace::value::Value;

use crate::question::{ClockStep, Mode};

/// Judges a formula on a trace.
pub fn judge(signal: &Signal, trace: &OwnedTrace, mode: Mode) -> Outcome {
    judge_with_clock(signal, trace, mode, &[])
}

/// The same where a clock moves between samples: a field keeps its value until then.
pub(crate) fn judge_with_clock(signal: &Signal, trace: &OwnedTrace, mode: Mode, clock: &[ClockStep]) -> Outcome {
    let mut world = SignalWorld::new(signal, trace);
    let count = world.samples.len();
    let violation = |point: usize, decided: Option<usize>| Violation {
        point: point as u64,
        decided: decided.map(|decided| decided as u64),
        opened: None,
        bindings: Vec::new(),
        message: None,
    };
    let mut violations = Vec::new();
    let mut pending = 0;
    let obstacle = world.first_obstacle();
    let judged = obstacle.as_ref().map_or(count, |obstacle| obstacle.point as usize - 1);
    let early = (1..=judged).find_map(|known| {
        let times = clock.iter().filter(|step| step.after == known).map(|step| Some(step.time.clone()));
        let mut horizons = std::iter::once(None).chain(times);
        horizons.find_map(|horizon| {
            world.horizon = horizon;
            world.truth_after(known, false).map(|truth| (known, truth))
        })
    });
    world.horizon = None;
    let obstacle = obstacle.filter(|_| early.is_none());
    match early {
        _ if obstacle.is_some() => {}
        Some((known, false)) => violations.push(violation(known, Some(known))),
        Some((_, true)) => {}
        None if mode == Mode::Prefix => pending = 1,
        None => {
            if world.truth_after(count, true) == Some(false) {
                violations.push(violation(count, None));
            }
        }
    }
    let status = match (violations.is_empty(), &obstacle) {
        (false, _) => Status::Violated,
        (true, Some(_)) => Status::GaveUp,
        (true, None) => Status::Satisfied,
    };
    Outcome { status, violations, pending, obstacle }
}

/// The robustness of a formula on a complete trace.
pub fn robustness(signal: &Signal, trace: &OwnedTrace) -> Robustness {
    let mut world = SignalWorld::new(signal, trace);
    match world.samples.is_empty() {
        true => Robustness::of(of_nothing(&signal.formula)),
        false => world.robustness(&signal.formula, 0),
    }
}

/// A sample: its time, and the values of all fields.
struct SignalSample {
    time: Number,
    values: Vec<Option<Value>>,
}

struct SignalWorld<'w> {
    signal: &'w Signal,
    samples: Vec<SignalSample>,
    /// How many samples are known, and whether there are no more.
    known: usize,
    ended: bool,
    /// Before which time no sample comes, where that is known.
    horizon: Option<Number>,
    obstacle: Option<Obstacle>,
}

/// Truth in Kleene's sense.
type SignalTruth = Option<bool>;

fn and(left: SignalTruth, right: SignalTruth) -> SignalTruth {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn not(truth: SignalTruth) -> SignalTruth {
    truth.map(|truth| !truth)
}

fn or(left: SignalTruth, right: SignalTruth) -> SignalTruth {
    not(and(not(left), not(right)))
}

/// What a formula says where there is no sample at all.
fn of_nothing(formula: &SignalFormula) -> bool {
    match &formula.kind {
        SignalKind::Constant(truth) => *truth,
        SignalKind::Globally(..) => true,
        SignalKind::Compare(..) | SignalKind::Truth(_) | SignalKind::Finally(..) | SignalKind::Until(..) => false,
        SignalKind::Not(body) => !of_nothing(body),
        SignalKind::And(left, right) => of_nothing(left) && of_nothing(right),
        SignalKind::Or(left, right) => of_nothing(left) || of_nothing(right),
        SignalKind::Implies(left, right) => !of_nothing(left) || of_nothing(right),
        SignalKind::Iff(left, right) => of_nothing(left) == of_nothing(right),
    }
}

/// All terms that a formula compares, in textual order.
fn collect_terms<'f>(formula: &'f SignalFormula, terms: &mut Vec<&'f SignalTerm>) {
    match &formula.kind {
        SignalKind::Constant(_) | SignalKind::Truth(_) => {}
        SignalKind::Compare(_, left, right) => terms.extend([left, right]),
        SignalKind::Not(body) | SignalKind::Finally(_, body) | SignalKind::Globally(_, body) => {
            collect_terms(body, terms)
        }
        SignalKind::And(left, right)
        | SignalKind::Or(left, right)
        | SignalKind::Implies(left, right)
        | SignalKind::Iff(left, right)
        | SignalKind::Until(_, left, right) => {
            collect_terms(left, terms);
            collect_terms(right, terms);
        }
    }
}

impl<'w> SignalWorld<'w> {
    fn new(signal: &'w Signal, trace: &OwnedTrace) -> SignalWorld<'w> {
        let mut samples: Vec<SignalSample> = Vec::new();
        for point in &trace.points {
            let (before, mut values) = match samples.last() {
                Some(last) => (last.time.clone(), last.values.clone()),
                None => (Number::ZERO, vec![None; signal.fields.len()]),
            };
            for argument in point.events.iter().flat_map(|event| &event.arguments) {
                if let Some(field) = signal.fields.iter().position(|field| *field == argument.name) {
                    values[field] = Some(argument.value());
                }
            }
            samples.push(SignalSample { time: point.time.clone().unwrap_or(before), values });
        }
        SignalWorld { signal, samples, known: 0, ended: false, horizon: None, obstacle: None }
    }

    /// The first division by zero: there the judgement ends, unless there was a verdict before.
    fn first_obstacle(&mut self) -> Option<Obstacle> {
        let signal = self.signal;
        let mut terms = Vec::new();
        collect_terms(&signal.formula, &mut terms);
        for at in 0..self.samples.len() {
            for term in &terms {
                self.term(term, at);
            }
            if self.obstacle.is_some() {
                break;
            }
        }
        self.obstacle.take()
    }

    /// What is known of the formula at the first sample, after some samples.
    fn truth_after(&mut self, known: usize, ended: bool) -> SignalTruth {
        (self.known, self.ended) = (known, ended);
        if self.samples.is_empty() {
            return Some(of_nothing(&self.signal.formula));
        }
        let signal = self.signal;
        self.truth(&signal.formula, 0)
    }

    fn truth(&mut self, formula: &SignalFormula, at: usize) -> SignalTruth {
        match &formula.kind {
            SignalKind::Constant(truth) => Some(*truth),
            SignalKind::Compare(comparison, left, right) => Some(match (self.term(left, at), self.term(right, at)) {
                (Some(left), Some(right)) => holds(*comparison, &left, &right),
                _ => false,
            }),
            SignalKind::Truth(field) => Some(self.samples[at].values[*field] == Some(Value::Boolean(true))),
            SignalKind::Not(body) => not(self.truth(body, at)),
            SignalKind::And(left, right) => and(self.truth(left, at), self.truth(right, at)),
            SignalKind::Or(left, right) => or(self.truth(left, at), self.truth(right, at)),
            SignalKind::Implies(left, right) => or(not(self.truth(left, at)), self.truth(right, at)),
            SignalKind::Iff(left, right) => match (self.truth(left, at), self.truth(right, at)) {
                (Some(left), Some(right)) => Some(left == right),
                _ => None,
            },
            SignalKind::Finally(interval, body) => self.until(interval, None, body, at),
            SignalKind::Globally(interval, body) => {
                let negated = SignalFormula { kind: SignalKind::Not(body.clone()), span: body.span };
                not(self.until(interval, None, &negated, at))
            }
            SignalKind::Until(interval, left, right) => self.until(interval, Some(left), right, at),
        }
    }

    fn until(
        &mut self,
        interval: &SignalInterval,
        left: Option<&SignalFormula>,
        right: &SignalFormula,
        at: usize,
    ) -> SignalTruth {
        let mut found = Some(false);
        let mut left_so_far = Some(true);
        for sample in at..self.known {
            let left_here = left.map_or(Some(true), |left| self.truth(left, sample));
            let mut witness = and(self.member(interval, at, sample), and(self.truth(right, sample), left_so_far));
            if self.samples[sample].time < self.start(interval, at) {
                witness = and(witness, left_here);
            }
            found = or(found, witness);
            left_so_far = and(left_so_far, left_here);
        }
        let last = self.horizon.as_ref().unwrap_or(&self.samples[self.known - 1].time);
        let open = !self.ended && self.end(interval, at).is_none_or(|end| *last <= end);
        if open { or(found, and(None, left_so_far)) } else { found }
    }

    fn start(&self, interval: &SignalInterval, at: usize) -> Number {
        self.samples[at].time.add(&interval.low.in_unit(self.signal.unit))
    }

    fn end(&self, interval: &SignalInterval, at: usize) -> Option<Number> {
        interval.high.as_ref().map(|high| self.samples[at].time.add(&high.in_unit(self.signal.unit)))
    }

    /// Whether a sample lies in the interval, as seen from another.
    fn member(&self, interval: &SignalInterval, at: usize, sample: usize) -> SignalTruth {
        let time = &self.samples[sample].time;
        if self.end(interval, at).is_some_and(|end| *time > end) {
            return Some(false);
        }
        let start = self.start(interval, at);
        if *time >= start {
            return Some(true);
        }
        match self.samples.get(sample + 1).filter(|_| sample + 1 < self.known) {
            Some(next) => Some(next.time > start),
            None => (self.ended || self.horizon.as_ref().is_some_and(|horizon| *horizon > start)).then_some(true),
        }
    }

    fn term(&mut self, term: &SignalTerm, at: usize) -> Option<Value> {
        let value = match &term.kind {
            TermKind::Constant(value) => return Some(value.clone()),
            TermKind::Field(field) => return self.samples[at].values[*field].clone(),
            TermKind::Negate(body) => self.number(body, at)?.neg(),
            TermKind::Absolute(body) => self.number(body, at)?.abs(),
            TermKind::Add(left, right) => self.number(left, at)?.add(&self.number(right, at)?),
            TermKind::Subtract(left, right) => self.number(left, at)?.sub(&self.number(right, at)?),
            TermKind::Multiply(left, right) => self.number(left, at)?.mul(&self.number(right, at)?),
            TermKind::Divide(left, right) => {
                let (left, right) = (self.number(left, at)?, self.number(right, at)?);
                match left.div(&right) {
                    Some(quotient) => quotient,
                    None => {
                        let point = at as u64 + 1;
                        if self.obstacle.as_ref().is_none_or(|known| known.point > point) {
                            self.obstacle = Some(Obstacle { point, span: term.span, problem: Problem::DivisionByZero });
                        }
                        return None;
                    }
                }
            }
        };
        Some(Value::Number(value))
    }

    fn number(&mut self, term: &SignalTerm, at: usize) -> Option<Number> {
        self.term(term, at)?.as_number().cloned()
    }

    fn robustness(&mut self, formula: &SignalFormula, at: usize) -> Robustness {
        match &formula.kind {
            SignalKind::Constant(truth) => Robustness::of(*truth),
            SignalKind::Compare(comparison, left, right) => match (self.term(left, at), self.term(right, at)) {
                (Some(left), Some(right)) => Robustness::of_comparison(*comparison, &left, &right),
                _ => Robustness::NegativeInfinity,
            },
            SignalKind::Truth(field) => Robustness::of(self.samples[at].values[*field] == Some(Value::Boolean(true))),
            SignalKind::Not(body) => self.robustness(body, at).negated(),
            SignalKind::And(left, right) => self.robustness(left, at).min(self.robustness(right, at)),
            SignalKind::Or(left, right) => self.robustness(left, at).max(self.robustness(right, at)),
            SignalKind::Implies(left, right) => self.robustness(left, at).negated().max(self.robustness(right, at)),
            SignalKind::Iff(left, right) => {
                let (left, right) = (self.robustness(left, at), self.robustness(right, at));
                let (forth, back) = (left.negated().max(right.clone()), right.negated().max(left));
                forth.min(back)
            }
            SignalKind::Finally(interval, body) => {
                { self.inside(interval, at).map(|sample| self.robustness(body, sample)).max() }
                    .unwrap_or(Robustness::NegativeInfinity)
            }
            SignalKind::Globally(interval, body) => {
                { self.inside(interval, at).map(|sample| self.robustness(body, sample)).min() }
                    .unwrap_or(Robustness::PositiveInfinity)
            }
            SignalKind::Until(interval, left, right) => {
                let start = self.start(interval, at);
                let mut best = Robustness::NegativeInfinity;
                for sample in self.inside(interval, at) {
                    let last = if self.samples[sample].time < start { sample + 1 } else { sample };
                    let left = (at..last).map(|before| self.robustness(left, before)).min();
                    let here = self.robustness(right, sample);
                    best = best.max(left.map_or(here.clone(), |left| left.min(here)));
                }
                best
            }
        }
    }

    /// The samples in an interval of the complete trace.
    fn inside(&mut self, interval: &SignalInterval, at: usize) -> impl Iterator<Item = usize> + use<> {
        (self.known, self.ended) = (self.samples.len(), true);
        let samples: Vec<usize> =
            (at..self.samples.len()).filter(|sample| self.member(interval, at, *sample) == Some(true)).collect();
        samples.into_iter()
    }
}
