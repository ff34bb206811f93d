//! Variables that nothing uses, and quantifiers over sorts that nothing feeds.

use std::collections::BTreeSet;

use super::formulas::formulas;
use crate::core::{Domain, Kind, Property, SortId, VarId};
use crate::diagnostic::Diagnostic;

/// Unused variables, and empty sorts of the others.
pub(super) fn lint(property: &Property) -> Vec<Diagnostic> {
    let mut quantified: Vec<VarId> = property.bindings.iter().map(|binding| binding.variable).collect();
    let mut used = BTreeSet::new();
    for formula in formulas(property) {
        formula.visit(&mut |formula| {
            if let Kind::Quantified(_, variable, _) = &formula.kind {
                quantified.push(*variable);
            }
            if let Kind::Aggregate(_) = &formula.kind {
                used.extend(formula.free_variables());
            }
            for term in formula.kind.terms() {
                term.collect_variables(&mut used);
            }
        });
    }
    quantified.into_iter().filter_map(|variable| check(property, variable, used.contains(&variable))).collect()
}

fn check(property: &Property, id: VarId, used: bool) -> Option<Diagnostic> {
    let variable = property.variables.get(id.index())?;
    if !used {
        let message = format!("the variable `{}` is bound but never used", variable.name);
        let hint = "remove it from the quantifier, or use it as an argument";
        return Some(Diagnostic::warning("L0001", variable.span, message).hint(hint));
    }
    let (Domain::Trace(SortId(sort)) | Domain::SoFar(SortId(sort))) = variable.domain else { return None };
    let sort = property.sorts.get(sort as usize).filter(|sort| sort.positions.is_empty())?;
    let message = format!(
        "no event has an argument of sort `{}`: `forall {}` is true whatever it says, `exists` false",
        sort.name, variable.name
    );
    let hint = format!("use `{}` as an argument of an event, or declare which event has this sort", variable.name);
    Some(Diagnostic::warning("L0002", variable.span, message).hint(hint))
}
