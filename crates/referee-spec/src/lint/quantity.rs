//! Rules about numbers over windows whose bounds say nothing.

use referee_trace::number::Number;

use crate::core::Comparison;
use crate::core::quantity::{Measure, Modality, QuantityRule, QuantityStatement, StatementKind};
use crate::diagnostic::Diagnostic;

/// What looks wrong in a rule.
pub(super) fn lint(rule: &QuantityRule) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    rule.body.visit(&mut |statement| match &statement.kind {
        StatementKind::Modality(modality) => found.extend(same_everywhere(rule, statement, modality)),
        StatementKind::Reach(_, interval, ..) if interval.high == Some(Number::ZERO) => {
            let message = "an interval that ends at 0 holds no other position";
            let hint = "positions have different times, and the operator looks at others than the current one";
            found.push(Diagnostic::warning("L0401", statement.span, message).hint(hint));
        }
        _ => {}
    });
    found.sort_by_key(|diagnostic| diagnostic.span.start);
    found.dedup();
    found
}

/// A bound that every number keeps, or none.
fn same_everywhere(rule: &QuantityRule, statement: &QuantityStatement, modality: &Modality) -> Option<Diagnostic> {
    let zero = Number::ZERO;
    let distance = matches!(modality.measure, Measure::Distance(..));
    let truth = match modality.comparison {
        _ if modality.window == zero => {
            let message =
                format!("a window of length 0 holds nothing: {} is the same everywhere", modality.measure.words());
            let hint = "the window of K time units ends now and begins K units ago; write at least 1";
            return Some(Diagnostic::warning("L0401", statement.span, message).hint(hint));
        }
        Comparison::GreaterOrEqual if modality.bound == zero && !distance && !rule.full_window => true,
        Comparison::Less if modality.bound == zero && !distance => false,
        _ => return None,
    };
    let message = format!("{} is never below 0, so this is always {truth}", modality.measure.words());
    Some(Diagnostic::warning("L0401", statement.span, message).hint("write the bound that is meant"))
}
