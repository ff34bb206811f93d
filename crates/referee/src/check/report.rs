//! What `check` prints: lines as violations are decided, or one JSON document at the end.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Stdout, Write};
use std::sync::Arc;

use referee_engine::judge::Size;
use referee_spec::core::machine::Body;
use referee_spec::core::{Equality, Outcome, Rule, Status, Violation};
use referee_trace::number::{Number, push_unsigned};
use referee_trace::stats::Exact;
use referee_trace::value::Value;
use serde::Serialize;

use crate::failure::Failure;

/// How results are printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// One JSON document.
    pub json: bool,
    /// Counts of events.
    pub events: bool,
    /// Which trace of the input a violation is in, and which event of the input it is.
    pub traces: bool,
}

/// How much was read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Totals {
    /// Events.
    pub events: u64,
    /// Points of all traces.
    pub points: u64,
}

/// What the trace showed at the point of a violation.
#[derive(Debug)]
pub(super) struct Context {
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
    pub(super) fn clear(&mut self) {
        (self.time, self.number) = (None, None);
        self.event.clear();
    }
}

/// Collects and prints results.
pub(super) struct Reporter {
    style: Style,
    out: BufWriter<Stdout>,
    properties: Vec<PropertyReport>,
    /// The line of a violation, which is written over by the next one.
    line: String,
    /// The lines that tell the robustness of rules over signals.
    robustness: Vec<String>,
    single: bool,
}

impl Reporter {
    /// A reporter for this many properties.
    pub(super) fn new(style: Style, properties: usize) -> Reporter {
        let reports = (0..properties).map(|_| PropertyReport::default()).collect();
        Reporter {
            style,
            out: BufWriter::new(io::stdout()),
            properties: reports,
            line: String::new(),
            robustness: Vec::new(),
            single: properties == 1,
        }
    }

    /// Prints an event.
    pub(super) fn event(&mut self, term: &str) -> Result<(), Failure> {
        if self.style.json {
            anstream::eprintln!("{term}");
        } else {
            writeln!(self.out, "{term}")?;
        }
        Ok(())
    }

    /// Shows what was printed.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// Prints a violation, or keeps it for the document. It is shown when it is [flushed](Reporter::flush).
    pub(super) fn violation(
        &mut self,
        index: usize,
        rule: &Rule,
        violation: &Violation,
        context: &Context,
        why: Vec<String>,
    ) -> Result<(), Failure> {
        if self.style.json {
            let report = ViolationReport { why, ..ViolationReport::new(rule, violation, context) };
            self.properties[index].found.push((violation.clone(), report));
            return Ok(());
        }
        self.line.clear();
        let labels = self.properties[index].labels.get_or_insert_with(|| Labels::of(rule));
        labels.push_line(violation, context, self.style.traces, &mut self.line);
        for line in why {
            self.line.push_str("\n  ");
            self.line.push_str(&line);
        }
        self.line.push('\n');
        Ok(self.out.write_all(self.line.as_bytes())?)
    }

    /// Notes the verdict on a rule.
    pub(super) fn rule(
        &mut self,
        index: usize,
        rule: &Rule,
        status: Status,
        outcome: Option<&Outcome>,
        violations: u64,
    ) {
        let obstacle = outcome.and_then(|outcome| outcome.obstacle.as_ref());
        let reason =
            obstacle.map(|found| format!("{} in `{}` at point {}", found.problem, rule.text(found.span), found.point));
        let reason = match status {
            Status::TimeOut => Some("the time limit was reached".to_owned()),
            Status::GaveUp => reason,
            Status::Violated => reason.map(|reason| format!("not all could be judged: {reason}")),
            Status::Satisfied => None,
        };
        if let (Some(reason), false) = (&reason, self.style.json) {
            anstream::eprintln!("{}: {status}: {reason}", rule.name());
        }
        let report = &mut self.properties[index];
        report.name = rule.name().to_string();
        report.language = rule.language().name();
        report.status = Some(StatusName(status));
        report.reason = reason;
        report.violation_count = violations;
        report.pending_count = outcome.map_or(0, |outcome| outcome.pending);
    }

    /// Notes the robustness of a rule over signals on a trace.
    pub(super) fn robustness(&mut self, index: usize, rule: &Rule, robustness: &str) {
        self.robustness.push(format!("ROBUSTNESS {}: {robustness}", rule.name()));
        let value = match Number::parse(robustness) {
            Some(number) => BoundValue::Number(Exact(number)),
            None => BoundValue::String(robustness.to_owned()),
        };
        self.properties[index].robustness.push(value);
    }

    /// Says how much is remembered for a rule, with `--events`.
    pub(super) fn tables(&self, rule: &Rule, sizes: &[Size]) {
        if self.style.events && !self.style.json {
            for Size { purpose, rows, .. } in sizes {
                anstream::eprintln!("{}: {rows} rows for `{purpose}`", rule.name());
            }
        }
    }

    /// Prints the rest, and the overall verdict.
    pub(super) fn conclude(
        &mut self,
        totals: Totals,
        kinds: &BTreeMap<Arc<str>, u64>,
        prefix: bool,
    ) -> Result<Status, Failure> {
        let status = overall(self.properties.iter().filter_map(|property| property.status));
        for property in &mut self.properties {
            (property.events, property.points) = (totals.events, totals.points);
            property.sort();
        }
        if self.style.json {
            let document = Document {
                status: StatusName(status),
                error: None,
                kinds: kinds.iter().map(|(name, count)| (name.to_string(), *count)).collect(),
                properties: std::mem::take(&mut self.properties),
            };
            serde_json::to_writer(&mut self.out, &document).map_err(io::Error::from)?;
            writeln!(self.out)?;
        } else {
            self.closing_lines(status, totals.events, kinds, prefix)?;
        }
        self.out.flush()?;
        Ok(status)
    }

    fn closing_lines(
        &mut self,
        status: Status,
        events: u64,
        kinds: &BTreeMap<Arc<str>, u64>,
        prefix: bool,
    ) -> io::Result<()> {
        for line in &self.robustness {
            writeln!(self.out, "{line}")?;
        }
        if prefix {
            let pending: u64 = self.properties.iter().map(|property| property.pending_count).sum();
            writeln!(self.out, "PENDING: {pending}")?;
        }
        if !self.single {
            for property in &self.properties {
                let status = property.status.map_or(Status::Satisfied, |status| status.0);
                writeln!(self.out, "PROPERTY {}: {status}", property.name)?;
            }
        }
        if self.style.events {
            writeln!(self.out, "EVENTS: {events}")?;
            for (name, count) in kinds {
                writeln!(self.out, "  {name} {count}")?;
            }
        }
        writeln!(self.out, "STATUS: {status}")
    }
}

/// Violated if any property is, else TimeOut, else GaveUp, else Satisfied.
fn overall(statuses: impl Iterator<Item = StatusName>) -> Status {
    let severity = |status: &Status| match status {
        Status::Violated => 3,
        Status::TimeOut => 2,
        Status::GaveUp => 1,
        Status::Satisfied => 0,
    };
    statuses.map(|status| status.0).max_by_key(severity).unwrap_or(Status::Satisfied)
}

/// Prints the verdict on what cannot be read or judged at all.
pub(super) fn gave_up(failure: &Failure, style: Style) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if style.json {
        let document = Document {
            status: StatusName(Status::GaveUp),
            error: Some(ErrorReport::of(failure)),
            kinds: BTreeMap::new(),
            properties: Vec::new(),
        };
        serde_json::to_writer(&mut out, &document).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        writeln!(out, "STATUS: {}", Status::GaveUp)?;
    }
    Ok(out.flush()?)
}

/// What `check --json` prints.
#[derive(Serialize)]
struct Document {
    status: StatusName,
    error: Option<ErrorReport>,
    kinds: BTreeMap<String, u64>,
    properties: Vec<PropertyReport>,
}

#[derive(Serialize)]
struct ErrorReport {
    message: String,
    file: Option<String>,
    line: Option<u64>,
    column: Option<u64>,
}

impl ErrorReport {
    fn of(failure: &Failure) -> ErrorReport {
        match failure {
            Failure::Trace(error) => ErrorReport {
                message: error.message.clone(),
                file: error.file.clone(),
                line: error.line,
                column: error.column,
            },
            Failure::Specification { message, file, line, column } => ErrorReport {
                message: message.clone(),
                file: Some(file.clone()),
                line: Some(*line),
                column: Some(*column),
            },
            other => ErrorReport { message: other.to_string(), file: None, line: None, column: None },
        }
    }
}

#[derive(Default, Serialize)]
struct PropertyReport {
    name: String,
    language: &'static str,
    status: Option<StatusName>,
    reason: Option<String>,
    events: u64,
    points: u64,
    violation_count: u64,
    pending_count: u64,
    violations: Vec<ViolationReport>,
    /// With `--robustness`, one value per trace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    robustness: Vec<BoundValue>,
    /// The violations in the order in which they were found.
    #[serde(skip)]
    found: Vec<(Violation, ViolationReport)>,
    /// What all lines have in common, as soon as there is one.
    #[serde(skip)]
    labels: Option<Labels>,
}

impl PropertyReport {
    /// Lists what was found by trace, point and bindings.
    fn sort(&mut self) {
        self.found
            .sort_by(|(one, report), (two, other)| report.trace.cmp(&other.trace).then_with(|| one.report_order(two)));
        self.violations = std::mem::take(&mut self.found).into_iter().map(|(_, report)| report).collect();
    }
}

/// A status by its name.
#[derive(Debug, Clone, Copy)]
struct StatusName(Status);

impl Serialize for StatusName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

#[derive(Serialize)]
struct ViolationReport {
    trace: u64,
    point: u64,
    event_number: Option<u64>,
    time: Option<Exact>,
    decided: Option<u64>,
    opened: Option<u64>,
    event: Option<String>,
    #[serde(serialize_with = "as_map")]
    bindings: Vec<(String, Option<BoundValue>)>,
    message: Option<String>,
    why: Vec<String>,
}

/// A value as JSON has it.
#[derive(Serialize)]
#[serde(untagged)]
enum BoundValue {
    Number(Exact),
    Boolean(bool),
    String(String),
}

fn as_map<S: serde::Serializer>(pairs: &[(String, Option<BoundValue>)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

impl ViolationReport {
    fn new(rule: &Rule, violation: &Violation, context: &Context) -> ViolationReport {
        let bindings = rule.binding_names().into_iter().zip(&violation.bindings);
        ViolationReport {
            trace: context.trace,
            point: violation.point,
            event_number: context.number,
            time: context.time.clone().map(Exact),
            decided: violation.decided,
            opened: violation.opened,
            event: (!context.event.is_empty()).then(|| context.event.clone()),
            bindings: bindings
                .filter(|(_, value)| value.is_some() || !is_selective(rule))
                .map(|(name, value)| (name.to_owned(), value.as_ref().map(|value| bound(value, rule.equality()))))
                .collect(),
            message: violation.message.as_deref().map(str::to_owned),
            why: Vec::new(),
        }
    }
}

/// What the lines of all violations of a rule have in common.
struct Labels {
    /// `VIOLATION access: `.
    head: String,
    /// `, u = ` for every binding.
    bindings: Vec<String>,
    /// Whether a variable without a value stands for all values that nobody named, and not for none.
    others: bool,
}

impl Labels {
    fn of(rule: &Rule) -> Labels {
        Labels {
            head: format!("VIOLATION {}: ", rule.name()),
            bindings: rule.binding_names().into_iter().map(|name| format!(", {name} = ")).collect(),
            others: !is_partial(rule) && !is_selective(rule),
        }
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
                    value.push_to(line);
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

/// Whether a violation of a rule has no value for some variables: a rule over facts for the variables of other rules, a trigger
/// for other triggers'.
fn is_selective(rule: &Rule) -> bool {
    matches!(rule, Rule::Facts(_) | Rule::Stream(_))
}

/// Whether violations of a rule may leave variables without a value: those that a slice or a scope does not bind.
fn is_partial(rule: &Rule) -> bool {
    matches!(rule, Rule::Machine(machine) if matches!(machine.body, Body::Sliced(_) | Body::Dates(_)))
}

/// A value as JSON has it. Where values are texts, those that write an integer as JSON does are shown as one.
fn bound(value: &Value, equality: Equality) -> BoundValue {
    match value {
        Value::Number(number) => BoundValue::Number(Exact(number.clone())),
        Value::Boolean(truth) => BoundValue::Boolean(*truth),
        Value::String(text) if equality == Equality::ByText => match Number::parse(text) {
            Some(number) if *number.to_string() == **text => BoundValue::Number(Exact(number)),
            _ => BoundValue::String(text.to_string()),
        },
        Value::String(text) => BoundValue::String(text.to_string()),
    }
}
