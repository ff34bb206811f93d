//! From the tree to the core: global names become relations, rules become implications without facts.
//!
//! ```text
//!  variable x ─▶ x(value), no key          set s ─▶ s(element), all columns are the key          map m ─▶ m(key, value)
//! ```

mod uses;

use std::sync::Arc;

use super::syntax::{Arguments, Item, ItemKind, Method, Pattern, Property, Rule, Sort, Statement};
use crate::core::Span;
use crate::core::facts::{Action, EventPattern, FactTerm, Implication, Lifetime, Observed, Relation, Slot};
use crate::diagnostic::{Diagnostic, has_errors};
use crate::rules::lower::Lowering;
use crate::rules::syntax::{Expression, Name};
use uses::{Global, Uses};

/// What a property became.
pub(super) struct Lowered {
    /// Its relations.
    pub relations: Vec<Relation>,
    /// Its events.
    pub alphabet: Vec<Observed>,
    /// Its rules.
    pub rules: Vec<Implication>,
}

/// The core of a property; what is wrong with it is added to the diagnostics.
pub(super) fn lower(property: &Property, diagnostics: &mut Vec<Diagnostic>) -> Lowered {
    let globals = Uses::of(property, diagnostics);
    // What follows from a name with two meanings is not told again.
    let rules: Vec<&Rule> = if has_errors(diagnostics) { Vec::new() } else { rules(property).collect() };
    let mut lowering = Lowering::of_variables("variable", diagnostics);
    for global in &globals {
        lowering.declare(relation(global));
    }
    let rules = rules.into_iter().map(|rule| implication(&mut lowering, rule)).collect();
    warn_of_constants(&globals, &mut lowering);
    Lowered { relations: lowering.relations, alphabet: lowering.alphabet, rules }
}

fn rules(property: &Property) -> impl Iterator<Item = &Rule> {
    property.items.iter().filter_map(|Item { kind, .. }| match kind {
        ItemKind::Rule(rule) => Some(rule),
        ItemKind::Declaration(..) => None,
    })
}

fn relation(global: &Global) -> Relation {
    let numbered = |count: usize| (1..=count).map(|number| number.to_string().into()).collect::<Vec<Arc<str>>>();
    let (columns, keys) = match global.sort {
        Sort::Variable => (vec!["value".into()], 0),
        Sort::Set => (numbered(global.width), global.width),
        Sort::Map => (numbered(global.width).into_iter().chain(["value".into()]).collect(), global.width),
    };
    Relation {
        name: global.name.text.clone(),
        columns,
        keys,
        lifetime: Lifetime::Kept,
        hot: None,
        initial: global.initial.iter().map(|value| vec![value.clone()]).collect(),
        span: global.name.span,
    }
}

fn warn_of_constants(globals: &[Global], lowering: &mut Lowering<'_>) {
    for global in globals.iter().filter(|global| !global.changes && global.initial.is_none()) {
        let name = &global.name.text;
        let message = match global.sort {
            Sort::Variable => format!("nothing ever gives `{name}` a value, so every comparison with it is false"),
            Sort::Set | Sort::Map => format!("nothing is ever put into `{name}`, so it is always empty"),
        };
        let hint = format!("change it in an action, bind it in the event, or write the string `\"{name}\"`");
        lowering.diagnostics.push(Diagnostic::warning("L1001", global.name.span, message).hint(hint));
    }
}

fn implication(lowering: &mut Lowering<'_>, rule: &Rule) -> Implication {
    lowering.variables.clear();
    let event = event(lowering, &rule.pattern);
    let guards = rule.condition.iter().map(|condition| lowering.guard(condition)).collect();
    let actions = rule.statements.iter().filter_map(|statement| action(lowering, statement)).collect();
    let variables = std::mem::take(&mut lowering.variables);
    Implication { name: None, variables, event: Some(event), facts: Vec::new(), guards, actions, span: rule.span }
}

fn event(lowering: &mut Lowering<'_>, pattern: &Pattern) -> EventPattern {
    let mut slots: Vec<Slot> = pattern.target.iter().map(|target| lowering.binding_slot(target)).collect();
    if let Arguments::Listed(arguments) = &pattern.arguments {
        slots.extend(arguments.iter().map(|argument| lowering.binding_slot(argument)));
    }
    lowering.event_of(&pattern.name, slots, !matches!(pattern.arguments, Arguments::Listed(_)))
}

fn action(lowering: &mut Lowering<'_>, statement: &Statement) -> Option<Action> {
    match statement {
        Statement::Fail(message, span) => Some(Action::Fail(message.clone(), *span)),
        Statement::Assign(target, value, span) => assignment(lowering, target, value, *span),
        Statement::Call(set, method, arguments, span) => call(lowering, set, *method, arguments, *span),
    }
}

fn assignment(lowering: &mut Lowering<'_>, target: &Expression, value: &Expression, span: Span) -> Option<Action> {
    let (name, keys): (&Name, &[Expression]) = match target {
        Expression::Name(name) => (name, &[]),
        Expression::Index(base, keys, _) => match &**base {
            Expression::Name(name) => (name, keys),
            _ => return None,
        },
        _ => return None,
    };
    let relation = changed(lowering, name)?;
    let Relation { keys: wanted, .. } = lowering.relations[relation];
    if wanted != keys.len() {
        lowering.wrong_arity(name, wanted, keys.len());
    }
    let terms: Vec<FactTerm> = keys.iter().chain([value]).map(|term| lowering.term(term)).collect();
    Some(Action::Insert(relation, terms, span))
}

/// The relation that an action changes.
fn changed(lowering: &mut Lowering<'_>, name: &Name) -> Option<usize> {
    if lowering.variable(&name.text).is_some() {
        let message = format!("`{}` is a value of the event and cannot change", name.text);
        let found = Diagnostic::error("E1007", name.span, message).hint("give the value to a variable of another name");
        lowering.diagnostics.push(found);
        return None;
    }
    lowering.relation(&name.text)
}

fn call(
    lowering: &mut Lowering<'_>,
    set: &Name,
    method: Method,
    arguments: &[Expression],
    span: Span,
) -> Option<Action> {
    let relation = changed(lowering, set)?;
    let (columns, keys) = (lowering.relations[relation].columns.len(), lowering.relations[relation].keys);
    let wanted = match method {
        Method::Add | Method::Put => columns,
        Method::Remove => keys,
        Method::Clear => 0,
    };
    if wanted != arguments.len() {
        lowering.wrong_arity(set, wanted, arguments.len());
        return None;
    }
    if matches!(method, Method::Add | Method::Put) {
        return Some(Action::Insert(relation, arguments.iter().map(|term| lowering.term(term)).collect(), span));
    }
    let mut terms: Vec<Option<FactTerm>> = arguments.iter().map(|term| Some(lowering.term(term))).collect();
    terms.resize_with(columns, || None);
    Some(Action::Remove(relation, terms, span))
}
