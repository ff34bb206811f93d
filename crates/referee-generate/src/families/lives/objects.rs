//! Objects in hashing collections, whose hash codes stay the same as long as they are in one.

use referee_spec::core::Language;

use super::life::{Arguments, GONE, Life, Lives, Thing, common, free, step};
use crate::generator::{Breach, Generator};
use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Story};

/// The only one.
pub(super) const ALL: &[Generator] = &[Generator {
    name: "qea-hashcodes",
    about: "As long as an object is in a collection its hash code stays the same",
    language: Language::Qea,
    specification: specification!("qea-hashcodes.qea"),
    kinds: &[
        Kind { name: "add", fields: FIELDS },
        Kind { name: "observe", fields: FIELDS },
        Kind { name: "remove", fields: FIELDS },
    ],
    breach: Breach::Once { before: 1, after: 0 },
    ..common(objects)
}];

const FIELDS: &[(&str, Content)] = &[
    ("collection", Content::Identity("collection")),
    ("object", Content::Identity("object")),
    ("hash", Content::Quantity),
];
const ADD: usize = 0;
const OBSERVE: usize = 1;
const REMOVE: usize = 2;
const COLLECTIONS: u64 = 20;
const CODES: u64 = 1_000_000;

fn objects(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&OBJECTS, order, random)
}

/// An event of an object in one of the two collections that it is ever in.
fn event(thing: &Thing, which: u64) -> Arguments {
    let collection = 1 + (thing.number + which) % COLLECTIONS;
    [collection.cast_signed(), thing.id(), thing.memory[0], 0]
}

fn in_first(thing: &mut Thing, _: &mut Random) -> Arguments {
    event(thing, 0)
}

fn in_second(thing: &mut Thing, _: &mut Random) -> Arguments {
    event(thing, 1)
}

/// With a code of the object's own, as nothing depends on the one that it had.
fn anew(thing: &mut Thing, random: &mut Random) -> Arguments {
    thing.memory[0] = random.below(CODES).cast_signed();
    event(thing, 0)
}

fn changed(thing: &mut Thing, random: &mut Random) -> Arguments {
    thing.memory[0] += random.up_to(CODES).cast_signed();
    event(thing, 0)
}

const OUT: usize = 0;
const IN_FIRST: usize = 1;
const IN_BOTH: usize = 2;
const IN_SECOND: usize = 3;

const OBJECTS: Life = Life {
    states: &[
        free(&[step(ADD, IN_FIRST, 8, anew), step(OBSERVE, OUT, 1, anew)]),
        free(&[
            step(OBSERVE, IN_FIRST, 6, in_first),
            step(ADD, IN_BOTH, 2, in_second),
            step(REMOVE, OUT, 1, in_first),
            step(REMOVE, GONE, 1, in_first),
        ]),
        free(&[
            step(OBSERVE, IN_BOTH, 2, in_first),
            step(OBSERVE, IN_BOTH, 2, in_second),
            step(REMOVE, IN_FIRST, 1, in_second),
            step(REMOVE, IN_SECOND, 1, in_first),
        ]),
        free(&[step(OBSERVE, IN_SECOND, 2, in_second), step(REMOVE, OUT, 1, in_second)]),
    ],
    crowd: 1000,
    breach: &[(ADD, anew), (OBSERVE, changed)],
};
