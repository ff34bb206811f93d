//! Which rules measure time, and so need traces with times.
//!
//! | rule | measures time by | needs |
//! |---|---|---|
//! | formula of MFOTL, of DejaVu with a unit (`[<=30s]`) | an interval other than [0, ∞), the time of the point | all times |
//! | formula of DejaVu without a unit (`[<=30]`) | an interval | all times or none: without times no time passes |
//! | quantities | an interval other than (0, ∞), a window | all times |
//! | streams | a window over a length of time | the first: a step without time has that of the one before |
//! | signals | an interval other than [0, ∞) | the first, likewise |
//! | DATEs | a clock | all times |

use referee_trace::abstraction::NeededTimes;
use referee_trace::number::Number;

use super::formula::{Formula, Interval, Kind, Span, Term};
use super::machine::{Body, Machine};
use super::property::Property;
use super::quantity::{QuantityRule, StatementKind};
use super::rule::Rule;
use super::signal::{Signal, SignalFormula, SignalKind};
use super::stream::{Clause, Extent, How, Piece, Program};

impl Rule {
    /// Which points of a trace must have a time, and where the rule first says something that measures it.
    pub fn needed_times(&self) -> Option<(NeededTimes, Span)> {
        match self {
            Rule::Formula(property) => {
                let times = if property.timed { NeededTimes::All } else { NeededTimes::AllOrNone };
                measured_by_formula(property).map(|span| (times, span))
            }
            Rule::Quantity(rule) => measured_by_quantity(rule).map(|span| (NeededTimes::All, span)),
            Rule::Stream(program) => measured_by_streams(program).map(|span| (NeededTimes::First, span)),
            Rule::Signal(signal) => measured_by_signal(signal).map(|span| (NeededTimes::First, span)),
            Rule::Machine(machine) => measured_by_machine(machine).map(|span| (NeededTimes::All, span)),
            Rule::Facts(_) => None,
        }
    }
}

fn measured_by_formula(property: &Property) -> Option<Span> {
    let formulas = property.definitions.iter().map(|definition| &definition.body).chain([&property.body]);
    let mut found = None;
    for formula in formulas {
        formula.visit(&mut |part| found = first(found, measures(part).then_some(part.span)));
    }
    found
}

/// Whether a formula itself measures time, whatever is below it.
fn measures(formula: &Formula) -> bool {
    let interval = match &formula.kind {
        Kind::Unary(_, interval, _) | Kind::Binary(_, interval, ..) | Kind::Match(_, interval, _) => Some(interval),
        _ => None,
    };
    interval.is_some_and(|interval| !interval.is_all()) || formula.kind.terms().into_iter().any(reads_time)
}

fn reads_time(term: &Term) -> bool {
    match term {
        Term::PointTime => true,
        Term::Binary(_, left, right) => reads_time(left) || reads_time(right),
        Term::Negate(body) | Term::Apply(_, body) => reads_time(body),
        Term::Variable(_) | Term::Constant(_) | Term::Field(_) | Term::Any | Term::PointNumber => false,
    }
}

fn measured_by_quantity(rule: &QuantityRule) -> Option<Span> {
    // Operators are strict: 0 never lies in their intervals, whether the interval includes it or not.
    let is_bound = |interval: &Interval| interval.high.is_some() || interval.low != Number::ZERO;
    let mut found = None;
    rule.body.visit(&mut |statement| {
        let measures = match &statement.kind {
            StatementKind::Reach(_, interval, ..) => is_bound(interval),
            StatementKind::Modality(_) => true,
            _ => false,
        };
        found = first(found, measures.then_some(statement.span));
    });
    found
}

fn measured_by_streams(program: &Program) -> Option<Span> {
    let mut found = None;
    let mut look = |clause: Clause<'_>| {
        for expression in clause.expressions {
            expression.references(&mut |reference| {
                let measures = matches!(reference.access.how, How::Window(Extent::Time(_), _));
                found = first(found, measures.then_some(reference.span));
            });
        }
    };
    program.templates().for_each(|(_, template)| template.clauses(&mut look));
    for piece in program.triggers.iter().flat_map(|trigger| &trigger.message) {
        if let Piece::Value(expression) = piece {
            look(Clause { expressions: vec![expression] });
        }
    }
    found
}

fn measured_by_signal(signal: &Signal) -> Option<Span> {
    let mut found = None;
    visit_signal(&signal.formula, &mut |formula| {
        let interval = match &formula.kind {
            SignalKind::Finally(interval, _) | SignalKind::Globally(interval, _) => Some(interval),
            SignalKind::Until(interval, ..) => Some(interval),
            _ => None,
        };
        let measures = interval.is_some_and(|interval| !interval.is_all());
        found = first(found, measures.then_some(formula.span));
    });
    found
}

fn visit_signal<'f>(formula: &'f SignalFormula, visit: &mut impl FnMut(&'f SignalFormula)) {
    visit(formula);
    formula.children().into_iter().for_each(|child| visit_signal(child, visit));
}

fn measured_by_machine(machine: &Machine) -> Option<Span> {
    let Body::Dates(dates) = &machine.body else { return None };
    dates.clocks.iter().map(|clock| clock.span).min_by_key(|span| span.start)
}

/// The earlier of two places in the text.
fn first(one: Option<Span>, other: Option<Span>) -> Option<Span> {
    [one, other].into_iter().flatten().min_by_key(|span| span.start)
}
