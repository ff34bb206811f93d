//! Reading and judging: short traces in memory, long ones in one pass.

use std::sync::Arc;

use referee_engine::judge::Wanted;
use referee_engine::session::Session;
use referee_engine::{Settings, judge_rule};
use referee_spec::core::{Language, Rule, Status, Violation};
use referee_trace::abstraction::{Meaning, Ties};
use referee_trace::error::{Flow, TraceError};
use referee_trace::event::{EventShape, EventShapes};
use referee_trace::format::Format;
use referee_trace::mapping::Mapping;
use referee_trace::owned::OwnedTrace;
use referee_trace::points::{Interest, PointSink, Points};
use referee_trace::raw::ShapeId;
use referee_trace::reader::ReadOptions;
use referee_trace::values::Values;

use super::specification::Specification;
use crate::package;

/// How a specification reads traces.
pub(super) fn read_options(
    specification: &Specification,
    format: Option<Format>,
    mapping: Option<Mapping>,
) -> ReadOptions {
    let language = specification.language;
    let mapping = mapping.or_else(|| Mapping::load(language.built_in_mapping()?).ok()).unwrap_or_default();
    let ties = if language.wants_increasing_times() { Ties::Refused } else { Ties::Apart };
    let time = language.time_field(specification.timed);
    let meaning = Meaning { mapping, time, ties, need: specification.time_need(), ..Meaning::default() };
    ReadOptions { format, meaning, ..ReadOptions::default() }
}

/// Reads the short text of a demonstration as a specification does.
pub(super) fn read_short(
    text: &str,
    specification: &Specification,
    mapping: Option<Mapping>,
) -> Result<Vec<OwnedTrace>, TraceError> {
    package::read_short(text, |format| read_options(specification, format, mapping.clone()))
}

/// What rules say of traces in memory: the worst that one of them says of one of these.
pub(super) fn status_of_all(rules: &[Arc<Rule>], traces: &[OwnedTrace]) -> Status {
    let pairs = rules.iter().flat_map(|rule| traces.iter().map(move |trace| (rule, trace)));
    let statuses: Vec<Status> = pairs.map(|(rule, trace)| judge_rule(rule, trace, false).status).collect();
    worst(&statuses)
}

/// Violated if any is, else whatever keeps it from being Satisfied.
pub(super) fn worst(statuses: &[Status]) -> Status {
    let order = [Status::Violated, Status::TimeOut, Status::GaveUp];
    order.into_iter().find(|status| statuses.contains(status)).unwrap_or(Status::Satisfied)
}

/// Whether two languages read the same trace in the same way.
pub(super) fn read_alike(one: &Specification, other: &Specification) -> bool {
    let how = |language: Language| (language.built_in_mapping(), language.wants_increasing_times());
    one.language.time_field(one.timed) == other.language.time_field(other.timed)
        && how(one.language) == how(other.language)
}

/// A violation and the numbers of the events of its point, as far as they were at hand.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// The rule, by its number among all rules of the pass.
    pub rule: usize,
    /// What was found.
    pub violation: Violation,
    /// The first and the last event of its point.
    pub events: Option<(u64, u64)>,
}

/// Judges many rules in one pass over a trace.
pub(super) struct TracePass {
    session: Session,
    /// The first violations of each rule.
    pub found: Vec<Found>,
    /// How each rule ended on the traces so far.
    statuses: Vec<Vec<Status>>,
}

impl TracePass {
    /// A pass for these rules.
    pub(super) fn new(rules: &[Arc<Rule>]) -> TracePass {
        let settings = Settings { wanted: Wanted::First, ..Settings::default() };
        let statuses = vec![Vec::new(); rules.len()];
        TracePass { session: Session::with(rules, &settings), found: Vec::new(), statuses }
    }

    /// The trace is over after the point `last`.
    pub(super) fn end(&mut self, last: u64) {
        self.session.pass_to(last);
        for (rule, outcome) in self.session.end().into_iter().enumerate() {
            self.statuses[rule].push(outcome.status);
            let found = outcome.violations.into_iter().map(|violation| Found { rule, violation, events: None });
            self.found.extend(found);
        }
    }

    /// The shapes of the trace's events.
    pub(super) fn shapes(&self) -> &EventShapes {
        self.session.shapes()
    }

    /// What the rule with this number says, once the pass is over.
    pub(super) fn status(&self, rule: usize) -> Status {
        match self.found.iter().any(|found| found.rule == rule) {
            true => Status::Violated,
            false => worst(&self.statuses[rule]),
        }
    }
}

impl PointSink for TracePass {
    fn values(&mut self) -> &mut Values {
        self.session.values_mut()
    }

    fn shape(&mut self, _: ShapeId, shape: &EventShape) -> Interest {
        self.session.shape(shape)
    }

    fn wants_empty_points(&self) -> bool {
        self.session.wants_empty_points()
    }

    fn begin_trace(&mut self, _: u64, last: u64) -> Flow {
        self.end(last);
        self.session.begin_trace();
        Ok(())
    }

    fn points(&mut self, points: &Points) -> Flow {
        for finding in self.session.points(points) {
            let point = points.find(finding.violation.point).filter(|point| !point.is_empty());
            let events = point.map(|point| (point.event_number(0), point.event_number(point.len() - 1)));
            self.found.push(Found { rule: finding.rule, violation: finding.violation, events });
        }
        Ok(())
    }
}
