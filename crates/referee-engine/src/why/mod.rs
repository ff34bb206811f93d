//! Explains in plain words why something is a violation.
//!
//! ```text
//!   trace ─▶ History (what the property can see) ┐
//!   Violation (point, values) ───────────────────┴─▶ Evaluator: every subformula at every point, for these values
//!                                                     └▶ Reasons: the facts that make the body false ─▶ lines
//! ```
//!
//! A [`FormulaHistory`] is kept only where explanations are wanted. The values of the reported variables are fixed, so a
//! subformula is judged by scanning the history; that costs O(points) for the usual shapes, and stops after a fixed number
//! of steps. An explanation says less where a formula is involved, but nothing that is not so.

mod evaluate;
mod fact;
mod history;
mod numbers;
mod reasons;
mod render;
mod suspects;
mod terms;

#[cfg(test)]
mod soundness;
#[cfg(test)]
mod tests;

use referee_spec::core::{Judgement, Violation};

pub use history::{FormulaHistory, HistoryKindId};

use evaluate::WhyEvaluator;
use fact::{Claim, WhyFact};
use reasons::Reasons;
use terms::{Assignment, WhyDatum};

/// How many patterns of equal and different unnamed values are tried.
const PATTERNS: usize = 60;

/// Says in a few lines why a violation of the history's property is one, the most important first.
pub fn explain(history: &FormulaHistory, violation: &Violation) -> Vec<String> {
    render::lines(history, &mut evaluator(history, violation), &facts(history, violation))
}

fn evaluator<'h>(history: &'h FormulaHistory, violation: &Violation) -> WhyEvaluator<'h> {
    let known = violation.decided.map_or(history.points(), |decided| history.points().min(decided as usize));
    WhyEvaluator::new(history, known, violation.decided.is_none())
}

/// What can be said about a violation.
fn facts<'h>(history: &'h FormulaHistory, violation: &Violation) -> Vec<WhyFact<'h>> {
    let mut evaluator = evaluator(history, violation);
    let property = history.property();
    let point = match property.judgement {
        Judgement::Once => 1,
        Judgement::EveryPoint | Judgement::EveryBinding => violation.point as usize,
    };
    let unnamed = violation.bindings.iter().filter(|value| value.is_none()).count();
    for pattern in patterns(unnamed) {
        let given = assignment(history, violation, &pattern);
        let claim = Claim { formula: &property.body, point, given };
        if evaluator.formula(claim.formula, point, &claim.given) == Some(false) {
            let mut reasons = Reasons::new(&mut evaluator);
            reasons.explain(&claim, false);
            return reasons.facts;
        }
    }
    vec![WhyFact::Violated]
}

/// Which unnamed values are equal to which, all different first: equal numbers are equal values.
fn patterns(unnamed: usize) -> Vec<Vec<usize>> {
    let mut patterns: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..unnamed {
        let longer = |pattern: &Vec<usize>| {
            let fresh = pattern.iter().max().map_or(0, |largest| largest + 1);
            (0..=fresh).rev().map(|next| [&pattern[..], &[next]].concat()).collect::<Vec<_>>()
        };
        patterns = patterns.iter().flat_map(longer).take(PATTERNS).collect();
    }
    patterns
}

fn assignment(history: &FormulaHistory, violation: &Violation, pattern: &[usize]) -> Assignment {
    let property = history.property();
    let mut unnamed = pattern.iter();
    let mut assignment = Assignment::empty(property.variables.len());
    for (binding, value) in property.bindings.iter().zip(&violation.bindings) {
        let datum = match value {
            Some(value) => history.datum(value.clone()),
            None => WhyDatum::Anonymous(unnamed.next().copied().unwrap_or(0)),
        };
        assignment = assignment.with(binding.variable, datum);
    }
    assignment
}
