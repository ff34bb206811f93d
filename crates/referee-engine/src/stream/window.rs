//! Keeps windows over the values of one instance, and bags of the last values of all instances.
//!
//! ```text
//!  items     5  3  4  7        the values inside, oldest first
//!  extreme      3  4  7        of these the ones that may still become the least
//! ```
//!
//! A value enters once and leaves once; what is known of those inside is kept by the structures of [`crate::shared::window`]:
//! running totals, a monotone queue for the least and the greatest, two parts for a quantile. Constant cost per event,
//! O(log n) for a quantile, whatever the window's length.

use std::collections::VecDeque;

use referee_spec::core::AggregateFunction;
use referee_trace::number::Number;
use referee_trace::value::Value;
use referee_trace::values::Values;

use super::datum::StreamDatum;
use crate::shared::aggregate::{KeptOrder, KeptValues, Leaving, ValueKind, of_nothing, result};
use crate::shared::bytes::{Damaged, Reader, Writer};
use crate::shared::window::Sum;

/// How far a window reaches back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Length {
    /// Values with time in (now − D, now].
    Time(Number),
    /// The last n values.
    Values(usize),
}

/// A sliding window.
#[derive(Debug, Clone)]
pub(super) struct StreamWindow {
    length: Length,
    items: VecDeque<(Number, StreamDatum)>,
    /// The number of the first item, counted since the window began.
    first: u64,
    inside: Bag,
}

impl StreamWindow {
    /// An empty window.
    pub(super) fn new(length: Length, aggregate: AggregateFunction) -> StreamWindow {
        StreamWindow { length, items: VecDeque::new(), first: 0, inside: Bag::new(aggregate, Leaving::OldestFirst) }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = StreamWindow::new(self.length.clone(), self.inside.aggregate);
    }

    /// How many values are inside.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// Adds a value at a time.
    pub(super) fn push(&mut self, time: &Number, value: &StreamDatum) {
        self.expire(time);
        if let Length::Values(most) = self.length
            && self.items.len() == most
        {
            self.pop();
        }
        let number = self.first + self.items.len() as u64;
        self.inside.insert(value, number);
        self.items.push_back((time.clone(), value.clone()));
    }

    fn pop(&mut self) {
        let Some((_, value)) = self.items.pop_front() else { return };
        self.inside.remove(&value, self.first);
        self.first += 1;
    }

    /// Drops what is too old.
    fn expire(&mut self, now: &Number) {
        let Length::Time(length) = &self.length else { return };
        let start = now.sub(length);
        while self.items.front().is_some_and(|(time, _)| *time <= start) {
            self.pop();
        }
    }

    /// Writes the values inside.
    pub(super) fn save(&self, values: &Values, out: &mut Writer) {
        out.length(self.items.len());
        for (time, value) in &self.items {
            out.exact(time);
            value.save(values, out);
        }
    }

    /// Reads what [`StreamWindow::save`] wrote, into an empty window: the values enter again.
    pub(super) fn load(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        for number in 0..reader.length()? {
            let (time, value) = (reader.exact()?, StreamDatum::load(values, reader)?);
            self.inside.insert(&value, number as u64);
            self.items.push_back((time, value));
        }
        let fits = |most: usize| self.items.len() <= most;
        if matches!(self.length, Length::Values(most) if !fits(most)) { Err(Damaged) } else { Ok(()) }
    }

    /// The aggregate now.
    pub(super) fn read(&mut self, now: &Number) -> StreamDatum {
        self.expire(now);
        self.inside.read()
    }
}

/// Values that come and go, as far as one aggregate of them needs to know.
#[derive(Debug, Clone)]
pub(super) struct Bag {
    aggregate: AggregateFunction,
    count: u64,
    trues: u64,
    /// The sum of numbers whose order does not matter.
    sum: Sum,
    order: KeptOrder,
}

impl Bag {
    /// An empty bag.
    pub(super) fn new(aggregate: AggregateFunction, leaving: Leaving) -> Bag {
        Bag { aggregate, count: 0, trues: 0, sum: Sum::default(), order: KeptOrder::of(aggregate, leaving) }
    }

    /// Adds a value, as the `stamp`-th.
    pub(super) fn insert(&mut self, value: &StreamDatum, stamp: u64) {
        self.count += 1;
        match value {
            StreamDatum::Truth(truth) => self.trues += u64::from(*truth),
            StreamDatum::Number(number) => match &mut self.order {
                KeptOrder::None => self.sum.add(number),
                KeptOrder::End(numbers, _) => numbers.enter(stamp, number.clone()),
                KeptOrder::Ranked(running) => running.enter(number.clone()),
            },
            StreamDatum::Text(_) | StreamDatum::Absent => {}
        }
    }

    /// Removes a value that was added as the `stamp`-th.
    pub(super) fn remove(&mut self, value: &StreamDatum, stamp: u64) {
        self.count -= 1;
        match value {
            StreamDatum::Truth(truth) => self.trues -= u64::from(*truth),
            StreamDatum::Number(number) => match &mut self.order {
                KeptOrder::None => self.sum.remove(number),
                KeptOrder::End(numbers, _) => numbers.leave(&stamp),
                KeptOrder::Ranked(running) => running.leave(number),
            },
            StreamDatum::Text(_) | StreamDatum::Absent => {}
        }
    }

    /// What the aggregate of the values is.
    pub(super) fn read(&self) -> StreamDatum {
        let found = match self.count {
            0 => of_nothing(self.aggregate, false),
            count => {
                let kind = Some(ValueKind::wanted_by(self.aggregate));
                let (trues, sum, order) = (self.trues, || self.sum.value(), &self.order);
                result(self.aggregate, KeptValues { count, trues, kind, sum, order })
            }
        };
        match found {
            Some(Value::Number(number)) => StreamDatum::Number(number),
            Some(Value::Boolean(truth)) => StreamDatum::Truth(truth),
            // Strings are counted at most, which the types of a program make sure of.
            Some(Value::String(_)) | None => StreamDatum::Absent,
        }
    }
}
