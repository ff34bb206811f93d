//! Iterators that are asked before an element is taken, and iterators over collections of known size.

use referee_spec::core::Language;

use super::life::{Arguments, GONE, Life, Lives, Move, Thing, common, free, own, step};
use crate::generator::{Breach, Generator};
use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Story};

/// All of them.
pub(super) const ALL: &[Generator] = &[
    Generator {
        name: "mop-hasnext",
        about: "The call right before each next of an iterator has told that there is a next element",
        language: Language::Mop,
        specification: specification!("mop-hasnext.mop"),
        kinds: &[Kind { name: "hasnext_true", fields: ITERATOR }, NEXT],
        ..common(asked)
    },
    Generator {
        name: "prm4j-hasnext",
        about: "Between two elements of an iterator it is asked whether there is one",
        language: Language::Mop,
        specification: specification!("prm4j-hasnext.mop"),
        kinds: &[Kind { name: "hasNext", fields: ITERATOR }, NEXT],
        ..common(asked)
    },
    Generator {
        name: "qea-hasnext",
        about: "Before each element an iterator has told that there is one",
        language: Language::Qea,
        specification: specification!("qea-hasnext.qea"),
        kinds: &[Kind { name: "hasnext", fields: &[ITERATOR[0], RESULT] }, DO_NEXT],
        ..common(answered)
    },
    Generator {
        name: "qea-iterators",
        about: "From an iterator at most as many elements are taken as its collection had",
        language: Language::Qea,
        specification: specification!("qea-iterators.qea"),
        kinds: &[Kind { name: "iterator", fields: &[ITERATOR[0], ("size", Content::Quantity)] }, DO_NEXT],
        breach: Breach::Once { before: 2, after: 0 },
        ..common(counted)
    },
];

const ITERATOR: &[(&str, Content)] = &[("iterator", Content::Identity("iterator"))];
const RESULT: (&str, Content) = ("result", Content::Word(&["false", "true"]));
const NEXT: Kind = Kind { name: "next", fields: ITERATOR };
const DO_NEXT: Kind = Kind { name: "donext", fields: ITERATOR };
/// How many iterators are in use at a time.
const CROWD: u64 = 1000;

fn asked(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&ASKED, order, random)
}

fn answered(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&ANSWERED, order, random)
}

fn counted(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&COUNTED, order, random)
}

const ASK: usize = 0;
const TAKE: usize = 1;

const NOT_READY: usize = 0;
const READY: usize = 1;

const ASKED: Life = Life {
    states: &[
        free(&[step(ASK, READY, 1, own)]),
        free(&[step(TAKE, NOT_READY, 12, own), step(ASK, READY, 3, own), step(TAKE, GONE, 1, own)]),
    ],
    crowd: CROWD,
    breach: &[(TAKE, own)],
};

fn yes(thing: &mut Thing, _: &mut Random) -> Arguments {
    [thing.id(), 1, 0, 0]
}

fn no(thing: &mut Thing, _: &mut Random) -> Arguments {
    [thing.id(), 0, 0, 0]
}

const ANSWERED: Life = Life {
    states: &[
        free(&[step(ASK, READY, 8, yes), step(ASK, GONE, 1, no)]),
        // An answer stays good when it is taken back: the property says no more than that.
        free(&[step(TAKE, NOT_READY, 12, own), step(ASK, READY, 3, yes), step(ASK, READY, 1, no)]),
    ],
    crowd: CROWD,
    breach: &[(TAKE, own)],
};

const CREATE: usize = 0;
/// The largest collection.
const ELEMENTS: u64 = 12;

/// A new iterator, which remembers how many elements there are.
fn create(thing: &mut Thing, random: &mut Random) -> Arguments {
    thing.memory[0] = random.up_to(ELEMENTS).cast_signed();
    [thing.id(), thing.memory[0], 0, 0]
}

fn create_with_one(thing: &mut Thing, _: &mut Random) -> Arguments {
    [thing.id(), 1, 0, 0]
}

fn take(thing: &mut Thing, random: &mut Random) -> Arguments {
    thing.memory[0] -= 1;
    own(thing, random)
}

const COUNTED: Life = Life {
    states: &[
        // Nothing is taken of an empty collection.
        free(&[step(CREATE, 1, 12, create), step(CREATE, GONE, 1, no)]),
        free(&[
            Move { may: |thing| thing.memory[0] > 1, ..step(TAKE, 1, 12, take) },
            // The last element, or the last that anybody wants.
            step(TAKE, GONE, 1, take),
        ]),
    ],
    crowd: CROWD,
    breach: &[(CREATE, create_with_one), (TAKE, own), (TAKE, own)],
};
