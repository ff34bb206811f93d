//! Constants: computed once, where they are declared.

use std::cmp::Ordering;

use referee_trace::number::Number;
use referee_trace::value::Value;

use super::super::syntax::{Document, ItemKind};
use super::lowering::{Entity, Lowering};
use crate::core::stream::{Expr, ExprKind, Operator};

impl Lowering<'_> {
    pub(super) fn constants(&mut self, document: &Document) {
        for item in &document.items {
            let ItemKind::Constant(constant) = &item.kind else { continue };
            let errors = self.diagnostics.len();
            let lowered = self.expression(&constant.value);
            let value = compute(&lowered);
            if value.is_none() && self.diagnostics.len() == errors {
                let hint = "use literals, other constants that stand before it, and arithmetic";
                self.error("E0908", constant.value.span, "this is no constant", hint);
            }
            if let (Some(value), Some(name)) = (&value, &constant.type_name) {
                let declared = self.value_type(name);
                if Value::of_type(&value.to_string(), Some(declared)).as_ref() != Some(value) {
                    let message = format!("`{value}` is no {declared}");
                    self.error("E0910", constant.value.span, message, "change the value or the type");
                }
            }
            self.declare(&constant.name, Entity::Constant(value.unwrap_or(Value::Boolean(false))));
        }
    }
}

/// The value of an expression that reads no stream.
fn compute(expression: &Expr) -> Option<Value> {
    match &expression.kind {
        ExprKind::Constant(value) => Some(value.clone()),
        ExprKind::Not(body) => Some(Value::Boolean(!truth(body)?)),
        ExprKind::Negate(body) => Some(Value::Number(number(body)?.neg())),
        ExprKind::Absolute(body) => Some(Value::Number(number(body)?.abs())),
        ExprKind::If(condition, then, other) => compute(if truth(condition)? { then } else { other }),
        ExprKind::Binary(operator, left, right) => binary(*operator, left, right),
        ExprKind::Parameter(_) | ExprKind::Access(_) | ExprKind::Defaults(..) => None,
    }
}

fn truth(expression: &Expr) -> Option<bool> {
    match compute(expression)? {
        Value::Boolean(truth) => Some(truth),
        _ => None,
    }
}

fn number(expression: &Expr) -> Option<Number> {
    compute(expression)?.as_number().cloned()
}

fn binary(operator: Operator, left: &Expr, right: &Expr) -> Option<Value> {
    let truths = |join: fn(bool, bool) -> bool| Some(Value::Boolean(join(truth(left)?, truth(right)?)));
    let numbers =
        |join: fn(&Number, &Number) -> Option<Number>| join(&number(left)?, &number(right)?).map(Value::Number);
    let order = |wanted: fn(Ordering) -> bool| {
        let (left, right) = (compute(left)?, compute(right)?);
        Some(Value::Boolean(wanted(left.cmp(&right))))
    };
    match operator {
        Operator::And => truths(|left, right| left && right),
        Operator::Or => truths(|left, right| left || right),
        Operator::Implies => truths(|left, right| !left || right),
        Operator::Iff => truths(|left, right| left == right),
        Operator::Equal => order(Ordering::is_eq),
        Operator::NotEqual => order(Ordering::is_ne),
        Operator::Less => order(Ordering::is_lt),
        Operator::LessOrEqual => order(Ordering::is_le),
        Operator::Greater => order(Ordering::is_gt),
        Operator::GreaterOrEqual => order(Ordering::is_ge),
        Operator::Add => numbers(|left, right| Some(left.add(right))),
        Operator::Subtract => numbers(|left, right| Some(left.sub(right))),
        Operator::Multiply => numbers(|left, right| Some(left.mul(right))),
        Operator::Divide => numbers(Number::div),
        Operator::Remainder => numbers(Number::rem_trunc),
        Operator::Minimum => numbers(|left, right| Some(left.min(right).clone())),
        Operator::Maximum => numbers(|left, right| Some(left.max(right).clone())),
    }
}
