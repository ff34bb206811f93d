//! From the tree to the core: names become numbers, and what makes no sense is reported.
//!
//! ```text
//!  scopes, outer first: declare what is in them ─▶ events, line by line ─▶ properties
//! ```

mod events;
mod names;
mod properties;

use std::sync::Arc;

use referee_trace::mapping::Unit;
use referee_trace::value::Value;

use self::names::{Lowering, Thing};
use super::syntax::{Declaration, Document, Name, Part, Scope, Typed};
use crate::core::Span;
use crate::core::machine::dates::{self, DateVariable, Dates};
use crate::diagnostic::Diagnostic;
use crate::lint::suggest;

/// The core of a file; what is wrong with it is added to the diagnostics.
pub(super) fn lower(document: &Document, unit: Unit, diagnostics: &mut Vec<Diagnostic>) -> Dates {
    let mut lowering = Lowering { diagnostics, dates: Dates::default(), unit, names: Vec::new(), events: Vec::new() };
    for (number, global) in document.globals.iter().enumerate() {
        if number > 0 {
            let place = Span { end: global.span.start + "GLOBAL".len(), ..global.span };
            let found = Diagnostic::error("E1102", place, "the file has a scope GLOBAL already");
            lowering.diagnostics.push(found.hint("put everything into one GLOBAL"));
        }
        lowering.scope(global, None);
    }
    events::sort_delays(&mut lowering.dates);
    lowering.dates
}

impl Lowering<'_> {
    fn scope(&mut self, scope: &Scope, parent: Option<usize>) {
        let (names, events) = (self.names.len(), self.events.len());
        let number = self.dates.scopes.len();
        self.dates.scopes.push(dates::Scope { parent, ..dates::Scope::default() });
        scope.keys.iter().for_each(|key| self.key(key, number));
        for part in &scope.parts {
            if let Part::Variables(block) = part {
                block.lines.iter().for_each(|(_, declaration)| self.declare(declaration, number));
            }
        }
        for part in &scope.parts {
            if let Part::Events(block) = part {
                block.lines.iter().for_each(|(_, line)| self.event_line(line, number));
            }
        }
        for part in &scope.parts {
            match part {
                Part::Property(property) => self.property(property, number),
                Part::Foreach(inner) => self.scope(inner, Some(number)),
                Part::Variables(_) | Part::Events(_) => {}
            }
        }
        self.check_opened(scope, number);
        self.names.truncate(names);
        self.events.truncate(events);
    }

    fn key(&mut self, key: &Typed, scope: usize) {
        let number = self.dates.keys.len();
        self.dates.keys.push(key.name.text.clone());
        self.dates.scopes[scope].keys.push(number);
        self.introduce(&key.name, Thing::Key(number));
    }

    fn declare(&mut self, declaration: &Declaration, scope: usize) {
        let Typed { sort, name } = &declaration.typed;
        let sort = sort.as_deref().unwrap_or("");
        let (text, own) = (name.text.clone(), &mut self.dates.scopes[scope]);
        let thing = if sort == "Clock" {
            own.clocks.push(self.dates.clocks.len());
            self.dates.clocks.push(dates::Clock { name: text, scope, delays: Vec::new(), span: name.span });
            Thing::Clock(self.dates.clocks.len() - 1)
        } else if sort == "Channel" {
            self.dates.channels.push((text, scope));
            Thing::Channel(self.dates.channels.len() - 1)
        } else {
            own.variables.push(self.dates.variables.len());
            let is_set = is_set(sort);
            let initial = declaration.initial.clone().or_else(|| default_value(sort)).filter(|_| !is_set);
            self.dates.variables.push(DateVariable { name: text, scope, is_set, initial });
            let number = self.dates.variables.len() - 1;
            if is_set { Thing::Set(number) } else { Thing::Variable(number) }
        };
        self.introduce(name, thing);
    }

    /// Makes a name visible, unless it is already.
    fn introduce(&mut self, name: &Name, thing: Thing) {
        if name.text.is_empty() {
            return;
        }
        match self.names.iter().find(|(known, ..)| *known == name.text) {
            Some((_, known, first)) => {
                let message = format!("`{}` is there already: {}", name.text, known.kind());
                let found = Diagnostic::error("E1102", name.span, message).hint("rename one of them");
                self.diagnostics.push(found.related(*first, "the first one"));
            }
            None => self.names.push((name.text.clone(), thing, name.span)),
        }
    }

    fn visible(&self, name: &str) -> Option<Thing> {
        self.names.iter().find(|(known, ..)| **known == *name).map(|(_, thing, _)| *thing)
    }

    /// Reports a name that stands for nothing.
    fn unknown(&mut self, name: &Name, locals: &[Arc<str>]) {
        if name.text.is_empty() {
            return;
        }
        let known = self.names.iter().map(|(known, ..)| &**known).chain(locals.iter().map(|local| &**local));
        let hint = match suggest::nearest(&name.text, known) {
            Some(near) => format!("write `{near}`, or declare it in VARIABLES"),
            None => format!("declare it: `VARIABLES {{ int {} = 0; }}`; a text needs quotes", name.text),
        };
        let message = format!("`{}` is not declared", name.text);
        self.diagnostics.push(Diagnostic::error("E1104", name.span, message).hint(hint));
    }

    fn wrong_kind(&mut self, name: &Name, found: Thing, needed: &str, hint: &str) {
        let message = format!("`{}` is {}, and {needed} is needed here", name.text, found.kind());
        self.diagnostics.push(Diagnostic::error("E1105", name.span, message).hint(hint));
    }

    /// Says where no event line opens the contexts of a FOREACH.
    fn check_opened(&mut self, scope: &Scope, number: usize) {
        let keys = &self.dates.keys_of(number);
        let inside = self.dates.events.iter().filter(|event| self.dates.is_inside(event.scope, number));
        let opens = |way: &dates::Way| {
            let bound = way.keys();
            keys.iter().all(|key| bound.iter().any(|(known, _)| known == key))
        };
        if scope.keys.is_empty() || inside.flat_map(|event| &event.ways).any(opens) {
            return;
        }
        let place = scope.keys[0].name.span;
        let message = "no event shows all variables of this FOREACH and of those around it, so it never opens";
        let names: Vec<&str> = keys.iter().map(|key| &*self.dates.keys[*key]).collect();
        let hint = format!("let an event show them: `open() = {{ open({}) }}`", names.join(", "));
        self.diagnostics.push(Diagnostic::warning("L1102", place, message).hint(hint));
    }
}

/// Whether a type is one of sets.
fn is_set(sort: &str) -> bool {
    let plain = sort.split('<').next().unwrap_or("").trim();
    ["Set", "HashSet", "TreeSet", "LinkedHashSet"].contains(&plain)
}

/// What a variable of a type holds at first.
fn default_value(sort: &str) -> Option<Value> {
    match sort {
        "int" | "long" | "short" | "byte" | "double" | "float" | "Integer" | "Long" | "Double" => Some(Value::from(0)),
        "boolean" | "Boolean" => Some(Value::Boolean(false)),
        _ => None,
    }
}
