//! Tables that only ever grow.
//!
//! A past operator with free variables needs a row for each of their values that it must remember. A row goes when the
//! operator's left side turns false for it (`not logout(u) since login(u)`) or when it falls out of a time window. Where
//! neither can happen, every new value stays for ever:
//!
//! | operator | a row stays for ever if |
//! |---|---|
//! | `once φ`, `always-been φ` | the interval has no upper end |
//! | `φ since ψ`, `φ strictly since ψ` | and φ is always true |
//! | `φ trigger ψ` | and φ is never true |
//!
//! `φ weakly since ψ` with a constant left side is constant or `φ since ψ`, and is not reported.

use std::collections::BTreeSet;

use super::formulas::formulas;
use super::vacuous;
use crate::core::{BinaryOp, Formula, Kind, Language, Property, Span, UnaryOp, VarId};
use crate::diagnostic::Diagnostic;

/// Past operators whose tables grow with every new value.
pub(super) fn lint(property: &Property) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for formula in formulas(property) {
        free_variables(property, formula, &mut found);
    }
    found
}

/// The free variables of a formula; operators below that grow are reported on the way.
fn free_variables(property: &Property, formula: &Formula, found: &mut Vec<Diagnostic>) -> BTreeSet<VarId> {
    let mut free = BTreeSet::new();
    for child in formula.kind.children() {
        let below = free_variables(property, child, found);
        // The larger set takes the smaller one in, so that a long chain costs no more than its parts.
        let (mut large, small) = if free.len() < below.len() { (below, free) } else { (free, below) };
        large.extend(small);
        free = large;
    }
    match &formula.kind {
        Kind::Quantified(_, variable, _) => {
            free.remove(variable);
        }
        Kind::Aggregate(_) => free = formula.free_variables(),
        _ => {}
    }
    for term in formula.kind.terms() {
        term.collect_variables(&mut free);
    }
    if !free.is_empty() && keeps_rows(&formula.kind) {
        found.push(report(property, formula.span, &free));
    }
    free
}

fn keeps_rows(kind: &Kind) -> bool {
    let left_is = |left: &Formula, truth| vacuous::truth(left, &mut Vec::new()) == Some(truth);
    match kind {
        Kind::Unary(UnaryOp::Once | UnaryOp::Historically, interval, _) => interval.high.is_none(),
        Kind::Binary(BinaryOp::Since | BinaryOp::StrictSince, interval, left, _) => {
            interval.high.is_none() && left_is(left, true)
        }
        Kind::Binary(BinaryOp::Trigger, interval, left, _) => interval.high.is_none() && left_is(left, false),
        _ => false,
    }
}

fn report(property: &Property, span: Span, free: &BTreeSet<VarId>) -> Diagnostic {
    let name =
        |id: &VarId| property.variables.get(id.index()).map_or("?".into(), |variable| format!("`{}`", variable.name));
    let names: Vec<String> = free.iter().map(name).collect();
    let message = match names.as_slice() {
        [only] => format!("this table grows with every new {only}"),
        several => format!("this table grows with every new combination of {}", several.join(", ")),
    };
    let hint = match property.language {
        Language::Mfotl => {
            "give the operator a time window, as in `ONCE[0,7d]`, or write what ends it: `NOT end(x) SINCE …`"
        }
        Language::Qtl => "write what ends it: `!end(x) S begin(x)`, or give the operator a time window",
        Language::Foltl
        | Language::Soloist
        | Language::Qea
        | Language::Mop
        | Language::Gcl
        | Language::Ruler
        | Language::Logfire
        | Language::Larva
        | Language::Lola
        | Language::Stl => "write what ends it: `not end(x) since begin(x)`",
    };
    Diagnostic::warning("L0005", span, message).hint(hint)
}
