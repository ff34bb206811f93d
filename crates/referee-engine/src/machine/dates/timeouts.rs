//! The queue of timeouts: which clock must be looked at next, and when.
//!
//! An entry of the queue says that a clock must be looked at when its time has come, not that it has a timeout then: a clock
//! that was reset meanwhile is put back. So each clock has at most one entry that counts, and a reset costs nothing unless it brings the
//! next timeout nearer.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use referee_trace::number::Number;

use super::clock::Watch;
use super::contexts::ContextId;

/// A clock: its number, its place among those of its context, that context, and when this opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TimeoutOwner {
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
pub(super) struct Timeouts {
    queue: BinaryHeap<Reverse<(Number, TimeoutOwner)>>,
}

impl Timeouts {
    /// How many entries there are.
    pub(super) fn len(&self) -> usize {
        self.queue.len()
    }

    /// Sees to it that a clock will be looked at in time.
    pub(super) fn watch(&mut self, watch: &mut Watch, delays: &[Number], owner: TimeoutOwner) {
        let Some(due) = watch.due(delays) else { return };
        if watch.entry.as_ref().is_none_or(|entry| due < *entry) {
            watch.entry = Some(due.clone());
            self.queue.push(Reverse((due, owner)));
        }
    }

    /// The next clock that must be looked at before a time, and when.
    pub(super) fn next_before(&mut self, time: &Number) -> Option<(Number, TimeoutOwner)> {
        let Reverse((due, _)) = self.queue.peek()?;
        if due >= time {
            return None;
        }
        self.queue.pop().map(|Reverse(entry)| entry)
    }

    /// Whether an entry that was taken counts; it is forgotten.
    pub(super) fn counts(watch: &mut Watch, due: &Number) -> bool {
        let counts = watch.entry.as_ref() == Some(due);
        if counts {
            watch.entry = None;
        }
        counts
    }
}
