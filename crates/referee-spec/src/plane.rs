//! FO-LTL over the points of the plane: `(forall p:point)` and `onRoute(p)`.
//!
//! A property whose only outer variable is of the sort `point` is judged for every point of the plane; events are routes. It may say of an
//! event its bare name and of the point `onRoute(p)`, and join that by the operators of the future.

use std::sync::Arc;

use crate::compiled::Compiled;
use crate::core::machine::plane::{Plane, PlaneFormula};
use crate::core::machine::{Body, Machine};
use crate::core::{BinaryOp, Domain, Formula, Kind, Property, Rule, Term, UnaryOp, VarId};
use crate::diagnostic::{Diagnostic, Explanation};

/// The sort of points, and the predicate that tells which lie on the route of the event.
const SORT: &str = "point";
const PREDICATE: &str = "onRoute";

/// The explanations.
pub(crate) const CODES: &[Explanation] = &[Explanation {
    code: "E1120",
    title: "something that cannot be said of the points of the plane",
    meaning: "A variable of the sort `point` ranges over all points of the plane. The formula may say `onRoute(p)` of it, the bare names of \
              events, and join that by not, and, or, =>, <=> and the operators of the future without intervals.",
    why: "There are infinitely many points; they are judged exactly because only the routes on which they lie matter.",
    example: "(forall p:point)(always (block(p) => eventually free))",
    instead: "(forall p:point)(always ((block and onRoute(p)) => eventually (free and onRoute(p))))",
}];

/// Makes rules of properties; those about points become machines.
pub(crate) fn separate(compiled: Compiled<Property>) -> Compiled<Rule> {
    let Compiled { properties, mut diagnostics } = compiled;
    let mut rules: Vec<Rule> = Vec::new();
    for property in properties {
        match point_of(&property) {
            None => rules.push(property.into()),
            Some(variable) => match lower(&property, variable) {
                Ok(plane) => rules.push(machine(&property, plane).into()),
                Err(found) => diagnostics.push(*found),
            },
        }
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Compiled { properties: rules, diagnostics }
}

fn machine(property: &Property, plane: Plane) -> Machine {
    let Property { name, language, source, .. } = property;
    Machine { name: name.clone(), language: *language, source: source.clone(), body: Body::Plane(plane) }
}

/// The outer variable of the sort `point`, if there is one and the formula asks where it lies.
fn point_of(property: &Property) -> Option<VarId> {
    let is_point = |id: VarId| match property.variable(id).domain {
        Domain::Trace(sort) | Domain::SoFar(sort) => *property.sorts[sort.0 as usize].name == *SORT,
        Domain::Infinite => false,
    };
    let variable = property.bindings.iter().map(|binding| binding.variable).find(|id| is_point(*id))?;
    let mut asks = false;
    property.body.visit(&mut |formula| asks |= matches!(&formula.kind, Kind::Event(atom) if *atom.name == *PREDICATE));
    asks.then_some(variable)
}

fn lower(property: &Property, variable: VarId) -> Result<Plane, Box<Diagnostic>> {
    if property.bindings.len() != 1 {
        let other = property.bindings.iter().find(|binding| binding.variable != variable);
        let span = property.variable(other.map_or(variable, |binding| binding.variable)).span;
        return Err(refusal(span, "a point of the plane is the only variable that may be quantified"));
    }
    let mut lowering = Lowering { variable, events: Vec::new() };
    let formula = lowering.formula(&property.body)?;
    Ok(Plane { variable: property.variable(variable).name.clone(), events: lowering.events, formula })
}

fn refusal(span: crate::core::Span, message: &str) -> Box<Diagnostic> {
    let hint = "write `onRoute(p)` and the bare names of events, joined by operators of the future without intervals";
    Box::new(Diagnostic::error("E1120", span, message).hint(hint))
}

struct Lowering {
    variable: VarId,
    events: Vec<Arc<str>>,
}

impl Lowering {
    fn formula(&mut self, formula: &Formula) -> Result<PlaneFormula, Box<Diagnostic>> {
        use PlaneFormula::{And, Constant, Event, OnRoute, Or};
        Ok(match &formula.kind {
            Kind::Constant(truth) => Constant(*truth),
            Kind::Event(atom) if *atom.name == *PREDICATE => match atom.arguments.as_deref() {
                Some([Term::Variable(variable)]) if *variable == self.variable => OnRoute,
                _ => return Err(refusal(formula.span, "`onRoute` takes the point and nothing else")),
            },
            Kind::Event(atom) if atom.arguments.is_none() => Event(self.event(&atom.name)),
            Kind::Not(body) => self.formula(body)?.negated(),
            Kind::And(all) => And(self.all(all)?),
            Kind::Or(all) => Or(self.all(all)?),
            Kind::Implies(left, right) => Or(vec![self.formula(left)?.negated(), self.formula(right)?]),
            Kind::Iff(left, right) => {
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                let neither = And(vec![left.clone().negated(), right.clone().negated()]);
                Or(vec![And(vec![left, right]), neither])
            }
            Kind::Unary(operator, interval, body) if interval.is_all() => {
                let body = self.formula(body)?;
                return unary(*operator, body).ok_or_else(|| refusal(formula.span, "this operator looks back"));
            }
            Kind::Binary(operator, interval, left, right) if interval.is_all() => {
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                return binary(*operator, left, right).ok_or_else(|| refusal(formula.span, "this operator looks back"));
            }
            _ => return Err(refusal(formula.span, "this cannot be said of the points of the plane")),
        })
    }

    fn all(&mut self, all: &[Formula]) -> Result<Vec<PlaneFormula>, Box<Diagnostic>> {
        all.iter().map(|formula| self.formula(formula)).collect()
    }

    fn event(&mut self, name: &Arc<str>) -> usize {
        self.events.iter().position(|known| known == name).unwrap_or_else(|| {
            self.events.push(name.clone());
            self.events.len() - 1
        })
    }
}

fn next(body: PlaneFormula) -> PlaneFormula {
    PlaneFormula::Next(Box::new(body))
}

fn until(left: PlaneFormula, right: PlaneFormula) -> PlaneFormula {
    PlaneFormula::Until(Box::new(left), Box::new(right))
}

fn unary(operator: UnaryOp, body: PlaneFormula) -> Option<PlaneFormula> {
    let truth = PlaneFormula::Constant(true);
    Some(match operator {
        UnaryOp::Next => next(body),
        UnaryOp::WeakNext => next(body.negated()).negated(),
        UnaryOp::Eventually => until(truth, body),
        UnaryOp::Always => until(truth, body.negated()).negated(),
        UnaryOp::Prev | UnaryOp::WeakPrev | UnaryOp::Once | UnaryOp::Historically => return None,
    })
}

fn binary(operator: BinaryOp, left: PlaneFormula, right: PlaneFormula) -> Option<PlaneFormula> {
    Some(match operator {
        BinaryOp::Until => until(left, right),
        BinaryOp::Release => until(left.negated(), right.negated()).negated(),
        BinaryOp::WeakUntil => {
            let always = until(PlaneFormula::Constant(true), left.clone().negated()).negated();
            PlaneFormula::Or(vec![until(left, right), always])
        }
        BinaryOp::Since | BinaryOp::StrictSince | BinaryOp::WeakSince | BinaryOp::Trigger => return None,
    })
}
