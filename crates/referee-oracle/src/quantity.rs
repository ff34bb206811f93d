//! Quantities: statements at positions, by the definitions of [`referee_spec::core::quantity`].
//!
//! Every operator quantifies over positions, and every modality counts them, as its definition does. Positions beyond the
//! last known one are one more case of the quantification, unknown, which drops out where their time would be past the
//! interval.
//!
//! Cost: cubic in positions. What is true or false stays so when more is known, so those results are kept.

use std::collections::HashMap;

use referee_spec::core::quantity::{Measure, Modality, QuantityRule, QuantityStatement, StatementKind, StrictOperator};
use referee_spec::core::{Comparison, Interval, Outcome, Status, Violation};
use referee_trace::number::Number;
use referee_trace::owned::OwnedTrace;

use crate::question::{ClockStep, Mode};
use crate::truth::Truth;

/// Judges a rule on a trace; a trace without times counts its positions.
pub fn judge_quantity(rule: &QuantityRule, trace: &OwnedTrace, mode: Mode) -> Outcome {
    judge_with_clock(rule, trace, mode, &[])
}

/// The same where a clock moves between positions.
pub(crate) fn judge_with_clock(rule: &QuantityRule, trace: &OwnedTrace, mode: Mode, clock: &[ClockStep]) -> Outcome {
    let mut evaluator = QuantityEvaluator::new(rule, trace);
    let length = trace.points.len();
    for known in 1..=length {
        let times = clock.iter().filter(|step| step.after == known).map(|step| Some(step.time.clone()));
        for horizon in std::iter::once(None).chain(times) {
            evaluator.learn(known);
            evaluator.horizon = horizon;
            match evaluator.statement(&rule.body, 1) {
                Truth::False => return violated(known as u64, Some(known as u64)),
                Truth::True => return satisfied(0),
                Truth::Unknown | Truth::Undecidable(_) => {}
            }
        }
    }
    if mode == Mode::Prefix {
        return satisfied(1);
    }
    evaluator.learn(length);
    evaluator.ended = true;
    match evaluator.statement(&rule.body, 1) {
        Truth::False => violated(length as u64, None),
        _ => satisfied(0),
    }
}

fn violated(point: u64, decided: Option<u64>) -> Outcome {
    let violation = Violation { point, decided, opened: None, bindings: Vec::new(), message: None };
    Outcome { status: Status::Violated, violations: vec![violation], pending: 0, obstacle: None }
}

fn satisfied(pending: u64) -> Outcome {
    Outcome { status: Status::Satisfied, violations: Vec::new(), pending, obstacle: None }
}

/// The times of a trace's points; without times, their numbers.
pub(crate) fn times(trace: &OwnedTrace) -> Vec<Number> {
    let time = |(index, point): (usize, &referee_trace::owned::OwnedPoint)| {
        point.time.clone().unwrap_or(Number::Int(index as i64 + 1))
    };
    trace.points.iter().enumerate().map(time).collect()
}

struct QuantityEvaluator<'a> {
    rule: &'a QuantityRule,
    trace: &'a OwnedTrace,
    times: Vec<Number>,
    /// The last position that is known.
    known: usize,
    /// Whether the trace ends there.
    ended: bool,
    /// Before which time no position comes, where that is known.
    horizon: Option<Number>,
    results: HashMap<(*const QuantityStatement, usize), Truth>,
}

impl<'a> QuantityEvaluator<'a> {
    fn new(rule: &'a QuantityRule, trace: &'a OwnedTrace) -> Self {
        QuantityEvaluator {
            rule,
            trace,
            times: times(trace),
            known: 0,
            ended: false,
            horizon: None,
            results: HashMap::new(),
        }
    }

    fn learn(&mut self, known: usize) {
        self.known = known;
        self.results.retain(|_, truth| truth.is_decided());
    }

    fn statement(&mut self, statement: &QuantityStatement, at: usize) -> Truth {
        let question = (&raw const *statement, at);
        if let Some(truth) = self.results.get(&question) {
            return truth.clone();
        }
        let truth = match &statement.kind {
            StatementKind::Constant(truth) => Truth::from(*truth),
            StatementKind::Atom(name) => {
                let point = self.trace.points.get(at - 1);
                Truth::from(point.is_some_and(|point| point.events.iter().any(|event| event.name == *name)))
            }
            StatementKind::Not(body) => self.statement(body, at).negated(),
            StatementKind::And(all) => Truth::all(all.iter().map(|each| self.statement(each, at))),
            StatementKind::Or(all) => Truth::any(all.iter().map(|each| self.statement(each, at))),
            StatementKind::Iff(left, right) => {
                let (a, b) = (self.statement(left, at), self.statement(right, at));
                a.clone().negated().or(b.clone()).and(b.negated().or(a))
            }
            StatementKind::Reach(StrictOperator::Until, interval, left, right) => self.until(interval, left, right, at),
            StatementKind::Reach(StrictOperator::Since, interval, left, right) => self.since(interval, left, right, at),
            StatementKind::Modality(modality) => Truth::from(self.modality(modality, at)),
        };
        self.results.insert(question, truth.clone());
        truth
    }

    fn until(&mut self, interval: &Interval, left: &QuantityStatement, right: &QuantityStatement, at: usize) -> Truth {
        let known = Truth::any((at + 1..=self.known).map(|witness| {
            if !interval.contains(&self.times[witness - 1].sub(&self.times[at - 1])) {
                return Truth::False;
            }
            let between = Truth::all((at + 1..witness).map(|k| self.statement(left, k)));
            self.statement(right, witness).and(between)
        }));
        if self.ended || self.is_over(interval, at) {
            return known;
        }
        let beyond = Truth::all((at + 1..=self.known).map(|k| self.statement(left, k)));
        known.or(beyond.and(Truth::Unknown))
    }

    /// Whether no position after the known ones can be at a distance in the interval; its time is larger than theirs.
    fn is_over(&self, interval: &Interval, at: usize) -> bool {
        let passed = self.times[self.known - 1].sub(&self.times[at - 1]);
        if self.horizon.as_ref().is_some_and(|horizon| interval.is_before(&horizon.sub(&self.times[at - 1]))) {
            return true;
        }
        interval.high.as_ref().is_some_and(|high| passed >= *high)
    }

    fn since(&mut self, interval: &Interval, left: &QuantityStatement, right: &QuantityStatement, at: usize) -> Truth {
        Truth::any((1..at).map(|witness| {
            if !interval.contains(&self.times[at - 1].sub(&self.times[witness - 1])) {
                return Truth::False;
            }
            let between = Truth::all((witness + 1..at).map(|k| self.statement(left, k)));
            self.statement(right, witness).and(between)
        }))
    }

    fn modality(&mut self, modality: &Modality, at: usize) -> bool {
        let Some(now) = self.times.get(at - 1).cloned() else { return self.modality_of_nothing(modality) };
        if self.rule.full_window && now < modality.window {
            return false;
        }
        let measured = match &modality.measure {
            Measure::Count(of) => Some(self.count(of, &now.sub(&modality.window), &now)),
            Measure::Average(of, stretch) => {
                let stretches = modality.stretches();
                let count = self.count(of, &now.sub(&stretches.mul(stretch)), &now);
                count.div(&stretches)
            }
            Measure::Maximum(of, stretch) => self.maximum(modality, of, stretch, &now),
            Measure::Distance(from, to) => self.distance(modality, from, to, at, &now),
        };
        measured.map_or(self.rule.vacuous, |measured| compare(modality, &measured))
    }

    /// What a modality says of the empty trace.
    fn modality_of_nothing(&self, modality: &Modality) -> bool {
        match modality.measure {
            _ if self.rule.full_window => false,
            Measure::Distance(..) => self.rule.vacuous,
            _ => compare(modality, &Number::ZERO),
        }
    }

    /// How many positions with `after` < time <= `until` have it.
    fn count(&mut self, of: &QuantityStatement, after: &Number, until: &Number) -> Number {
        let within = |time: &Number| time > after && time <= until;
        let positions: Vec<usize> = (1..=self.times.len()).filter(|&at| within(&self.times[at - 1])).collect();
        let count = positions.into_iter().filter(|&at| self.statement(of, at) == Truth::True).count();
        Number::Int(count as i64)
    }

    fn maximum(
        &mut self,
        modality: &Modality,
        of: &QuantityStatement,
        stretch: &Number,
        now: &Number,
    ) -> Option<Number> {
        let stretches = modality.stretches();
        let oldest = now.sub(&modality.window);
        let mut counts = Vec::new();
        let mut index = Number::ZERO;
        while index <= stretches {
            let until = now.sub(&index.mul(stretch));
            index = index.add(&Number::Int(1));
            let after = now.sub(&index.mul(stretch)).max(oldest.clone());
            counts.push(self.count(of, &after, &until));
        }
        counts.into_iter().max()
    }

    /// The mean distance of the pairs, if there are any.
    fn distance(
        &mut self,
        modality: &Modality,
        from: &QuantityStatement,
        to: &QuantityStatement,
        at: usize,
        now: &Number,
    ) -> Option<Number> {
        let oldest = now.sub(&modality.window);
        let (mut sum, mut pairs) = (Number::ZERO, 0);
        for start in (1..=at).filter(|&start| self.times[start - 1] > oldest).collect::<Vec<_>>() {
            if self.statement(from, start) != Truth::True {
                continue;
            }
            let first = (start + 1..=at).find(|&end| self.statement(to, end) == Truth::True);
            if let Some(end) = first {
                sum = sum.add(&self.times[end - 1].sub(&self.times[start - 1]));
                pairs += 1;
            }
        }
        sum.div(&Number::Int(pairs))
    }
}

fn compare(modality: &Modality, measured: &Number) -> bool {
    let bound = &modality.bound;
    match modality.comparison {
        Comparison::Less => measured < bound,
        Comparison::LessOrEqual => measured <= bound,
        Comparison::Greater => measured > bound,
        Comparison::GreaterOrEqual => measured >= bound,
        Comparison::Equal => measured == bound,
        Comparison::NotEqual | Comparison::Substring | Comparison::Matches => false,
    }
}
