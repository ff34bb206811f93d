//! All formal specifications of a package say the same, on thousands of random traces.

use std::sync::Arc;

use referee_spec::core::{Rule, Status};
use referee_trace::owned::OwnedTrace;

use super::judge::status;
use super::random::Chance;
use super::shrink::{shown, shrink};
use super::specification::Specification;
use super::{Check, Effort};
use crate::package::Package;

/// Of how many disagreements the shortest is looked for.
const DISAGREEMENTS: usize = 5;

/// Compares every specification with the first, which is its authors'.
pub(super) fn checks(package: &Package, specifications: &[Specification], effort: &Effort) -> Vec<Check> {
    let Some((first, others)) = specifications.split_first() else { return Vec::new() };
    if others.is_empty() || package.property.events.is_empty() {
        return Vec::new();
    }
    let chance = Chance::new(package, specifications);
    let traces: Vec<OwnedTrace> = (0..effort.random as u64).map(|number| chance.trace(effort.seed, number)).collect();
    let said: Vec<Status> = traces.iter().map(|trace| status(&first.rules, trace)).collect();
    others.iter().map(|other| compare(first, other, &traces, &said)).collect()
}

fn compare(first: &Specification, other: &Specification, traces: &[OwnedTrace], said: &[Status]) -> Check {
    let name = format!("agreement {}", other.name);
    let differ = |trace: &OwnedTrace| status(&first.rules, trace) != status(&other.rules, trace);
    let disagree = traces.iter().zip(said).filter(|(trace, said)| status(&other.rules, trace) != **said);
    let mut found: Vec<OwnedTrace> = disagree.map(|(trace, _)| trace.clone()).take(DISAGREEMENTS).collect();
    if found.is_empty() {
        let violated = said.iter().filter(|status| **status == Status::Violated).count();
        let text =
            format!("it agrees with {} on {} random traces, {violated} of them violated", first.name, said.len());
        return match violated == 0 || violated == said.len() {
            true => Check::doubtful(name, format!("{text}: chance does not tell these specifications apart")),
            false => Check::fine(name, text),
        };
    }
    found = found.into_iter().map(|trace| shrink(trace, &differ)).collect();
    found.sort_by_key(|trace| (trace.points.len(), shown(trace).len()));
    Check::wrong(name, disagreement(first, other, &found[0]))
}

fn disagreement(first: &Specification, other: &Specification, trace: &OwnedTrace) -> String {
    let said = |rules: &[Arc<Rule>]| status(rules, trace);
    format!(
        "on {}, {} says {} and {} says {}",
        shown(trace),
        first.name,
        said(&first.rules),
        other.name,
        said(&other.rules)
    )
}
