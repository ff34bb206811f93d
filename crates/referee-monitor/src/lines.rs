//! The lines that tell what was found: the same whether a file was judged or a program while it ran.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use referee_spec::core::machine::Body;
use referee_spec::core::{Rule, Status, Violation};
use referee_trace::number::{Number, push_unsigned};
use referee_trace::value::Value;
use referee_trace::write::Term;

/// What the trace showed at the point of a violation.
#[derive(Debug)]
pub struct Context {
    /// Which trace of the input.
    pub trace: u64,
    /// The time.
    pub time: Option<Number>,
    /// The number in the input of the event that is shown, or of the first if none is.
    pub number: Option<u64>,
    /// The event that the violation is about, in abstract form: of those that are shown the one that carries most of its values.
    /// It is empty if none is shown.
    pub event: String,
}

impl Default for Context {
    fn default() -> Context {
        Context { trace: 1, time: None, number: None, event: String::new() }
    }
}

impl Context {
    /// Forgets all but the trace.
    pub(crate) fn clear(&mut self) {
        (self.time, self.number) = (None, None);
        self.event.clear();
    }
}

/// The last lines: what is pending, the verdict on each of several properties, counts of events, and the overall verdict.
pub struct Closing<'a> {
    /// How many violations are pending, where the trace may go on.
    pub pending: Option<u64>,
    /// The properties, with their verdicts.
    pub properties: Vec<(&'a str, Status)>,
    /// How many events there were, and of each name, where that is wanted.
    pub events: Option<(u64, &'a BTreeMap<Arc<str>, u64>)>,
    /// The overall verdict.
    pub status: Status,
}

impl fmt::Display for Closing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(pending) = self.pending {
            writeln!(f, "PENDING: {pending}")?;
        }
        if self.properties.len() != 1 {
            for (name, status) in &self.properties {
                writeln!(f, "PROPERTY {name}: {status}")?;
            }
        }
        if let Some((count, kinds)) = self.events {
            writeln!(f, "EVENTS: {count}")?;
            for (name, count) in kinds {
                writeln!(f, "  {name} {count}")?;
            }
        }
        writeln!(f, "STATUS: {}", self.status)
    }
}

/// Whether a violation of a rule has no value for some variables: a rule over facts for the variables of other rules, a trigger
/// for other triggers'.
pub fn is_selective(rule: &Rule) -> bool {
    matches!(rule, Rule::Facts(_) | Rule::Stream(_))
}

/// Violated if any property is, else TimeOut, else GaveUp, else Satisfied.
pub fn overall(statuses: impl Iterator<Item = Status>) -> Status {
    let severity = |status: &Status| match status {
        Status::Violated => 3,
        Status::TimeOut => 2,
        Status::GaveUp => 1,
        Status::Satisfied => 0,
    };
    statuses.max_by_key(severity).unwrap_or(Status::Satisfied)
}

/// What the lines of all violations of a rule have in common.
pub struct Labels {
    /// `VIOLATION access: `.
    head: String,
    /// `, u = ` for every binding.
    bindings: Vec<String>,
    /// Whether a variable without a value stands for all values that nobody named, and not for none.
    others: bool,
}

impl Labels {
    /// The labels of a rule.
    pub fn of(rule: &Rule) -> Labels {
        Labels {
            head: format!("VIOLATION {}: ", rule.name()),
            bindings: rule.binding_names().into_iter().map(|name| format!(", {name} = ")).collect(),
            others: !is_partial(rule) && !is_selective(rule),
        }
    }

    /// Writes a violation behind a text, and below it why it is one.
    pub fn push_lines(
        &self,
        violation: &Violation,
        context: &Context,
        traces: bool,
        why: &[String],
        lines: &mut String,
    ) {
        self.push_line(violation, context, traces, lines);
        for line in why {
            lines.push_str("\n  ");
            lines.push_str(line);
        }
        lines.push('\n');
    }

    /// `VIOLATION access: point 11006, time 7, access(500000,1), u = 500000, f = 1`; where the input may have several traces,
    /// `VIOLATION access: trace 2, point 7, event 11013, time 7, …`.
    fn push_line(&self, violation: &Violation, context: &Context, traces: bool, line: &mut String) {
        line.push_str(&self.head);
        if traces {
            push_count("trace ", context.trace, line);
            line.push_str(", ");
        }
        push_count("point ", violation.point, line);
        if let (true, Some(number)) = (traces, context.number) {
            push_count(", event ", number, line);
        }
        if let Some(time) = &context.time {
            line.push_str(", time ");
            time.push_to(line);
        }
        push_part(&context.event, line);
        for (label, value) in self.bindings.iter().zip(&violation.bindings) {
            match value {
                Some(value) => {
                    line.push_str(label);
                    push_value(value, line);
                }
                None if self.others => {
                    line.push_str(label);
                    line.push_str("any other value");
                }
                None => {}
            }
        }
        if let Some(message) = &violation.message {
            line.push_str(", ");
            line.push_str(message);
        }
    }
}

/// Writes the value of a binding; one that would end the line is quoted as in an event.
fn push_value(value: &Value, line: &mut String) {
    match value {
        Value::String(text) if text.contains(['\n', '\r']) => Term::push_value(text, line),
        _ => value.push_to(line),
    }
}

fn push_count(label: &str, count: u64, line: &mut String) {
    line.push_str(label);
    push_unsigned(count, line);
}

fn push_part(part: &str, line: &mut String) {
    if !part.is_empty() {
        line.push_str(", ");
        line.push_str(part);
    }
}

/// Whether violations of a rule may leave variables without a value: those that a slice or a scope does not bind.
fn is_partial(rule: &Rule) -> bool {
    matches!(rule, Rule::Machine(machine) if matches!(machine.body, Body::Sliced(_) | Body::Dates(_)))
}
