//! Where and why a trace is violated, as its package says it.

use referee_spec::core::{Rule, Violation};

use super::judge::Found;
use super::judged::Judged;
use super::specification::Specification;
use crate::package::{Scalar, Verdict};

/// Compares the violating event, the deciding event and the witness with what the specifications report; nothing if the
/// package tells none of them. It is enough that one specification agrees: languages report violations differently.
pub(super) fn places(
    verdict: &Verdict,
    specifications: &[Specification],
    judged: &Judged,
) -> Option<Result<String, String>> {
    let mut said = Vec::new();
    if let Some(event) = verdict.violating_event {
        said.push((
            format!("event {event} violates it"),
            compare(judged, |found| violates(found, event.get(), judged)),
        ));
    }
    if let Some(event) = verdict.decided_at {
        said.push((format!("event {event} decides it"), compare(judged, |found| decides(found, event.get(), judged))));
    }
    if !verdict.witness.is_empty() {
        let agrees = judged.found.iter().flatten().any(|(rule, found)| witnessed(verdict, rule, &found.violation));
        said.push((witness_text(verdict), agrees));
    }
    let (wrong, right): (Vec<_>, Vec<_>) = said.into_iter().partition(|(_, agrees)| !agrees);
    match (wrong.first(), right.is_empty()) {
        (Some((text, _)), _) => {
            Some(Err(format!("the package says that {text}, and {}", reported(specifications, judged))))
        }
        (None, true) => None,
        (None, false) => Some(Ok(right.into_iter().map(|(text, _)| text).collect::<Vec<_>>().join(", "))),
    }
}

fn compare(judged: &Judged, agrees: impl Fn(&Found) -> bool) -> bool {
    judged.found.iter().flatten().any(|(_, found)| agrees(found))
}

/// Whether a violation is that of an event: it is reported for the event's point, or began there.
fn violates(found: &Found, event: u64, judged: &Judged) -> bool {
    let single = judged.points == judged.events();
    let at = |point: Option<u64>| single && point == Some(event);
    found.events.is_some_and(|(first, last)| (first..=last).contains(&event))
        || at(Some(found.violation.point))
        || at(found.violation.opened)
}

/// Whether a violation is certain with an event; those that the end decides are with the last.
fn decides(found: &Found, event: u64, judged: &Judged) -> bool {
    let same_point = found.violation.decided == Some(found.violation.point);
    let within = found.events.is_some_and(|(first, last)| same_point && (first..=last).contains(&event));
    match found.violation.decided {
        Some(decided) => within || (judged.points == judged.events() && decided == event),
        None => event == judged.events(),
    }
}

fn witnessed(verdict: &Verdict, rule: &Rule, violation: &Violation) -> bool {
    let names = rule.binding_names();
    verdict.witness.iter().all(|(name, said)| {
        let place = names.iter().position(|one| one == name);
        let value = place.and_then(|place| violation.bindings.get(place)).and_then(Option::as_ref);
        value.is_some_and(|value| value.to_string() == scalar(said))
    })
}

fn scalar(scalar: &Scalar) -> String {
    match scalar {
        Scalar::Bool(value) => value.to_string(),
        Scalar::Integer(value) => value.to_string(),
        Scalar::Decimal(value) => value.to_string(),
        Scalar::Text(value) => value.clone(),
    }
}

fn witness_text(verdict: &Verdict) -> String {
    let pairs: Vec<String> =
        verdict.witness.iter().map(|(name, value)| format!("{name} = {}", scalar(value))).collect();
    format!("{} is the witness", pairs.join(", "))
}

/// What the specifications report instead.
fn reported(specifications: &[Specification], judged: &Judged) -> String {
    let first = specifications.iter().zip(&judged.found).find_map(|(one, found)| Some((one, found.first()?)));
    let Some((specification, (rule, found))) = first else { return "no specification reports a violation".into() };
    let violation = &found.violation;
    let names = rule.binding_names().into_iter().zip(&violation.bindings);
    let bindings: String = names.filter_map(|(name, value)| Some(format!(", {name} = {}", value.as_ref()?))).collect();
    let decided = violation.decided.map_or("the end".to_owned(), |point| format!("point {point}"));
    format!("{} reports point {}, decided by {decided}{bindings}", specification.name, violation.point)
}
