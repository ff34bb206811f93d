//! The canonical layout: one line.

use std::sync::Arc;

use referee_trace::value::Value;

use crate::core::Comparison;
use crate::core::signal::{SignalFormula, SignalInterval, SignalKind, SignalTerm, TermKind};
use crate::parse::literal;

/// A formula as text.
pub(super) fn formula(formula: &SignalFormula, fields: &[Arc<str>]) -> String {
    Printer { fields }.formula(formula)
}

struct Printer<'p> {
    fields: &'p [Arc<str>],
}

impl Printer<'_> {
    fn level(formula: &SignalFormula) -> u8 {
        match &formula.kind {
            SignalKind::Iff(..) => 1,
            SignalKind::Implies(..) => 2,
            SignalKind::Or(..) => 3,
            SignalKind::And(..) => 4,
            SignalKind::Until(..) => 5,
            SignalKind::Not(_) | SignalKind::Globally(..) | SignalKind::Finally(..) => 6,
            SignalKind::Compare(..) => 8,
            SignalKind::Constant(_) | SignalKind::Truth(_) => 20,
        }
    }

    fn at_least(&self, least: u8, formula: &SignalFormula) -> String {
        let text = self.formula(formula);
        if Self::level(formula) < least { format!("({text})") } else { text }
    }

    fn formula(&self, formula: &SignalFormula) -> String {
        match &formula.kind {
            SignalKind::Constant(truth) => truth.to_string(),
            SignalKind::Truth(field) => self.field(*field),
            SignalKind::Compare(comparison, left, right) => {
                format!("{} {} {}", self.term(left, 9), symbol(*comparison), self.term(right, 9))
            }
            SignalKind::Not(body) => format!("not {}", self.at_least(6, body)),
            SignalKind::Globally(interval, body) => format!("G{} {}", show(interval), self.at_least(6, body)),
            SignalKind::Finally(interval, body) => format!("F{} {}", show(interval), self.at_least(6, body)),
            SignalKind::Until(interval, left, right) => {
                format!("{} U{} {}", self.at_least(6, left), show(interval), self.at_least(5, right))
            }
            SignalKind::And(left, right) => format!("{} and {}", self.at_least(4, left), self.at_least(5, right)),
            SignalKind::Or(left, right) => format!("{} or {}", self.at_least(3, left), self.at_least(4, right)),
            SignalKind::Implies(left, right) => format!("{} => {}", self.at_least(3, left), self.at_least(2, right)),
            SignalKind::Iff(left, right) => format!("{} <=> {}", self.at_least(1, left), self.at_least(2, right)),
        }
    }

    fn field(&self, field: usize) -> String {
        self.fields.get(field).map_or(String::new(), |name| name.to_string())
    }

    fn term(&self, term: &SignalTerm, least: u8) -> String {
        let (level, text) = match &term.kind {
            TermKind::Constant(Value::String(text)) => (20, literal(text)),
            TermKind::Constant(value) => (20, value.to_string()),
            TermKind::Field(field) => (20, self.field(*field)),
            TermKind::Negate(body) => (12, format!("-{}", self.term(body, 13))),
            TermKind::Absolute(body) => (20, format!("abs({})", self.term(body, 0))),
            TermKind::Add(left, right) => (9, format!("{} + {}", self.term(left, 9), self.term(right, 10))),
            TermKind::Subtract(left, right) => (9, format!("{} - {}", self.term(left, 9), self.term(right, 10))),
            TermKind::Multiply(left, right) => (10, format!("{} * {}", self.term(left, 10), self.term(right, 11))),
            TermKind::Divide(left, right) => (10, format!("{} / {}", self.term(left, 10), self.term(right, 11))),
        };
        if level < least { format!("({text})") } else { text }
    }
}

fn show(interval: &SignalInterval) -> String {
    match &interval.high {
        _ if interval.is_all() => String::new(),
        Some(high) => format!("_[{},{high}]", interval.low),
        None => format!("_[{},inf)", interval.low),
    }
}

fn symbol(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
        Comparison::Equal => "=",
        _ => "!=",
    }
}
