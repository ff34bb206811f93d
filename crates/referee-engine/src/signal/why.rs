//! Tells why a formula over signals fails: the samples that decide it.
//!
//! ```text
//!   G_[0,1000] (x < 5 => F_[0,100] x > 7)     false at sample 1
//!   └─ x < 5 => F_[0,100] x > 7               false at sample 40, the first such
//!      ├─ x < 5                               true at sample 40: x = 4
//!      └─ F_[0,100] x > 7                     false there: no sample of its interval
//! ```
//!
//! The history keeps, for every sample, its time, the values of the fields and which atoms hold. An explanation evaluates
//! the formula by its definition over what was known when the violation was decided, in Kleene's sense, and walks down to
//! atoms and intervals. Cost: the samples of the intervals on the way, up to a limit, after which less is said.

use std::collections::HashMap;
use std::sync::Arc;

use referee_spec::core::Violation;
use referee_spec::core::signal::{Signal, SignalFormula, SignalInterval, SignalKind, SignalTerm, TermKind};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::points::PointView;
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use super::atoms::{Atomic, SampleReader};
use super::bounds::bounds;
use super::empty_trace::on_empty_trace;
use super::fields::field_positions;

/// How many evaluations an explanation takes at most.
const BUDGET: usize = 4_000_000;
/// How many lines it has at most.
const LINES: usize = 12;

/// What a formula has seen of a trace.
pub struct SignalHistory {
    signal: Arc<Signal>,
    atoms: Vec<Atomic>,
    shapes: Vec<Vec<(usize, usize)>>,
    fields: Vec<Option<Atom>>,
    samples: Vec<Sample>,
}

/// A sample.
struct Sample {
    point: u64,
    time: Number,
    fields: Box<[Option<Value>]>,
    holds: Box<[bool]>,
}

impl SignalHistory {
    /// Nothing has been seen yet.
    pub fn new(signal: Arc<Signal>) -> SignalHistory {
        let atoms = Atomic::all(&signal.formula);
        let fields = vec![None; signal.fields.len()];
        SignalHistory { signal, atoms, shapes: Vec::new(), fields, samples: Vec::new() }
    }

    /// Notes a shape of events.
    pub fn shape(&mut self, shape: &EventShape) {
        self.shapes.push(field_positions(&self.signal, shape));
    }

    /// Adds a point.
    pub fn push(&mut self, point: PointView<'_>, values: &Values) {
        for (shape, arguments) in point.events() {
            for &(argument, field) in &self.shapes[shape.index()] {
                self.fields[field] = Some(arguments[argument]);
            }
        }
        let mut obstacle = None;
        let mut reader = SampleReader { fields: &self.fields, values, point: point.number, obstacle: &mut obstacle };
        let holds = self.atoms.iter().map(|atom| reader.holds(&atom.formula)).collect();
        let fields = self.fields.iter().map(|field| field.map(|atom| values.value(atom))).collect();
        let last = || self.samples.last().map_or(Number::ZERO, |sample| sample.time.clone());
        let time = point.time.cloned().unwrap_or_else(last);
        self.samples.push(Sample { point: point.number, time, fields, holds });
    }

    /// Why a violation is one, line by line.
    pub fn explain(&self, violation: &Violation) -> Vec<String> {
        let known = match violation.decided {
            Some(decided) => self.samples.partition_point(|sample| sample.point <= decided),
            None => self.samples.len(),
        };
        if known == 0 {
            let formula = self.signal.text(self.signal.formula.span);
            let lines =
                (!on_empty_trace(&self.signal.formula)).then(|| format!("`{formula}` fails: there is no sample"));
            return lines.into_iter().collect();
        }
        let ended = violation.decided.is_none();
        let mut walk = SignalWalk { history: self, known, ended, visits: 0, truths: HashMap::new(), lines: Vec::new() };
        walk.explain(&self.signal.formula, 0, false);
        walk.lines
    }
}

/// One explanation.
struct SignalWalk<'h> {
    history: &'h SignalHistory,
    /// How many samples are known.
    known: usize,
    /// Whether no more follow.
    ended: bool,
    visits: usize,
    truths: HashMap<(*const SignalFormula, usize), Option<bool>>,
    lines: Vec<String>,
}

/// The samples of an interval.
struct SignalStretch {
    first: usize,
    /// The last one that is known.
    last: usize,
    /// Whether the first one is only in force when the interval begins.
    in_force: bool,
    /// Whether no other sample will lie in it, and the first one is certain.
    complete: bool,
}

impl<'h> SignalWalk<'h> {
    fn truth(&mut self, formula: &'h SignalFormula, at: usize) -> Option<bool> {
        let key = (&raw const *formula, at);
        if let Some(truth) = self.truths.get(&key) {
            return *truth;
        }
        self.visits += 1;
        if self.visits > BUDGET {
            return None;
        }
        let truth = self.compute(formula, at);
        self.truths.insert(key, truth);
        truth
    }

    fn compute(&mut self, formula: &'h SignalFormula, at: usize) -> Option<bool> {
        match &formula.kind {
            SignalKind::Constant(truth) => Some(*truth),
            SignalKind::Compare(..) | SignalKind::Truth(_) => {
                let index = self.history.atoms.iter().position(|atom| atom.formula.span == formula.span)?;
                self.history.samples[at].holds.get(index).copied()
            }
            SignalKind::Not(body) => self.truth(body, at).map(|truth| !truth),
            SignalKind::And(left, right) => and(self.truth(left, at), || self.truth(right, at)),
            SignalKind::Or(left, right) => or(self.truth(left, at), || self.truth(right, at)),
            SignalKind::Implies(left, right) => or(self.truth(left, at).map(|left| !left), || self.truth(right, at)),
            SignalKind::Iff(left, right) => Some(self.truth(left, at)? == self.truth(right, at)?),
            SignalKind::Finally(interval, body) => self.reaches(None, interval, body, at, true),
            SignalKind::Globally(interval, body) => self.reaches(None, interval, body, at, false).map(|found| !found),
            SignalKind::Until(interval, left, right) => self.reaches(Some(left), interval, right, at, true),
        }
    }

    /// Whether some sample of an interval has a body of this truth, and the left side holds up to it.
    fn reaches(
        &mut self,
        left: Option<&'h SignalFormula>,
        interval: &SignalInterval,
        body: &'h SignalFormula,
        at: usize,
        wanted: bool,
    ) -> Option<bool> {
        let stretch = self.stretch(interval, at)?;
        let (mut found, mut held) = (Some(false), Some(true));
        for sample in at..=stretch.last {
            let now = left.map_or(Some(true), |left| self.truth(left, sample));
            if sample >= stretch.first && (stretch.complete || sample > stretch.first || !stretch.in_force) {
                let body = self.truth(body, sample).map(|truth| truth == wanted);
                let own = if sample == stretch.first && stretch.in_force { and(held, || now) } else { held };
                found = or(found, || and(own, || body));
            }
            held = and(held, || now);
            if found == Some(true) || held == Some(false) {
                return found;
            }
        }
        if stretch.complete { found } else { or(found, || and(held, || None)) }
    }

    /// The samples of an interval as seen from a sample; nothing if none is known to lie in it.
    fn stretch(&self, interval: &SignalInterval, at: usize) -> Option<SignalStretch> {
        let samples = &self.history.samples[..self.known];
        let (low, high) = bounds(interval, self.history.signal.unit);
        let begins = samples[at].time.add(&low);
        let last = match high.map(|high| samples[at].time.add(&high)) {
            Some(end) => samples.partition_point(|sample| sample.time <= end).max(at + 1) - 1,
            None => self.known - 1,
        };
        let over = self.ended || last + 1 < self.known;
        let first = at + samples[at..].partition_point(|sample| sample.time < begins);
        let exact = samples.get(first).is_some_and(|sample| sample.time == begins);
        if exact || first == at {
            return Some(SignalStretch { first, last: last.max(first), in_force: false, complete: over });
        }
        // The sample in force is certain once a later one has come, or none will.
        let certain = first < self.known || self.ended;
        certain.then_some(SignalStretch { first: first - 1, last: last.max(first - 1), in_force: true, complete: over })
    }

    fn say(&mut self, line: String) {
        if self.lines.len() < LINES && !self.lines.contains(&line) {
            self.lines.push(line);
        }
    }

    /// Says why a formula has this truth at a sample, where that is certain.
    fn explain(&mut self, formula: &'h SignalFormula, at: usize, truth: bool) {
        if self.lines.len() >= LINES {
            return;
        }
        if self.truth(formula, at) != Some(truth) {
            if !truth {
                self.say(format!("`{}` fails at {}", self.text(formula), self.place(at)));
            }
            return;
        }
        match (&formula.kind, truth) {
            (SignalKind::Constant(_), _) => self.say(format!("`{truth}` stands there")),
            (SignalKind::Compare(..) | SignalKind::Truth(_), _) => self.atom(formula, at, truth),
            (SignalKind::Not(body), _) => self.explain(body, at, !truth),
            (SignalKind::And(left, right), true) | (SignalKind::Or(left, right), false) => {
                self.explain(left, at, truth);
                self.explain(right, at, truth);
            }
            (SignalKind::And(left, right), false) | (SignalKind::Or(left, right), true) => {
                let first = if self.truth(left, at) == Some(truth) { left } else { right };
                self.explain(first, at, truth);
            }
            (SignalKind::Implies(left, right), false) => {
                self.explain(left, at, true);
                self.explain(right, at, false);
            }
            (SignalKind::Implies(left, right), true) => match self.truth(right, at) {
                Some(true) => self.explain(right, at, true),
                _ => self.explain(left, at, false),
            },
            (SignalKind::Iff(left, right), _) => {
                for side in [left, right] {
                    if let Some(truth) = self.truth(side, at) {
                        self.explain(side, at, truth);
                    }
                }
            }
            (SignalKind::Finally(interval, body), _) => self.interval(interval, body, at, true, truth),
            (SignalKind::Globally(interval, body), _) => self.interval(interval, body, at, false, !truth),
            (SignalKind::Until(interval, left, right), _) => self.until(interval, left, right, at, truth),
        }
    }

    /// A sample of an interval has a body of the wanted truth, or (not `found`) none has.
    fn interval(&mut self, interval: &SignalInterval, body: &'h SignalFormula, at: usize, wanted: bool, found: bool) {
        let Some(stretch) = self.stretch(interval, at) else { return };
        let mut samples = stretch.first..=stretch.last;
        match found {
            true => {
                if let Some(sample) = samples.find(|&sample| self.truth(body, sample) == Some(wanted)) {
                    self.explain(body, sample, wanted);
                }
            }
            false => {
                let how = if wanted { "no sample" } else { "every sample" };
                let (first, last) = (self.place(stretch.first), self.place(stretch.last));
                self.say(format!("`{}` holds at {how} from {first} to {last}", self.text(body)));
            }
        }
    }

    fn until(
        &mut self,
        interval: &SignalInterval,
        left: &'h SignalFormula,
        right: &'h SignalFormula,
        at: usize,
        truth: bool,
    ) {
        let Some(stretch) = self.stretch(interval, at) else { return };
        let mut samples = at..=stretch.last;
        if truth {
            let witness =
                |walk: &mut Self, sample: &usize| *sample >= stretch.first && walk.truth(right, *sample) == Some(true);
            if let Some(sample) = samples.find(|sample| witness(self, sample)) {
                self.explain(right, sample, true);
            }
            return;
        }
        let end = match samples.find(|&sample| self.truth(left, sample) == Some(false)) {
            Some(barrier) => {
                self.explain(left, barrier, false);
                barrier
            }
            None => stretch.last,
        };
        if end >= stretch.first {
            let (first, last) = (self.place(stretch.first), self.place(end));
            self.say(format!("`{}` held at no sample from {first} to {last} that counts", self.text(right)));
        }
    }

    /// "`x > 7` does not hold at point 40, time 39: x = 4".
    fn atom(&mut self, formula: &'h SignalFormula, at: usize, truth: bool) {
        let verb = if truth { "holds" } else { "does not hold" };
        let mut fields = Vec::new();
        match &formula.kind {
            SignalKind::Compare(_, left, right) => {
                fields_of(left, &mut fields);
                fields_of(right, &mut fields);
            }
            SignalKind::Truth(field) => fields.push(*field),
            _ => {}
        }
        fields.sort_unstable();
        fields.dedup();
        let sample = &self.history.samples[at];
        let values: Vec<String> = fields
            .into_iter()
            .map(|field| match &sample.fields[field] {
                Some(value) => format!("{} = {value}", self.history.signal.fields[field]),
                None => format!("{} has no value yet", self.history.signal.fields[field]),
            })
            .collect();
        let values = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
        self.say(format!("`{}` {verb} at {}{values}", self.text(formula), self.place(at)));
    }

    fn text(&self, formula: &SignalFormula) -> &'h str {
        self.history.signal.text(formula.span)
    }

    fn place(&self, at: usize) -> String {
        let Sample { point, time, .. } = &self.history.samples[at];
        format!("point {point}, time {time}")
    }
}

/// The fields that a term reads.
fn fields_of(term: &SignalTerm, fields: &mut Vec<usize>) {
    match &term.kind {
        TermKind::Constant(_) => {}
        TermKind::Field(field) => fields.push(*field),
        TermKind::Negate(body) | TermKind::Absolute(body) => fields_of(body, fields),
        TermKind::Add(left, right)
        | TermKind::Subtract(left, right)
        | TermKind::Multiply(left, right)
        | TermKind::Divide(left, right) => {
            fields_of(left, fields);
            fields_of(right, fields);
        }
    }
}

fn and(left: Option<bool>, right: impl FnOnce() -> Option<bool>) -> Option<bool> {
    match left {
        Some(false) => Some(false),
        left => match (left, right()) {
            (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
    }
}

fn or(left: Option<bool>, right: impl FnOnce() -> Option<bool>) -> Option<bool> {
    and(left.map(|left| !left), || right().map(|right| !right)).map(|truth| !truth)
}
