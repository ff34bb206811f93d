//! Events and fields that a trace or a signature does not have.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::formulas::formulas;
use super::listening::atoms;
use super::suggest::nearest;
use crate::core::facts::RuleSet;
use crate::core::machine::Machine;
use crate::core::quantity::QuantityRule;
use crate::core::{EventAtom, Kind, Observation, Property, Span};
use crate::diagnostic::{Diagnostic, Severity};
use crate::parse::one_of;
use crate::vocabulary::{EventShape, Vocabulary};

/// Where a vocabulary comes from, and so how much a stranger to it matters.
struct Authority {
    name: &'static str,
    severity: Severity,
    unknown_event: &'static str,
    wrong_arity: &'static str,
    unknown_field: &'static str,
}

const TRACE: Authority = Authority {
    name: "trace",
    severity: Severity::Warning,
    unknown_event: "L0007",
    wrong_arity: "L0008",
    unknown_field: "L0009",
};

const SIGNATURE: Authority = Authority {
    name: "signature",
    severity: Severity::Error,
    unknown_event: "E0006",
    wrong_arity: "E0007",
    unknown_field: "E0008",
};

/// Events and fields of a property that a trace never shows.
pub(super) fn lint(property: &Property, trace: &Vocabulary) -> Vec<Diagnostic> {
    Check::of(trace, &TRACE).run(property)
}

/// Events and fields of a property that a signature does not declare, as errors.
pub fn check_signature(property: &Property, signature: &Vocabulary) -> Vec<Diagnostic> {
    Check::of(signature, &SIGNATURE).run(property)
}

/// Events of a machine that a trace never shows.
pub(super) fn lint_machine(machine: &Machine, trace: &Vocabulary) -> Vec<Diagnostic> {
    Check::of(trace, &TRACE).run_machine(machine)
}

/// Events of a machine that a signature does not declare, as errors.
pub fn check_machine_signature(machine: &Machine, signature: &Vocabulary) -> Vec<Diagnostic> {
    Check::of(signature, &SIGNATURE).run_machine(machine)
}

/// Events of a rule about numbers that a trace never shows.
pub(super) fn lint_quantity(rule: &QuantityRule, trace: &Vocabulary) -> Vec<Diagnostic> {
    let mut check = Check::of(trace, &TRACE);
    for (name, arity, span) in atoms(rule) {
        check.named_event(&name, arity, span);
    }
    check.found
}

/// Events of rules over facts that a trace never shows.
pub(super) fn lint_rules(rules: &RuleSet, trace: &Vocabulary) -> Vec<Diagnostic> {
    Check::of(trace, &TRACE).run_rules(rules)
}

/// Events of rules over facts that a signature does not declare, as errors.
pub fn check_rules_signature(rules: &RuleSet, signature: &Vocabulary) -> Vec<Diagnostic> {
    Check::of(signature, &SIGNATURE).run_rules(rules)
}

struct Check<'a> {
    vocabulary: &'a Vocabulary,
    authority: &'static Authority,
    found: Vec<Diagnostic>,
    /// The events and fields that were looked up already: each stranger is reported once.
    events: BTreeSet<(Arc<str>, Option<usize>)>,
    fields: BTreeSet<Arc<str>>,
}

impl<'a> Check<'a> {
    fn of(vocabulary: &'a Vocabulary, authority: &'static Authority) -> Check<'a> {
        Check { vocabulary, authority, found: Vec::new(), events: BTreeSet::new(), fields: BTreeSet::new() }
    }

    fn run_machine(mut self, machine: &Machine) -> Vec<Diagnostic> {
        for (name, arity, span) in machine.events() {
            self.named_event(&name, arity, span);
        }
        self.found
    }

    fn run_rules(mut self, rules: &RuleSet) -> Vec<Diagnostic> {
        for (name, arity, span) in rules.events() {
            self.named_event(&name, arity, span);
        }
        self.found
    }

    fn run(mut self, property: &Property) -> Vec<Diagnostic> {
        for formula in formulas(property) {
            formula.visit(&mut |formula| match &formula.kind {
                Kind::Event(atom) => self.event(atom, formula.span),
                Kind::Observe(observation) => self.observation(observation, formula.span),
                _ => {}
            });
        }
        self.found
    }

    fn report(&mut self, code: &'static str, span: Span, message: String, hint: String) {
        let diagnostic = match self.authority.severity {
            Severity::Error => Diagnostic::error(code, span, message),
            Severity::Warning => Diagnostic::warning(code, span, message),
        };
        self.found.push(diagnostic.hint(hint));
    }

    fn event(&mut self, atom: &EventAtom, span: Span) {
        self.named_event(&atom.name, atom.arguments.as_ref().map(Vec::len), span);
    }

    fn named_event(&mut self, name: &Arc<str>, arity: Option<usize>, span: Span) {
        if !self.events.insert((name.clone(), arity)) {
            return;
        }
        match (self.vocabulary.events.get(name), arity) {
            (None, _) => self.unknown_event(name, span),
            (Some(shapes), Some(arity)) if shapes.iter().all(|shape| shape.arguments.len() != arity) => {
                self.wrong_arity(name, arity, shapes, span);
            }
            _ => {}
        }
    }

    fn unknown_event(&mut self, name: &str, span: Span) {
        let message = format!("the {} has no event `{name}`", self.authority.name);
        let names = || self.vocabulary.events.keys().map(|name| &**name);
        let hint = suggestion(self.authority.name, name, names, "events");
        self.report(self.authority.unknown_event, span, message, hint);
    }

    fn wrong_arity(&mut self, name: &str, arity: usize, shapes: &[EventShape], span: Span) {
        let counts: BTreeSet<usize> = shapes.iter().map(|shape| shape.arguments.len()).collect();
        let counts: Vec<usize> = counts.into_iter().collect();
        let source = self.authority.name;
        let noun = if counts == [1] { "argument" } else { "arguments" };
        let message = format!("`{name}` has {} {noun} in the {source}, not {arity}", one_of(&counts));
        let hint =
            shapes.first().map_or(String::new(), |shape| format!("the {source} has `{}`", signature(name, shape)));
        self.report(self.authority.wrong_arity, span, message, hint);
    }

    fn observation(&mut self, observation: &Observation, span: Span) {
        let required = observation.required.iter().map(|(field, _)| field);
        let fields: Vec<&Arc<str>> = required.chain(&observation.present).collect();
        for field in fields {
            let known =
                |shape: &EventShape| shape.arguments.iter().any(|argument| argument.name.as_ref() == Some(field));
            let is_known =
                self.vocabulary.fields.contains(field) || self.vocabulary.events.values().flatten().any(known);
            if self.fields.insert(field.clone()) && !is_known {
                self.unknown_field(field, span);
            }
        }
    }

    fn unknown_field(&mut self, field: &str, span: Span) {
        let source = self.authority.name;
        let message = format!("no event of the {source} has a field `{field}`");
        let arguments = || self.vocabulary.events.values().flatten().flat_map(|shape| &shape.arguments);
        let names = || arguments().filter_map(|argument| argument.name.as_deref());
        let hint = suggestion(source, field, names, "fields");
        self.report(self.authority.unknown_field, span, message, hint);
    }
}

/// The nearest name, or some of those that there are.
pub(crate) fn suggestion<'a, I>(source: &str, name: &str, names: impl Fn() -> I, what: &str) -> String
where
    I: Iterator<Item = &'a str>,
{
    if let Some(near) = nearest(name, names()) {
        return format!("did you mean `{near}`?");
    }
    let some: BTreeSet<&str> = names().collect();
    match some.len() {
        0 => format!("the {source} has no {what}"),
        many => {
            let shown: Vec<String> = some.iter().take(8).map(|name| format!("`{name}`")).collect();
            let more = if many > shown.len() { ", …" } else { "" };
            format!("the {source} has the {what} {}{more}", shown.join(", "))
        }
    }
}

/// `open(process, file:int)`
fn signature(name: &str, shape: &EventShape) -> String {
    let argument = |(index, argument): (usize, &crate::vocabulary::Argument)| {
        let name = argument.name.as_deref().map_or_else(|| (index + 1).to_string(), str::to_owned);
        argument.declared.map_or(name.clone(), |declared| format!("{name}:{declared}"))
    };
    let arguments: Vec<String> = shape.arguments.iter().enumerate().map(argument).collect();
    format!("{name}({})", arguments.join(", "))
}
