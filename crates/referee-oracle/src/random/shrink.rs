//! Failing cases made small.
//!
//! Greedy: the first simpler case that still fails is taken, until none does. Simpler is a trace without one of its
//! points or events, and a property with a subformula replaced by one below it or by a constant, without a bound, or
//! without something it does not use. Only well-formed properties are tried.

use std::collections::BTreeSet;

use referee_spec::core::{BinaryOp, DefId, Direction, Formula, Interval, Kind, Property, Regex, UnaryOp, VarId};
use referee_trace::owned::OwnedTrace;

use super::source::write_source;

/// A simpler case that fails too, such that none of those next to it does.
pub fn shrink(
    property: Property,
    trace: OwnedTrace,
    fails: impl Fn(&Property, &OwnedTrace) -> bool,
) -> (Property, OwnedTrace) {
    let (mut property, mut trace) = (property, trace);
    loop {
        let shorter = simpler_traces(&trace).find(|simpler| fails(&property, simpler));
        if let Some(shorter) = shorter {
            trace = shorter;
            continue;
        }
        let simpler = simpler_properties(&property).find(|simpler| fails(simpler, &trace));
        match simpler {
            Some(simpler) => property = simpler,
            None => return (property, trace),
        }
    }
}

fn simpler_traces(trace: &OwnedTrace) -> impl Iterator<Item = OwnedTrace> {
    let without_point = |point: usize| {
        let mut simpler = trace.clone();
        simpler.points.remove(point);
        simpler
    };
    let without_event = |(point, event): (usize, usize)| {
        let mut simpler = trace.clone();
        simpler.points[point].events.remove(event);
        simpler
    };
    let events =
        trace.points.iter().enumerate().flat_map(|(point, it)| (0..it.events.len()).map(move |event| (point, event)));
    (0..trace.points.len()).map(without_point).chain(events.map(without_event))
}

fn simpler_properties(property: &Property) -> impl Iterator<Item = Property> {
    let with_body = |body| Property { body, ..property.clone() };
    let with_definition = |(index, body): (usize, Formula)| {
        let mut simpler = property.clone();
        simpler.definitions[index].body = body;
        simpler
    };
    let definitions = property.definitions.iter().enumerate();
    let bodies =
        definitions.flat_map(|(index, it)| simpler_formulas(&it.body).into_iter().map(move |body| (index, body)));
    let changed = simpler_formulas(&property.body).into_iter().map(with_body).chain(bodies.map(with_definition));
    without_leftovers(property).into_iter().chain(changed).filter(is_well_formed).map(|mut simpler| {
        write_source(&mut simpler);
        simpler
    })
}

/// The property without its last definition, and without each of its bindings.
fn without_leftovers(property: &Property) -> Vec<Property> {
    let mut simpler = Vec::new();
    if !property.definitions.is_empty() {
        simpler.push(property.clone());
        simpler[0].definitions.pop();
    }
    for binding in 0..property.bindings.len() {
        let mut fewer = property.clone();
        fewer.bindings.remove(binding);
        simpler.push(fewer);
    }
    simpler
}

/// Formulas that are one step simpler, the simplest first.
fn simpler_formulas(formula: &Formula) -> Vec<Formula> {
    if matches!(formula.kind, Kind::Constant(_)) {
        return Vec::new();
    }
    let mut simpler: Vec<Formula> =
        [false, true].map(|truth| Formula::new(Kind::Constant(truth), formula.span)).to_vec();
    simpler.extend(formula.kind.children().into_iter().cloned());
    simpler.extend(without_bound(formula));
    for (index, child) in formula.kind.children().into_iter().enumerate() {
        for replacement in simpler_formulas(child) {
            let mut changed = formula.clone();
            *children_mut(&mut changed.kind).swap_remove(index) = replacement;
            simpler.push(changed);
        }
    }
    simpler
}

fn without_bound(formula: &Formula) -> Option<Formula> {
    let mut unbounded = formula.clone();
    match &mut unbounded.kind {
        Kind::Unary(_, interval, _) | Kind::Binary(_, interval, _, _) | Kind::Match(_, interval, _) => {
            let bounded = !interval.is_all();
            *interval = Interval::all();
            bounded.then_some(unbounded)
        }
        _ => None,
    }
}

/// The formulas directly below, in the order of [`Kind::children`].
fn children_mut(kind: &mut Kind) -> Vec<&mut Formula> {
    match kind {
        Kind::Constant(_) | Kind::Event(_) | Kind::Compare(..) | Kind::Observe(_) | Kind::Call(..) => Vec::new(),
        Kind::Not(body) | Kind::Quantified(_, _, body) | Kind::Unary(_, _, body) => vec![body],
        Kind::And(all) | Kind::Or(all) => all.iter_mut().collect(),
        Kind::Implies(left, right) | Kind::Iff(left, right) | Kind::Binary(_, _, left, right) => vec![left, right],
        Kind::Match(_, _, regex) => regex_formulas_mut(regex),
        Kind::Aggregate(aggregation) => vec![&mut aggregation.body],
    }
}

fn regex_formulas_mut(regex: &mut Regex) -> Vec<&mut Formula> {
    match regex {
        Regex::Any => Vec::new(),
        Regex::Step(formula) | Regex::Test(formula) => vec![formula],
        Regex::Concat(left, right) | Regex::Choice(left, right) => {
            let mut formulas = regex_formulas_mut(left);
            formulas.extend(regex_formulas_mut(right));
            formulas
        }
        Regex::Star(body) => regex_formulas_mut(body),
    }
}

/// Whether all variables are bound, aggregations have theirs, all calls are of definitions there are, and recursive ones read earlier points only.
pub fn is_well_formed(property: &Property) -> bool {
    let known: BTreeSet<VarId> = property.bindings.iter().map(|binding| binding.variable).collect();
    let bodies_closed = property.definitions.iter().all(|definition| {
        let parameters = definition.parameters.iter().copied().collect();
        definition.body.free_variables().is_subset(&parameters)
    });
    let calls = Calls { definitions: property.definitions.len(), earliest_open: property.definitions.len() };
    let definitions_calm = property
        .definitions
        .iter()
        .enumerate()
        .all(|(own, definition)| Calls { earliest_open: own, ..calls }.are_fine(&definition.body, Reads::Now));
    property.body.free_variables().is_subset(&known)
        && bodies_closed
        && definitions_calm
        && calls.are_fine(&property.body, Reads::Now)
}

/// What a definition may call.
#[derive(Clone, Copy)]
struct Calls {
    /// How many definitions there are.
    definitions: usize,
    /// The first definition that may be called only at earlier points.
    earliest_open: usize,
}

/// Which points a subformula is read at, seen from the formula.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    Earlier,
    Now,
    Anywhere,
}

impl Calls {
    fn are_fine(self, formula: &Formula, reads: Reads) -> bool {
        if let Kind::Call(DefId(callee), _) = &formula.kind {
            let callee = *callee as usize;
            return callee < self.definitions && (callee < self.earliest_open || reads == Reads::Earlier);
        }
        if let Kind::Aggregate(aggregation) = &formula.kind {
            let free = aggregation.body.free_variables();
            let bound = |variable: &VarId| free.contains(variable);
            if !bound(&aggregation.over) || !aggregation.groups.iter().all(bound) {
                return false;
            }
        }
        let children = formula.kind.children().into_iter().enumerate();
        children.into_iter().all(|(index, child)| self.are_fine(child, reads_below(&formula.kind, index, reads)))
    }
}

/// The points at which the child with this index is read, if the formula is read at `reads`.
fn reads_below(kind: &Kind, index: usize, reads: Reads) -> Reads {
    let strictly_past = |interval: &Interval| !interval.contains(&referee_trace::number::Number::ZERO);
    let earlier = match kind {
        Kind::Unary(UnaryOp::Prev, ..) => true,
        Kind::Unary(UnaryOp::Once | UnaryOp::Historically, interval, _) => strictly_past(interval),
        Kind::Binary(BinaryOp::Since | BinaryOp::Trigger | BinaryOp::WeakSince, interval, ..) => {
            index == 1 && strictly_past(interval)
        }
        Kind::Unary(UnaryOp::Next | UnaryOp::WeakNext | UnaryOp::Eventually | UnaryOp::Always, ..)
        | Kind::Binary(BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release, ..)
        | Kind::Match(Direction::Future, ..) => return Reads::Anywhere,
        _ => false,
    };
    if earlier && reads == Reads::Now { Reads::Earlier } else { reads }
}
