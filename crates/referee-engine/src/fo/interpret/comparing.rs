//! Evaluates comparisons whose operands have values.

use std::cmp::Ordering;

use referee_spec::core::{Comparison, Obstacle, Problem, UnseenOrder};
use referee_trace::number::Number;
use referee_trace::value::Value;

use crate::fo::interpret::operand::{Operand, OperandSlot, Test};
use crate::fo::interpret::table::{Condition, Open};
use crate::shared::arithmetic::{calculate, convert};
use crate::shared::universe::Universe;

/// What a comparison needs to know: the values, and how order treats those that nobody has named.
pub(crate) struct Comparing<'u> {
    /// All values.
    pub universe: &'u Universe,
    /// What an order comparison says of unnamed values.
    pub unseen_order: UnseenOrder,
}

impl Comparing<'_> {
    /// The truth of a comparison of known values.
    pub(crate) fn decide(&self, test: &Test) -> Condition {
        let (left, right) = match (self.evaluate(&test.left), self.evaluate(&test.right)) {
            (Err(problem), _) | (_, Err(problem)) => {
                return Condition::open(Open::Stuck(Obstacle { point: test.point, span: test.span, problem }));
            }
            (Ok(left), Ok(right)) => (left, right),
        };
        Condition::Constant(self.compare(test, &left, &right) != test.negated)
    }

    fn compare(&self, test: &Test, left: &Value, right: &Value) -> bool {
        match test.comparison {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => self.order(test, left, right) == Some(Ordering::Less),
            Comparison::Greater => self.order(test, left, right) == Some(Ordering::Greater),
            Comparison::LessOrEqual => self.order(test, left, right).is_some_and(Ordering::is_le),
            Comparison::GreaterOrEqual => self.order(test, left, right).is_some_and(Ordering::is_ge),
            Comparison::Substring => match (left, right) {
                (Value::String(part), Value::String(whole)) => whole.contains(&**part),
                _ => false,
            },
            Comparison::Matches => match (left, right) {
                (Value::String(text), Value::String(pattern)) => {
                    regex::Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text))
                }
                _ => false,
            },
        }
    }

    fn order(&self, test: &Test, left: &Value, right: &Value) -> Option<Ordering> {
        if self.unseen_order == UnseenOrder::False {
            let seen = |value| self.universe.find(value).is_some_and(|id| self.universe.is_named_by(id, test.point));
            return (seen(left) && seen(right)).then(|| Some(self.number(left)?.cmp(&self.number(right)?))).flatten();
        }
        match (left, right) {
            (Value::Number(left), Value::Number(right)) => Some(left.cmp(right)),
            (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
            _ => None,
        }
    }

    fn number(&self, value: &Value) -> Option<Number> {
        match value {
            Value::Number(number) => Some(number.clone()),
            Value::String(text) if self.universe.by_text() => Number::parse(text),
            _ => None,
        }
    }

    /// Whether an operand can have no value, whatever its variables stand for: it computes with what is no number.
    pub(crate) fn lacks_value(&self, operand: &Operand) -> bool {
        let unfit = |body: &Operand, fits: &dyn Fn(&Value) -> bool| {
            self.lacks_value(body)
                || (body.variables().is_empty() && self.evaluate(body).is_ok_and(|value| !fits(&value)))
        };
        let number = |value: &Value| matches!(value, Value::Number(_));
        match operand {
            Operand::Slot(_) => false,
            Operand::Binary(_, left, right) => unfit(left, &number) || unfit(right, &number),
            Operand::Negate(body) => unfit(body, &number),
            Operand::Apply(function, body) => unfit(body, &|value| convert(*function, value).is_some()),
        }
    }

    /// The value of an operand that has one and no variables.
    pub(crate) fn evaluate(&self, operand: &Operand) -> Result<Value, Problem> {
        match operand {
            Operand::Slot(OperandSlot::Value(value)) => Ok(self.universe.value(*value).clone()),
            Operand::Slot(OperandSlot::Var(_)) => Err(Problem::UnnamedValue),
            Operand::Binary(op, left, right) => match (self.evaluate(left)?, self.evaluate(right)?) {
                (Value::Number(left), Value::Number(right)) => calculate(*op, &left, &right),
                _ => Err(Problem::UnnamedValue),
            },
            Operand::Negate(body) => match self.evaluate(body)? {
                Value::Number(number) => Ok(Value::Number(number.neg())),
                _ => Err(Problem::UnnamedValue),
            },
            Operand::Apply(function, body) => convert(*function, &self.evaluate(body)?).ok_or(Problem::UnnamedValue),
        }
    }
}
