//! What a rule needs of a trace. Of a trace that lacks it, the rule says nothing: to call such a trace satisfied would be a mistake
//! that nobody sees. Whoever judges a trace, asks here first.
//!
//! | need | who notices that it is not met |
//! |---|---|
//! | times, where the rule measures time | the reader, at the first event without one: [`time_need`] goes into its `Meaning` |
//! | a field for every input of a stream, and for every signal | [`check_inputs`], when the whole trace was read |
//!
//! Where a trace may go on, or where a violation ended its reading, inputs may still come: [`doubt_inputs`] says so.

use std::sync::Arc;

use referee_trace::abstraction::TimeNeed;

use crate::core::{Rule, Span};
use crate::diagnostic::Diagnostic;
use crate::lint::suggestion;
use crate::source::Source;
use crate::vocabulary::{Argument, EventShape, Vocabulary};

/// Which points must have a time, as a rule measures it; `source` is the text that the rule was compiled from.
pub fn time_need(rule: &Rule, source: &Source) -> TimeNeed {
    rule.needed_times().map_or(TimeNeed::default(), |(times, span)| {
        let (line, column) = source.line_column(span);
        TimeNeed { times, place: format!("{}:{line}:{column}", source.name) }
    })
}

/// Inputs of streams and fields of signals that no event of a whole trace carries, as errors. A trace without events has none, and
/// no rule is to blame.
pub fn check_inputs(rule: &Rule, trace: &Vocabulary) -> Vec<Diagnostic> {
    let error = |missing: Input<'_>| {
        let Input { name, field, .. } = missing;
        let message = match missing.event {
            Some(event) => format!("input `{name}`: no event `{event}` of the trace has a field `{field}`"),
            None => format!("input `{name}`: no event of the trace has a field `{field}`"),
        };
        Diagnostic::error("E0010", missing.span, message).hint(missing.hint(trace))
    };
    missing_inputs(rule, trace).map(error).collect()
}

/// The same as warnings, where more of the trace may come or was not read.
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
