//! Judging a trace that is held in memory.

use std::sync::Arc;

use referee_spec::core::{Outcome, Property, Rule, Status, Violation};
use referee_trace::error::Flow;
use referee_trace::event::EventShape;
use referee_trace::owned::OwnedTrace;
use referee_trace::points::{Batcher, Interest, PointSink, Points};
use referee_trace::raw::ShapeId;
use referee_trace::values::Values;

use crate::dispatch::{AssignedJudge, Settings, judges};
use crate::fo::{Passes, Program, Reason, compile};
use crate::judge::{Finding, Wanted};

/// Judges a whole trace against one rule as the command line does, in batches; or with `prefix` one that may go on.
pub fn judge_rule(rule: &Arc<Rule>, trace: &OwnedTrace, prefix: bool) -> Outcome {
    run(judges(std::slice::from_ref(rule), &Settings { prefix, ..Settings::default() }), trace, prefix)
}

/// Judges a whole trace by a compiled program; the reason if the property takes the general path.
///
/// How many bindings are pending on a prefix of a property judged once, only the general path counts.
pub fn judge_compiled(
    property: Arc<Property>,
    trace: &OwnedTrace,
    prefix: bool,
    passes: Passes,
) -> Result<Outcome, Reason> {
    let judge = Box::new(program(property, passes, Wanted::All)?);
    Ok(run(vec![AssignedJudge { judge, rules: vec![0] }], trace, prefix))
}

/// The same where only the first violation that is decided is wanted; what comes behind it may be missing.
pub fn first_compiled(property: Arc<Property>, trace: &OwnedTrace, passes: Passes) -> Result<Outcome, Reason> {
    let judge = Box::new(program(property, passes, Wanted::First)?);
    Ok(run(vec![AssignedJudge { judge, rules: vec![0] }], trace, false))
}

fn program(property: Arc<Property>, passes: Passes, wanted: Wanted) -> Result<Program, Reason> {
    let compiled = compile::compiler::compile(&property, &passes)?;
    Ok(Program::new(&[property], compiled, passes, wanted))
}

fn run(assigned: Vec<AssignedJudge>, trace: &OwnedTrace, prefix: bool) -> Outcome {
    let mut batcher = Batcher::new(Listener { assigned, found: Vec::new() });
    // A listener never has enough.
    let _ = trace.send(&mut batcher).and_then(|()| batcher.finish());
    let last = batcher.last_point();
    let (listener, values) = batcher.parts();
    let mut outcome = listener.end(last, prefix, values);
    outcome.violations.sort_by(Violation::report_order);
    outcome
}

/// The robustness of a rule over signals on a whole trace, where the rule wants it.
pub fn judge_robustness(rule: &Arc<Rule>, trace: &OwnedTrace) -> Option<String> {
    let assigned = judges(std::slice::from_ref(rule), &Settings::default());
    let mut batcher = Batcher::new(Listener { assigned, found: Vec::new() });
    // A listener never has enough.
    let _ = trace.send(&mut batcher).and_then(|()| batcher.finish());
    let last = batcher.last_point();
    let (listener, values) = batcher.parts();
    listener.end(last, false, values);
    listener.assigned.iter().find_map(|one| one.judge.robustness(0))
}

/// Judges one rule and keeps what is found.
struct Listener {
    assigned: Vec<AssignedJudge>,
    found: Vec<Finding>,
}

impl Listener {
    /// The outcome of the only rule.
    fn end(&mut self, last: u64, prefix: bool, values: &mut Values) -> Outcome {
        let ends = self.assigned.iter_mut().flat_map(|one| one.judge.end(last, prefix, values));
        let nothing = Outcome { status: Status::Satisfied, violations: Vec::new(), pending: 0, obstacle: None };
        let mut outcome = ends.last().unwrap_or(nothing);
        outcome.violations.extend(self.found.drain(..).map(|finding| finding.violation));
        outcome
    }
}

impl PointSink for Listener {
    fn shape(&mut self, _: ShapeId, shape: &EventShape, values: &mut Values) -> Interest {
        let interests = self.assigned.iter_mut().map(|one| one.judge.shape(shape, values));
        interests.fold(Interest::none(), Interest::or)
    }

    fn wants_empty_points(&self) -> bool {
        self.assigned.iter().any(|one| one.judge.wants_empty_points())
    }

    fn begin_trace(&mut self, _: u64, _: u64, _: &mut Values) -> Flow {
        Ok(())
    }

    fn points(&mut self, points: &Points, values: &mut Values) -> Flow {
        self.assigned.iter_mut().for_each(|one| one.judge.points(points, values, &mut self.found));
        Ok(())
    }
}
