//! Warnings: what makes a verdict say less than it seems to say.
//!
//! | code | says | found |
//! |---|---|---|
//! | L0001 … L0010 | what looks wrong in the specification alone | by compiling it |
//! | L0007, L0008, L0009 | the trace never shows an event, a number of arguments, a field | once per shape of events |
//! | L0009 | no event carries an input of a stream or signal, and the trace may go on, or reading stopped at a violation | at the end |
//! | L0021 | none of the events that a property speaks of happened | once per property |
//! | L0022 | the trace has no events | at the end |
//! | L0023 | a rule of the mapping never matched | once per rule |
//! | L0024 | a rule remembers the more the longer the trace is | while reading, once per rule |
//!
//! They go to standard error, one line each and a few of each kind, and into the document of `--json`, all of them. Nothing is
//! done for them per event. Where reading stopped at a violation, what comes later is unknown: then only what may have caused the
//! violation is told, in words that say how far the trace was read, and `--deny-warnings` does not count it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use referee_spec::core::Rule;
use referee_spec::diagnostic::{Diagnostic, Severity};
use referee_spec::language::{Source, Vocabulary};
use referee_spec::lint;
use referee_spec::trace_needs;
use referee_trace::reader::UnmatchedRule;
use serde::Serialize;

use super::growth::GrowingRule;
use crate::color;
use crate::streams::tell;

/// How many warnings of a kind are told.
const SHOWN: usize = 5;
/// The lint about events that the trace does not have.
const NO_SUCH_EVENT: &str = "L0007";
/// How much of a trace was read whose violation ended the reading.
const UP_TO_VIOLATION: &str = "up to the violation, where reading stopped,";

/// A warning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Warning {
    code: &'static str,
    /// What is the matter, and what to do.
    message: String,
    file: Option<String>,
    line: Option<u64>,
    #[serde(skip)]
    column: Option<u64>,
    /// Whether more of the trace cannot change it.
    #[serde(skip)]
    is_certain: bool,
}

impl Warning {
    fn new(code: &'static str, message: String) -> Warning {
        Warning { code, message, file: None, line: None, column: None, is_certain: true }
    }

    fn in_file(mut self, file: &str) -> Warning {
        self.file = Some(file.to_owned());
        self
    }

    fn at(mut self, line: u64, column: u64) -> Warning {
        (self.line, self.column) = (Some(line), Some(column));
        self
    }

    /// What a diagnostic says.
    fn of(diagnostic: &Diagnostic, source: &Source) -> Warning {
        let (line, column) = source.line_column(diagnostic.span);
        let message = with_hint(&diagnostic.message, diagnostic.hint.as_deref());
        Warning::new(diagnostic.code, message).in_file(&source.name).at(line as u64, column as u64)
    }

    /// The warning on one line: `access.qtl:1:7: the trace has no event …`.
    fn line(&self) -> String {
        let place = match (&self.file, self.line, self.column) {
            (Some(file), Some(line), Some(column)) => format!(" ({file}:{line}:{column})"),
            (Some(file), Some(line), None) => format!(" ({file}:{line})"),
            (Some(file), ..) => format!(" ({file})"),
            (None, ..) => String::new(),
        };
        match self.message.split_once("; ") {
            Some((message, hint)) => format!("{message}{place}; {hint}"),
            None => format!("{}{place}", self.message),
        }
    }
}

fn with_hint(message: &str, hint: Option<&str>) -> String {
    hint.map_or_else(|| message.to_owned(), |hint| format!("{message}; {hint}"))
}

/// The warnings of a check.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    all: Vec<Warning>,
    /// How many were to be told, by kind.
    told: BTreeMap<&'static str, usize>,
}

impl Warnings {
    /// Keeps warnings for the document.
    pub(super) fn add(&mut self, warnings: Vec<Warning>) {
        self.all.extend(warnings);
    }

    /// Tells a warning, unless there were enough of its kind.
    pub(super) fn tell(&mut self, warning: &Warning) {
        let count = self.told.entry(warning.code).or_default();
        *count += 1;
        if *count <= SHOWN {
            let style = color::WARNING;
            tell!("{style}warning[{}]{style:#}: {}", warning.code, warning.line());
        }
    }

    /// Says how many were not told.
    pub(super) fn tell_rest(&mut self) {
        for (code, count) in std::mem::take(&mut self.told) {
            if count > SHOWN {
                let style = color::WARNING;
                tell!("{style}warning[{code}]{style:#}: and {} more of this kind; --json lists all", count - SHOWN);
            }
        }
    }

    /// Whether one of them cannot be changed by more of the trace.
    pub(super) fn are_certain(&self) -> bool {
        self.all.iter().any(|warning| warning.is_certain)
    }

    /// All warnings.
    pub(super) fn take(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.all)
    }
}

/// What compiling a specification has told already.
pub(super) fn of_specification(diagnostics: &[Diagnostic], source: &Source) -> Vec<Warning> {
    let warnings = diagnostics.iter().filter(|found| found.severity == Severity::Warning);
    warnings.map(|found| Warning::of(found, source)).collect()
}

/// The trace has no events; `dropped` if the mapping left none of those that were read.
pub(super) fn of_empty_trace(file: Option<String>, dropped: bool) -> Warning {
    let message = match dropped {
        true => {
            "the mapping left no event of the trace, so there was nothing to judge; look at what it gives with `referee cat`"
        }
        false => "the trace has no events, so there was nothing to judge; --expect-events refuses such traces",
    };
    let warning = Warning::new("L0022", message.to_owned());
    match file {
        Some(file) => warning.in_file(&file),
        None => warning,
    }
}

/// A rule of the mapping never matched.
pub(super) fn of_mapping(rule: &UnmatchedRule, mapping: &str) -> Warning {
    let warning = Warning::new("L0023", format!("{}; {}", rule.message, rule.hint));
    let warning = warning.in_file(mapping);
    match rule.line {
        Some(line) => Warning { line: Some(line), ..warning },
        None => warning,
    }
}

/// A rule remembers the more the longer the trace is. That says nothing of the verdict.
pub(super) fn of_growth(name: &str, growing: &GrowingRule) -> Warning {
    let GrowingRule { rows, purpose, .. } = growing;
    let message = format!(
        "`{name}` remembers {rows} rows, most of them for `{purpose}`, and the more the longer the trace is; \
         `referee explain` says what grows, --memory ends the check before memory does"
    );
    Warning { is_certain: false, ..Warning::new("L0024", message) }
}

/// What a trace that was read to its end never showed of a rule.
pub(super) fn of_whole_trace(rule: &Rule, source: &Source, trace: &Vocabulary) -> Vec<Warning> {
    let mut found: Vec<Warning> = strangers(rule, trace).iter().map(|found| Warning::of(found, source)).collect();
    if lint::is_unheard(rule, trace) {
        let message = format!(
            "property `{}` was not tested: the trace has none of its events; a mapping (--map) translates other names",
            rule.name()
        );
        found.push(Warning::new("L0021", message).in_file(&source.name));
    }
    found
}

/// Events that no rule looks at, as they have another number of arguments than all rules that name them ask for.
pub(super) fn of_unasked_arguments<'r>(rules: impl Iterator<Item = &'r Rule>, trace: &Vocabulary) -> Vec<Warning> {
    let mut asked: BTreeMap<Arc<str>, BTreeSet<Option<usize>>> = BTreeMap::new();
    for rule in rules {
        // A rule that reads events without naming them looks at all.
        let Some(events) = lint::named_events(rule) else { return Vec::new() };
        for (name, arity, _) in events {
            asked.entry(name).or_default().insert(arity);
        }
    }
    let mut found = Vec::new();
    for (name, asked) in asked.iter().filter(|(_, asked)| !asked.contains(&None)) {
        let shapes = trace.events.get(name).into_iter().flatten();
        let counts: BTreeSet<usize> = shapes.map(|shape| shape.arguments.len()).collect();
        // Where none fits, the rule has a warning of its own.
        let fits = |count: &usize| asked.contains(&Some(*count));
        for count in counts.iter().filter(|count| !fits(count) && counts.iter().any(fits)) {
            let message = format!(
                "some events `{name}` have {count} argument{}, and no property looks at those; \
                 a mapping (--map) can give all of them the same",
                if *count == 1 { "" } else { "s" }
            );
            found.push(Warning::new("L0008", message));
        }
    }
    found
}

/// What a violated rule missed in the part of the trace that was read, as far as it may have caused the violation: events that
/// would have helped or are nearly called like others, and other numbers of arguments.
pub(super) fn of_part_of_trace(rule: &Rule, source: &Source, trace: &Vocabulary) -> Vec<Warning> {
    let helpful = lint::helpful_events(rule);
    let may_matter = |found: &Diagnostic| {
        let name = found.message.split('`').nth(1).unwrap_or_default();
        found.code != NO_SUCH_EVENT || is_misspelt(found) || helpful.contains(name)
    };
    let found = strangers(rule, trace).into_iter().filter(may_matter);
    found.map(|found| so_far(UP_TO_VIOLATION, found, source)).collect()
}

/// How much of a trace was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Not all of it: a violation decided everything.
    UpToViolation,
    /// All that there is, and more may come.
    SoFar,
    /// All of it.
    Whole,
}

/// Inputs of streams and fields of signals that no event carried, where that is no error: a comparison of a value that never came
/// is false, and may have caused a violation. Of a stream whose first violation was enough, inputs may come later, so only
/// those are told that are nearly called like others.
pub(super) fn of_inputs(rule: &Rule, source: &Source, trace: &Vocabulary, extent: Extent) -> Vec<Warning> {
    let may_matter =
        |found: &Diagnostic| extent != Extent::UpToViolation || matches!(rule, Rule::Signal(_)) || is_misspelt(found);
    let found = trace_needs::doubt_inputs(rule, trace).into_iter().filter(may_matter);
    found
        .map(|found| match extent {
            Extent::UpToViolation => so_far(UP_TO_VIOLATION, found, source),
            Extent::SoFar => so_far("so far", found, source),
            Extent::Whole => Warning::of(&found, source),
        })
        .collect()
}

fn is_misspelt(found: &Diagnostic) -> bool {
    found.hint.as_deref().is_some_and(|hint| hint.starts_with("did you mean"))
}

/// What more of the trace may change; `extent` says how much of it was read.
fn so_far(extent: &str, found: Diagnostic, source: &Source) -> Warning {
    let message = format!("{extent} {}", found.message);
    Warning { is_certain: false, ..Warning::of(&Diagnostic { message, ..found }, source) }
}

/// What lints say of a rule only because of the trace.
fn strangers(rule: &Rule, trace: &Vocabulary) -> Vec<Diagnostic> {
    let known = lint::lint(rule, None);
    let mut found = lint::lint(rule, Some(trace));
    found.retain(|diagnostic| !known.contains(diagnostic));
    found
}
