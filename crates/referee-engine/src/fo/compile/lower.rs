//! From a property to the ways in which it can be violated.
//!
//! ```text
//!   body ── negate ─▶ branches:   guard now (past)   and, at most, one demand on the future that fails
//! ```
//!
//! A violation of a disjunction needs all its parts to fail, a violation of a conjunction one of them: so the negated
//! body is a union of branches, as long as no branch has two demands on the future. For a property judged once, the parts
//! of its body are `always φ`, which is judged at every point, or hold at the first point, which `!@true` says.
//!
//! A demand that is violated by coming true is then looked at from where it does ([`crate::fo::compile::future_to_past`]), and what a branch says of
//! sorts is made sure of ([`crate::fo::compile::sort_coverage`]). What cannot be brought into this form takes the interpreter, as a part of the
//! formula where that can be ([`crate::fo::compile::fallback`]); the reason is told by `explain`.

use std::sync::Arc;

use referee_spec::core::{
    Arithmetic, BinaryOp, Comparison, Constraint, Direction, Domain, EventAtom, Formula, Interval, Judgement, Kind,
    Observation, Property, Quantifier, Term, UnaryOp, UnseenOrder, VarId,
};

use crate::fo::code::expression::{Argument, Compare, Expr, Pattern};
use crate::fo::code::reason::Reason;
use crate::fo::compile::branch::{Branch, FutureDemand, Lowered, Violations};
use crate::fo::compile::logic::{Event, Logic};
use crate::fo::compile::lowering::{Lowering, VariableScope};
use crate::fo::compile::parts::InterpretedParts;
use crate::fo::passes::Passes;
use crate::fo::types::Var;

/// Brings a property into this form; what is not covered becomes parts for the interpreter, if there is room for them.
pub(crate) fn lower(property: &Property, passes: &Passes, parts: Option<&mut InterpretedParts>) -> Lowered<Violations> {
    let mut lowering =
        Lowering { property, passes, next: 0, domains: Vec::new(), owed: Vec::new(), defining: None, parts };
    let mut scope = VariableScope::default();
    let bindings: Vec<Var> =
        property.bindings.iter().map(|binding| lowering.bind(binding.variable, &mut scope)).collect::<Lowered<_>>()?;
    let branches = match property.judgement {
        Judgement::Once => lowering.once(&property.body, &scope)?,
        Judgement::EveryPoint | Judgement::EveryBinding => lowering.branches(&property.body, false, &scope)?,
    };
    let mut all = Vec::new();
    for branch in branches {
        all.extend(lowering.split(branch)?);
    }
    let branches = lowering.with_sorts(all, &bindings)?;
    Ok(Violations { bindings, branches })
}

impl Lowering<'_> {
    pub(crate) fn bind(&mut self, variable: VarId, scope: &mut VariableScope) -> Lowered<Var> {
        let domain = self.property.variable(variable).domain;
        if matches!(domain, Domain::SoFar(_)) {
            return Err(Reason::SeenSoFar);
        }
        let var = self.next;
        self.next += 1;
        self.domains.push(domain);
        scope.known.insert(variable, Argument::Var(var));
        Ok(var)
    }

    /// A variable like another one.
    pub(crate) fn another(&mut self, variable: Var) -> Var {
        let new = self.next;
        self.next += 1;
        self.domains.push(self.domains[variable as usize]);
        if self.owed.contains(&variable) {
            self.owed.push(new);
        }
        new
    }

    /// The parts of a body that is judged at the first point.
    fn once(&mut self, body: &Formula, scope: &VariableScope) -> Lowered<Vec<Branch>> {
        match &body.kind {
            Kind::And(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.once(part, scope)?);
                }
                Ok(all)
            }
            Kind::Unary(UnaryOp::Always, interval, inner) if interval.is_all() => {
                let branches = self.branches(inner, false, scope)?;
                branches.into_iter().map(|branch| self.as_past(branch, false)).collect()
            }
            _ => {
                let branches = self.branches(body, false, scope)?.into_iter().map(Branch::at_first);
                let possible = branches.filter(|branch| branch.guard != Logic::FALSE);
                possible.map(|branch| self.as_past(branch, true)).collect()
            }
        }
    }

    /// The ways in which a formula can have this truth.
    pub(crate) fn branches(&mut self, formula: &Formula, truth: bool, scope: &VariableScope) -> Lowered<Vec<Branch>> {
        if !has_future(self.property, formula) {
            return Ok(vec![Branch::past(self.past(formula, truth, scope)?)]);
        }
        match (&formula.kind, truth) {
            (Kind::Not(body), _) => self.branches(body, !truth, scope),
            (Kind::And(parts), true) | (Kind::Or(parts), false) => {
                self.product(parts.iter().map(|part| (part, truth)), scope)
            }
            (Kind::And(parts), false) | (Kind::Or(parts), true) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.branches(part, truth, scope)?);
                }
                Ok(all)
            }
            (Kind::Implies(left, right), false) => {
                self.product([(&**left, true), (&**right, false)].into_iter(), scope)
            }
            (Kind::Implies(left, right), true) => {
                let mut all = self.branches(left, false, scope)?;
                all.extend(self.branches(right, true, scope)?);
                Ok(all)
            }
            (Kind::Quantified(Quantifier::Forall, variable, body), false)
            | (Kind::Quantified(Quantifier::Exists, variable, body), true) => {
                let mut scope = scope.clone();
                let var = self.bind(*variable, &mut scope)?;
                let branches = self.branches(body, truth, &scope)?;
                // A sort may have no value at all: then nothing holds of one.
                if let Domain::Trace(sort) = self.domains[var as usize]
                    && !branches.iter().all(|branch| self.is_fed(&branch.guard, var, sort))
                {
                    return Err(Reason::Domain);
                }
                Ok(branches)
            }
            (Kind::Unary(..) | Kind::Binary(..), _) => match self.onward(formula, truth, scope)? {
                Some(branches) => Ok(branches),
                None => {
                    let demand = Some(self.demand(formula, truth, scope)?);
                    Ok(vec![Branch { guard: Logic::TRUE, demand, by_end: false }])
                }
            },
            _ => Err(Reason::Future),
        }
    }

    fn product<'f>(
        &mut self,
        parts: impl Iterator<Item = (&'f Formula, bool)>,
        scope: &VariableScope,
    ) -> Lowered<Vec<Branch>> {
        let mut all = vec![Branch::past(Logic::TRUE)];
        for (part, truth) in parts {
            let these = self.branches(part, truth, scope)?;
            let mut longer = Vec::new();
            for one in &all {
                for other in &these {
                    longer.push(one.clone().and(other.clone(), self.passes)?);
                }
            }
            all = longer;
        }
        Ok(all)
    }

    /// A future operator that has this truth.
    fn demand(&mut self, formula: &Formula, truth: bool, scope: &VariableScope) -> Lowered<FutureDemand> {
        let demand = |interval: &Interval, hold: Logic, goal: Logic, forbidden: bool| {
            FutureDemand::new(interval.clone(), hold, goal, forbidden)
        };
        match &formula.kind {
            Kind::Unary(UnaryOp::Eventually, interval, body) => {
                Ok(demand(interval, Logic::TRUE, self.past(body, true, scope)?, truth))
            }
            Kind::Unary(UnaryOp::Always, interval, body) => {
                Ok(demand(interval, Logic::TRUE, self.past(body, false, scope)?, !truth))
            }
            Kind::Binary(BinaryOp::Until, interval, left, right) => {
                Ok(demand(interval, self.past(left, true, scope)?, self.past(right, true, scope)?, truth))
            }
            Kind::Binary(BinaryOp::Release, interval, left, right) => {
                Ok(demand(interval, self.past(left, false, scope)?, self.past(right, false, scope)?, !truth))
            }
            // φ W ψ fails iff ¬ψ U (¬φ ∧ ¬ψ).
            Kind::Binary(BinaryOp::WeakUntil, interval, left, right) if interval.is_all() => {
                let (left, right) = (self.past(left, false, scope)?, self.past(right, false, scope)?);
                Ok(demand(interval, right.clone(), Logic::and([left, right]), !truth))
            }
            Kind::Unary(UnaryOp::Next, interval, body) if interval.is_all() => self.next(body, truth, !truth, scope),
            Kind::Unary(UnaryOp::WeakNext, interval, body) if interval.is_all() => self.next(body, truth, truth, scope),
            Kind::Unary(..) | Kind::Binary(..) => Err(Reason::Interval),
            _ => Err(Reason::Future),
        }
    }

    /// What must be so of the next point for it to be a violation that the body has this truth; `at_end` is whether it
    /// is one that no next point comes.
    fn next(&mut self, body: &Formula, truth: bool, at_end: bool, scope: &VariableScope) -> Lowered<FutureDemand> {
        if !has_future(self.property, body) {
            // "The next point is so" is "from the next point on, true until it is so, within one point".
            let goal = self.past(body, at_end != truth, scope)?;
            return Ok(FutureDemand {
                from_next: true,
                ..FutureDemand::new(Interval::all(), Logic::FALSE, goal, !at_end)
            });
        }
        let inner = self.demand(body, truth, scope)?;
        if inner.from_next || inner.forbidden == at_end || !inner.interval.is_all() {
            // A forbidden goal is no violation without a next point, and a missing one is.
            return Err(Reason::Future);
        }
        Ok(FutureDemand { from_next: true, ..inner })
    }

    /// A formula without future.
    pub(crate) fn past(&mut self, formula: &Formula, truth: bool, scope: &VariableScope) -> Lowered<Logic> {
        match self.parts {
            None => self.covered(formula, truth, scope),
            Some(_) => self.past_with_parts(formula, truth, scope),
        }
    }

    /// A formula without future by the operators of the compiler.
    pub(crate) fn covered(&mut self, formula: &Formula, truth: bool, scope: &VariableScope) -> Lowered<Logic> {
        let positive = |logic: Logic| if truth { logic } else { logic.negate() };
        Ok(match &formula.kind {
            Kind::Constant(constant) => Logic::Constant(*constant == truth),
            Kind::Event(atom) => positive(self.event(atom, scope)?),
            Kind::Compare(how, left, right) => positive(self.compare(*how, left, right, scope)?),
            Kind::Observe(observation) => positive(self.observe(observation, scope)?),
            Kind::Not(body) => self.past(body, !truth, scope)?,
            Kind::And(parts) | Kind::Or(parts) => {
                let parts = parts.iter().map(|part| self.past(part, truth, scope)).collect::<Lowered<Vec<_>>>()?;
                match (matches!(formula.kind, Kind::And(_)), truth) {
                    (true, true) | (false, false) => Logic::and(parts),
                    _ => Logic::or(parts),
                }
            }
            Kind::Implies(left, right) => {
                let (left, right) = (self.past(left, !truth, scope)?, self.past(right, truth, scope)?);
                if truth { Logic::or([left, right]) } else { Logic::and([left, right]) }
            }
            Kind::Iff(left, right) => {
                let both = Logic::and([self.past(left, true, scope)?, self.past(right, truth, scope)?]);
                let neither = Logic::and([self.past(left, false, scope)?, self.past(right, !truth, scope)?]);
                Logic::or([both, neither])
            }
            Kind::Quantified(quantifier, variable, body) => {
                let exists = *quantifier == Quantifier::Exists;
                let mut scope = scope.clone();
                let var = self.bind(*variable, &mut scope)?;
                let body = self.past(body, exists, &scope)?;
                self.owe(var, &body)?;
                let some = Logic::exists(vec![var], body);
                if exists == truth { some } else { some.negate() }
            }
            Kind::Unary(operator, interval, body) => {
                let logic = self.unary(*operator, interval, body, scope)?;
                if truth { logic } else { logic.negate() }
            }
            Kind::Binary(operator, interval, left, right) => {
                let logic = self.binary(*operator, interval, left, right, scope)?;
                if truth { logic } else { logic.negate() }
            }
            Kind::Match(..) => return Err(Reason::Regex),
            Kind::Aggregate(_) => return Err(Reason::Aggregation),
            Kind::Call(definition, arguments) => {
                let number = *definition;
                let definition = &self.property.definitions[number.index()];
                if definition.recursive {
                    return Ok(positive(self.recursive(number, arguments, scope)?));
                }
                let mut inner = VariableScope::default();
                for (parameter, argument) in definition.parameters.iter().zip(arguments) {
                    inner.known.insert(*parameter, self.argument(argument, scope)?);
                }
                if inner.known.values().any(|argument| *argument == Argument::Any) {
                    return Err(Reason::Computation);
                }
                self.past(&definition.body, truth, &inner)?
            }
        })
    }

    fn unary(
        &mut self,
        operator: UnaryOp,
        interval: &Interval,
        body: &Formula,
        scope: &VariableScope,
    ) -> Lowered<Logic> {
        match operator {
            UnaryOp::Once => Ok(Logic::since(interval.clone(), Logic::TRUE, self.past(body, true, scope)?)),
            UnaryOp::Historically => {
                Ok(Logic::since(interval.clone(), Logic::TRUE, self.past(body, false, scope)?).negate())
            }
            UnaryOp::Prev | UnaryOp::WeakPrev if !interval.is_all() => Err(Reason::Interval),
            UnaryOp::Prev => {
                let body = self.past(body, true, scope)?;
                self.previous(body)
            }
            UnaryOp::WeakPrev => {
                let body = self.past(body, false, scope)?;
                Ok(self.previous(body)?.negate())
            }
            UnaryOp::Next | UnaryOp::WeakNext | UnaryOp::Eventually | UnaryOp::Always => Err(Reason::Future),
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOp,
        interval: &Interval,
        left: &Formula,
        right: &Formula,
        scope: &VariableScope,
    ) -> Lowered<Logic> {
        match operator {
            BinaryOp::Since => {
                Ok(Logic::since(interval.clone(), self.past(left, true, scope)?, self.past(right, true, scope)?))
            }
            BinaryOp::Trigger => {
                let (left, right) = (self.past(left, false, scope)?, self.past(right, false, scope)?);
                Ok(Logic::since(interval.clone(), left, right).negate())
            }
            BinaryOp::WeakSince => {
                let since =
                    Logic::since(interval.clone(), self.past(left, true, scope)?, self.past(right, true, scope)?);
                let always = Logic::since(interval.clone(), Logic::TRUE, self.past(left, false, scope)?).negate();
                Ok(Logic::or([since, always]))
            }
            BinaryOp::StrictSince if interval.is_all() => {
                let left = self.past(left, true, scope)?;
                let since = Logic::since(interval.clone(), left.clone(), self.past(right, true, scope)?);
                Ok(Logic::and([left, self.previous(since)?]))
            }
            BinaryOp::StrictSince => Err(Reason::Interval),
            BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release => Err(Reason::Future),
        }
    }

    /// `@` pushed down to events and operators.
    pub(crate) fn previous(&mut self, body: Logic) -> Lowered<Logic> {
        let started = || Logic::Prev(Box::new(Logic::TRUE));
        Ok(match body {
            Logic::Constant(true) => started(),
            Logic::Constant(false) => Logic::FALSE,
            Logic::And(parts) => {
                Logic::and(parts.into_iter().map(|part| self.previous(part)).collect::<Lowered<Vec<_>>>()?)
            }
            Logic::Or(parts) => {
                Logic::or(parts.into_iter().map(|part| self.previous(part)).collect::<Lowered<Vec<_>>>()?)
            }
            Logic::Not(body) => Logic::and([started(), self.previous(*body)?.negate()]),
            Logic::Exists(variables, body) => {
                let is_finite = |var: &Var| matches!(self.domains[*var as usize], Domain::Trace(_));
                // That there was no point before is known at once, whatever values a sort has.
                let there = if variables.iter().any(is_finite) { started() } else { Logic::TRUE };
                Logic::and([there, Logic::exists(variables, self.previous(*body)?)])
            }
            Logic::Compare(compare) if self.is_timeless(&compare) => Logic::and([started(), Logic::Compare(compare)]),
            Logic::Compare(_) => return Err(Reason::Computation),
            Logic::Part(part, arguments, _) => self.previous_part(part, arguments)?,
            other => Logic::Prev(Box::new(other)),
        })
    }

    /// Whether a comparison says the same at every point. Order is false of values not seen yet, in DejaVu.
    fn is_timeless(&self, compare: &Compare) -> bool {
        let ordered = !matches!(compare.how, Comparison::Equal | Comparison::NotEqual);
        let mut timeless = !(ordered && self.property.unseen_order == UnseenOrder::False);
        for side in [&compare.left, &compare.right] {
            timeless &= matches!(side, Expr::Var(_) | Expr::Constant(_));
        }
        timeless
    }

    fn event(&self, atom: &EventAtom, scope: &VariableScope) -> Lowered<Logic> {
        let (pattern, arguments) = match &atom.arguments {
            None => (Pattern::Bare(atom.name.clone()), Vec::new()),
            Some(terms) => {
                let arguments = terms.iter().map(|term| self.argument(term, scope)).collect::<Lowered<Vec<_>>>()?;
                (Pattern::Positional(atom.name.clone(), terms.len()), arguments)
            }
        };
        Ok(Logic::Event(Event { pattern, arguments, condition: None }))
    }

    fn observe(&self, observation: &Observation, scope: &VariableScope) -> Lowered<Logic> {
        let mut fields: Vec<Arc<str>> = Vec::new();
        let mut arguments = Vec::new();
        for (field, term) in &observation.required {
            if fields.contains(field) {
                return Err(Reason::Computation);
            }
            fields.push(field.clone());
            arguments.push(self.argument(term, scope)?);
        }
        let mut mentioned = observation.present.clone();
        for side in observation.constraint.iter().flat_map(|constraint| [&constraint.left, &constraint.right]) {
            collect_fields(side, &mut mentioned);
        }
        for field in mentioned {
            if !fields.contains(&field) {
                fields.push(field);
                arguments.push(Argument::Any);
            }
        }
        let condition = match &observation.constraint {
            Some(Constraint { comparison, left, right }) => Some(Compare {
                how: *comparison,
                left: self.expr(left, scope, &fields)?,
                right: self.expr(right, scope, &fields)?,
            }),
            None => None,
        };
        // "This field equals x" restricts x as an argument does.
        let (mut arguments, mut condition) = (arguments, condition);
        if let Some(Compare { how: Comparison::Equal, left, right }) = &condition {
            let pair = match (left, right) {
                (Expr::Field(place), other) | (other, Expr::Field(place)) => Some((*place, other.clone())),
                _ => None,
            };
            if let Some((place, Expr::Var(var))) = pair
                && arguments[place] == Argument::Any
            {
                (arguments[place], condition) = (Argument::Var(var), None);
            } else if let Some((place, Expr::Constant(value))) = pair
                && arguments[place] == Argument::Any
            {
                (arguments[place], condition) = (Argument::Constant(value), None);
            }
        }
        Ok(Logic::Event(Event { pattern: Pattern::Fields(fields), arguments, condition }))
    }

    fn compare(&self, how: Comparison, left: &Term, right: &Term, scope: &VariableScope) -> Lowered<Logic> {
        if matches!(how, Comparison::Substring | Comparison::Matches) {
            return Err(Reason::Computation);
        }
        let (left, right) = (self.expr(left, scope, &[])?, self.expr(right, scope, &[])?);
        Ok(Logic::Compare(Compare { how, left, right }))
    }

    fn expr(&self, term: &Term, scope: &VariableScope, fields: &[Arc<str>]) -> Lowered<Expr> {
        Ok(match term {
            Term::Variable(variable) => match scope.known.get(variable) {
                Some(Argument::Var(var)) => Expr::Var(*var),
                Some(Argument::Constant(value)) => Expr::Constant(value.clone()),
                _ => return Err(Reason::Unrestricted),
            },
            Term::Constant(value) => Expr::Constant(value.clone()),
            Term::Field(field) => match fields.iter().position(|known| known == field) {
                Some(place) => Expr::Field(place),
                None => return Err(Reason::Computation),
            },
            Term::Binary(how @ (Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply), left, right) => {
                let (left, right) = (self.expr(left, scope, fields)?, self.expr(right, scope, fields)?);
                Expr::Binary(*how, Box::new(left), Box::new(right))
            }
            Term::Negate(body) => Expr::Negate(Box::new(self.expr(body, scope, fields)?)),
            Term::PointTime => Expr::Time,
            Term::PointNumber | Term::Any | Term::Apply(..) | Term::Binary(..) => return Err(Reason::Computation),
        })
    }

    pub(crate) fn argument(&self, term: &Term, scope: &VariableScope) -> Lowered<Argument> {
        match term {
            Term::Variable(variable) => scope.known.get(variable).cloned().ok_or(Reason::Unrestricted),
            Term::Constant(value) => Ok(Argument::Constant(value.clone())),
            Term::Any => Ok(Argument::Any),
            _ => Err(Reason::Computation),
        }
    }
}

fn collect_fields(term: &Term, fields: &mut Vec<Arc<str>>) {
    match term {
        Term::Field(field) => fields.push(field.clone()),
        Term::Binary(_, left, right) => {
            collect_fields(left, fields);
            collect_fields(right, fields);
        }
        Term::Negate(body) | Term::Apply(_, body) => collect_fields(body, fields),
        _ => {}
    }
}

/// Whether a formula reads later points.
pub(crate) fn has_future(property: &Property, formula: &Formula) -> bool {
    let mut found = false;
    formula.visit(&mut |part| {
        found |= match &part.kind {
            Kind::Call(definition, _) => {
                let definition = &property.definitions[definition.index()];
                !definition.recursive && has_future(property, &definition.body)
            }
            kind => looks_ahead(kind),
        };
    });
    found
}

/// Whether this operator reads later points.
pub(crate) fn looks_ahead(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Unary(UnaryOp::Next | UnaryOp::WeakNext | UnaryOp::Eventually | UnaryOp::Always, ..)
            | Kind::Binary(BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release, ..)
            | Kind::Match(Direction::Future, ..)
    )
}
