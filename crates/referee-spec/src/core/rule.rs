//! Rules: what a specification asks of a trace, in whichever form its language gives it.

use std::sync::Arc;

use super::quantity::QuantityRule;
use super::{Equality, Language, Property, Span};

/// One rule of a specification, ready to be judged.
#[derive(Debug, Clone)]
pub enum Rule {
    /// A formula of first-order temporal logic.
    Formula(Arc<Property>),
    /// Numbers over windows, and strict temporal operators between them.
    Quantity(Arc<QuantityRule>),
}

impl Rule {
    /// Its name; the file's stem where the language has no names.
    pub fn name(&self) -> &Arc<str> {
        match self {
            Rule::Formula(property) => &property.name,
            Rule::Quantity(rule) => &rule.name,
        }
    }

    /// The language it was written in.
    pub fn language(&self) -> Language {
        match self {
            Rule::Formula(property) => property.language,
            Rule::Quantity(rule) => rule.language,
        }
    }

    /// The text that all spans point into.
    pub fn source(&self) -> &Arc<str> {
        match self {
            Rule::Formula(property) => &property.source,
            Rule::Quantity(rule) => &rule.source,
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
            Rule::Quantity(_) => Vec::new(),
        }
    }

    /// When two values are equal.
    pub fn equality(&self) -> Equality {
        match self {
            Rule::Formula(property) => property.equality,
            Rule::Quantity(_) => Equality::ByValue,
        }
    }

    /// The formula, if it is one.
    pub fn as_formula(&self) -> Option<&Arc<Property>> {
        match self {
            Rule::Formula(property) => Some(property),
            Rule::Quantity(_) => None,
        }
    }

    /// The formula, if it is one.
    pub fn into_formula(self) -> Option<Arc<Property>> {
        match self {
            Rule::Formula(property) => Some(property),
            Rule::Quantity(_) => None,
        }
    }
}

impl From<Property> for Rule {
    fn from(property: Property) -> Rule {
        Rule::Formula(Arc::new(property))
    }
}

impl From<QuantityRule> for Rule {
    fn from(rule: QuantityRule) -> Rule {
        Rule::Quantity(Arc::new(rule))
    }
}
