//! Judges DATEs.
//!
//! ```text
//!  point ─▶ clocks: timeouts that are due before it ─┐
//!  event ─▶ plan: which lines it can fit ────────────┤
//!  message ─▶ plan ──────────────────────────────────┴▶ DatesRun: contexts open ─▶ those that it reaches take turns ─▶ messages
//! ```
//!
//! What a happening can fit is worked out once per shape of events, per channel and per timeout: a *plan*. Contexts are found by
//! the values of their keys, so an event that shows the keys of a scope costs one look-up there, and an event that shows
//! fewer visits the contexts of the scope. A clock has at most one entry in the queue of timeouts, however often it is reset.
//!
//! A context that is back where it began is dropped, where nobody can tell: it has no clocks, channels or scopes of its own, and
//! every happening that its automata know shows its keys, at the same places.

mod clock;
mod contexts;
mod memory;
mod plan;
mod run;
mod saved;
mod statements;
mod timeouts;

use std::sync::Arc;

use referee_spec::core::machine::Machine;
use referee_spec::core::machine::dates::{DateTrigger, Dates};
use referee_spec::core::{Obstacle, Outcome, Status, Violation};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::points::{Interest, Points};
use referee_trace::raw::Want;
use referee_trace::values::{Atom, LiveValues, Values};

use crate::judge::{Damaged, Finding, Judge, Reader, RuleState, Size, Unsavable, Writer, mark_saved};
use memory::DatesTrouble;
use plan::DatesPlan;
use run::{DatesFinding, DatesRun};

/// Judges one file of DATEs.
#[derive(Debug)]
pub struct DatesJudge {
    dates: Arc<Dates>,
    /// Made when the table of values is first seen.
    run: Option<DatesRun>,
    shapes: Vec<DatesPlan>,
    /// Whether time matters.
    timed: bool,
    stuck: Option<Obstacle>,
    violated: bool,
    normal: Vec<Atom>,
}

impl DatesJudge {
    /// A judge before the first point.
    pub fn new(machine: &Machine, dates: &Dates) -> DatesJudge {
        debug_assert_eq!(machine.binding_names().len(), dates.keys.len());
        DatesJudge {
            timed: !dates.clocks.is_empty(),
            dates: Arc::new(dates.clone()),
            run: None,
            shapes: Vec::new(),
            stuck: None,
            violated: false,
            normal: Vec::new(),
        }
    }

    /// Judges one point: its number, its time, and the shapes of its events with their arguments.
    pub fn point<'e>(
        &mut self,
        point: u64,
        time: Option<&Number>,
        events: impl Iterator<Item = (usize, &'e [Atom])>,
        values: &mut Values,
        found: &mut Vec<Finding>,
    ) {
        if self.stuck.is_some() {
            return;
        }
        // What was found at a point that cannot be judged is not certain.
        if let Err(trouble) = self.deal_with(point, time, events, values) {
            return self.give_up(point, trouble);
        }
        if self.run.as_ref().is_some_and(|run| !run.found.is_empty()) {
            let violations = self.take_violations(point, Some(point), values);
            found.extend(violations.into_iter().map(|violation| Finding { rule: 0, violation }));
        }
    }

    fn deal_with<'e>(
        &mut self,
        point: u64,
        time: Option<&Number>,
        events: impl Iterator<Item = (usize, &'e [Atom])>,
        values: &mut Values,
    ) -> Result<(), DatesTrouble> {
        let run = self.run.get_or_insert_with(|| DatesRun::new(&self.dates, values));
        if self.timed {
            let counted = || Number::from(point.cast_signed());
            run.reach(time.cloned().unwrap_or_else(counted), values)?;
        }
        for (shape, arguments) in events {
            let plan = &self.shapes[shape];
            if !plan.ways.is_empty() {
                self.normal.clear();
                self.normal.extend(arguments[..plan.arity].iter().map(|atom| values.normal(*atom)));
                run.observe(plan, &self.normal, values)?;
            }
        }
        Ok(())
    }

    /// Gives up for good.
    fn give_up(&mut self, point: u64, (problem, span): DatesTrouble) {
        self.stuck = Some(Obstacle { point, span, problem });
    }

    /// The violations since this was asked last, in the order of reports.
    fn take_violations(&mut self, point: u64, decided: Option<u64>, values: &Values) -> Vec<Violation> {
        let found = self.run.as_mut().map_or(Vec::new(), |run| std::mem::take(&mut run.found));
        let violation = |(bindings, message): DatesFinding| Violation {
            point,
            decided,
            opened: None,
            bindings: bindings.into_iter().map(|atom| atom.map(|atom| values.value(atom))).collect(),
            message: Some(message),
        };
        let mut violations: Vec<Violation> = found.into_iter().map(violation).collect();
        violations.sort_by(Violation::report_order);
        self.violated |= !violations.is_empty();
        violations
    }

    // ── State ───────────────────────────────────────────────────────────────────────────────────────────────────────

    /// The verdict if the trace ended now; nothing if the end has to be tried, because timeouts may be ahead.
    fn state_now(&self) -> Option<RuleState> {
        match (self.violated, &self.stuck) {
            (true, _) => Some(RuleState { status: Status::Violated, settled: true }),
            (false, Some(_)) => Some(RuleState { status: Status::GaveUp, settled: true }),
            (false, None) => (!self.timed).then_some(RuleState { status: Status::Satisfied, settled: false }),
        }
    }

    /// Writes all that later verdicts depend on.
    fn write_state(&self, values: &Values, out: &mut Writer) {
        out.truth(self.violated);
        out.truth(self.stuck.is_some());
        self.stuck.iter().for_each(|obstacle| out.obstacle(obstacle));
        out.truth(self.run.is_some());
        self.run.iter().for_each(|run| run.save(values, out));
    }

    /// Reads what `write_state` wrote, into a judge that has heard of shapes and nothing else.
    fn read_state(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        self.violated = reader.truth()?;
        self.stuck = if reader.truth()? { Some(reader.obstacle()?) } else { None };
        if reader.truth()? {
            let mut run = DatesRun::new(&self.dates, values);
            run.load(values, reader)?;
            self.run = Some(run);
        }
        Ok(())
    }
}

impl Judge for DatesJudge {
    fn shape(&mut self, shape: &EventShape, values: &mut Values) -> Interest {
        let matches = |trigger: &DateTrigger| matches!(trigger, DateTrigger::Observed(name) if **name == *shape.name);
        let plan = DatesPlan::new(&self.dates, matches, shape.positional, values);
        let idle = plan.ways.is_empty();
        self.shapes.push(plan);
        match idle {
            true => Interest { steps: self.timed, ..Interest::none() },
            false => Interest { want: Want::fields(0..shape.positional), ..Interest::all() },
        }
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        for point in points.iter() {
            let events = point.events().map(|(shape, arguments)| (shape.index(), arguments));
            self.point(point.number, point.time, events, values, found);
        }
    }

    /// The timeouts that lie before the time happen.
    fn advance(&mut self, last: u64, time: &Number, values: &mut Values, found: &mut Vec<Finding>) {
        let Some(run) = self.run.as_mut().filter(|run| self.timed && run.begun && self.stuck.is_none()) else { return };
        if let Err(trouble) = run.reach(time.clone(), values) {
            return self.give_up(last, trouble);
        }
        let violations = self.take_violations(last, Some(last), values);
        found.extend(violations.into_iter().map(|violation| Finding { rule: 0, violation }));
    }

    fn save(&self, values: &Values, out: &mut Writer) -> Result<(), Unsavable> {
        self.write_state(values, out);
        Ok(())
    }

    fn load(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        self.read_state(values, reader)
    }

    fn forget(&mut self, value: Atom, values: &Values) {
        if let Some(run) = &mut self.run {
            run.memory.forget(values.normal(value));
        }
    }

    fn rule_state(&mut self, _rule: usize, _values: &mut Values) -> Option<RuleState> {
        self.state_now()
    }

    fn mark(&mut self, values: &Values, live: &mut LiveValues) -> Result<(), Unsavable> {
        mark_saved(self, values, live)
    }

    fn end(&mut self, last: u64, prefix: bool, values: &mut Values) -> Vec<Outcome> {
        let (mut violations, mut pending) = (Vec::new(), 0);
        if let (Some(run), None) = (&mut self.run, &self.stuck) {
            if prefix {
                pending = run.pending();
            } else {
                match run.end(values) {
                    Ok(()) => violations = self.take_violations(last, None, values),
                    Err(trouble) => self.give_up(last, trouble),
                }
            }
        }
        let status = match (!self.violated && violations.is_empty(), &self.stuck) {
            (false, _) => Status::Violated,
            (true, Some(_)) => Status::GaveUp,
            (true, None) => Status::Satisfied,
        };
        vec![Outcome { status, violations, pending, obstacle: self.stuck.clone() }]
    }

    fn wants_empty_points(&self) -> bool {
        self.timed
    }

    fn sizes(&self) -> Vec<Size> {
        let size = |purpose: &str, rows: usize| Size { rule: 0, purpose: purpose.to_owned(), rows };
        let (contexts, timeouts) =
            self.run.as_ref().map_or((0, 0), |run| (run.memory.contexts.len(), run.memory.timeouts.len()));
        vec![size("contexts", contexts), size("timeouts", timeouts)]
    }
}
