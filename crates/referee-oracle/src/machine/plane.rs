//! Formulas about every point of the plane, by their definition: enough points that every other one is like one of them, each judged by
//! itself.
//!
//! All regions of a trace are bounded by finitely many straight lines. Upright cuts through every place where two of them cross, and
//! along every upright line, leave strips in which no two lines cross. So the points of a cut, and those of one upright through each
//! strip, that lie on lines or between two neighbouring ones, stand for all points of the plane:
//!
//! ```text
//!      │   ╲ │   │╱          cuts, and an upright through each strip
//!  ────┼────╳┼───┼──         on each: below all lines, on a line, between two, above all
//!      │    │╲  ╱│
//! ```

use std::collections::BTreeMap;

use referee_spec::core::machine::plane::{Plane, PlaneFormula, RegionCondition, RegionDefinition, RegionTerm};
use referee_spec::core::{Comparison, Outcome, Status, Violation};
use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedTrace};
use referee_trace::value::Value;

use crate::arithmetic::compute;
use crate::question::Mode;

type Coordinates = (Number, Number);

/// Where points begin: by x and then by y; nothing where they go on for ever.
type Begin = Option<(Number, Option<Number>)>;

/// a·x + b·y + c = 0
type Border = (Number, Number, Number);

/// An event: its point, its number if the formula names it, and its arguments for each definition that speaks of it.
struct PlaneEvent {
    point: u64,
    event: Option<usize>,
    arguments: Vec<Option<Vec<Number>>>,
}

/// In which regions points lie at each event, and where these points begin.
type PlaneSample = (Vec<Vec<bool>>, Begin);

pub(super) fn judge(plane: &Plane, trace: &OwnedTrace, mode: Mode) -> Outcome {
    let numbered = (1u64..).zip(&trace.points);
    let events = numbered.flat_map(|(point, all)| all.events.iter().map(move |event| (point, event)));
    let steps: Vec<PlaneEvent> = events.map(|(point, event)| step(plane, point, event)).collect();
    let samples = samples(plane, &steps);
    for known in 1..=steps.len() {
        if let Some(begin) = first_false(plane, &steps, &samples, known, false) {
            let point = steps[known - 1].point;
            return outcome(vec![violation(begin, point, Some(point))], 0);
        }
    }
    let last = trace.points.len() as u64;
    if steps.is_empty() {
        return outcome(Vec::new(), 0);
    }
    if mode == Mode::Prefix {
        let decided = samples.iter().all(|(inside, _)| {
            PointWorld { steps: &steps, inside, known: steps.len(), ended: false }.truth(&plane.formula, 0)
                == Some(true)
        });
        return outcome(Vec::new(), u64::from(!decided));
    }
    let found = first_false(plane, &steps, &samples, steps.len(), true);
    outcome(found.into_iter().map(|begin| violation(begin, last, None)).collect(), 0)
}

fn outcome(violations: Vec<Violation>, pending: u64) -> Outcome {
    let status = if violations.is_empty() { Status::Satisfied } else { Status::Violated };
    Outcome { status, violations, pending, obstacle: None }
}

fn violation(begin: Begin, point: u64, decided: Option<u64>) -> Violation {
    let shown = match begin {
        Some((x, Some(y))) => Some(Value::string(&format!("({x}, {y})"))),
        Some((_, None)) | None => None,
    };
    Violation { point, decided, opened: None, bindings: vec![shown], message: None }
}

fn step(plane: &Plane, point: u64, event: &OwnedEvent) -> PlaneEvent {
    PlaneEvent {
        point,
        event: plane.events.iter().position(|named| *named.name == *event.name),
        arguments: plane.regions.iter().map(|definition| arguments(definition, event)).collect(),
    }
}

/// The arguments of an event of which a definition speaks; zero stands for those that it does not read.
fn arguments(definition: &RegionDefinition, event: &OwnedEvent) -> Option<Vec<Number>> {
    let number = |index: usize| match event.arguments[index].value() {
        _ if !definition.reads.contains(&index) => Some(Number::ZERO),
        Value::Number(number) => Some(number),
        _ => None,
    };
    if event.positional == definition.arity { (0..definition.arity).map(number).collect() } else { None }
}

/// Whether a definition holds of a place.
fn holds(condition: &RegionCondition, place: &Coordinates, arguments: &[Number]) -> bool {
    match condition {
        RegionCondition::Constant(truth) => *truth,
        RegionCondition::Not(body) => !holds(body, place, arguments),
        RegionCondition::And(all) => all.iter().all(|part| holds(part, place, arguments)),
        RegionCondition::Or(all) => all.iter().any(|part| holds(part, place, arguments)),
        RegionCondition::Compare(comparison, left, right) => {
            let (left, right) = (value(left, place, arguments), value(right, place, arguments));
            match comparison {
                Comparison::Equal => left == right,
                Comparison::NotEqual => left != right,
                Comparison::Less => left < right,
                Comparison::LessOrEqual => left <= right,
                Comparison::Greater => left > right,
                Comparison::GreaterOrEqual => left >= right,
                Comparison::Substring | Comparison::Matches => false,
            }
        }
    }
}

fn value(term: &RegionTerm, place: &Coordinates, arguments: &[Number]) -> Number {
    let all = |terms: &[RegionTerm]| terms.iter().map(|term| value(term, place, arguments)).collect::<Vec<_>>();
    match term {
        RegionTerm::Number(number) => number.clone(),
        RegionTerm::X => place.0.clone(),
        RegionTerm::Y => place.1.clone(),
        RegionTerm::Argument(index) => arguments[*index].clone(),
        RegionTerm::Negate(body) => value(body, place, arguments).neg(),
        RegionTerm::Least(terms) => all(terms).into_iter().min().unwrap_or(Number::ZERO),
        RegionTerm::Greatest(terms) => all(terms).into_iter().max().unwrap_or(Number::ZERO),
        RegionTerm::Binary(operator, left, right) => {
            let (left, right) = (value(left, place, arguments), value(right, place, arguments));
            compute(*operator, &left, &right).unwrap_or(Number::ZERO)
        }
    }
}

/// The lines along which the comparisons of a condition change.
fn lines(condition: &RegionCondition, arguments: &[Number], found: &mut Vec<Border>) {
    match condition {
        RegionCondition::Constant(_) => {}
        RegionCondition::Not(body) => lines(body, arguments, found),
        RegionCondition::And(all) | RegionCondition::Or(all) => {
            all.iter().for_each(|part| lines(part, arguments, found));
        }
        RegionCondition::Compare(_, left, right) => {
            // What is linear is known by three of its values.
            let difference = |x: i64, y: i64| {
                let place = (Number::Int(x), Number::Int(y));
                value(left, &place, arguments).sub(&value(right, &place, arguments))
            };
            let c = difference(0, 0);
            found.push((difference(1, 0).sub(&c), difference(0, 1).sub(&c), c));
        }
    }
}

fn samples(plane: &Plane, steps: &[PlaneEvent]) -> Vec<PlaneSample> {
    let mut all: Vec<Border> = Vec::new();
    for step in steps {
        for (definition, arguments) in plane.regions.iter().zip(&step.arguments) {
            if let Some(arguments) = arguments {
                lines(&definition.condition, arguments, &mut all);
            }
        }
    }
    // Upright lines as x = …, the others as y = slope · x + height.
    let mut cuts: Vec<Number> = Vec::new();
    let mut slanted: Vec<(Number, Number)> = Vec::new();
    for (a, b, c) in &all {
        match (a.neg().div(b), c.neg().div(b)) {
            (Some(slope), Some(height)) => slanted.push((slope, height)),
            _ => cuts.extend(c.neg().div(a)),
        }
    }
    slanted.sort();
    slanted.dedup();
    for (slope, height) in &slanted {
        // slope · x + height = other · x + its, nowhere if they are parallel.
        cuts.extend(slanted.iter().filter_map(|(other, its)| its.sub(height).div(&slope.sub(other))));
    }
    cuts.sort();
    cuts.dedup();
    let mut found: BTreeMap<Vec<Vec<bool>>, Begin> = BTreeMap::new();
    for (x, left) in uprights(&cuts) {
        for (place, begin) in along(&x, left.as_ref(), &slanted) {
            let inside = steps.iter().map(|step| regions(plane, step, &place)).collect();
            let least = found.entry(inside).or_insert_with(|| begin.clone());
            // Nothing comes before every place.
            *least = least.clone().min(begin);
        }
    }
    found.into_iter().collect()
}

fn regions(plane: &Plane, step: &PlaneEvent, place: &Coordinates) -> Vec<bool> {
    let definitions = plane.regions.iter().zip(&step.arguments);
    let holds = |(definition, arguments): (&RegionDefinition, &Option<Vec<Number>>)| {
        arguments.as_ref().is_some_and(|arguments| holds(&definition.condition, place, arguments))
    };
    definitions.map(holds).collect()
}

fn middle(a: &Number, b: &Number) -> Number {
    a.add(b).div(&Number::Int(2)).unwrap_or(Number::ZERO)
}

/// The uprights to look at: the cuts, and one in each strip; each with where its points or those of its strip begin, if anywhere.
fn uprights(cuts: &[Number]) -> Vec<(Number, Option<Number>)> {
    let one = Number::Int(1);
    let (Some(first), Some(last)) = (cuts.first(), cuts.last()) else { return vec![(Number::ZERO, None)] };
    let mut all = vec![(first.sub(&one), None)];
    all.extend(cuts.iter().map(|cut| (cut.clone(), Some(cut.clone()))));
    all.extend(cuts.windows(2).map(|pair| (middle(&pair[0], &pair[1]), Some(pair[0].clone()))));
    all.push((last.add(&one), Some(last.clone())));
    all
}

/// The places to look at on an upright: on the lines, between them, below and above all; each with where those like it begin.
fn along(x: &Number, left: Option<&Number>, slanted: &[(Number, Number)]) -> Vec<(Coordinates, Begin)> {
    let at = |(slope, height): &(Number, Number), x: &Number| slope.mul(x).add(height);
    // No two lines cross between here and where the strip begins, so neighbours here are neighbours there.
    let begin = |line: &(Number, Number)| left.map(|left| (left.clone(), Some(at(line, left))));
    let below = left.map(|left| (left.clone(), None));
    let mut crossed: Vec<(Number, Begin)> = slanted.iter().map(|line| (at(line, x), begin(line))).collect();
    crossed.sort();
    let place = |y: Number, begin: &Begin| ((x.clone(), y), begin.clone());
    let (Some(first), Some(last)) = (crossed.first(), crossed.last()) else { return vec![place(Number::ZERO, &below)] };
    let one = Number::Int(1);
    let mut all = vec![place(first.0.sub(&one), &below), place(last.0.add(&one), &last.1)];
    all.extend(crossed.iter().map(|(y, begin)| place(y.clone(), begin)));
    all.extend(crossed.windows(2).map(|pair| place(middle(&pair[0].0, &pair[1].0), &pair[0].1)));
    all
}

/// Where the places begin at which the formula is false.
fn first_false(
    plane: &Plane,
    steps: &[PlaneEvent],
    samples: &[PlaneSample],
    known: usize,
    ended: bool,
) -> Option<Begin> {
    let is_false =
        |(inside, _): &&PlaneSample| PointWorld { steps, inside, known, ended }.truth(&plane.formula, 0) == Some(false);
    samples.iter().filter(is_false).map(|(_, begin)| begin.clone()).min()
}

/// What one place has seen so far.
struct PointWorld<'a> {
    steps: &'a [PlaneEvent],
    /// In which regions it lies, at each step.
    inside: &'a [Vec<bool>],
    known: usize,
    ended: bool,
}

impl PointWorld<'_> {
    fn truth(&self, formula: &PlaneFormula, at: usize) -> Option<bool> {
        match formula {
            PlaneFormula::Constant(truth) => Some(*truth),
            PlaneFormula::Event(event) => Some(self.steps[at].event == Some(*event)),
            PlaneFormula::Inside(region) => Some(self.inside[at][*region]),
            PlaneFormula::Not(body) => self.truth(body, at).map(|truth| !truth),
            PlaneFormula::And(all) => self.parts(all, at).reduce(both).unwrap_or(Some(true)),
            PlaneFormula::Or(all) => self.parts(all, at).reduce(either).unwrap_or(Some(false)),
            PlaneFormula::Next(body) => self.later(body, at + 1),
            PlaneFormula::Until(left, right) => {
                either(self.truth(right, at), both(self.truth(left, at), self.later(formula, at + 1)))
            }
        }
    }

    fn parts(&self, all: &[PlaneFormula], at: usize) -> impl Iterator<Item = Option<bool>> {
        all.iter().map(move |part| self.truth(part, at))
    }

    /// The truth of a formula at a step that may not be there.
    fn later(&self, formula: &PlaneFormula, at: usize) -> Option<bool> {
        if at < self.known { self.truth(formula, at) } else { self.ended.then_some(false) }
    }
}

fn both(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn either(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    both(one.map(|truth| !truth), other.map(|truth| !truth)).map(|truth| !truth)
}
