//! Outlines of formulas.
//!
//! Each temporal operator is a table whose rows are keyed by its free variables. An event atom acts on the innermost table
//! around it, or is checked at once. The outline keeps to the formula as it was written; the engine's plan has the same
//! tables, with weak and universal operators written as the negations of strong ones.

use std::collections::BTreeSet;
use std::sync::Arc;

use referee_spec::core::{
    Arithmetic, BinaryOp, Comparison, Domain, Formula, Judgement, Kind, Property, Span, Term, UnaryOp, UnseenOrder,
    VarId,
};
use referee_trace::number::Number;

use super::effects::{EffectWalk, Remembered, condition, is_guarded, strip_always};
use super::outline::{Looks, Outline};
use super::timing;
use super::wording::{interval, names, quoted};
use crate::fo::{self, Description, Passes};
use crate::tally::TallyJudge;

/// The outline of a formula.
pub(super) fn of_formula(property: &Arc<Property>) -> Outline {
    let (walk, way) = (EffectWalk::of(property), FormulaWay::of(property));
    Outline {
        name: property.name.to_string(),
        language: property.language.name().to_owned(),
        judged: judged(property),
        verdicts: timing::verdicts(property),
        cost: cost(property, &walk, &way),
        growth: growth(property, &walk, &way),
        way: way.lines,
        domains: domains(property),
        gives_up: gives_up(property),
        events: walk.events(property),
        tables: walk.tables.into_iter().map(|table| table.table).collect(),
    }
}

/// Which way a property takes.
struct FormulaWay {
    kind: WayKind,
    /// What was made of it.
    lines: Vec<String>,
    /// The parts that the general path evaluates: their texts, where they stand, and whether every point moves them on.
    parts: Vec<(String, Span, bool)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WayKind {
    Totals,
    Handlers,
    General,
}

impl FormulaWay {
    fn of(property: &Arc<Property>) -> FormulaWay {
        if TallyJudge::new(property).is_some() {
            let line = "running totals: only the groups that an event changes are compared with their bounds";
            return FormulaWay { kind: WayKind::Totals, lines: vec![line.to_owned()], parts: Vec::new() };
        }
        match fo::describe(property, &Passes::ALL) {
            Ok(Description { lines, parts }) => {
                let title = match parts.is_empty() {
                    true => "tables and handlers:",
                    false => "tables and handlers, which ask the general path for what G0, G1, … stand for:",
                };
                let lines = std::iter::once(title.to_owned()).chain(lines).collect();
                FormulaWay { kind: WayKind::Handlers, lines, parts }
            }
            Err(reason) => {
                let line = format!("general tables, joined anew at every point: {reason}");
                FormulaWay { kind: WayKind::General, lines: vec![line], parts: Vec::new() }
            }
        }
    }

    /// Whether the general path evaluates a formula.
    fn is_general(&self, formula: &Formula) -> bool {
        let within = |span: &Span| span.start <= formula.span.start && formula.span.end <= span.end;
        self.kind == WayKind::General || self.parts.iter().any(|(_, span, _)| within(span))
    }
}

fn judged(property: &Property) -> String {
    match property.judgement {
        Judgement::Once if property.bindings.is_empty() => "once, at the first point".to_owned(),
        Judgement::Once => format!("once, at the first point, for each {}", names(property, &bound(property))),
        Judgement::EveryPoint => "at every point; a point has at most one violation".to_owned(),
        Judgement::EveryBinding if property.bindings.is_empty() => "at every point".to_owned(),
        Judgement::EveryBinding => format!("at every point, for each {}", names(property, &bound(property))),
    }
}

fn bound(property: &Property) -> Vec<VarId> {
    property.bindings.iter().map(|binding| binding.variable).collect()
}

fn all_formulas(property: &Property) -> Vec<&Formula> {
    let mut found: Vec<&Formula> = Vec::new();
    for body in property.definitions.iter().map(|definition| &definition.body).chain([&property.body]) {
        body.visit(&mut |formula| found.push(formula));
    }
    found
}

fn cost(property: &Property, walk: &EffectWalk<'_>, way: &FormulaWay) -> Vec<String> {
    if way.kind == WayKind::Totals {
        return vec![
            "constant: each event enters its group once and leaves it once, whatever the window and the other groups"
                .to_owned(),
        ];
    }
    let mut cost = Vec::new();
    let body = strip_always(property);
    // Parts are asked for where events have bound their variables.
    let is_guarded = |variable| is_guarded(body, false, variable) || !way.parts.is_empty();
    if property.bindings.iter().all(|binding| is_guarded(binding.variable)) {
        cost.push("one look-up per table and value: constant but for the logarithm of the table's size".to_owned());
    } else {
        cost.push("grows with the rows of the tables: no event says which values to look at".to_owned());
    }
    for table in &walk.tables {
        let windowed = interval(&table.operator.kind).is_some_and(|interval| !interval.is_all());
        let next = matches!(
            table.operator.kind,
            Kind::Unary(UnaryOp::Prev | UnaryOp::WeakPrev | UnaryOp::Next | UnaryOp::WeakNext, ..)
        );
        let text = &table.table.formula;
        if table.table.looks == Looks::Ahead && !next {
            cost.push(format!("grows with the open obligations of `{text}`"));
        } else if windowed && !next && way.is_general(table.operator) {
            cost.push(format!("grows with the points in the window of `{text}`"));
        }
    }
    let moved = way.parts.iter().filter(|(.., is_moving)| *is_moving);
    cost.extend(
        moved.map(|(text, ..)| format!("every point, whatever its events, moves the tables inside `{text}` on")),
    );
    let recursive = property.definitions.iter().filter(|definition| definition.recursive);
    cost.extend(recursive.map(|definition| format!("may grow with the rows of `{}`", definition.name)));
    cost
}

fn growth(property: &Property, walk: &EffectWalk<'_>, way: &FormulaWay) -> Vec<String> {
    let keyed = walk.tables.iter().filter(|table| !table.table.keys.is_empty());
    let mut growth: Vec<String> = keyed.filter_map(|table| table_growth(property, table)).collect();
    for definition in property.definitions.iter().filter(|definition| definition.recursive) {
        if !definition.parameters.is_empty() {
            let keys = names(property, &definition.parameters);
            growth.push(format!("`{}`: one row per {keys} for which it holds", definition.name));
        }
    }
    // Compiled tables give back the values that they no longer have; the interpreter's values may be what it ranges over.
    if way.kind == WayKind::General || way.parts.iter().any(|(.., is_moving)| *is_moving) {
        growth.push("every value that events have shown: the general path gives none back".to_owned());
    }
    growth
}

/// How the rows of a table may become ever more.
fn table_growth(property: &Property, table: &Remembered<'_>) -> Option<String> {
    let (keys, text) = (table.table.keys.join(", "), &table.table.formula);
    let unbounded = interval(&table.operator.kind)?.high.is_none();
    Some(match &table.operator.kind {
        _ if table.grows => format!("`{text}`: one row per {keys} ever seen, for nothing deletes it"),
        Kind::Binary(BinaryOp::Since | BinaryOp::StrictSince, _, left, right) if unbounded => {
            let (begun, ended) = (condition(property, right, true), condition(property, left, false));
            format!("`{text}`: one row per {keys}, from when {begun} until {ended}")
        }
        Kind::Unary(UnaryOp::Eventually, ..) | Kind::Binary(BinaryOp::Until, ..) if unbounded => {
            format!("`{text}`: one obligation per {keys} that is still open")
        }
        _ => return None,
    })
}

fn domains(property: &Property) -> Vec<String> {
    let mut all = Vec::new();
    let mut infinite = Vec::new();
    for variable in &property.variables {
        let sort = |sort: referee_spec::core::SortId| &property.sorts[sort.0 as usize].name;
        match variable.domain {
            Domain::Infinite if infinite.contains(&variable.name.to_string()) => {}
            Domain::Infinite => infinite.push(variable.name.to_string()),
            Domain::Trace(id) => {
                all.push(format!("{} ranges over what the whole trace shows as {}", variable.name, sort(id)));
            }
            Domain::SoFar(id) => {
                all.push(format!("{} ranges over what was seen so far as {}", variable.name, sort(id)))
            }
        }
    }
    if !infinite.is_empty() {
        let verb = if infinite.len() == 1 { "ranges" } else { "range" };
        all.insert(0, format!("{} {verb} over all values; those that nobody names share one row", infinite.join(", ")));
    }
    all
}

fn gives_up(property: &Property) -> Vec<String> {
    let mut reasons = Vec::new();
    for formula in all_formulas(property) {
        let text = quoted(property, formula);
        if formula.kind.terms().into_iter().any(divides) {
            reasons.push(format!("`{text}` divides by zero where that would decide the verdict"));
        }
        if needs_size(property, &formula.kind) {
            reasons.push(format!("`{text}` would decide the verdict for values that nobody names"));
        }
    }
    reasons
}

fn divides(term: &Term) -> bool {
    match term {
        Term::Binary(operation, left, right) => {
            let division = matches!(operation, Arithmetic::Divide | Arithmetic::DivideTruncating | Arithmetic::Modulo);
            let harmless = matches!(&**right, Term::Constant(value) if value.as_number() != Some(&Number::ZERO));
            (division && !harmless) || divides(left) || divides(right)
        }
        Term::Negate(body) | Term::Apply(_, body) => divides(body),
        _ => false,
    }
}

/// Whether the size of a value that nobody names can matter to an atom.
fn needs_size(property: &Property, kind: &Kind) -> bool {
    let computes = |term: &Term| matches!(term, Term::Binary(..) | Term::Negate(_) | Term::Apply(..));
    let ordered = match kind {
        Kind::Compare(comparison, ..) => !matches!(comparison, Comparison::Equal | Comparison::NotEqual),
        Kind::Observe(observation) => observation
            .constraint
            .as_ref()
            .is_some_and(|constraint| !matches!(constraint.comparison, Comparison::Equal | Comparison::NotEqual)),
        _ => false,
    };
    let terms = kind.terms();
    let mut variables = BTreeSet::new();
    for term in terms.iter().filter(|term| ordered || computes(term)) {
        term.collect_variables(&mut variables);
    }
    property.unseen_order == UnseenOrder::Undecided
        && variables.iter().any(|&id| property.variables.get(id.index()).is_some_and(|v| v.domain == Domain::Infinite))
}
