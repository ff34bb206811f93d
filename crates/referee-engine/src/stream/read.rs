//! Evaluates the code of expressions: one match per operator, no allocation unless numbers leave 64 bits.
//!
//! ```text
//!  truth    conditions: what compares integers at hand builds no datum
//!  integer  a number of 64 bits, where that is plain to see; whoever gets none reads the datum
//!  read     the datum
//! ```

use referee_spec::core::stream::Operator;
use referee_spec::core::{Obstacle, Problem, Span};
use referee_trace::number::Number;
use referee_trace::value::Type;
use referee_trace::values::{Atom, Values};

use super::code::{InstanceKey, InstancePlace, StreamCode, settled};
use super::datum::{StreamDatum, join};
use super::table::StreamTable;
use super::window::Bag;
use crate::shared::aggregate::Leaving;

/// Where codes are evaluated.
pub(super) struct StreamReader<'r> {
    /// The tables of all nodes.
    pub tables: &'r mut [StreamTable],
    /// The values of the trace.
    pub values: &'r mut Values,
    /// The step.
    pub present: Present<'r>,
    /// The node of the instance at hand.
    pub node: usize,
    /// The slot of the instance at hand.
    pub slot: u32,
    /// The first thing that stood in the way.
    pub obstacle: &'r mut Option<Obstacle>,
}

/// The step that nodes of one delay are at.
#[derive(Clone, Copy)]
pub(super) struct Present<'m> {
    /// The arguments of the event at the step.
    pub arguments: &'m [Atom],
    /// The step.
    pub step: u64,
    /// Its time, or the last one before it.
    pub now: &'m Number,
    /// Whether it has one of its own.
    pub has_time: bool,
    /// Its point.
    pub point: u64,
    /// The point that has just been read; nothing after the last one.
    pub decided: Option<u64>,
}

/// The longest key that is put together without allocation.
const SHORT_KEY: usize = 4;

impl StreamReader<'_> {
    /// The value of a code.
    #[inline]
    pub(super) fn read(&mut self, code: &StreamCode) -> StreamDatum {
        match code {
            StreamCode::Constant(datum) => datum.clone(),
            StreamCode::Argument(place, value_type, span) => {
                let datum = StreamDatum::typed(self.present.arguments[*place], *value_type, self.values);
                if datum == StreamDatum::Absent {
                    self.obstruct(*span, Problem::WrongType);
                }
                datum
            }
            StreamCode::Unsigned(place, value_type, span) => {
                match StreamDatum::typed(self.present.arguments[*place], *value_type, self.values) {
                    StreamDatum::Number(number) if number >= Number::ZERO => StreamDatum::Number(number),
                    _ => {
                        self.obstruct(*span, Problem::WrongType);
                        StreamDatum::Absent
                    }
                }
            }
            StreamCode::Parameter(index, value_type) => {
                StreamDatum::typed(self.parameter(*index), *value_type, self.values)
            }
            StreamCode::Lazy(..) | StreamCode::Not(_) | StreamCode::Compare(..) | StreamCode::Flag(..) => {
                self.truth(code).map_or(StreamDatum::Absent, StreamDatum::Truth)
            }
            StreamCode::Join(operator, left, right, span) => self.join(*operator, left, right, *span),
            StreamCode::If(condition, then, other) => match self.truth(condition) {
                Some(true) => self.read(then),
                Some(false) => self.read(other),
                None => StreamDatum::Absent,
            },
            StreamCode::Defaults(value, default) => match self.read(value) {
                StreamDatum::Absent => self.read(default),
                value => value,
            },
            StreamCode::Present(body) => StreamDatum::Truth(self.is_there(body)),
            _ => self.read_table(code),
        }
    }

    /// The truth value of a code; nothing where it has none.
    ///
    /// What most conditions are is told on the spot, without a call.
    #[inline(always)]
    pub(super) fn truth(&mut self, code: &StreamCode) -> Option<bool> {
        match code {
            StreamCode::Compare(operator, left, right, usual) => {
                let arguments = self.present.arguments;
                match (left.integer(arguments), right.integer(arguments)) {
                    (Some(left), Some(right)) => compared(*operator, left, right),
                    _ => self.read_truth(usual),
                }
            }
            StreamCode::Flag(place, usual) => match self.present.arguments[*place] {
                flag if flag == Atom::boolean(true) => Some(true),
                flag if flag == Atom::boolean(false) => Some(false),
                _ => self.read_truth(usual),
            },
            StreamCode::Constant(datum) => datum.truth(),
            _ => self.any_truth(code),
        }
    }

    #[inline(never)]
    fn any_truth(&mut self, code: &StreamCode) -> Option<bool> {
        match code {
            StreamCode::Not(body) => match &**body {
                // Without another call.
                StreamCode::Own(place, count, default) => self.own_truth(place, *count, default),
                body => self.truth(body),
            }
            .map(|truth| !truth),
            StreamCode::Lazy(operator, left, right) => {
                let left = self.truth(left)?;
                settled(*operator, left).or_else(|| self.truth(right))
            }
            StreamCode::Hold(place, default) => {
                let slot = self.slot(place);
                match slot.and_then(|slot| self.tables[place.node].last(slot)) {
                    Some((_, datum)) => datum.truth(),
                    None => self.truth(default),
                }
            }
            StreamCode::Own(place, count, default) => self.own_truth(place, *count, default),
            StreamCode::Join(operator, left, right, _)
                if let (Some(left), Some(right)) = (self.integer(left), self.integer(right))
                    && let Some(truth) = compared(*operator, left, right) =>
            {
                Some(truth)
            }
            _ => self.read_truth(code),
        }
    }

    /// The truth value that an instance had so many own values before the step.
    #[inline(always)]
    fn own_truth(&mut self, place: &InstancePlace, count: u64, default: &StreamCode) -> Option<bool> {
        let slot = self.slot(place);
        match slot.and_then(|slot| self.tables[place.node].before(slot, self.present.step, count)) {
            Some(datum) => datum.truth(),
            None => self.truth(default),
        }
    }

    #[inline(never)]
    fn read_truth(&mut self, code: &StreamCode) -> Option<bool> {
        self.read(code).truth()
    }

    /// Whether a code has a value.
    #[inline(always)]
    pub(super) fn is_there(&mut self, code: &StreamCode) -> bool {
        let is_integer = matches!(code, StreamCode::Argument(place, Type::Integer | Type::Decimal, _)
            if self.present.arguments[*place].as_integer().is_some());
        is_integer || self.is_read(code)
    }

    #[inline(never)]
    fn is_read(&mut self, code: &StreamCode) -> bool {
        self.integer(code).is_some() || self.read(code) != StreamDatum::Absent
    }

    /// The value of a code, which is an integer as often as not.
    #[inline]
    pub(super) fn value(&mut self, code: &StreamCode) -> StreamDatum {
        if let StreamCode::Constant(StreamDatum::Truth(truth)) = code {
            return StreamDatum::Truth(*truth);
        }
        match self.integer(code) {
            Some(integer) => StreamDatum::Number(Number::Int(integer)),
            None => self.read(code),
        }
    }

    /// The integer that a code is, if that takes no look-up and no wide number. It changes nothing, so that whoever gets
    /// nothing may read the code as usual.
    fn integer(&self, code: &StreamCode) -> Option<i64> {
        let stored = |datum: Option<&StreamDatum>| match datum {
            Some(StreamDatum::Number(Number::Int(integer))) => Some(*integer),
            _ => None,
        };
        match code {
            StreamCode::Constant(datum) => stored(Some(datum)),
            StreamCode::Argument(place, Type::Integer | Type::Decimal, _) => {
                self.present.arguments[*place].as_integer()
            }
            StreamCode::Unsigned(place, ..) => {
                self.present.arguments[*place].as_integer().filter(|integer| *integer >= 0)
            }
            StreamCode::Parameter(index, Type::Integer | Type::Decimal) => self.parameter(*index).as_integer(),
            StreamCode::Defaults(value, _) => self.integer(value),
            StreamCode::Hold(place, default) => match self.tables[place.node].last(self.near(place)?) {
                Some((_, datum)) => stored(Some(datum)),
                None => self.integer(default),
            },
            StreamCode::Own(place, count, default) => {
                let slot = self.near(place)?;
                match self.tables[place.node].before(slot, self.present.step, *count) {
                    None => self.integer(default),
                    datum => stored(datum),
                }
            }
            StreamCode::Join(operator, left, right, _) => {
                let (left, right) = (self.integer(left)?, self.integer(right)?);
                match operator {
                    Operator::Add => left.checked_add(right),
                    Operator::Subtract => left.checked_sub(right),
                    Operator::Multiply => left.checked_mul(right),
                    Operator::Minimum => Some(left.min(right)),
                    Operator::Maximum => Some(left.max(right)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A parameter of the instance at hand.
    #[inline]
    fn parameter(&self, index: usize) -> Atom {
        self.tables[self.node].key(self.slot)[index]
    }

    /// The slot of an instance that needs no look-up.
    #[inline]
    fn near(&self, place: &InstancePlace) -> Option<u32> {
        match place.key {
            InstanceKey::Only => Some(0),
            InstanceKey::Own => Some(self.slot),
            InstanceKey::Computed(_) => None,
        }
    }

    #[inline]
    fn join(&mut self, operator: Operator, left: &StreamCode, right: &StreamCode, span: Span) -> StreamDatum {
        let left = self.read(left);
        let right = self.read(right);
        if left == StreamDatum::Absent || right == StreamDatum::Absent {
            return StreamDatum::Absent;
        }
        match join(operator, &left, &right, self.values) {
            Some(datum) => datum,
            None => {
                self.obstruct(span, Problem::DivisionByZero);
                StreamDatum::Absent
            }
        }
    }

    /// What is kept in tables, and the rarer operators.
    fn read_table(&mut self, code: &StreamCode) -> StreamDatum {
        match code {
            StreamCode::Now(place) => self.now(place).unwrap_or(StreamDatum::Absent),
            StreamCode::Get(place, default) => match self.now(place) {
                Some(datum) => datum,
                None => self.read(default),
            },
            StreamCode::Fresh(place) => StreamDatum::Truth(self.now(place).is_some()),
            StreamCode::Hold(place, default) => {
                let slot = self.slot(place);
                match slot.and_then(|slot| self.tables[place.node].last(slot)) {
                    Some((_, datum)) => datum.clone(),
                    None => self.read(default),
                }
            }
            StreamCode::Own(place, count, default) => {
                let slot = self.slot(place);
                match slot.and_then(|slot| self.tables[place.node].before(slot, self.present.step, *count)) {
                    Some(datum) => datum.clone(),
                    None => self.read(default),
                }
            }
            StreamCode::Step(place, lag, default) => self.step_back(place, *lag, default),
            StreamCode::Window(place, window) => match self.slot(place) {
                Some(slot) => self.tables[place.node].window(slot, *window, self.present.now),
                None => self.tables[place.node].empty_window(*window),
            },
            StreamCode::All(node, bag) => self.tables[*node].bag(*bag),
            StreamCode::AllFresh(node, aggregate) => {
                let table = &self.tables[*node];
                let mut bag = Bag::new(*aggregate, Leaving::AnyOrder);
                for slot in table.fresh(self.present.step) {
                    if let Some((_, datum)) = table.last(*slot) {
                        bag.insert(datum, 0);
                    }
                }
                bag.read()
            }
            StreamCode::Negate(body) => match self.read(body) {
                StreamDatum::Number(number) => StreamDatum::Number(number.neg()),
                _ => StreamDatum::Absent,
            },
            StreamCode::Absolute(body) => match self.read(body) {
                StreamDatum::Number(number) => StreamDatum::Number(number.abs()),
                _ => StreamDatum::Absent,
            },
            _ => StreamDatum::Absent,
        }
    }

    /// The value so many steps before the node's step; that step is the reader's own one less the lag it was planned with.
    fn step_back(&mut self, place: &InstancePlace, lag: u32, default: &StreamCode) -> StreamDatum {
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

    fn now(&mut self, place: &InstancePlace) -> Option<StreamDatum> {
        let slot = self.slot(place)?;
        let (step, datum) = self.tables[place.node].last(slot)?;
        (step == self.present.step).then(|| datum.clone())
    }

    /// The slot of an instance, if it lives.
    #[inline]
    fn slot(&mut self, place: &InstancePlace) -> Option<u32> {
        match &place.key {
            InstanceKey::Only => Some(0),
            InstanceKey::Own => Some(self.slot),
            InstanceKey::Computed(parts) => self.find(place.node, parts),
        }
    }

    /// The instance of a node with a computed key.
    #[inline]
    pub(super) fn find(&mut self, node: usize, parts: &[StreamCode]) -> Option<u32> {
        if let [only] = parts {
            let atom = self.atom(only)?;
            return self.tables[node].find(&[atom]);
        }
        self.find_by_parts(node, parts)
    }

    #[inline(never)]
    fn find_by_parts(&mut self, node: usize, parts: &[StreamCode]) -> Option<u32> {
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
    pub(super) fn atom(&mut self, part: &StreamCode) -> Option<Atom> {
        let argument = match part {
            StreamCode::Defaults(value, _) => value,
            _ => part,
        };
        match argument {
            StreamCode::Argument(place, Type::Integer | Type::Decimal, _)
                if self.present.arguments[*place].as_integer().is_some() =>
            {
                Some(self.present.arguments[*place])
            }
            _ => self.any_atom(part),
        }
    }

    #[inline(never)]
    fn any_atom(&mut self, part: &StreamCode) -> Option<Atom> {
        match part {
            StreamCode::Parameter(index, _) => Some(self.parameter(*index)),
            part => match self.integer(part).and_then(Atom::integer) {
                None => self.read(part).key(self.values),
                atom => atom,
            },
        }
    }

    #[cold]
    fn obstruct(&mut self, span: Span, problem: Problem) {
        let place = (self.present.point, span.start, span.end);
        let known = self.obstacle.as_ref().map(|known| (known.point, known.span.start, known.span.end));
        if known.is_none_or(|known| place < known) {
            *self.obstacle = Some(Obstacle { point: self.present.point, span, problem });
        }
    }
}

/// What a comparison says of two integers; nothing if the operator is none.
#[inline]
fn compared(operator: Operator, left: i64, right: i64) -> Option<bool> {
    match operator {
        Operator::Equal => Some(left == right),
        Operator::NotEqual => Some(left != right),
        Operator::Less => Some(left < right),
        Operator::LessOrEqual => Some(left <= right),
        Operator::Greater => Some(left > right),
        Operator::GreaterOrEqual => Some(left >= right),
        _ => None,
    }
}
