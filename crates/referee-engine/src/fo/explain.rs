//! What a property was compiled to, in words.
//!
//! ```text
//!   T0 `!logout(a) S login(a)`: rows by 1 column
//!   on access(a, b): looks up T0; reports
//! ```

use std::sync::Arc;

use referee_spec::core::{Formula, Kind, Property, Span, UnaryOp};

use crate::fo::code::expression::Pattern;
use crate::fo::code::needs::needs;
use crate::fo::code::plan::{Plan, PlanStep};
use crate::fo::code::program::{CompiledProgram, Source, Target, Task, Trigger};
use crate::fo::code::reason::Reason;
use crate::fo::code::view::{Upkeep, View};
use crate::fo::passes::Passes;

/// What was made of a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// What the fast path keeps and does for it, a line each.
    pub lines: Vec<String>,
    /// The parts that the general path evaluates: their texts, where they stand, and whether every point moves them on.
    pub parts: Vec<(String, Span, bool)>,
}

/// What the fast path keeps and does for a property; the reason if it does not take it.
pub fn describe(property: &Arc<Property>, passes: &Passes) -> Result<Description, Reason> {
    let program = crate::fo::compile::compiler::compile(property, passes)?;
    let used = || program.parts.iter().enumerate().filter(|(_, part)| part.is_used);
    let parts = used().map(|(_, part)| (text(property, &part.formula), part.formula.span, part.is_moving)).collect();
    let fallback = used().map(|(number, part)| {
        let when = if part.is_moving { ", moved on at every point" } else { "" };
        let text = text(property, &part.formula);
        format!("G{number} `{text}`: evaluated for the values that are asked for{when}; {}", part.reason)
    });
    let tables = program.views.iter().enumerate().map(|(number, view)| table(&program, number, view));
    let units =
        program.units.iter().flat_map(|unit| unit.triggers.iter().map(|own| trigger(&program, unit.target, own)));
    let checks = program.checks.iter().filter_map(|check| check.state);
    let states = checks.map(|view| format!("every row of T{view} is a violation of every point"));
    let mut lines: Vec<String> = tables.chain(fallback).collect();
    for line in units.chain(states) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    Ok(Description { lines, parts })
}

/// A part as it was written; `@` may have been pushed into it.
fn text(property: &Property, formula: &Formula) -> String {
    match &formula.kind {
        Kind::Unary(UnaryOp::Prev, _, body) if body.span == formula.span => format!("@({})", text(property, body)),
        _ => {
            let words: Vec<&str> = property.text(formula.span).split_whitespace().collect();
            if words.is_empty() { formula.display(property).to_string() } else { words.join(" ") }
        }
    }
}

fn table(program: &CompiledProgram, number: usize, view: &View) -> String {
    if let Some(join) = &view.join {
        let (text, of) = (&view.text, join.of);
        return format!("T{number} `{text}`: its witnesses, which are joined with rows of T{of} when it is asked for");
    }
    if let Some(of) = view.rows_of {
        return format!("T{number} `{}`: the rows of T{of}", view.text);
    }
    let columns = match view.keys() {
        0 => "one row".to_owned(),
        1 => "rows by 1 column".to_owned(),
        keys => format!("rows by {keys} columns"),
    };
    let set = if view.has_set { ", each with the set of the last one's values, or of all others" } else { "" };
    let stamps = match (&view.upkeep, view.stamped) {
        (Upkeep::LastStamp, _) => ", each with its last point",
        (_, true) => ", each with its first point",
        (Upkeep::Window(_), _) if view.keeps_newest(needs(program).tracked[number]) => {
            ", each with its newest point that counts"
        }
        (Upkeep::Window(_), _) => ", each with a queue of the times that count",
        (Upkeep::Copy(_), _) => ", one point late",
        _ => "",
    };
    let indexes = match program.indexes.get(number).map_or(0, Vec::len) {
        0 => String::new(),
        1 => ", 1 index".to_owned(),
        count => format!(", {count} indexes"),
    };
    format!("T{number} `{}`: {columns}{set}{stamps}{indexes}", view.text)
}

fn trigger(program: &CompiledProgram, target: Target, trigger: &Trigger) -> String {
    let source = match &trigger.source {
        Source::Event(matching) => format!("on {}", pattern(&program.patterns[matching.pattern])),
        Source::Before(matching) => format!("after {}", pattern(&program.patterns[matching.pattern])),
        Source::Change { view, old: false, .. } => format!("when T{view} changes"),
        Source::Change { view, old: true, .. } => format!("after T{view} has changed"),
        Source::First => "at the first point".to_owned(),
    };
    let task = match (&trigger.task, target) {
        (Task::Insert(None), Target::View(view)) => format!("makes the row of T{view}"),
        (Task::AddWitness(_), Target::View(view)) => format!("adds a witness to T{view}"),
        (Task::Insert(Some(_)), Target::View(view)) => format!("adds to the set of the row of T{view}"),
        (Task::Remove, Target::View(view)) => format!("deletes the row of T{view}"),
        (Task::Open, _) => "opens a demand".to_owned(),
        (Task::Meet, _) => "meets the demand".to_owned(),
        (Task::Fail, _) => "breaks the demand".to_owned(),
        _ => "reports a violation".to_owned(),
    };
    let mut steps = Vec::new();
    describe_plan(&trigger.plan, &mut steps);
    steps.push(task);
    format!("{source}: {}", steps.join("; "))
}

fn pattern(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Positional(name, count) => format!("{name}/{count}"),
        Pattern::Bare(name) => name.to_string(),
        Pattern::Fields(fields) => format!("events with {}", fields.join(", ")),
    }
}

fn describe_plan(plan: &Plan, steps: &mut Vec<String>) {
    for step in &plan.steps {
        match step {
            PlanStep::Probe { there, view, .. } => {
                let fails = if *there { "" } else { " and finds no row" };
                steps.push(format!("looks up T{view}{fails}"));
            }
            PlanStep::Rows(rows) => steps.push(match &rows.index {
                Some((_, values)) if values.len() == rows.actions.len() => format!("looks up T{}", rows.view),
                Some((_, values)) => {
                    format!("goes through the rows of T{} by {} of its columns", rows.view, values.len())
                }
                None => format!("goes through all rows of T{}", rows.view),
            }),
            PlanStep::Stamps { last, first, .. } => {
                steps.push(format!("compares stamps of T{} and T{}", last.0, first.0))
            }
            PlanStep::Older { rows, .. } => steps.push(format!("goes through the oldest rows of T{}", rows.view)),
            PlanStep::Choice(plans) => {
                let ways: Vec<String> = plans.iter().map(one_way).filter(|way| !way.is_empty()).collect();
                steps.extend((!ways.is_empty()).then(|| ways.join(", or ")));
            }
            PlanStep::Some(_, plan) => describe_plan(plan, steps),
            PlanStep::NonEmpty(..) => steps.push("intersects sets".to_owned()),
            PlanStep::Fallback { there, part, .. } => {
                let fails = if *there { "" } else { " and finds that it is not so" };
                steps.push(format!("asks G{part}{fails}"));
            }
            PlanStep::Yield { part, .. } => steps.push(format!("asks G{part} for its value")),
            PlanStep::Compare(..) => steps.push("compares values".to_owned()),
            PlanStep::Events(_) | PlanStep::NoEvent(_) | PlanStep::Assign(..) => {}
        }
    }
}

fn one_way(plan: &Plan) -> String {
    let mut steps = Vec::new();
    describe_plan(plan, &mut steps);
    steps.join("; ")
}
