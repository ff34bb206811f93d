//! Maps, collections of their elements, and iterators over those.
//!
//! One event in a hundred makes a collection of a new map, one in ten an iterator; two in ten update a map, and the
//! others use an iterator whose map has not been updated since.

use super::super::random::Random;
use super::super::{Content, Kind, Order, Row, Story};

const CREATE_COLLECTION: usize = 0;
const CREATE_ITERATOR: usize = 1;
const USE: usize = 2;
const UPDATE: usize = 3;
const MAP: (&str, Content) = ("map", Content::Identity("map"));
const COLLECTION: (&str, Content) = ("collection", Content::Identity("collection"));
const ITERATOR: (&str, Content) = ("iterator", Content::Identity("iterator"));
pub(super) const KINDS: &[Kind] = &[
    Kind { name: "createColl", fields: &[MAP, COLLECTION] },
    Kind { name: "createIter", fields: &[COLLECTION, ITERATOR] },
    Kind { name: "useIter", fields: &[ITERATOR] },
    Kind { name: "update", fields: &[MAP] },
];

/// How many iterators are in use at a time.
const IN_USE: usize = 1000;

/// An iterator in use.
#[derive(Debug, Clone, Copy)]
struct Iterator {
    number: u64,
    map: usize,
    /// How often its map had been updated when it was made.
    version: u64,
}

struct Maps {
    random: Random,
    /// How often each map was updated; the first has number 1, as has its collection.
    updates: Vec<u64>,
    iterators: Vec<Iterator>,
    made: u64,
}

/// Begins the story.
pub(super) fn story(_: &Order, random: Random) -> Box<dyn Story> {
    Box::new(Maps { random, updates: Vec::new(), iterators: Vec::new(), made: 0 })
}

impl Maps {
    fn create_collection(&mut self) -> Row {
        self.updates.push(0);
        let number = self.updates.len() as u64;
        Row::new(CREATE_COLLECTION, [number, number])
    }

    fn create_iterator(&mut self) -> Row {
        self.made += 1;
        let map = self.random.index(self.updates.len());
        let iterator = Iterator { number: self.made, map, version: self.updates[map] };
        match self.iterators.len() < IN_USE {
            true => self.iterators.push(iterator),
            false => {
                let place = self.random.index(IN_USE);
                self.iterators[place] = iterator;
            }
        }
        Row::new(CREATE_ITERATOR, [map as u64 + 1, self.made])
    }

    fn update(&mut self) -> Row {
        let map = self.random.index(self.updates.len());
        self.updates[map] += 1;
        Row::new(UPDATE, [map as u64 + 1])
    }

    /// Uses an iterator whose map is as it was; those that are found to be stale are never used again.
    fn use_iterator(&mut self) -> Row {
        while !self.iterators.is_empty() {
            let place = self.random.index(self.iterators.len());
            let Iterator { number, map, version } = self.iterators[place];
            if self.updates[map] == version {
                return Row::new(USE, [number]);
            }
            self.iterators.swap_remove(place);
        }
        self.create_iterator()
    }
}

impl Story for Maps {
    fn obey(&mut self, _: u64) -> Row {
        if self.updates.is_empty() || self.random.one_in(100) {
            return self.create_collection();
        }
        match self.random.below(10) {
            0 => self.create_iterator(),
            1 | 2 => self.update(),
            _ => self.use_iterator(),
        }
    }

    /// A map of its own is updated between the making and the use of an iterator.
    fn breach(&mut self, step: u64) -> Row {
        match step {
            0 => self.create_collection(),
            1 => {
                self.made += 1;
                Row::new(CREATE_ITERATOR, [self.updates.len() as u64, self.made])
            }
            2 => Row::new(UPDATE, [self.updates.len() as u64]),
            _ => Row::new(USE, [self.made]),
        }
    }
}
