//! What a rule needs of a trace. Of a trace that lacks it, the rule says nothing: to call such a trace satisfied would be a mistake
//! that nobody sees. Whoever judges a trace, asks here first.
//!
//! | need | who notices that it is not met |
//! |---|---|
//! | times, where the rule measures time | the reader, at the first event without one: [`time_need`] goes into its `Meaning` |
//! | a field for every input of a stream, and for every signal | [`check_inputs`], when the whole trace was read |
//!
//! Where a trace may go on, or where a violation ended its reading, inputs may still come: [`doubt_inputs`] says so. It also tells of
//! inputs of streams that merely had nothing to read: events carry what they have to say, and a process that never stops has no
//! field `stop`. They are mistakes if the header of a table names all fields and not this one, if the trace has a field or an event that is
//! nearly called so and that the program does not read, or if the program reads nothing of the trace at all.

use std::sync::Arc;

use referee_trace::abstraction::TimeNeed;

use crate::core::stream::Program;
use crate::core::{Rule, Span};
use crate::diagnostic::Diagnostic;
use crate::lint::{nearest, suggestion};
use crate::source::Source;
use crate::vocabulary::{Argument, EventShape, Vocabulary};

/// Which points must have a time, as a rule measures it; `source` is the text that the rule was compiled from.
pub fn time_need(rule: &Rule, source: &Source) -> TimeNeed {
    rule.needed_times().map_or(TimeNeed::default(), |(times, span)| {
        let (line, column) = source.line_column(span);
        TimeNeed { times, place: format!("{}:{line}:{column}", source.name) }
    })
}

/// Inputs of streams and fields of signals that no event of a whole trace carries by mistake, as errors. A trace without events has none,
/// and no rule is to blame.
pub fn check_inputs(rule: &Rule, trace: &Vocabulary) -> Vec<Diagnostic> {
    let error = |missing: Input<'_>| {
        let Input { name, field, .. } = missing;
        let message = match missing.event {
            Some(event) => format!("input `{name}`: no event `{event}` of the trace has a field `{field}`"),
            None => format!("input `{name}`: no event of the trace has a field `{field}`"),
        };
        Diagnostic::error("E0010", missing.span, message).hint(missing.hint(trace))
    };
    missing_inputs(rule, trace).filter(|input| input.is_mistaken(rule, trace)).map(error).collect()
}

/// All of them as warnings, where more of the trace may come or was not read, or where they are no mistakes.
pub fn doubt_inputs(rule: &Rule, trace: &Vocabulary) -> Vec<Diagnostic> {
    let warning = |missing: Input<'_>| {
        let message = match missing.event {
            Some(event) => format!("no event `{event}` carries the field `{}`", missing.field),
            None => format!("no event carries the field `{}`", missing.field),
        };
        Diagnostic::warning("L0009", missing.span, message).hint(missing.hint(trace))
    };
    missing_inputs(rule, trace).map(warning).collect()
}

fn missing_inputs<'r>(rule: &'r Rule, trace: &'r Vocabulary) -> impl Iterator<Item = Input<'r>> {
    let inputs = if trace.events.is_empty() { Vec::new() } else { inputs(rule) };
    inputs.into_iter().filter(|input| !input.is_carried(trace))
}

/// What a rule reads from a field.
struct Input<'r> {
    name: &'r str,
    /// The only events that it is read from, if it is not read from all.
    event: Option<&'r Arc<str>>,
    field: &'r Arc<str>,
    span: Span,
}

fn inputs(rule: &Rule) -> Vec<Input<'_>> {
    match rule {
        Rule::Stream(program) => {
            let read = program.inputs.iter().filter_map(|input| Some((input, input.field.as_ref()?)));
            read.map(|(input, field)| Input { name: &input.name, event: input.event.as_ref(), field, span: input.span })
                .collect()
        }
        Rule::Signal(signal) => {
            signal.field_uses().map(|(field, span)| Input { name: field, event: None, field, span }).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether some input of a program has something to read in the trace.
fn reads_anything(program: &Program, rule: &Rule, trace: &Vocabulary) -> bool {
    let happens = |event: &Arc<str>| trace.events.contains_key(event);
    let mut events =
        program.inputs.iter().filter(|input| input.field.is_none()).filter_map(|input| input.event.as_ref());
    events.any(happens) || inputs(rule).iter().any(|input| input.is_carried(trace))
}

impl Input<'_> {
    fn shapes<'t>(&self, trace: &'t Vocabulary) -> impl Iterator<Item = &'t EventShape> {
        let events = trace.events.iter().filter(|(name, _)| self.event.is_none_or(|event| event == *name));
        events.flat_map(|(_, shapes)| shapes)
    }

    fn arguments<'t>(&self, trace: &'t Vocabulary) -> impl Iterator<Item = &'t Argument> {
        self.shapes(trace).flat_map(|shape| &shape.arguments)
    }

    fn is_carried(&self, trace: &Vocabulary) -> bool {
        let is_other_field = trace.fields.contains(self.field) && self.shapes(trace).next().is_some();
        is_other_field || self.arguments(trace).any(|argument| argument.name.as_ref() == Some(self.field))
    }

    /// Whether the specification does not fit the trace. The samples of a signal are all alike, so what one lacks, all lack.
    fn is_mistaken(&self, rule: &Rule, trace: &Vocabulary) -> bool {
        match rule {
            Rule::Stream(program) => {
                self.is_no_column(trace) || !reads_anything(program, rule, trace) || self.is_misspelt(program, trace)
            }
            _ => true,
        }
    }

    /// Whether the header of a table says that no event could have carried it.
    fn is_no_column(&self, trace: &Vocabulary) -> bool {
        trace.columns.as_ref().is_some_and(|columns| !columns.contains(&**self.field))
    }

    /// Whether the trace has something nearly called so that the program does not read.
    fn is_misspelt(&self, program: &Program, trace: &Vocabulary) -> bool {
        if let Some(event) = self.event.filter(|event| !trace.events.contains_key(*event)) {
            let is_read = |name: &str| program.inputs.iter().any(|input| input.event.as_deref() == Some(name));
            return nearest(event, trace.events.keys().map(|name| &**name).filter(|name| !is_read(name))).is_some();
        }
        let is_read = |name: &str| program.inputs.iter().any(|input| input.field.as_deref() == Some(name));
        let others = trace.fields.iter().map(|field| &**field);
        let names = self.arguments(trace).filter_map(|argument| argument.name.as_deref()).chain(others);
        nearest(self.field, names.filter(|name| !is_read(name))).is_some()
    }

    /// What may be meant instead.
    fn hint(&self, trace: &Vocabulary) -> String {
        if let Some(event) = self.event.filter(|event| !trace.events.contains_key(*event)) {
            return suggestion("trace", event, || trace.events.keys().map(|name| &**name), "events");
        }
        let others = || trace.fields.iter().map(|field| &**field);
        let names = || self.arguments(trace).filter_map(|argument| argument.name.as_deref()).chain(others());
        suggestion("trace", self.field, names, "fields")
    }
}
