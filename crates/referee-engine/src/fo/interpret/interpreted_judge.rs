//! The judge for any formula: a [`Interpreter`] behind the interface of judges.
//!
//! ```text
//!   shape ─▶ kind, once         atom ─▶ number of the value, looked up once per atom and then in a table
//!   point ─▶ (kind, numbers)… ─▶ Interpreter::step ─▶ findings
//! ```
//!
//! What an event costs beside the monitor's step is one look-up per argument. Every event is asked for with all its
//! arguments, also where the formula cannot see it: it may be what a report shows.

use std::sync::Arc;

use foldhash::HashMap;
use referee_spec::core::{Equality, Judgement, Outcome, Property};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::points::{Interest, PointView, Points};
use referee_trace::values::{Atom, LiveValues, Values};

use crate::fo::interpret::interpreter::{Interpreter, KindId};
use crate::fo::interpret::snapshot;
use crate::judge::{Damaged, Finding, Judge, Reader, Size, Unsavable, Wanted, Writer};
use crate::shared::universe::ValueId;

/// Judges one formula.
#[derive(Debug)]
pub struct InterpretedJudge {
    monitor: Interpreter,
    wanted: Wanted,
    is_done: bool,
    /// The monitor's number for each shape, where the formula can see such events.
    kinds: Vec<Option<KindId>>,
    numbers: HashMap<Atom, ValueId>,
    /// Room for the numbers of one point's arguments.
    arguments: Vec<ValueId>,
}

impl InterpretedJudge {
    /// A judge before the first point.
    pub fn new(property: Arc<Property>, wanted: Wanted) -> InterpretedJudge {
        InterpretedJudge {
            monitor: Interpreter::new(property),
            wanted,
            is_done: false,
            kinds: Vec::new(),
            numbers: HashMap::default(),
            arguments: Vec::new(),
        }
    }

    /// The monitor's number for an atom.
    fn number(&mut self, atom: Atom, values: &Values) -> ValueId {
        if let Some(number) = self.numbers.get(&atom) {
            return *number;
        }
        let number = match self.monitor.property().equality {
            Equality::ByText => self.monitor.text(&values.text(atom), None),
            Equality::ByValue => self.monitor.value(&values.value(atom)),
        };
        self.numbers.insert(atom, number);
        number
    }

    fn step(&mut self, point: PointView<'_>, values: &Values, found: &mut Vec<Finding>) {
        self.arguments.clear();
        let mut kinds: Vec<(KindId, usize)> = Vec::with_capacity(point.len());
        for (shape, atoms) in point.events() {
            let Some(kind) = self.kinds[shape.index()] else { continue };
            for &atom in atoms {
                let number = self.number(atom, values);
                self.arguments.push(number);
            }
            kinds.push((kind, atoms.len()));
        }
        let mut rest = &self.arguments[..];
        let events = kinds.into_iter().map(|(kind, count)| {
            let (own, others) = rest.split_at(count);
            rest = others;
            (kind, own)
        });
        let events: Vec<(KindId, &[ValueId])> = events.collect();
        let violations = self.monitor.step(point.time, &events);
        self.is_done |= self.wanted == Wanted::First && !violations.is_empty();
        found.extend(violations.into_iter().map(|violation| Finding { rule: 0, violation }));
    }

    /// Whether violations are reported for the points at which the formula is judged, not for those that decide them.
    fn reports_earlier_points(&self) -> bool {
        self.monitor.property().judgement != Judgement::Once
    }
}

impl Judge for InterpretedJudge {
    fn shape(&mut self, shape: &EventShape, _: &mut Values) -> Interest {
        let fields: Vec<&str> = shape.arguments.iter().map(|argument| &*argument.name).collect();
        let kind = self.monitor.kind(&shape.name, &fields, shape.positional);
        self.kinds.push(self.monitor.sees(kind).then_some(kind));
        Interest::all()
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        for point in points.iter() {
            if self.is_done {
                return;
            }
            self.step(point, values, found);
        }
    }

    fn advance(&mut self, _last: u64, time: &Number, _: &mut Values, found: &mut Vec<Finding>) {
        if !self.is_done {
            let violations = self.monitor.advance(time);
            self.is_done |= self.wanted == Wanted::First && !violations.is_empty();
            found.extend(violations.into_iter().map(|violation| Finding { rule: 0, violation }));
        }
    }

    fn save(&self, _: &Values, out: &mut Writer) -> Result<(), Unsavable> {
        out.truth(self.is_done);
        self.monitor.snapshot().write(out);
        Ok(())
    }

    fn load(&mut self, _: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        self.is_done = reader.truth()?;
        self.monitor.restore(snapshot::read(reader)?)
    }

    fn forget(&mut self, value: Atom, values: &Values) {
        let number = self.number(value, values);
        self.monitor.forget(number);
        self.numbers.remove(&value);
    }

    fn mark(&mut self, _: &Values, _: &mut LiveValues) -> Result<(), Unsavable> {
        // The monitor has values of its own.
        self.numbers.clear();
        Ok(())
    }

    fn end(&mut self, _last: u64, prefix: bool, _: &mut Values) -> Vec<Outcome> {
        vec![if prefix { self.monitor.pause() } else { self.monitor.end() }]
    }

    fn is_open(&self, point: u64) -> bool {
        self.reports_earlier_points() && self.monitor.is_open(point)
    }

    fn open_points(&self) -> usize {
        if self.reports_earlier_points() { self.monitor.open_points() } else { 0 }
    }

    fn sizes(&self) -> Vec<Size> {
        let size = |(purpose, rows)| Size { rule: 0, purpose, rows };
        self.monitor.table_sizes().into_iter().map(size).collect()
    }
}
