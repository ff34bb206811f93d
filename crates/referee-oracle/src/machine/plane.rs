//! Formulas about every point of the plane, by their definition: enough points that every other one is like one of them, each judged by itself.

use referee_spec::core::machine::plane::{Plane, PlaneFormula};
use referee_spec::core::{Outcome, Status, Violation};
use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedTrace};
use referee_trace::value::Value;

use crate::question::Mode;

type Place = (Number, Number);

/// An event: its point, its number if the formula knows it, and its route.
struct Step {
    point: u64,
    event: Option<usize>,
    route: Option<(Place, Place)>,
}

/// A place that stands for others like it, and where these begin; nothing if they are everywhere.
type Sample = (Place, Option<Place>);

pub(super) fn judge(plane: &Plane, trace: &OwnedTrace, mode: Mode) -> Outcome {
    let numbered = (1u64..).zip(&trace.points);
    let events = numbered.flat_map(|(point, all)| all.events.iter().map(move |event| (point, event)));
    let steps: Vec<Step> = events.map(|(point, event)| step(plane, point, event)).collect();
    let samples = samples(&steps);
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
        let decided = samples.iter().all(|(place, _)| {
            World { steps: &steps, place, known: steps.len(), ended: false }.truth(&plane.formula, 0) == Some(true)
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

fn violation(begin: Option<Place>, point: u64, decided: Option<u64>) -> Violation {
    let shown = begin.map(|(x, y)| Value::string(&format!("({x}, {y})")));
    Violation { point, decided, opened: None, bindings: vec![shown], message: None }
}

fn step(plane: &Plane, point: u64, event: &OwnedEvent) -> Step {
    let number = |place: usize| match event.arguments[place].value() {
        Value::Number(number) => Some(number),
        _ => None,
    };
    let route = || Some(((number(0)?, number(1)?), (number(2)?, number(3)?)));
    Step {
        point,
        event: plane.events.iter().position(|name| **name == *event.name),
        route: if event.positional == 4 { route() } else { None },
    }
}

/// Whether some c from 0 to 1 makes q + c · (r − q) the place.
fn is_on((q, r): &(Place, Place), place: &Place) -> bool {
    let (dx, dy) = (r.0.sub(&q.0), r.1.sub(&q.1));
    let c = if dx != Number::ZERO {
        place.0.sub(&q.0).div(&dx)
    } else if dy != Number::ZERO {
        place.1.sub(&q.1).div(&dy)
    } else {
        Some(Number::ZERO)
    };
    c.is_some_and(|c| {
        let there = (q.0.add(&c.mul(&dx)), q.1.add(&c.mul(&dy)));
        c >= Number::ZERO && c <= Number::Int(1) && there == *place
    })
}

/// Where the endless lines through two routes cut, if they do in one place.
fn cut(one: &(Place, Place), other: &(Place, Place)) -> Option<Place> {
    // a x + b y = c for each line, solved by Cramer's rule.
    let line = |(q, r): &(Place, Place)| {
        let (a, b) = (r.1.sub(&q.1), q.0.sub(&r.0));
        let c = a.mul(&q.0).add(&b.mul(&q.1));
        (a, b, c)
    };
    let ((a, b, c), (d, e, f)) = (line(one), line(other));
    let determinant = a.mul(&e).sub(&b.mul(&d));
    let x = c.mul(&e).sub(&b.mul(&f)).div(&determinant)?;
    let y = a.mul(&f).sub(&c.mul(&d)).div(&determinant)?;
    Some((x, y))
}

fn samples(steps: &[Step]) -> Vec<Sample> {
    let routes: Vec<&(Place, Place)> = steps.iter().filter_map(|step| step.route.as_ref()).collect();
    let mut special: Vec<Place> = routes.iter().flat_map(|(q, r)| [q.clone(), r.clone()]).collect();
    for one in &routes {
        for other in &routes {
            special.extend(cut(one, other).filter(|place| is_on(one, place) && is_on(other, place)));
        }
    }
    special.sort();
    special.dedup();
    let mut samples: Vec<Sample> = special.iter().map(|place| (place.clone(), Some(place.clone()))).collect();
    let half = |a: &Number, b: &Number| a.add(b).div(&Number::Int(2)).unwrap_or(Number::ZERO);
    for route in &routes {
        let along: Vec<&Place> = special.iter().filter(|place| is_on(route, place)).collect();
        for pair in along.windows(2) {
            let middle = (half(&pair[0].0, &pair[1].0), half(&pair[0].1, &pair[1].1));
            samples.push((middle, Some(pair[0].clone())));
        }
    }
    let beyond = special.iter().map(|(x, _)| x.clone()).max().unwrap_or(Number::ZERO).add(&Number::Int(1));
    samples.push(((beyond, Number::ZERO), None));
    samples
}

/// Where the places begin at which the formula is false.
fn first_false(plane: &Plane, steps: &[Step], samples: &[Sample], known: usize, ended: bool) -> Option<Option<Place>> {
    let is_false = |(place, _): &&Sample| World { steps, place, known, ended }.truth(&plane.formula, 0) == Some(false);
    // Nothing comes before every place.
    samples.iter().filter(is_false).map(|(_, begin)| begin.clone()).min()
}

/// What one place has seen so far.
struct World<'a> {
    steps: &'a [Step],
    place: &'a Place,
    known: usize,
    ended: bool,
}

impl World<'_> {
    fn truth(&self, formula: &PlaneFormula, at: usize) -> Option<bool> {
        match formula {
            PlaneFormula::Constant(truth) => Some(*truth),
            PlaneFormula::Event(event) => Some(self.steps[at].event == Some(*event)),
            PlaneFormula::OnRoute => Some(self.steps[at].route.as_ref().is_some_and(|route| is_on(route, self.place))),
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
