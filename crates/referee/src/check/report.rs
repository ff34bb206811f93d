//! What `check` prints: lines as violations are decided, or one JSON document at the end.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Stdout, Write};

use referee_engine::judge::Size;
use referee_spec::core::machine::Body;
use referee_spec::core::{Equality, Outcome, Rule, Status, Violation};
use referee_trace::number::Number;
use referee_trace::stats::Exact;
use referee_trace::value::Value;
use serde::Serialize;

use super::pass::Totals;
use crate::failure::Failure;

/// How results are printed.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// One JSON document.
    pub json: bool,
    /// Counts of events.
    pub events: bool,
    /// Which trace of the input a violation is in, and which event of the input it is.
    pub traces: bool,
}

/// What the trace showed at a point.
#[derive(Debug, Clone)]
pub struct Context {
    /// Which trace of the input.
    pub trace: u64,
    /// The time.
    pub time: Option<Number>,
    /// The number of its first event in the input.
    pub number: Option<u64>,
    /// The events that are shown: number in the input, abstract form, and the texts of all arguments.
    pub events: Vec<(u64, String, Vec<String>)>,
}

impl Context {
    /// The event that a violation is about: the one that carries most of its values.
    fn event(&self, violation: &Violation) -> Option<&(u64, String, Vec<String>)> {
        let shares = |texts: &[String]| {
            let values = violation.bindings.iter().flatten().map(Value::to_string);
            values.filter(|value| texts.contains(value)).count()
        };
        // Of equals the first is taken.
        self.events.iter().rev().max_by_key(|(_, _, texts)| shares(texts))
    }
}

/// Collects and prints results.
pub struct Reporter {
    style: Style,
    out: BufWriter<Stdout>,
    properties: Vec<PropertyReport>,
    /// The lines that tell the robustness of rules over signals.
    robustness: Vec<String>,
    single: bool,
}

impl Reporter {
    /// A reporter for this many properties.
    pub fn new(style: Style, properties: usize) -> Reporter {
        let reports = (0..properties).map(|_| PropertyReport::default()).collect();
        Reporter {
            style,
            out: BufWriter::new(io::stdout()),
            properties: reports,
            robustness: Vec::new(),
            single: properties == 1,
        }
    }

    /// Prints an event.
    pub fn event(&mut self, term: &str) -> Result<(), Failure> {
        if self.style.json {
            anstream::eprintln!("{term}");
        } else {
            writeln!(self.out, "{term}")?;
        }
        Ok(())
    }

    /// Shows what was printed.
    pub fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// Prints a violation, or keeps it for the document. It is shown when it is [flushed](Reporter::flush).
    pub fn violation(
        &mut self,
        index: usize,
        rule: &Rule,
        violation: &Violation,
        context: &Context,
        why: Vec<String>,
    ) -> Result<(), Failure> {
        let report = ViolationReport { why, ..ViolationReport::new(rule, violation, context) };
        if self.style.json {
            self.properties[index].found.push((violation.clone(), report));
            return Ok(());
        }
        writeln!(self.out, "VIOLATION {}: {}", rule.name(), report.line(self.style.traces))?;
        for line in &report.why {
            writeln!(self.out, "  {line}")?;
        }
        Ok(())
    }

    /// Notes the verdict on a rule.
    pub fn rule(&mut self, index: usize, rule: &Rule, status: Status, outcome: Option<&Outcome>, violations: u64) {
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
    pub fn robustness(&mut self, index: usize, rule: &Rule, robustness: &str) {
        self.robustness.push(format!("ROBUSTNESS {}: {robustness}", rule.name()));
        let value = match Number::parse(robustness) {
            Some(number) => BoundValue::Number(Exact(number)),
            None => BoundValue::String(robustness.to_owned()),
        };
        self.properties[index].robustness.push(value);
    }

    /// Says how much is remembered for a rule, with `--events`.
    pub fn tables(&self, rule: &Rule, sizes: &[Size]) {
        if self.style.events && !self.style.json {
            for Size { purpose, rows, .. } in sizes {
                anstream::eprintln!("{}: {rows} rows for `{purpose}`", rule.name());
            }
        }
    }

    /// Prints the rest, and the overall verdict.
    pub fn conclude(&mut self, totals: Totals, kinds: &BTreeMap<String, u64>, prefix: bool) -> Result<Status, Failure> {
        let status = overall(self.properties.iter().filter_map(|property| property.status));
        for property in &mut self.properties {
            (property.events, property.points) = (totals.events, totals.points);
            property.sort();
        }
        if self.style.json {
            let document = Document {
                status: StatusName(status),
                error: None,
                kinds: kinds.clone(),
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
        kinds: &BTreeMap<String, u64>,
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
pub fn gave_up(failure: &Failure, style: Style) -> Result<(), Failure> {
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
    /// Whether a variable without a value stands for all values that nobody named, and not for none.
    #[serde(skip)]
    others: bool,
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
        let event = context.event(violation);
        let bindings = rule.binding_names().into_iter().zip(&violation.bindings);
        ViolationReport {
            trace: context.trace,
            point: violation.point,
            event_number: event.map(|(number, ..)| *number).or(context.number),
            time: context.time.clone().map(Exact),
            decided: violation.decided,
            opened: violation.opened,
            event: event.map(|(_, text, _)| text.clone()),
            bindings: bindings
                // A rule over facts has no value for the variables of other rules, a trigger none for other triggers'.
                .filter(|(_, value)| value.is_some() || !matches!(rule, Rule::Facts(_) | Rule::Stream(_)))
                .map(|(name, value)| (name.to_owned(), value.as_ref().map(|value| bound(value, rule.equality()))))
                .collect(),
            others: !is_partial(rule),
            message: violation.message.as_deref().map(str::to_owned),
            why: Vec::new(),
        }
    }

    /// `point 11006, time 7, access(500000,1), u = 500000, f = 1`; where the input may have several traces,
    /// `trace 2, point 7, event 11013, time 7, …`.
    fn line(&self, traces: bool) -> String {
        let mut parts = vec![format!("point {}", self.point)];
        if traces {
            parts.insert(0, format!("trace {}", self.trace));
            parts.extend(self.event_number.map(|number| format!("event {number}")));
        }
        parts.extend(self.time.iter().map(|time| format!("time {}", time.0)));
        parts.extend(self.event.clone());
        for (name, value) in &self.bindings {
            let value = match value {
                Some(BoundValue::Number(number)) => number.0.to_string(),
                Some(BoundValue::Boolean(truth)) => truth.to_string(),
                Some(BoundValue::String(text)) => text.clone(),
                None if !self.others => continue,
                None => "any other value".to_owned(),
            };
            parts.push(format!("{name} = {value}"));
        }
        parts.extend(self.message.clone());
        parts.join(", ")
    }
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
