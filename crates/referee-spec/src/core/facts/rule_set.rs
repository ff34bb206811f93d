//! Sets of rules over facts, and what each rule does.

use std::sync::Arc;

use super::guard::{FactGuard, FactTerm};
use super::pattern::{EventPattern, FactPattern};
use crate::core::formula::Span;
use crate::core::language::Language;
use referee_trace::value::Value;

/// A number whose numerator and denominator have more bits than this is not computed.
pub const LONGEST_NUMBER: u64 = 1 << 16;

/// One property of a specification that is a set of rules over facts, ready to be judged.
#[derive(Debug, Clone)]
pub struct RuleSet {
    /// Its name; the file's stem where it has none of its own.
    pub name: Arc<str>,
    /// The language it was written in.
    pub language: Language,
    /// The text that all spans point into.
    pub source: Arc<str>,
    /// What kinds of facts there are.
    pub relations: Vec<Relation>,
    /// The events that are steps.
    pub alphabet: Vec<Observed>,
    /// The rules, in textual order.
    pub rules: Vec<Implication>,
    /// How the effects of one step combine.
    pub effects: Effects,
}

/// How the effects of one step combine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effects {
    /// All removals, then all insertions.
    Together,
    /// One after the other.
    InTurn,
}

/// A kind of facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// Its name.
    pub name: Arc<str>,
    /// The names of its columns.
    pub columns: Vec<Arc<str>>,
    /// How many of the first columns tell facts apart; all of them unless it is a variable or a map.
    pub keys: usize,
    /// How long its facts live.
    pub lifetime: Lifetime,
    /// If its facts must not be left at the end: what is said of one that is.
    pub hot: Option<Arc<str>>,
    /// The facts that hold at first.
    pub initial: Vec<Vec<Value>>,
    /// Where it is declared or first used.
    pub span: Span,
}

/// How long facts live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// Until they are removed.
    Kept,
    /// Up to and with the step after the one that inserted them.
    Step,
}

/// Events that are steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// Their name.
    pub event: Arc<str>,
    /// How many positional arguments they have, unless any number will do.
    pub arity: Option<usize>,
    /// Where they are declared or first mentioned.
    pub span: Span,
}

/// A rule.
#[derive(Debug, Clone)]
pub struct Implication {
    /// Its name, if it has one.
    pub name: Option<Arc<str>>,
    /// The names of its variables. Each stands in the event or in a fact.
    pub variables: Vec<Arc<str>>,
    /// The event that must be the one at hand.
    pub event: Option<EventPattern>,
    /// The facts that must hold.
    pub facts: Vec<FactPattern>,
    /// What must hold besides.
    pub guards: Vec<FactGuard>,
    /// What is done, in order.
    pub actions: Vec<Action>,
    /// Where it stands.
    pub span: Span,
}

/// Something that a firing does.
#[derive(Debug, Clone)]
pub enum Action {
    /// A fact holds.
    Insert(usize, Vec<FactTerm>, Span),
    /// The facts with these values hold no longer; nothing stands for any value.
    Remove(usize, Vec<Option<FactTerm>>, Span),
    /// The firing is a violation, with what is said of it.
    Fail(Option<Arc<str>>, Span),
}

impl Implication {
    /// Makes a firing one violation, however many actions say so: it says what the first one with a message says.
    pub(crate) fn fail_once(&mut self) {
        let messages = |action: &Action| match action {
            Action::Fail(message, _) => message.clone(),
            _ => None,
        };
        let first = self.actions.iter().find_map(messages);
        let mut fails = 0;
        self.actions.retain_mut(|action| match action {
            Action::Fail(message, _) => {
                message.clone_from(&first);
                fails += 1;
                fails == 1
            }
            _ => true,
        });
    }

    /// The name under which reports and outlines speak of the rule.
    pub fn title(&self, number: usize) -> String {
        self.name.as_ref().map_or_else(|| format!("rule {}", number + 1), |name| format!("rule `{name}`"))
    }

    /// Whether one of its actions is a fail.
    pub fn fails(&self) -> bool {
        self.actions.iter().any(|action| matches!(action, Action::Fail(..)))
    }

    /// The relations that it reads.
    pub fn reads(&self) -> Vec<usize> {
        let mut found: Vec<usize> = self.facts.iter().map(|fact| fact.relation).collect();
        self.guards.iter().for_each(|guard| guard.relations(&mut found));
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl RuleSet {
    /// The names of what violations report: the variables of rules that fail and the columns of hot relations, each once.
    pub fn binding_names(&self) -> Vec<&str> {
        let variables = self.rules.iter().filter(|rule| rule.fails()).flat_map(|rule| &rule.variables);
        let columns = self.relations.iter().filter(|relation| relation.hot.is_some());
        let mut names: Vec<&str> = Vec::new();
        for name in variables.chain(columns.flat_map(|relation| &relation.columns)) {
            if !names.contains(&&**name) {
                names.push(name);
            }
        }
        names
    }

    /// The events it mentions or declares, each with its number of arguments and its place.
    pub fn events(&self) -> Vec<(Arc<str>, Option<usize>, Span)> {
        self.alphabet.iter().map(|seen| (seen.event.clone(), seen.arity, seen.span)).collect()
    }

    /// Whether an event with this name and so many positional arguments is a step.
    pub fn observes(&self, name: &str, positional: usize) -> bool {
        let fits = |seen: &Observed| *seen.event == *name && seen.arity.is_none_or(|arity| arity == positional);
        self.alphabet.iter().any(fits)
    }
}
