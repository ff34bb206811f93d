//! An index over the events of one point, by the arguments that handlers look for.
//!
//! ```text
//!   keys     report, its argument            what some handler asks by: a pattern and one of its arguments
//!   heads    hash of key and word ─▶ entry: event ─▶ the entry before it with that hash ─▶ …
//! ```
//!
//! A handler could look through all events of the point for the one that it needs; but a point with thousands of events runs thousands
//! of handlers. So the first handler that asks at a point enters all events by the patterns and arguments that handlers ask by. An entry
//! is a candidate: the handler still compares every argument.

use crate::fo::code::handler::EventQuery;
use crate::fo::run::point_events::{Matches, PointEvents};

/// No entry.
const NONE: u32 = u32::MAX;

/// The events of a point, by what is asked by.
#[derive(Debug, Default)]
pub(super) struct PointIndex {
    keys: Vec<(usize, usize)>,
    heads: Vec<u32>,
    entries: Vec<EventEntry>,
    is_filled: bool,
}

#[derive(Debug, Clone, Copy)]
struct EventEntry {
    event: u32,
    next: u32,
}

impl PointIndex {
    /// Handlers will ask for this.
    pub(super) fn prepare(&mut self, query: &EventQuery) {
        let key = query.equals.first().map(|(argument, _)| (query.pattern, *argument));
        if let Some(key) = key.filter(|key| !self.keys.contains(key)) {
            self.keys.push(key);
        }
    }

    /// A point begins.
    pub(super) fn clear(&mut self) {
        self.is_filled = false;
    }

    /// Whether some event that may have this word as this argument of a pattern is one that fits.
    pub(super) fn any(
        &mut self,
        key: (usize, usize),
        word: u64,
        (events, matches): (&PointEvents, &Matches),
        mut fits: impl FnMut(usize) -> bool,
    ) -> bool {
        if !self.is_filled {
            self.fill(events, matches);
        }
        let Some(number) = self.keys.iter().position(|own| *own == key) else {
            return (0..events.len()).any(fits);
        };
        let mut entry = self.heads[self.place(number, word)];
        while let Some(EventEntry { event, next }) = self.entries.get(entry as usize) {
            if fits(*event as usize) {
                return true;
            }
            entry = *next;
        }
        false
    }

    #[inline(never)]
    fn fill(&mut self, events: &PointEvents, matches: &Matches) {
        self.is_filled = true;
        self.entries.clear();
        self.heads.clear();
        self.heads.resize((2 * events.len() * self.keys.len()).next_power_of_two(), NONE);
        for event in 0..events.len() {
            for number in 0..self.keys.len() {
                let (pattern, argument) = self.keys[number];
                let Some(places) = matches.places_of(events.shape(event), pattern) else { continue };
                let place = self.place(number, events.words(event)[places[argument]]);
                let next = std::mem::replace(&mut self.heads[place], self.entries.len() as u32);
                self.entries.push(EventEntry { event: event as u32, next });
            }
        }
    }

    /// Where the chain of a key and a word begins.
    #[inline]
    fn place(&self, key: usize, word: u64) -> usize {
        let hash = (word ^ (key as u64).rotate_right(8)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash >> 32) as usize & (self.heads.len() - 1)
    }
}
