//! What sorts ask of branches: a quantifier ranges over the values that the whole trace shows at some positions.
//!
//! ```text
//!   known after k: the values shown up to k    │    a value that has been found is in its sort now;
//!                                              │    that there is none is known at the end
//! ```
//!
//! A variable that a formula *feeds* has, wherever the formula holds, a value that an event at a position of the sort has
//! shown by then: over such values a sort is like all values there are. Where a formula does not feed a variable:
//!
//! | law | of | statement | side condition | because |
//! |---|---|---|---|---|
//! | shown | a binding y that the guard g does not feed | (.., y) is violated where g has been and y has been shown, for the first time: `g ∧ shown(y)`, or `e(y) ∧ ¬@shown(y) ∧ @P g` for an event e that shows y | judged once; g is past, and no part of it waits for the end | a row is judged when its values are known, and is reported where it is first false: from the later of the two on, both say so |
//! | implied | a variable of `∃l b` in a guard `c ∧ ∃l b`, or `c ∧ ¬∃l b` | b feeds l if c has `P u` and b has `¬P(u ∧ ¬h)` where h feeds l | no intervals; u may have more disjuncts there | where u was, h was: the values that c ∧ b finds have been shown by then |

use referee_spec::core::{Domain, Interval, Judgement, Position, SortId};
use referee_trace::number::Number;

use crate::faults::{self, Fault};
use crate::fo::code::expression::{Argument, Pattern};
use crate::fo::code::reason::Reason;
use crate::fo::compile::branch::{Branch, Lowered};
use crate::fo::compile::logic::{Event, Logic};
use crate::fo::compile::lowering::Lowering;
use crate::fo::types::Var;

/// The most alternatives into which a guard is multiplied out.
const ALTERNATIVES: usize = 32;

/// A formula as a disjunction of conjunctions, as far as its conjunctions and disjunctions alone go.
pub(crate) fn alternatives(logic: Logic) -> Lowered<Vec<Logic>> {
    let all = match logic {
        Logic::Or(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(alternatives(part)?);
            }
            all
        }
        Logic::And(parts) => {
            let mut all = vec![Logic::TRUE];
            for part in parts {
                let these = alternatives(part)?;
                if all.len() * these.len() > ALTERNATIVES {
                    return Err(Reason::Size);
                }
                let longer = |one: &Logic| {
                    let each = these.iter().map(|other| Logic::and([one.clone(), other.clone()]));
                    each.collect::<Vec<_>>()
                };
                all = all.iter().flat_map(longer).collect();
            }
            all
        }
        Logic::Constant(false) => Vec::new(),
        other => vec![other],
    };
    if all.len() > ALTERNATIVES { Err(Reason::Size) } else { Ok(all) }
}

impl Lowering<'_> {
    /// The branches, with what is missing of their variables' sorts.
    pub(crate) fn with_sorts(&mut self, branches: Vec<Branch>, bindings: &[Var]) -> Lowered<Vec<Branch>> {
        let mut all = branches;
        for &binding in bindings {
            let mut longer = Vec::new();
            for branch in all {
                match self.is_shown(binding, &branch.guard) {
                    true => longer.push(branch),
                    false => longer.extend(self.shown(branch, binding)?),
                }
            }
            all = longer;
        }
        for branch in &mut all {
            self.check_domains(branch, bindings)?;
        }
        Ok(all)
    }

    /// Whether what a formula says of a variable is said of values of its domain only.
    fn is_shown(&self, var: Var, logic: &Logic) -> bool {
        match self.domains[var as usize] {
            Domain::Trace(sort) => self.is_fed(logic, var, sort),
            _ => true,
        }
    }

    /// A branch that holds of any value, for the values that the trace has shown.
    fn shown(&mut self, branch: Branch, binding: Var) -> Lowered<Vec<Branch>> {
        let Domain::Trace(sort) = self.domains[binding as usize] else { return Err(Reason::Domain) };
        let is_past = branch.demand.is_none() && !self.waits_for_the_end(&branch.guard, true);
        if !self.passes.shown || self.property.judgement != Judgement::Once || !is_past {
            return Err(Reason::Domain);
        }
        let events = self.showing(binding, sort)?;
        let once = |body: Logic| Logic::since(Interval::all(), Logic::TRUE, body);
        let ever = Logic::or(events.iter().cloned().map(once));
        let is_new = self.previous(ever.clone())?.negate();
        let before = self.previous(once(branch.guard.clone()))?;
        let late = events.into_iter().map(|event| Logic::and([event, is_new.clone(), before.clone()]));
        let late = late.filter(|_| !faults::is(Fault::Shown));
        let guards = std::iter::once(Logic::and([branch.guard.clone(), ever])).chain(late);
        Ok(guards.map(|guard| Branch { guard, demand: None, by_end: false }).collect())
    }

    /// The events that show a value of a sort.
    fn showing(&self, var: Var, sort: SortId) -> Lowered<Vec<Logic>> {
        let event = |position: &Position| match position {
            Position::Argument { event, arity, index } => {
                let mut arguments = vec![Argument::Any; *arity];
                arguments[*index] = Argument::Var(var);
                let pattern = Pattern::Positional(event.clone(), *arity);
                Ok(Logic::Event(Event { pattern, arguments, condition: None }))
            }
            Position::Field { event: None, field } => {
                let (pattern, arguments) = (Pattern::Fields(vec![field.clone()]), vec![Argument::Var(var)]);
                Ok(Logic::Event(Event { pattern, arguments, condition: None }))
            }
            Position::Field { event: Some(_), .. } => Err(Reason::Domain),
        };
        self.property.sorts[sort.0 as usize].positions.iter().map(event).collect()
    }

    /// Makes sure that a quantifier over a sort ranges over values that the body feeds, or that the guard around it will
    /// have to.
    pub(crate) fn owe(&mut self, var: Var, body: &Logic) -> Lowered<()> {
        if self.is_shown(var, body) {
            return Ok(());
        }
        if !self.passes.implied || !body.free().contains(&var) {
            return Err(Reason::Domain);
        }
        self.owed.push(var);
        Ok(())
    }

    /// Whether what is owed is there: the guard around a quantifier lets its body feed the variable.
    fn is_paid(&self, branch: &Branch) -> bool {
        let mut open = Vec::new();
        if let Some(demand) = &branch.demand {
            let first = demand.relay.as_ref().map(|relay| &relay.first);
            [&demand.hold, &demand.goal].into_iter().chain(first).for_each(|logic| logic.collect_bound(&mut open));
        }
        let parts = branch.guard.conjuncts();
        for part in &parts {
            let quantified = if let Logic::Not(body) = part { body } else { *part };
            match quantified {
                Logic::Exists(variables, body) => {
                    body.collect_bound(&mut open);
                    open.extend(variables.iter().filter(|var| !self.is_implied(**var, body, &parts)));
                }
                other => other.collect_bound(&mut open),
            }
        }
        !open.iter().any(|var| self.owed.contains(var))
    }

    /// Whether a formula feeds a variable, given that others hold.
    fn is_implied(&self, var: Var, logic: &Logic, given: &[&Logic]) -> bool {
        let Domain::Trace(sort) = self.domains[var as usize] else { return true };
        let never = |part: &&Logic| match part {
            Logic::Not(body) => match &**body {
                Logic::Since(interval, left, right) if interval.is_all() && **left == Logic::TRUE => {
                    Some(right.clone())
                }
                _ => None,
            },
            _ => None,
        };
        let feeds = |body: Box<Logic>| {
            let parts = body.conjuncts();
            (0..parts.len()).any(|at| {
                let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
                let rest = Logic::and(others.map(|(_, part)| (*part).clone()));
                let is_given = faults::is(Fault::Implied) || given.iter().any(|given| has_been(given, &rest));
                is_given && self.is_fed(&parts[at].clone().negate(), var, sort)
            })
        };
        self.is_fed(logic, var, sort) || logic.conjuncts().iter().filter_map(never).any(feeds)
    }

    /// Whether a formula can hold only of values that the trace has shown at a position of the sort by then.
    pub(crate) fn is_fed(&self, logic: &Logic, var: Var, sort: SortId) -> bool {
        match logic {
            Logic::Event(event) => self.event_feeds(event, var, sort),
            Logic::Constant(_) | Logic::Compare(_) | Logic::Not(_) => false,
            Logic::Defined(_) | Logic::Own(..) | Logic::Part(..) => false,
            Logic::And(parts) => parts.iter().any(|part| self.is_fed(part, var, sort)),
            Logic::Or(parts) => parts.iter().all(|part| self.is_fed(part, var, sort)),
            Logic::Exists(_, body) | Logic::Prev(body) | Logic::Since(_, _, body) => self.is_fed(body, var, sort),
            Logic::Last(event, state) => self.is_fed(event, var, sort) || self.is_fed(state, var, sort),
        }
    }

    fn event_feeds(&self, event: &Event, var: Var, sort: SortId) -> bool {
        let positions = &self.property.sorts[sort.0 as usize].positions;
        event.arguments.iter().enumerate().any(|(index, argument)| {
            *argument == Argument::Var(var)
                && positions.iter().any(|position| match (position, &event.pattern) {
                    (Position::Argument { event, arity, index: at }, Pattern::Positional(name, count)) => {
                        event == name && arity == count && *at == index
                    }
                    (Position::Field { event: None, field }, Pattern::Fields(fields)) => fields[index] == *field,
                    _ => false,
                })
        })
    }

    /// The disjuncts of a guard are branches of their own. Where some wait for the end, and others need not, all
    /// alternatives are told apart.
    pub(crate) fn split(&self, branch: Branch) -> Lowered<Vec<Branch>> {
        let Branch { guard, demand, .. } = branch;
        let guards = match guard {
            guard if self.waits_for_the_end(&guard, true) => alternatives(guard)?,
            Logic::Or(parts) => parts,
            Logic::Constant(false) => Vec::new(),
            other => vec![other],
        };
        Ok(guards.into_iter().map(|guard| Branch { guard, demand: demand.clone(), by_end: false }).collect())
    }

    /// Whether nothing but the end can show that a formula has this truth.
    fn needs_the_end(&self, logic: &Logic, truth: bool) -> bool {
        match logic {
            Logic::Constant(_) | Logic::Event(_) | Logic::Compare(_) | Logic::Last(..) => false,
            // Definitions are of languages without sorts, and interpreted parts are decided at their point.
            Logic::Defined(_) | Logic::Own(..) | Logic::Part(..) => false,
            Logic::Not(body) => self.needs_the_end(body, !truth),
            Logic::Prev(body) => truth && self.needs_the_end(body, truth),
            Logic::And(parts) if truth => parts.iter().any(|part| self.needs_the_end(part, truth)),
            Logic::Or(parts) if !truth => parts.iter().any(|part| self.needs_the_end(part, truth)),
            Logic::And(parts) | Logic::Or(parts) => parts.iter().all(|part| self.needs_the_end(part, truth)),
            Logic::Exists(variables, body) => {
                let finite = |var: &Var| matches!(self.domains[*var as usize], Domain::Trace(_));
                (!truth && variables.iter().any(finite)) || self.needs_the_end(body, truth)
            }
            Logic::Since(interval, _, right) => {
                // Now is one of the points at which the right side would have to be false.
                (truth || interval.contains(&Number::ZERO)) && self.needs_the_end(right, truth)
            }
        }
    }

    /// A binding is judged once its values are in their domains, and a missing value of a sort only at the end.
    fn check_domains(&self, branch: &mut Branch, bindings: &[Var]) -> Lowered<()> {
        if bindings.iter().any(|var| !self.is_shown(*var, &branch.guard)) || !self.is_paid(branch) {
            return Err(Reason::Domain);
        }
        branch.by_end = self.needs_the_end(&branch.guard, true);
        if !branch.by_end && self.waits_for_the_end(&branch.guard, true) {
            return Err(Reason::Domain);
        }
        if let Some(demand) = &branch.demand {
            // Of what must come, a missing value is unknown as the whole is; of anything else it would delay the verdict.
            let goal = self.waits_for_the_end(&demand.goal, true) || self.waits_for_the_end(&demand.goal, false);
            let open = !demand.forbidden && demand.hold == Logic::TRUE && demand.interval.high.is_none();
            let hold = self.waits_for_the_end(&demand.hold, true) || self.waits_for_the_end(&demand.hold, false);
            let relay = demand.relay.as_ref().is_some_and(|relay| self.waits_for_the_end(&relay.first, true));
            if branch.by_end || hold || (goal && !open) || self.waits_for_the_end(&demand.goal, true) || relay {
                return Err(Reason::Domain);
            }
        }
        Ok(())
    }

    /// Whether the truth or falsity of a formula rests on a sort's having no such value.
    fn waits_for_the_end(&self, logic: &Logic, truth: bool) -> bool {
        match logic {
            Logic::Constant(_) | Logic::Event(_) | Logic::Compare(_) => false,
            Logic::Defined(_) | Logic::Own(..) | Logic::Part(..) => false,
            Logic::Not(body) => self.waits_for_the_end(body, !truth),
            Logic::Prev(body) => self.waits_for_the_end(body, truth),
            Logic::And(parts) | Logic::Or(parts) => parts.iter().any(|part| self.waits_for_the_end(part, truth)),
            Logic::Exists(variables, body) => {
                let finite = |var: &Var| matches!(self.domains[*var as usize], Domain::Trace(_));
                (!truth && variables.iter().any(finite)) || self.waits_for_the_end(body, truth)
            }
            Logic::Since(_, left, right) | Logic::Last(left, right) => {
                self.waits_for_the_end(left, truth) || self.waits_for_the_end(right, truth)
            }
        }
    }
}

/// Whether a formula says that another one, or a disjunct of it, has held at some point.
fn has_been(given: &Logic, what: &Logic) -> bool {
    let Logic::Since(interval, left, right) = given else { return false };
    let all = what.disjuncts();
    interval.is_all() && **left == Logic::TRUE && right.disjuncts().iter().all(|part| all.contains(part))
}
