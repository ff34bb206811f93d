//! Maps, collections of their elements, and iterators over those.
//!
//! One event in a hundred makes a collection of a new map, one in ten an iterator; two in ten change a map, and the
//! others use an iterator whose map has not been changed since.
//!
//! The teams tell this story in different words. A [`Dialect`] says which events there are: some know no maps, so that it
//! is the collection that changes; some ask an iterator before they use it.

use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const MAP: (&str, Content) = ("map", Content::Identity("map"));
const COLLECTION: (&str, Content) = ("collection", Content::Identity("collection"));
const ITERATOR: (&str, Content) = ("iterator", Content::Identity("iterator"));
const CREATE_COLLECTION: Kind = Kind { name: "createColl", fields: &[MAP, COLLECTION] };
const CREATE_ITERATOR: Kind = Kind { name: "createIter", fields: &[COLLECTION, ITERATOR] };
const USE: Kind = Kind { name: "useIter", fields: &[ITERATOR] };
const UPDATE_MAP: Kind = Kind { name: "updateMap", fields: &[MAP] };
const UPDATE_COLLECTION: Kind = Kind { name: "updateColl", fields: &[COLLECTION] };

/// Which events tell the story; each is the index of its kind.
#[derive(Debug)]
struct Dialect {
    /// That a collection of a map is made; without it, collections are just there.
    create_collection: Option<usize>,
    create_iterator: usize,
    /// That an iterator is asked whether there is more, before each use.
    ask: Option<usize>,
    use_iterator: usize,
    /// The changes that make iterators stale, of a map or of its collection: both have one number.
    updates: &'static [usize],
}

/// JavaMOP's maps.
pub(super) const MOP_KINDS: &[Kind] =
    &[CREATE_COLLECTION, CREATE_ITERATOR, USE, Kind { name: "update", fields: &[MAP] }];
/// Those of prm4j.
pub(super) const PRM4J_KINDS: &[Kind] = &[CREATE_COLLECTION, CREATE_ITERATOR, USE, UPDATE_MAP];
/// Its collections.
pub(super) const ITERATOR_KINDS: &[Kind] = &[CREATE_ITERATOR, USE, UPDATE_COLLECTION];
/// Maps, collections, and iterators that are asked.
pub(super) const COMBINED_KINDS: &[Kind] = &[
    CREATE_COLLECTION,
    CREATE_ITERATOR,
    Kind { name: "next", fields: &[ITERATOR] },
    UPDATE_MAP,
    UPDATE_COLLECTION,
    Kind { name: "hasNext", fields: &[ITERATOR] },
];

const MAPS: Dialect =
    Dialect { create_collection: Some(0), create_iterator: 1, ask: None, use_iterator: 2, updates: &[3] };
const COLLECTIONS: Dialect =
    Dialect { create_collection: None, create_iterator: 0, ask: None, use_iterator: 1, updates: &[2] };
const COMBINED: Dialect =
    Dialect { create_collection: Some(0), create_iterator: 1, ask: Some(5), use_iterator: 2, updates: &[3, 4] };

/// How many iterators are in use at a time.
const IN_USE: usize = 1000;

/// An iterator in use.
#[derive(Debug, Clone, Copy)]
struct Iterator {
    number: u64,
    map: usize,
    /// How often its map had been changed when it was made.
    version: u64,
    /// Whether it was asked since it was used.
    asked: bool,
}

struct Maps {
    dialect: &'static Dialect,
    random: Random,
    /// How often each map was changed; the first has number 1, as has its collection.
    updates: Vec<u64>,
    iterators: Vec<Iterator>,
    made: u64,
}

/// Begins the story of maps.
pub(super) fn maps(_: &Order, random: Random) -> Box<dyn Story> {
    story(&MAPS, random)
}

/// Begins the story of collections.
pub(super) fn collections(_: &Order, random: Random) -> Box<dyn Story> {
    story(&COLLECTIONS, random)
}

/// Begins the story of maps, collections, and iterators that are asked.
pub(super) fn combined(_: &Order, random: Random) -> Box<dyn Story> {
    story(&COMBINED, random)
}

fn story(dialect: &'static Dialect, random: Random) -> Box<dyn Story> {
    Box::new(Maps { dialect, random, updates: Vec::new(), iterators: Vec::new(), made: 0 })
}

impl Maps {
    /// A new map with its collection; where nobody tells of that, the first iterator over it.
    fn create_collection(&mut self) -> Row {
        self.updates.push(0);
        let number = self.updates.len() as u64;
        match self.dialect.create_collection {
            Some(kind) => Row::new(kind, [number, number]),
            None => self.create_iterator_over(self.updates.len() - 1),
        }
    }

    fn create_iterator(&mut self) -> Row {
        let map = self.random.index(self.updates.len());
        self.create_iterator_over(map)
    }

    fn create_iterator_over(&mut self, map: usize) -> Row {
        self.made += 1;
        let iterator = Iterator { number: self.made, map, version: self.updates[map], asked: false };
        match self.iterators.len() < IN_USE {
            true => self.iterators.push(iterator),
            false => {
                let place = self.random.index(IN_USE);
                self.iterators[place] = iterator;
            }
        }
        Row::new(self.dialect.create_iterator, [map as u64 + 1, self.made])
    }

    fn update(&mut self) -> Row {
        let map = self.random.index(self.updates.len());
        self.updates[map] += 1;
        let kinds = self.dialect.updates;
        let kind = if kinds.len() > 1 { kinds[self.random.index(kinds.len())] } else { kinds[0] };
        Row::new(kind, [map as u64 + 1])
    }

    /// Uses an iterator whose map is as it was; those that are found to be stale are never used again.
    fn use_iterator(&mut self) -> Row {
        while !self.iterators.is_empty() {
            let place = self.random.index(self.iterators.len());
            let Iterator { number, map, version, asked } = self.iterators[place];
            if self.updates[map] == version {
                self.iterators[place].asked = !asked;
                let asks = self.dialect.ask.filter(|_| !asked);
                return Row::new(asks.unwrap_or(self.dialect.use_iterator), [number]);
            }
            self.iterators.swap_remove(place);
        }
        self.create_iterator()
    }

    /// A map of its own is changed between the making and the use of an iterator: each step, with the kinds that there are.
    fn culprit(&mut self, step: u64) -> Row {
        let own = self.updates.len() as u64;
        match step {
            0 => self.create_collection(),
            1 => {
                self.made += 1;
                Row::new(self.dialect.create_iterator, [own, self.made])
            }
            2 => {
                // Nobody who goes over this map is ever used again.
                self.updates[own as usize - 1] += 1;
                Row::new(self.dialect.updates[0], [own])
            }
            _ => Row::new(self.dialect.use_iterator, [self.made]),
        }
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

    fn breach(&mut self, step: u64) -> Row {
        match (self.dialect.ask, step) {
            (Some(ask), 3) => Row::new(ask, [self.made]),
            _ => self.culprit(step),
        }
    }
}
