//! Properties: states, transitions, conditions and actions.

use std::sync::Arc;

use super::super::syntax::{Current, Expression, Guard, Holds, Name, Property, StateKind, Statement, Transition};
use super::names::{Lowering, Thing};
use crate::core::machine::dates::{DateExpression, DateGuard, DateProperty, DateState, DateStatement, DateTransition};
use crate::core::{Comparison, Span};
use crate::diagnostic::Diagnostic;
use crate::lint::suggest;
use referee_trace::value::Value;

impl Lowering<'_> {
    pub(super) fn property(&mut self, property: &Property, scope: usize) {
        let twice = |known: &&usize| self.dates.properties[**known].name == property.name.text;
        if self.dates.scopes[scope].properties.iter().any(|known| twice(&known)) {
            let message = format!("property `{}` is there already", property.name.text);
            self.diagnostics.push(Diagnostic::error("E1102", property.name.span, message).hint("rename one of them"));
        }
        let (states, start) = self.states(property);
        let names: Vec<Arc<str>> = states.iter().map(|state| state.name.clone()).collect();
        let lines = &property.transitions.lines;
        let transitions = lines.iter().filter_map(|(_, transition)| self.transition(transition, &names)).collect();
        self.dates.scopes[scope].properties.push(self.dates.properties.len());
        let name = property.name.text.clone();
        self.dates.properties.push(DateProperty { name, scope, states, start, transitions });
    }

    /// The states of a property and where it begins.
    fn states(&mut self, property: &Property) -> (Vec<DateState>, usize) {
        let mut states: Vec<DateState> = Vec::new();
        let mut starts: Vec<(usize, Span)> = Vec::new();
        for (kind, names) in &property.states {
            for name in names {
                if states.iter().any(|state| state.name == name.text) {
                    let message = format!("state `{}` is there already", name.text);
                    self.diagnostics.push(Diagnostic::error("E1102", name.span, message).hint("rename one of them"));
                }
                if *kind == StateKind::Starting {
                    starts.push((states.len(), name.span));
                }
                states.push(DateState { name: name.text.clone(), bad: *kind == StateKind::Bad });
            }
        }
        if starts.len() != 1 {
            let (place, message) = match starts.get(1) {
                Some((_, second)) => (*second, "a property begins in one state only"),
                None => (property.name.span, "the property has no starting state"),
            };
            let hint = "list one: `STARTING { start }`";
            self.diagnostics.push(Diagnostic::error("E1107", place, message).hint(hint));
        }
        (states, starts.first().map_or(0, |(start, _)| *start))
    }

    fn transition(&mut self, transition: &Transition, states: &[Arc<str>]) -> Option<DateTransition> {
        let (from, to) = (self.state(&transition.from, states), self.state(&transition.to, states));
        let event = self.visible_event(&transition.event);
        let locals = event.map_or(Vec::new(), |event| self.dates.events[event].locals.clone());
        // Without its event, what the others names mean is not known.
        let event = event?;
        let guard = match &transition.guard {
            Some(guard) => self.guard(guard, &locals),
            None => DateGuard::Constant(true),
        };
        let statements =
            transition.statements.iter().filter_map(|statement| self.statement(statement, &locals)).collect();
        Some(DateTransition { from: from?, to: to?, event, guard, statements })
    }

    fn state(&mut self, name: &Name, states: &[Arc<str>]) -> Option<usize> {
        let found = states.iter().position(|state| *state == name.text);
        if found.is_none() && !name.text.is_empty() {
            let hint = match suggest::nearest(&name.text, states.iter().map(|state| &**state)) {
                Some(near) => format!("write `{near}`, or list the state: `NORMAL {{ {} }}`", name.text),
                None => format!("list the state: `NORMAL {{ {} }}`", name.text),
            };
            let message = format!("no state is called `{}`", name.text);
            self.diagnostics.push(Diagnostic::error("E1101", name.span, message).hint(hint));
        }
        found
    }

    /// What a name stands for in a condition or an action; what the event shows comes first.
    fn thing(&mut self, name: &Name, locals: &[Arc<str>]) -> Option<Thing> {
        let local = locals.iter().position(|local| *local == name.text).map(Thing::Local);
        let found = local.or_else(|| self.visible(&name.text));
        if found.is_none() {
            self.unknown(name, locals);
        }
        found
    }

    fn guard(&mut self, guard: &Guard, locals: &[Arc<str>]) -> DateGuard {
        match guard {
            Guard::Constant(truth) => DateGuard::Constant(*truth),
            Guard::Unreadable => DateGuard::Constant(false),
            Guard::Not(body) => DateGuard::Not(Box::new(self.guard(body, locals))),
            Guard::And(all) => DateGuard::And(all.iter().map(|guard| self.guard(guard, locals)).collect()),
            Guard::Or(all) => DateGuard::Or(all.iter().map(|guard| self.guard(guard, locals)).collect()),
            Guard::Compare(comparison, left, right) => {
                DateGuard::Compare(*comparison, self.expression(left, locals), self.expression(right, locals))
            }
            Guard::Own(Holds(name)) => {
                let truth = DateExpression::Constant(Value::Boolean(true));
                DateGuard::Compare(Comparison::Equal, self.variable(name, locals), truth)
            }
            Guard::In(element, set) => match (self.expression(element, locals), self.set(set, locals)) {
                (element, Some(set)) => DateGuard::In(element, set),
                _ => DateGuard::Constant(false),
            },
            Guard::Empty(set) => self.set(set, locals).map_or(DateGuard::Constant(false), DateGuard::Empty),
        }
    }

    fn expression(&mut self, expression: &Expression, locals: &[Arc<str>]) -> DateExpression {
        match expression {
            Expression::Constant(value) => DateExpression::Constant(value.clone()),
            Expression::Variable(name) => self.variable(name, locals),
            Expression::Own(Current(name)) => match self.clock(name, locals) {
                Some(clock) => DateExpression::Clock(clock),
                None => DateExpression::Constant(Value::from(0)),
            },
            Expression::Binary(operator, left, right, span) => {
                let (left, right) = (self.expression(left, locals), self.expression(right, locals));
                DateExpression::Binary(*operator, Box::new(left), Box::new(right), *span)
            }
        }
    }

    fn variable(&mut self, name: &Name, locals: &[Arc<str>]) -> DateExpression {
        match self.thing(name, locals) {
            Some(Thing::Key(key)) => DateExpression::Key(key),
            Some(Thing::Local(local)) => DateExpression::Local(local),
            Some(Thing::Variable(variable)) => DateExpression::Variable(variable),
            Some(other) => {
                let hint = match other {
                    Thing::Clock(_) => format!("ask how long it has run: `{}.current()`", name.text),
                    Thing::Set(_) => format!("ask `{}.contains(x)` or `{}.isEmpty()`", name.text, name.text),
                    _ => "let an event receive a message, and use what it shows".to_owned(),
                };
                self.wrong_kind(name, other, "a value", &hint);
                DateExpression::Constant(Value::from(0))
            }
            None => DateExpression::Constant(Value::from(0)),
        }
    }

    fn set(&mut self, name: &Name, locals: &[Arc<str>]) -> Option<usize> {
        match self.thing(name, locals)? {
            Thing::Set(number) => Some(number),
            other => {
                self.wrong_kind(name, other, "a set", "declare a set: `VARIABLES { Set S; }`");
                None
            }
        }
    }

    fn clock(&mut self, name: &Name, locals: &[Arc<str>]) -> Option<usize> {
        match self.thing(name, locals)? {
            Thing::Clock(number) => Some(number),
            other => {
                self.wrong_kind(name, other, "a clock", "declare a clock: `VARIABLES { Clock c; }`");
                None
            }
        }
    }

    fn statement(&mut self, statement: &Statement, locals: &[Arc<str>]) -> Option<DateStatement> {
        match statement {
            Statement::Assign(name, value, span) => {
                let value = self.expression(value, locals);
                Some(DateStatement::Assign(self.assigned(name, locals)?, value, *span))
            }
            Statement::Add(set, element, span) => {
                let element = self.expression(element, locals);
                Some(DateStatement::Add(self.set(set, locals)?, element, *span))
            }
            Statement::Remove(set, element, span) => {
                let element = self.expression(element, locals);
                Some(DateStatement::Remove(self.set(set, locals)?, element, *span))
            }
            Statement::Clear(set) => Some(DateStatement::Clear(self.set(set, locals)?)),
            Statement::Clock(clock, act) => Some(DateStatement::Clock(self.clock(clock, locals)?, *act)),
            Statement::Send(channel, arguments, span) => {
                let arguments = arguments.iter().map(|argument| self.expression(argument, locals)).collect();
                Some(DateStatement::Send(self.channel(channel, locals)?, arguments, *span))
            }
        }
    }

    /// The variable that an assignment changes.
    fn assigned(&mut self, name: &Name, locals: &[Arc<str>]) -> Option<usize> {
        match self.thing(name, locals)? {
            Thing::Variable(number) => return Some(number),
            fixed @ (Thing::Key(_) | Thing::Local(_)) => {
                let message = format!("`{}` is {}, so its value cannot change", name.text, fixed.kind());
                let hint = "declare a variable and assign to that";
                self.diagnostics.push(Diagnostic::error("E1106", name.span, message).hint(hint));
            }
            other => self.wrong_kind(name, other, "a variable", "sets change by `add` and `remove`, clocks by `reset`"),
        }
        None
    }

    fn channel(&mut self, name: &Name, locals: &[Arc<str>]) -> Option<usize> {
        match self.thing(name, locals)? {
            Thing::Channel(number) => Some(number),
            other => {
                self.wrong_kind(name, other, "a channel", "declare a channel: `VARIABLES { Channel k; }`");
                None
            }
        }
    }
}
