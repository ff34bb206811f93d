//! The judge of signals: a formula of signal temporal logic at the first sample.
//!
//! ```text
//!  point ─▶ fields keep their values ─▶ atoms ─┬▶ truth:  the verdict, as soon as it is certain
//!                                              └▶ robust: the exact robustness, where it is wanted
//! ```
//!
//! A sample costs a constant number of steps per operator, on average, whatever the intervals are. What is kept are the
//! samples that some interval still reaches.

mod at_once;
mod degrees;
mod eventually;
mod first;
mod robust;
mod times;
mod truth;
mod until;
mod why;

use std::sync::Arc;

use referee_spec::core::signal::{Formula, Interval, Kind, Robustness, Signal, Term, TermKind, holds, orders};
use referee_spec::core::{Obstacle, Outcome, Problem, Status, Violation};
use referee_trace::event::EventShape;
use referee_trace::mapping::Unit;
use referee_trace::number::Number;
use referee_trace::points::{Interest, PointView, Points};
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use crate::judge::{Finding, Judge, Size};
use robust::Robust;
use truth::Truth;
use until::Decision;
pub use why::History;

/// The bounds of an interval in a trace's unit.
fn bounds(interval: &Interval, unit: Unit) -> (Number, Option<Number>) {
    (interval.low.in_unit(unit), interval.high.as_ref().map(|high| high.in_unit(unit)))
}

/// Judges a formula over one trace.
pub struct SignalJudge {
    signal: Arc<Signal>,
    atoms: Vec<Formula>,
    /// For each shape, which argument gives which field.
    shapes: Vec<Vec<(usize, usize)>>,
    fields: Vec<Option<Atom>>,
    now: Number,
    samples: u64,
    /// The numbers of the points that samples belong to differ where points are left out; this is the last.
    point: u64,
    truth: Truth,
    robust: Option<Robust>,
    robustness: Option<Robustness>,
    truths: Vec<bool>,
    degrees: Vec<Robustness>,
    verdict: Option<bool>,
    obstacle: Option<Obstacle>,
}

impl SignalJudge {
    /// A judge before the first point.
    pub fn new(signal: Arc<Signal>) -> SignalJudge {
        let mut atoms = Vec::new();
        collect_atoms(&signal.formula, &mut atoms);
        SignalJudge {
            shapes: Vec::new(),
            fields: vec![None; signal.fields.len()],
            now: Number::ZERO,
            samples: 0,
            point: 0,
            truth: Truth::new(&signal.formula, signal.unit),
            robust: signal.robustness.then(|| Robust::new(&signal.formula, signal.unit)),
            robustness: None,
            truths: Vec::with_capacity(atoms.len()),
            degrees: Vec::with_capacity(atoms.len()),
            verdict: None,
            obstacle: None,
            atoms,
            signal,
        }
    }

    fn sample(&mut self, point: PointView<'_>, values: &Values, found: &mut Vec<Finding>) {
        if let Some(time) = point.time {
            self.now = time.clone();
        }
        for (shape, arguments) in point.events() {
            for &(argument, field) in &self.shapes[shape.index()] {
                self.fields[field] = Some(arguments[argument]);
            }
        }
        self.samples += 1;
        self.point = point.number;
        let measures = self.robust.is_some() && self.robustness.is_none();
        if self.verdict.is_some() {
            if measures {
                self.measure(values);
            }
            return;
        }
        self.judge_atoms(values, measures);
        if self.obstacle.is_some() {
            return;
        }
        if let Some(decision) = self.truth.arrive(&self.now, &self.truths) {
            self.decide(decision, Some(point.number), found);
        }
        if let Some(robust) = self.robust.as_mut().filter(|_| measures) {
            robust.arrive(&self.now, &self.degrees);
        }
    }

    /// Which atoms hold at the sample and, if it `measures`, how far they are from changing.
    fn judge_atoms(&mut self, values: &Values, measures: bool) {
        let mut reader = Reader { fields: &self.fields, values, point: self.samples, obstacle: &mut self.obstacle };
        self.truths.clear();
        self.degrees.clear();
        for atom in &self.atoms {
            let (truth, degree) =
                if measures { reader.measured(atom) } else { (reader.holds(atom), Robustness::NegativeInfinity) };
            self.truths.push(truth);
            self.degrees.push(degree);
        }
    }

    /// How far the atoms are from changing, after the verdict.
    fn measure(&mut self, values: &Values) {
        let Some(robust) = self.robust.as_mut() else { return };
        let mut obstacle = None;
        let mut reader = Reader { fields: &self.fields, values, point: self.samples, obstacle: &mut obstacle };
        self.degrees.clear();
        self.degrees.extend(self.atoms.iter().map(|atom| reader.measured(atom).1));
        if obstacle.is_some() {
            // What the samples before decide stands.
            self.robustness = robust.settle();
            self.robust = None;
            return;
        }
        robust.arrive(&self.now, &self.degrees);
    }

    /// Works out what the samples up to now say of the robustness.
    fn settle(&mut self) {
        if self.robustness.is_none() {
            self.robustness = self.robust.as_mut().and_then(Robust::settle);
        }
    }

    fn decide(&mut self, decision: Decision, decided: Option<u64>, found: &mut Vec<Finding>) {
        self.verdict = Some(decision.truth);
        if decision.truth {
            return;
        }
        let opened = Some(decision.witness).filter(|witness| *witness != self.point);
        let violation = Violation { point: self.point, decided, opened, bindings: Vec::new(), message: None };
        found.push(Finding { rule: 0, violation });
    }
}

impl Judge for SignalJudge {
    fn shape(&mut self, shape: &EventShape, _: &mut Values) -> Interest {
        self.shapes.push(places(&self.signal, shape));
        // Whatever decides is shown.
        Interest::all()
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        for point in points.iter() {
            let judged = self.verdict.is_some() || self.obstacle.is_some();
            if judged && (self.robust.is_none() || self.robustness.is_some() || self.obstacle.is_some()) {
                break;
            }
            self.sample(point, values, found);
        }
        self.settle();
    }

    fn end(&mut self, last: u64, prefix: bool, _: &mut Values) -> Vec<Outcome> {
        let mut found = Vec::new();
        self.point = last;
        if !prefix && self.verdict.is_none() && self.obstacle.is_none() {
            let decision = match self.samples {
                0 => Some(Decision { sample: 1, truth: of_nothing(&self.signal.formula), witness: 0 }),
                _ => self.truth.end(),
            };
            if let Some(decision) = decision {
                self.decide(decision, None, &mut found);
            }
        }
        if !prefix && self.robustness.is_none() && self.obstacle.is_none() {
            self.robustness = match self.samples {
                0 => self.robust.as_ref().map(|_| Robustness::of(of_nothing(&self.signal.formula))),
                _ => self.robust.as_mut().and_then(Robust::end),
            };
        }
        let status = match (self.verdict, &self.obstacle) {
            (Some(false), _) => Status::Violated,
            (_, Some(_)) => Status::GaveUp,
            _ => Status::Satisfied,
        };
        let violations: Vec<Violation> = found.into_iter().map(|finding| finding.violation).collect();
        let pending = u64::from(prefix && self.verdict.is_none() && self.obstacle.is_none());
        vec![Outcome { status, violations, pending, obstacle: self.obstacle.clone() }]
    }

    fn robustness(&self, _rule: usize) -> Option<String> {
        self.robustness.as_ref().map(ToString::to_string)
    }

    fn sizes(&self) -> Vec<Size> {
        let rows = self.truth.len() + self.robust.as_ref().map_or(0, Robust::len);
        vec![Size { rule: 0, purpose: "samples".to_owned(), rows }]
    }
}

/// Which argument of events of a shape gives which field.
fn places(signal: &Signal, shape: &EventShape) -> Vec<(usize, usize)> {
    let place = |(field, name): (usize, &Arc<str>)| {
        let at = shape.arguments.iter().rposition(|argument| *argument.name == **name)?;
        Some((at, field))
    };
    signal.fields.iter().enumerate().filter_map(place).collect()
}

/// The comparisons and truth values of a formula, in textual order.
fn collect_atoms(formula: &Formula, atoms: &mut Vec<Formula>) {
    match &formula.kind {
        Kind::Constant(_) => {}
        Kind::Compare(..) | Kind::Truth(_) => atoms.push(formula.clone()),
        Kind::Not(body) | Kind::Finally(_, body) | Kind::Globally(_, body) => collect_atoms(body, atoms),
        Kind::And(left, right) | Kind::Or(left, right) | Kind::Implies(left, right) | Kind::Iff(left, right) => {
            collect_atoms(left, atoms);
            collect_atoms(right, atoms);
        }
        Kind::Until(_, left, right) => {
            collect_atoms(left, atoms);
            collect_atoms(right, atoms);
        }
    }
}

/// What a formula says of the empty trace.
fn of_nothing(formula: &Formula) -> bool {
    match &formula.kind {
        Kind::Constant(truth) => *truth,
        Kind::Globally(..) => true,
        Kind::Compare(..) | Kind::Truth(_) | Kind::Finally(..) | Kind::Until(..) => false,
        Kind::Not(body) => !of_nothing(body),
        Kind::And(left, right) => of_nothing(left) && of_nothing(right),
        Kind::Or(left, right) => of_nothing(left) || of_nothing(right),
        Kind::Implies(left, right) => !of_nothing(left) || of_nothing(right),
        Kind::Iff(left, right) => of_nothing(left) == of_nothing(right),
    }
}

/// Evaluates atoms at a sample.
struct Reader<'r> {
    fields: &'r [Option<Atom>],
    values: &'r Values,
    point: u64,
    obstacle: &'r mut Option<Obstacle>,
}

impl Reader<'_> {
    #[inline]
    fn holds(&mut self, atom: &Formula) -> bool {
        match &atom.kind {
            Kind::Compare(comparison, left, right) => match (self.integer(left), self.integer(right)) {
                (Some(left), Some(right)) => orders(*comparison, left.cmp(&right)),
                _ => match (self.term(left), self.term(right)) {
                    (Some(left), Some(right)) => holds(*comparison, &left, &right),
                    _ => false,
                },
            },
            Kind::Truth(field) => self.fields[*field] == Some(Atom::boolean(true)),
            _ => false,
        }
    }

    /// Whether an atom holds, and how far it is from changing.
    #[inline]
    fn measured(&mut self, atom: &Formula) -> (bool, Robustness) {
        let Kind::Compare(comparison, left, right) = &atom.kind else {
            let truth = self.holds(atom);
            return (truth, Robustness::of(truth));
        };
        if let (Some(left), Some(right)) = (self.integer(left), self.integer(right)) {
            let degree = Robustness::of_numbers(*comparison, &Number::Int(left), &Number::Int(right));
            return (orders(*comparison, left.cmp(&right)), degree);
        }
        match (self.term(left), self.term(right)) {
            (Some(left), Some(right)) => {
                (holds(*comparison, &left, &right), Robustness::of_comparison(*comparison, &left, &right))
            }
            _ => (false, Robustness::NegativeInfinity),
        }
    }

    /// The integer that a term is, where no wide number is in the way; it changes nothing.
    #[inline]
    fn integer(&self, term: &Term) -> Option<i64> {
        match &term.kind {
            TermKind::Constant(Value::Number(Number::Int(integer))) => Some(*integer),
            TermKind::Field(field) => self.fields[*field]?.as_integer(),
            _ => self.computed_integer(term),
        }
    }

    fn computed_integer(&self, term: &Term) -> Option<i64> {
        match &term.kind {
            TermKind::Constant(_) | TermKind::Field(_) | TermKind::Divide(..) => None,
            TermKind::Negate(body) => self.integer(body)?.checked_neg(),
            TermKind::Absolute(body) => self.integer(body)?.checked_abs(),
            TermKind::Add(left, right) => self.integer(left)?.checked_add(self.integer(right)?),
            TermKind::Subtract(left, right) => self.integer(left)?.checked_sub(self.integer(right)?),
            TermKind::Multiply(left, right) => self.integer(left)?.checked_mul(self.integer(right)?),
        }
    }

    fn term(&mut self, term: &Term) -> Option<Value> {
        let number = match &term.kind {
            TermKind::Constant(value) => return Some(value.clone()),
            TermKind::Field(field) => return self.fields[*field].map(|atom| self.values.value(atom)),
            TermKind::Negate(body) => self.number(body)?.neg(),
            TermKind::Absolute(body) => self.number(body)?.abs(),
            TermKind::Add(left, right) => self.number(left)?.add(&self.number(right)?),
            TermKind::Subtract(left, right) => self.number(left)?.sub(&self.number(right)?),
            TermKind::Multiply(left, right) => self.number(left)?.mul(&self.number(right)?),
            TermKind::Divide(left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                match left.div(&right) {
                    Some(quotient) => quotient,
                    None => return self.obstruct(term),
                }
            }
        };
        Some(Value::Number(number))
    }

    fn number(&mut self, term: &Term) -> Option<Number> {
        self.term(term)?.as_number().cloned()
    }

    #[cold]
    fn obstruct(&mut self, term: &Term) -> Option<Value> {
        let obstacle = Obstacle { point: self.point, span: term.span, problem: Problem::DivisionByZero };
        self.obstacle.get_or_insert(obstacle);
        None
    }
}
