//! Types: found by going round until nothing changes, then checked.
//!
//! ```text
//!  output s := s[-1, 0] + x / 2       unknown ─▶ Int (from 0) ─▶ Float (from /)
//! ```
//!
//! A type only ever grows from unknown to Int to Float, so the rounds end. `/` is exact and gives a Float.

use referee_trace::value::{Type, Value};

use super::lower::Lowered;
use crate::core::stream::{Expr, ExprKind, How, Operator, Parameter, Piece, Program, Template};
use crate::core::{AggregateFunction, AggregateNotation, AggregateOperand, AggregateResult, Span};
use crate::diagnostic::Diagnostic;

/// Gives every output and expression its type, adding what does not fit to `diagnostics`.
pub(super) fn infer(lowered: Lowered, diagnostics: &mut Vec<Diagnostic>) -> Program {
    let Lowered { mut program, declared } = lowered;
    let inputs = program.inputs.iter().map(|input| Some(input.value_type));
    let outputs = declared.iter().map(|declared| declared.map(|(declared, _)| declared));
    let mut types: Vec<Option<Type>> = inputs.chain(outputs).collect();
    while grow(&program, &declared, &mut types) {}
    for (index, output) in program.outputs.iter_mut().enumerate() {
        match types[program.inputs.len() + index] {
            Some(found) => output.value_type = found,
            None => {
                let message = format!("the type of `{}` cannot be found", output.name);
                diagnostics
                    .push(Diagnostic::error("E0904", output.span, message).hint("declare it: `output s: Int := …`"));
            }
        }
    }
    let types: Vec<Type> = types.into_iter().map(|found| found.unwrap_or(Type::Boolean)).collect();
    let mut checker = Checker { types: &types, diagnostics };
    for (output, declared) in program.outputs.iter_mut().zip(&declared) {
        let wanted = declared.map_or(output.value_type, |(declared, _)| declared);
        checker.template(&mut output.template, wanted);
    }
    for trigger in &mut program.triggers {
        checker.template(&mut trigger.template, Type::Boolean);
        for piece in &mut trigger.message {
            if let Piece::Value(value) = piece {
                checker.expression(value, &trigger.template.parameters);
            }
        }
    }
    program
}

/// One round over all outputs whose type is not declared.
fn grow(program: &Program, declared: &[Option<(Type, Span)>], types: &mut [Option<Type>]) -> bool {
    let mut changed = false;
    for (index, output) in program.outputs.iter().enumerate().filter(|(index, _)| declared[*index].is_none()) {
        let stream = program.inputs.len() + index;
        let template = &output.template;
        let found = template.evals.iter().map(|eval| type_of(&eval.with, types, &template.parameters));
        let found = found.fold(types[stream], join);
        changed |= found != types[stream];
        types[stream] = found;
    }
    changed
}

/// The type of both together; where they do not fit, the first.
fn join(left: Option<Type>, right: Option<Type>) -> Option<Type> {
    match (left, right) {
        (None, other) | (other, None) => other,
        (Some(Type::Integer), Some(Type::Decimal)) => right,
        _ => left,
    }
}

/// The type of an expression, as far as those of the streams are known.
fn type_of(expression: &Expr, types: &[Option<Type>], parameters: &[Parameter]) -> Option<Type> {
    let of = |expression: &Expr| type_of(expression, types, parameters);
    match &expression.kind {
        ExprKind::Constant(value) => Some(type_of_value(value)),
        ExprKind::Parameter(index) => parameters.get(*index).map(|parameter| parameter.value_type),
        ExprKind::Access(access) => {
            let stream = types[access.stream.index()];
            match &access.how {
                How::Now => stream,
                How::Fresh => Some(Type::Boolean),
                How::Get(default) | How::Hold(default) | How::Own(_, default) | How::Step(_, default) => {
                    join(stream, of(default))
                }
                How::Window(_, aggregate) | How::Instances(_, aggregate) => type_of_aggregate(*aggregate, stream),
            }
        }
        ExprKind::Not(_) => Some(Type::Boolean),
        ExprKind::Negate(body) | ExprKind::Absolute(body) => of(body),
        ExprKind::Binary(operator, left, right) => match operator {
            Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Remainder => join(of(left), of(right)),
            Operator::Minimum | Operator::Maximum => join(of(left), of(right)),
            Operator::Divide => Some(Type::Decimal),
            _ => Some(Type::Boolean),
        },
        ExprKind::If(_, then, other) => join(of(then), of(other)),
        ExprKind::Defaults(value, default) => join(of(value), of(default)),
    }
}

fn type_of_value(value: &Value) -> Type {
    match value {
        Value::Number(number) if number.is_integer() => Type::Integer,
        Value::Number(_) => Type::Decimal,
        Value::String(_) => Type::String,
        Value::Boolean(_) => Type::Boolean,
    }
}

fn type_of_aggregate(aggregate: AggregateFunction, stream: Option<Type>) -> Option<Type> {
    match aggregate.descriptor().result {
        AggregateResult::Integer => Some(Type::Integer),
        AggregateResult::Operand => stream,
        AggregateResult::Decimal => Some(Type::Decimal),
        AggregateResult::Truth => Some(Type::Boolean),
    }
}

struct Checker<'c> {
    types: &'c [Type],
    diagnostics: &'c mut Vec<Diagnostic>,
}

impl Checker<'_> {
    fn template(&mut self, template: &mut Template, wanted: Type) {
        let parameters = template.parameters.clone();
        for spawn in &mut template.spawns {
            for (with, parameter) in spawn.with.iter_mut().zip(&parameters) {
                self.wants(with, parameter.value_type, &[]);
            }
            spawn.when.iter_mut().for_each(|when| self.wants(when, Type::Boolean, &[]));
        }
        for eval in &mut template.evals {
            eval.when.iter_mut().for_each(|when| self.wants(when, Type::Boolean, &parameters));
            self.wants(&mut eval.with, wanted, &parameters);
        }
        template.close.iter_mut().for_each(|close| self.wants(close, Type::Boolean, &parameters));
    }

    /// Checks an expression that must have a type.
    fn wants(&mut self, expression: &mut Expr, wanted: Type, parameters: &[Parameter]) {
        let found = self.expression(expression, parameters);
        if !fits(found, wanted) {
            self.mismatch(expression.span, &shown(wanted), found);
        }
    }

    fn mismatch(&mut self, span: Span, wanted: &str, found: Type) {
        let message = format!("expected {wanted}, found {}", shown(found));
        let hint = match (wanted, found) {
            ("Int", Type::Decimal) => "declare it Float: `/` is exact",
            ("Bool", _) => "write a comparison",
            _ => "values of different types do not mix",
        };
        self.diagnostics.push(Diagnostic::error("E0910", span, message).hint(hint));
    }

    /// Checks what is below an expression and notes its type.
    fn expression(&mut self, expression: &mut Expr, parameters: &[Parameter]) -> Type {
        let span = expression.span;
        let found = match &mut expression.kind {
            ExprKind::Constant(value) => type_of_value(value),
            ExprKind::Parameter(index) => parameters.get(*index).map_or(Type::Boolean, |found| found.value_type),
            ExprKind::Access(access) => {
                let stream = self.types[access.stream.index()];
                // What the key must be is known from the stream's parameters only after all is read: see `keys`.
                access.key.iter_mut().for_each(|part| {
                    self.expression(part, parameters);
                });
                match &mut access.how {
                    How::Now => stream,
                    How::Fresh => Type::Boolean,
                    How::Get(default) | How::Hold(default) | How::Own(_, default) | How::Step(_, default) => {
                        self.both(stream, default, parameters)
                    }
                    How::Window(_, aggregate) | How::Instances(_, aggregate) => {
                        self.aggregate(*aggregate, stream, span)
                    }
                }
            }
            ExprKind::Not(body) => {
                self.wants(body, Type::Boolean, parameters);
                Type::Boolean
            }
            ExprKind::Negate(body) | ExprKind::Absolute(body) => self.number(body, parameters),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, parameters),
            ExprKind::If(condition, then, other) => {
                self.wants(condition, Type::Boolean, parameters);
                let then = self.expression(then, parameters);
                self.both(then, other, parameters)
            }
            ExprKind::Defaults(value, default) => {
                let value = self.expression(value, parameters);
                self.both(value, default, parameters)
            }
        };
        expression.value_type = found;
        found
    }

    /// Checks that an expression has the type of another, and gives that of both.
    fn both(&mut self, first: Type, second: &mut Expr, parameters: &[Parameter]) -> Type {
        let found = self.expression(second, parameters);
        if !fits(found, first) && !fits(first, found) {
            self.mismatch(second.span, &shown(first), found);
        }
        join(Some(first), Some(found)).unwrap_or(first)
    }

    fn number(&mut self, expression: &mut Expr, parameters: &[Parameter]) -> Type {
        let found = self.expression(expression, parameters);
        if !fits(found, Type::Decimal) {
            self.mismatch(expression.span, "a number", found);
            return Type::Integer;
        }
        found
    }

    fn binary(&mut self, operator: Operator, left: &mut Expr, right: &mut Expr, parameters: &[Parameter]) -> Type {
        match operator {
            Operator::And | Operator::Or | Operator::Implies | Operator::Iff => {
                self.wants(left, Type::Boolean, parameters);
                self.wants(right, Type::Boolean, parameters);
                Type::Boolean
            }
            Operator::Equal | Operator::NotEqual => {
                let first = self.expression(left, parameters);
                self.both(first, right, parameters);
                Type::Boolean
            }
            Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => {
                let first = self.expression(left, parameters);
                if first == Type::Boolean {
                    self.mismatch(left.span, "a number or a string", first);
                } else {
                    self.both(first, right, parameters);
                }
                Type::Boolean
            }
            Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Minimum | Operator::Maximum => {
                let (left, right) = (self.number(left, parameters), self.number(right, parameters));
                join(Some(left), Some(right)).unwrap_or(left)
            }
            Operator::Remainder => {
                let (left, right) = (self.number(left, parameters), self.number(right, parameters));
                join(Some(left), Some(right)).unwrap_or(left)
            }
            Operator::Divide => {
                self.number(left, parameters);
                self.number(right, parameters);
                Type::Decimal
            }
        }
    }

    fn aggregate(&mut self, aggregate: AggregateFunction, stream: Type, span: Span) -> Type {
        let wanted = match aggregate.descriptor().operand {
            AggregateOperand::Ignored => None,
            AggregateOperand::Truths => Some(Type::Boolean),
            AggregateOperand::Numbers | AggregateOperand::Ordered => Some(Type::Decimal),
        };
        if let Some(wanted) = wanted.filter(|wanted| !fits(stream, *wanted)) {
            let name = AggregateNotation::Lola.written(aggregate);
            let message = format!("`{name}` is of {} values, found {}", shown(wanted), shown(stream));
            let hint = "forall and exists are of Bool streams, the others of numbers; count is of any";
            self.diagnostics.push(Diagnostic::error("E0910", span, message).hint(hint));
        }
        type_of_aggregate(aggregate, Some(stream)).unwrap_or(stream)
    }
}

/// Whether a value of one type is one of another.
fn fits(found: Type, wanted: Type) -> bool {
    found == wanted || (found == Type::Integer && wanted == Type::Decimal)
}

fn shown(value_type: Type) -> String {
    match value_type {
        Type::Integer => "Int",
        Type::Decimal => "Float",
        Type::String => "String",
        Type::Boolean => "Bool",
    }
    .to_owned()
}
