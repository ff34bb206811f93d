//! Whether every name means something, and one thing only.
//!
//! Each macro, rule and property is a scope of its own: what it uses must be a parameter or quantified in it. Since macros
//! are checked where they are written, writing them out later cannot go wrong.
//!
//! One walk over the tree. An item that could not be read in full is not blamed for variables that it does not use.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use super::names::{Names, rule_index};
use super::syntax::{Argument, Definition, Document, Formula, ItemKind, Kind, Name, Property};
use crate::core::Span;
use crate::diagnostic::Diagnostic;

/// Reports names that are unknown, hidden, unused or used in two ways. `readable` tells which items could be read in full.
pub(super) fn check(document: &Document, readable: &[bool], names: &Names<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut known: Vec<&str> = names.events.keys().chain(names.macro_index.keys()).copied().collect();
    known.sort_unstable();
    let known = some_of(known.into_iter());
    let mut checker = Checker { names, known, readable: true, first_uses: HashMap::new(), diagnostics };
    for (item, readable) in document.items.iter().zip(readable) {
        checker.readable = *readable;
        match &item.kind {
            ItemKind::Macro(definition) => checker.definition(definition, &Place::Macro),
            ItemKind::Property(property) => checker.property(property),
            ItemKind::Events(_) => {}
        }
    }
}

struct Checker<'c, 't> {
    names: &'c Names<'t>,
    /// The names of declared events and macros, for hints.
    known: String,
    /// Whether all of the item could be read.
    readable: bool,
    /// How many arguments each undeclared event had at its first use.
    first_uses: HashMap<&'c str, (usize, Span)>,
    diagnostics: &'c mut Vec<Diagnostic>,
}

/// Where a formula stands, which decides the rules that it sees.
enum Place<'c> {
    Macro,
    Property { property: &'c Property, rules: HashMap<&'c str, usize> },
}

/// The variables of a definition that are in scope.
struct Scope<'c> {
    variables: HashMap<&'c str, Variable>,
    /// The free variables that were reported.
    free: HashSet<&'c str>,
}

#[derive(Clone, Copy)]
struct Variable {
    span: Span,
    used: bool,
}

impl<'c> Checker<'c, '_> {
    fn property(&mut self, property: &'c Property) {
        let place = Place::Property { property, rules: rule_index(property) };
        self.scope(&[], &property.formula, &place);
        for rule in &property.rules {
            self.definition(rule, &place);
        }
    }

    fn definition(&mut self, definition: &'c Definition, place: &Place<'c>) {
        self.scope(&definition.head.parameters, &definition.body, place);
    }

    fn scope(&mut self, parameters: &'c [Name], body: &'c Formula, place: &Place<'c>) {
        let mut scope = Scope { variables: HashMap::new(), free: HashSet::new() };
        for parameter in parameters {
            self.bind(parameter, &mut scope);
        }
        self.formula(body, &mut scope, place);
        for parameter in parameters {
            self.unbind(parameter, None, &mut scope, "parameter");
        }
    }

    fn formula(&mut self, formula: &'c Formula, scope: &mut Scope<'c>, place: &Place<'c>) {
        for argument in formula.kind.arguments() {
            self.argument(argument, scope);
        }
        match &formula.kind {
            Kind::Atom(name, arguments) => self.atom(name, arguments.len(), formula.span, place),
            Kind::Quantified(_, name, body) => {
                let hidden = self.bind(name, scope);
                self.formula(body, scope, place);
                self.unbind(name, hidden, scope, "variable");
            }
            kind => kind.children().into_iter().for_each(|child| self.formula(child, scope, place)),
        }
    }

    /// Brings a variable into scope; the one that it hides is reported and returned.
    fn bind(&mut self, name: &'c Name, scope: &mut Scope<'c>) -> Option<Variable> {
        let hidden = scope.variables.insert(&name.text, Variable { span: name.span, used: false })?;
        if !name.text.is_empty() {
            let message = format!("variable `{}` hides another of the same name", name.text);
            let diagnostic = Diagnostic::error("E0202", name.span, message).hint("rename one of the two");
            self.diagnostics.push(diagnostic.related(hidden.span, "the hidden one"));
        }
        Some(Variable { used: true, ..hidden })
    }

    /// Takes a variable out of scope; reports it if nothing used it.
    fn unbind(&mut self, name: &'c Name, hidden: Option<Variable>, scope: &mut Scope<'c>, what: &str) {
        let variable = scope.variables.remove(&*name.text);
        if variable.is_some_and(|variable| !variable.used) && self.readable && !name.text.is_empty() {
            let message = format!("{what} `{}` is never used", name.text);
            let hint = match what {
                "parameter" => "remove it here and from the calls, or use it",
                _ => "remove the quantifier, or use the variable",
            };
            self.diagnostics.push(Diagnostic::error("E0203", name.span, message).hint(hint));
        }
        if let Some(hidden) = hidden {
            scope.variables.insert(&name.text, hidden);
        }
    }

    fn argument(&mut self, argument: &'c Argument, scope: &mut Scope<'c>) {
        let Argument::Variable(name) = argument else { return };
        if let Some(variable) = scope.variables.get_mut(&*name.text) {
            variable.used = true;
        } else if !name.text.is_empty() && scope.free.insert(&name.text) {
            let text = &name.text;
            let message = format!("nothing binds variable `{text}`");
            let hint = format!(
                "write `Forall {text} .` or `Exists {text} .` before the formula, or \"{text}\" for a constant"
            );
            self.diagnostics.push(Diagnostic::error("E0201", name.span, message).hint(hint));
        }
    }

    fn atom(&mut self, name: &'c Name, count: usize, span: Span, place: &Place<'c>) {
        if let Place::Property { property, rules } = place
            && let Some(&rule) = rules.get(&*name.text)
        {
            self.call("rule", &property.rules[rule], count, span);
        } else if let Some(&node) = self.names.macro_index.get(&*name.text) {
            self.call("macro", self.names.macros[node], count, span);
        } else {
            self.event(name, count, span, place);
        }
    }

    fn call(&mut self, what: &str, definition: &Definition, count: usize, span: Span) {
        let Definition { head, .. } = definition;
        if head.parameters.len() == count {
            return;
        }
        let expected = arguments(head.parameters.len());
        let message = format!("{what} `{}` takes {expected}, but this call has {count}", head.name.text);
        let diagnostic = Diagnostic::error("E0206", span, message).hint(format!("call it with {expected}"));
        self.diagnostics.push(diagnostic.related(head.name.span, format!("the {what} is defined here")));
    }

    fn event(&mut self, name: &'c Name, count: usize, span: Span, place: &Place<'c>) {
        let problem = self
            .rule_out_of_sight(name, place)
            .or_else(|| self.differs_from_declaration(name, count, span))
            .or_else(|| self.differs_from_first_use(name, count, span));
        self.diagnostics.extend(problem);
    }

    /// A macro that names a rule: the rule belongs to one property, the macro to all.
    fn rule_out_of_sight(&self, name: &Name, place: &Place<'c>) -> Option<Diagnostic> {
        let owner = self.names.rule_owner.get(&*name.text)?;
        if !matches!(place, Place::Macro) || self.names.events.contains_key(&*name.text) {
            return None;
        }
        let owner = &owner.name.text;
        let message = format!("`{}` is a rule of property `{owner}`, which a macro cannot call", name.text);
        let hint = format!("make this macro a rule of `{owner}`, or rename the rule if an event is meant");
        Some(Diagnostic::error("E0210", name.span, message).hint(hint))
    }

    fn differs_from_declaration(&self, name: &Name, count: usize, span: Span) -> Option<Diagnostic> {
        if self.names.events.is_empty() {
            return None;
        }
        let Some(head) = self.names.events.get(&*name.text) else {
            let message = format!("`{}` is no declared event, no macro and no rule in sight", name.text);
            let hint = format!("declare it, `event {}`, or use {}", example(&name.text, count), self.known);
            return Some(Diagnostic::error("E0205", name.span, message).hint(hint));
        };
        let declared = head.parameters.len();
        (declared != count).then(|| {
            let message =
                format!("event `{}` is declared with {}, but has {count} here", name.text, arguments(declared));
            let hint = format!("write `{}` here, or change the declaration", example(&name.text, declared));
            let diagnostic = Diagnostic::error("E0204", span, message).hint(hint);
            diagnostic.related(head.name.span, "declared here")
        })
    }

    fn differs_from_first_use(&mut self, name: &'c Name, count: usize, span: Span) -> Option<Diagnostic> {
        let (first, place) = *self.first_uses.entry(&name.text).or_insert((count, span));
        (first != count).then(|| {
            let message = format!("event `{}` has {} here, but {first} elsewhere", name.text, arguments(count));
            let hint = format!("write `{}`, or give one of the two events another name", example(&name.text, first));
            let diagnostic = Diagnostic::error("E0204", span, message).hint(hint);
            diagnostic.related(place, format!("with {} here", arguments(first)))
        })
    }
}

/// "no arguments", "1 argument", "2 arguments".
fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        more => format!("{more} arguments"),
    }
}

/// An event with as many arguments, such as `p(x, y)`.
fn example(name: &str, count: usize) -> String {
    match count {
        0 => name.to_owned(),
        1 => format!("{name}(x)"),
        2 => format!("{name}(x, y)"),
        more => {
            format!("{name}({})", (1..=more.min(9)).map(|number| format!("x{number}")).collect::<Vec<_>>().join(", "))
        }
    }
}

/// The first few names, in quotes.
fn some_of<'a>(mut names: impl Iterator<Item = &'a str>) -> String {
    const SHOWN: usize = 8;
    let quoted: Vec<String> = names.by_ref().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let more = if names.next().is_some() { ", …" } else { "" };
    match quoted.is_empty() {
        true => "no events".to_owned(),
        false => format!("{}{more}", quoted.join(", ")),
    }
}
