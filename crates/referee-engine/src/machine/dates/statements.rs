//! Evaluates the conditions and expressions of DATEs, and executes their statements.

use referee_spec::core::machine::dates::{DateExpression, DateGuard, DateStatement};
use referee_spec::core::{Problem, Span};
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use super::clock::Going;
use super::contexts::{Content, ContextId};
use super::memory::{DatesMemory, DatesTrouble, Message};
use crate::machine::automaton::{AutomatonDatum, arithmetic, compare};
use crate::shared::maps::Set;

/// Where expressions find their values.
pub(super) struct Scene<'a> {
    /// Everything that is open.
    pub memory: &'a DatesMemory,
    /// The argument of each local, if there is one.
    pub locals: &'a [Option<usize>],
    /// The arguments of the happening.
    pub arguments: &'a [Atom],
    /// The context of the automaton.
    pub context: ContextId,
}

impl Scene<'_> {
    /// Whether a condition holds.
    pub(super) fn holds(&self, guard: &DateGuard, values: &mut Values) -> Result<bool, DatesTrouble> {
        match guard {
            DateGuard::Constant(truth) => Ok(*truth),
            DateGuard::Not(body) => Ok(!self.holds(body, values)?),
            DateGuard::And(all) => {
                for guard in all {
                    if !self.holds(guard, values)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            DateGuard::Or(all) => {
                for guard in all {
                    if self.holds(guard, values)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            DateGuard::Compare(comparison, left, right) => {
                let (left, right) = (self.value(left, values)?, self.value(right, values)?);
                Ok(
                    matches!((left, right), (AutomatonDatum::Atom(a), AutomatonDatum::Atom(b)) if compare(*comparison, a, b, values)),
                )
            }
            DateGuard::In(element, set) => match (self.value(element, values)?, self.content(*set)) {
                (AutomatonDatum::Atom(atom), Content::Set(set)) => Ok(set.contains(&atom)),
                _ => Ok(false),
            },
            DateGuard::Empty(set) => Ok(*self.content(*set) == Content::Nothing),
        }
    }

    fn content(&self, variable: usize) -> &Content {
        let (owner, place) = self.memory.variable(self.context, variable);
        &self.memory.contexts.get(owner).variables[place]
    }

    fn value(&self, expression: &DateExpression, values: &mut Values) -> Result<AutomatonDatum, DatesTrouble> {
        Ok(match expression {
            DateExpression::Constant(value) => AutomatonDatum::Atom(values.intern_value(value)),
            DateExpression::Key(key) => self.key(*key).map_or(AutomatonDatum::Unbound, AutomatonDatum::Atom),
            DateExpression::Local(local) => match self.locals[*local] {
                Some(place) => AutomatonDatum::Atom(self.arguments[place]),
                None => AutomatonDatum::Unbound,
            },
            DateExpression::Variable(variable) => match self.content(*variable) {
                Content::Atom(atom) => AutomatonDatum::Atom(*atom),
                _ => AutomatonDatum::Unbound,
            },
            DateExpression::Clock(clock) => {
                let (owner, place) = self.memory.clock(self.context, *clock);
                match &self.memory.contexts.get(owner).clocks[place].going {
                    Going::Since(since) => {
                        AutomatonDatum::Atom(values.intern_value(&Value::Number(self.memory.now.sub(since))))
                    }
                    Going::At(value) => AutomatonDatum::Atom(values.intern_value(&Value::Number(value.clone()))),
                    Going::Off => AutomatonDatum::Unbound,
                }
            }
            DateExpression::Binary(operator, left, right, span) => {
                match (self.value(left, values)?, self.value(right, values)?) {
                    (AutomatonDatum::Unbound, _) | (_, AutomatonDatum::Unbound) => {
                        return Err((Problem::Unbound, *span));
                    }
                    (AutomatonDatum::Atom(a), AutomatonDatum::Atom(b)) => {
                        return arithmetic(*operator, a, b, *span, values);
                    }
                    _ => AutomatonDatum::None,
                }
            }
        })
    }

    fn key(&self, key: usize) -> Option<Atom> {
        let context = self.memory.contexts.get(self.context);
        let place = self.memory.contexts.layouts[context.scope].keys.iter().position(|other| *other == key)?;
        context.keys.get(place).copied()
    }

    /// The value of an expression that must have one.
    fn needed(&self, expression: &DateExpression, span: Span, values: &mut Values) -> Result<Atom, DatesTrouble> {
        match self.value(expression, values)? {
            AutomatonDatum::Atom(atom) => Ok(atom),
            AutomatonDatum::Unbound => Err((Problem::Unbound, span)),
            AutomatonDatum::None => Err((Problem::NotANumber, span)),
        }
    }
}

/// Executes a statement of a transition.
pub(super) fn execute(
    memory: &mut DatesMemory,
    statement: &DateStatement,
    locals: &[Option<usize>],
    arguments: &[Atom],
    context: ContextId,
    values: &mut Values,
) -> Result<(), DatesTrouble> {
    let scene = Scene { memory, locals, arguments, context };
    match statement {
        DateStatement::Assign(variable, expression, span) => {
            let atom = scene.needed(expression, *span, values)?;
            *memory.content_mut(context, *variable) = Content::Atom(atom);
        }
        DateStatement::Add(set, element, span) => {
            let atom = scene.needed(element, *span, values)?;
            match memory.content_mut(context, *set) {
                Content::Set(members) => drop(members.insert(atom)),
                empty => *empty = Content::Set(Set::from_iter([atom])),
            }
        }
        DateStatement::Remove(set, element, span) => {
            let atom = scene.needed(element, *span, values)?;
            let content = memory.content_mut(context, *set);
            if let Content::Set(members) = content
                && members.remove(&atom)
                && members.is_empty()
            {
                *content = Content::Nothing;
            }
        }
        DateStatement::Clear(set) => *memory.content_mut(context, *set) = Content::Nothing,
        DateStatement::Clock(clock, act) => memory.touch(context, *clock, *act),
        DateStatement::Send(channel, parts, span) => {
            let atoms: Result<Vec<Atom>, DatesTrouble> =
                parts.iter().map(|part| scene.needed(part, *span, values)).collect();
            let root = memory.owner(context, memory.dates.channels[*channel].1);
            memory.send(Message { channel: *channel, arguments: atoms?, root, span: *span });
        }
    }
    Ok(())
}
