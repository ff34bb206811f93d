//! Properties that speak of every point of the plane: they use a definition.
//!
//! `(forall p:place)(F)`, where F applies definitions to `p`, names events without their arguments, and joins that by the connectives and
//! the operators of the future. There are infinitely many points, but only the regions in which they lie matter, so nothing else can be
//! said of them: no other variable, no argument, no comparison.

use std::sync::Arc;

use super::definitions::Definitions;
use super::syntax::{BinaryOp, Formula, FormulaKind, Name, PropertyItem, Quantifier, Span, Term, TermKind, UnaryOp};
use crate::core::Language;
use crate::core::machine::plane::{Plane, PlaneEvent, PlaneFormula};
use crate::core::machine::{Body, Machine};
use crate::diagnostic::Diagnostic;
use crate::source::Source;

/// The hint that says what may be said of points.
const SAYING: &str = "write definitions of the point and the bare names of events, joined by operators of the future";

/// Makes a machine of a property that uses definitions; nothing if one of them has errors, or with the error in it.
pub(super) fn lower(
    item: &PropertyItem,
    definitions: &Definitions<'_>,
    source: &Source,
) -> Result<Option<Machine>, Box<Diagnostic>> {
    let (point, body) = quantified(&item.formula)?;
    let mut lowering = Lowering { point, definitions, events: Vec::new(), regions: Vec::new(), broken: false };
    let formula = lowering.formula(body)?;
    if lowering.broken {
        return Ok(None);
    }
    if lowering.regions.len() > Plane::MOST_REGIONS {
        return Err(refusal(item.span, "a formula about points uses more than 64 definitions", "split the property"));
    }
    let regions = lowering.regions.iter().filter_map(|name| definitions.get(name)?.region.clone()).collect();
    let plane = Plane { variable: point.text.clone(), events: lowering.events, regions, formula };
    let name = item.name.as_ref().map_or_else(|| source.stem.as_str().into(), |name| name.text.clone());
    let source = source.text.clone();
    Ok(Some(Machine { name, language: Language::Foltl, source, body: Body::Plane(plane) }))
}

/// The variable that stands for every point, and what is said of it.
fn quantified(formula: &Formula) -> Result<(&Name, &Formula), Box<Diagnostic>> {
    let hint = "write `(forall p:point)(…)` around the whole formula";
    match &formula.kind {
        FormulaKind::Quantified(Quantifier::Forall, variables, _, body) => match variables.as_slice() {
            [point] => Ok((point, body)),
            [_, other, ..] => Err(only_variable(other.span)),
            [] => Err(refusal(formula.span, "a definition speaks of points", hint)),
        },
        FormulaKind::Quantified(Quantifier::Exists, variables, ..) => {
            let span = variables.first().map_or(formula.span, |variable| variable.span);
            Err(refusal(span, "a formula that uses a definition speaks of every point", hint))
        }
        _ => Err(refusal(formula.span, "nothing binds the point of which a definition is asked", hint)),
    }
}

fn only_variable(span: Span) -> Box<Diagnostic> {
    refusal(span, "the point is the only variable of a formula that uses a definition", SAYING)
}

fn refusal(span: Span, message: impl Into<String>, hint: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("E1120", span, message).hint(hint))
}

/// The making of one property.
struct Lowering<'a> {
    point: &'a Name,
    definitions: &'a Definitions<'a>,
    events: Vec<PlaneEvent>,
    /// The names of the definitions that are used, in order.
    regions: Vec<Arc<str>>,
    /// Whether one of them has errors.
    broken: bool,
}

impl Lowering<'_> {
    fn formula(&mut self, formula: &Formula) -> Result<PlaneFormula, Box<Diagnostic>> {
        use PlaneFormula::{And, Constant, Or};
        let span = formula.span;
        Ok(match &formula.kind {
            FormulaKind::Missing => Constant(true),
            FormulaKind::Constant(truth) => Constant(*truth),
            FormulaKind::Event(name, arguments) => return self.atom(name, arguments.as_deref(), span),
            FormulaKind::Not(body) => self.formula(body)?.negated(),
            FormulaKind::And(all) => And(self.formulas(all)?),
            FormulaKind::Or(all) => Or(self.formulas(all)?),
            FormulaKind::Implies(left, right) => Or(vec![self.formula(left)?.negated(), self.formula(right)?]),
            FormulaKind::Iff(left, right) => {
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                let neither = And(vec![left.clone().negated(), right.clone().negated()]);
                Or(vec![And(vec![left, right]), neither])
            }
            FormulaKind::Unary(operator, body) => {
                let body = self.formula(body)?;
                return unary(*operator, body).ok_or_else(|| looks_back(span));
            }
            FormulaKind::Binary(operator, left, right) => {
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                return binary(*operator, left, right).ok_or_else(|| looks_back(span));
            }
            FormulaKind::Quantified(_, variables, ..) => {
                return Err(only_variable(variables.first().map_or(span, |variable| variable.span)));
            }
            FormulaKind::Compare(..) => {
                return Err(refusal(span, "a formula that uses a definition compares nothing by itself", SAYING));
            }
        })
    }

    fn formulas(&mut self, all: &[Formula]) -> Result<Vec<PlaneFormula>, Box<Diagnostic>> {
        all.iter().map(|formula| self.formula(formula)).collect()
    }

    fn atom(
        &mut self,
        name: &Arc<str>,
        arguments: Option<&[Term]>,
        span: Span,
    ) -> Result<PlaneFormula, Box<Diagnostic>> {
        let Some(defined) = self.definitions.get(name) else { return self.event(name, arguments, span) };
        let is_point = |term: &Term| matches!(&term.kind, TermKind::Name(name) if *name == self.point.text);
        if !arguments.is_some_and(|arguments| matches!(arguments, [only] if is_point(only))) {
            let point = &self.point.text;
            let message = format!("`{name}` is asked of the point `{point}` and of nothing else");
            let hint = format!("write `{name}({point})`; its other parameters are the arguments of the event");
            let error = Diagnostic::error("E1122", span, message).hint(hint);
            return Err(Box::new(error.related(defined.item.name.span, "defined here")));
        }
        self.broken |= defined.region.is_none();
        let known = self.regions.iter().position(|known| known == name);
        Ok(PlaneFormula::Inside(known.unwrap_or_else(|| {
            self.regions.push(name.clone());
            self.regions.len() - 1
        })))
    }

    fn event(
        &mut self,
        name: &Arc<str>,
        arguments: Option<&[Term]>,
        span: Span,
    ) -> Result<PlaneFormula, Box<Diagnostic>> {
        if *name == self.point.text {
            return Err(refusal(span, format!("`{name}` is a point, not an event"), SAYING));
        }
        if arguments.is_some() {
            let message = format!("`{name}` is an event; where points are judged, events are named without arguments");
            return Err(refusal(span, message, SAYING));
        }
        let known = self.events.iter().position(|event| event.name == *name);
        Ok(PlaneFormula::Event(known.unwrap_or_else(|| {
            self.events.push(PlaneEvent { name: name.clone(), span });
            self.events.len() - 1
        })))
    }
}

fn looks_back(span: Span) -> Box<Diagnostic> {
    refusal(span, "this operator looks back", SAYING)
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
