//! Rules: what a specification asks of a trace, in whichever form its language gives it.

use std::sync::Arc;

use super::machine::Machine;
use super::{Equality, Language, Property, Span};

/// One rule of a specification, ready to be judged.
#[derive(Debug, Clone)]
pub enum Rule {
    /// A formula of first-order temporal logic.
    Formula(Arc<Property>),
    /// A parametric machine.
    Machine(Arc<Machine>),
}

impl Rule {
    /// Its name; the file's stem where the language has no names.
    pub fn name(&self) -> &Arc<str> {
        match self {
            Rule::Formula(property) => &property.name,
            Rule::Machine(machine) => &machine.name,
        }
    }

    /// The language it was written in.
    pub fn language(&self) -> Language {
        match self {
            Rule::Formula(property) => property.language,
            Rule::Machine(machine) => machine.language,
        }
    }

    /// The text that all spans point into.
    pub fn source(&self) -> &Arc<str> {
        match self {
            Rule::Formula(property) => &property.source,
            Rule::Machine(machine) => &machine.source,
        }
    }

    /// The text at a span.
    pub fn text(&self, span: Span) -> &str {
        self.source().get(span.start..span.end).unwrap_or("")
    }

    /// The names of the variables whose values a violation reports, in order.
    pub fn binding_names(&self) -> Vec<&str> {
        match self {
            Rule::Formula(property) => {
                property.bindings.iter().map(|binding| &*property.variable(binding.variable).name).collect()
            }
            Rule::Machine(machine) => machine.binding_names(),
        }
    }

    /// When two values are equal.
    pub fn equality(&self) -> Equality {
        match self {
            Rule::Formula(property) => property.equality,
            Rule::Machine(_) => Equality::ByValue,
        }
    }

    /// The formula, if it is one.
    pub fn as_formula(&self) -> Option<&Arc<Property>> {
        match self {
            Rule::Formula(property) => Some(property),
            Rule::Machine(_) => None,
        }
    }

    /// The formula, if it is one.
    pub fn into_formula(self) -> Option<Arc<Property>> {
        match self {
            Rule::Formula(property) => Some(property),
            Rule::Machine(_) => None,
        }
    }
}

impl From<Property> for Rule {
    fn from(property: Property) -> Rule {
        Rule::Formula(Arc::new(property))
    }
}

impl From<Machine> for Rule {
    fn from(machine: Machine) -> Rule {
        Rule::Machine(Arc::new(machine))
    }
}
