//! The judge of signals: a formula of signal temporal logic at the first sample.
//!
//! ```text
//!  point ─▶ fields keep their values ─▶ atoms ─┬▶ truth:  the verdict, as soon as it is certain
//!                                              └▶ robust: the exact robustness, where it is wanted
//! ```
//!
//! A sample costs a constant number of steps per operator, on average, whatever the intervals are. What is kept are the
//! samples that some interval still reaches.

mod at_once;
mod atoms;
mod bounds;
mod degree;
mod degrees;
mod empty_trace;
mod eventually;
mod fields;
mod first;
mod robust;
mod sample_numbers;
mod saved;
mod times;
mod truth;
mod until;
mod why;

use std::sync::Arc;

use referee_spec::core::signal::{Robustness, Signal};
use referee_spec::core::{Obstacle, Outcome, Status, Violation};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::points::{Interest, PointView, Points};
use referee_trace::values::{Atom, LiveValues, Values};

use crate::judge::{Damaged, Finding, Judge, Reader, Size, Unsavable, Writer, mark_saved};
use atoms::{Atomic, SampleReader};
use degree::SmallDegree;
use empty_trace::on_empty_trace;
use fields::field_positions;
use robust::Robust;
use truth::SignalTruth;
use until::UntilDecision;
pub use why::SignalHistory;

/// Judges a formula over one trace.
pub struct SignalJudge {
    signal: Arc<Signal>,
    atoms: Vec<Atomic>,
    /// For each shape, which argument gives which field.
    shapes: Vec<Vec<(usize, usize)>>,
    fields: Vec<Option<Atom>>,
    now: Number,
    samples: u64,
    /// The numbers of the points that samples belong to differ where points are left out; this is the last.
    point: u64,
    truth: SignalTruth,
    robust: Option<Robust>,
    robustness: Option<Robustness>,
    /// What the atoms say of the sample: whether they hold, and how far they are from changing, as small degrees or, where one
    /// of them is not small, as others.
    truths: Vec<bool>,
    smalls: Vec<SmallDegree>,
    degrees: Vec<Robustness>,
    verdict: Option<bool>,
    obstacle: Option<Obstacle>,
}

impl SignalJudge {
    /// A judge before the first point.
    pub fn new(signal: Arc<Signal>) -> SignalJudge {
        let atoms = Atomic::all(&signal.formula);
        SignalJudge {
            shapes: Vec::new(),
            fields: vec![None; signal.fields.len()],
            now: Number::ZERO,
            samples: 0,
            point: 0,
            truth: SignalTruth::new(&signal.formula, signal.unit),
            robust: signal.robustness.then(|| Robust::new(&signal.formula, signal.unit)),
            robustness: None,
            truths: Vec::with_capacity(atoms.len()),
            smalls: Vec::with_capacity(atoms.len()),
            degrees: Vec::with_capacity(atoms.len()),
            verdict: None,
            obstacle: None,
            atoms,
            signal,
        }
    }

    fn sample(&mut self, point: PointView<'_>, values: &Values, found: &mut Vec<Finding>) {
        if let Some(time) = point.time {
            self.now = time.clone();
        }
        for (shape, arguments) in point.events() {
            for &(argument, field) in &self.shapes[shape.index()] {
                self.fields[field] = Some(arguments[argument]);
            }
        }
        self.samples += 1;
        self.point = point.number;
        let obstacle = self.judge_atoms(values);
        if self.verdict.is_none() {
            self.obstacle = obstacle;
            if self.obstacle.is_some() {
                return;
            }
            if let Some(decision) = self.truth.arrive(&self.now, &self.truths) {
                self.decide(decision, Some(point.number), found);
            }
        } else if obstacle.is_some() {
            // What the samples before decide stands.
            self.settle();
            self.robust = None;
        }
        self.measure();
    }

    /// Which atoms hold at the sample, and how far they are from changing; gives what was in the way.
    #[inline]
    fn judge_atoms(&mut self, values: &Values) -> Option<Obstacle> {
        self.truths.clear();
        self.smalls.clear();
        self.degrees.clear();
        for atom in &self.atoms {
            let Some((truth, degree)) = atom.plain(&self.fields) else { return self.judge_any_atoms(values) };
            self.truths.push(truth);
            self.smalls.push(degree);
        }
        None
    }

    /// The same for atoms of all kinds.
    fn judge_any_atoms(&mut self, values: &Values) -> Option<Obstacle> {
        let mut obstacle = None;
        let mut reader = SampleReader { fields: &self.fields, values, point: self.samples, obstacle: &mut obstacle };
        self.truths.clear();
        for atom in &self.atoms {
            let (truth, degree) = match self.robust {
                Some(_) => reader.measured(&atom.formula),
                None => (reader.holds(&atom.formula), Robustness::NegativeInfinity),
            };
            self.truths.push(truth);
            self.degrees.push(degree);
        }
        obstacle
    }

    /// Tells what the atoms say of the sample to those who measure.
    #[inline]
    fn measure(&mut self) {
        if self.robustness.is_some() {
            return;
        }
        match &mut self.robust {
            Some(robust) if self.degrees.is_empty() => robust.arrive_small(&self.now, &self.smalls),
            Some(robust) => robust.arrive(&self.now, &self.degrees),
            None => {}
        }
    }

    /// Works out what the samples up to now say of the robustness.
    fn settle(&mut self) {
        if self.robustness.is_none() {
            self.robustness = self.robust.as_mut().and_then(Robust::settle);
        }
    }

    fn decide(&mut self, decision: UntilDecision, decided: Option<u64>, found: &mut Vec<Finding>) {
        self.verdict = Some(decision.truth);
        if decision.truth {
            return;
        }
        let opened = Some(decision.witness).filter(|witness| *witness != self.point);
        let violation = Violation { point: self.point, decided, opened, bindings: Vec::new(), message: None };
        found.push(Finding { rule: 0, violation });
    }
}

impl Judge for SignalJudge {
    fn shape(&mut self, shape: &EventShape, _: &mut Values) -> Interest {
        self.shapes.push(field_positions(&self.signal, shape));
        // Whatever decides is shown.
        Interest::all()
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        for point in points.iter() {
            let judged = self.verdict.is_some() || self.obstacle.is_some();
            if judged && (self.robust.is_none() || self.robustness.is_some() || self.obstacle.is_some()) {
                break;
            }
            self.sample(point, values, found);
        }
        self.settle();
    }

    fn advance(&mut self, last: u64, time: &Number, _: &mut Values, found: &mut Vec<Finding>) {
        if self.samples == 0 || self.verdict.is_some() || self.obstacle.is_some() {
            return;
        }
        if let Some(decision) = self.truth.advance(time) {
            self.point = last;
            self.decide(decision, Some(last), found);
        }
    }

    fn save(&self, values: &Values, out: &mut Writer) -> Result<(), Unsavable> {
        self.write_state(values, out);
        Ok(())
    }

    fn load(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        self.read_state(values, reader)
    }

    fn forget(&mut self, _: Atom, _: &Values) {
        // A field keeps its value until it has another one.
    }

    fn mark(&mut self, values: &Values, live: &mut LiveValues) -> Result<(), Unsavable> {
        mark_saved(self, values, live)
    }

    fn end(&mut self, last: u64, prefix: bool, _: &mut Values) -> Vec<Outcome> {
        let mut found = Vec::new();
        self.point = last;
        if !prefix && self.verdict.is_none() && self.obstacle.is_none() {
            let decision = match self.samples {
                0 => Some(UntilDecision { sample: 1, truth: on_empty_trace(&self.signal.formula), witness: 0 }),
                _ => self.truth.end(),
            };
            if let Some(decision) = decision {
                self.decide(decision, None, &mut found);
            }
        }
        if !prefix && self.robustness.is_none() && self.obstacle.is_none() {
            self.robustness = match self.samples {
                0 => self.robust.as_ref().map(|_| Robustness::of(on_empty_trace(&self.signal.formula))),
                _ => self.robust.as_mut().and_then(Robust::end),
            };
        }
        let status = match (self.verdict, &self.obstacle) {
            (Some(false), _) => Status::Violated,
            (_, Some(_)) => Status::GaveUp,
            _ => Status::Satisfied,
        };
        let violations: Vec<Violation> = found.into_iter().map(|finding| finding.violation).collect();
        let pending = u64::from(prefix && self.verdict.is_none() && self.obstacle.is_none());
        vec![Outcome { status, violations, pending, obstacle: self.obstacle.clone() }]
    }

    fn robustness(&self, _rule: usize) -> Option<String> {
        self.robustness.as_ref().map(ToString::to_string)
    }

    fn sizes(&self) -> Vec<Size> {
        let rows = self.truth.len() + self.robust.as_ref().map_or(0, Robust::len);
        vec![Size { rule: 0, purpose: "samples".to_owned(), rows }]
    }
}
