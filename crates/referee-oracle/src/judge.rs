//! Violations: which assignments fail, at which points, and when that is decided.
//!
//! # Rows
//!
//! After point k the assignments of the bindings fall into finitely many *rows*. A row gives each binding a value of its
//! domain that is known after k or, over an infinite domain, nothing: any value not named up to k. A row with several
//! nothings stands for every pattern of equal and different values. It is false if any assignment that it stands for
//! is false, true if all are, else unknown or undecidable (Kleene's conjunction).
//!
//! ```text
//!   named up to 3: a        rows: (a) (—)
//!   named up to 4: a, b     rows: (a) (b) (—)        (b) was part of (—) before
//! ```
//!
//! A row is *settled* at the first k at which it is true or false, and with it everything that it stood for then: a value
//! that is named only later does not get a row of its own where the row it was part of is settled. So `(—)`, decided
//! at 3, covers `(b)` for ever, while `(a)` is decided by itself. For a true row nothing is lost: what is true of values
//! that nobody has named stays true of those that are named later, as far as the points up to then decide it.
//!
//! # Stages
//!
//! ```text
//!   after 1, after 2, … after n, and on a complete trace: after the end
//! ```
//!
//! Where a clock moves after point k, that is one more look at the stage after k, which knows that later points are not before a time.
//!
//! At every stage every judged point that is known (for [`Judgement::Once`] only the first) takes its rows that are not
//! settled. A false row is a violation ([`Judgement::Once`], [`Judgement::EveryBinding`]), or the first false one is
//! the violation of its point ([`Judgement::EveryPoint`]), which is then closed. What is unknown or undecidable after the
//! last stage of a prefix is pending; what is undecidable after the last stage of any trace is an obstacle.
//!
//! `opened` is always nothing: the definitions do not say which obligation was open, only the engine's tables do.

use std::collections::{BTreeSet, HashMap};

use referee_spec::core::{Domain, Judgement, Kind, Obstacle, Outcome, Property, Status, Violation};
use referee_trace::owned::OwnedTrace;

use crate::assignment::Assignment;
use crate::assignment::Datum;
use crate::evaluate::Evaluator;
use crate::question::{ClockStep, Mode};
use crate::truth::{Truth, first};
use crate::world::{ValueId, World};

/// One value per binding; nothing stands for all values not named.
type ReportedRow = Vec<Option<ValueId>>;

/// Judges a property on a trace.
pub(crate) fn judge(property: &Property, trace: &OwnedTrace, mode: Mode, clock: &[ClockStep]) -> Outcome {
    let mut judge = Judge {
        property,
        evaluator: Evaluator::new(property, World::new(property, trace)),
        stage: 0,
        again: false,
        settled: HashMap::new(),
        violations: Vec::new(),
        last: Summary::default(),
        aggregates: has_aggregation(property),
    };
    judge.consider_all();
    for known in 1..=trace.points.len() {
        judge.evaluator.learn(known);
        judge.consider_all();
        for step in clock.iter().filter(|step| step.after == known) {
            judge.evaluator.learn_time(&step.time);
            judge.consider_again();
        }
    }
    if mode == Mode::Complete {
        judge.evaluator.learn_end();
        judge.consider_all();
    }
    judge.outcome(mode)
}

fn has_aggregation(property: &Property) -> bool {
    let mut found = false;
    for body in property.definitions.iter().map(|definition| &definition.body).chain([&property.body]) {
        body.visit(&mut |formula| found |= matches!(formula.kind, Kind::Aggregate(_)));
    }
    found
}

struct Judge<'a> {
    property: &'a Property,
    evaluator: Evaluator<'a>,
    /// The number of the stage; that after point k is k.
    stage: usize,
    /// Whether the stage was considered before.
    again: bool,
    /// Per point, when its rows were settled.
    settled: HashMap<usize, HashMap<ReportedRow, usize>>,
    violations: Vec<(Violation, ReportedRow)>,
    last: Summary,
    /// Whether the property has an aggregation.
    aggregates: bool,
}

/// What is open after a stage.
#[derive(Default)]
struct Summary {
    pending: u64,
    obstacle: Option<Obstacle>,
}

impl Summary {
    /// Adds a row, or without `counts` only what stands in its way.
    fn add(&mut self, truth: Truth, counts: bool) {
        self.pending += u64::from(counts && !truth.is_decided());
        if let Truth::Undecidable(obstacle) = truth {
            self.obstacle = Some(match self.obstacle.take() {
                Some(other) => first(other, obstacle),
                None => obstacle,
            });
        }
    }
}

impl Judge<'_> {
    /// Considers the newest stage once more.
    fn consider_again(&mut self) {
        (self.stage, self.again) = (self.stage - 1, true);
        self.consider_all();
        self.again = false;
    }

    fn consider_all(&mut self) {
        self.last = Summary::default();
        let points = match self.property.judgement {
            Judgement::Once => 1..=1,
            // The point without events that stands for the empty trace is judged only once.
            Judgement::EveryPoint | Judgement::EveryBinding => {
                1..=self.evaluator.known.min(self.evaluator.world.length)
            }
        };
        self.saturate(points.clone());
        for point in points {
            match self.property.judgement {
                Judgement::EveryPoint => self.consider_point(point),
                Judgement::Once | Judgement::EveryBinding => self.consider_rows(point),
            }
        }
        self.stage += 1;
    }

    /// Finds all values that aggregations yield at this stage, so that they have rows.
    fn saturate(&mut self, points: std::ops::RangeInclusive<usize>) {
        while self.aggregates {
            let yields = self.evaluator.yields.len();
            for point in points.clone() {
                for row in self.rows(point) {
                    if !self.is_covered(point, &row) {
                        self.row_truth(point, &row, 0, &Assignment::empty(self.property), &BTreeSet::new());
                    }
                }
            }
            if self.evaluator.yields.len() == yields {
                return;
            }
            self.evaluator.forget();
        }
    }

    fn consider_rows(&mut self, point: usize) {
        let rows = self.open_rows(point);
        for (row, truth) in &rows {
            let yielded = self.is_yielded(row);
            if *truth != Truth::False {
                self.last.add(truth.clone(), !yielded);
            } else if !yielded || !self.is_one_of_many(row, &rows) {
                self.report(point, row.clone());
            }
        }
    }

    /// Whether a row has a value that only an aggregation yields.
    fn is_yielded(&self, row: &ReportedRow) -> bool {
        row.iter().flatten().any(|&id| !self.evaluator.world.is_named(id, self.evaluator.known))
    }

    /// Whether a false row is like that of all values not named: then that one stands for it.
    fn is_one_of_many(&self, row: &ReportedRow, rows: &[(ReportedRow, Truth)]) -> bool {
        let known = self.evaluator.known;
        let like = |other: &ReportedRow| {
            let mut pairs = other.iter().zip(row);
            pairs.all(|pair| match pair {
                (None, Some(id)) => !self.evaluator.world.is_named(*id, known),
                (one, two) => one == two,
            })
        };
        rows.iter().any(|(other, truth)| other != row && *truth == Truth::False && like(other))
    }

    fn consider_point(&mut self, point: usize) {
        if self.violations.iter().any(|(violation, _)| violation.point == point as u64) {
            return;
        }
        let rows = self.open_rows(point);
        if let Some((row, _)) = rows.iter().find(|(_, truth)| *truth == Truth::False) {
            return self.report(point, row.clone());
        }
        let grows = self.property.bindings.iter().any(|binding| self.evaluator.may_grow(binding.variable));
        let unseen = if grows { Truth::Unknown } else { Truth::True };
        self.last.add(Truth::all(rows.into_iter().map(|(_, truth)| truth)).and(unseen), true);
    }

    /// The rows that were not settled before, with their truth at this stage; notes those that are settled now.
    fn open_rows(&mut self, point: usize) -> Vec<(ReportedRow, Truth)> {
        let mut open = Vec::new();
        for row in self.rows(point) {
            if self.is_covered(point, &row) {
                continue;
            }
            let truth = self.row_truth(point, &row, 0, &Assignment::empty(self.property), &BTreeSet::new());
            if truth.is_decided() {
                self.settled.entry(point).or_default().insert(row.clone(), self.stage);
            }
            open.push((row, truth));
        }
        open
    }

    /// All rows of this stage, in order.
    fn rows(&self, point: usize) -> Vec<ReportedRow> {
        let mut rows: Vec<ReportedRow> = vec![Vec::new()];
        for binding in &self.property.bindings {
            let mut named = self.evaluator.row_values(binding.variable, point);
            let world = &self.evaluator.world;
            named.sort_by(|one, other| world.value(*one).report_order(world.value(*other)));
            let infinite = self.property.variable(binding.variable).domain == Domain::Infinite;
            let values: Vec<Option<ValueId>> =
                infinite.then_some(None).into_iter().chain(named.into_iter().map(Some)).collect();
            let longer = |row: &ReportedRow| {
                values.iter().map(|value| [&row[..], &[*value]].concat()).collect::<Vec<ReportedRow>>()
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        rows
    }

    /// Whether the row, or the one that it was part of, was settled at an earlier stage.
    fn is_covered(&self, point: usize, row: &ReportedRow) -> bool {
        let Some(settled) = self.settled.get(&point) else { return false };
        (0..self.stage + usize::from(self.again)).any(|stage| settled.get(&self.at_stage(row, stage)) == Some(&stage))
    }

    /// The row that stood for this one at an earlier stage.
    fn at_stage(&self, row: &ReportedRow, stage: usize) -> ReportedRow {
        let yielded = |id: &ValueId| self.evaluator.yields.get(id).is_some_and(|&first| first <= stage);
        let unnamed = |id: ValueId| !self.evaluator.world.is_named(id, stage) && !yielded(&id);
        let component = |(index, value): (usize, &Option<ValueId>)| {
            let infinite = self.property.variable(self.property.bindings[index].variable).domain == Domain::Infinite;
            value.filter(|&id| !(infinite && unnamed(id)))
        };
        row.iter().enumerate().map(component).collect()
    }

    /// The conjunction over all assignments that a row stands for, given its first `index` values.
    fn row_truth(
        &mut self,
        point: usize,
        row: &ReportedRow,
        index: usize,
        assignment: &Assignment,
        used: &BTreeSet<Datum>,
    ) -> Truth {
        let Some(binding) = self.property.bindings.get(index) else {
            return self.evaluator.formula(&self.property.body, point, assignment);
        };
        let choices = match row[index] {
            Some(id) => vec![Datum::Value(id)],
            None => {
                let mut choices = self.evaluator.candidates(binding.variable, used, point);
                choices.retain(|datum| matches!(datum, Datum::Anonymous(_)));
                choices
            }
        };
        Truth::all(choices.into_iter().map(|datum| {
            let used = used.iter().copied().chain([datum]).collect();
            self.row_truth(point, row, index + 1, &assignment.with(binding.variable, datum), &used)
        }))
    }

    fn report(&mut self, point: usize, row: ReportedRow) {
        let length = self.evaluator.world.length;
        let decided = (!self.evaluator.ended).then_some(self.evaluator.known as u64);
        let point = match self.property.judgement {
            Judgement::Once => decided.unwrap_or(length as u64),
            Judgement::EveryPoint | Judgement::EveryBinding => point as u64,
        };
        let value = |id: &Option<ValueId>| id.map(|id| self.evaluator.world.value(id).clone());
        let bindings = row.iter().map(value).collect();
        self.violations.push((Violation { point, decided, opened: None, bindings, message: None }, row));
    }

    fn outcome(mut self, mode: Mode) -> Outcome {
        self.violations.sort_by(|(one, _), (other, _)| one.report_order(other));
        let status = match (self.violations.is_empty(), &self.last.obstacle) {
            (false, _) => Status::Violated,
            (true, Some(_)) => Status::GaveUp,
            (true, None) => Status::Satisfied,
        };
        Outcome {
            status,
            violations: self.violations.into_iter().map(|(violation, _)| violation).collect(),
            pending: if mode == Mode::Prefix { self.last.pending } else { 0 },
            obstacle: self.last.obstacle,
        }
    }
}
