//! Declared events, and how a `.sig` file writes them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use crate::event::Argument;
use crate::value::Type;

/// An event's name with its arguments and their types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The event's name.
    pub name: Box<str>,
    /// Its arguments, in order.
    pub arguments: Vec<Argument>,
}

/// The events of a trace or a specification.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signature {
    declarations: Vec<Declaration>,
    index: HashMap<Box<str>, usize>,
}

impl Signature {
    /// The declaration of an event.
    pub fn get(&self, name: &str) -> Option<&Declaration> {
        self.index.get(name).map(|&position| &self.declarations[position])
    }

    /// All declarations, in the order of their first appearance.
    pub fn declarations(&self) -> &[Declaration] {
        &self.declarations
    }

    /// Adds a declaration; tells whether the name was free.
    pub(super) fn declare(&mut self, declaration: Declaration) -> bool {
        match self.index.entry(declaration.name.clone()) {
            Entry::Occupied(_) => false,
            Entry::Vacant(place) => {
                place.insert(self.declarations.len());
                self.declarations.push(declaration);
                true
            }
        }
    }

    /// The declaration of `name`, made without arguments if there is none.
    pub(super) fn entry(&mut self, name: &str) -> &mut Declaration {
        if !self.index.contains_key(name) {
            self.declare(Declaration { name: name.into(), arguments: Vec::new() });
        }
        &mut self.declarations[self.index[name]]
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.declarations.iter().try_for_each(|declaration| writeln!(f, "{declaration}"))
    }
}

impl fmt::Display for Declaration {
    /// `P(int, string)` if the arguments are called 1, 2, …, else `P(x: int, y: string)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", QuotedName(&self.name))?;
        let named = !are_numerals(self.arguments.iter().map(|argument| &*argument.name));
        for (position, argument) in self.arguments.iter().enumerate() {
            let comma = if position > 0 { ", " } else { "" };
            let typed = argument.declared.unwrap_or(Type::String);
            match named {
                true => write!(f, "{comma}{}: {typed}", QuotedName(&argument.name))?,
                false => write!(f, "{comma}{typed}")?,
            }
        }
        f.write_str(")")
    }
}

/// Whether these names are 1, 2, …: what positional formats call their fields.
pub(crate) fn are_numerals<'a>(names: impl IntoIterator<Item = &'a str>) -> bool {
    names
        .into_iter()
        .enumerate()
        .all(|(position, name)| name.parse() == Ok(position + 1) && !name.starts_with(['0', '+']))
}

/// Whether a character can stand in a name without quotes.
pub(super) fn is_bare(character: char) -> bool {
    !character.is_whitespace() && !"(),:#+\"".contains(character)
}

/// A name, in quotes where a `.sig` file needs them.
struct QuotedName<'a>(&'a str);

impl fmt::Display for QuotedName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.is_empty() && self.0.chars().all(is_bare) {
            return f.write_str(self.0);
        }
        f.write_str("\"")?;
        self.0.chars().try_for_each(|character| match character {
            '"' | '\\' => write!(f, "\\{character}"),
            '\n' => f.write_str("\\n"),
            _ => write!(f, "{character}"),
        })?;
        f.write_str("\"")
    }
}
