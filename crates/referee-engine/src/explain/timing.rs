//! When a violation is certain: at once, so many points or so much time later, or when the trace ends.
//!
//! | operator | false when | true when |
//! |---|---|---|
//! | `eventually[a,b] φ`, `φ until[a,b] ψ` | b has passed; without b, the trace ends | φ, ψ are |
//! | `always[a,b] φ`, `φ release[a,b] ψ` | φ, ψ are | b has passed; without b, the trace ends |
//! | `next φ` | one point later | the same |
//! | a quantifier over what the trace shows | its body is (forall), the trace ends (exists) | the other way round |
//!
//! What several parts wait for is added along a path and otherwise the longest of them.

use referee_spec::core::{BinaryOp, Direction, Domain, Formula, Interval, Kind, Property, Quantifier, UnaryOp};
use referee_trace::number::Number;

/// How long a truth value takes to be certain: points and time, or nothing for the end of the trace.
type Delay = Option<(usize, Number)>;

/// When violations are reported.
pub(crate) fn verdicts(property: &Property) -> String {
    match delay(property, &property.body, false) {
        Some((0, time)) if time == Number::ZERO => "a violation is reported at the point that causes it".to_owned(),
        Some((0, time)) => {
            format!("a violation is reported as soon as more than {time} time units have passed, or the trace ends")
        }
        Some((points, time)) if time == Number::ZERO => format!("a violation is reported {} later", count(points)),
        Some((points, time)) => {
            format!("a violation is reported {} and {time} time units later at most", count(points))
        }
        None => "some violations are certain only when the trace ends".to_owned(),
    }
}

fn count(points: usize) -> String {
    if points == 1 { "one point".to_owned() } else { format!("up to {points} points") }
}

fn longest(one: Delay, other: Delay) -> Delay {
    let ((points, time), (more_points, more_time)) = (one?, other?);
    Some((points.max(more_points), time.max(more_time)))
}

fn after(one: Delay, other: Delay) -> Delay {
    let ((points, time), (more_points, more_time)) = (one?, other?);
    Some((points.saturating_add(more_points), time.add(&more_time)))
}

fn wait(interval: &Interval) -> Delay {
    interval.high.clone().map(|high| (0, high))
}

/// How long it takes at most until a formula is certain to have this truth, if it has.
fn delay(property: &Property, formula: &Formula, truth: bool) -> Delay {
    let at_once = Some((0, Number::ZERO));
    let of = |part: &Formula, truth| delay(property, part, truth);
    let both = |part: &Formula| longest(of(part, true), of(part, false));
    match &formula.kind {
        Kind::Constant(_) | Kind::Event(_) | Kind::Compare(..) | Kind::Observe(_) => at_once,
        Kind::Not(body) => of(body, !truth),
        Kind::And(parts) | Kind::Or(parts) => parts.iter().fold(at_once, |delay, part| longest(delay, of(part, truth))),
        Kind::Implies(left, right) => longest(of(left, !truth), of(right, truth)),
        Kind::Iff(left, right) => longest(both(left), both(right)),
        Kind::Quantified(quantifier, variable, body) => {
            let seen = matches!(property.variable(*variable).domain, Domain::Trace(_));
            let by_one = truth == (*quantifier == Quantifier::Exists);
            if seen && !by_one { None } else { of(body, truth) }
        }
        Kind::Unary(op, interval, body) => match op {
            UnaryOp::Next | UnaryOp::WeakNext => after(Some((1, Number::ZERO)), of(body, truth)),
            UnaryOp::Eventually if !truth => after(wait(interval), of(body, truth)),
            UnaryOp::Always if truth => after(wait(interval), of(body, truth)),
            _ => of(body, truth),
        },
        Kind::Binary(op, interval, left, right) => {
            let parts = longest(of(left, truth), of(right, truth));
            match op {
                BinaryOp::Until if !truth => after(wait(interval), parts),
                BinaryOp::WeakUntil | BinaryOp::Release if truth => after(wait(interval), parts),
                _ => parts,
            }
        }
        Kind::Match(direction, interval, regex) => {
            let parts = regex.formulas().into_iter().fold(at_once, |delay, part| longest(delay, both(part)));
            if *direction == Direction::Future && !truth { after(wait(interval), parts) } else { parts }
        }
        Kind::Aggregate(aggregation) => both(&aggregation.body),
        Kind::Call(definition, _) => match property.definitions.get(definition.index()) {
            // The body of a recursive definition looks back only.
            Some(definition) if !definition.recursive => of(&definition.body, truth),
            _ => at_once,
        },
    }
}
