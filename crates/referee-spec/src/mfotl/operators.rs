//! The operators of MFOTL: which tokens write them and how tightly they bind.

use super::expression::Expression;
use super::level;
use super::lex::Kind;
use super::syntax::{Conversion, Operator};
use crate::core::{BinaryOp, Comparison, UnaryOp};
use crate::parse::BindingPower;

/// An operator between two expressions.
#[derive(Debug, Clone, Copy)]
pub(super) enum Infix {
    And,
    Or,
    Implies,
    Equiv,
    Temporal(BinaryOp),
    Compare(Comparison),
    Arithmetic(Operator),
}

/// Whether the token joins two formulas: where reading goes on after an error.
pub(super) fn is_connective(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::And | Kind::Or | Kind::Implies | Kind::Equiv | Kind::Since | Kind::Until | Kind::Trigger | Kind::Release
    )
}

/// Whether a formula or a term can begin with the token.
pub(super) fn begins_operand(kind: Kind) -> bool {
    let special = matches!(
        kind,
        Kind::True
            | Kind::False
            | Kind::Not
            | Kind::Exists
            | Kind::Forall
            | Kind::MatchForward
            | Kind::MatchPast
            | Kind::Let
            | Kind::LetPast
            | Kind::Open
            | Kind::Name
            | Kind::Integer
            | Kind::Decimal
            | Kind::Text
            | Kind::OpenText
            | Kind::Underscore
            | Kind::Minus
    );
    special || unary_operator(kind).is_some() || conversion(kind).is_some()
}

/// The temporal operator that a token writes before its formula.
pub(super) fn unary_operator(kind: Kind) -> Option<UnaryOp> {
    Some(match kind {
        Kind::Prev => UnaryOp::Prev,
        Kind::Next => UnaryOp::Next,
        Kind::Once => UnaryOp::Once,
        Kind::Eventually => UnaryOp::Eventually,
        Kind::Always => UnaryOp::Always,
        Kind::PastAlways => UnaryOp::Historically,
        _ => return None,
    })
}

/// The conversion that a token names.
pub(super) fn conversion(kind: Kind) -> Option<Conversion> {
    Some(match kind {
        Kind::FloatToInteger => Conversion::FloatToInteger,
        Kind::IntegerToFloat => Conversion::IntegerToFloat,
        Kind::IntegerToText => Conversion::IntegerToText,
        Kind::TextToInteger => Conversion::TextToInteger,
        Kind::FloatToText => Conversion::FloatToText,
        Kind::TextToFloat => Conversion::TextToFloat,
        _ => return None,
    })
}

/// The operator that a token writes after `left`. After a formula `+` and `*` belong to a regular expression.
pub(super) fn infix_operator(kind: Kind, left: &Expression) -> Option<(Infix, BindingPower)> {
    let connective = match kind {
        Kind::And => (Infix::And, BindingPower::left(level::AND)),
        Kind::Or => (Infix::Or, BindingPower::left(level::OR)),
        Kind::Implies => (Infix::Implies, BindingPower::right(level::IMPLIES)),
        Kind::Equiv => (Infix::Equiv, BindingPower::left(level::EQUIV)),
        Kind::Since => (Infix::Temporal(BinaryOp::Since), BindingPower::right(level::SINCE)),
        Kind::Until => (Infix::Temporal(BinaryOp::Until), BindingPower::right(level::SINCE)),
        Kind::Trigger => (Infix::Temporal(BinaryOp::Trigger), BindingPower::right(level::SINCE)),
        Kind::Release => (Infix::Temporal(BinaryOp::Release), BindingPower::right(level::SINCE)),
        other => match (comparison(other), arithmetic(other)) {
            (Some(comparison), _) => (Infix::Compare(comparison), BindingPower::left(level::COMPARE)),
            (None, Some((operator, level))) if matches!(left, Expression::Term(_)) => {
                (Infix::Arithmetic(operator), BindingPower::left(level))
            }
            _ => return None,
        },
    };
    Some(connective)
}

fn comparison(kind: Kind) -> Option<Comparison> {
    Some(match kind {
        Kind::Equal => Comparison::Equal,
        Kind::NotEqual => Comparison::NotEqual,
        Kind::Less => Comparison::Less,
        Kind::LessOrEqual => Comparison::LessOrEqual,
        Kind::Greater => Comparison::Greater,
        Kind::GreaterOrEqual => Comparison::GreaterOrEqual,
        Kind::Substring => Comparison::Substring,
        Kind::Matches => Comparison::Matches,
        _ => return None,
    })
}

fn arithmetic(kind: Kind) -> Option<(Operator, u8)> {
    Some(match kind {
        Kind::Plus => (Operator::Add, level::ADD),
        Kind::Minus => (Operator::Subtract, level::ADD),
        Kind::Star => (Operator::Multiply, level::MULTIPLY),
        Kind::Slash => (Operator::Divide, level::MULTIPLY),
        Kind::Mod => (Operator::Modulo, level::MULTIPLY),
        _ => return None,
    })
}
