//! Hands traces that are held in memory to sessions.

// Each test takes what it needs.
#![allow(dead_code)]

use referee_engine::judge::Finding;
use referee_engine::session::{Session, SessionKind};
use referee_spec::core::{Outcome, Violation};
use referee_trace::owned::{OwnedArgument, OwnedPoint, OwnedTrace};
use referee_trace::values::Atom;

/// The events of a point as a session takes them.
pub(crate) fn events_of(session: &mut Session, point: &OwnedPoint) -> Vec<(SessionKind, Vec<Atom>)> {
    let mut events = Vec::new();
    for event in &point.events {
        let kind = session.kind_of(&event.shape());
        let values = session.values_mut();
        let atom = |argument: &OwnedArgument| {
            values.intern_as(&argument.text, argument.declared).expect("the text is of its type")
        };
        events.push((kind, event.arguments.iter().map(atom).collect()));
    }
    events
}

/// Judges one point.
pub(crate) fn step(session: &mut Session, point: &OwnedPoint) -> Vec<Finding> {
    let events = events_of(session, point);
    let events: Vec<(SessionKind, &[Atom])> = events.iter().map(|(kind, atoms)| (*kind, &atoms[..])).collect();
    session.point(point.time.as_ref(), &events).expect("points are in order")
}

/// Judges a trace by the only rule of a session, point by point; before each point and the end, `between` may do anything to the
/// session. It gets the number of points that have passed.
pub(crate) fn follow(
    session: &mut Session,
    trace: &OwnedTrace,
    mut between: impl FnMut(&mut Session, usize),
) -> Outcome {
    let mut violations: Vec<Violation> = Vec::new();
    for (passed, point) in trace.points.iter().enumerate() {
        between(session, passed);
        violations.extend(step(session, point).into_iter().map(|finding| finding.violation));
    }
    between(session, trace.points.len());
    let mut outcome = session.end().remove(0);
    violations.append(&mut outcome.violations);
    let rest = |violation: &Violation| (violation.message.clone(), violation.decided);
    violations.sort_by(|one, other| one.report_order(other).then_with(|| rest(one).cmp(&rest(other))));
    Outcome { violations, ..outcome }
}
