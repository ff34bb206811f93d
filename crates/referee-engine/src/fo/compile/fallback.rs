//! Parts of a formula for the interpreter, in the middle of what is compiled.
//!
//! ```text
//!   access(u,f) -> [login(u), logout(u)) & (c <- CNT … ) & …        covered: a table, a look-up
//!                                           └ not covered: a *part*, which the interpreter evaluates
//!   on access/2: looks up T0; asks G0 of u                          never built for all u before the event cuts it
//! ```
//!
//! | law | statement | side condition | because |
//! |---|---|---|---|
//! | fallback | a subformula without future is a leaf whose value the interpreter knows, asked for when all its variables are bound | it is decided at its point, whatever values its variables have; where it stands, events tell when to ask for it | both paths have the same definitions; what is decided is true or false in both, and a plan asks at the points of its triggers only |
//!
//! *Decided* is what never waits for a later point and cannot make the judge give up: it has no demand on the future and no
//! quantifier over a sort of the whole trace; it divides by constants only; what it computes with, compares by size or
//! aggregates is bound outside of it, and so shown by an event, or restricted inside of it to what events have shown.
//!
//! A part that counts has one result for the values of its groups: so it binds the variable of its result where the others are
//! bound, and need not be guessed.
//!
//! The part is the smallest that will do. A subformula is compiled if it can be, else its own subformulas are looked at, and else
//! it is a part as a whole: so a temporal operator around a part is compiled where events drive it, and is part of the part
//! where somebody would have to know when the part changes. Whether it *can be* is decided where an event
//! binds all its variables, from the conditions under which its tables are kept and its triggers planned; each table is looked at once
//! ([`crate::fo::compile::analysis`]). A property of which no event guards a part takes the interpreter as a whole.
//!
//! Cost: `@` is pushed into a part, so a part may be evaluated twice. At each point the past operators of a part are moved on
//! as the interpreter does it; a part is evaluated for the values that are asked for, and only when it is
//! ([`crate::fo::run::fallback`]). One that looks at no event and at no time is never moved on.

use std::collections::{BTreeSet, HashSet};

use referee_spec::core::{
    AggregateFunction, Arithmetic, BinaryOp, Comparison, DefId, Domain, Equality, Formula, Interval, Kind, Property,
    Term, UnaryOp, UnseenOrder, VarId,
};
use referee_trace::number::Number;

use crate::faults::{self, Fault};
use crate::fo::code::expression::Argument;
use crate::fo::code::program::Part;
use crate::fo::code::reason::Reason;
use crate::fo::compile::branch::Lowered;
use crate::fo::compile::logic::Logic;
use crate::fo::compile::lower::looks_ahead;
use crate::fo::compile::lowering::{Lowering, VariableScope};
use crate::fo::types::Var;

impl Lowering<'_> {
    /// A formula without future, parts of which the interpreter may evaluate.
    pub(crate) fn past_with_parts(&mut self, formula: &Formula, truth: bool, scope: &VariableScope) -> Lowered<Logic> {
        if let Kind::Constant(_) | Kind::Not(_) | Kind::And(_) | Kind::Or(_) | Kind::Implies(..) | Kind::Iff(..) =
            formula.kind
        {
            return self.covered(formula, truth, scope);
        }
        let reason = match self.plainly(formula, truth, scope) {
            Ok(logic) => return Ok(logic),
            Err(reason) => reason,
        };
        let known = self.parts.as_ref().map_or(0, |parts| parts.all.len());
        let (defining, owed) = (self.defining, self.owed.len());
        match self.covered(formula, truth, scope).and_then(|logic| self.decided(logic)) {
            Ok(logic) => Ok(logic),
            Err(_) => {
                self.defining = defining;
                self.owed.truncate(owed);
                self.parts.iter_mut().for_each(|parts| parts.all.truncate(known));
                self.part(formula, truth, scope, reason)
            }
        }
    }

    /// A formula without parts, if it can be compiled so.
    fn plainly(&mut self, formula: &Formula, truth: bool, scope: &VariableScope) -> Lowered<Logic> {
        let (parts, defining, owed) = (self.parts.take(), self.defining, self.owed.len());
        let plain = self.covered(formula, truth, scope);
        self.parts = parts;
        let plain = plain.and_then(|logic| match formula.kind {
            Kind::Event(_) | Kind::Compare(..) | Kind::Observe(_) => Ok(logic),
            _ => self.decided(logic),
        });
        if plain.is_err() {
            self.defining = defining;
            self.owed.truncate(owed);
        }
        plain
    }

    /// A formula that can be compiled where all its variables are bound.
    fn decided(&mut self, logic: Logic) -> Lowered<Logic> {
        // What a definition asks of itself makes sense within the definition only, which is looked at as a whole.
        if self.defining.is_some() {
            return Ok(logic);
        }
        let Some(parts) = &mut self.parts else { return Ok(logic) };
        parts.analysis.compiles_under_an_event(&logic).map(|()| logic)
    }

    /// A formula as a part for the interpreter.
    fn part(&mut self, formula: &Formula, truth: bool, scope: &VariableScope, reason: Reason) -> Lowered<Logic> {
        let yields = counted(self.property, formula);
        let others = formula.free_variables().into_iter().filter(|variable| Some(*variable) != yields);
        let variables: Vec<VarId> = others.chain(yields).collect();
        let argument = |variable: &VarId| match scope.known.get(variable) {
            Some(Argument::Var(var)) => Ok(*var),
            _ => Err(reason),
        };
        let arguments: Vec<Var> = variables.iter().map(argument).collect::<Lowered<_>>()?;
        let bound: BTreeSet<VarId> = variables.iter().copied().collect();
        let mut decided = Decided { property: self.property, read: HashSet::new() };
        if !decided.holds(formula, &bound) {
            return Err(reason);
        }
        let is_moving = is_moving(self.property, formula);
        let Some(parts) = &mut self.parts else { return Err(reason) };
        let part = Part { rule: parts.rule, formula: formula.clone(), variables, reason, is_moving, is_used: false };
        // A variable that is the result and a group at once is bound by nobody.
        let yields = arguments.split_last().is_some_and(|(last, others)| yields.is_some() && !others.contains(last));
        let leaf = Logic::Part(parts.number(part), arguments, yields);
        Ok(if truth { leaf } else { leaf.negate() })
    }

    /// `@` of a part, which is a part of its own.
    pub(crate) fn previous_part(&mut self, part: usize, arguments: Vec<Var>) -> Lowered<Logic> {
        let Some(parts) = &mut self.parts else { return Err(Reason::Size) };
        if faults::is(Fault::Fallback) {
            return Ok(Logic::Part(part, arguments, false));
        }
        let part = parts.all[part].clone();
        let span = part.formula.span;
        let kind = Kind::Unary(UnaryOp::Prev, Interval::all(), Box::new(part.formula));
        let part = Part { formula: Formula::new(kind, span), is_moving: true, ..part };
        Ok(Logic::Part(parts.number(part), arguments, false))
    }
}

/// The variable of which a formula says that it is a number of assignments, which is an integer in any case.
fn counted(property: &Property, formula: &Formula) -> Option<VarId> {
    match &formula.kind {
        Kind::Aggregate(aggregation) => {
            let counts = aggregation.function == AggregateFunction::Count && property.equality == Equality::ByValue;
            counts.then_some(aggregation.result)
        }
        _ => None,
    }
}

/// Whether the value of a formula may differ from point to point.
fn is_moving(property: &Property, formula: &Formula) -> bool {
    let is_still = |kind: &Kind| match kind {
        Kind::Constant(_) | Kind::Not(_) | Kind::And(_) | Kind::Or(_) | Kind::Implies(..) | Kind::Iff(..) => true,
        Kind::Compare(_, left, right) => !reads_point(left) && !reads_point(right),
        _ => false,
    };
    let mut moving = false;
    formula.visit(&mut |part| moving |= !is_still(&part.kind));
    // What has been seen so far is a matter of the point.
    moving || property.unseen_order == UnseenOrder::False
}

fn reads_point(term: &Term) -> bool {
    match term {
        Term::PointNumber | Term::PointTime | Term::Field(_) => true,
        Term::Binary(_, left, right) => reads_point(left) || reads_point(right),
        Term::Negate(body) | Term::Apply(_, body) => reads_point(body),
        Term::Variable(_) | Term::Constant(_) | Term::Any => false,
    }
}

/// The search for what might keep a formula from being decided at its point.
struct Decided<'p> {
    property: &'p Property,
    /// The definitions that were looked through.
    read: HashSet<DefId>,
}

impl Decided<'_> {
    /// Whether a formula is decided at its point, where these variables have values that were shown.
    fn holds(&mut self, formula: &Formula, bound: &BTreeSet<VarId>) -> bool {
        if !self.has_sizes(&formula.kind, bound) || looks_ahead(&formula.kind) {
            return false;
        }
        match &formula.kind {
            Kind::Quantified(_, variable, body) => {
                let mut inner = bound.clone();
                match self.property.variable(*variable).domain {
                    Domain::Trace(_) => return false,
                    Domain::SoFar(_) => _ = inner.insert(*variable),
                    Domain::Infinite => {
                        let fed = |truth| shown(self.property, body, truth).contains(variable);
                        match fed(true) || fed(false) {
                            true => _ = inner.insert(*variable),
                            false => _ = inner.remove(variable),
                        }
                    }
                }
                self.holds(body, &inner)
            }
            Kind::Aggregate(aggregation) => {
                let mut inner = shown(self.property, &aggregation.body, true);
                inner.extend(aggregation.groups.iter().filter(|group| bound.contains(group)));
                aggregation.body.free_variables().is_subset(&inner) && self.holds(&aggregation.body, &inner)
            }
            Kind::Call(id, arguments) => {
                let known = |term: &Term| match term {
                    Term::Variable(variable) => bound.contains(variable),
                    Term::Constant(_) => true,
                    _ => false,
                };
                if !arguments.iter().all(known) {
                    return false;
                }
                let definition = &self.property.definitions[id.index()];
                let parameters = definition.parameters.iter().copied().collect();
                !self.read.insert(*id) || self.holds(&definition.body, &parameters)
            }
            kind => kind.children().into_iter().all(|child| self.holds(child, bound)),
        }
    }

    /// Whether all that is computed with, or compared by size, was shown, and nothing is divided by zero.
    fn has_sizes(&self, kind: &Kind, bound: &BTreeSet<VarId>) -> bool {
        let comparison = match kind {
            Kind::Compare(comparison, ..) => Some(*comparison),
            Kind::Observe(observation) => observation.constraint.as_ref().map(|constraint| constraint.comparison),
            _ => None,
        };
        let by_size = comparison.is_some_and(|how| !matches!(how, Comparison::Equal | Comparison::NotEqual));
        kind.terms().into_iter().all(|term| {
            let computes = matches!(term, Term::Binary(..) | Term::Negate(_) | Term::Apply(..));
            let mut variables = BTreeSet::new();
            if by_size || computes {
                term.collect_variables(&mut variables);
            }
            variables.is_subset(bound) && divides_by_constants(term)
        })
    }
}

fn divides_by_constants(term: &Term) -> bool {
    match term {
        Term::Binary(Arithmetic::Divide | Arithmetic::DivideTruncating | Arithmetic::Modulo, left, right) => {
            let is_number = |value: &Number| *value != Number::ZERO;
            let harmless = matches!(&**right, Term::Constant(value) if value.as_number().is_some_and(is_number));
            harmless && divides_by_constants(left)
        }
        Term::Binary(_, left, right) => divides_by_constants(left) && divides_by_constants(right),
        Term::Negate(body) | Term::Apply(_, body) => divides_by_constants(body),
        _ => true,
    }
}

/// The variables of which a formula can have this truth only for values that were shown, or aggregated, by then.
fn shown(property: &Property, formula: &Formula, truth: bool) -> BTreeSet<VarId> {
    let none = BTreeSet::new;
    let variables = |terms: &mut dyn Iterator<Item = &Term>| {
        let variable = |term: &Term| match term {
            Term::Variable(variable) => Some(*variable),
            _ => None,
        };
        terms.filter_map(variable).collect::<BTreeSet<VarId>>()
    };
    let all = |parts: &mut dyn Iterator<Item = BTreeSet<VarId>>| parts.flatten().collect::<BTreeSet<VarId>>();
    let common = |parts: &mut dyn Iterator<Item = BTreeSet<VarId>>| {
        let first = parts.next().unwrap_or_default();
        parts.fold(first, |common, part| common.intersection(&part).copied().collect())
    };
    match (&formula.kind, truth) {
        (Kind::Event(atom), true) => variables(&mut atom.arguments.iter().flatten()),
        (Kind::Observe(observation), true) => variables(&mut observation.required.iter().map(|(_, term)| term)),
        (Kind::Compare(Comparison::Equal, left, Term::Constant(_)), true) => variables(&mut [left].into_iter()),
        (Kind::Compare(Comparison::Equal, Term::Constant(_), right), true) => variables(&mut [right].into_iter()),
        (Kind::Not(body), _) => shown(property, body, !truth),
        (Kind::And(parts), true) | (Kind::Or(parts), false) => {
            all(&mut parts.iter().map(|part| shown(property, part, truth)))
        }
        (Kind::And(parts), false) | (Kind::Or(parts), true) => {
            common(&mut parts.iter().map(|part| shown(property, part, truth)))
        }
        (Kind::Implies(left, right), false) => {
            all(&mut [shown(property, left, true), shown(property, right, false)].into_iter())
        }
        (Kind::Implies(left, right), true) => {
            common(&mut [shown(property, left, false), shown(property, right, true)].into_iter())
        }
        (Kind::Quantified(_, variable, body), _) => {
            let mut inner = shown(property, body, truth);
            inner.remove(variable);
            inner
        }
        (Kind::Unary(UnaryOp::Once | UnaryOp::Prev, _, body), true)
        | (Kind::Unary(UnaryOp::Historically | UnaryOp::WeakPrev, _, body), false) => shown(property, body, truth),
        (Kind::Binary(BinaryOp::Since | BinaryOp::StrictSince, _, _, right), true)
        | (Kind::Binary(BinaryOp::Trigger, _, _, right), false) => shown(property, right, truth),
        (Kind::Aggregate(aggregation), true) => {
            let mut inner = shown(property, &aggregation.body, true);
            inner.retain(|variable| aggregation.groups.contains(variable));
            inner.insert(aggregation.result);
            inner
        }
        (Kind::Call(id, arguments), _) if !property.definitions[id.index()].recursive => {
            let definition = &property.definitions[id.index()];
            let inner = shown(property, &definition.body, truth);
            let fed = definition.parameters.iter().zip(arguments).filter(|(parameter, _)| inner.contains(parameter));
            variables(&mut fed.map(|(_, term)| term))
        }
        _ => none(),
    }
}
