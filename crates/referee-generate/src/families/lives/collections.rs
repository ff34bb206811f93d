//! Synchronised collections, whose iterators are created and used under their lock; and others, which need none.

use referee_spec::core::Language;

use super::life::{Arguments, GONE, Life, Lives, Move, Thing, common, free, own, step};
use crate::generator::{Breach, Generator};
use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Story};

/// The only one.
pub(super) const ALL: &[Generator] = &[Generator {
    name: "prm4j-collections",
    about: "Synchronised collections are iterated under their own lock",
    language: Language::Mop,
    specification: specification!("prm4j-collections.mop"),
    kinds: &[
        Kind { name: "sync", fields: &[COLLECTION] },
        Kind { name: "syncCreateIter", fields: &[COLLECTION, ITERATOR] },
        Kind { name: "asyncCreateIter", fields: &[COLLECTION, ITERATOR] },
        Kind { name: "accessIter", fields: &[ITERATOR] },
    ],
    breach: Breach::Once { before: 2, after: 0 },
    ..common(collections)
}];

const COLLECTION: (&str, Content) = ("collection", Content::Identity("collection"));
const ITERATOR: (&str, Content) = ("iterator", Content::Identity("iterator"));
const SYNC: usize = 0;
const CREATE_UNDER_LOCK: usize = 1;
const CREATE: usize = 2;
const ACCESS: usize = 3;
/// How many iterators there are over a collection, at most.
const ITERATORS: i64 = 10;

fn collections(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&COLLECTIONS, order, random)
}

/// The iterator of a collection that was created last.
fn newest(thing: &Thing) -> i64 {
    (thing.id() - 1) * ITERATORS + thing.memory[0]
}

fn create(thing: &mut Thing, _: &mut Random) -> Arguments {
    thing.memory[0] += 1;
    [thing.id(), newest(thing), 0, 0]
}

fn access(thing: &mut Thing, _: &mut Random) -> Arguments {
    [newest(thing), 0, 0, 0]
}

const SYNCHRONISED: usize = 1;
const PLAIN: usize = 2;

const COLLECTIONS: Life = Life {
    states: &[
        free(&[step(SYNC, SYNCHRONISED, 3, own), step(CREATE, PLAIN, 1, create)]),
        free(&[
            Move { may: has_room, ..step(CREATE_UNDER_LOCK, SYNCHRONISED, 6, create) },
            step(CREATE_UNDER_LOCK, GONE, 1, create),
        ]),
        free(&[
            step(ACCESS, PLAIN, 6, access),
            Move { may: has_room, ..step(CREATE, PLAIN, 2, create) },
            Move { may: has_room, ..step(CREATE_UNDER_LOCK, PLAIN, 1, create) },
            step(ACCESS, GONE, 1, access),
        ]),
    ],
    crowd: 500,
    breach: &[(SYNC, own), (CREATE_UNDER_LOCK, create), (ACCESS, access)],
};

/// Whether there may be one iterator more and another after that.
fn has_room(thing: &Thing) -> bool {
    thing.memory[0] + 1 < ITERATORS
}
