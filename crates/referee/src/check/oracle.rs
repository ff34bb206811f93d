//! `--oracle`: the naive evaluator in the place of the engine. It wants the whole trace before it says anything.

use std::sync::Arc;

use referee_engine::judge::{Damaged, Finding, Judge, Reader, ReportRow, Size, Unsavable, Writer};
use referee_engine::{AssignedJudge, Settings};
use referee_oracle::Mode;
use referee_oracle::stream::Row;
use referee_spec::core::{Outcome, Rule};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedPoint, OwnedTrace};
use referee_trace::points::{Interest, Points};
use referee_trace::raw::ShapeId;
use referee_trace::values::{Atom, LiveValues, Values};

/// One judge for all rules, so that the trace is kept once.
pub(super) fn judges(rules: &[Arc<Rule>], _: &Settings) -> Vec<AssignedJudge> {
    let judge = Oracle {
        rules: rules.to_vec(),
        shapes: Vec::new(),
        trace: OwnedTrace::default(),
        reports: Vec::new(),
        robustness: Vec::new(),
    };
    vec![AssignedJudge { judge: Box::new(judge), rules: (0..rules.len()).collect() }]
}

struct Oracle {
    rules: Vec<Arc<Rule>>,
    /// One event of each shape, without texts.
    shapes: Vec<OwnedEvent>,
    trace: OwnedTrace,
    reports: Vec<ReportRow>,
    /// By rule.
    robustness: Vec<Option<String>>,
}

impl Oracle {
    /// Judges one rule, and notes what there is to say beside.
    fn judge(&mut self, number: usize, mode: Mode) -> Outcome {
        let rule = self.rules[number].clone();
        let outcome = referee_oracle::judge_rule(&rule, &self.trace, mode);
        let mut robustness = None;
        match &*rule {
            Rule::Stream(program) if !program.reports.is_empty() => {
                for Row { report, point, time, values } in referee_oracle::stream::rows(program, &self.trace, mode) {
                    self.reports.push(ReportRow { rule: number, report, point, time, values });
                }
            }
            // What a prefix says of it may change.
            Rule::Signal(signal) if signal.robustness && mode == Mode::Complete && outcome.obstacle.is_none() => {
                robustness = Some(referee_oracle::signal::robustness(signal, &self.trace).to_string());
            }
            _ => {}
        }
        self.robustness.push(robustness);
        outcome
    }

    fn event(&self, shape: ShapeId, atoms: &[Atom], values: &Values) -> OwnedEvent {
        let mut event = self.shapes[shape.index()].clone();
        for (argument, &atom) in event.arguments.iter_mut().zip(atoms) {
            argument.text = (*values.text(atom)).into();
        }
        event
    }
}

impl Judge for Oracle {
    fn shape(&mut self, shape: &EventShape, _: &mut Values) -> Interest {
        self.shapes.push(OwnedEvent::of_shape(shape));
        Interest::all()
    }

    fn points(&mut self, points: &Points, values: &mut Values, _: &mut Vec<Finding>) {
        for point in points.iter() {
            let events = point.events().map(|(shape, atoms)| self.event(shape, atoms, values)).collect();
            self.trace.points.push(OwnedPoint { time: point.time.cloned(), events });
        }
    }

    /// What is known is judged at the end.
    fn advance(&mut self, _last: u64, _time: &Number, _: &mut Values, _: &mut Vec<Finding>) {}

    /// It keeps the trace, which is there already.
    fn save(&self, _: &Values, _: &mut Writer) -> Result<(), Unsavable> {
        Err(Unsavable)
    }

    fn load(&mut self, _: &mut Values, _: &mut Reader) -> Result<(), Damaged> {
        Err(Damaged)
    }

    fn forget(&mut self, _: Atom, _: &Values) {}

    /// It keeps texts.
    fn mark(&mut self, _: &Values, _: &mut LiveValues) -> Result<(), Unsavable> {
        Ok(())
    }

    fn end(&mut self, _last: u64, prefix: bool, _: &mut Values) -> Vec<Outcome> {
        let mode = if prefix { Mode::Prefix } else { Mode::Complete };
        (0..self.rules.len()).map(|number| self.judge(number, mode)).collect()
    }

    fn take_reports(&mut self) -> Vec<ReportRow> {
        std::mem::take(&mut self.reports)
    }

    fn robustness(&self, rule: usize) -> Option<String> {
        self.robustness.get(rule).cloned().flatten()
    }

    fn is_open(&self, _point: u64) -> bool {
        true
    }

    fn open_points(&self) -> usize {
        self.trace.points.len()
    }

    fn sizes(&self) -> Vec<Size> {
        Vec::new()
    }
}
