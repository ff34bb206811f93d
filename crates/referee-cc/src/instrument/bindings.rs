//! What names in the expressions of a mapping stand for at a place.

use crate::mapping::{Expression, Mapping, MappingEntry};
use crate::syntax::declarator::Parameters;
use referee_trace::error::TraceError;

/// Names, and the text of C that each stands for.
#[derive(Debug, Default, Clone)]
pub(super) struct Bindings {
    all: Vec<(String, String)>,
}

impl Bindings {
    /// Adds a name; one that was there first stays.
    pub(super) fn bind(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.all.push((name.into(), text.into()));
    }

    /// An expression at this place.
    pub(super) fn apply(&self, expression: &Expression) -> String {
        expression.with(|name| self.all.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone()))
    }

    /// Whether an entry speaks of this name.
    pub(super) fn uses(entry: &MappingEntry, name: &str) -> bool {
        let values = entry.arguments.iter().map(|argument| &argument.value);
        values.chain(&entry.when).any(|expression| expression.names().any(|used| used == name))
    }
}

/// The position of each parameter that an entry may name, with its name.
pub(super) fn positions(
    mapping: &Mapping,
    entry: &MappingEntry,
    function: &str,
    known: &Parameters<'_>,
) -> Result<Vec<(String, usize)>, TraceError> {
    let Some(names) = &entry.pattern.parameters else {
        let named = known.names.iter().enumerate();
        return Ok(named.filter_map(|(at, name)| Some(((*name)?.trim_start_matches('_').to_owned(), at))).collect());
    };
    if !known.variadic && names.len() > known.names.len() {
        let has = match known.names.len() {
            0 => "no parameters".to_owned(),
            1 => "one parameter".to_owned(),
            more => format!("{more} parameters"),
        };
        return Err(
            mapping.error(entry.pattern.offset, format!("`{function}` has {has}, the pattern names {}", names.len()))
        );
    }
    for (at, name) in names.iter().enumerate().filter(|(_, name)| *name != "_") {
        let elsewhere =
            known.names.iter().position(|known| known.is_some_and(|known| known.trim_start_matches('_') == name));
        if let Some(other) = elsewhere.filter(|other| *other != at) {
            let message = format!("`{name}` is parameter {} of `{function}`, not {}", other + 1, at + 1);
            return Err(mapping
                .error(entry.pattern.offset, message)
                .hint("`_` stands for a parameter that is not named"));
        }
    }
    Ok(names.iter().enumerate().filter(|(_, name)| *name != "_").map(|(at, name)| (name.clone(), at)).collect())
}
