//! The meaning of rules over facts, naively: every choice of one fact per condition, at every event.
//!
//! ```text
//!  facts, event ─▶ for every rule: all choices of facts ─▶ bindings in which all of them agree ─▶ guards ─▶ firings ─▶ facts
//! ```

mod evaluate;
mod state;

use std::collections::BTreeSet;
use std::sync::Arc;

use referee_spec::core::facts::{Action, Effects, Implication, Lifetime, RuleSet, Slot};
use referee_spec::core::{Obstacle, Outcome, Status, Violation};
use referee_trace::owned::{OwnedEvent, OwnedTrace};
use referee_trace::value::Value;

use crate::arithmetic::Trouble;
use crate::question::Mode;
use evaluate::{FactsScope, FactsTruth};
use state::Facts;

/// A rule and the values of its variables.
struct Firing<'r> {
    rule: &'r Implication,
    binding: Vec<Value>,
}

/// Judges a set of rules on a trace.
pub fn judge(rules: &RuleSet, trace: &OwnedTrace, mode: Mode) -> Outcome {
    let mut facts: Facts = initial(rules);
    let mut violations = Vec::new();
    let mut obstacle = None;
    'trace: for (point, events) in (1..).zip(&trace.points) {
        for event in events.events.iter().filter(|event| rules.observes(&event.name, event.positional)) {
            match step(rules, &facts, event, point) {
                Ok((after, found)) => {
                    facts = after;
                    violations.extend(found);
                }
                Err((problem, span)) => {
                    obstacle = Some(Obstacle { point, span, problem });
                    break 'trace;
                }
            }
        }
    }
    let left = if obstacle.is_some() { Vec::new() } else { left(rules, &facts, trace.points.len() as u64) };
    let pending = if mode == Mode::Prefix { left.len() as u64 } else { 0 };
    if mode == Mode::Complete {
        violations.extend(left);
    }
    violations.sort_by(Violation::report_order);
    let status = match (violations.is_empty(), &obstacle) {
        (false, _) => Status::Violated,
        (true, Some(_)) => Status::GaveUp,
        (true, None) => Status::Satisfied,
    };
    Outcome { status, violations, pending, obstacle }
}

fn initial(rules: &RuleSet) -> Facts {
    let each = rules.relations.iter().enumerate();
    let facts = each.flat_map(|(number, relation)| relation.initial.iter().map(move |row| (number, row.clone())));
    facts.map(|fact| (fact, None)).collect()
}

/// The violations that the end decides.
fn left(rules: &RuleSet, facts: &Facts, last: u64) -> Vec<Violation> {
    let mut found = Vec::new();
    for ((number, row), born) in facts {
        let relation = &rules.relations[*number];
        if let Some(message) = &relation.hot {
            let bindings = bindings(rules, &relation.columns, row);
            found.push(Violation {
                point: last,
                decided: None,
                opened: *born,
                bindings,
                message: Some(message.clone()),
            });
        }
    }
    found
}

/// The values that a violation reports: those of these names.
fn bindings(rules: &RuleSet, names: &[Arc<str>], values: &[Value]) -> Vec<Option<Value>> {
    let value = |wanted: &str| names.iter().position(|name| **name == *wanted).map(|at| values[at].clone());
    rules.binding_names().into_iter().map(value).collect()
}

/// The facts after an event, and the violations that it is.
fn step(rules: &RuleSet, facts: &Facts, event: &OwnedEvent, point: u64) -> Result<(Facts, Vec<Violation>), Trouble> {
    let mut firings = Vec::new();
    for rule in &rules.rules {
        firings.extend(fired(rule, facts, event)?);
    }
    let mut found = Vec::new();
    for firing in &firings {
        for action in &firing.rule.actions {
            if let Action::Fail(message, _) = action {
                let bindings = bindings(rules, &firing.rule.variables, &firing.binding);
                let message = message.clone();
                found.push(Violation { point, decided: Some(point), opened: None, bindings, message });
            }
        }
    }
    let after = match rules.effects {
        Effects::Together => together(rules, &firings, facts, event, point)?,
        Effects::InTurn => in_turn(rules, &firings, facts, event, point)?,
    };
    Ok((after, found))
}

/// The firings of a rule.
fn fired<'r>(rule: &'r Implication, facts: &Facts, event: &OwnedEvent) -> Result<Vec<Firing<'r>>, Trouble> {
    let mut firings = Vec::new();
    for binding in candidates(rule, facts, event) {
        let scope = FactsScope { facts, event, binding: &binding };
        match scope.all(&rule.guards) {
            FactsTruth::True => firings.push(Firing { rule, binding }),
            FactsTruth::False => {}
            FactsTruth::Stuck(trouble) => return Err(trouble),
        }
    }
    Ok(firings)
}

/// The bindings under which the event and the facts of a rule are there.
fn candidates(rule: &Implication, facts: &Facts, event: &OwnedEvent) -> BTreeSet<Vec<Value>> {
    let mut demands: Vec<(&[Slot], Vec<Vec<Value>>)> = Vec::new();
    if let Some(pattern) = &rule.event {
        let arguments: Vec<Value> = event.arguments[..event.positional].iter().map(|text| text.value()).collect();
        let fits = pattern.admits(&event.name, event.positional);
        demands.push((&pattern.arguments, if fits { vec![arguments] } else { Vec::new() }));
    }
    for pattern in &rule.facts {
        let rows = facts.keys().filter(|(relation, _)| *relation == pattern.relation).map(|(_, row)| row.clone());
        demands.push((&pattern.arguments, rows.collect()));
    }
    let mut choices: Vec<Vec<Vec<Value>>> = vec![Vec::new()];
    for (_, rows) in &demands {
        choices = choices.iter().flat_map(|chosen| rows.iter().map(move |row| extended(chosen, row))).collect();
    }
    let patterns: Vec<&[Slot]> = demands.iter().map(|(slots, _)| *slots).collect();
    choices.iter().filter_map(|chosen| agreement(&patterns, chosen, rule.variables.len())).collect()
}

fn extended(chosen: &[Vec<Value>], row: &[Value]) -> Vec<Vec<Value>> {
    chosen.iter().cloned().chain([row.to_vec()]).collect()
}

/// The values of the variables, if the chosen rows agree on them and have the constants demanded.
fn agreement(patterns: &[&[Slot]], chosen: &[Vec<Value>], variables: usize) -> Option<Vec<Value>> {
    let mut binding: Vec<Option<Value>> = vec![None; variables];
    for (slots, row) in patterns.iter().zip(chosen) {
        for (slot, value) in slots.iter().zip(row) {
            let agrees = match slot {
                Slot::Any => true,
                Slot::Constant(constant) => constant == value,
                Slot::Variable(variable) => binding[*variable].get_or_insert_with(|| value.clone()) == value,
            };
            if !agrees {
                return None;
            }
        }
    }
    binding.into_iter().collect()
}

/// What is removed goes, then what is inserted is there.
fn together(
    rules: &RuleSet,
    firings: &[Firing<'_>],
    facts: &Facts,
    event: &OwnedEvent,
    point: u64,
) -> Result<Facts, Trouble> {
    let mut after = facts.clone();
    after.retain(|(relation, _), _| rules.relations[*relation].lifetime == Lifetime::Kept);
    let mut inserted = Vec::new();
    for firing in firings {
        let scope = FactsScope { facts, event, binding: &firing.binding };
        for action in &firing.rule.actions {
            match action {
                Action::Insert(relation, terms, span) => inserted.push((*relation, scope.row(terms, *span)?)),
                Action::Remove(relation, terms, span) => {
                    let pattern = scope.pattern(terms, *span)?;
                    after.retain(|(known, row), _| known != relation || !evaluate::fits(&pattern, row));
                }
                Action::Fail(..) => {}
            }
        }
    }
    for (relation, row) in inserted {
        insert(rules, &mut after, relation, row, point);
    }
    Ok(after)
}

/// One action after the other.
fn in_turn(
    rules: &RuleSet,
    firings: &[Firing<'_>],
    facts: &Facts,
    event: &OwnedEvent,
    point: u64,
) -> Result<Facts, Trouble> {
    let mut after = facts.clone();
    for (firing, action) in firings.iter().flat_map(|firing| firing.rule.actions.iter().map(move |a| (firing, a))) {
        let scope = FactsScope { facts: &after, event, binding: &firing.binding };
        match action {
            Action::Insert(relation, terms, span) => {
                let row = scope.row(terms, *span)?;
                insert(rules, &mut after, *relation, row, point);
            }
            Action::Remove(relation, terms, span) => {
                let pattern = scope.pattern(terms, *span)?;
                after.retain(|(known, row), _| known != relation || !evaluate::fits(&pattern, row));
            }
            Action::Fail(..) => {}
        }
    }
    Ok(after)
}

fn insert(rules: &RuleSet, facts: &mut Facts, relation: usize, row: Vec<Value>, point: u64) {
    let keys = rules.relations[relation].keys;
    facts.retain(|(known, other), _| *known != relation || other[..keys] != row[..keys] || *other == row);
    facts.entry((relation, row)).or_insert(Some(point));
}
