//! From the ways to violate a property to drafts: what each needs of tables, and whether events drive it.
//!
//! ```text
//!   branch ── laws ─▶ guard ── views ─▶ form ─▶ driven by an event: asked when it happens
//!                                            ├▶ not driven:        a table, whose rows are violations
//!                                            └▶ with a demand:     a table of open demands, opened by the form
//! ```

use std::collections::BTreeSet;

use referee_spec::core::{Interval, Judgement, Property};
use referee_trace::number::Number;

use crate::fo::code::reason::Reason;
use crate::fo::compile::branch::{Branch, FutureDemand, Lowered, Relay, Violations};
use crate::fo::compile::draft::{DemandDraft, Draft, FoundBy};
use crate::fo::compile::form::{Form, Leaf, ViewUse};
use crate::fo::compile::laws::{gather, latch, prenex, rewrite};
use crate::fo::compile::logic::Logic;
use crate::fo::compile::restricted::restricted;
use crate::fo::compile::views::{Numbering, Views};
use crate::fo::passes::Passes;
use crate::fo::types::{REGISTERS, Var};

/// Makes drafts, whose views it adds to those that there are.
pub(crate) struct DraftBuilder<'v> {
    /// Which laws are used.
    pub passes: &'v Passes,
    /// The views.
    pub views: &'v mut Views,
}

impl DraftBuilder<'_> {
    /// The drafts of a property.
    pub(crate) fn property(&mut self, property: &Property, violations: Violations) -> Lowered<Vec<Draft>> {
        let mut drafts = Vec::new();
        for branch in violations.branches {
            let branch = self.rewritten(branch);
            let guards: Vec<Logic> = branch.guard.disjuncts().into_iter().cloned().collect();
            for guard in guards {
                let is_state = branch.demand.is_none() && !is_driven(&guard);
                let guard = if is_state { prenex(gather(guard, self.passes), self.passes) } else { guard };
                let every = property.judgement != Judgement::EveryPoint;
                drafts.push(self.branch(Branch { guard, ..branch.clone() }, &violations.bindings, every)?);
            }
        }
        Ok(drafts)
    }

    fn rewritten(&self, branch: Branch) -> Branch {
        let demand = branch.demand.map(|demand| FutureDemand {
            hold: rewrite(demand.hold, self.passes),
            goal: rewrite(demand.goal, self.passes),
            relay: demand.relay.map(|relay| Relay { first: rewrite(relay.first, self.passes), ..relay }),
            ..demand
        });
        Branch { guard: rewrite(branch.guard, self.passes), demand, ..branch }
    }

    /// The draft of one way to violate a property with these bindings, all of which a violation must name if `all_bound`.
    pub(crate) fn branch(&mut self, branch: Branch, bindings: &[Var], all_bound: bool) -> Lowered<Draft> {
        let free = branch.guard.free();
        let bounded = restricted(&branch.guard);
        if !free.is_subset(&bounded) || (all_bound && !bindings.iter().all(|variable| free.contains(variable))) {
            return Err(Reason::Unrestricted);
        }
        let mut columns: Vec<Var> = bindings.iter().copied().filter(|variable| free.contains(variable)).collect();
        let others: Vec<Var> = free.iter().copied().filter(|variable| !columns.contains(variable)).collect();
        columns.extend(others);
        let place = |variable: &Var| columns.iter().position(|column| column == variable).map(|at| at as u8);
        let bindings: Vec<Option<u8>> = bindings.iter().map(place).collect();
        let mut numbering = Numbering::starting_with(&columns);
        let guard = branch.guard.rename(&mut |variable| numbering.number(variable));
        let Some(demand) = branch.demand else {
            return self.check(guard, bindings, branch.by_end, numbering.len());
        };
        let own = demand.relay.iter().flat_map(|relay| relay.own.iter().copied());
        let known: BTreeSet<Var> = free.iter().copied().chain(own).collect();
        let first = demand.relay.as_ref().map_or(&Logic::TRUE, |relay| &relay.first);
        if [&demand.hold, &demand.goal, first].iter().any(|logic| !logic.free().is_subset(&known)) {
            return Err(Reason::Unrestricted);
        }
        let mut rename = |logic: Logic| logic.rename(&mut |variable| numbering.number(variable));
        let (hold, goal) = (rename(demand.hold), rename(demand.goal));
        let relay = demand.relay.map(|relay| Relay { first: rename(relay.first), ..relay });
        if numbering.len() > REGISTERS {
            return Err(Reason::Size);
        }
        let way = self.demand(guard, FutureDemand { hold, goal, relay, ..demand }, columns.len())?;
        Ok(Draft { bindings, by_end: branch.by_end, way: FoundBy::Demand(Box::new(way)) })
    }

    fn check(&mut self, guard: Logic, bindings: Vec<Option<u8>>, by_end: bool, registers: usize) -> Lowered<Draft> {
        if registers > REGISTERS {
            return Err(Reason::Size);
        }
        let form = self.views.form(&guard)?;
        if self.passes.drivers && form.drivers().is_some() {
            return Ok(Draft { bindings, by_end, way: FoundBy::Driven(form) });
        }
        let kept = latch(&guard, self.passes);
        let now = Logic::Since(Interval::all(), Box::new(kept), Box::new(guard));
        let row = self.views.define(&now, false, false)?;
        if self.views.all[row.view].has_set {
            return Err(Reason::Unrestricted);
        }
        let column = |register: u8| row.arguments.iter().position(|argument| *argument == Var::from(register));
        let bindings = bindings.into_iter().map(|register| register.and_then(column).map(|at| at as u8)).collect();
        Ok(Draft { bindings, by_end, way: FoundBy::Rows(row.view) })
    }

    fn demand(&mut self, guard: Logic, demand: FutureDemand, columns: usize) -> Lowered<DemandDraft> {
        let opens = self.views.form(&guard)?;
        let goal = self.views.form(&demand.goal)?;
        let fails = self.views.form(&demand.hold.negate())?;
        let relay = match demand.relay {
            Some(relay) => Some(self.relay(relay.first, &demand.goal, columns)?),
            None => None,
        };
        if opens.drivers().is_none() && !self.is_first(&opens) {
            return Err(Reason::Future);
        }
        let from_zero = demand.interval.low == Number::ZERO && demand.interval.low_included;
        if goal.drivers().is_none() && !from_zero {
            return Err(Reason::Interval);
        }
        let FutureDemand { interval, forbidden, from_next, .. } = demand;
        Ok(DemandDraft { opens, fails, goal, relay, columns, interval, forbidden, from_next })
    }

    /// The row of what must come before a goal.
    fn relay(&mut self, first: Logic, goal: &Logic, columns: usize) -> Lowered<ViewUse> {
        // What neither the row nor the goal speaks of may be anything.
        let (free, shared) = (first.free(), goal.free());
        let own = free.iter().copied().filter(|own| *own >= columns as Var && !shared.contains(own)).collect();
        let some = rewrite(Logic::exists(own, first), self.passes);
        let once = Logic::Since(Interval::all(), Box::new(Logic::TRUE), Box::new(some));
        self.views.define(&once, false, true)
    }

    /// Whether a formula can hold at the first point only.
    fn is_first(&self, form: &Form) -> bool {
        let started = |row: &ViewUse| {
            let view = &self.views.all[row.view];
            row.old && view.makes == Form::Constant(true) && view.breaks == Form::Constant(false)
        };
        match form {
            Form::Leaf(false, Leaf::View(row)) => started(row),
            Form::And(parts) => parts.iter().any(|part| self.is_first(part)),
            _ => false,
        }
    }
}

/// Whether an event must happen for a formula to hold.
fn is_driven(logic: &Logic) -> bool {
    match logic {
        Logic::Event(_) => true,
        Logic::And(parts) => parts.iter().any(is_driven),
        Logic::Or(parts) => parts.iter().all(is_driven),
        Logic::Exists(_, body) => is_driven(body),
        _ => false,
    }
}
