//! What `check` prints: lines as violations are decided, or one JSON document at the end.
//!
//! ```text
//!   Session ─▶ Reporter ─ lock ─▶ Report ─▶ standard output
//!                          ▲
//!   limits, Ctrl-C ────────┘ print what is known, and end the process
//! ```
//!
//! Whoever watches a limit may have to end a check that is stuck, as in waiting for a pipe. So all that is known by then is behind a
//! lock, and whoever prints the verdict first keeps the lock: there is one, and nothing comes after it.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use referee_engine::judge::Size;
use referee_monitor::lines::{Closing, Context, Labels, overall};
use referee_spec::core::{Outcome, Rule, Status, Violation};
use referee_trace::number::Number;
use referee_trace::stats::Exact;
use serde::Serialize;

use super::cut::Cut;
use super::document::{BoundValue, Document, ErrorReport, PropertyReport, StatusName, ViolationLine, ViolationReport};
use super::warnings::{Warning, Warnings};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::streams::{Results, tell};

/// In which form results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Lines for people.
    Text,
    /// One JSON document at the end.
    Document,
    /// One JSON object per finding, and one at the end.
    Lines,
}

/// How results are printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// As text or JSON.
    pub form: Form,
    /// Counts of events.
    pub events: bool,
    /// Whether the trace may go on: then what is pending is counted.
    pub prefix: bool,
}

impl Style {
    /// Whether counts of events are printed, each with a name.
    fn prints_kinds(self) -> bool {
        self.events || self.form != Form::Text
    }
}

/// How much was read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Totals {
    /// Events.
    pub events: u64,
    /// Points of all traces.
    pub points: u64,
}

/// Collects and prints results; its copies print to the same report.
#[derive(Clone)]
pub(super) struct Reporter {
    shared: Arc<Shared>,
}

struct Shared {
    report: Mutex<Report>,
    /// Why the check has to end, as soon as it has to.
    cut: OnceLock<Cut>,
}

/// All that is known so far.
struct Report {
    style: Style,
    /// Which trace of the input a violation is in, and which event of the input it is.
    traces: bool,
    out: BufWriter<Results>,
    properties: Vec<PropertyReport>,
    /// What all lines of a property have in common, as soon as there is one.
    labels: Vec<Option<Labels>>,
    /// The line of a violation, which is written over by the next one.
    line: String,
    /// The lines that tell the robustness of rules over signals.
    robustness: Vec<String>,
    warnings: Warnings,
    totals: Totals,
    kinds: BTreeMap<Arc<str>, u64>,
    /// How many events of each shape were read so far, while a pass goes on.
    reading: Vec<(Arc<str>, u64)>,
    is_concluded: bool,
}

impl Reporter {
    /// A reporter that knows of no property yet.
    pub(super) fn new(style: Style) -> Reporter {
        let report = Report {
            style,
            traces: false,
            out: BufWriter::new(Results::stdout()),
            properties: Vec::new(),
            labels: Vec::new(),
            line: String::new(),
            robustness: Vec::new(),
            warnings: Warnings::default(),
            totals: Totals::default(),
            kinds: BTreeMap::new(),
            reading: Vec::new(),
            is_concluded: false,
        };
        Reporter { shared: Arc::new(Shared { report: Mutex::new(report), cut: OnceLock::new() }) }
    }

    /// Names the properties; `traces` where the input may have several.
    pub(super) fn begin<'r>(&mut self, rules: impl Iterator<Item = &'r Rule>, traces: bool) {
        let mut report = self.report();
        report.traces = traces;
        report.properties = rules
            .map(|rule| PropertyReport {
                name: rule.name().to_string(),
                language: rule.language().name(),
                ..PropertyReport::default()
            })
            .collect();
        report.labels = report.properties.iter().map(|_| None).collect();
    }

    /// Nothing of what the report knows is half done when somebody panics: it can be told.
    fn report(&self) -> MutexGuard<'_, Report> {
        self.shared.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the check to end; the first reason counts.
    pub(super) fn cut(&self, cut: Cut) {
        // Somebody may have asked before.
        let _ = self.shared.cut.set(cut);
    }

    /// Why the check has to end, if it has to.
    #[inline]
    pub(super) fn why_cut(&self) -> Option<Cut> {
        self.shared.cut.get().copied()
    }

    /// Whether a violation is known.
    pub(super) fn is_violated(&self) -> bool {
        self.report().is_violated()
    }

    /// Whether the verdict has been printed.
    pub(super) fn is_concluded(&self) -> bool {
        self.report().is_concluded
    }

    /// Prints what is known, unless the verdict has been printed, and ends the process.
    pub(super) fn end_process(&self, cut: Cut, before_exit: impl FnOnce()) {
        let mut report = self.report();
        if report.is_concluded {
            return;
        }
        let status = report.conclude_early(cut);
        let exit = match (cut, status) {
            (Cut::Interrupt, _) => ExitStatus::Interrupted,
            (_, Ok(Status::Violated)) => ExitStatus::Violated,
            _ => ExitStatus::Failed,
        };
        before_exit();
        std::process::exit(exit.code().into());
    }

    /// Prints an event.
    pub(super) fn event(&mut self, term: &str) -> Result<(), Failure> {
        let mut report = self.report();
        match report.style.form {
            Form::Text => writeln!(report.out, "{term}")?,
            Form::Document | Form::Lines => tell!("{term}"),
        }
        Ok(())
    }

    /// Shows what was printed. If nobody reads it and a violation is known, there is nothing left to find out.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        let mut report = self.report();
        report.out.flush()?;
        match report.out.get_ref().is_closed() && report.is_violated() {
            true => Err(Failure::Output(io::ErrorKind::BrokenPipe.into())),
            false => Ok(()),
        }
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
        let mut report = self.report();
        report.properties[index].violation_count += 1;
        report.violation(index, rule, violation, context, why)
    }

    /// Notes how many violations of a rule earlier runs have told.
    pub(super) fn earlier(&mut self, index: usize, count: u64) {
        let mut report = self.report();
        let property = &mut report.properties[index];
        (property.violation_count, property.violations_before) = (count, Some(count));
        let name = &property.name;
        tell!("note: {name}: violated in an earlier run already; violations told then: {count}");
    }

    /// Notes the verdict on a rule. `cut` is why it is undecided, if that is why.
    pub(super) fn rule(
        &mut self,
        index: usize,
        rule: &Rule,
        status: Status,
        outcome: Option<&Outcome>,
        cut: Option<Cut>,
    ) {
        let obstacle = outcome.and_then(|outcome| outcome.obstacle.as_ref());
        let reason =
            obstacle.map(|found| format!("{} in `{}` at point {}", found.problem, rule.text(found.span), found.point));
        let reason = match (status, cut) {
            (Status::TimeOut | Status::GaveUp, Some(cut)) => Some(cut.reason()),
            (Status::TimeOut | Status::GaveUp, None) => reason,
            (Status::Violated, _) => reason.map(|reason| format!("not all could be judged: {reason}")),
            (Status::Satisfied, _) => None,
        };
        let mut report = self.report();
        report.tell_reason(index, status, reason.as_deref());
        let property = &mut report.properties[index];
        property.status = Some(StatusName(status));
        property.reason = reason;
        property.pending_count = outcome.map_or(0, |outcome| outcome.pending);
    }

    /// Notes the robustness of a rule over signals on a trace.
    pub(super) fn robustness(&mut self, index: usize, rule: &Rule, robustness: &str) {
        let value = match Number::parse(robustness) {
            Some(number) => BoundValue::Number(Exact(number)),
            None => BoundValue::String(robustness.to_owned()),
        };
        let mut report = self.report();
        report.robustness.push(format!("ROBUSTNESS {}: {robustness}", rule.name()));
        report.properties[index].robustness.push(value);
    }

    /// Says how much is remembered for a rule, with `--events`.
    pub(super) fn tables(&self, rule: &Rule, sizes: &[Size]) {
        let style = self.report().style;
        if style.events && style.form == Form::Text {
            for Size { purpose, rows, .. } in sizes {
                tell!("{}: {rows} rows for `{purpose}`", rule.name());
            }
        }
    }

    /// Notes how much has been read so far, for whoever ends the check meanwhile: points, and events by their names.
    pub(super) fn reads<'n>(&mut self, points: u64, counts: impl Iterator<Item = (&'n Arc<str>, u64)> + Clone) {
        let mut report = self.report();
        report.totals = Totals { events: counts.clone().map(|(_, count)| count).sum(), points };
        if report.style.prints_kinds() {
            report.reading.clear();
            report.reading.extend(counts.map(|(name, count)| (name.clone(), count)));
        }
    }

    /// Whether counts of events are printed, each with a name.
    pub(super) fn prints_kinds(&self) -> bool {
        self.report().style.prints_kinds()
    }

    /// Notes how much has been read.
    pub(super) fn read(&mut self, totals: Totals, kinds: BTreeMap<Arc<str>, u64>) {
        let mut report = self.report();
        (report.totals, report.kinds) = (totals, kinds);
        report.reading = Vec::new();
    }

    /// Notes warnings; `tells` unless they have been told.
    pub(super) fn warn(&mut self, warnings: Vec<Warning>, tells: bool) {
        let mut report = self.report();
        if tells {
            warnings.iter().for_each(|warning| report.warnings.tell(warning));
        }
        report.warnings.add(warnings);
    }

    /// Whether there was a warning that `--deny-warnings` does not let pass.
    pub(super) fn is_denied(&self) -> bool {
        self.report().warnings.are_certain()
    }

    /// Prints the rest, and the overall verdict.
    pub(super) fn conclude(&mut self) -> Result<Status, Failure> {
        let mut report = self.report();
        Ok(report.conclude()?)
    }

    /// Prints the verdict on what cannot be read or judged at all.
    pub(super) fn gave_up(&mut self, failure: &Failure) -> Result<(), Failure> {
        Ok(self.report().gave_up(failure)?)
    }

    /// The verdict is printed by somebody else, and by nobody after this.
    pub(super) fn seal(&self) {
        self.report().is_concluded = true;
    }
}

impl Report {
    fn is_violated(&self) -> bool {
        self.properties.iter().any(|property| property.violation_count > 0)
    }

    fn violation(
        &mut self,
        index: usize,
        rule: &Rule,
        violation: &Violation,
        context: &Context,
        why: Vec<String>,
    ) -> Result<(), Failure> {
        match self.style.form {
            Form::Text => Ok(self.violation_line(index, rule, violation, context, &why)?),
            Form::Document => {
                let report = ViolationReport::new(rule, violation, context, why);
                self.properties[index].found.push((violation.clone(), report));
                Ok(())
            }
            Form::Lines => {
                let report = ViolationReport::new(rule, violation, context, why);
                Ok(self.object(&ViolationLine::new(rule, report))?)
            }
        }
    }

    fn violation_line(
        &mut self,
        index: usize,
        rule: &Rule,
        violation: &Violation,
        context: &Context,
        why: &[String],
    ) -> io::Result<()> {
        self.line.clear();
        let labels = self.labels[index].get_or_insert_with(|| Labels::of(rule));
        labels.push_lines(violation, context, self.traces, why, &mut self.line);
        self.out.write_all(self.line.as_bytes())
    }

    /// Prints a JSON object on a line.
    fn object(&mut self, object: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, object)?;
        writeln!(self.out)
    }

    /// Says why a rule is undecided, unless the document does.
    fn tell_reason(&self, index: usize, status: Status, reason: Option<&str>) {
        if let (Some(reason), Form::Text) = (reason, self.style.form) {
            tell!("{}: {status}: {reason}", self.properties[index].name);
        }
    }

    /// Prints what is known when something ends the check from outside.
    fn conclude_early(&mut self, cut: Cut) -> io::Result<Status> {
        if !self.reading.is_empty() {
            self.kinds.clear();
        }
        for (name, count) in self.reading.drain(..).filter(|(_, count)| *count > 0) {
            *self.kinds.entry(name).or_default() += count;
        }
        for index in 0..self.properties.len() {
            let property = &mut self.properties[index];
            if property.status.is_none() {
                let violated = property.violation_count > 0;
                let status = if violated { Status::Violated } else { cut.status() };
                property.status = Some(StatusName(status));
                property.reason = (!violated).then(|| cut.reason());
                let reason = property.reason.clone();
                self.tell_reason(index, status, reason.as_deref());
            }
        }
        if !self.properties.is_empty() {
            return self.conclude();
        }
        // Not even the specification has been read.
        self.end_without_properties(cut.status(), &Failure::Other(cut.reason()))?;
        Ok(cut.status())
    }

    fn conclude(&mut self) -> io::Result<Status> {
        self.is_concluded = true;
        let status = overall(self.properties.iter().filter_map(|property| property.status).map(|status| status.0));
        self.warnings.tell_rest();
        for property in &mut self.properties {
            (property.events, property.points) = (self.totals.events, self.totals.points);
            if self.style.form == Form::Document {
                property.sort();
            }
        }
        match self.style.form {
            Form::Text => self.closing_lines(status)?,
            Form::Document | Form::Lines => {
                let document = Document {
                    kind: (self.style.form == Form::Lines).then_some("outcome"),
                    status: StatusName(status),
                    error: None,
                    warnings: self.warnings.take(),
                    kinds: std::mem::take(&mut self.kinds),
                    properties: std::mem::take(&mut self.properties),
                };
                self.object(&document)?;
            }
        }
        self.out.flush()?;
        Ok(status)
    }

    fn closing_lines(&mut self, status: Status) -> io::Result<()> {
        for line in &self.robustness {
            writeln!(self.out, "{line}")?;
        }
        let properties = self.properties.iter().map(|property| {
            let status = property.status.map_or(Status::Satisfied, |status| status.0);
            (&*property.name, status)
        });
        let closing = Closing {
            pending: self.style.prefix.then(|| self.properties.iter().map(|property| property.pending_count).sum()),
            properties: properties.collect(),
            events: self.style.events.then_some((self.totals.events, &self.kinds)),
            status,
        };
        write!(self.out, "{closing}")
    }

    fn gave_up(&mut self, failure: &Failure) -> io::Result<()> {
        self.end_without_properties(Status::GaveUp, failure)
    }

    fn end_without_properties(&mut self, status: Status, failure: &Failure) -> io::Result<()> {
        self.is_concluded = true;
        self.warnings.tell_rest();
        match self.style.form {
            Form::Text => writeln!(self.out, "STATUS: {status}")?,
            Form::Document | Form::Lines => {
                let document = Document {
                    kind: (self.style.form == Form::Lines).then_some("outcome"),
                    status: StatusName(status),
                    error: Some(ErrorReport::of(failure)),
                    warnings: self.warnings.take(),
                    kinds: BTreeMap::new(),
                    properties: Vec::new(),
                };
                self.object(&document)?;
            }
        }
        self.out.flush()
    }
}
