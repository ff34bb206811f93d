//! Rewrites demands on the future as formulas about the past (`future_to_past`), and follows a goal that must come after another goal by stamps
//! (`relay`).
//!
//! ```text
//!   γ ── hold ── hold ── hold ── goal       looked at from γ:      a demand is opened, followed and, here, broken
//!                                           looked at from goal:   γ was, and hold ever since: a table and a look-up
//! ```
//!
//! A property that is judged once reports a binding where it is first decided, whatever opened the demand. So a demand
//! that is violated by coming true is a formula about the past, judged at every point:
//!
//! | law | `(hold U goal)` from γ on comes true at a point iff there | where |
//! |---|---|---|
//! | future to past | `goal ∧ (γ ∨ @(hold S (γ ∧ hold)))` | γ is judged at every point |
//! | | `goal ∧ P(first ∧ γ) ∧ ¬@P ¬hold` | γ is judged at the first point: all points are since then |
//! | | `goal ∧ @(hold S γ)`, or `goal ∧ @P(first ∧ γ) ∧ ¬@P(¬hold ∧ @true)` | the demand is about the next point and those after it |
//!
//! Side condition: the property is judged once, and the operator has no interval. Because: t ≤ k witnesses the demand at k
//! iff γ holds at t, goal at k and hold at t … k-1; the formulas say so of some t. Both sides are made of the same
//! conjunctions and disjunctions of the same atoms at the same points, so they are decided at the same moment, too. What
//! follows from the goal, another demand, is then one of the new guard: `G(a ⇒ G(b ⇒ F c))` demands c where b is and a was.
//!
//! A binding gets its value from the guard or from the goal, whichever names it: `block(c) ⇒ ¬pay(a,c) W unblock(c)` keeps
//! rows by c, and finds a where it is paid.
//!
//! | law | statement | side condition |
//! |---|---|---|
//! | relay | `F(a ∧ F b)` from t on comes true at k iff b holds at k, and the last a up to k is not before t | no intervals, a is past |
//!
//! Because: a witness is s with t ≤ s ≤ k and a at s; of all such s the last is as good. So a row of open demands is met by b
//! as far as its openings are not younger than the last a: a table with stamps beside the one of demands.

use std::collections::HashMap;

use referee_spec::core::{BinaryOp, Formula, Interval, Judgement, Kind, UnaryOp};

use crate::faults::{self, Fault};
use crate::fo::code::reason::Reason;
use crate::fo::compile::branch::{Branch, FutureDemand, Lowered, Relay};
use crate::fo::compile::logic::Logic;
use crate::fo::compile::lower::has_future;
use crate::fo::compile::lowering::{Lowering, VariableScope};
use crate::fo::types::Var;

/// The first point.
fn first() -> Logic {
    Logic::Prev(Box::new(Logic::TRUE)).negate()
}

/// That a formula has held at some point up to now.
fn once(body: Logic) -> Logic {
    match body {
        Logic::Constant(_) => body,
        body => Logic::since(Interval::all(), Logic::TRUE, body),
    }
}

impl Lowering<'_> {
    /// Whether demands that must not come true are looked at from where they do.
    fn looks_back(&self) -> bool {
        self.passes.future_to_past && self.property.judgement == Judgement::Once
    }

    /// A branch whose demand, if it has one, is that something comes; `at_first` if it is judged at the first point only.
    pub(crate) fn as_past(&mut self, branch: Branch, at_first: bool) -> Lowered<Branch> {
        let Branch { guard, demand, .. } = branch;
        match demand {
            Some(demand) if demand.forbidden && demand.interval.is_all() && self.looks_back() => {
                let guard = self.at_the_goal(guard, &demand, at_first)?;
                self.as_past(Branch { guard, demand: demand.then.map(|then| *then), by_end: false }, false)
            }
            Some(FutureDemand { then: Some(_), .. }) => Err(Reason::Future),
            demand => {
                let guard = if at_first { Logic::and([first(), guard]) } else { guard };
                Ok(Branch { guard, demand, by_end: false })
            }
        }
    }

    /// What holds where a demand comes true that was opened at some point, or at the first.
    fn at_the_goal(&mut self, guard: Logic, demand: &FutureDemand, at_first: bool) -> Lowered<Logic> {
        let FutureDemand { hold, goal, from_next, .. } = demand;
        let hold = if faults::is(Fault::FutureToPast) { Logic::TRUE } else { hold.clone() };
        let goal = self.with_fresh_variables(goal);
        // Where the goal says that what must hold until then still does, now is a point like those before it.
        let is_kept = !from_next && hold.conjuncts().iter().all(|part| demand.goal.conjuncts().contains(part));
        let before = match (at_first, *from_next) {
            (true, false) => {
                let broken = once(hold.negate());
                let broken = if is_kept { broken } else { self.previous(broken)? };
                Logic::and([self.opened_first(guard), broken.negate()])
            }
            (true, true) => {
                let started = self.previous(Logic::TRUE)?;
                let broken = once(Logic::and([hold.negate(), started]));
                let opened = self.opened_first(guard);
                Logic::and([self.previous(opened)?, self.previous(broken)?.negate()])
            }
            (false, false) if guard == Logic::TRUE => Logic::TRUE,
            (false, false) => {
                let again = self.with_fresh_variables(&hold);
                let since = Logic::since(Interval::all(), hold, Logic::and([guard.clone(), again]));
                match is_kept {
                    true => since,
                    false => Logic::or([guard, self.previous(since)?]),
                }
            }
            (false, true) if hold == Logic::FALSE => self.previous(guard)?,
            (false, true) => self.previous(Logic::since(Interval::all(), hold, guard))?,
        };
        Ok(Logic::and([goal, before]))
    }

    fn opened_first(&self, guard: Logic) -> Logic {
        if guard == Logic::TRUE { Logic::TRUE } else { once(Logic::and([first(), guard])) }
    }

    /// The same with other bound variables: two copies in one formula must not share any.
    fn with_fresh_variables(&mut self, logic: &Logic) -> Logic {
        let mut bound = Vec::new();
        logic.collect_bound(&mut bound);
        let fresh: HashMap<Var, Var> = bound.into_iter().map(|variable| (variable, self.another(variable))).collect();
        logic.rename(&mut |variable| fresh.get(&variable).copied().unwrap_or(variable))
    }

    /// The ways in which a future operator over a formula with future has this truth, if these laws cover it.
    pub(crate) fn onward(
        &mut self,
        formula: &Formula,
        truth: bool,
        scope: &VariableScope,
    ) -> Lowered<Option<Vec<Branch>>> {
        let Some(Path { hold, goal, goal_truth, also, from_next, forbidden }) = self.path(formula, truth) else {
            return Ok(None);
        };
        let has_future = |formula: &Formula| has_future(self.property, formula);
        if !has_future(goal) || hold.is_some_and(|(hold, _)| has_future(hold)) {
            return Ok(None);
        }
        let first_own = self.next;
        let ways = self.branches(goal, goal_truth, scope)?;
        if !forbidden {
            let is_plain = hold.is_none() && !from_next;
            return Ok(if is_plain { self.relayed(ways, first_own) } else { None });
        }
        if !self.looks_back() {
            return Ok(None);
        }
        let mut all = Vec::new();
        for way in ways {
            let hold = match hold {
                Some((hold, truth)) => self.past(hold, truth, scope)?,
                None if from_next => Logic::FALSE,
                None => Logic::TRUE,
            };
            let goal = if also { Logic::and([way.guard, hold.clone()]) } else { way.guard };
            let then = way.demand.map(Box::new);
            let demand = FutureDemand { from_next, then, ..FutureDemand::new(Interval::all(), hold, goal, true) };
            all.push(Branch { guard: Logic::TRUE, demand: Some(demand), by_end: false });
        }
        Ok(Some(all))
    }

    /// `F(a ∧ F b)` as a demand for b after a.
    fn relayed(&self, ways: Vec<Branch>, first_own: Var) -> Option<Vec<Branch>> {
        let [Branch { guard, demand: Some(inner), .. }] = <[Branch; 1]>::try_from(ways).ok()? else { return None };
        let is_eventually = inner.forbidden && !inner.from_next && inner.hold == Logic::TRUE && inner.interval.is_all();
        if !self.passes.relay || !is_eventually || inner.then.is_some() {
            return None;
        }
        let relay = Relay { first: guard, own: (first_own..self.next).collect() };
        let demand =
            FutureDemand { relay: Some(relay), ..FutureDemand::new(Interval::all(), Logic::TRUE, inner.goal, false) };
        Some(vec![Branch { guard: Logic::TRUE, demand: Some(demand), by_end: false }])
    }

    /// A future operator without interval as a path: what holds on the way, and what it leads to.
    fn path<'f>(&self, formula: &'f Formula, truth: bool) -> Option<Path<'f>> {
        let path = |hold, goal, goal_truth, forbidden| Path {
            hold,
            goal,
            goal_truth,
            also: false,
            from_next: false,
            forbidden,
        };
        Some(match &formula.kind {
            Kind::Unary(_, interval, _) | Kind::Binary(_, interval, ..) if !interval.is_all() => return None,
            Kind::Unary(UnaryOp::Eventually, _, body) => path(None, body, true, truth),
            Kind::Unary(UnaryOp::Always, _, body) => path(None, body, false, !truth),
            Kind::Unary(UnaryOp::Next, _, body) if truth => Path { from_next: true, ..path(None, body, true, true) },
            Kind::Unary(UnaryOp::WeakNext, _, body) if !truth => {
                Path { from_next: true, ..path(None, body, false, true) }
            }
            Kind::Binary(BinaryOp::Until, _, left, right) => path(Some((left, true)), right, true, truth),
            Kind::Binary(BinaryOp::Release, _, left, right) => path(Some((left, false)), right, false, !truth),
            // φ W ψ fails iff ¬ψ U (¬φ ∧ ¬ψ).
            Kind::Binary(BinaryOp::WeakUntil, _, left, right) => {
                Path { also: true, ..path(Some((right, false)), left, false, !truth) }
            }
            _ => return None,
        })
    }
}

/// `hold U goal`, each with the truth that it must have.
struct Path<'f> {
    hold: Option<(&'f Formula, bool)>,
    goal: &'f Formula,
    goal_truth: bool,
    /// Whether what must hold must hold at the goal, too.
    also: bool,
    from_next: bool,
    forbidden: bool,
}
