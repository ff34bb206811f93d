//! Definitions of predicates over points: `define inBox(p, x1, y1, x2, y2) = x1 <= p.x and …`.
//!
//! The first parameter is the point, the others are the arguments of the event. The body joins comparisons whose sides are *linear* in the
//! point, which every term here is shown to be: a coordinate is multiplied by what does not read the point only, `min` and `max` do not
//! read it, and nothing is divided by anything but a number other than zero. So the region of an event is bounded by straight lines,
//! whatever the values of its arguments.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use referee_trace::number::Number;

use super::parse::Parsed;
use super::syntax::{
    Arithmetic, Comparison, Damage, DefinitionItem, Formula, FormulaKind, Item, Name, Span, Term, TermKind,
};
use crate::core::machine::plane::{RegionCondition, RegionDefinition, RegionTerm};
use crate::diagnostic::Diagnostic;

/// How the hint of every error about a definition ends.
const CONSTRAINTS: &str = "join comparisons that are linear in the point by and, or, not, => and <=>";

/// The definitions of a file by their names.
pub(super) struct Definitions<'a> {
    all: BTreeMap<&'a str, Defined<'a>>,
}

/// One definition.
pub(super) struct Defined<'a> {
    /// As written.
    pub item: &'a DefinitionItem,
    /// What it says, unless there are errors in it.
    pub region: Option<RegionDefinition>,
    used: Cell<bool>,
}

impl<'a> Definitions<'a> {
    /// The definitions of a file, whose events are declared with these names.
    pub(super) fn of(
        parsed: &'a Parsed,
        declared: &BTreeMap<&str, Span>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Definitions<'a> {
        let mut all: BTreeMap<&str, Defined<'_>> = BTreeMap::new();
        for item in &parsed.file.items {
            let Item::Definition(item) = item else { continue };
            let earlier = all.get(&*item.name.text).map(|earlier| earlier.item.name.span);
            if let Some(first) = earlier.or_else(|| declared.get(&*item.name.text).copied()) {
                diagnostics.push(clash(&item.name, first, "give the definition a name of its own"));
            }
            let mut lowering = Lowering { item, reads: BTreeSet::new(), found: Vec::new() };
            let region = lowering.region().filter(|_| item.damage == Damage::None);
            if item.damage != Damage::Gap {
                diagnostics.append(&mut lowering.found);
            }
            all.entry(&item.name.text).or_insert(Defined { item, region, used: Cell::new(false) });
        }
        Definitions { all }
    }

    /// The definition with this name.
    pub(super) fn get(&self, name: &str) -> Option<&Defined<'a>> {
        self.all.get(name)
    }

    /// Whether a formula uses definitions; notes which.
    pub(super) fn are_used_by(&self, formula: &Formula) -> bool {
        let mut used = false;
        if !self.all.is_empty() {
            for_each_event(formula, &mut |name| {
                if let Some(defined) = self.all.get(name) {
                    defined.used.set(true);
                    used = true;
                }
            });
        }
        used
    }

    /// Warns of definitions that nothing uses.
    pub(super) fn unused(&self) -> impl Iterator<Item = Diagnostic> {
        self.all.values().filter(|defined| !defined.used.get()).map(|defined| {
            let Name { text, span } = &defined.item.name;
            let hint = format!("write `{text}(p)` in a formula about every point `p`, or remove the definition");
            Diagnostic::warning("L0010", *span, format!("nothing uses the definition of `{text}`")).hint(hint)
        })
    }
}

fn clash(name: &Name, first: Span, hint: &str) -> Diagnostic {
    let message = format!("the name `{}` stands for something else already", name.text);
    Diagnostic::error("E1123", name.span, message).hint(hint).related(first, "it stands for this")
}

/// Visits the names of all events of a formula.
fn for_each_event(formula: &Formula, visit: &mut impl FnMut(&str)) {
    match &formula.kind {
        FormulaKind::Event(name, _) => visit(name),
        FormulaKind::Missing | FormulaKind::Constant(_) | FormulaKind::Compare(..) => {}
        FormulaKind::Not(body) | FormulaKind::Quantified(_, _, _, body) | FormulaKind::Unary(_, body) => {
            for_each_event(body, visit);
        }
        FormulaKind::And(all) | FormulaKind::Or(all) => all.iter().for_each(|part| for_each_event(part, visit)),
        FormulaKind::Implies(left, right) | FormulaKind::Iff(left, right) | FormulaKind::Binary(_, left, right) => {
            for_each_event(left, visit);
            for_each_event(right, visit);
        }
    }
}

/// The making of one definition.
struct Lowering<'a> {
    item: &'a DefinitionItem,
    reads: BTreeSet<usize>,
    found: Vec<Diagnostic>,
}

impl Lowering<'_> {
    /// The definition; nothing if there are errors in it.
    fn region(&mut self) -> Option<RegionDefinition> {
        let DefinitionItem { name, parameters, body, .. } = self.item;
        for (index, parameter) in parameters.iter().enumerate() {
            if let Some(first) = parameters[..index].iter().find(|earlier| earlier.text == parameter.text) {
                self.found.push(clash(parameter, first.span, "give each parameter a name of its own"));
            }
        }
        let condition = self.condition(body);
        Some(RegionDefinition {
            name: name.text.clone(),
            arity: parameters.len().saturating_sub(1),
            reads: self.reads.iter().copied().collect(),
            condition: condition.filter(|_| self.found.is_empty())?,
        })
    }

    /// Reports what cannot be said in a definition.
    fn refuse<T>(&mut self, span: Span, message: impl Into<String>, hint: impl Into<String>) -> Option<T> {
        self.found.push(Diagnostic::error("E1121", span, message).hint(hint));
        None
    }

    fn condition(&mut self, formula: &Formula) -> Option<RegionCondition> {
        use RegionCondition::{And, Compare, Constant, Not, Or};
        let not = |condition| Not(Box::new(condition));
        Some(match &formula.kind {
            FormulaKind::Missing => return None,
            FormulaKind::Constant(truth) => Constant(*truth),
            FormulaKind::Compare(comparison, left, right) => {
                let (left, right) = (self.term(left), self.term(right));
                Compare(self.comparison(*comparison, formula.span)?, left?, right?)
            }
            FormulaKind::Not(body) => not(self.condition(body)?),
            FormulaKind::And(all) => And(self.conditions(all)?),
            FormulaKind::Or(all) => Or(self.conditions(all)?),
            FormulaKind::Implies(left, right) => {
                let (left, right) = (self.condition(left), self.condition(right));
                Or(vec![not(left?), right?])
            }
            FormulaKind::Iff(left, right) => {
                let (left, right) = (self.condition(left), self.condition(right));
                let (left, right) = (left?, right?);
                Or(vec![And(vec![left.clone(), right.clone()]), And(vec![not(left), not(right)])])
            }
            FormulaKind::Event(name, _) => {
                return self.refuse(formula.span, format!("a definition cannot use the event `{name}`"), CONSTRAINTS);
            }
            FormulaKind::Quantified(..) => {
                return self.refuse(formula.span, "a definition has no quantifiers", CONSTRAINTS);
            }
            FormulaKind::Unary(..) | FormulaKind::Binary(..) => {
                return self.refuse(formula.span, "a definition speaks of one event only", CONSTRAINTS);
            }
        })
    }

    fn conditions(&mut self, all: &[Formula]) -> Option<Vec<RegionCondition>> {
        // Each of them is looked at, so that each error is told.
        let conditions: Vec<Option<RegionCondition>> = all.iter().map(|part| self.condition(part)).collect();
        conditions.into_iter().collect()
    }

    fn comparison(&mut self, comparison: Comparison, span: Span) -> Option<Comparison> {
        match comparison {
            Comparison::Substring | Comparison::Matches => {
                self.refuse(span, "a definition compares numbers", CONSTRAINTS)
            }
            ordering => Some(ordering),
        }
    }

    fn term(&mut self, term: &Term) -> Option<RegionTerm> {
        Some(match &term.kind {
            TermKind::Missing => return None,
            TermKind::Name(name) => return self.parameter(name, term.span),
            TermKind::Coordinate(point, coordinate) => return self.coordinate(point, coordinate, term.span),
            TermKind::Number(text) => match Number::parse(text) {
                Some(number) => RegionTerm::Number(number),
                None => {
                    let hint = "write it without leading zeros and with an exponent up to 9999";
                    return self.refuse(term.span, format!("`{text}` is not written as a number"), hint);
                }
            },
            TermKind::String(_) | TermKind::Boolean(_) => {
                return self.refuse(term.span, "a definition computes with numbers", CONSTRAINTS);
            }
            TermKind::Negate(body) => RegionTerm::Negate(Box::new(self.term(body)?)),
            TermKind::Apply(name, arguments) => return self.application(name, arguments, term.span),
            TermKind::Binary(operator, left, right) => {
                let (left, right) = (self.term(left), self.term(right));
                return self.binary(*operator, left?, right?, term.span);
            }
        })
    }

    /// An argument of the event.
    fn parameter(&mut self, name: &Arc<str>, span: Span) -> Option<RegionTerm> {
        match self.position(name) {
            Some(0) => {
                let hint = format!("write `{name}.x` or `{name}.y`");
                self.refuse(span, format!("`{name}` is a point, not a number"), hint)
            }
            Some(place) => {
                self.reads.insert(place - 1);
                Some(RegionTerm::Argument(place - 1))
            }
            None => {
                let hint = "a definition may use its parameters and numbers";
                self.refuse(span, format!("`{name}` is no parameter of this definition"), hint)
            }
        }
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.item.parameters.iter().position(|parameter| *parameter.text == *name)
    }

    fn coordinate(&mut self, point: &Arc<str>, coordinate: &Name, span: Span) -> Option<RegionTerm> {
        if self.position(point) != Some(0) {
            let hint = "the first parameter is the point; the others are the arguments of the event";
            return self.refuse(span, format!("`{point}` is an argument of the event and has no coordinates"), hint);
        }
        match &*coordinate.text {
            "x" => Some(RegionTerm::X),
            "y" => Some(RegionTerm::Y),
            other => {
                let hint = format!("write `{point}.x` or `{point}.y`");
                self.refuse(coordinate.span, format!("a point has no coordinate `{other}`"), hint)
            }
        }
    }

    /// `min(a, b, …)` or `max(a, b, …)`
    fn application(&mut self, name: &str, arguments: &[Term], span: Span) -> Option<RegionTerm> {
        let terms: Vec<Option<RegionTerm>> = arguments.iter().map(|argument| self.term(argument)).collect();
        let terms: Vec<RegionTerm> = terms.into_iter().collect::<Option<_>>()?;
        if !matches!(name, "min" | "max") || terms.is_empty() {
            let hint = "`min` and `max` of arguments of the event are all that there is";
            return self.refuse(span, format!("`{name}` cannot be computed here"), hint);
        }
        if terms.iter().any(reads_point) {
            let hint = "compare each of them by itself, and join the comparisons by and, or by or";
            return self.refuse(span, format!("`{name}` of coordinates of the point is not linear"), hint);
        }
        Some(if name == "min" { RegionTerm::Least(terms) } else { RegionTerm::Greatest(terms) })
    }

    fn binary(&mut self, operator: Arithmetic, left: RegionTerm, right: RegionTerm, span: Span) -> Option<RegionTerm> {
        if operator == Arithmetic::Multiply && reads_point(&left) && reads_point(&right) {
            let hint = "multiply a coordinate by what does not read the point: numbers and arguments of the event";
            return self.refuse(span, "a product of coordinates of the point is not linear", hint);
        }
        let by_number = matches!(&right, RegionTerm::Number(number) if *number != Number::ZERO);
        if operator == Arithmetic::Divide && !by_number {
            let hint = "multiply both sides of the comparison instead";
            return self.refuse(span, "a definition divides by numbers other than zero only", hint);
        }
        Some(RegionTerm::Binary(operator, Box::new(left), Box::new(right)))
    }
}

fn reads_point(term: &RegionTerm) -> bool {
    match term {
        RegionTerm::X | RegionTerm::Y => true,
        RegionTerm::Number(_) | RegionTerm::Argument(_) => false,
        RegionTerm::Negate(body) => reads_point(body),
        RegionTerm::Binary(_, left, right) => reads_point(left) || reads_point(right),
        RegionTerm::Least(all) | RegionTerm::Greatest(all) => all.iter().any(reads_point),
    }
}
