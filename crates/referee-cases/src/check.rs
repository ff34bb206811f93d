//! Running a document: compile, judge, compare.

use std::fmt;
use std::sync::Arc;

use referee_spec::core::{Equality, Outcome, Rule, Status, Violation};
use referee_spec::diagnostic::Diagnostic;
use referee_spec::language::{Compiled, Source, Vocabulary, compile};
use referee_spec::lint::lint;
use referee_spec::trace_needs::{check_inputs, time_need};
use referee_trace::abstraction::{Meaning, TimeNeed};
use referee_trace::owned::{OwnedTrace, read_text};
use referee_trace::reader::ReadOptions;
use referee_trace::value::Value;

use crate::document::{Document, Specification};
use crate::expect::{ExpectedDiagnostic, ExpectedOutcome, ExpectedValue, ExpectedViolation, TraceBlock};

/// Judges a rule on a trace, which may go on if the flag says so.
pub type Judge<'j> = dyn FnMut(&Arc<Rule>, &OwnedTrace, bool) -> Outcome + 'j;

/// A case in which something else came out than the document says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The document.
    pub file: String,
    /// The line of the trace, or of the block.
    pub line: usize,
    /// What the document says.
    pub expected: String,
    /// What came out.
    pub found: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: expected {}, found {}", self.file, self.line, self.expected, self.found)
    }
}

/// Everything in a document that the judge says otherwise.
pub fn check(document: &Document, judge: &mut Judge<'_>) -> Vec<Mismatch> {
    let mut run = Run { file: &document.file, judge, mismatches: Vec::new() };
    for specification in &document.specifications {
        run.specification(specification);
    }
    run.mismatches
}

struct Run<'r, 'j> {
    file: &'r str,
    judge: &'r mut Judge<'j>,
    mismatches: Vec<Mismatch>,
}

impl Run<'_, '_> {
    fn specification(&mut self, specification: &Specification) {
        let name = format!("{}.{}", specification.name, specification.language.name());
        let source = Source::new(name, specification.text.as_str());
        let compiled = compile(specification.language, &source, &specification.options);
        let sound = self.errors(specification, &source, &compiled);
        self.lints(specification, &source, &compiled);
        if !sound {
            // What else compiled is not what the traces are for.
            let lines = specification.traces.iter().flat_map(|block| &block.traces).map(|(line, _)| *line);
            let found = || format!("an error in that at line {}: not judged", specification.line);
            return lines.for_each(|line| self.say(line, "a specification".to_owned(), found()));
        }
        let rules: Vec<Arc<Rule>> = compiled.properties.into_iter().map(Arc::new).collect();
        for block in &specification.traces {
            self.block(specification, &source, &rules, block);
        }
    }

    /// Every expected error is there, and no other; whether there is no other.
    fn errors(&mut self, specification: &Specification, source: &Source, compiled: &Compiled<Rule>) -> bool {
        let mut found: Vec<&Diagnostic> = compiled.diagnostics.iter().filter(|found| found.is_error()).collect();
        for expected in &specification.errors {
            match found.iter().position(|found| describes(expected, found, source)) {
                Some(index) => drop(found.remove(index)),
                None => self.say(expected.block, show_expected(expected), show_diagnostics(&found, source)),
            }
        }
        if !found.is_empty() {
            let expected = if specification.errors.is_empty() { "no error" } else { "no other error" };
            self.say(specification.line, expected.to_owned(), show_diagnostics(&found, source));
        }
        found.is_empty()
    }

    fn lints(&mut self, specification: &Specification, source: &Source, compiled: &Compiled<Rule>) {
        let mut found: Vec<Diagnostic> =
            compiled.diagnostics.iter().filter(|found| !found.is_error()).cloned().collect();
        found.extend(compiled.properties.iter().flat_map(|rule| lint(rule, None)));
        for expected in &specification.lints {
            if !found.iter().any(|found| describes(expected, found, source)) {
                let found: Vec<&Diagnostic> = found.iter().collect();
                self.say(expected.block, show_expected(expected), show_diagnostics(&found, source));
            }
        }
    }

    fn block(&mut self, specification: &Specification, source: &Source, rules: &[Arc<Rule>], block: &TraceBlock) {
        let wanted = |rule: &&Arc<Rule>| block.property.as_deref().is_none_or(|name| **rule.name() == *name);
        let rules: Vec<&Arc<Rule>> = rules.iter().filter(wanted).collect();
        if rules.is_empty() {
            let lines = block.traces.iter().map(|(line, _)| *line);
            return lines.for_each(|line| self.say(line, "a property to judge".to_owned(), "none".to_owned()));
        }
        let needs = rules.iter().map(|rule| time_need(rule, source));
        let need = needs.fold(TimeNeed::default(), TimeNeed::and);
        for (line, text) in &block.traces {
            match read(specification, block, text, &need) {
                Ok(trace) if self.has_inputs(source, &rules, block, *line, &trace) => {
                    self.trace(&rules, block, *line, &trace);
                }
                Ok(_) => {}
                Err(message) => self.say(*line, "a readable trace".to_owned(), message),
            }
        }
    }

    /// Whether a trace carries all inputs of the rules; one that may go on need not carry them yet.
    fn has_inputs(
        &mut self,
        source: &Source,
        rules: &[&Arc<Rule>],
        block: &TraceBlock,
        line: usize,
        trace: &OwnedTrace,
    ) -> bool {
        let shown = Vocabulary::of_traces(std::slice::from_ref(trace));
        let missing: Vec<Diagnostic> = rules.iter().flat_map(|rule| check_inputs(rule, &shown)).collect();
        let is_fine = block.prefix || missing.is_empty();
        if !is_fine {
            let missing: Vec<&Diagnostic> = missing.iter().collect();
            self.say(line, "a trace with every input".to_owned(), show_diagnostics(&missing, source));
        }
        is_fine
    }

    fn trace(&mut self, rules: &[&Arc<Rule>], block: &TraceBlock, line: usize, trace: &OwnedTrace) {
        let judged: Vec<(&Rule, Outcome)> =
            rules.iter().map(|rule| (&***rule, (self.judge)(rule, trace, block.prefix))).collect();
        if let Err((expected, found)) = compare(&block.outcome, &judged) {
            self.say(line, expected, found);
        }
    }

    fn say(&mut self, line: usize, expected: String, found: String) {
        self.mismatches.push(Mismatch { file: self.file.to_owned(), line, expected, found });
    }
}

/// Reads one trace the way its language takes time, and refuses it where times are missing that the rules need.
fn read(specification: &Specification, block: &TraceBlock, text: &str, need: &TimeNeed) -> Result<OwnedTrace, String> {
    let time = specification.language.time_field(specification.timed);
    let meaning = Meaning { time, need: need.clone(), ..Meaning::default() };
    let options = ReadOptions { format: Some(block.format), meaning, ..ReadOptions::default() };
    let traces = read_text("trace", text, &options).map_err(|error| error.to_string())?;
    traces.into_iter().next().ok_or_else(|| "nothing".to_owned())
}

/// What was expected and what was found.
type Difference = (String, String);

fn compare(expected: &ExpectedOutcome, judged: &[(&Rule, Outcome)]) -> Result<(), Difference> {
    let status = overall(judged);
    let pending: u64 = judged.iter().map(|(_, outcome)| outcome.pending).sum();
    let found: Vec<(&Rule, &Violation)> =
        judged.iter().flat_map(|(rule, outcome)| outcome.violations.iter().map(|found| (*rule, found))).collect();
    let differ = |expected: String| Err((expected, show_outcome(status, pending, judged)));
    match expected {
        ExpectedOutcome::Accepted if status == Status::Satisfied => Ok(()),
        ExpectedOutcome::Accepted => differ("Satisfied".to_owned()),
        ExpectedOutcome::GaveUp(point) => {
            let at = judged.iter().find_map(|(_, outcome)| outcome.obstacle.as_ref()).map(|obstacle| obstacle.point);
            let agrees = status == Status::GaveUp && (point.is_none() || *point == at);
            if agrees { Ok(()) } else { differ(format!("GaveUp at point {point:?}")) }
        }
        ExpectedOutcome::Pending(n) if status == Status::Satisfied && pending == *n => Ok(()),
        ExpectedOutcome::Pending(n) => differ(format!("Satisfied with {n} pending")),
        ExpectedOutcome::Rejected { first, count, all } => {
            let counted = count.is_none_or(|count| found.len() == count);
            let begins = found.iter().take(1).any(|(rule, violation)| is_as(first, rule, violation));
            let listed = all.is_empty()
                || (all.len() == found.len()
                    && all.iter().zip(&found).all(|(all, (rule, violation))| {
                        is_as(all, rule, violation) && all.bindings.len() == rule.binding_names().len()
                    }));
            if counted && begins && listed { Ok(()) } else { differ(show_rejected(first, *count, all)) }
        }
    }
}

fn overall(judged: &[(&Rule, Outcome)]) -> Status {
    let any = |status| judged.iter().any(|(_, outcome)| outcome.status == status);
    [Status::Violated, Status::GaveUp].into_iter().find(|status| any(*status)).unwrap_or(Status::Satisfied)
}

/// Whether a violation is as the document describes it.
fn is_as(expected: &ExpectedViolation, rule: &Rule, found: &Violation) -> bool {
    let names = rule.binding_names();
    let bound = |(name, value): &(String, ExpectedValue)| {
        let index = names.iter().position(|own| *own == name);
        index.is_some_and(|index| found.bindings.get(index) == Some(&value.value(rule.equality())))
    };
    expected.point.is_none_or(|point| point == found.point)
        && expected.decided.is_none_or(|decided| decided == found.decided)
        && expected.opened.is_none_or(|opened| Some(opened) == found.opened)
        && expected.bindings.iter().all(bound)
}

fn describes(expected: &ExpectedDiagnostic, found: &Diagnostic, source: &Source) -> bool {
    let (line, column) = source.line_column(found.span);
    expected.code == found.code
        && expected.line.is_none_or(|expected| expected == line)
        && expected.column.is_none_or(|expected| expected == column)
        && expected.message.as_ref().is_none_or(|message| *message == found.message)
        && (expected.hint.is_none() || expected.hint == found.hint)
}

fn show_outcome(status: Status, pending: u64, judged: &[(&Rule, Outcome)]) -> String {
    let mut text = status.to_string();
    if pending > 0 {
        text.push_str(&format!(" with {pending} pending"));
    }
    for (rule, outcome) in judged {
        for violation in &outcome.violations {
            text.push_str(&format!("\n    ! {}", show_violation(rule, violation)));
        }
        if let Some(obstacle) = &outcome.obstacle {
            let formula = rule.text(obstacle.span);
            text.push_str(&format!("\n    gave up at point {}: {} in `{formula}`", obstacle.point, obstacle.problem));
        }
    }
    text
}

/// A violation the way a document writes it.
fn show_violation(rule: &Rule, violation: &Violation) -> String {
    let decided = violation.decided.map_or("end".to_owned(), |point| point.to_string());
    let mut text = format!("point={} decided={decided}", violation.point);
    if let Some(opened) = violation.opened {
        text.push_str(&format!(" opened={opened}"));
    }
    for (name, value) in rule.binding_names().into_iter().zip(&violation.bindings) {
        text.push_str(&format!(" {name}={}", show_value(rule.equality(), value.as_ref())));
    }
    text
}

fn show_value(equality: Equality, value: Option<&Value>) -> String {
    let Some(value) = value else { return "null".to_owned() };
    let plain = ExpectedValue(value.to_string());
    let clear = !plain.0.contains(char::is_whitespace) && plain.value(equality).as_ref() == Some(value);
    if clear { plain.0 } else { format!("\"{value}\"") }
}

fn show_rejected(first: &ExpectedViolation, count: Option<usize>, all: &[ExpectedViolation]) -> String {
    let mut text = "Violated".to_owned();
    if let Some(count) = count {
        text.push_str(&format!(" {count} times"));
    }
    text.push_str(&show_expectation(first));
    all.iter().for_each(|violation| text.push_str(&format!("\n    !{}", show_expectation(violation))));
    text
}

fn show_expectation(expected: &ExpectedViolation) -> String {
    let mut text = String::new();
    if let Some(point) = expected.point {
        text.push_str(&format!(" point={point}"));
    }
    if let Some(decided) = expected.decided {
        text.push_str(&format!(" decided={}", decided.map_or("end".to_owned(), |point| point.to_string())));
    }
    if let Some(opened) = expected.opened {
        text.push_str(&format!(" opened={opened}"));
    }
    expected.bindings.iter().for_each(|(name, value)| text.push_str(&format!(" {name}={}", value.0)));
    text
}

fn show_expected(expected: &ExpectedDiagnostic) -> String {
    let place = |name: &str, at: Option<usize>| at.map_or(String::new(), |at| format!(" {name}={at}"));
    let mut text = format!("{}{}{}", expected.code, place("line", expected.line), place("column", expected.column));
    if let Some(message) = &expected.message {
        text.push_str(&format!(": {message}"));
    }
    if let Some(hint) = &expected.hint {
        text.push_str(&format!("\n    help: {hint}"));
    }
    text
}

fn show_diagnostics(found: &[&Diagnostic], source: &Source) -> String {
    let one = |found: &&Diagnostic| {
        let (line, column) = source.line_column(found.span);
        let hint = found.hint.as_ref().map_or(String::new(), |hint| format!("\n    help: {hint}"));
        format!("\n    {} line={line} column={column}: {}{hint}", found.code, found.message)
    };
    if found.is_empty() { "nothing".to_owned() } else { found.iter().map(one).collect() }
}

#[cfg(test)]
mod tests;
