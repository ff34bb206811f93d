//! Guards, expressions and statements over the registers of one run.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use referee_spec::core::machine::{AutomatonExpression, AutomatonGuard, AutomatonStatement};
use referee_spec::core::{Arithmetic, Comparison, Problem, Span};
use referee_trace::value::Value;

use crate::arithmetic::{self, Trouble};

/// What a register holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Content {
    /// Nothing yet.
    Unbound,
    /// A value.
    Value(Value),
    /// A set of values.
    Set(BTreeSet<Value>),
}

/// The quantified variables' values and the registers of a run.
pub(super) struct RegisterScope<'a> {
    pub binding: &'a [Value],
    pub registers: &'a [Content],
}

/// The value of an expression, if it has one.
pub(super) enum Computed {
    /// A value.
    Value(Value),
    /// Nothing has given it one.
    Unbound,
    /// It was computed with something that is no number.
    None,
}

impl RegisterScope<'_> {
    pub(super) fn holds(&self, guard: &AutomatonGuard) -> Result<bool, Trouble> {
        match guard {
            AutomatonGuard::Constant(truth) => Ok(*truth),
            AutomatonGuard::Not(body) => Ok(!self.holds(body)?),
            AutomatonGuard::And(all) => all.iter().try_fold(true, |truth, guard| Ok(truth && self.holds(guard)?)),
            AutomatonGuard::Or(all) => all.iter().try_fold(false, |truth, guard| Ok(truth || self.holds(guard)?)),
            AutomatonGuard::Compare(comparison, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                Ok(matches!((left, right), (Computed::Value(a), Computed::Value(b)) if compare(*comparison, &a, &b)))
            }
            AutomatonGuard::In(element, set) => match self.value(element)? {
                Computed::Value(value) => Ok(self.set(*set).contains(&value)),
                _ => Ok(false),
            },
            AutomatonGuard::Empty(set) => Ok(self.set(*set).is_empty()),
        }
    }

    fn set(&self, register: usize) -> BTreeSet<Value> {
        match &self.registers[register] {
            Content::Set(set) => set.clone(),
            _ => BTreeSet::new(),
        }
    }

    fn value(&self, expression: &AutomatonExpression) -> Result<Computed, Trouble> {
        Ok(match expression {
            AutomatonExpression::Variable(variable) => Computed::Value(self.binding[*variable].clone()),
            AutomatonExpression::Constant(value) => Computed::Value(value.clone()),
            AutomatonExpression::Register(register) => match &self.registers[*register] {
                Content::Value(value) => Computed::Value(value.clone()),
                _ => Computed::Unbound,
            },
            AutomatonExpression::Binary(operator, left, right, span) => {
                compute(*operator, self.value(left)?, self.value(right)?, *span)?
            }
        })
    }
}

/// Arithmetic on two values.
pub(super) fn compute(operator: Arithmetic, left: Computed, right: Computed, span: Span) -> Result<Computed, Trouble> {
    match (left, right) {
        (Computed::Unbound, _) | (_, Computed::Unbound) => Err((Problem::Unbound, span)),
        (Computed::Value(Value::Number(a)), Computed::Value(Value::Number(b))) => {
            let result = arithmetic::compute(operator, &a, &b);
            Ok(Computed::Value(Value::Number(result.ok_or((Problem::DivisionByZero, span))?)))
        }
        _ => Ok(Computed::None),
    }
}

/// Executes a statement.
pub(super) fn execute(
    statement: &AutomatonStatement,
    binding: &[Value],
    registers: &mut [Content],
) -> Result<(), Trouble> {
    let value =
        |expression, registers: &[Content], span| match (RegisterScope { binding, registers }).value(expression)? {
            Computed::Value(value) => Ok(value),
            Computed::Unbound => Err((Problem::Unbound, span)),
            Computed::None => Err((Problem::NotANumber, span)),
        };
    match statement {
        AutomatonStatement::Assign(register, expression, span) => {
            registers[*register] = Content::Value(value(expression, registers, *span)?);
        }
        AutomatonStatement::Add(register, element, span) => {
            let element = value(element, registers, *span)?;
            let mut set = RegisterScope { binding, registers }.set(*register);
            set.insert(element);
            registers[*register] = Content::Set(set);
        }
        AutomatonStatement::Remove(register, element, span) => {
            let element = value(element, registers, *span)?;
            let mut set = RegisterScope { binding, registers }.set(*register);
            set.remove(&element);
            registers[*register] = Content::Set(set);
        }
        AutomatonStatement::Clear(register) => registers[*register] = Content::Set(BTreeSet::new()),
    }
    Ok(())
}

/// Whether two values compare so.
pub(super) fn compare(comparison: Comparison, left: &Value, right: &Value) -> bool {
    let order = match (left, right) {
        (Value::Number(a), Value::Number(b)) => Some(a.cmp(b)),
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        _ => None,
    };
    match comparison {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::Less => order == Some(Ordering::Less),
        Comparison::LessOrEqual => order.is_some_and(Ordering::is_le),
        Comparison::Greater => order == Some(Ordering::Greater),
        Comparison::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
        Comparison::Substring | Comparison::Matches => false,
    }
}
