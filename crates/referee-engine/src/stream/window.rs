//! Windows over the values of one instance, and bags of values over all instances.
//!
//! ```text
//!  items     5  3  4  7        the values inside, oldest first
//!  extreme      3  4  7        of these the ones that may still become the least
//! ```
//!
//! A value enters once and leaves once. Count, sum, mean and the truth values keep a running total, the least and the
//! greatest a monotone queue: constant cost per event, whatever the window's length. A median needs an ordered bag.

use std::collections::{BTreeMap, VecDeque};

use referee_spec::core::stream::Aggregate;
use referee_trace::number::Number;

use super::datum::Datum;

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
    /// The numbers of the items that may still become the least or the greatest.
    extreme: VecDeque<u64>,
    bag: Bag,
}

impl Window {
    /// An empty window.
    pub fn new(length: Length, aggregate: Aggregate) -> Window {
        let bag = Bag::new(aggregate == Aggregate::Median);
        Window { length, aggregate, items: VecDeque::new(), first: 0, extreme: VecDeque::new(), bag }
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
        let is_extreme = matches!(self.aggregate, Aggregate::Minimum | Aggregate::Maximum);
        if is_extreme {
            while self.extreme.back().is_some_and(|last| self.beats(value, *last)) {
                self.extreme.pop_back();
            }
            self.extreme.push_back(self.first + self.items.len() as u64);
        } else {
            self.bag.insert(value);
        }
        self.items.push_back((time.clone(), value.clone()));
    }

    /// Whether a new value is as small, or as great, as the item with this number.
    fn beats(&self, value: &Datum, number: u64) -> bool {
        let item = self.items.get((number - self.first) as usize).map(|(_, item)| item);
        match (value, item) {
            (Datum::Number(new), Some(Datum::Number(old))) => match self.aggregate {
                Aggregate::Minimum => new <= old,
                _ => new >= old,
            },
            _ => true,
        }
    }

    fn pop(&mut self) {
        let Some((_, value)) = self.items.pop_front() else { return };
        if self.extreme.front() == Some(&self.first) {
            self.extreme.pop_front();
        } else if self.extreme.is_empty() {
            self.bag.remove(&value);
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
        match self.aggregate {
            Aggregate::Minimum | Aggregate::Maximum => {
                let item = self.extreme.front().and_then(|number| self.items.get((number - self.first) as usize));
                item.map_or(Datum::Absent, |(_, item)| item.clone())
            }
            aggregate => self.bag.read(aggregate),
        }
    }
}

/// Values in no order: enough to say what any aggregate of them is.
#[derive(Debug, Clone)]
pub struct Bag {
    count: i64,
    truths: i64,
    sum: Number,
    /// How often each number occurs, where the order matters.
    ordered: Option<BTreeMap<Number, u64>>,
}

impl Bag {
    /// An empty bag.
    pub fn new(ordered: bool) -> Bag {
        Bag { count: 0, truths: 0, sum: Number::ZERO, ordered: ordered.then(BTreeMap::new) }
    }

    /// Adds a value.
    pub fn insert(&mut self, value: &Datum) {
        self.count += 1;
        match value {
            Datum::Truth(truth) => self.truths += i64::from(*truth),
            Datum::Number(number) => {
                self.sum = self.sum.add(number);
                if let Some(ordered) = &mut self.ordered {
                    *ordered.entry(number.clone()).or_default() += 1;
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
                self.sum = self.sum.sub(number);
                if let Some(ordered) = &mut self.ordered
                    && let Some(times) = ordered.get_mut(number)
                {
                    *times -= 1;
                    if *times == 0 {
                        ordered.remove(number);
                    }
                }
            }
            Datum::Text(_) | Datum::Absent => {}
        }
    }

    /// What an aggregate of the values is.
    pub fn read(&self, aggregate: Aggregate) -> Datum {
        let number = |number: Option<Number>| number.map_or(Datum::Absent, Datum::Number);
        let ordered = || self.ordered.as_ref();
        match aggregate {
            Aggregate::Count => Datum::Number(Number::Int(self.count)),
            Aggregate::Sum => Datum::Number(self.sum.clone()),
            Aggregate::Average => number(self.sum.div(&Number::Int(self.count))),
            Aggregate::Forall => Datum::Truth(self.truths == self.count),
            Aggregate::Exists => Datum::Truth(self.truths > 0),
            Aggregate::Minimum => number(ordered().and_then(|all| all.keys().next().cloned())),
            Aggregate::Maximum => number(ordered().and_then(|all| all.keys().next_back().cloned())),
            Aggregate::Median => number(self.median()),
        }
    }

    fn median(&self) -> Option<Number> {
        let count = u64::try_from(self.count).ok().filter(|count| *count > 0)?;
        let (low, high) = (self.nth((count - 1) / 2)?, self.nth(count / 2)?);
        low.add(&high).div(&Number::Int(2))
    }

    /// The number at this place in order, from 0.
    fn nth(&self, place: u64) -> Option<Number> {
        let mut before = 0;
        let found = self.ordered.as_ref()?.iter().find(|(_, times)| {
            before += **times;
            before > place
        });
        found.map(|(number, _)| number.clone())
    }
}
