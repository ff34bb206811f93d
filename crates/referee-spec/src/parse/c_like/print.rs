//! The canonical layout of what C-like languages share.

use std::sync::Arc;

use referee_trace::value::Value;

use super::tree::{CLikeExpression, CLikeGuard, Name};
use crate::core::{Arithmetic, Comparison};
use crate::parse::token::literal;

/// How a language writes its conditions.
pub(crate) struct Layout<V, C> {
    /// Between conditions of which one must hold.
    pub(crate) or: &'static str,
    /// Between conditions that must all hold.
    pub(crate) and: &'static str,
    /// Before a condition that must not hold.
    pub(crate) not: &'static str,
    /// Between two values that must be equal.
    pub(crate) equal: &'static str,
    /// That a value is in a set, or is not.
    pub(crate) is_in: fn(&str, &Name, bool) -> Option<String>,
    /// That a set is empty.
    pub(crate) is_empty: fn(&Name) -> String,
    /// A value that only this language has.
    pub(crate) own_value: fn(&V) -> String,
    /// A condition that only this language has.
    pub(crate) own_condition: fn(&C) -> String,
}

impl<V, C> Layout<V, C> {
    /// A whole condition.
    pub(crate) fn guard(&self, guard: &CLikeGuard<V, C>) -> String {
        self.guard_in(guard, 0)
    }

    /// A condition where only what binds at least as tightly as `level` needs no parentheses: 0 or, 1 and, 2 not.
    fn guard_in(&self, guard: &CLikeGuard<V, C>, level: u8) -> String {
        let joined = |all: &[CLikeGuard<V, C>], word: &str, inner: u8| {
            let parts: Vec<String> = all.iter().map(|guard| self.guard_in(guard, inner)).collect();
            if level >= inner { format!("({})", parts.join(word)) } else { parts.join(word) }
        };
        match guard {
            CLikeGuard::Constant(truth) => truth.to_string(),
            CLikeGuard::Not(body) => {
                let outside = match &**body {
                    CLikeGuard::In(element, set) => (self.is_in)(&self.value(element), set, false),
                    _ => None,
                };
                outside.unwrap_or_else(|| format!("{}{}", self.not, self.guard_in(body, 3)))
            }
            CLikeGuard::And(all) => joined(all, self.and, 2),
            CLikeGuard::Or(all) => joined(all, self.or, 1),
            CLikeGuard::Compare(comparison, left, right) => {
                let symbol = comparison_symbol(*comparison, self.equal);
                let text = format!("{} {symbol} {}", self.value(left), self.value(right));
                if level == 3 { format!("({text})") } else { text }
            }
            CLikeGuard::In(element, set) => (self.is_in)(&self.value(element), set, true).unwrap_or_default(),
            CLikeGuard::Empty(set) => (self.is_empty)(set),
            CLikeGuard::Own(own) => (self.own_condition)(own),
            CLikeGuard::Unreadable => String::new(),
        }
    }

    /// A whole value.
    pub(crate) fn value(&self, expression: &CLikeExpression<V>) -> String {
        self.value_in(expression, 0)
    }

    /// A value in parentheses if it binds less tightly than `level`: 0 sums, 1 products, 2 single values.
    fn value_in(&self, expression: &CLikeExpression<V>, level: u8) -> String {
        match expression {
            CLikeExpression::Variable(name) => name.text.to_string(),
            CLikeExpression::Own(own) => (self.own_value)(own),
            CLikeExpression::Constant(value) => constant(value),
            CLikeExpression::Binary(operator, left, right, _) => {
                let own = u8::from(!is_sum(*operator));
                let symbol = arithmetic_symbol(*operator, "%");
                let text = format!("{} {symbol} {}", self.value_in(left, own), self.value_in(right, own + 1));
                if own < level { format!("({text})") } else { text }
            }
        }
    }
}

/// `++` or `--`, if that is what an assignment to the variable says.
pub(crate) fn by_one<V>(name: &Name, value: &CLikeExpression<V>) -> Option<&'static str> {
    let CLikeExpression::Binary(operator, left, right, _) = value else { return None };
    let same = matches!(&**left, CLikeExpression::Variable(old) if old.text == name.text)
        && matches!(&**right, CLikeExpression::Constant(one) if *one == Value::from(1));
    match operator {
        Arithmetic::Add if same => Some("++"),
        Arithmetic::Subtract if same => Some("--"),
        _ => None,
    }
}

/// A constant as it is written.
pub(crate) fn constant(value: &Value) -> String {
    match value {
        Value::String(text) => literal(text),
        other => other.to_string(),
    }
}

/// The symbol of a comparison, in a language that writes equality so.
pub(crate) fn comparison_symbol(comparison: Comparison, equal: &'static str) -> &'static str {
    match comparison {
        Comparison::Equal => equal,
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
        Comparison::Substring | Comparison::Matches => "in",
    }
}

/// Whether an operator binds like `+`, and not like `*`.
pub(crate) fn is_sum(operator: Arithmetic) -> bool {
    matches!(operator, Arithmetic::Add | Arithmetic::Subtract)
}

/// The symbol of an operator, in a language that writes the remainder so.
pub(crate) fn arithmetic_symbol(operator: Arithmetic, modulo: &'static str) -> &'static str {
    match operator {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::Multiply => "*",
        Arithmetic::Divide | Arithmetic::DivideTruncating => "/",
        Arithmetic::Modulo => modulo,
    }
}

/// Comments, one per line.
pub(crate) fn comments(text: &mut String, indent: &str, all: &[Arc<str>]) {
    for comment in all {
        text.push_str(indent);
        text.push_str(comment);
        text.push('\n');
    }
}
