//! A request that has been checked and completed: how many events there are, and which of them break the property.

use crate::request::Values;
use crate::share::Share;

/// A wish that has been checked and completed.
#[derive(Debug, Clone)]
pub struct Order {
    /// How many events.
    pub events: u64,
    /// How many of them keep the property.
    pub obeying: u64,
    /// How many events a time point has.
    pub per_point: u64,
    /// How many rows are within the property's window.
    pub live: u64,
    /// Where chance begins.
    pub seed: u64,
    /// How things are called.
    pub values: Values,
    /// Which events break the property.
    pub schedule: Schedule,
}

/// Which events break the property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// None.
    Never,
    /// One breach, whose steps are the events with these numbers.
    Once {
        /// The first.
        first: u64,
        /// The last.
        last: u64,
    },
    /// This share of all events, spread evenly; each is a breach of one step.
    Spread(Share),
}

impl Schedule {
    /// Which step of a breach the event with this number is, if it belongs to one.
    #[inline]
    pub fn step(self, number: u64) -> Option<u64> {
        match self {
            Schedule::Never => None,
            Schedule::Once { first, last } => (first..=last).contains(&number).then(|| number - first),
            Schedule::Spread(share) => (share.down(number) > share.down(number - 1)).then_some(0),
        }
    }

    /// How many of the events belong to breaches.
    pub(crate) fn total(self, events: u64) -> u64 {
        match self {
            Schedule::Never => 0,
            Schedule::Once { first, last } => last - first + 1,
            Schedule::Spread(share) => share.down(events),
        }
    }
}
