//! Sliced logics by their definition: all joins of bindings, the slice of each, and what its logic says of every prefix.

use std::collections::BTreeSet;
use std::sync::Arc;

use referee_spec::core::machine::{Category, Logic, Sliced};
use referee_spec::core::{Obstacle, Outcome, Problem, Span, Status, Violation};
use referee_trace::owned::{OwnedEvent, OwnedTrace};
use referee_trace::value::Value;

use super::words::{Says, says};
use crate::question::Mode;

/// A partial binding: a value or nothing per parameter.
type Binding = Vec<Option<Value>>;

/// An event of the alphabet: its point, its symbol, what it binds.
type Happened = (u64, usize, Binding);

pub(super) fn judge(body: &Sliced, trace: &OwnedTrace, mode: Mode) -> Outcome {
    let ended = judge_to_end(body, trace, true);
    if mode == Mode::Complete {
        return ended;
    }
    // What is violated at the end of this trace, but not by its events, is open while it may go on.
    let by_end = ended.violations.iter().filter(|violation| violation.decided.is_none()).count() as u64;
    let outcome = judge_to_end(body, trace, false);
    Outcome { pending: if outcome.obstacle.is_none() { by_end } else { 0 }, ..outcome }
}

fn judge_to_end(body: &Sliced, trace: &OwnedTrace, ended: bool) -> Outcome {
    let mut events: Vec<Happened> = Vec::new();
    for (point, all) in (1u64..).zip(&trace.points) {
        events.extend(all.events.iter().filter_map(|event| recognise(body, event).map(|(s, b)| (point, s, b))));
    }
    let mut violations: Vec<Violation> = Vec::new();
    let mut obstacles: Vec<Obstacle> = Vec::new();
    let last = trace.points.len() as u64;
    for binding in joins(body, &events) {
        let slice = slice(body, &events, &binding, ended, last);
        if let Err(obstacle) = judge_slice(body, &binding, &slice, last, &mut violations) {
            obstacles.push(obstacle);
        }
    }
    obstacles.sort_by_key(|obstacle| (obstacle.point, obstacle.span.start));
    let obstacle = obstacles.into_iter().next();
    if let Some(obstacle) = &obstacle {
        violations.retain(|violation| violation.decided.is_some_and(|decided| decided < obstacle.point));
    }
    violations.sort_by(|one, other| one.report_order(other).then_with(|| one.message.cmp(&other.message)));
    let status = match (violations.is_empty(), &obstacle) {
        (false, _) => Status::Violated,
        (true, Some(_)) => Status::GaveUp,
        (true, None) => Status::Satisfied,
    };
    Outcome { status, violations, pending: 0, obstacle }
}

fn recognise(body: &Sliced, event: &OwnedEvent) -> Option<(usize, Binding)> {
    let symbol = body
        .events
        .iter()
        .position(|known| !known.end && *known.name == *event.name && known.parameters.len() == event.positional)?;
    let mut binding = vec![None; body.parameters.len()];
    for (position, parameter) in body.events[symbol].parameters.iter().enumerate() {
        binding[*parameter] = Some(event.arguments[position].value());
    }
    Some((symbol, binding))
}

/// All joins of bindings seen, and the empty one.
fn joins(body: &Sliced, events: &[Happened]) -> BTreeSet<Binding> {
    let mut all: BTreeSet<Binding> = BTreeSet::from([vec![None; body.parameters.len()]]);
    loop {
        let mut larger = all.clone();
        for known in &all {
            larger.extend(events.iter().filter_map(|(_, _, binding)| join(known, binding)));
        }
        if larger.len() == all.len() {
            return all;
        }
        all = larger;
    }
}

fn join(one: &Binding, other: &Binding) -> Option<Binding> {
    one.iter()
        .zip(other)
        .map(|(a, b)| match (a, b) {
            (Some(a), Some(b)) if a != b => None,
            (a, b) => Some(a.clone().or_else(|| b.clone())),
        })
        .collect()
}

fn is_part(part: &Binding, whole: &Binding) -> bool {
    part.iter().zip(whole).all(|(part, whole)| part.is_none() || part == whole)
}

/// The events of a binding from its first creation event on: the point, the symbol, and whether all is bound by then.
fn slice(
    body: &Sliced,
    events: &[Happened],
    binding: &Binding,
    ended: bool,
    last: u64,
) -> Vec<(Option<u64>, usize, bool)> {
    let own = events.iter().filter(|(_, _, part)| is_part(part, binding));
    let own = own.skip_while(|(_, symbol, _)| !body.events[*symbol].creation);
    let mut bound: Binding = vec![None; binding.len()];
    let mut slice: Vec<(Option<u64>, usize, bool)> = Vec::new();
    for (point, symbol, part) in own {
        bound = join(&bound, part).unwrap_or(bound);
        slice.push((Some(*point), *symbol, bound == *binding));
    }
    let exists = slice.last().is_some_and(|(_, _, exists)| *exists);
    let end = body.events.iter().position(|event| event.end);
    if let (true, true, Some(end)) = (exists, ended && last > 0, end) {
        slice.push((None, end, true));
    }
    slice
}

/// Adds what a slice reaches.
fn judge_slice(
    body: &Sliced,
    binding: &Binding,
    slice: &[(Option<u64>, usize, bool)],
    last: u64,
    violations: &mut Vec<Violation>,
) -> Result<(), Obstacle> {
    let symbols: Vec<usize> = slice.iter().map(|(_, symbol, _)| *symbol).collect();
    if body.full_binding && binding.iter().any(Option::is_none) {
        return Ok(());
    }
    for length in 1..=slice.len() {
        let (decided, _, exists) = slice[length - 1];
        let point = decided.unwrap_or(last);
        if !exists {
            continue;
        }
        let trouble = |(problem, span): (Problem, Span)| Obstacle { point, span, problem };
        let now = says(&body.logic, body.events.len(), &symbols[..length]).map_err(trouble)?;
        // Events reach categories: nothing has been reached before the first one, whatever the logic says of no events.
        let before = match length {
            1 => Says::default(),
            _ => says(&body.logic, body.events.len(), &symbols[..length - 1]).map_err(trouble)?,
        };
        for (category, name) in &body.categories {
            if reached(&body.logic, category, &before, &now) {
                let message: Option<Arc<str>> = Some(name.clone());
                violations.push(Violation { point, decided, opened: None, bindings: binding.clone(), message });
            }
        }
    }
    Ok(())
}

fn reached(logic: &Logic, category: &Category, before: &Says, now: &Says) -> bool {
    let each_time = matches!(logic, Logic::PtLtl(_) | Logic::PtCaret(_));
    match category {
        // A rewriting system that has come to a verdict stays there.
        Category::Match if matches!(logic, Logic::Srs(_)) => now.matches && !before.matches,
        Category::Match => now.matches,
        Category::Fail if each_time => !now.matches,
        Category::Fail => now.fails && !before.fails,
        Category::Surely => now.surely && !before.surely,
        Category::States(states) => now.state.is_some_and(|state| states.contains(&state)),
    }
}
