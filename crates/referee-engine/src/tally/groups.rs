//! Groups: what each of them amounts to now.

use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use referee_spec::core::AggregateFunction;
use referee_trace::number::Number;
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};
use std::hash::BuildHasher as _;

use crate::window::{Extreme, Middle, Sum};

/// What one aggregate of one group amounts to.
#[derive(Debug, Clone)]
pub struct State {
    function: AggregateFunction,
    /// Whether there are groups, so that nothing is no number.
    grouped: bool,
    count: u64,
    /// How many of the values are no numbers, and how many of those are strings.
    others: u64,
    strings: u64,
    sum: Sum,
    order: Option<Box<Order>>,
}

/// What is kept of the order of values.
#[derive(Debug, Clone)]
enum Order {
    Extreme(Extreme<u64, Number>, Extreme<u64, Arc<str>>),
    Middle(Middle),
}

impl State {
    /// Of nothing.
    pub fn new(function: AggregateFunction, grouped: bool) -> State {
        let order = match function {
            AggregateFunction::Minimum => Some(Order::Extreme(Extreme::least(), Extreme::least())),
            AggregateFunction::Maximum => Some(Order::Extreme(Extreme::greatest(), Extreme::greatest())),
            AggregateFunction::Median => Some(Order::Middle(Middle::default())),
            _ => None,
        };
        let order = order.map(Box::new);
        State { function, grouped, count: 0, others: 0, strings: 0, sum: Sum::default(), order }
    }

    /// Whether it is one of nothing.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// A value enters, as the `stamp`-th to do so.
    #[inline]
    pub fn enter(&mut self, value: Option<Atom>, stamp: u64, values: &Values) {
        self.count += 1;
        match (value, &self.order) {
            (None, _) => {}
            (Some(value), None) if value.as_integer().is_some() => {
                self.sum.add_integer(value.as_integer().unwrap_or_default());
            }
            (Some(value), _) => self.enter_any(&values.value(value), stamp),
        }
    }

    fn enter_any(&mut self, value: &Value, stamp: u64) {
        match value {
            Value::Number(number) => match self.order.as_deref_mut() {
                None => self.sum.add(number),
                Some(Order::Extreme(numbers, _)) => numbers.enter(stamp, number.clone()),
                Some(Order::Middle(middle)) => middle.enter(number.clone()),
            },
            Value::String(text) => {
                self.others += 1;
                self.strings += 1;
                if let Some(Order::Extreme(_, texts)) = self.order.as_deref_mut() {
                    texts.enter(stamp, text.clone());
                }
            }
            Value::Boolean(_) => self.others += 1,
        }
    }

    /// A value that is in the window comes again: it now entered later.
    pub fn refresh(&mut self, value: Option<Atom>, stamp: u64, values: &Values) {
        let (Some(value), Some(Order::Extreme(numbers, texts))) = (value, self.order.as_deref_mut()) else { return };
        match values.value(value) {
            Value::Number(number) => numbers.enter(stamp, number),
            Value::String(text) => texts.enter(stamp, text),
            Value::Boolean(_) => {}
        }
    }

    /// The value that entered as the `stamp`-th leaves.
    #[inline]
    pub fn leave(&mut self, value: Option<Atom>, stamp: u64, values: &Values) {
        self.count -= 1;
        match (value, &self.order) {
            (None, _) => {}
            (Some(value), None) if value.as_integer().is_some() => {
                self.sum.remove_integer(value.as_integer().unwrap_or_default());
            }
            (Some(value), _) => self.leave_any(&values.value(value), stamp),
        }
    }

    fn leave_any(&mut self, value: &Value, stamp: u64) {
        match value {
            Value::Number(number) => match self.order.as_deref_mut() {
                None => self.sum.remove(number),
                Some(Order::Extreme(numbers, _)) => numbers.leave(&stamp),
                Some(Order::Middle(middle)) => middle.leave(number),
            },
            Value::String(_) => {
                self.others -= 1;
                self.strings -= 1;
                if let Some(Order::Extreme(_, texts)) = self.order.as_deref_mut() {
                    texts.leave(&stamp);
                }
            }
            Value::Boolean(_) => self.others -= 1,
        }
    }

    /// The sum or count, if it is an integer at hand.
    #[inline]
    pub fn integer(&self) -> Option<i128> {
        match self.function {
            _ if self.count == 0 && self.grouped => None,
            AggregateFunction::Count => Some(i128::from(self.count)),
            AggregateFunction::Sum if self.others == 0 => self.sum.as_integer(),
            _ => None,
        }
    }

    /// The result; nothing if there is none.
    pub fn value(&self) -> Option<Value> {
        let count = || Number::Int(i64::try_from(self.count).unwrap_or(i64::MAX));
        let zero = matches!(self.function, AggregateFunction::Count | AggregateFunction::Sum) && !self.grouped;
        if self.count == 0 {
            return zero.then_some(Value::Number(Number::ZERO));
        }
        let numbers_only = self.others == 0;
        match (self.function, self.order.as_deref()) {
            (AggregateFunction::Count, _) => Some(Value::Number(count())),
            (AggregateFunction::Sum, _) => numbers_only.then(|| Value::Number(self.sum.value())),
            (AggregateFunction::Average, _) if numbers_only => self.sum.value().div(&count()).map(Value::Number),
            (_, Some(Order::Extreme(numbers, _))) if numbers_only => numbers.value().cloned().map(Value::Number),
            (_, Some(Order::Extreme(_, texts))) if self.strings == self.count => {
                texts.value().cloned().map(Value::String)
            }
            (_, Some(Order::Middle(middle))) if numbers_only => middle.value().map(Value::Number),
            _ => None,
        }
    }
}

/// A group, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupId(pub u32);

/// One group.
#[derive(Debug, Clone)]
pub struct Group {
    /// The values of the group variables.
    pub key: Box<[Atom]>,
    /// One per aggregate.
    pub states: Box<[State]>,
    /// Whether it is among the groups that violate the policy.
    pub violates: bool,
}

/// All groups that are not empty.
#[derive(Debug, Clone)]
pub struct Groups {
    template: Box<[State]>,
    all: Vec<Group>,
    free: Vec<GroupId>,
    index: HashTable<GroupId>,
    hasher: FixedState,
}

impl Groups {
    /// No group yet; a new one has these states.
    pub fn new(template: Vec<State>) -> Groups {
        Groups {
            template: template.into(),
            all: Vec::new(),
            free: Vec::new(),
            index: HashTable::new(),
            hasher: FixedState::default(),
        }
    }

    fn hash(&self, key: &[Atom]) -> u64 {
        self.hasher.hash_one(key)
    }

    /// The group with these values, if it is not empty.
    pub fn find(&self, key: &[Atom]) -> Option<GroupId> {
        self.index.find(self.hash(key), |id| *self.all[id.0 as usize].key == *key).copied()
    }

    /// The group with these values, new if need be.
    #[inline]
    pub fn find_or_add(&mut self, key: &[Atom]) -> GroupId {
        match self.find(key) {
            Some(id) => id,
            None => self.add(key),
        }
    }

    fn add(&mut self, key: &[Atom]) -> GroupId {
        let group = Group { key: key.into(), states: self.template.clone(), violates: false };
        let id = match self.free.pop() {
            Some(id) => {
                self.all[id.0 as usize] = group;
                id
            }
            None => {
                self.all.push(group);
                GroupId(u32::try_from(self.all.len() - 1).unwrap_or(u32::MAX))
            }
        };
        let (all, hasher) = (&self.all, &self.hasher);
        self.index.insert_unique(hasher.hash_one(key), id, |id| hasher.hash_one(&*all[id.0 as usize].key));
        id
    }

    /// A group by its number.
    #[inline]
    pub fn group(&mut self, id: GroupId) -> &mut Group {
        &mut self.all[id.0 as usize]
    }

    /// Drops a group that has fallen empty; the one without group variables stays.
    pub fn drop_empty(&mut self, id: GroupId) {
        let group = &self.all[id.0 as usize];
        if group.key.is_empty() || group.states.iter().any(|state| !state.is_empty()) {
            return;
        }
        let hash = self.hash(&group.key);
        if let Ok(entry) = self.index.find_entry(hash, |other| *other == id) {
            entry.remove();
            self.free.push(id);
        }
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.index.len()
    }
}
