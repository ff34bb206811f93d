//! From the tree to the core of quantities.
//!
//! | written | core |
//! |---|---|
//! | `F_I φ`, `P_I φ` | true Until_I φ, true Since_I φ |
//! | `G_I φ`, `H_I φ` | not (true Until_I not φ), not (true Since_I not φ) |
//! | `X_I φ`, `Y_I φ` | false Until_I φ, false Since_I φ |
//! | `φ -> ψ` | not φ or ψ |
//! | no interval | (0, ∞) |

use referee_trace::mapping::Unit;
use referee_trace::number::Number;

use super::lex::Letter;
use super::syntax::{self, Item, Kind, WrittenInterval};
use crate::core::quantity::{Measure, Modality, QuantityRule, QuantityStatement, StatementKind, StrictOperator};
use crate::core::{Interval, Language, Span};
use crate::options::Options;
use crate::source::Source;

/// Makes a rule of a property without gaps.
pub(super) fn lower(item: &Item, source: &Source, options: &Options) -> QuantityRule {
    QuantityRule {
        name: item.name.clone().unwrap_or_else(|| source.stem.as_str().into()),
        language: Language::Soloist,
        source: source.text.clone(),
        body: statement(&item.formula, options.unit),
        full_window: options.full_window,
        vacuous: options.vacuous,
    }
}

fn statement(formula: &syntax::Formula, unit: Unit) -> QuantityStatement {
    let span = formula.span;
    let statement = |formula: &syntax::Formula| statement(formula, unit);
    let given = |interval: &Option<WrittenInterval>| given(interval, unit);
    let kind = match &formula.kind {
        // A tree with a gap has an error, and what becomes of it is dropped.
        Kind::Missing => StatementKind::Constant(false),
        Kind::Constant(truth) => StatementKind::Constant(*truth),
        Kind::Atom(name) => StatementKind::Atom(name.clone()),
        Kind::Not(body) => return QuantityStatement { span, ..statement(body).negated() },
        Kind::And(parts) => StatementKind::And(parts.iter().map(statement).collect()),
        Kind::Or(parts) => StatementKind::Or(parts.iter().map(statement).collect()),
        Kind::Implies(left, right) => StatementKind::Or(vec![statement(left).negated(), statement(right)]),
        Kind::Iff(left, right) => StatementKind::Iff(Box::new(statement(left)), Box::new(statement(right))),
        Kind::Binary(letter, interval, left, right) => {
            let reach = if *letter == Letter::Until { StrictOperator::Until } else { StrictOperator::Since };
            StatementKind::Reach(reach, given(interval), Box::new(statement(left)), Box::new(statement(right)))
        }
        Kind::Unary(letter, times, interval, body) => {
            let interval = given(interval);
            return (0..*times).fold(statement(body), |body, _| unary(*letter, &interval, body, span));
        }
        Kind::Modality(modality) => StatementKind::Modality(Box::new(measured(modality, unit))),
    };
    QuantityStatement::new(kind, span)
}

fn unary(letter: Letter, interval: &Interval, body: QuantityStatement, span: Span) -> QuantityStatement {
    let past = matches!(letter, Letter::Previously | Letter::Historically | Letter::Yesterday);
    let universal = matches!(letter, Letter::Globally | Letter::Historically);
    let left = !matches!(letter, Letter::Next | Letter::Yesterday);
    let reach = if past { StrictOperator::Since } else { StrictOperator::Until };
    let left = QuantityStatement::new(StatementKind::Constant(left), span);
    let body = if universal { body.negated() } else { body };
    let kind = StatementKind::Reach(reach, interval.clone(), Box::new(left), Box::new(body));
    let found = QuantityStatement::new(kind, span);
    if universal { found.negated() } else { found }
}

/// The interval that is written, or (0, ∞).
fn given(interval: &Option<WrittenInterval>, unit: Unit) -> Interval {
    let all = Interval { low_included: false, ..Interval::all() };
    interval.as_ref().map_or(all, |interval| interval.in_unit(unit))
}

fn measured(modality: &syntax::Modality, unit: Unit) -> Modality {
    let argument = |index: usize| {
        let absent = || QuantityStatement::new(StatementKind::Constant(false), Span::default());
        modality.arguments.get(index).map_or_else(absent, |argument| statement(argument, unit))
    };
    let stretch = || modality.stretch.as_ref().map_or(Number::Int(1), |stretch| stretch.in_unit(unit));
    let measure = match modality.letter {
        Letter::Average => Measure::Average(argument(0), stretch()),
        Letter::Maximum => Measure::Maximum(argument(0), stretch()),
        Letter::Distance => Measure::Distance(argument(0), argument(1)),
        _ => Measure::Count(argument(0)),
    };
    Modality {
        measure,
        window: modality.window.in_unit(unit),
        comparison: modality.comparison,
        bound: modality.bound.in_unit(unit),
    }
}
