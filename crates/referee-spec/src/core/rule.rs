//! Rules: what a specification asks of a trace, in whichever form its language gives it.

use std::sync::Arc;

use super::facts::RuleSet;
use super::formula::Span;
use super::language::Language;
use super::machine::Machine;
use super::property::{Equality, Property};
use super::quantity::QuantityRule;
use super::signal::Signal;
use super::stream::Program;

/// One rule of a specification, ready to be judged.
#[derive(Debug, Clone)]
pub enum Rule {
    /// A formula of first-order temporal logic.
    Formula(Arc<Property>),
    /// Numbers over windows, and strict temporal operators between them.
    Quantity(Arc<QuantityRule>),
    /// Equations over streams.
    Stream(Arc<Program>),
    /// A formula over signals.
    Signal(Arc<Signal>),
    /// A parametric machine.
    Machine(Arc<Machine>),
    /// Rules over facts.
    Facts(Arc<RuleSet>),
}

impl Rule {
    /// Its name; the file's stem where the language has no names.
    pub fn name(&self) -> &Arc<str> {
        match self {
            Rule::Formula(property) => &property.name,
            Rule::Quantity(rule) => &rule.name,
            Rule::Stream(program) => &program.name,
            Rule::Signal(signal) => &signal.name,
            Rule::Machine(machine) => &machine.name,
            Rule::Facts(rules) => &rules.name,
        }
    }

    /// The language it was written in.
    pub fn language(&self) -> Language {
        match self {
            Rule::Formula(property) => property.language,
            Rule::Quantity(rule) => rule.language,
            Rule::Stream(_) => Language::Lola,
            Rule::Signal(_) => Language::Stl,
            Rule::Machine(machine) => machine.language,
            Rule::Facts(rules) => rules.language,
        }
    }

    /// The text that all spans point into.
    pub fn source(&self) -> &Arc<str> {
        match self {
            Rule::Formula(property) => &property.source,
            Rule::Quantity(rule) => &rule.source,
            Rule::Stream(program) => &program.source,
            Rule::Signal(signal) => &signal.source,
            Rule::Machine(machine) => &machine.source,
            Rule::Facts(rules) => &rules.source,
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
            Rule::Stream(program) => program.binding_names(),
            Rule::Quantity(_) | Rule::Signal(_) => Vec::new(),
            Rule::Machine(machine) => machine.binding_names(),
            Rule::Facts(rules) => rules.binding_names(),
        }
    }

    /// When two values are equal.
    pub fn equality(&self) -> Equality {
        match self {
            Rule::Formula(property) => property.equality,
            _ => Equality::ByValue,
        }
    }

    /// The formula, if it is one.
    pub fn as_formula(&self) -> Option<&Arc<Property>> {
        match self {
            Rule::Formula(property) => Some(property),
            _ => None,
        }
    }

    /// The formula, if it is one.
    pub fn into_formula(self) -> Option<Arc<Property>> {
        match self {
            Rule::Formula(property) => Some(property),
            _ => None,
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

impl From<Program> for Rule {
    fn from(program: Program) -> Rule {
        Rule::Stream(Arc::new(program))
    }
}

impl From<Signal> for Rule {
    fn from(signal: Signal) -> Rule {
        Rule::Signal(Arc::new(signal))
    }
}

impl From<Machine> for Rule {
    fn from(machine: Machine) -> Rule {
        Rule::Machine(Arc::new(machine))
    }
}

impl From<RuleSet> for Rule {
    fn from(rules: RuleSet) -> Rule {
        Rule::Facts(Arc::new(rules))
    }
}
