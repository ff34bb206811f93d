//! Decides in which order a rule's conditions are looked up.
//!
//! ```text
//!  event(x, y) ─▶ tests on x, y ─▶ Fact(x, z): by index on column 0, binds z ─▶ tests on z ─▶ …
//! ```
//!
//! The event comes first, since it binds most. Then comes, again and again, the fact of which most columns are known. A test
//! stands as early as its variables allow.

use std::sync::Arc;

use referee_spec::core::Span;
use referee_spec::core::facts::{Action, EventPattern, FactGuard, FactPattern, FactTerm, Implication, RuleSet, Slot};
use referee_trace::values::{Atom, Values};

use super::code::{RuleCode, RuleCompiler, RulePattern, RuleTest};

/// A rule, ready to be tried.
#[derive(Debug)]
pub(super) struct FactsPlan {
    /// What the event must have at which places.
    pub event: Option<Taken>,
    /// What is looked at, in order.
    pub steps: Box<[RuleStep]>,
    /// How many variables there are.
    pub width: usize,
    /// Whether different choices of facts may give the same binding.
    pub repeats: bool,
    /// What is done.
    pub effects: Box<[Effect]>,
    /// The relations that it reads, if it has no event and does not look at it otherwise: as long as they do not change, it
    /// does what it did.
    pub reads: Option<Box<[usize]>>,
    /// For each value that violations report, the variable.
    pub reported: Box<[Option<usize>]>,
    /// Where the rule stands.
    pub span: Span,
}

/// What is taken from an event or a row.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// Constants at places.
    pub constants: Box<[(usize, Atom)]>,
    /// Variables that get their value here.
    pub binds: Box<[(usize, usize)]>,
    /// Variables that have a value, which must be the one here.
    pub equal: Box<[(usize, usize)]>,
}

impl Taken {
    /// Takes the values; whether they are as demanded.
    #[inline]
    pub(super) fn take(&self, values: &[Atom], binding: &mut [Atom]) -> bool {
        if !self.constants.iter().all(|(place, constant)| values[*place] == *constant) {
            return false;
        }
        self.binds.iter().for_each(|(place, variable)| binding[*variable] = values[*place]);
        self.equal.iter().all(|(place, variable)| values[*place] == binding[*variable])
    }

    /// The places that are looked at.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        let variables = self.binds.iter().chain(&self.equal).map(|(place, _)| *place);
        self.constants.iter().map(|(place, _)| *place).chain(variables)
    }
}

/// One thing to look at.
#[derive(Debug)]
pub(super) enum RuleStep {
    /// A fact that must hold.
    Fact {
        /// By which columns it is found.
        pattern: RulePattern,
        /// What is taken from it besides.
        taken: Taken,
        /// Whether any will do: it binds nothing.
        any: bool,
    },
    /// A condition.
    Test(RuleTest),
}

/// An action.
#[derive(Debug)]
pub(super) enum Effect {
    /// A fact holds.
    Insert(usize, Box<[RuleCode]>, Span),
    /// Facts hold no longer.
    Remove(RulePattern, Span),
    /// A violation.
    Fail(Option<Arc<str>>),
}

/// Compiles a rule.
pub(super) fn plan(rules: &RuleSet, rule: &Implication, compiler: &mut RuleCompiler, values: &mut Values) -> FactsPlan {
    let mut planner = FactsPlanner { compiler, values, bound: vec![false; rule.variables.len()], steps: Vec::new() };
    let event = rule.event.as_ref().map(|pattern| planner.taken(&pattern.arguments, &[]));
    let repeats = planner.conditions(rule);
    let steps = std::mem::take(&mut planner.steps).into();
    let effects = rule.actions.iter().map(|action| effect(action, compiler, values)).collect();
    let reported = rules.binding_names().into_iter();
    let place = |name: &str| rule.variables.iter().position(|variable| **variable == *name);
    FactsPlan {
        event,
        steps,
        width: rule.variables.len(),
        repeats,
        effects,
        reads: reads(rule),
        reported: reported.map(place).collect(),
        span: rule.span,
    }
}

/// What a rule reads, if it looks at facts only.
fn reads(rule: &Implication) -> Option<Box<[usize]>> {
    let mut event = rule.event.is_some();
    for guard in &rule.guards {
        guard.visit_events(&mut |_| event = true);
        guard.visit_terms(&mut |term| event |= matches!(term, FactTerm::Field(_)));
    }
    (!event).then(|| rule.reads().into())
}

fn effect(action: &Action, compiler: &mut RuleCompiler, values: &mut Values) -> Effect {
    match action {
        Action::Insert(relation, terms, span) => {
            Effect::Insert(*relation, terms.iter().map(|term| compiler.term(term, values)).collect(), *span)
        }
        Action::Remove(relation, terms, span) => Effect::Remove(compiler.pattern(*relation, terms, values), *span),
        Action::Fail(message, _) => Effect::Fail(message.clone()),
    }
}

struct FactsPlanner<'p> {
    compiler: &'p mut RuleCompiler,
    values: &'p mut Values,
    bound: Vec<bool>,
    steps: Vec<RuleStep>,
}

impl FactsPlanner<'_> {
    /// Orders facts and guards; whether different choices may give the same binding.
    fn conditions(&mut self, rule: &Implication) -> bool {
        let mut guards: Vec<&FactGuard> = rule.guards.iter().collect();
        let mut facts: Vec<&FactPattern> = rule.facts.iter().collect();
        let mut repeats = false;
        loop {
            self.tests(&mut guards);
            let known = |fact: &FactPattern| fact.arguments.iter().filter(|slot| self.is_known(slot)).count();
            let unknown = |fact: &FactPattern| fact.arguments.len() - known(fact);
            let best = (0..facts.len()).min_by_key(|at| (unknown(facts[*at]) > 0, usize::MAX - known(facts[*at])));
            let Some(best) = best else { return repeats };
            repeats |= self.fact(facts.remove(best));
        }
    }

    /// Adds the guards whose variables are all bound.
    fn tests(&mut self, guards: &mut Vec<&FactGuard>) {
        let (ready, later): (Vec<&FactGuard>, Vec<&FactGuard>) = guards.iter().partition(|guard| self.is_ready(guard));
        *guards = later;
        for guard in ready {
            let test = self.compiler.test(guard, self.values);
            self.steps.push(RuleStep::Test(test));
        }
    }

    fn is_ready(&self, guard: &FactGuard) -> bool {
        let mut ready = true;
        guard.visit_terms(&mut |term| {
            if let FactTerm::Variable(variable) = term {
                ready &= self.bound[*variable];
            }
        });
        guard.visit_events(&mut |pattern: &EventPattern| {
            ready &= pattern.arguments.iter().all(|slot| !matches!(slot, Slot::Variable(v) if !self.bound[*v]));
        });
        ready
    }

    fn is_known(&self, slot: &Slot) -> bool {
        match slot {
            Slot::Variable(variable) => self.bound[*variable],
            Slot::Constant(_) => true,
            Slot::Any => false,
        }
    }

    /// Adds a fact; whether different rows may bind the same values.
    fn fact(&mut self, fact: &FactPattern) -> bool {
        let term = |slot: &Slot| match slot {
            Slot::Variable(variable) if self.bound[*variable] => Some(FactTerm::Variable(*variable)),
            Slot::Constant(value) => Some(FactTerm::Constant(value.clone())),
            _ => None,
        };
        let terms: Vec<Option<FactTerm>> = fact.arguments.iter().map(term).collect();
        let known: Vec<usize> = terms.iter().enumerate().filter(|(_, term)| term.is_some()).map(|(at, _)| at).collect();
        let pattern = self.compiler.pattern(fact.relation, &terms, self.values);
        let taken = self.taken(&fact.arguments, &known);
        let any = taken.binds.is_empty();
        self.steps.push(RuleStep::Fact { pattern, taken, any });
        !any && fact.arguments.contains(&Slot::Any)
    }

    /// What is taken from values at these slots, but for the places that are known to fit.
    fn taken(&mut self, slots: &[Slot], known: &[usize]) -> Taken {
        let (mut constants, mut binds, mut equal) = (Vec::new(), Vec::new(), Vec::new());
        for (place, slot) in slots.iter().enumerate().filter(|(place, _)| !known.contains(place)) {
            match slot {
                Slot::Any => {}
                Slot::Constant(value) => constants.push((place, self.values.constant(value))),
                Slot::Variable(variable) if self.bound[*variable] => equal.push((place, *variable)),
                Slot::Variable(variable) => {
                    self.bound[*variable] = true;
                    binds.push((place, *variable));
                }
            }
        }
        Taken { constants: constants.into(), binds: binds.into(), equal: equal.into() }
    }
}
