//! From the tree to the core.

use std::sync::Arc;

use super::syntax::{self, Change, ItemKind, Monitor, Rule};
use crate::core::Span;
use crate::core::facts::{Action, FactPattern, FactTerm, Implication, Lifetime, Relation, Slot};
use crate::diagnostic::Diagnostic;
use crate::rules::file::Draft;
use crate::rules::lower::Lowering;
use crate::rules::syntax::{Declared, Expression};

/// The core of a monitor, with what is wrong with it.
pub(super) fn lower(monitor: &Monitor) -> Draft {
    let mut found = Vec::new();
    let mut lowering = Lowering::of_facts("fact", &mut found);
    declare_facts(monitor, &mut lowering);
    for item in &monitor.items {
        if let ItemKind::Events(events) = &item.kind {
            events.iter().for_each(|event| lowering.observe(&event.name, event.arity()));
            lowering.strict = true;
        }
    }
    let mut names: Vec<(Arc<str>, Span)> = Vec::new();
    let mut rules = Vec::new();
    for rule in monitor_rules(monitor) {
        match names.iter().find(|(name, _)| *name == rule.name.text) {
            Some((_, first)) => lowering.twice(&rule.name, *first),
            None => names.push((rule.name.text.clone(), rule.name.span)),
        }
        rules.push(implication(&mut lowering, rule));
    }
    warn_of_idle(&mut lowering, &rules);
    let (relations, alphabet) = (lowering.relations, lowering.alphabet);
    Draft { name: monitor.name.clone(), span: monitor.span, relations, alphabet, rules, found }
}

fn monitor_rules(monitor: &Monitor) -> impl Iterator<Item = &Rule> {
    monitor.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Rule(rule) => Some(rule),
        ItemKind::Events(_) | ItemKind::Facts { .. } => None,
    })
}

/// The declared facts; where none is declared, those that rules insert.
fn declare_facts(monitor: &Monitor, lowering: &mut Lowering<'_>) {
    for item in &monitor.items {
        if let ItemKind::Facts { hot, facts } = &item.kind {
            facts.iter().for_each(|fact| lowering.declare(relation(fact, *hot)));
        }
    }
    if !lowering.relations.is_empty() {
        return;
    }
    for action in monitor_rules(monitor).flat_map(|rule| &rule.actions) {
        if let syntax::Action::Change(_, fact, _) = action
            && fact.parameters.is_some()
            && lowering.relation(&fact.name.text).is_none()
        {
            lowering.declare(relation(fact, false));
        }
    }
}

fn relation(fact: &Declared, hot: bool) -> Relation {
    let columns = fact.columns();
    let name = fact.name.text.clone();
    Relation {
        hot: hot.then(|| format!("hot fact `{name}` is left at the end").into()),
        name,
        keys: columns.len(),
        columns,
        lifetime: Lifetime::Kept,
        initial: Vec::new(),
        span: fact.name.span,
    }
}

fn implication(lowering: &mut Lowering<'_>, rule: &Rule) -> Implication {
    lowering.variables.clear();
    let conditions: Vec<&Expression> = rule.condition.conjuncts();
    let sorted = lowering.conditions(&conditions);
    let mut actions = Vec::new();
    for action in &rule.actions {
        match action {
            syntax::Action::Ok => {}
            syntax::Action::Fail(message, span) => actions.push(Action::Fail(message.clone(), *span)),
            syntax::Action::Change(change, fact, span) => {
                change_fact(lowering, *change, fact, *span, &sorted.facts, &mut actions);
            }
        }
    }
    let variables = std::mem::take(&mut lowering.variables);
    let (event, facts, guards) = (sorted.event, sorted.facts, sorted.guards);
    let name = Some(rule.name.text.clone());
    let mut implication = Implication { name, variables, event, facts, guards, actions, span: rule.span };
    implication.fail_once();
    implication
}

/// Adds what a change of a fact does.
fn change_fact(
    lowering: &mut Lowering<'_>,
    change: Change,
    fact: &Declared,
    span: Span,
    matched: &[FactPattern],
    actions: &mut Vec<Action>,
) {
    let Some(relation) = lowering.relation(&fact.name.text) else { return lowering.unknown(&fact.name) };
    let columns = lowering.relations[relation].columns.len();
    let whole = change == Change::Remove && fact.parameters.is_none();
    let arguments = fact.parameters.as_deref().unwrap_or_default();
    if !whole && arguments.len() != columns {
        return lowering.wrong_arity(&fact.name, columns, arguments.len());
    }
    if whole || change == Change::Update {
        match the_matched(lowering, relation, fact, matched) {
            Some(terms) => actions.push(Action::Remove(relation, terms, span)),
            None => return,
        }
    }
    match change {
        Change::Remove if whole => {}
        Change::Remove => actions.push(Action::Remove(relation, lowering.removed(arguments), span)),
        Change::Insert | Change::Update => {
            let terms = arguments.iter().map(|value| lowering.term(value)).collect();
            actions.push(Action::Insert(relation, terms, span));
        }
    }
}

/// The values of the only fact of this relation among the conditions.
fn the_matched(
    lowering: &mut Lowering<'_>,
    relation: usize,
    fact: &Declared,
    matched: &[FactPattern],
) -> Option<Vec<Option<FactTerm>>> {
    let mut own = matched.iter().filter(|pattern| pattern.relation == relation);
    match (own.next(), own.next()) {
        (Some(pattern), None) => Some(pattern.arguments.iter().map(term).collect()),
        (first, _) => {
            let count = if first.is_some() { "more than one" } else { "no" };
            let message = format!("the conditions have {count} fact `{}` that this could speak of", fact.name.text);
            let hint = "say which one: `remove F(x, y), insert F(x, z)`";
            lowering.diagnostics.push(Diagnostic::error("E1008", fact.name.span, message).hint(hint));
            None
        }
    }
}

fn term(slot: &Slot) -> Option<FactTerm> {
    match slot {
        Slot::Variable(variable) => Some(FactTerm::Variable(*variable)),
        Slot::Constant(value) => Some(FactTerm::Constant(value.clone())),
        Slot::Any => None,
    }
}

/// Warns of facts that nothing inserts.
fn warn_of_idle(lowering: &mut Lowering<'_>, rules: &[Implication]) {
    let inserts = |number: usize| {
        let mut actions = rules.iter().flat_map(|rule| &rule.actions);
        actions.any(|action| matches!(action, Action::Insert(relation, ..) if *relation == number))
    };
    for (number, relation) in lowering.relations.iter().enumerate() {
        if !inserts(number) {
            let message = format!("nothing ever inserts `{}`", relation.name);
            let hint = format!("insert it in a rule: `-> insert {}(…)`", relation.name);
            lowering.diagnostics.push(Diagnostic::warning("L1001", relation.span, message).hint(hint));
        }
    }
}
