//! Evaluation of codes: one match per operator, no allocation unless numbers leave 64 bits.

use referee_spec::core::stream::Operator;
use referee_spec::core::{Obstacle, Problem, Span};
use referee_trace::number::Number;
use referee_trace::values::{Atom, Values};

use super::code::{Code, Key, Place, settled};
use super::datum::{Datum, join};
use super::table::Table;
use super::window::Bag;

/// Where codes are evaluated.
pub struct Reader<'r> {
    /// The tables of all nodes.
    pub tables: &'r mut [Table],
    /// The values of the trace.
    pub values: &'r mut Values,
    /// The arguments of the event at the step.
    pub arguments: &'r [Atom],
    /// The step.
    pub step: u64,
    /// Its time.
    pub now: &'r Number,
    /// Its point.
    pub point: u64,
    /// The key of the instance at hand.
    pub key: &'r [Atom],
    /// Its slot.
    pub slot: u32,
    /// The first thing that stood in the way.
    pub obstacle: &'r mut Option<Obstacle>,
}

/// The longest key that is put together without allocation.
const SHORT_KEY: usize = 4;

impl Reader<'_> {
    /// The value of a code.
    #[inline]
    pub fn read(&mut self, code: &Code) -> Datum {
        match code {
            Code::Constant(datum) => datum.clone(),
            Code::Argument(place, value_type, span) => {
                let datum = Datum::typed(self.arguments[*place], *value_type, self.values);
                if datum == Datum::Absent {
                    self.obstruct(*span, Problem::WrongType);
                }
                datum
            }
            Code::Parameter(index, value_type) => Datum::typed(self.key[*index], *value_type, self.values),
            Code::Lazy(operator, left, right) => self.lazy(*operator, left, right),
            Code::Join(operator, left, right, span) => self.join(*operator, left, right, *span),
            Code::Not(body) => match self.read(body) {
                Datum::Truth(truth) => Datum::Truth(!truth),
                _ => Datum::Absent,
            },
            Code::If(condition, then, other) => match self.read(condition) {
                Datum::Truth(true) => self.read(then),
                Datum::Truth(false) => self.read(other),
                _ => Datum::Absent,
            },
            Code::Defaults(value, default) => match self.read(value) {
                Datum::Absent => self.read(default),
                value => value,
            },
            Code::Present(body) => Datum::Truth(self.read(body) != Datum::Absent),
            _ => self.read_table(code),
        }
    }

    #[inline]
    fn lazy(&mut self, operator: Operator, left: &Code, right: &Code) -> Datum {
        match self.read(left) {
            Datum::Truth(left) => match settled(operator, left) {
                Some(result) => Datum::Truth(result),
                None => self.read(right),
            },
            _ => Datum::Absent,
        }
    }

    #[inline]
    fn join(&mut self, operator: Operator, left: &Code, right: &Code, span: Span) -> Datum {
        let left = self.read(left);
        let right = self.read(right);
        if left == Datum::Absent || right == Datum::Absent {
            return Datum::Absent;
        }
        match join(operator, &left, &right, self.values) {
            Some(datum) => datum,
            None => {
                self.obstruct(span, Problem::DivisionByZero);
                Datum::Absent
            }
        }
    }

    /// What is kept in tables, and the rarer operators.
    fn read_table(&mut self, code: &Code) -> Datum {
        match code {
            Code::Now(place) => self.now(place).unwrap_or(Datum::Absent),
            Code::Get(place, default) => match self.now(place) {
                Some(datum) => datum,
                None => self.read(default),
            },
            Code::Fresh(place) => Datum::Truth(self.now(place).is_some()),
            Code::Hold(place, default) => {
                let slot = self.slot(place);
                match slot.and_then(|slot| self.tables[place.node].last(slot)) {
                    Some((_, datum)) => datum.clone(),
                    None => self.read(default),
                }
            }
            Code::Own(place, count, default) => {
                let slot = self.slot(place);
                match slot.and_then(|slot| self.tables[place.node].before(slot, self.step, *count)) {
                    Some(datum) => datum.clone(),
                    None => self.read(default),
                }
            }
            Code::Step(place, lag, default) => self.step_back(place, *lag, default),
            Code::Window(place, window) => match self.slot(place) {
                Some(slot) => self.tables[place.node].window(slot, *window, self.now),
                None => self.tables[place.node].empty_window(*window),
            },
            Code::All(node, bag) => self.tables[*node].bag(*bag),
            Code::AllFresh(node, aggregate) => {
                let table = &self.tables[*node];
                let mut bag = Bag::new(true);
                for slot in table.fresh(self.step) {
                    if let Some((_, datum)) = table.last(*slot) {
                        bag.insert(datum);
                    }
                }
                bag.read(*aggregate)
            }
            Code::Negate(body) => match self.read(body) {
                Datum::Number(number) => Datum::Number(number.neg()),
                _ => Datum::Absent,
            },
            Code::Absolute(body) => match self.read(body) {
                Datum::Number(number) => Datum::Number(number.abs()),
                _ => Datum::Absent,
            },
            _ => Datum::Absent,
        }
    }

    /// The value so many steps before the node's step; that step is the reader's own one less the lag it was planned with.
    fn step_back(&mut self, place: &Place, lag: u32, default: &Code) -> Datum {
        let slot = self.slot(place);
        let found = slot.and_then(|slot| {
            let table = &self.tables[place.node];
            let step = table.step().checked_sub(u64::from(lag))?;
            table.at(slot, step)
        });
        match found {
            Some(datum) => datum.clone(),
            None => self.read(default),
        }
    }

    fn now(&mut self, place: &Place) -> Option<Datum> {
        let slot = self.slot(place)?;
        let (step, datum) = self.tables[place.node].last(slot)?;
        (step == self.step).then(|| datum.clone())
    }

    /// The slot of an instance, if it lives.
    #[inline]
    fn slot(&mut self, place: &Place) -> Option<u32> {
        match &place.key {
            Key::Only => Some(0),
            Key::Own => Some(self.slot),
            Key::Computed(parts) => self.find(place.node, parts),
        }
    }

    /// The instance of a node with a computed key.
    pub fn find(&mut self, node: usize, parts: &[Code]) -> Option<u32> {
        let mut short = [Atom::boolean(false); SHORT_KEY];
        if parts.len() > SHORT_KEY {
            let key: Option<Vec<Atom>> = parts.iter().map(|part| self.atom(part)).collect();
            return self.tables[node].find(&key?);
        }
        for (part, place) in parts.iter().zip(&mut short) {
            *place = self.atom(part)?;
        }
        self.tables[node].find(&short[..parts.len()])
    }

    /// A part of a key.
    #[inline]
    pub fn atom(&mut self, part: &Code) -> Option<Atom> {
        match part {
            Code::Parameter(index, _) => Some(self.key[*index]),
            part => self.read(part).key(self.values),
        }
    }

    #[cold]
    fn obstruct(&mut self, span: Span, problem: Problem) {
        let place = (self.point, span.start, span.end);
        let known = self.obstacle.as_ref().map(|known| (known.point, known.span.start, known.span.end));
        if known.is_none_or(|known| place < known) {
            *self.obstacle = Some(Obstacle { point: self.point, span, problem });
        }
    }
}
