//! All formal specifications of a package say the same, on thousands of random traces.

use referee_spec::core::Status;
use referee_trace::owned::OwnedTrace;

use super::checklist::{Check, Effort};
use super::declared::Declared;
use super::demonstrations::declared;
use super::random::Chance;
use super::shrink::shrink;
use super::specification::Specification;
use super::written::shown;
use crate::package::Package;

/// Of how many disagreements the shortest is looked for.
const DISAGREEMENTS: usize = 5;

/// Compares every specification with the first, which is its authors'.
pub(super) fn checks(
    package: &Package,
    specifications: &[Specification],
    assumed: Option<&Specification>,
    effort: &Effort,
) -> Vec<Check> {
    let Some((first, others)) = specifications.split_first() else { return Vec::new() };
    if others.is_empty() || package.property.events.is_empty() {
        return Vec::new();
    }
    let traces = Traces { chance: Chance::new(package, specifications), assumed, declared: declared(package) };
    let all: Vec<OwnedTrace> =
        (0..effort.random as u64).filter_map(|number| traces.make(effort.seed, number)).collect();
    let said: Vec<Option<Status>> = all.iter().map(|trace| traces.says(first, trace)).collect();
    others.iter().map(|other| compare(&traces, [first, other], &all, &said)).collect()
}

/// Random traces on which specifications have to agree.
struct Traces<'a> {
    chance: Chance,
    assumed: Option<&'a Specification>,
    declared: Declared<'a>,
}

impl Traces<'_> {
    /// The trace with this number, if the package speaks of it.
    fn make(&self, seed: u64, number: u64) -> Option<OwnedTrace> {
        Some(self.chance.trace(seed, number)).filter(|trace| self.are_meant(trace))
    }

    /// Whether a trace has declared events only, with values of the declared types, and keeps what is assumed. Others show
    /// nothing: what specifications say of them is nobody's mistake.
    fn are_meant(&self, trace: &OwnedTrace) -> bool {
        self.declared.check_trace(trace).is_ok() && self.are_assumed(trace)
    }

    fn are_assumed(&self, trace: &OwnedTrace) -> bool {
        self.assumed.is_none_or(|assumed| self.says(assumed, trace) == Some(Status::Satisfied))
    }

    /// What a specification says of a trace; nothing if it cannot read it.
    fn says(&self, specification: &Specification, trace: &OwnedTrace) -> Option<Status> {
        self.chance.status(specification, &specification.rules, trace)
    }
}

/// Compares two specifications on traces of which the first has been asked already.
fn compare(traces: &Traces<'_>, both: [&Specification; 2], all: &[OwnedTrace], said: &[Option<Status>]) -> Check {
    let [first, other] = both;
    let name = format!("agreement {}", other.name);
    let mut read = 0;
    let mut found: Vec<OwnedTrace> = Vec::new();
    for (trace, said) in all.iter().zip(said) {
        let (Some(said), Some(answer)) = (said, traces.says(other, trace)) else { continue };
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
        false => Check::wrong(name, disagreement(traces, both, found)),
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
fn disagreement(traces: &Traces<'_>, [first, other]: [&Specification; 2], found: Vec<OwnedTrace>) -> String {
    let differ = |trace: &OwnedTrace| {
        let both = [first, other].map(|specification| traces.says(specification, trace));
        both[0] != both[1] && both.iter().all(Option::is_some) && traces.are_meant(trace)
    };
    let shrunk = found.into_iter().map(|trace| shrink(trace, &differ));
    let Some(trace) = shrunk.min_by_key(|trace| (trace.points.len(), shown(trace).len())) else { return String::new() };
    let word = |specification| traces.says(specification, &trace).map_or("nothing".to_owned(), |one| one.to_string());
    format!("on {}, {} says {} and {} says {}", shown(&trace), first.name, word(first), other.name, word(other))
}
