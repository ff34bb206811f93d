//! Signatures: which events there are, with the names and types of their arguments.
//!
//! A signature is declared in a `.sig` file or inferred from the events of a trace:
//!
//! ```text
//!  # the bank's events
//!  withdraw(user: string, amount: int)      arguments with names
//!  login(string)                            or called 1, 2, …
//!  tick()
//! ```
//!
//! Declarations need no separator; `+` between them is allowed. Names that hold blanks or punctuation stand in quotes.
//! Inference joins the types of all texts of an argument: integers and decimals make a decimal, all other mixtures a
//! string. It costs one look at each value and stops looking once an argument is known to be a string.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use crate::error::{Flow, TraceError};
use crate::event::{Argument, Event, EventShape, EventSink, Point};
use crate::raw::{ShapeId, Want};
use crate::value::Type;

mod parse;

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
    /// Reads the text of a `.sig` file.
    pub fn parse(text: &str) -> Result<Signature, TraceError> {
        parse::signature(text)
    }

    /// The declaration of an event.
    pub fn get(&self, name: &str) -> Option<&Declaration> {
        self.index.get(name).map(|&position| &self.declarations[position])
    }

    /// All declarations, in the order of their first appearance.
    pub fn declarations(&self) -> &[Declaration] {
        &self.declarations
    }

    /// Adds a declaration; tells whether the name was free.
    fn declare(&mut self, declaration: Declaration) -> bool {
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
    fn entry(&mut self, name: &str) -> &mut Declaration {
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
        write!(f, "{}(", Name(&self.name))?;
        let named = !are_numerals(self.arguments.iter().map(|argument| &*argument.name));
        for (position, argument) in self.arguments.iter().enumerate() {
            let comma = if position > 0 { ", " } else { "" };
            let typed = argument.declared.unwrap_or(Type::String);
            match named {
                true => write!(f, "{comma}{}: {typed}", Name(&argument.name))?,
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

/// A name, in quotes where a `.sig` file needs them.
struct Name<'a>(&'a str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.is_empty() && self.0.chars().all(parse::is_bare) {
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

/// Infers a signature from the events it receives.
#[derive(Debug, Default)]
pub struct Inference {
    shapes: Vec<Observed>,
}

/// The types seen so far at the arguments of one shape; nothing where no event came.
#[derive(Debug)]
struct Observed {
    shape: EventShape,
    types: Vec<Option<Type>>,
}

impl Inference {
    /// What was inferred so far. Events that share a name share its declaration: their arguments are joined by name.
    pub fn signature(&self) -> Signature {
        let mut signature = Signature::default();
        let mut places: HashMap<(&str, &str), usize> = HashMap::new();
        for Observed { shape, types } in &self.shapes {
            let known = &mut signature.entry(&shape.name).arguments;
            for (argument, seen) in shape.arguments.iter().zip(types) {
                let place = *places.entry((&shape.name, &argument.name)).or_insert(known.len());
                match known.get_mut(place) {
                    Some(known) => known.declared = join(known.declared, *seen),
                    None => known.push(Argument { name: argument.name.clone(), declared: *seen }),
                }
            }
        }
        signature
    }
}

impl EventSink for Inference {
    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Want {
        debug_assert_eq!(id.index(), self.shapes.len(), "shapes are announced in order");
        let types: Vec<Option<Type>> = shape.arguments.iter().map(|argument| argument.declared).collect();
        self.shapes.push(Observed { shape: shape.clone(), types });
        Want::ALL
    }

    fn begin_point(&mut self, _: Point<'_>) -> Flow {
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let Observed { shape, types } = &mut self.shapes[event.shape.index()];
        for ((seen, argument), text) in types.iter_mut().zip(&shape.arguments).zip(event.arguments) {
            if argument.declared.is_none() && *seen != Some(Type::String) {
                *seen = join(*seen, Some(Type::of(text)));
            }
        }
        Ok(())
    }

    fn end_point(&mut self) -> Flow {
        Ok(())
    }
}

/// The least type that holds both.
fn join(one: Option<Type>, other: Option<Type>) -> Option<Type> {
    match (one, other) {
        (None, typed) | (typed, None) => typed,
        (Some(one), Some(other)) if one == other => Some(one),
        (Some(Type::Integer | Type::Decimal), Some(Type::Integer | Type::Decimal)) => Some(Type::Decimal),
        _ => Some(Type::String),
    }
}

#[cfg(test)]
mod tests;
