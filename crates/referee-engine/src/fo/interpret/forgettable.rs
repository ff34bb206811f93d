//! What can still matter of a value that never comes again.
//!
//! Let v be such a value, and x a variable. At every later point an event atom that has x itself as an argument is false
//! for x = v. (An atom with `x + 1` is not: v + 1 may come.) A formula is *settled* for x if this alone decides it, whatever
//! all else is worth; by Kleene's laws it then never depends on what a past operator inside it says at x = v.
//!
//! ```text
//!   access(u,f) -> once login(u)          settled for u: true.   The row of a dead u in `once login(u)` is never asked for.
//!   login(u)    -> always once paid(u)    settled for u: true.   But an obligation of an earlier login(u) still asks.
//! ```
//!
//! So the row x = v of a past operator P is *read* only from the places that are evaluated at later points:
//!
//! - the body of a property that is judged at every point, and the bodies of recursive definitions;
//! - the arguments of every future operator, since an earlier point may have left an obligation on v;
//! - the arguments of past operators that do not have x free, since x is bound inside them;
//! - the arguments of past operators that have x free and are themselves read at x = v;
//!
//! and there only if no settled formula stands between. What is not read may be dropped: v then counts among "anything
//! else", for which the formula above P is decided in the same way. [`Forgettable`] is the least set of reads closed under
//! these rules. Cost: one walk over the plan per variable, when a monitor first forgets something.
//!
//! A future operator is *lost* for x if it must be false for x = v from any later point on: an Until whose right side is
//! settled as false. A condition that is true once lost obligations count as false can never become a violation.

use referee_spec::core::{Domain, Quantifier};

use crate::fo::interpret::obligation::FutureId;
use crate::fo::interpret::operand::OperandSlot;
use crate::fo::interpret::plan::{FormulaPlan, FutureKind, InterpretedFormula, PastKind, PlanTerm};
use crate::fo::interpret::variables::FormulaVar;

/// What a compiled property never asks of values that are dead.
#[derive(Debug)]
pub(crate) struct Forgettable {
    /// Per past operator: the variables whose dead values it need not remember.
    pub unread: Vec<Vec<FormulaVar>>,
    /// Future operators and variables for whose dead values they are false.
    pub lost: Vec<(FutureId, FormulaVar)>,
}

impl Forgettable {
    /// Analyses a compiled property, whose body is evaluated again and again unless it is judged `once`.
    pub(crate) fn of(compiled: &InterpretedFormula, once: bool) -> Forgettable {
        let mut unread = vec![Vec::new(); compiled.pasts.len()];
        for var in remembered_variables(compiled) {
            let read = Reads { compiled, var, read: vec![false; compiled.pasts.len()] }.all(once);
            for (index, past) in compiled.pasts.iter().enumerate() {
                if past.vars.contains(&var) && !read[index] {
                    unread[index].push(var);
                }
            }
        }
        Forgettable { unread, lost: lost_futures(compiled) }
    }
}

fn remembered_variables(compiled: &InterpretedFormula) -> Vec<FormulaVar> {
    let mut vars: Vec<FormulaVar> = compiled.pasts.iter().flat_map(|past| past.vars.iter().copied()).collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}

fn lost_futures(compiled: &InterpretedFormula) -> Vec<(FutureId, FormulaVar)> {
    let mut lost = Vec::new();
    for (index, future) in (0..).zip(&compiled.futures) {
        let goal = match &future.kind {
            FutureKind::Next(goal) | FutureKind::Until { right: goal, .. } => goal,
            FutureKind::Match { .. } => continue,
        };
        let vars = future.slots.iter().filter_map(|slot| match slot {
            OperandSlot::Var(var) => Some(*var),
            OperandSlot::Value(_) => None,
        });
        lost.extend(vars.filter(|var| Part::of(goal, *var).truth == Some(false)).map(|var| (FutureId(index), var)));
    }
    lost
}

/// The search for all past operators that are read at a dead value of one variable.
struct Reads<'c> {
    compiled: &'c InterpretedFormula,
    var: FormulaVar,
    read: Vec<bool>,
}

impl Reads<'_> {
    fn all(mut self, once: bool) -> Vec<bool> {
        let compiled = self.compiled;
        if !once {
            self.evaluate(&compiled.body);
        }
        compiled.definitions.values().for_each(|definition| self.evaluate(&definition.body));
        for future in &compiled.futures {
            match &future.kind {
                FutureKind::Next(body) => self.evaluate(body),
                FutureKind::Until { left, right } => {
                    self.evaluate(left);
                    self.evaluate(right);
                }
                FutureKind::Match { automaton, .. } => automaton.formulas.iter().for_each(|plan| self.evaluate(plan)),
            }
        }
        for index in 0..compiled.pasts.len() {
            if !compiled.pasts[index].vars.contains(&self.var) {
                self.evaluate_past(index);
            }
        }
        self.read
    }

    /// Notes what a plan reads that is evaluated at later points.
    fn evaluate(&mut self, plan: &FormulaPlan) {
        for index in Part::of(plan, self.var).reads {
            if !std::mem::replace(&mut self.read[index], true) {
                self.evaluate_past(index);
            }
        }
    }

    fn evaluate_past(&mut self, index: usize) {
        let compiled = self.compiled;
        match &compiled.pasts[index].kind {
            PastKind::Prev(body) => self.evaluate(body),
            PastKind::Since { left, right, .. } => {
                self.evaluate(left);
                self.evaluate(right);
            }
            PastKind::Match(automaton) => automaton.formulas.iter().for_each(|plan| self.evaluate(plan)),
        }
    }
}

/// What a part of a plan is worth at a dead value of a variable, and what it reads there.
struct Part {
    /// The truth value, where it does not depend on anything else.
    truth: Option<bool>,
    /// The past operators that the part reads; none if it does not depend on them.
    reads: Vec<usize>,
}

impl Part {
    fn of(plan: &FormulaPlan, var: FormulaVar) -> Part {
        let is_dead = |term: &PlanTerm| matches!(term, PlanTerm::Var(own) if *own == var);
        match plan {
            FormulaPlan::Constant(truth) => Part::settled(*truth),
            FormulaPlan::Event(atom, negated) if atom.arguments.iter().flatten().any(is_dead) => {
                Part::settled(*negated)
            }
            FormulaPlan::Observe(observation, negated)
                if observation.required.iter().any(|(_, term)| is_dead(term)) =>
            {
                Part::settled(*negated)
            }
            FormulaPlan::Join(all, members) => Part::joined(*all, members, var),
            FormulaPlan::Quantified(quantifier, _, domain, body) => Part::quantified(*quantifier, *domain, body, var),
            // Whatever a group's number is, it depends on all that the body reads.
            FormulaPlan::Aggregate(aggregation, _) => Part { truth: None, ..Part::of(&aggregation.body, var) },
            FormulaPlan::Past(id, _) => Part { truth: None, reads: vec![id.0 as usize] },
            FormulaPlan::Event(..)
            | FormulaPlan::Compare(..)
            | FormulaPlan::Observe(..)
            | FormulaPlan::Future(..)
            | FormulaPlan::Table(..) => Part { truth: None, reads: Vec::new() },
        }
    }

    fn settled(truth: bool) -> Part {
        Part { truth: Some(truth), reads: Vec::new() }
    }

    fn joined(all: bool, members: &[FormulaPlan], var: FormulaVar) -> Part {
        let (mut neutral, mut reads) = (true, Vec::new());
        for member in members {
            let part = Part::of(member, var);
            if part.truth == Some(!all) {
                return part;
            }
            neutral &= part.truth == Some(all);
            reads.extend(part.reads);
        }
        Part { truth: neutral.then_some(all), reads }
    }

    /// A domain that is taken from the trace may be empty; then a quantifier is neutral whatever its body says.
    fn quantified(quantifier: Quantifier, domain: Domain, body: &FormulaPlan, var: FormulaVar) -> Part {
        let body = Part::of(body, var);
        let neutral = Some(quantifier == Quantifier::Forall);
        let certain = domain == Domain::Infinite || body.truth == neutral;
        Part { truth: body.truth.filter(|_| certain), reads: body.reads }
    }
}
