//! Locks that are taken in ascending order: no two of them are ever taken in both orders.

use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const LOCK: usize = 0;
const UNLOCK: usize = 1;
const FIELD: &[(&str, Content)] = &[("lock", Content::Identity("lock"))];
pub(super) const KINDS: &[Kind] = &[Kind { name: "lock", fields: FIELD }, Kind { name: "unlock", fields: FIELD }];

/// How many locks there are, and how many of them are held at a time.
const LOCKS: u64 = 40;
const HELD: usize = 4;

struct Locks {
    random: Random,
    /// The locks that are held, in ascending order.
    held: Vec<u64>,
}

/// Begins the story.
pub(super) fn story(_: &Order, random: Random) -> Box<dyn Story> {
    Box::new(Locks { random, held: Vec::new() })
}

impl Story for Locks {
    fn obey(&mut self, _: u64) -> Row {
        let highest = self.held.last().copied().unwrap_or(0);
        let may_take = highest < LOCKS && self.held.len() < HELD;
        if may_take && (self.held.is_empty() || self.random.one_in(2)) {
            let lock = highest + self.random.up_to(LOCKS - highest);
            self.held.push(lock);
            return Row::new(LOCK, [lock]);
        }
        let place = self.random.index(self.held.len());
        Row::new(UNLOCK, [self.held.remove(place)])
    }

    /// Two locks of their own, in both orders.
    fn breach(&mut self, step: u64) -> Row {
        let (one, other) = (LOCKS + 1, LOCKS + 2);
        match step {
            0 => Row::new(LOCK, [one]),
            1 => Row::new(LOCK, [other]),
            2 => Row::new(UNLOCK, [other]),
            3 => Row::new(UNLOCK, [one]),
            4 => Row::new(LOCK, [other]),
            5 => Row::new(LOCK, [one]),
            6 => Row::new(UNLOCK, [one]),
            _ => Row::new(UNLOCK, [other]),
        }
    }
}
