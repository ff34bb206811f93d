//! Finds all bindings under which a rule's conditions hold, by backtracking over the steps of its plan.
//!
//! A fact step stands at a row and tries the next one when what follows is exhausted. What cannot be computed does not decide
//! a test: the search goes on, and only a binding under which nothing else fails makes the judge give up.

use referee_spec::core::Problem;
use referee_trace::values::{Atom, Values};

use super::code::{RuleEvent, RuleScope, RuleTrouble};
use super::plan::{FactsPlan, RuleStep};
use super::table::{FactsTable, NONE};

/// How many combinations of facts are tried for one event and one rule.
pub(super) const MOST_COMBINATIONS: u64 = 10_000_000;

/// What a search needs and leaves behind; kept from one to the next, so that nothing is allocated.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// The binding that is tried.
    pub binding: Vec<Atom>,
    /// The row at which each fact step stands.
    slots: Vec<u32>,
    /// The bindings that were found, one after the other.
    pub found: Vec<Atom>,
    /// How many were found.
    pub count: usize,
}

impl Search {
    /// Adds the bindings of a rule; its event must fit the one at hand and be taken already.
    pub(super) fn run(
        &mut self,
        plan: &FactsPlan,
        tables: &[FactsTable],
        event: RuleEvent<'_>,
        values: &mut Values,
        most: u64,
    ) -> Result<(), RuleTrouble> {
        self.slots.clear();
        self.slots.resize(plan.steps.len(), NONE);
        // The first step whose test cannot be computed, and why.
        let mut trouble: Option<(usize, RuleTrouble)> = None;
        let (mut at, mut forward, mut tried) = (0, true, 0u64);
        loop {
            if at == plan.steps.len() {
                if let Some((_, trouble)) = trouble {
                    return Err(trouble);
                }
                self.found.extend_from_slice(&self.binding[..plan.width]);
                self.count += 1;
                forward = false;
            }
            if !forward {
                match self.back(plan, at) {
                    Some(earlier) => at = earlier,
                    None => return Ok(()),
                }
                trouble = trouble.filter(|(step, _)| *step < at);
            }
            let mut scope = RuleScope { tables, event, binding: &self.binding, values };
            forward = match &plan.steps[at] {
                RuleStep::Test(test) => match scope.holds(test) {
                    Ok(truth) => truth,
                    Err(found) => {
                        trouble = trouble.or(Some((at, found)));
                        true
                    }
                },
                RuleStep::Fact { pattern, taken, .. } => {
                    let table = &tables[pattern.relation];
                    let mut slot = match forward {
                        true => scope.first(pattern)?.unwrap_or(NONE),
                        false => table.next(pattern.access, self.slots[at]),
                    };
                    while slot != NONE && !taken.take(table.row(slot), &mut self.binding) {
                        slot = table.next(pattern.access, slot);
                        tried += 1;
                    }
                    self.slots[at] = slot;
                    tried += 1;
                    slot != NONE
                }
            };
            if tried > most {
                return Err((Problem::TooManyCombinations, plan.span));
            }
            if forward {
                at += 1;
            }
        }
    }

    /// The last fact step before `at` that has another row to try.
    fn back(&self, plan: &FactsPlan, at: usize) -> Option<usize> {
        let again = |step: &usize| match &plan.steps[*step] {
            RuleStep::Fact { any, .. } => !any && self.slots[*step] != NONE,
            RuleStep::Test(_) => false,
        };
        (0..at).rev().find(again)
    }
}
