//! What `check` prints as JSON: one document with `--json`, or with `--json-lines` one object per finding and the rest at the end.
//!
//! `schemas/check.schema.json` describes the document, `schemas/check-lines.schema.json` the lines.

use std::collections::BTreeMap;
use std::sync::Arc;

use referee_monitor::lines::{Context, is_selective};
use referee_spec::core::{Equality, Rule, Status, Violation};
use referee_trace::number::Number;
use referee_trace::stats::Exact;
use referee_trace::value::Value;
use serde::{Serialize, Serializer};

use super::warnings::Warning;
use crate::failure::Failure;

/// What `check --json` prints, and the last line of `check --json-lines`.
#[derive(Serialize)]
pub(super) struct Document {
    /// `outcome` in the last of several lines.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    pub status: StatusName,
    pub error: Option<ErrorReport>,
    pub warnings: Vec<Warning>,
    #[serde(serialize_with = "by_name")]
    pub kinds: BTreeMap<Arc<str>, u64>,
    pub properties: Vec<PropertyReport>,
}

/// Writes counts as an object.
fn by_name<S: Serializer>(counts: &BTreeMap<Arc<str>, u64>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counts.iter().map(|(name, count)| (&**name, count)))
}

/// A line of `check --json-lines`: a violation, as soon as it is decided.
#[derive(Serialize)]
pub(super) struct ViolationLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    property: &'a str,
    language: &'static str,
    #[serde(flatten)]
    violation: ViolationReport,
}

impl<'a> ViolationLine<'a> {
    /// The line of a violation.
    pub(super) fn new(rule: &'a Rule, violation: ViolationReport) -> ViolationLine<'a> {
        ViolationLine { kind: "violation", property: rule.name(), language: rule.language().name(), violation }
    }
}

#[derive(Serialize)]
pub(super) struct ErrorReport {
    message: String,
    file: Option<String>,
    line: Option<u64>,
    column: Option<u64>,
}

impl ErrorReport {
    /// What went wrong.
    pub(super) fn of(failure: &Failure) -> ErrorReport {
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

/// What is known of a property.
#[derive(Default, Serialize)]
pub(super) struct PropertyReport {
    pub name: String,
    pub language: &'static str,
    pub status: Option<StatusName>,
    pub reason: Option<String>,
    pub events: u64,
    pub points: u64,
    pub violation_count: u64,
    /// With `--resume`, how many of them earlier runs have told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violations_before: Option<u64>,
    pub pending_count: u64,
    /// None where they have been printed, each on its line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violations: Option<Vec<ViolationReport>>,
    /// With `--robustness`, one value per trace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub robustness: Vec<BoundValue>,
    /// The violations in the order in which they were found.
    #[serde(skip)]
    pub found: Vec<(Violation, ViolationReport)>,
}

impl PropertyReport {
    /// Lists what was found by trace, point and bindings.
    pub(super) fn sort(&mut self) {
        self.found
            .sort_by(|(one, report), (two, other)| report.trace.cmp(&other.trace).then_with(|| one.report_order(two)));
        self.violations = Some(std::mem::take(&mut self.found).into_iter().map(|(_, report)| report).collect());
    }
}

/// A status by its name.
#[derive(Debug, Clone, Copy)]
pub(super) struct StatusName(pub Status);

impl Serialize for StatusName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A violation.
#[derive(Serialize)]
pub(super) struct ViolationReport {
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
pub(super) enum BoundValue {
    Number(Exact),
    Boolean(bool),
    String(String),
}

fn as_map<S: serde::Serializer>(pairs: &[(String, Option<BoundValue>)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

impl ViolationReport {
    /// A violation, and why it is one.
    pub(super) fn new(rule: &Rule, violation: &Violation, context: &Context, why: Vec<String>) -> ViolationReport {
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
            why,
        }
    }
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
