//! Whatever judges rules, behind one interface: batches of points in, violations out.
//!
//! ```text
//!   shape(name, fields) ─▶ what is read of such events      once per shape
//!   points(batch)       ─▶ findings                          every few hundred points
//!   end(last, prefix)   ─▶ one outcome per rule              once
//! ```
//!
//! A judge may serve several rules that share tables; it counts its rules from 0. Values are atoms of one table that all
//! judges share.

use referee_spec::core::{Outcome, Status, Violation};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::points::{Interest, Points};
use referee_trace::value::Value;
use referee_trace::values::{Atom, LiveValues, Values};

use crate::shared::checksum::Checksum;

pub use crate::shared::bytes::{Damaged, Reader, Writer};

/// A checksum of bytes that is the same on every machine, now and later.
pub fn checksum(bytes: &[u8]) -> u64 {
    Checksum::of(bytes)
}

/// A violation, and the rule that it violates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which of the judge's rules, from 0.
    pub rule: usize,
    /// What was found.
    pub violation: Violation,
}

/// How many rows a judge remembers, and for what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Size {
    /// Which of the judge's rules, from 0.
    pub rule: usize,
    /// What the rows are kept for.
    pub purpose: String,
    /// How many there are.
    pub rows: usize,
}

/// One row of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportRow {
    /// The judge's rule that it is of, from 0.
    pub rule: usize,
    /// Which report of the program, from 0.
    pub report: usize,
    /// The point.
    pub point: u64,
    /// Its time, where the trace carries one.
    pub time: Option<Number>,
    /// One value per column, where there is one.
    pub values: Vec<Option<Value>>,
}

/// The verdict between two points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleState {
    /// What it would be if the trace ended here.
    pub status: Status,
    /// Whether nothing that comes can change it.
    pub settled: bool,
}

/// Which violations somebody wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The first of each rule that is decided: a judge may ignore what comes after it.
    First,
    /// All.
    All,
}

/// The state of a judge cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsavable;

/// Marks the values that a judge saves. What it does not save no continuation of the trace can tell from nothing, so what is left of that in
/// its tables needs no marks: a row whose word has come to stand for another value is as good as none, as it was before.
pub fn mark_saved(judge: &dyn Judge, values: &Values, live: &mut LiveValues) -> Result<(), Unsavable> {
    judge.save(values, &mut Writer::marking(live))
}

/// Judges some rules over one trace.
pub trait Judge: Send {
    /// A shape of events comes for the first time; shapes are numbered in this order.
    fn shape(&mut self, shape: &EventShape, values: &mut Values) -> Interest;

    /// Judges the next points and adds what they decide, in the order in which it is decided.
    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>);

    /// Time passes without a point after the point `last`: none will come before this time. Adds what that decides. See
    /// [`crate::session`].
    fn advance(&mut self, last: u64, time: &Number, values: &mut Values, found: &mut Vec<Finding>);

    /// The trace is over after the point `last` (0 if there was none), or with `prefix` may go on: one outcome per rule,
    /// with the violations that only this decides.
    fn end(&mut self, last: u64, prefix: bool, values: &mut Values) -> Vec<Outcome>;

    /// Writes all that later verdicts depend on: values by their content, nothing by a number of this process.
    fn save(&self, values: &Values, out: &mut Writer) -> Result<(), Unsavable>;

    /// Reads what [`Judge::save`] wrote, into a judge of the same rules that has heard of shapes and of nothing else.
    fn load(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged>;

    /// A value never comes again. What only it could reach may go; verdicts, points and bindings are those of a judge that
    /// forgets nothing. Who keeps nothing by value, or cannot prove that a row is of no use, keeps what it has.
    fn forget(&mut self, value: Atom, values: &Values);

    /// Marks the values that it refers to: the words of others may come to stand for new values. Who keeps words only to be fast
    /// drops them here, and all others call [`mark_saved`].
    fn mark(&mut self, values: &Values, live: &mut LiveValues) -> Result<(), Unsavable>;

    /// The verdict on one of its rules if the trace ended now, where that is known without an end.
    fn rule_state(&mut self, _rule: usize, _values: &mut Values) -> Option<RuleState> {
        None
    }

    /// Whether it must hear of points without events.
    fn wants_empty_points(&self) -> bool {
        true
    }

    /// Whether the end may decide violations of the last point, whose events it need not have read: they are then kept.
    fn reports_last_point(&self) -> bool {
        false
    }

    /// Whether the verdict on a point that has passed may still come: what it showed is then kept for the report.
    fn is_open(&self, _point: u64) -> bool {
        false
    }

    /// Adds the places of those points of a batch on which the verdict is open.
    fn open_among(&self, points: &Points, places: &mut Vec<usize>) {
        places.extend(points.numbers().enumerate().filter(|(_, point)| self.is_open(*point)).map(|(place, _)| place));
    }

    /// On how many points the verdict is open.
    fn open_points(&self) -> usize {
        0
    }

    /// The rows that reports got since they were asked for last.
    fn take_reports(&mut self) -> Vec<ReportRow> {
        Vec::new()
    }

    /// How far a formula over signals, the judge's rule of this number, is from changing its truth, once that is known.
    fn robustness(&self, _rule: usize) -> Option<String> {
        None
    }

    /// What is remembered.
    fn sizes(&self) -> Vec<Size>;
}
