//! Quantified automata by their definition.

use std::collections::BTreeSet;

use referee_spec::core::machine::{
    AutomatonTransition, ClassArgument, EventClass, Mode as StateMode, Prospect, Quantified,
};
use referee_spec::core::{Obstacle, Outcome, Quantifier, Status, Violation};
use referee_trace::owned::{OwnedEvent, OwnedTrace};
use referee_trace::value::Value;

use super::values::{Content, RegisterScope, execute};
use crate::question::Mode;

/// An event with the number of its point.
type Seen<'t> = (u64, &'t OwnedEvent);

/// Whether a statement is true, false or unknown.
type Kleene = Option<bool>;

pub(super) fn judge(body: &Quantified, trace: &OwnedTrace, mode: Mode) -> Outcome {
    let events: Vec<Seen> = (1u64..)
        .zip(&trace.points)
        .flat_map(|(number, point)| point.events.iter().map(move |event| (number, event)))
        .collect();
    let last = trace.points.len() as u64;
    let mut violations: Vec<Violation> = Vec::new();
    for point in 1..=last {
        let moment = Moment::new(body, &events, point, false);
        match moment.rows() {
            Err(obstacle) => return gave_up(violations, obstacle),
            Ok(rows) => {
                let falsified = rows.into_iter().filter(|(_, truth)| *truth == Some(false));
                add_new(&mut violations, falsified.map(|(row, _)| row), point, Some(point));
            }
        }
    }
    let moment = Moment::new(body, &events, last, mode == Mode::Complete);
    let rows = match moment.rows() {
        Err(obstacle) => return gave_up(violations, obstacle),
        Ok(rows) => rows,
    };
    let pending = rows.iter().filter(|(_, truth)| truth.is_none()).count() as u64;
    let falsified = rows.into_iter().filter(|(_, truth)| *truth == Some(false));
    if mode == Mode::Complete {
        add_new(&mut violations, falsified.map(|(row, _)| row), last, None);
    }
    outcome(violations, pending, None)
}

fn gave_up(violations: Vec<Violation>, obstacle: Obstacle) -> Outcome {
    outcome(violations, 0, Some(obstacle))
}

fn outcome(mut violations: Vec<Violation>, pending: u64, obstacle: Option<Obstacle>) -> Outcome {
    violations.sort_by(Violation::report_order);
    let status = match (violations.is_empty(), &obstacle) {
        (false, _) => Status::Violated,
        (true, Some(_)) => Status::GaveUp,
        (true, None) => Status::Satisfied,
    };
    Outcome { status, violations, pending, obstacle }
}

/// Adds the rows that were not falsified before.
fn add_new(violations: &mut Vec<Violation>, rows: impl Iterator<Item = Vec<Value>>, point: u64, decided: Option<u64>) {
    for row in rows {
        let bindings: Vec<Option<Value>> = row.into_iter().map(Some).collect();
        if violations.iter().all(|known| known.bindings != bindings) {
            violations.push(Violation { point, decided, opened: None, bindings, message: None });
        }
    }
}

/// What is known after a point.
struct Moment<'a> {
    body: &'a Quantified,
    events: Vec<Seen<'a>>,
    domains: Vec<BTreeSet<Value>>,
    prospects: Vec<Prospect>,
    ended: bool,
}

impl<'a> Moment<'a> {
    fn new(body: &'a Quantified, events: &[Seen<'a>], point: u64, ended: bool) -> Moment<'a> {
        let events: Vec<Seen> = events.iter().filter(|(number, _)| *number <= point).copied().collect();
        let mut domains = vec![BTreeSet::new(); body.domains()];
        for (_, event) in &events {
            for class in body.classes.iter().filter(|class| fits_somebody(class, event)) {
                for (variable, position) in class.variables() {
                    domains[body.variables[variable].domain].insert(event.arguments[position].value());
                }
            }
        }
        Moment { body, events, domains, prospects: body.prospects(), ended }
    }

    /// The bindings of the leading foralls and what is known of each.
    fn rows(&self) -> Result<Vec<(Vec<Value>, Kleene)>, Obstacle> {
        self.check_stuck(&[])?;
        let leading = self.body.leading().count();
        let mut rows = vec![Vec::new()];
        for level in 0..leading {
            rows = rows.into_iter().flat_map(|row: Vec<Value>| self.extended(&row, level)).collect();
        }
        rows.into_iter().map(|row| self.fold(&row.clone()).map(|truth| (row, truth))).collect()
    }

    /// A binding with one more value, in all ways that the conditions allow.
    fn extended(&self, row: &[Value], level: usize) -> Vec<Vec<Value>> {
        let domain = &self.domains[self.body.variables[level].domain];
        let all = domain.iter().map(|value| [row, std::slice::from_ref(value)].concat());
        all.filter(|binding| self.counts(binding)).collect()
    }

    /// Whether the conditions of the last variable of a binding keep it.
    fn counts(&self, binding: &[Value]) -> bool {
        let scope = RegisterScope { binding, registers: &[] };
        let mut own = self.body.conditions.iter().filter(|condition| condition.level + 1 == binding.len());
        // Without a value, a comparison is false.
        own.all(|condition| scope.holds(&condition.guard).unwrap_or(false))
    }

    fn check_stuck(&self, binding: &[Value]) -> Result<(), Obstacle> {
        let mut stuck: Vec<Obstacle> = Vec::new();
        let mut rows = vec![binding.to_vec()];
        for level in 0..self.body.variables.len() {
            rows = rows.into_iter().flat_map(|row| self.extended(&row, level)).collect();
        }
        stuck.extend(rows.iter().filter_map(|row| self.runs(row).err()));
        stuck.sort_by_key(|obstacle| (obstacle.point, obstacle.span.start));
        stuck.into_iter().next().map_or(Ok(()), Err)
    }

    fn fold(&self, binding: &[Value]) -> Result<Kleene, Obstacle> {
        let level = binding.len();
        let Some(variable) = self.body.variables.get(level) else { return self.verdict(binding) };
        let decisive = variable.quantifier == Quantifier::Exists;
        let mut truth = self.ended.then_some(!decisive);
        for extended in self.extended(binding, level) {
            if self.fold(&extended)? == Some(decisive) {
                truth = Some(decisive);
            }
        }
        Ok(truth)
    }

    /// What is known of one binding of all variables.
    fn verdict(&self, binding: &[Value]) -> Result<Kleene, Obstacle> {
        let runs = self.runs(binding)?;
        let any = |test: &dyn Fn(usize) -> bool| runs.iter().any(|(state, _)| test(*state));
        let accepted = any(&|state| self.body.states[state].accepting);
        let truth = if self.ended {
            Some(accepted)
        } else if any(&|state| !self.prospects[state].reject) {
            Some(true)
        } else if !any(&|state| self.prospects[state].accept) {
            Some(false)
        } else {
            None
        };
        Ok(truth.map(|truth| truth != self.body.negated))
    }

    /// Where the runs of a binding are.
    fn runs(&self, binding: &[Value]) -> Result<BTreeSet<Run>, Obstacle> {
        let mut runs = BTreeSet::from([(0, vec![Content::Unbound; self.body.registers.len()])]);
        for (point, event) in &self.events {
            if self.body.classes.iter().any(|class| fits(class, event, binding)) {
                let mut next = BTreeSet::new();
                for run in &runs {
                    next.extend(self.step(run, *point, event, binding)?);
                }
                runs = next;
            }
        }
        Ok(runs)
    }

    fn step(&self, run: &Run, point: u64, event: &OwnedEvent, binding: &[Value]) -> Result<Vec<Run>, Obstacle> {
        let state = &self.body.states[run.0];
        let mut next = Vec::new();
        for transition in &state.transitions {
            if fits(&self.body.classes[transition.class], event, binding) {
                let taken = self.take(transition, run, event, binding);
                next.extend(taken.map_err(|(problem, span)| Obstacle { point, span, problem })?);
            }
        }
        if next.is_empty() {
            next.push(match state.mode {
                StateMode::Skip => run.clone(),
                StateMode::Next => (self.body.states.len() - 2, run.1.clone()),
            });
        }
        Ok(next)
    }

    fn take(
        &self,
        transition: &AutomatonTransition,
        run: &Run,
        event: &OwnedEvent,
        binding: &[Value],
    ) -> Result<Option<Run>, crate::arithmetic::Trouble> {
        let mut registers = run.1.clone();
        for (position, register) in &transition.takes {
            registers[*register] = Content::Value(event.arguments[*position].value());
        }
        for branch in &transition.branches {
            if (RegisterScope { binding, registers: &registers }).holds(&branch.guard)? {
                for statement in &branch.statements {
                    execute(statement, binding, &mut registers)?;
                }
                return Ok(Some((branch.target, registers)));
            }
        }
        Ok(None)
    }
}

/// A state and what the registers hold.
type Run = (usize, Vec<Content>);

/// Whether an event fits a class under a binding.
fn fits(class: &EventClass, event: &OwnedEvent, binding: &[Value]) -> bool {
    fits_somebody(class, event)
        && class.arguments.iter().zip(&event.arguments).all(|(wanted, found)| match wanted {
            ClassArgument::Variable(variable) => found.value() == binding[*variable],
            _ => true,
        })
}

/// Whether an event fits a class under some binding.
fn fits_somebody(class: &EventClass, event: &OwnedEvent) -> bool {
    let value = |position: usize| event.arguments[position].value();
    let first = |variable: usize| {
        class.arguments.iter().position(|argument| *argument == ClassArgument::Variable(variable)).unwrap_or(0)
    };
    *class.event == *event.name
        && class.arguments.len() == event.positional
        && class.arguments.iter().enumerate().all(|(position, wanted)| match wanted {
            ClassArgument::Variable(variable) => value(position) == value(first(*variable)),
            ClassArgument::Constant(constant) => value(position) == *constant,
            ClassArgument::Same(earlier) => value(position) == value(*earlier),
            ClassArgument::Any => true,
        })
}
