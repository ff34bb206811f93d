//! What names mean in the rules of one set, and the patterns that they make.

use std::collections::HashMap;
use std::sync::Arc;

use crate::core::Span;
use crate::core::facts::{EventPattern, FactPattern, Observed, Relation, Slot};
use crate::diagnostic::Diagnostic;
use crate::lint::suggest;
use crate::rules::syntax::{Expression, Name};

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Events.
    Event,
    /// The facts of a relation.
    Relation(usize),
}

/// Lowers the rules of one set, one after the other.
pub(crate) struct Lowering<'t> {
    /// What a language calls its facts: "fact", "rule", "variable".
    pub(super) what: &'static str,
    /// Whether conditions speak of events and facts, which may bind variables.
    pub(super) joins: bool,
    /// The relations so far.
    pub relations: Vec<Relation>,
    pub(super) by_name: HashMap<Arc<str>, usize>,
    /// The events that are steps, declared or mentioned.
    pub alphabet: Vec<Observed>,
    /// Whether only declared events may be mentioned.
    pub strict: bool,
    /// What is wrong.
    pub diagnostics: &'t mut Vec<Diagnostic>,
    /// The variables of the rule at hand, all of them bound.
    pub variables: Vec<Arc<str>>,
}

impl<'t> Lowering<'t> {
    /// Of a language that calls its facts so, and whose conditions speak of events and facts.
    pub(crate) fn of_facts(what: &'static str, diagnostics: &'t mut Vec<Diagnostic>) -> Lowering<'t> {
        Lowering { joins: true, ..Lowering::of_variables(what, diagnostics) }
    }

    /// Of a language that calls what it remembers so, and whose conditions speak of values only.
    pub(crate) fn of_variables(what: &'static str, diagnostics: &'t mut Vec<Diagnostic>) -> Lowering<'t> {
        Lowering {
            what,
            joins: false,
            relations: Vec::new(),
            by_name: HashMap::new(),
            alphabet: Vec::new(),
            strict: false,
            diagnostics,
            variables: Vec::new(),
        }
    }

    /// Adds a relation, unless its name is taken.
    pub(crate) fn declare(&mut self, relation: Relation) {
        if let Some(&first) = self.by_name.get(&relation.name) {
            let name = Name { text: relation.name.clone(), span: relation.span };
            let first = self.relations[first].span;
            return self.twice(&name, first);
        }
        self.by_name.insert(relation.name.clone(), self.relations.len());
        self.relations.push(relation);
    }

    /// Declares events.
    pub(crate) fn observe(&mut self, name: &Name, arity: Option<usize>) {
        if let Some(relation) = self.relation(&name.text) {
            let first = self.relations[relation].span;
            return self.twice(name, first);
        }
        let known = |seen: &Observed| seen.event == name.text && (seen.arity == arity || seen.arity.is_none());
        if !name.text.is_empty() && !self.alphabet.iter().any(known) {
            self.alphabet.push(Observed { event: name.text.clone(), arity, span: name.span });
        }
    }

    /// Reports a name that is there already.
    pub(crate) fn twice(&mut self, name: &Name, first: Span) {
        let message = format!("`{}` is there already", name.text);
        let found = Diagnostic::error("E1002", name.span, message).hint("rename one of them");
        self.diagnostics.push(found.related(first, "the first one"));
    }

    /// The relation with this name.
    pub(crate) fn relation(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// What a name stands for; where events need no declaration, what nothing else is, is one.
    pub(crate) fn meaning(&self, name: &str) -> Option<Meaning> {
        match self.relation(name) {
            Some(relation) => Some(Meaning::Relation(relation)),
            None if !self.strict || self.alphabet.iter().any(|seen| *seen.event == *name) => Some(Meaning::Event),
            None => None,
        }
    }

    /// Reports a name that stands for nothing.
    pub(crate) fn unknown(&mut self, name: &Name) {
        if name.text.is_empty() {
            return;
        }
        let mut known: Vec<&str> = self.by_name.keys().map(|name| &**name).collect();
        known.extend(self.alphabet.iter().map(|seen| &*seen.event));
        known.sort_unstable();
        let hint = match suggest::nearest(&name.text, known.into_iter()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("declare the event or the {} that it stands for", self.what),
        };
        let message = format!("`{}` is neither an event nor a {}", name.text, self.what);
        self.diagnostics.push(Diagnostic::error("E1001", name.span, message).hint(hint));
    }

    /// Reports something that cannot stand where it stands.
    pub(crate) fn misplaced(&mut self, span: Span, message: impl Into<String>, hint: &str) {
        self.diagnostics.push(Diagnostic::error("E1010", span, message).hint(hint));
    }

    /// The variable with this name.
    pub(crate) fn variable(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|variable| **variable == *name)
    }

    /// The variable with this name, which is bound here.
    pub(crate) fn bind(&mut self, name: &Arc<str>) -> usize {
        self.variable(name).unwrap_or_else(|| {
            self.variables.push(name.clone());
            self.variables.len() - 1
        })
    }

    // ── Patterns ────────────────────────────────────────────────────────────────────────────────────────────────────

    /// The pattern of the event at hand; its variables are bound.
    pub(crate) fn event(&mut self, name: &Name, arguments: Option<&[Expression]>) -> EventPattern {
        let slots: Vec<Slot> = arguments.into_iter().flatten().map(|argument| self.binding_slot(argument)).collect();
        self.event_of(name, slots, arguments.is_none())
    }

    /// A pattern of events with these arguments.
    pub(crate) fn event_of(&mut self, name: &Name, arguments: Vec<Slot>, open: bool) -> EventPattern {
        let pattern = EventPattern { event: name.text.clone(), arguments, open };
        if !self.strict {
            self.observe(name, pattern.arity());
        } else if !self.fits_declaration(&pattern) {
            let declared = self.alphabet.iter().filter(|seen| seen.event == name.text).find_map(|seen| seen.arity);
            self.wrong_arity(name, declared.unwrap_or(0), pattern.arguments.len());
        }
        pattern
    }

    fn fits_declaration(&self, pattern: &EventPattern) -> bool {
        let fits = |seen: &Observed| seen.arity.is_none_or(|arity| pattern.admits(&seen.event, arity));
        self.alphabet.iter().any(|seen| seen.event == pattern.event && fits(seen))
    }

    /// Reports a wrong number of arguments.
    pub(crate) fn wrong_arity(&mut self, name: &Name, expected: usize, found: usize) {
        let plural = if expected == 1 { "" } else { "s" };
        let message = format!("`{}` has {expected} argument{plural}, not {found}", name.text);
        let hint = "write as many arguments as it has; `_` stands for any value";
        self.diagnostics.push(Diagnostic::error("E1005", name.span, message).hint(hint));
    }

    /// The pattern of a fact that must hold; its variables are bound. Without arguments any fact will do.
    pub(crate) fn fact(&mut self, relation: usize, name: &Name, arguments: Option<&[Expression]>) -> FactPattern {
        let columns = self.relations[relation].columns.len();
        let Some(arguments) = arguments else {
            return FactPattern { relation, arguments: vec![Slot::Any; columns] };
        };
        if arguments.len() != columns {
            self.wrong_arity(name, columns, arguments.len());
        }
        let mut slots: Vec<Slot> = arguments.iter().map(|argument| self.binding_slot(argument)).collect();
        slots.resize(columns, Slot::Any);
        FactPattern { relation, arguments: slots }
    }

    /// What an argument of a pattern must be; a variable is bound.
    pub(crate) fn binding_slot(&mut self, argument: &Expression) -> Slot {
        match argument {
            Expression::Constant(value, _) => Slot::Constant(value.clone()),
            Expression::Any(_) | Expression::Unreadable(_) => Slot::Any,
            Expression::Name(name) | Expression::Typed(name, _) => Slot::Variable(self.bind(&name.text)),
            other => {
                let hint = "bind a variable here and compare it in a condition of its own: `e(x) & x = y + 1`";
                self.misplaced(other.span(), "an argument of an event or a fact is a variable or a constant", hint);
                Slot::Any
            }
        }
    }

    /// What an argument of a pattern that binds nothing must be: a variable without a value stands for any.
    pub(crate) fn testing_slots(&mut self, arguments: &[Expression]) -> Vec<Slot> {
        let mut loose: Vec<Arc<str>> = Vec::new();
        let mut slots = Vec::new();
        for argument in arguments {
            slots.push(match argument {
                Expression::Name(name) | Expression::Typed(name, _) => match self.variable(&name.text) {
                    Some(variable) => Slot::Variable(variable),
                    None if loose.contains(&name.text) => {
                        self.unbound(name);
                        Slot::Any
                    }
                    None => {
                        loose.push(name.text.clone());
                        Slot::Any
                    }
                },
                other => self.binding_slot(other),
            });
        }
        slots
    }

    /// Reports a variable without a value.
    pub(crate) fn unbound(&mut self, name: &Name) {
        if name.text.is_empty() {
            return;
        }
        let known: Vec<&str> = self.variables.iter().map(|name| &**name).collect();
        let hint = match suggest::nearest(&name.text, known.into_iter()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("let an event or a fact of the rule bind it, or write the string `\"{}\"`", name.text),
        };
        let message = format!("nothing gives `{}` a value", name.text);
        self.diagnostics.push(Diagnostic::error("E1003", name.span, message).hint(hint));
    }
}
