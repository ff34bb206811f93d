//! Recognises the policies that can be judged by deltas, and takes out their parts.

use std::sync::Arc;

use referee_spec::core::{
    AggregateFunction, Aggregation, Arithmetic, Comparison, Domain, EventAtom, Formula, Interval, Judgement, Kind,
    Property, Quantifier, Term, UnaryOp, VarId,
};
use referee_trace::value::Value;

use super::window::TallyWindow;

/// The parts of a policy.
#[derive(Debug, Clone)]
pub(super) struct TallyShape {
    /// The aggregates, at least one.
    pub aggregates: Vec<Tallied>,
    /// The groups of all of them.
    pub groups: Vec<VarId>,
    /// An event that must happen for a violation.
    pub guard: Option<TallyPattern>,
    /// What must hold of results, groups and the guard's variables for a violation.
    pub limits: Vec<Formula>,
    /// The variables that a violation reports.
    pub reported: Vec<VarId>,
}

/// One aggregate.
#[derive(Debug, Clone)]
pub(super) struct Tallied {
    /// The variable that is the result.
    pub result: VarId,
    /// How values are put together.
    pub function: AggregateFunction,
    /// Whose values; nothing where they do not matter.
    pub over: Option<VarId>,
    /// The event that is counted.
    pub pattern: TallyPattern,
    /// What must hold of its arguments.
    pub filters: Vec<Formula>,
    /// The variables, besides the groups, that tell assignments apart.
    pub own: Vec<VarId>,
    /// Whether points tell them apart too.
    pub stamped: bool,
    /// The window.
    pub interval: Interval,
}

/// An event with arguments.
#[derive(Debug, Clone)]
pub(super) struct TallyPattern {
    /// Its name.
    pub name: Arc<str>,
    /// Its arguments.
    pub arguments: Vec<TallyArgument>,
}

/// An argument of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TallyArgument {
    /// It may be anything.
    Any,
    /// It is this value.
    Constant(Value),
    /// It is the value of this variable.
    Variable(VarId),
}

impl TallyShape {
    /// The window of one of its aggregates.
    pub(super) fn window(&self, index: usize, one: &Tallied) -> TallyWindow {
        let repeats = (!one.stamped).then_some(self.groups.len() + one.own.len());
        TallyWindow::new(one.interval.clone(), index, one.over.is_some(), repeats)
    }
}

impl TallyPattern {
    fn of(atom: &EventAtom) -> Option<TallyPattern> {
        let argument = |term: &Term| match term {
            Term::Any => Some(TallyArgument::Any),
            Term::Constant(value) => Some(TallyArgument::Constant(value.clone())),
            Term::Variable(variable) => Some(TallyArgument::Variable(*variable)),
            _ => None,
        };
        let arguments = atom.arguments.as_ref()?.iter().map(argument).collect::<Option<Vec<TallyArgument>>>()?;
        Some(TallyPattern { name: atom.name.clone(), arguments })
    }

    /// Whether a variable is among the arguments.
    pub(super) fn binds(&self, variable: VarId) -> bool {
        self.arguments.contains(&TallyArgument::Variable(variable))
    }

    /// The first place of a variable.
    pub(super) fn place(&self, variable: VarId) -> Option<usize> {
        self.arguments.iter().position(|argument| *argument == TallyArgument::Variable(variable))
    }
}

impl TallyShape {
    /// The parts of a policy, if it has this shape.
    pub(super) fn of(property: &Property) -> Option<TallyShape> {
        let infinite = property.variables.iter().all(|variable| variable.domain == Domain::Infinite);
        if property.judgement != Judgement::EveryBinding || !infinite || !property.definitions.is_empty() {
            return None;
        }
        let mut parts = PolicyParts::default();
        parts.add(&property.body, false)?;
        let first = parts.aggregations.first()?;
        let groups = first.groups.clone();
        let same = |other: &&Aggregation| {
            other.groups.len() == groups.len() && other.groups.iter().all(|group| groups.contains(group))
        };
        if !parts.aggregations.iter().all(same) || parts.guards.len() > 1 {
            return None;
        }
        let aggregates = parts.aggregations.iter().map(|one| Tallied::of(one)).collect::<Option<Vec<Tallied>>>()?;
        let shape = TallyShape {
            aggregates,
            groups,
            guard: parts.guards.pop(),
            limits: parts.limits,
            reported: property.bindings.iter().map(|binding| binding.variable).collect(),
        };
        shape.is_closed(&parts.hidden).then_some(shape)
    }

    /// Whether aggregates and guard bind all that is used, and what is not reported follows from what is.
    fn is_closed(&self, hidden: &[VarId]) -> bool {
        let is_result = |variable: &VarId| self.aggregates.iter().any(|one| one.result == *variable);
        let guarded = |variable: &VarId| self.guard.as_ref().is_some_and(|guard| guard.binds(*variable));
        let bound = |variable: &VarId| is_result(variable) || self.groups.contains(variable) || guarded(variable);
        let results: Vec<VarId> = self.aggregates.iter().map(|one| one.result).collect();
        let distinct = results.iter().enumerate().all(|(at, one)| !results[..at].contains(one) && !guarded(one));
        let limits = self.limits.iter().all(|limit| limit.free_variables().iter().all(bound));
        let guard = self.guard.is_none() || self.groups.iter().all(guarded);
        distinct && limits && guard && self.reported.iter().all(bound) && hidden.iter().all(is_result)
    }
}

/// The conjuncts of a negated policy.
#[derive(Default)]
struct PolicyParts<'p> {
    aggregations: Vec<&'p Aggregation>,
    guards: Vec<TallyPattern>,
    limits: Vec<Formula>,
    /// Variables of inner quantifiers.
    hidden: Vec<VarId>,
}

impl<'p> PolicyParts<'p> {
    /// Adds a formula, or its negation unless `truth`, as a conjunct; nothing if it is of no use here.
    fn add(&mut self, formula: &'p Formula, truth: bool) -> Option<()> {
        match (&formula.kind, truth) {
            (Kind::Not(body), _) => self.add(body, !truth),
            (Kind::And(parts), true) | (Kind::Or(parts), false) => {
                parts.iter().try_for_each(|part| self.add(part, truth))
            }
            (Kind::Implies(left, right), false) => {
                self.add(left, true)?;
                self.add(right, false)
            }
            (Kind::Quantified(Quantifier::Exists, variable, body), true)
            | (Kind::Quantified(Quantifier::Forall, variable, body), false) => {
                self.hidden.push(*variable);
                self.add(body, truth)
            }
            (Kind::Aggregate(aggregation), true) => {
                self.aggregations.push(aggregation);
                Some(())
            }
            (Kind::Event(atom), true) => {
                self.guards.push(TallyPattern::of(atom)?);
                Some(())
            }
            _ if is_pure(formula) => {
                let kind = if truth { formula.kind.clone() } else { Kind::Not(Box::new(formula.clone())) };
                self.limits.push(Formula::new(kind, formula.span));
                Some(())
            }
            _ => None,
        }
    }
}

/// Whether a formula speaks of nothing but values, and is always decidable.
fn is_pure(formula: &Formula) -> bool {
    match &formula.kind {
        Kind::Constant(_) => true,
        Kind::Compare(_, left, right) => is_plain(left) && is_plain(right),
        Kind::Not(_) | Kind::And(_) | Kind::Or(_) | Kind::Implies(..) | Kind::Iff(..) => {
            formula.kind.children().into_iter().all(is_pure)
        }
        _ => false,
    }
}

/// Whether a term has a value or certainly none: it does not divide, and does not depend on the point.
fn is_plain(term: &Term) -> bool {
    match term {
        Term::Variable(_) | Term::Constant(_) => true,
        Term::Binary(Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply, left, right) => {
            is_plain(left) && is_plain(right)
        }
        Term::Negate(body) | Term::Apply(_, body) => is_plain(body),
        Term::Binary(..) | Term::Field(_) | Term::Any | Term::PointNumber | Term::PointTime => false,
    }
}

impl Tallied {
    fn of(aggregation: &Aggregation) -> Option<Tallied> {
        let Kind::Unary(UnaryOp::Once, interval, body) = &aggregation.body.kind else { return None };
        let mut found = Body { pattern: None, stamp: None, filters: Vec::new() };
        found.add(body)?;
        let pattern = found.pattern?;
        let stamped = found.stamp.is_some();
        let free = aggregation.own();
        let own: Vec<VarId> = free.into_iter().filter(|variable| Some(*variable) != found.stamp).collect();
        let bound = |variable: &VarId| pattern.binds(*variable);
        let filters = found.filters.iter().all(|filter| filter.free_variables().iter().all(bound));
        let over = (!aggregation.function.ignores_values()).then_some(aggregation.over);
        let bound_all =
            own.iter().all(bound) && aggregation.groups.iter().all(bound) && over.as_ref().is_none_or(bound);
        (filters && bound_all).then(|| Tallied {
            result: aggregation.result,
            function: aggregation.function,
            over,
            filters: found.filters,
            own,
            stamped,
            interval: interval.clone(),
            pattern,
        })
    }
}

/// The conjuncts of what is aggregated.
struct Body {
    pattern: Option<TallyPattern>,
    stamp: Option<VarId>,
    filters: Vec<Formula>,
}

impl Body {
    fn add(&mut self, formula: &Formula) -> Option<()> {
        match &formula.kind {
            Kind::And(parts) => parts.iter().try_for_each(|part| self.add(part)),
            Kind::Quantified(Quantifier::Exists, _, body) => self.add(body),
            Kind::Event(atom) if self.pattern.is_none() => {
                self.pattern = Some(TallyPattern::of(atom)?);
                Some(())
            }
            Kind::Compare(Comparison::Equal, Term::Variable(variable), Term::PointNumber) if self.stamp.is_none() => {
                self.stamp = Some(*variable);
                Some(())
            }
            _ if is_pure(formula) => {
                self.filters.push(formula.clone());
                Some(())
            }
            _ => None,
        }
    }
}
