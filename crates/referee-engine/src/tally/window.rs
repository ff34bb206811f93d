//! The window of one aggregate: assignments that wait, those that count, and those that are gone.
//!
//! ```text
//!   waiting: too recent for the interval      live: inside it, oldest first
//! ```
//!
//! Without `tp(i)` the same assignment may come again while it is live: it counts once, and leaves when it came last leaves.
//! For that each assignment has the stamp of its latest entry; a stamp that is not the latest leaves nothing behind.

use std::collections::{HashMap, VecDeque};

use referee_spec::core::Interval;
use referee_trace::number::Number;
use referee_trace::values::{Atom, Values};

use super::groups::{GroupId, Groups};

/// An assignment in the window.
#[derive(Debug, Clone)]
struct Entry {
    time: Number,
    group: GroupId,
    value: Option<Atom>,
    /// The assignment, where it may come again.
    tuple: Option<Box<[Atom]>>,
    stamp: u64,
}

/// An assignment before it has a place in the window.
#[derive(Debug, Clone)]
struct Arrival {
    time: Number,
    group: Box<[Atom]>,
    value: Option<Atom>,
    tuple: Option<Box<[Atom]>>,
}

/// The window of one aggregate.
#[derive(Debug, Clone)]
pub struct Window {
    interval: Interval,
    /// Which of the states of a group it feeds.
    state: usize,
    /// Whether what comes counts at once.
    immediate: bool,
    waiting: VecDeque<Arrival>,
    live: VecDeque<Entry>,
    /// The latest stamp of each live assignment that may come again.
    latest: HashMap<Box<[Atom]>, u64, foldhash::fast::FixedState>,
    stamps: u64,
}

impl Window {
    /// An empty window that feeds this state of each group.
    pub fn new(interval: Interval, state: usize) -> Window {
        Window {
            immediate: interval.contains(&Number::ZERO),
            interval,
            state,
            waiting: VecDeque::new(),
            live: VecDeque::new(),
            latest: HashMap::default(),
            stamps: 0,
        }
    }

    /// An assignment comes; `tuple` if it may come again.
    #[inline]
    pub fn arrive(
        &mut self,
        now: &Number,
        key: &[Atom],
        value: Option<Atom>,
        tuple: Option<&[Atom]>,
        inside: &mut Inside<'_>,
    ) {
        if self.immediate {
            self.admit(now.clone(), key, value, tuple.map(Into::into), inside);
        } else {
            let (time, group) = (now.clone(), key.into());
            self.waiting.push_back(Arrival { time, group, value, tuple: tuple.map(Into::into) });
        }
    }

    fn admit(
        &mut self,
        time: Number,
        key: &[Atom],
        value: Option<Atom>,
        tuple: Option<Box<[Atom]>>,
        inside: &mut Inside<'_>,
    ) {
        self.stamps += 1;
        let stamp = self.stamps;
        let group = inside.groups.find_or_add(key);
        let again = tuple.as_ref().is_some_and(|tuple| self.latest.insert(tuple.clone(), stamp).is_some());
        let state = &mut inside.groups.group(group).states[self.state];
        if again {
            state.refresh(value, stamp, inside.values);
        } else {
            state.enter(value, stamp, inside.values);
            inside.changed.push(group);
        }
        // What never leaves need not be kept.
        if self.interval.high.is_some() {
            self.live.push_back(Entry { time, group, value, tuple, stamp });
        }
    }

    /// Lets in what has become old enough, and out what has become too old.
    #[inline]
    pub fn advance(&mut self, now: &Number, inside: &mut Inside<'_>) {
        while self.waiting.front().is_some_and(|first| self.has_reached(&now.sub(&first.time))) {
            if let Some(Arrival { time, group, value, tuple }) = self.waiting.pop_front() {
                self.admit(time, &group, value, tuple, inside);
            }
        }
        while self.live.front().is_some_and(|first| self.interval.is_before(&now.sub(&first.time))) {
            if let Some(entry) = self.live.pop_front() {
                self.expire(&entry, inside);
            }
        }
    }

    fn has_reached(&self, age: &Number) -> bool {
        self.interval.contains(age) || self.interval.is_before(age)
    }

    fn expire(&mut self, entry: &Entry, inside: &mut Inside<'_>) {
        if let Some(tuple) = &entry.tuple {
            if self.latest.get(tuple) != Some(&entry.stamp) {
                return;
            }
            self.latest.remove(tuple);
        }
        inside.groups.group(entry.group).states[self.state].leave(entry.value, entry.stamp, inside.values);
        inside.changed.push(entry.group);
    }

    /// How many assignments are kept.
    pub fn len(&self) -> usize {
        self.waiting.len() + self.live.len()
    }
}

/// What a window works on: the groups, and those of them that it changes.
pub struct Inside<'a> {
    /// All groups.
    pub groups: &'a mut Groups,
    /// The groups that changed, perhaps several times.
    pub changed: &'a mut Vec<GroupId>,
    /// The values of atoms.
    pub values: &'a Values,
}
