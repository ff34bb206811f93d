//! Lets quantitative rules answer the interface of judges.

use referee_spec::core::quantity::QuantityRule;
use referee_spec::core::{Outcome, Status, Violation};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::owned::OwnedTrace;
use referee_trace::points::{Interest, Points};
use referee_trace::values::{Atom, LiveValues, Values};

use super::QuantityNetwork;
use crate::judge::{Damaged, Finding, Judge, Reader, Size, Unsavable, Writer, mark_saved};

/// Judges one quantitative rule.
#[derive(Debug, Clone)]
pub struct QuantityJudge {
    network: QuantityNetwork,
    /// Which atom each shape is, if it is one.
    shapes: Vec<Option<usize>>,
}

impl QuantityJudge {
    /// A judge before the first point.
    pub fn new(rule: &QuantityRule) -> QuantityJudge {
        QuantityJudge { network: QuantityNetwork::new(rule, false), shapes: Vec::new() }
    }
}

impl Judge for QuantityJudge {
    fn shape(&mut self, shape: &EventShape, _values: &mut Values) -> Interest {
        self.shapes.push(self.network.atom(&shape.name));
        // Whatever decides is shown.
        Interest::all()
    }

    fn points(&mut self, points: &Points, _values: &mut Values, found: &mut Vec<Finding>) {
        for point in points.iter() {
            if self.network.verdict().is_some() {
                continue;
            }
            for (shape, _) in point.events() {
                if let Some(atom) = self.shapes[shape.index()] {
                    self.network.happen(atom);
                }
            }
            if self.network.step(point.time) == Some(false) {
                let violation = violation(&self.network, point.number, Some(point.number));
                found.push(Finding { rule: 0, violation });
            }
        }
    }

    fn advance(&mut self, last: u64, time: &Number, _values: &mut Values, found: &mut Vec<Finding>) {
        if self.network.verdict().is_none() && self.network.advance(time) == Some(false) {
            found.push(Finding { rule: 0, violation: violation(&self.network, last, Some(last)) });
        }
    }

    fn save(&self, _values: &Values, out: &mut Writer) -> Result<(), Unsavable> {
        self.network.save(out);
        Ok(())
    }

    fn load(&mut self, _values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        self.network.load(reader)
    }

    fn forget(&mut self, _: Atom, _: &Values) {
        // It keeps quantities of events, and no value of theirs.
    }

    fn mark(&mut self, values: &Values, live: &mut LiveValues) -> Result<(), Unsavable> {
        mark_saved(self, values, live)
    }

    fn end(&mut self, last: u64, prefix: bool, _values: &mut Values) -> Vec<Outcome> {
        vec![outcome(&mut self.network, last, prefix)]
    }

    fn sizes(&self) -> Vec<Size> {
        let (operators, windows) = self.network.sizes();
        let size = |purpose: &str, rows| Size { rule: 0, purpose: purpose.to_owned(), rows };
        vec![size("operators", operators), size("windows", windows)]
    }
}

fn violation(network: &QuantityNetwork, point: u64, decided: Option<u64>) -> Violation {
    let opened = network.opened().filter(|opened| *opened < point);
    Violation { point, decided, opened, bindings: Vec::new(), message: None }
}

/// What the end of a trace adds to what its points have decided.
fn outcome(network: &mut QuantityNetwork, last: u64, prefix: bool) -> Outcome {
    let (known, mut violations, mut pending) = (network.verdict(), Vec::new(), 0);
    let holds = match known {
        Some(verdict) => verdict,
        None if prefix => {
            pending = 1;
            true
        }
        None => network.end(),
    };
    if known.is_none() && !holds {
        violations.push(violation(network, last, None));
    }
    let status = if holds { Status::Satisfied } else { Status::Violated };
    Outcome { status, violations, pending, obstacle: None }
}

/// Judges a trace that is held in memory, or with `prefix` one that may go on.
pub fn judge_quantity(rule: &QuantityRule, trace: &OwnedTrace, prefix: bool) -> Outcome {
    let mut network = QuantityNetwork::new(rule, false);
    for (point, number) in trace.points.iter().zip(1..) {
        for event in &point.events {
            if let Some(atom) = network.atom(&event.name) {
                network.happen(atom);
            }
        }
        if network.step(point.time.as_ref()) == Some(false) {
            let violations = vec![violation(&network, number, Some(number))];
            return Outcome { status: Status::Violated, violations, pending: 0, obstacle: None };
        }
    }
    outcome(&mut network, trace.points.len() as u64, prefix)
}
