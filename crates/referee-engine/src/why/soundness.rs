//! Every fact that an explanation states is put to the oracle.

use referee_oracle::random::{
    Rng, describe, random_aggregation, random_aggregation_trace, random_property, random_trace,
};
use referee_oracle::{Known, Meaning, Mode, Truth, evaluate, judge};
use referee_spec::core::{Direction, Interval, Language, Property, VarId, Violation};
use referee_spec::language::{Options, Source};
use referee_spec::mfotl::compile;
use referee_testing::{cases, fixed_and_daily, is_sample, seeds};
use referee_trace::number::Number;
use referee_trace::owned::OwnedTrace;

use super::fact::{Claim, PointStretch, WhyFact, WhyReason};
use super::history::FormulaHistory;
use super::numbers::Amount;
use super::reasons::LIMIT;
use super::terms::WhyDatum;
use super::tests::history_of;
use super::{explain, facts};

struct Checker<'a> {
    property: &'a Property,
    trace: &'a OwnedTrace,
    history: &'a FormulaHistory,
    known: Known,
}

impl Checker<'_> {
    fn is(&self, claim: &Claim<'_>, point: usize) -> Option<bool> {
        let assigned = (0..self.property.variables.len()).filter_map(|index| {
            let variable = VarId(index as u32);
            let meaning = match claim.given.get(variable)? {
                WhyDatum::Anonymous(number) => Meaning::Anonymous(*number),
                datum => Meaning::Value(self.history.value_of(datum)?.clone()),
            };
            Some((variable, meaning))
        });
        let assigned: Vec<_> = assigned.collect();
        match evaluate(self.property, self.trace, claim.formula, point, &assigned, self.known) {
            Truth::True => Some(true),
            Truth::False => Some(false),
            Truth::Unknown | Truth::Undecidable(_) => None,
        }
    }

    fn last(&self) -> usize {
        match self.known {
            Known::UpTo(point) => point,
            Known::End => self.trace.points.len().max(1),
        }
    }

    fn time(&self, point: usize) -> Number {
        self.trace.points.get(point - 1).and_then(|point| point.time.clone()).unwrap_or(Number::ZERO)
    }

    fn within(&self, interval: &Interval, one: usize, other: usize) -> bool {
        interval.contains(&self.time(one.max(other)).sub(&self.time(one.min(other))))
    }

    fn window(&self, anchor: usize, interval: &Interval, direction: Direction) -> Vec<usize> {
        let points = if direction == Direction::Past { 1..=anchor } else { anchor..=self.last() };
        points.filter(|&point| self.within(interval, anchor, point)).collect()
    }

    fn stretch_is_right(&self, stretch: &PointStretch<'_>) -> bool {
        match &stretch.reason {
            WhyReason::Past => stretch.first == 1,
            WhyReason::End => self.known == Known::End && stretch.last == self.last(),
            WhyReason::Window { anchor, interval, direction, ended } => {
                let passed = self.time(self.last()).sub(&self.time(*anchor));
                let complete = *direction == Direction::Past || interval.is_before(&passed) || *ended;
                complete
                    && (!ended || self.known == Known::End)
                    && self.window(*anchor, interval, *direction) == (stretch.first..=stretch.last).collect::<Vec<_>>()
            }
            WhyReason::Between => stretch.first <= stretch.last,
        }
    }

    fn holds(&self, fact: &WhyFact<'_>) -> bool {
        match fact {
            WhyFact::Is { claim, truth } | WhyFact::Example { body: claim, truth, .. } => {
                self.is(claim, claim.point) == Some(*truth)
            }
            WhyFact::Throughout { claim, truth, stretch, nearest } => {
                let mut all: Vec<usize> = (stretch.first..=stretch.last).collect();
                all.extend(nearest.iter().flat_map(|&at| (at + 1..stretch.first).chain(stretch.last + 1..at)));
                self.stretch_is_right(stretch)
                    && all.into_iter().all(|point| self.is(claim, point) == Some(*truth))
                    && nearest.is_none_or(|point| self.is(claim, point) == Some(!truth))
            }
            WhyFact::Ended { begun, begun_truth, by, by_truth } => {
                begun.point < by.point
                    && self.is(begun, begun.point) == Some(*begun_truth)
                    && self.is(by, by.point) == Some(*by_truth)
            }
            WhyFact::NeverFollowed { begun, missing, last } => {
                self.known == Known::End
                    && *last == self.last()
                    && self.is(begun, begun.point) == Some(true)
                    && (begun.point..=*last).all(|point| self.is(missing, point) == Some(false))
            }
            WhyFact::Edge { point, direction: Direction::Past } => *point == 1,
            WhyFact::Edge { point, .. } => self.known == Known::End && *point == self.last(),
            WhyFact::Gap { first, interval } => !self.within(interval, *first, first + 1),
            WhyFact::NoPoint { anchor, interval, direction } => self.window(*anchor, interval, *direction).is_empty(),
            WhyFact::Number { claim, number } => {
                let Amount { value, count, points } = number;
                let in_order = points.is_none_or(|(first, last)| first <= last && last <= claim.point);
                value.is_some()
                    && (*count == 0) == points.is_none()
                    && in_order
                    && self.is(claim, claim.point) == Some(true)
            }
            WhyFact::Violated => false,
        }
    }
}

/// Checks the explanation of one violation and returns how many facts it has.
fn check(property: &Property, trace: &OwnedTrace, history: &FormulaHistory, violation: &Violation) -> usize {
    let known = violation.decided.map_or(Known::End, |decided| Known::UpTo(decided as usize));
    let checker = Checker { property, trace, history, known };
    let found = facts(history, violation);
    let case = || format!("{}\n{violation:?}\n{found:#?}", describe(property, trace));
    assert!(!found.is_empty() && found.len() <= LIMIT, "{}", case());
    for fact in &found {
        assert!(checker.holds(fact), "{fact:#?}\nis not so in {}", case());
    }
    let lines = explain(history, violation);
    assert!(!lines.is_empty() && lines.iter().all(|line| !line.is_empty()), "{}", case());
    found.len()
}

fn explain_random_violations(seed: u64, cases: usize) -> (usize, usize) {
    let mut rng = Rng::new(seed);
    let (mut violations, mut facts) = (0, 0);
    for case in 0..cases {
        let language = Language::FORMULAS[case % Language::FORMULAS.len()];
        let depth = 1 + rng.below(6);
        let property = random_property(&mut rng, language, depth);
        let trace = random_trace(&mut rng, &property);
        let history = history_of(&property, &trace);
        let mode = if rng.chance(30) { Mode::Prefix } else { Mode::Complete };
        // The first few rows of a case are like the others.
        for violation in judge(&property, &trace, mode).violations.iter().take(4) {
            facts += check(&property, &trace, &history, violation);
            violations += 1;
        }
    }
    (violations, facts)
}

#[test]
fn explanations_claim_only_what_is_so() {
    for seed in fixed_and_daily() {
        let (violations, facts) = explain_random_violations(seed, 2_000);
        assert!(violations > 1_000 && facts > violations, "seed {seed}: {violations} violations, {facts} facts");
    }
}

#[test]
fn explanations_of_numbers_claim_only_what_is_so() {
    let mut numbers = 0;
    for seed in seeds(600) {
        let mut rng = Rng::new(seed);
        let text = random_aggregation(&mut rng);
        let compiled = compile(&Source::new("random.mfotl", text.as_str()), &Options::default());
        let property = compiled.properties.into_iter().next().expect("random policies compile");
        let trace = random_aggregation_trace(&mut rng);
        let history = history_of(&property, &trace);
        for violation in judge(&property, &trace, Mode::Complete).violations.iter().take(3) {
            let found = facts(&history, violation);
            numbers += found.iter().filter(|fact| matches!(fact, WhyFact::Number { .. })).count();
            // Where assignments cannot be listed, nothing is said but that the policy fails.
            if !matches!(found[..], [WhyFact::Violated]) {
                check(&property, &trace, &history, violation);
            }
        }
    }
    assert!(!is_sample(cases(600)) || numbers > 100, "{numbers} numbers");
}

#[test]
#[ignore = "takes minutes"]
fn many_explanations_claim_only_what_is_so() {
    for seed in seeds(40) {
        explain_random_violations(seed, 5_000);
    }
}
