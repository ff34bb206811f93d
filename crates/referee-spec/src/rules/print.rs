//! The canonical layout of what the rule languages share.

use std::sync::Arc;

use super::syntax::{Declared, Expression};
use crate::core::Arithmetic;
pub(crate) use crate::parse::c_like::print::comments;
use crate::parse::c_like::print::{arithmetic_symbol, comparison_symbol, constant, is_sum};
use crate::parse::literal;

/// How a language writes what joins conditions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// Between conditions of which one must hold.
    pub or: &'static str,
    /// Between conditions that must all hold, below the top.
    pub and: &'static str,
    /// Before a condition that must not hold.
    pub not: &'static str,
    /// Between two values that must be equal.
    pub equal: &'static str,
    /// Whether a type stands before its variable, and not behind a colon.
    pub type_first: bool,
}

// How tightly things bind.
const OR: u8 = 0;
const AND: u8 = 1;
const NOT: u8 = 2;
const COMPARISON: u8 = 3;
const SUM: u8 = 4;
const PRODUCT: u8 = 5;
const PATH: u8 = 7;

impl Style {
    /// A condition whose parts at the top are joined by `separator`.
    pub(crate) fn conditions(&self, condition: &Expression, separator: &str) -> String {
        self.joined(&condition.conjuncts(), separator)
    }

    /// Conditions that must all hold.
    pub(crate) fn joined(&self, parts: &[&Expression], separator: &str) -> String {
        let least = if parts.len() == 1 { OR } else { NOT };
        parts.iter().map(|part| self.shown(part, least)).collect::<Vec<_>>().join(separator)
    }

    /// A value, or a whole condition.
    pub(crate) fn expression(&self, expression: &Expression) -> String {
        self.shown(expression, OR)
    }

    /// Values separated by commas.
    pub(crate) fn list(&self, all: &[Expression]) -> String {
        all.iter().map(|one| self.expression(one)).collect::<Vec<_>>().join(", ")
    }

    /// `name` or `name(parameter, …)`
    pub(crate) fn declared(&self, declared: &Declared) -> String {
        match &declared.parameters {
            None => declared.name.text.to_string(),
            Some(parameters) => format!("{}({})", declared.name.text, self.list(parameters)),
        }
    }

    /// Declarations separated by commas.
    pub(crate) fn declarations(&self, all: &[Declared]) -> String {
        all.iter().map(|declared| self.declared(declared)).collect::<Vec<_>>().join(", ")
    }

    /// An expression, in parentheses if it binds less tightly than `least`.
    fn shown(&self, expression: &Expression, least: u8) -> String {
        let (own, text) = self.bare(expression);
        if own < least { format!("({text})") } else { text }
    }

    /// An expression without parentheses around it, and how tightly it binds.
    fn bare(&self, expression: &Expression) -> (u8, String) {
        let joined = |all: &[Expression], word: &str, least: u8| {
            all.iter().map(|part| self.shown(part, least)).collect::<Vec<_>>().join(word)
        };
        match expression {
            Expression::Constant(value, _) => (PATH, constant(value)),
            Expression::Name(name) => (PATH, name.text.to_string()),
            Expression::Typed(name, kind) if self.type_first => (PATH, format!("{} {}", kind.text, name.text)),
            Expression::Typed(name, kind) => (PATH, format!("{}:{}", name.text, kind.text)),
            Expression::Any(_) => (PATH, "_".to_owned()),
            Expression::Call(name, arguments, _) => (PATH, format!("{}({})", name.text, self.list(arguments))),
            Expression::Member(base, name, arguments, _) => {
                let call = arguments.as_ref().map_or(String::new(), |all| format!("({})", self.list(all)));
                (PATH, format!("{}.{}{call}", self.shown(base, PATH), name.text))
            }
            Expression::Index(base, keys, _) => (PATH, format!("{}[{}]", self.shown(base, PATH), self.list(keys))),
            Expression::Not(body, _) => self.negated(body),
            Expression::And(all, _) => (AND, joined(all, self.and, NOT)),
            Expression::Or(all, _) => (OR, joined(all, self.or, AND)),
            Expression::Compare(comparison, left, right, _) => {
                let symbol = comparison_symbol(*comparison, self.equal);
                (COMPARISON, format!("{} {symbol} {}", self.shown(left, SUM), self.shown(right, SUM)))
            }
            Expression::In(element, set, _) => {
                (COMPARISON, format!("{} in {}", self.shown(element, SUM), self.shown(set, SUM)))
            }
            Expression::Binary(operator, left, right, _) => {
                binary(*operator, |own| (self.shown(left, own), self.shown(right, own + 1)))
            }
            Expression::Unreadable(_) => (PATH, String::new()),
        }
    }

    fn negated(&self, body: &Expression) -> (u8, String) {
        match body {
            Expression::In(element, set, _) => {
                (COMPARISON, format!("{} not in {}", self.shown(element, SUM), self.shown(set, SUM)))
            }
            Expression::Not(..) => (NOT, format!("{}{}", self.not, self.shown(body, NOT))),
            body => (NOT, format!("{}{}", self.not, self.shown(body, SUM))),
        }
    }
}

fn binary(operator: Arithmetic, sides: impl Fn(u8) -> (String, String)) -> (u8, String) {
    let own = if is_sum(operator) { SUM } else { PRODUCT };
    let symbol = arithmetic_symbol(operator, "mod");
    let (left, right) = sides(own);
    (own, format!("{left} {symbol} {right}"))
}

/// `fail` with its message.
pub(crate) fn shown_fail(word: &str, message: Option<&Arc<str>>) -> String {
    message.map_or_else(|| word.to_owned(), |message| format!("{word}({})", literal(message)))
}
