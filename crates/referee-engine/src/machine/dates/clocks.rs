//! Clocks and the queue of their timeouts.
//!
//! An entry of the queue says that a clock must be looked at when its time has come, not that it has a timeout then: a clock
//! that was reset meanwhile is put back. So each clock has at most one entry that counts, and a reset costs nothing unless it brings the
//! next timeout nearer.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use referee_spec::core::machine::dates::ClockAct;
use referee_trace::number::Number;

use super::contexts::ContextId;

/// How a clock goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Going {
    /// It runs since then.
    Since(Number),
    /// It stands at this.
    At(Number),
    /// It has no value.
    Off,
}

/// A clock of a context.
#[derive(Debug, Clone)]
pub struct Watch {
    /// How it goes.
    pub going: Going,
    /// The first of its delays that is ahead.
    pub next: usize,
    /// How often it was reset, paused or turned off.
    pub touched: u64,
    /// The time of its entry in the queue.
    entry: Option<Number>,
}

impl Watch {
    /// A clock that begins to run.
    pub fn new(now: &Number) -> Watch {
        Watch { going: Going::Since(now.clone()), next: 0, touched: 0, entry: None }
    }

    /// Does something with the clock.
    pub fn touch(&mut self, act: ClockAct, now: &Number) {
        self.touched += u64::from(act != ClockAct::Resume);
        match (act, &self.going) {
            (ClockAct::Reset, _) => (self.going, self.next) = (Going::Since(now.clone()), 0),
            (ClockAct::Pause, Going::Since(since)) => self.going = Going::At(now.sub(since)),
            (ClockAct::Resume, Going::At(value)) => self.going = Going::Since(now.sub(value)),
            (ClockAct::Off, _) => self.going = Going::Off,
            _ => {}
        }
    }

    /// When its next timeout comes, if nobody touches it.
    pub fn due(&self, delays: &[Number]) -> Option<Number> {
        match &self.going {
            Going::Since(since) => delays.get(self.next).map(|delay| since.add(delay)),
            _ => None,
        }
    }
}

/// A clock: its number, its place among those of its context, that context, and when this opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner {
    /// When the context opened.
    pub serial: u64,
    /// The clock.
    pub clock: usize,
    /// Its place among those of its scope.
    pub place: usize,
    /// The context.
    pub context: ContextId,
}

/// The queue of timeouts.
#[derive(Debug, Default)]
pub struct Clocks {
    queue: BinaryHeap<Reverse<(Number, Owner)>>,
}

impl Clocks {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// Sees to it that a clock will be looked at in time.
    pub fn watch(&mut self, watch: &mut Watch, delays: &[Number], owner: Owner) {
        let Some(due) = watch.due(delays) else { return };
        if watch.entry.as_ref().is_none_or(|entry| due < *entry) {
            watch.entry = Some(due.clone());
            self.queue.push(Reverse((due, owner)));
        }
    }

    /// The next clock that must be looked at before a time, and when.
    pub fn next_before(&mut self, time: &Number) -> Option<(Number, Owner)> {
        let Reverse((due, _)) = self.queue.peek()?;
        if due >= time {
            return None;
        }
        self.queue.pop().map(|Reverse(entry)| entry)
    }

    /// Whether an entry that was taken counts; it is forgotten.
    pub fn counts(watch: &mut Watch, due: &Number) -> bool {
        let counts = watch.entry.as_ref() == Some(due);
        if counts {
            watch.entry = None;
        }
        counts
    }
}
