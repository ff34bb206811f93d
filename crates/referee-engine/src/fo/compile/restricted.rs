//! Which variables a formula restricts to finitely many values: those that occurred.

use std::collections::BTreeSet;

use referee_spec::core::Comparison;

use crate::fo::code::expression::{Compare, Expr};
use crate::fo::compile::logic::Logic;
use crate::fo::types::Var;

/// The variables that a formula restricts to values that occurred.
pub(crate) fn restricted(logic: &Logic) -> BTreeSet<Var> {
    match logic {
        Logic::Constant(_) | Logic::Not(_) => BTreeSet::new(),
        Logic::Part(_, arguments, yields) => arguments.iter().copied().rev().take(usize::from(*yields)).collect(),
        Logic::Event(event) => event.bound().collect(),
        Logic::Compare(compare) => equated(compare, &BTreeSet::new()).into_iter().collect(),
        Logic::And(parts) => {
            let mut all: BTreeSet<Var> = parts.iter().flat_map(restricted).collect();
            loop {
                let before = all.len();
                for part in parts {
                    if let Logic::Compare(compare) = part {
                        all.extend(equated(compare, &all));
                    }
                }
                if all.len() == before {
                    return all;
                }
            }
        }
        Logic::Or(parts) => {
            let mut parts = parts.iter().map(restricted);
            let first = parts.next().unwrap_or_default();
            parts.fold(first, |all, part| all.intersection(&part).copied().collect())
        }
        Logic::Exists(variables, body) => {
            restricted(body).into_iter().filter(|variable| !variables.contains(variable)).collect()
        }
        Logic::Prev(body) | Logic::Since(_, _, body) => restricted(body),
        Logic::Last(event, state) => restricted(event).into_iter().chain(restricted(state)).collect(),
        // Its table has keys only: it is true of finitely many.
        Logic::Defined(defined) => defined.arguments.iter().copied().collect(),
        Logic::Own(_, arguments) => arguments.iter().copied().collect(),
    }
}

/// The variable that an equation restricts, given those that are.
fn equated(compare: &Compare, known: &BTreeSet<Var>) -> Option<Var> {
    let fixed = |side: &Expr| match side {
        Expr::Var(variable) => known.contains(variable),
        Expr::Constant(_) => true,
        _ => false,
    };
    match (&compare.how, &compare.left, &compare.right) {
        (Comparison::Equal, Expr::Var(variable), other) if fixed(other) => Some(*variable),
        (Comparison::Equal, other, Expr::Var(variable)) if fixed(other) => Some(*variable),
        _ => None,
    }
}
