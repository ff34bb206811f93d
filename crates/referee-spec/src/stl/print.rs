//! The canonical layout: one line.

use std::sync::Arc;

use referee_trace::value::Value;

use crate::core::Comparison;
use crate::core::signal::{Formula, Interval, Kind, Term, TermKind};
use crate::parse::literal;

/// A formula as text.
pub(super) fn formula(formula: &Formula, fields: &[Arc<str>]) -> String {
    Printer { fields }.formula(formula)
}

struct Printer<'p> {
    fields: &'p [Arc<str>],
}

impl Printer<'_> {
    fn level(formula: &Formula) -> u8 {
        match &formula.kind {
            Kind::Iff(..) => 1,
            Kind::Implies(..) => 2,
            Kind::Or(..) => 3,
            Kind::And(..) => 4,
            Kind::Until(..) => 5,
            Kind::Not(_) | Kind::Globally(..) | Kind::Finally(..) => 6,
            Kind::Compare(..) => 8,
            Kind::Constant(_) | Kind::Truth(_) => 20,
        }
    }

    fn at_least(&self, least: u8, formula: &Formula) -> String {
        let text = self.formula(formula);
        if Self::level(formula) < least { format!("({text})") } else { text }
    }

    fn formula(&self, formula: &Formula) -> String {
        match &formula.kind {
            Kind::Constant(truth) => truth.to_string(),
            Kind::Truth(field) => self.field(*field),
            Kind::Compare(comparison, left, right) => {
                format!("{} {} {}", self.term(left, 9), symbol(*comparison), self.term(right, 9))
            }
            Kind::Not(body) => format!("not {}", self.at_least(6, body)),
            Kind::Globally(interval, body) => format!("G{} {}", show(interval), self.at_least(6, body)),
            Kind::Finally(interval, body) => format!("F{} {}", show(interval), self.at_least(6, body)),
            Kind::Until(interval, left, right) => {
                format!("{} U{} {}", self.at_least(6, left), show(interval), self.at_least(5, right))
            }
            Kind::And(left, right) => format!("{} and {}", self.at_least(4, left), self.at_least(5, right)),
            Kind::Or(left, right) => format!("{} or {}", self.at_least(3, left), self.at_least(4, right)),
            Kind::Implies(left, right) => format!("{} => {}", self.at_least(3, left), self.at_least(2, right)),
            Kind::Iff(left, right) => format!("{} <=> {}", self.at_least(1, left), self.at_least(2, right)),
        }
    }

    fn field(&self, field: usize) -> String {
        self.fields.get(field).map_or(String::new(), |name| name.to_string())
    }

    fn term(&self, term: &Term, least: u8) -> String {
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

fn show(interval: &Interval) -> String {
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
