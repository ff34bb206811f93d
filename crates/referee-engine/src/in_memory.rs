//! Judging a trace that is held in memory.

use std::sync::Arc;

use referee_spec::core::{Outcome, Property, Rule, Violation};
use referee_trace::error::Flow;
use referee_trace::event::EventShape;
use referee_trace::owned::OwnedTrace;
use referee_trace::points::{Batcher, Interest, PointSink, Points};
use referee_trace::raw::ShapeId;
use referee_trace::values::Values;

use crate::dispatch::{AssignedJudge, Settings};
use crate::fo::{Passes, Program, Reason, compile};
use crate::judge::{Finding, Wanted};
use crate::session::Session;

/// Judges a whole trace against one rule as the command line does, in batches; or with `prefix` one that may go on.
pub fn judge_rule(rule: &Arc<Rule>, trace: &OwnedTrace, prefix: bool) -> Outcome {
    let settings = Settings { prefix, ..Settings::default() };
    run(Session::with(std::slice::from_ref(rule), &settings), trace).0
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
    let settings = Settings { prefix, passes, ..Settings::default() };
    Ok(run(compiled(property, &settings)?, trace).0)
}

/// The same where only the first violation that is decided is wanted; what comes behind it may be missing.
pub fn first_compiled(property: Arc<Property>, trace: &OwnedTrace, passes: Passes) -> Result<Outcome, Reason> {
    let settings = Settings { wanted: Wanted::First, passes, ..Settings::default() };
    Ok(run(compiled(property, &settings)?, trace).0)
}

/// A session in which one property is judged by a compiled program.
fn compiled(property: Arc<Property>, settings: &Settings) -> Result<Session, Reason> {
    let compiled = compile::compiler::compile(&property, &settings.passes)?;
    let program = Program::new(std::slice::from_ref(&property), compiled, settings.passes, settings.wanted);
    let judge = AssignedJudge { judge: Box::new(program), rules: vec![0] };
    Ok(Session::of_judges(&[Arc::new(Rule::Formula(property))], settings, vec![judge]))
}

/// The robustness of a rule over signals on a whole trace, where the rule wants it.
pub fn judge_robustness(rule: &Arc<Rule>, trace: &OwnedTrace) -> Option<String> {
    run(Session::new(std::slice::from_ref(rule)), trace).1.robustness(0)
}

/// The outcome of the only rule of a session.
fn run(session: Session, trace: &OwnedTrace) -> (Outcome, Session) {
    let mut batcher = Batcher::new(Listener { session, found: Vec::new() });
    // A listener never has enough.
    let _ = trace.send(&mut batcher).and_then(|()| batcher.finish());
    let last = batcher.last_point();
    let Listener { mut session, found } = batcher.into_sink();
    session.pass_to(last);
    let mut outcome = session.end().remove(0);
    outcome.violations.extend(found.into_iter().map(|finding| finding.violation));
    outcome.violations.sort_by(Violation::report_order);
    (outcome, session)
}

/// Hands points to a session and keeps what is found.
struct Listener {
    session: Session,
    found: Vec<Finding>,
}

impl PointSink for Listener {
    fn values(&mut self) -> &mut Values {
        self.session.values_mut()
    }

    fn shape(&mut self, _: ShapeId, shape: &EventShape) -> Interest {
        self.session.shape(shape)
    }

    fn wants_empty_points(&self) -> bool {
        self.session.wants_empty_points()
    }

    fn begin_trace(&mut self, _: u64, _: u64) -> Flow {
        Ok(())
    }

    fn points(&mut self, points: &Points) -> Flow {
        self.found.extend(self.session.points(points));
        Ok(())
    }
}
