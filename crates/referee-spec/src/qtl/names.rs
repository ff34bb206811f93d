//! What a file defines, by name.
//!
//! Macros and declared events share one space of names. The rules of a property are seen in that property only, and
//! must not hide a macro or a declared event.

use std::collections::HashMap;

use super::syntax::{Definition, Document, Head, ItemKind, Name, Property};
use crate::core::Span;
use crate::diagnostic::Diagnostic;

/// What a file defines; of several definitions of one name, the first.
pub(super) struct Names<'t> {
    /// All macros, in textual order.
    pub macros: Vec<&'t Definition>,
    /// Indexes into `macros`, by name.
    pub macro_index: HashMap<&'t str, usize>,
    /// The declared events, by name.
    pub events: HashMap<&'t str, &'t Head>,
    /// The property that has a rule of this name.
    pub rule_owner: HashMap<&'t str, &'t Property>,
}

/// Indexes into a property's rules, by name.
pub(super) fn rule_index(property: &Property) -> HashMap<&str, usize> {
    let mut index = HashMap::new();
    for (number, rule) in property.rules.iter().enumerate() {
        index.entry(&*rule.head.name.text).or_insert(number);
    }
    index
}

impl<'t> Names<'t> {
    /// Collects the definitions of a file and reports names that are defined twice.
    pub(super) fn of(document: &'t Document, diagnostics: &mut Vec<Diagnostic>) -> Names<'t> {
        let (macros, macro_index) = (Vec::new(), HashMap::new());
        let mut names = Names { macros, macro_index, events: HashMap::new(), rule_owner: HashMap::new() };
        let (mut shared, mut properties) = (Defined::default(), Defined::default());
        for item in &document.items {
            match &item.kind {
                ItemKind::Macro(definition) => {
                    match shared.add("macro", &definition.head.name) {
                        None => drop(names.macro_index.insert(&definition.head.name.text, names.macros.len())),
                        clash => diagnostics.extend(clash),
                    }
                    names.macros.push(definition);
                }
                ItemKind::Events(heads) => {
                    for head in heads {
                        match shared.add("event", &head.name) {
                            None => drop(names.events.insert(&head.name.text, head)),
                            clash => diagnostics.extend(clash),
                        }
                    }
                }
                ItemKind::Property(property) => diagnostics.extend(properties.add("property", &property.name)),
            }
        }
        for property in document.properties() {
            names.add_rules(property, &shared, diagnostics);
        }
        names
    }

    fn add_rules(&mut self, property: &'t Property, shared: &Defined<'t>, diagnostics: &mut Vec<Diagnostic>) {
        let mut rules = Defined::default();
        for rule in &property.rules {
            let name = &rule.head.name;
            diagnostics.extend(shared.clash("rule", name).or_else(|| rules.add("rule", name)));
            self.rule_owner.entry(&name.text).or_insert(property);
        }
    }
}

/// What each name of a space of names was defined as first, and where.
#[derive(Default)]
struct Defined<'t> {
    first: HashMap<&'t str, (&'static str, Span)>,
}

impl<'t> Defined<'t> {
    /// Adds a definition, or says that the name is taken.
    fn add(&mut self, what: &'static str, name: &'t Name) -> Option<Diagnostic> {
        let clash = self.clash(what, name);
        if !name.text.is_empty() {
            self.first.entry(&name.text).or_insert((what, name.span));
        }
        clash
    }

    /// Says that a name is taken, if it is.
    fn clash(&self, what: &str, name: &Name) -> Option<Diagnostic> {
        let (first, place) = self.first.get(&*name.text)?;
        let message = format!(
            "{what} `{}` has the name of {} {first}",
            name.text,
            if what == *first { "another" } else { article(first) }
        );
        Some(
            Diagnostic::error("E0209", name.span, message)
                .hint("rename one of them")
                .related(*place, format!("the {first} is defined here")),
        )
    }
}

fn article(noun: &str) -> &'static str {
    if noun == "event" { "an" } else { "a" }
}
