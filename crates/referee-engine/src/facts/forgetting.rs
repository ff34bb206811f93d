//! Which facts may go when a value dies.
//!
//! **A fact with a dead value in a column may go** if, wherever a rule reads its relation, a variable of the rule's event stands in that
//! column. Then whoever finds the fact has an event that shows the value, and none comes any more. That the fact is removed or replaced
//! by an action changes nothing if it is gone already, and whether it was there is asked by nobody: its relation is neither counted nor
//! reported at the end.

use referee_spec::core::facts::{Action, FactGuard, FactTerm, Implication, RuleSet, Slot};

/// The columns, each with its relation, by whose dead values facts may be forgotten.
pub(super) fn forgettable(rules: &RuleSet) -> Vec<(usize, usize)> {
    let relations = rules.relations.iter().enumerate().filter(|(_, relation)| relation.hot.is_none());
    let columns = relations.flat_map(|(number, relation)| (0..relation.columns.len()).map(move |at| (number, at)));
    columns.filter(|(relation, at)| rules.rules.iter().all(|rule| reads_by_event(rule, *relation, *at))).collect()
}

/// Whether a rule reads a relation only where a variable of its event stands in a column.
fn reads_by_event(rule: &Implication, relation: usize, column: usize) -> bool {
    let shown =
        |variable: usize| rule.event.as_ref().is_some_and(|event| event.arguments.contains(&Slot::Variable(variable)));
    let facts = rule.facts.iter().filter(|fact| fact.relation == relation);
    let mut slots = facts.map(|fact| fact.arguments.get(column));
    slots.all(|slot| matches!(slot, Some(Slot::Variable(variable)) if shown(*variable)))
        && rule.guards.iter().all(|guard| is_guard_shown(guard, relation, column, &shown))
        && rule.actions.iter().all(|action| match action {
            Action::Insert(_, terms, _) => terms.iter().all(|term| is_term_shown(term, relation, column, &shown)),
            Action::Remove(_, terms, _) => {
                terms.iter().flatten().all(|term| is_term_shown(term, relation, column, &shown))
            }
            Action::Fail(..) => true,
        })
}

fn is_guard_shown(guard: &FactGuard, relation: usize, column: usize, shown: &impl Fn(usize) -> bool) -> bool {
    let mut holds = true;
    visit_holds(guard, &mut |read, terms| {
        holds &= read != relation
            || matches!(terms.get(column), Some(Some(FactTerm::Variable(variable))) if shown(*variable));
    });
    guard.visit_terms(&mut |term| holds &= is_term_shown(term, relation, column, shown));
    holds
}

/// Calls `visit` for all facts that a condition asks for.
fn visit_holds<'g>(guard: &'g FactGuard, visit: &mut impl FnMut(usize, &'g [Option<FactTerm>])) {
    match guard {
        FactGuard::Constant(_) | FactGuard::Compare(..) | FactGuard::Happens(_) | FactGuard::Defined(_) => {}
        FactGuard::Not(body) => visit_holds(body, visit),
        FactGuard::And(all) | FactGuard::Or(all) => all.iter().for_each(|guard| visit_holds(guard, visit)),
        FactGuard::Holds(relation, terms) => visit(*relation, terms),
    }
}

fn is_term_shown(term: &FactTerm, relation: usize, column: usize, shown: &impl Fn(usize) -> bool) -> bool {
    let mut holds = true;
    term.visit(&mut |part| {
        holds &= match part {
            FactTerm::Lookup(read, keys) if *read == relation => {
                matches!(keys.get(column), Some(FactTerm::Variable(variable)) if shown(*variable))
            }
            FactTerm::Size(read) => *read != relation,
            _ => true,
        };
    });
    holds
}
