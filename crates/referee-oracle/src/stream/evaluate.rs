//! Expressions at a step.

use std::cmp::Ordering;

use referee_spec::core::stream::{Access, Aggregate, Clause, Expr, ExprKind, Extent, How, Input, Instances, Operator};
use referee_spec::core::{Obstacle, Problem, Span};
use referee_trace::number::Number;
use referee_trace::value::{Type, Value};

use super::oracle::{Oracle, StreamContext};

impl Oracle<'_> {
    /// Whether all streams that a clause names directly have a value.
    pub(super) fn is_considered(&mut self, clause: &Clause<'_>, context: StreamContext<'_>) -> bool {
        let mut direct: Vec<&Access> = Vec::new();
        for expression in &clause.expressions {
            expression.references(&mut |reference| {
                if reference.access.how == How::Now {
                    direct.push(reference.access);
                }
            });
        }
        direct.into_iter().all(|access| self.access(access, context).is_some())
    }

    /// Whether a condition is true; a missing one is.
    pub(super) fn holds(&mut self, condition: Option<&Expr>, context: StreamContext<'_>) -> bool {
        condition.is_none_or(|condition| self.expression(condition, context) == Some(Value::Boolean(true)))
    }

    pub(super) fn input(&mut self, input: &Input, step: usize) -> Option<Value> {
        let event = self.steps[step - 1].event;
        if input.event.as_ref().is_some_and(|name| *name != event.name) {
            return None;
        }
        let Some(field) = &input.field else { return Some(Value::Boolean(true)) };
        let argument = event.arguments.iter().find(|argument| argument.name == *field)?;
        let value = match (input.value_type, argument.value()) {
            (Type::String, _) => Some(Value::string(&argument.text)),
            (Type::Integer, Value::Number(number)) if number.is_integer() => Some(Value::Number(number)),
            (Type::Decimal, Value::Number(number)) => Some(Value::Number(number)),
            (Type::Boolean, Value::Boolean(truth)) => Some(Value::Boolean(truth)),
            _ => None,
        };
        let fits = |value: &Value| !input.unsigned || value.as_number().is_none_or(|number| *number >= Number::ZERO);
        let value = value.filter(fits);
        if value.is_none() {
            self.obstruct_at(step, input.span, Problem::WrongType);
        }
        value
    }

    fn obstruct_at(&mut self, step: usize, span: Span, problem: Problem) {
        let point = self.steps.get(step - 1).or(self.steps.last()).map_or(0, |step| step.point);
        self.obstruct(Obstacle { point, span, problem });
    }

    pub(super) fn expression(&mut self, expression: &Expr, context: StreamContext<'_>) -> Option<Value> {
        match &expression.kind {
            ExprKind::Constant(value) => Some(value.clone()),
            ExprKind::Parameter(index) => context.key.get(*index).cloned(),
            ExprKind::Access(access) => self.access(access, context),
            ExprKind::Not(body) => Some(Value::Boolean(!self.truth(body, context)?)),
            ExprKind::Negate(body) => Some(Value::Number(self.number(body, context)?.neg())),
            ExprKind::Absolute(body) => Some(Value::Number(self.number(body, context)?.abs())),
            ExprKind::If(condition, then, other) => {
                let branch = if self.truth(condition, context)? { then } else { other };
                self.expression(branch, context)
            }
            ExprKind::Defaults(value, default) => {
                self.expression(value, context).or_else(|| self.expression(default, context))
            }
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, expression.span, context),
        }
    }

    fn truth(&mut self, expression: &Expr, context: StreamContext<'_>) -> Option<bool> {
        Some(self.expression(expression, context)? == Value::Boolean(true))
    }

    fn number(&mut self, expression: &Expr, context: StreamContext<'_>) -> Option<Number> {
        self.expression(expression, context)?.as_number().cloned()
    }

    fn binary(
        &mut self,
        operator: Operator,
        left: &Expr,
        right: &Expr,
        span: Span,
        context: StreamContext<'_>,
    ) -> Option<Value> {
        match operator {
            Operator::And | Operator::Or | Operator::Implies => {
                let first = self.truth(left, context)?;
                let (settles, result) = match operator {
                    Operator::And => (!first, false),
                    Operator::Or => (first, true),
                    _ => (!first, true),
                };
                return Some(Value::Boolean(if settles { result } else { self.truth(right, context)? }));
            }
            _ => {}
        }
        let (one, two) = (self.expression(left, context)?, self.expression(right, context)?);
        let order = |wanted: fn(Ordering) -> bool| Some(Value::Boolean(wanted(one.cmp(&two))));
        match operator {
            Operator::Iff | Operator::Equal => return order(Ordering::is_eq),
            Operator::NotEqual => return order(Ordering::is_ne),
            Operator::Less => return order(Ordering::is_lt),
            Operator::LessOrEqual => return order(Ordering::is_le),
            Operator::Greater => return order(Ordering::is_gt),
            Operator::GreaterOrEqual => return order(Ordering::is_ge),
            _ => {}
        }
        let (one, two) = (one.as_number()?, two.as_number()?);
        let result = match operator {
            Operator::Add => Some(one.add(two)),
            Operator::Subtract => Some(one.sub(two)),
            Operator::Multiply => Some(one.mul(two)),
            Operator::Minimum => Some(one.min(two).clone()),
            Operator::Maximum => Some(one.max(two).clone()),
            Operator::Divide => one.div(two),
            _ => one.rem_trunc(two),
        };
        if result.is_none() {
            self.obstruct_at(context.step, span, Problem::DivisionByZero);
        }
        result.map(Value::Number)
    }

    fn access(&mut self, access: &Access, context: StreamContext<'_>) -> Option<Value> {
        let key: Option<Vec<Value>> = access.key.iter().map(|part| self.expression(part, context)).collect();
        let Some(key) = key else { return self.of_no_instance(access, context) };
        let (stream, step) = (access.stream.index(), context.step);
        match &access.how {
            How::Now => self.value(stream, &key, step),
            How::Fresh => Some(Value::Boolean(self.value(stream, &key, step).is_some())),
            How::Get(default) => self.value(stream, &key, step).or_else(|| self.expression(default, context)),
            How::Hold(default) => {
                let last = self.own_values(stream, &key, step).pop().map(|(_, value)| value);
                last.or_else(|| self.expression(default, context))
            }
            How::Own(count, default) => {
                // An instance that begins at this step has no earlier value, so only those from before matter.
                let birth = self.survives_since(stream, &key, step);
                let values = birth.map_or(Vec::new(), |birth| self.values_between(stream, &key, birth, step - 1));
                let found = values.iter().rev().nth(*count as usize - 1).map(|(_, value)| value.clone());
                found.or_else(|| self.expression(default, context))
            }
            How::Step(offset, default) => {
                let target = step as i64 + i64::from(*offset);
                let found = usize::try_from(target).ok().and_then(|target| {
                    let survives = |oracle: &mut Self| oracle.survives_since(stream, &key, step);
                    let lives = *offset > 0 || survives(self).is_some_and(|birth| birth <= target);
                    lives.then(|| self.value(stream, &key, target)).flatten()
                });
                found.or_else(|| self.expression(default, context))
            }
            How::Window(extent, aggregate) => {
                let values = self.own_values(stream, &key, step);
                let values = self.in_window(values, extent, step);
                combine(*aggregate, values)
            }
            How::Instances(which, aggregate) => {
                let mut values = Vec::new();
                for key in self.keys_of(stream, step) {
                    values.extend(match which {
                        Instances::All => self.own_values(stream, &key, step).pop().map(|(_, value)| value),
                        Instances::Fresh => self.value(stream, &key, step),
                    });
                }
                combine(*aggregate, values)
            }
        }
    }

    /// What an access says where its key has no value, and so no instance is meant.
    fn of_no_instance(&mut self, access: &Access, context: StreamContext<'_>) -> Option<Value> {
        match &access.how {
            How::Now => None,
            How::Fresh => Some(Value::Boolean(false)),
            How::Window(_, aggregate) | How::Instances(_, aggregate) => combine(*aggregate, Vec::new()),
            How::Get(default) | How::Hold(default) | How::Own(_, default) | How::Step(_, default) => {
                self.expression(default, context)
            }
        }
    }

    fn keys_of(&mut self, stream: usize, step: usize) -> Vec<Vec<Value>> {
        match stream < self.program.inputs.len() {
            true => vec![Vec::new()],
            false => self.live_keys(stream, step).into_iter().collect(),
        }
    }

    fn lives_since(&mut self, stream: usize, key: &[Value], step: usize) -> Option<usize> {
        if stream < self.program.inputs.len() { Some(1) } else { self.birth(stream, key, step) }
    }

    /// The values of the instance that lives at a step, up to then, with their steps.
    fn own_values(&mut self, stream: usize, key: &[Value], step: usize) -> Vec<(usize, Value)> {
        let birth = self.lives_since(stream, key, step);
        birth.map_or(Vec::new(), |birth| self.values_between(stream, key, birth, step))
    }

    /// Where the instance began that lived before this step and was not closed then.
    fn survives_since(&mut self, stream: usize, key: &[Value], step: usize) -> Option<usize> {
        if stream < self.program.inputs.len() || self.template(stream).spawns.is_empty() {
            return Some(1);
        }
        let before = step.checked_sub(1).filter(|before| *before > 0)?;
        self.birth(stream, key, before).filter(|_| !self.is_closed(stream, key, before))
    }

    fn values_between(&mut self, stream: usize, key: &[Value], first: usize, last: usize) -> Vec<(usize, Value)> {
        let last = last.min(self.steps.len());
        (first..=last).filter_map(|at| self.value(stream, key, at).map(|value| (at, value))).collect()
    }

    fn in_window(&self, values: Vec<(usize, Value)>, extent: &Extent, step: usize) -> Vec<Value> {
        match extent {
            Extent::Values(count) => {
                let skip = values.len().saturating_sub(*count as usize);
                values.into_iter().skip(skip).map(|(_, value)| value).collect()
            }
            Extent::Time(length) => {
                let last = step.min(self.steps.len());
                let now = self.steps.get(last.wrapping_sub(1)).map_or(Number::ZERO, |step| step.time.clone());
                let start = now.sub(&length.in_unit(self.program.unit));
                let inside = |(at, _): &(usize, Value)| self.steps[*at - 1].time > start;
                values.into_iter().filter(inside).map(|(_, value)| value).collect()
            }
        }
    }
}

/// What is said of many values.
fn combine(aggregate: Aggregate, values: Vec<Value>) -> Option<Value> {
    let mut numbers: Vec<Number> = values.iter().filter_map(Value::as_number).cloned().collect();
    let count = Number::Int(i64::try_from(values.len()).unwrap_or(i64::MAX));
    let sum = numbers.iter().fold(Number::ZERO, |sum, number| sum.add(number));
    match aggregate {
        Aggregate::Count => Some(Value::Number(count)),
        Aggregate::Sum => Some(Value::Number(sum)),
        Aggregate::Average => sum.div(&count).map(Value::Number),
        Aggregate::Minimum => numbers.into_iter().min().map(Value::Number),
        Aggregate::Maximum => numbers.into_iter().max().map(Value::Number),
        Aggregate::Forall => Some(Value::Boolean(!values.contains(&Value::Boolean(false)))),
        Aggregate::Exists => Some(Value::Boolean(values.contains(&Value::Boolean(true)))),
        Aggregate::Median => {
            numbers.sort();
            let (low, high) = (numbers.get((numbers.len().max(1) - 1) / 2)?, numbers.get(numbers.len() / 2)?);
            low.add(high).div(&Number::Int(2)).map(Value::Number)
        }
    }
}
