//! All formal specifications of a package say the same, on thousands of random traces.

use referee_spec::core::Status;
use referee_trace::owned::OwnedTrace;

use super::random::Chance;
use super::shrink::shrink;
use super::specification::Specification;
use super::written::shown;
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
    let said: Vec<Option<Status>> = traces.iter().map(|trace| says(&chance, first, trace)).collect();
    others.iter().map(|other| compare(&chance, [first, other], &traces, &said)).collect()
}

fn says(chance: &Chance, specification: &Specification, trace: &OwnedTrace) -> Option<Status> {
    chance.status(specification, &specification.rules, trace)
}

/// Compares two specifications on traces of which the first has been asked already.
fn compare(chance: &Chance, both: [&Specification; 2], traces: &[OwnedTrace], said: &[Option<Status>]) -> Check {
    let [first, other] = both;
    let name = format!("agreement {}", other.name);
    let mut read = 0;
    let mut found: Vec<OwnedTrace> = Vec::new();
    for (trace, said) in traces.iter().zip(said) {
        let (Some(said), Some(answer)) = (said, says(chance, other, trace)) else { continue };
        read += 1;
        if *said != answer {
            found.push(trace.clone());
        }
        if found.len() == DISAGREEMENTS {
            break;
        }
    }
    match found.is_empty() {
        true => agreed(name, first, said, read),
        false => Check::wrong(name, disagreement(chance, both, found)),
    }
}

fn agreed(name: String, first: &Specification, said: &[Option<Status>], read: usize) -> Check {
    let violated = said.iter().filter(|status| **status == Some(Status::Violated)).count();
    let text = format!("it agrees with {} on {read} random traces, {violated} of them violated", first.name);
    match violated == 0 || violated == said.len() || read == 0 {
        true => Check::doubtful(name, format!("{text}: chance does not tell these specifications apart")),
        false => Check::fine(name, text),
    }
}

/// The shortest of some disagreements.
fn disagreement(chance: &Chance, [first, other]: [&Specification; 2], found: Vec<OwnedTrace>) -> String {
    let differ = |trace: &OwnedTrace| {
        let both = [first, other].map(|specification| says(chance, specification, trace));
        both[0] != both[1] && both.iter().all(Option::is_some)
    };
    let shrunk = found.into_iter().map(|trace| shrink(trace, &differ));
    let Some(trace) = shrunk.min_by_key(|trace| (trace.points.len(), shown(trace).len())) else { return String::new() };
    let word = |specification| says(chance, specification, &trace).map_or("nothing".to_owned(), |one| one.to_string());
    format!("on {}, {} says {} and {} says {}", shown(&trace), first.name, word(first), other.name, word(other))
}
