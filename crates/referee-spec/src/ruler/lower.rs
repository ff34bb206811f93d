//! From the tree to the core: instances of rules are facts, and a rule demands the instance that it belongs to.
//!
//! ```text
//!  state Safe(i) { next(i) -> Ok }   ─▶   next(i), Safe(i) -> remove Safe(i)
//! ```

use std::sync::Arc;

use referee_trace::value::Value;

use super::syntax::{Modifier, PartKind, Rule, RuleBlock, Ruler, Target};
use crate::core::facts::{Action, FactPattern, FactTerm, Implication, Lifetime, Relation, Slot};
use crate::diagnostic::Diagnostic;
use crate::rules::file::Draft;
use crate::rules::lower::Lowering;
use crate::rules::syntax::{Declared, Expression, Name};

/// The core of a ruler, with what is wrong with it.
pub(super) fn lower(ruler: &Ruler) -> Draft {
    let mut found = Vec::new();
    let mut lowering = Lowering::of_facts("rule", &mut found);
    let blocks: Vec<&RuleBlock> = blocks(ruler).collect();
    for block in &blocks {
        lowering.declare(relation(block));
    }
    observe(ruler, &mut lowering);
    let added = initials(ruler, &mut lowering);
    forbid(ruler, &mut lowering);
    let mut rules = Vec::new();
    for block in &blocks {
        rules.extend(block.rules.iter().filter_map(|rule| implication(&mut lowering, block, rule)));
    }
    warn_of_idle(&mut lowering, &rules, added);
    let (relations, alphabet) = (lowering.relations, lowering.alphabet);
    Draft { name: ruler.name.clone(), span: ruler.span, relations, alphabet, rules, found }
}

fn blocks(ruler: &Ruler) -> impl Iterator<Item = &RuleBlock> {
    ruler.parts.iter().filter_map(|part| match &part.kind {
        PartKind::Rules(block) => Some(block),
        _ => None,
    })
}

fn relation(block: &RuleBlock) -> Relation {
    let columns = block.declared.columns();
    Relation {
        name: block.declared.name.text.clone(),
        keys: columns.len(),
        columns,
        lifetime: if block.modifier == Modifier::Step { Lifetime::Step } else { Lifetime::Kept },
        hot: None,
        initial: Vec::new(),
        span: block.declared.name.span,
    }
}

fn observe(ruler: &Ruler, lowering: &mut Lowering<'_>) {
    for part in &ruler.parts {
        if let PartKind::Observes(events) = &part.kind {
            events.iter().for_each(|event| lowering.observe(&event.name, event.arity()));
            lowering.strict = true;
        }
    }
}

/// Enters what holds at first; for each relation, whether something of it does.
fn initials(ruler: &Ruler, lowering: &mut Lowering<'_>) -> Vec<bool> {
    for part in &ruler.parts {
        if let PartKind::Initials(first) = &part.kind {
            for Declared { name, parameters } in first {
                initial(lowering, name, parameters.as_deref().unwrap_or_default());
            }
        }
    }
    lowering.relations.iter().map(|relation| !relation.initial.is_empty()).collect()
}

fn initial(lowering: &mut Lowering<'_>, name: &Name, arguments: &[Expression]) {
    let Some(relation) = lowering.relation(&name.text) else { return lowering.unknown(name) };
    let columns = lowering.relations[relation].columns.len();
    if columns != arguments.len() {
        return lowering.wrong_arity(name, columns, arguments.len());
    }
    let mut row: Vec<Value> = Vec::new();
    for argument in arguments {
        match argument {
            Expression::Constant(value, _) => row.push(value.clone()),
            other => {
                let hint = "write a constant: `initials Safe(3);`";
                return lowering.misplaced(other.span(), "what holds at first has constant values", hint);
            }
        }
    }
    lowering.relations[relation].initial.push(row);
}

fn forbid(ruler: &Ruler, lowering: &mut Lowering<'_>) {
    for part in &ruler.parts {
        if let PartKind::Forbidden(names) = &part.kind {
            for name in names {
                match lowering.relation(&name.text) {
                    Some(relation) => {
                        let message: Arc<str> = format!("`{}` is forbidden at the end", name.text).into();
                        lowering.relations[relation].hot = Some(message);
                    }
                    None => lowering.unknown(name),
                }
            }
        }
    }
}

fn implication(lowering: &mut Lowering<'_>, block: &RuleBlock, rule: &Rule) -> Option<Implication> {
    lowering.variables.clear();
    let owner = lowering.relation(&block.declared.name.text)?;
    let parameters = block.declared.columns();
    let own: Vec<Slot> = parameters.iter().map(|name| Slot::Variable(lowering.bind(name))).collect();
    // Of two blocks of one name only the first is a relation.
    if lowering.relations[owner].columns.len() != own.len() {
        return None;
    }
    let conditions: Vec<&Expression> = rule.conditions.iter().flat_map(Expression::conjuncts).collect();
    let mut sorted = lowering.conditions(&conditions);
    let mut actions: Vec<Action> = rule.targets.iter().filter_map(|target| action(lowering, target)).collect();
    if block.modifier == Modifier::State {
        actions.push(Action::Remove(owner, own.iter().map(instance).collect(), rule.span));
    }
    sorted.facts.insert(0, FactPattern { relation: owner, arguments: own });
    let variables = std::mem::take(&mut lowering.variables);
    let name = Some(block.declared.name.text.clone());
    let (event, facts, guards) = (sorted.event, sorted.facts, sorted.guards);
    let mut implication = Implication { name, variables, event, facts, guards, actions, span: rule.span };
    implication.fail_once();
    Some(implication)
}

/// The value of an instance that is removed.
fn instance(own: &Slot) -> Option<FactTerm> {
    match own {
        Slot::Variable(variable) => Some(FactTerm::Variable(*variable)),
        Slot::Constant(value) => Some(FactTerm::Constant(value.clone())),
        Slot::Any => None,
    }
}

fn action(lowering: &mut Lowering<'_>, target: &Target) -> Option<Action> {
    match target {
        Target::Ok => None,
        Target::Fail(message, span) => Some(Action::Fail(message.clone(), *span)),
        Target::Add(name, arguments, span) => {
            let relation = target_relation(lowering, name, arguments.len())?;
            Some(Action::Insert(relation, arguments.iter().map(|value| lowering.term(value)).collect(), *span))
        }
        Target::Remove(name, arguments, span) => {
            let relation = target_relation(lowering, name, arguments.len())?;
            Some(Action::Remove(relation, lowering.removed(arguments), *span))
        }
    }
}

fn target_relation(lowering: &mut Lowering<'_>, name: &Name, arguments: usize) -> Option<usize> {
    let Some(relation) = lowering.relation(&name.text) else {
        lowering.unknown(name);
        return None;
    };
    let columns = lowering.relations[relation].columns.len();
    if columns != arguments {
        lowering.wrong_arity(name, columns, arguments);
        return None;
    }
    Some(relation)
}

/// Warns of rules that never have an instance.
fn warn_of_idle(lowering: &mut Lowering<'_>, rules: &[Implication], mut added: Vec<bool>) {
    for action in rules.iter().flat_map(|rule| &rule.actions) {
        if let Action::Insert(relation, ..) = action {
            added[*relation] = true;
        }
    }
    for (relation, _) in lowering.relations.iter().zip(added).filter(|(_, added)| !added) {
        let message = format!("nothing ever adds `{}`, so its rules are never tried", relation.name);
        let hint = format!("name it among the `initials`, or add it in a rule: `-> {}`", relation.name);
        lowering.diagnostics.push(Diagnostic::warning("L1001", relation.span, message).hint(hint));
    }
}
