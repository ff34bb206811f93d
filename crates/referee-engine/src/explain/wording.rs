//! How outlines name the parts of a formula.

use referee_spec::core::{BinaryOp, Direction, Formula, Interval, Kind, Property, UnaryOp, VarId};

use super::outline::Looks;

/// `u, f`
pub(super) fn names(property: &Property, variables: &[VarId]) -> String {
    variables.iter().map(|&id| name(property, id)).collect::<Vec<_>>().join(", ")
}

pub(super) fn name(property: &Property, id: VarId) -> String {
    property.variables.get(id.index()).map_or_else(|| "?".to_owned(), |variable| variable.name.to_string())
}

/// A formula as it was written, on one line; in the core's notation if it was not written.
pub(super) fn quoted(property: &Property, formula: &Formula) -> String {
    let text: Vec<&str> = property.text(formula.span).split_whitespace().collect();
    if text.is_empty() { formula.display(property).to_string() } else { text.join(" ") }
}

/// Which way a temporal operator looks.
pub(super) fn looks(kind: &Kind) -> Option<Looks> {
    match kind {
        Kind::Unary(UnaryOp::Prev | UnaryOp::WeakPrev | UnaryOp::Once | UnaryOp::Historically, ..)
        | Kind::Binary(BinaryOp::Since | BinaryOp::StrictSince | BinaryOp::WeakSince | BinaryOp::Trigger, ..)
        | Kind::Match(Direction::Past, ..) => Some(Looks::Back),
        Kind::Unary(..) | Kind::Binary(..) | Kind::Match(Direction::Future, ..) => Some(Looks::Ahead),
        _ => None,
    }
}

/// The interval of a temporal operator.
pub(super) fn interval(kind: &Kind) -> Option<&Interval> {
    match kind {
        Kind::Unary(_, interval, _) | Kind::Binary(_, interval, ..) | Kind::Match(_, interval, _) => Some(interval),
        _ => None,
    }
}
