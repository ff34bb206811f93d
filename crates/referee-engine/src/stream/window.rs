//! Windows over the values of one instance, and bags of values over all instances.
//!
//! ```text
//!  items     5  3  4  7        the values inside, oldest first
//!  extreme      3  4  7        of these the ones that may still become the least
//! ```
//!
//! A value enters once and leaves once; what is known of those inside is kept by the structures of [`crate::shared::window`]:
//! running totals, a monotone queue for the least and the greatest, two halves for the median. Constant cost per event,
//! O(log n) for the median, whatever the window's length.

use std::collections::VecDeque;

use referee_spec::core::stream::Aggregate;
use referee_trace::number::Number;

use super::datum::Datum;
use crate::shared::window::{Extreme, Middle, Sum};

/// How far a window reaches back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Length {
    /// Values with time in (now − D, now].
    Time(Number),
    /// The last n values.
    Values(usize),
}

/// A sliding window.
#[derive(Debug, Clone)]
pub struct Window {
    length: Length,
    aggregate: Aggregate,
    items: VecDeque<(Number, Datum)>,
    /// The number of the first item, counted since the window began.
    first: u64,
    inside: Inside,
}

/// What is known of the values inside.
#[derive(Debug, Clone)]
enum Inside {
    Extreme(Extreme<u64, Number>),
    Bag(Bag),
}

impl Window {
    /// An empty window.
    pub fn new(length: Length, aggregate: Aggregate) -> Window {
        let inside = match aggregate {
            Aggregate::Minimum => Inside::Extreme(Extreme::least()),
            Aggregate::Maximum => Inside::Extreme(Extreme::greatest()),
            _ => Inside::Bag(Bag::new(aggregate == Aggregate::Median)),
        };
        Window { length, aggregate, items: VecDeque::new(), first: 0, inside }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Window::new(self.length.clone(), self.aggregate);
    }

    /// How many values are inside.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Adds a value at a time.
    pub fn push(&mut self, time: &Number, value: &Datum) {
        self.expire(time);
        if let Length::Values(most) = self.length
            && self.items.len() == most
        {
            self.pop();
        }
        let number = self.first + self.items.len() as u64;
        match (&mut self.inside, value) {
            (Inside::Extreme(extreme), Datum::Number(value)) => extreme.enter(number, value.clone()),
            (Inside::Extreme(_), _) => {}
            (Inside::Bag(bag), value) => bag.insert(value),
        }
        self.items.push_back((time.clone(), value.clone()));
    }

    fn pop(&mut self) {
        let Some((_, value)) = self.items.pop_front() else { return };
        match &mut self.inside {
            Inside::Extreme(extreme) => extreme.leave(&self.first),
            Inside::Bag(bag) => bag.remove(&value),
        }
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

    /// The aggregate now.
    pub fn read(&mut self, now: &Number) -> Datum {
        self.expire(now);
        match &self.inside {
            Inside::Extreme(extreme) => extreme.value().cloned().map_or(Datum::Absent, Datum::Number),
            Inside::Bag(bag) => bag.read(self.aggregate),
        }
    }
}

/// Values in no order: enough to say what any aggregate of them is.
#[derive(Debug, Clone)]
pub struct Bag {
    count: i64,
    truths: i64,
    sum: Sum,
    /// The numbers in order, where that matters.
    order: Option<Middle>,
}

impl Bag {
    /// An empty bag.
    pub fn new(ordered: bool) -> Bag {
        Bag { count: 0, truths: 0, sum: Sum::default(), order: ordered.then(Middle::default) }
    }

    /// Adds a value.
    pub fn insert(&mut self, value: &Datum) {
        self.count += 1;
        match value {
            Datum::Truth(truth) => self.truths += i64::from(*truth),
            Datum::Number(number) => {
                self.sum.add(number);
                if let Some(order) = &mut self.order {
                    order.enter(number.clone());
                }
            }
            Datum::Text(_) | Datum::Absent => {}
        }
    }

    /// Removes a value that was added.
    pub fn remove(&mut self, value: &Datum) {
        self.count -= 1;
        match value {
            Datum::Truth(truth) => self.truths -= i64::from(*truth),
            Datum::Number(number) => {
                self.sum.remove(number);
                if let Some(order) = &mut self.order {
                    order.leave(number);
                }
            }
            Datum::Text(_) | Datum::Absent => {}
        }
    }

    /// What an aggregate of the values is.
    pub fn read(&self, aggregate: Aggregate) -> Datum {
        let number = |number: Option<Number>| number.map_or(Datum::Absent, Datum::Number);
        let order = self.order.as_ref();
        match aggregate {
            Aggregate::Count => Datum::Number(Number::Int(self.count)),
            Aggregate::Sum => Datum::Number(self.sum.value()),
            Aggregate::Average => number(self.sum.value().div(&Number::Int(self.count))),
            Aggregate::Forall => Datum::Truth(self.truths == self.count),
            Aggregate::Exists => Datum::Truth(self.truths > 0),
            Aggregate::Minimum => number(order.and_then(Middle::least).cloned()),
            Aggregate::Maximum => number(order.and_then(Middle::greatest).cloned()),
            Aggregate::Median => number(order.and_then(Middle::value)),
        }
    }
}
