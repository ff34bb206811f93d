//! A judge whose rule was added to a trace that goes on: its trace begins there.
//!
//! ```text
//!  the trace    1 2 3 4 5 6 7 8
//!  the judge            1 2 3 4      it was added after point 4, and what it finds at its point 2 happened at point 6
//! ```
//!
//! Judges take the first point that they hear of for a later one unless its number is 1. Counting from where the rule was added, they
//! judge the rest of the trace as if it were all. Costs a copy of each batch; such a rule is one of few.

use referee_spec::core::Outcome;
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::points::{Interest, Points};
use referee_trace::values::{Atom, LiveValues, Values};

use crate::judge::{Damaged, Finding, Judge, Reader, ReportRow, RuleState, Size, Unsavable, Writer};

/// Judges what comes after a point as a trace of its own.
pub(super) struct LateJudge {
    judge: Box<dyn Judge>,
    /// The last point before its trace.
    before: u64,
    /// The batch at hand, with its own numbers.
    points: Points,
}

impl LateJudge {
    /// The judge for what comes after the point `before`.
    pub(super) fn new(judge: Box<dyn Judge>, before: u64) -> LateJudge {
        LateJudge { judge, before, points: Points::new(1) }
    }

    fn shift(&self, found: &mut [Finding]) {
        for Finding { violation, .. } in found {
            violation.point += self.before;
            violation.decided = violation.decided.map(|point| point + self.before);
            violation.opened = violation.opened.map(|point| point + self.before);
        }
    }
}

impl Judge for LateJudge {
    fn shape(&mut self, shape: &EventShape, values: &mut Values) -> Interest {
        self.judge.shape(shape, values)
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        self.points.clear(points.trace());
        for point in points.iter().filter(|point| point.number > self.before) {
            for (index, (shape, arguments)) in point.events().enumerate() {
                self.points.push_event(shape, point.event_number(index), arguments);
            }
            self.points.end_point(point.number - self.before, point.time.cloned());
        }
        let first = found.len();
        self.judge.points(&self.points, values, found);
        self.shift(&mut found[first..]);
    }

    fn advance(&mut self, last: u64, time: &Number, values: &mut Values, found: &mut Vec<Finding>) {
        let first = found.len();
        self.judge.advance(last.saturating_sub(self.before), time, values, found);
        self.shift(&mut found[first..]);
    }

    fn end(&mut self, last: u64, prefix: bool, values: &mut Values) -> Vec<Outcome> {
        let mut outcomes = self.judge.end(last.saturating_sub(self.before), prefix, values);
        for outcome in &mut outcomes {
            let found = std::mem::take(&mut outcome.violations).into_iter();
            let mut found: Vec<Finding> = found.map(|violation| Finding { rule: 0, violation }).collect();
            self.shift(&mut found);
            outcome.violations = found.into_iter().map(|found| found.violation).collect();
            outcome.obstacle.iter_mut().for_each(|obstacle| obstacle.point += self.before);
        }
        outcomes
    }

    fn save(&self, values: &Values, out: &mut Writer) -> Result<(), Unsavable> {
        self.judge.save(values, out)
    }

    fn load(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        self.judge.load(values, reader)
    }

    fn forget(&mut self, value: Atom, values: &Values) {
        self.judge.forget(value, values);
    }

    fn mark(&mut self, values: &Values, live: &mut LiveValues) -> Result<(), Unsavable> {
        self.judge.mark(values, live)
    }

    fn rule_state(&mut self, rule: usize, values: &mut Values) -> Option<RuleState> {
        self.judge.rule_state(rule, values)
    }

    fn wants_empty_points(&self) -> bool {
        self.judge.wants_empty_points()
    }

    fn reports_last_point(&self) -> bool {
        self.judge.reports_last_point()
    }

    fn is_open(&self, point: u64) -> bool {
        point > self.before && self.judge.is_open(point - self.before)
    }

    fn open_points(&self) -> usize {
        self.judge.open_points()
    }

    fn take_reports(&mut self) -> Vec<ReportRow> {
        let rows = self.judge.take_reports().into_iter();
        rows.map(|row| ReportRow { point: row.point + self.before, ..row }).collect()
    }

    fn robustness(&self, rule: usize) -> Option<String> {
        self.judge.robustness(rule)
    }

    fn sizes(&self) -> Vec<Size> {
        self.judge.sizes()
    }
}
