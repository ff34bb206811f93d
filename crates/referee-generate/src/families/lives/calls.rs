//! Three methods that are called equally often: a thing is a call of each, in any order.

use referee_spec::core::Language;

use super::life::{GONE, Life, Lives, Move, common, free, none, owing, step};
use crate::generator::{Generator, Sizes};
use crate::order::Order;
use crate::random::Random;
use crate::story::{Kind, Story};

/// The only one.
pub(super) const ALL: &[Generator] = &[Generator {
    name: "mop-counts",
    about: "Each of three methods is called as often as the others",
    language: Language::Mop,
    specification: specification!("mop-counts.mop"),
    events: 99_999,
    sizes: Sizes { least: 0, multiple_of: 3 },
    kinds: &[Kind { name: "a", fields: &[] }, Kind { name: "b", fields: &[] }, Kind { name: "c", fields: &[] }],
    ..common(calls)
}];

fn calls(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&CALLS, order, random)
}

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

const fn call(kind: usize, to: usize) -> Move {
    step(kind, to, 1, none)
}

/// What was called is in the name of a state.
const ONLY_A: usize = 1;
const ONLY_B: usize = 2;
const ONLY_C: usize = 3;
const A_AND_B: usize = 4;
const A_AND_C: usize = 5;
const B_AND_C: usize = 6;

const CALLS: Life = Life {
    states: &[
        free(&[
            call(A, ONLY_A),
            call(B, ONLY_B),
            call(C, ONLY_C),
            // What is left over where the number of calls cannot be shared out: only a violated trace has that.
            step(A, GONE, 0, none),
        ]),
        owing(2, &[call(B, A_AND_B), call(C, A_AND_C)]),
        owing(2, &[call(A, A_AND_B), call(C, B_AND_C)]),
        owing(2, &[call(A, A_AND_C), call(B, B_AND_C)]),
        owing(1, &[call(C, GONE)]),
        owing(1, &[call(B, GONE)]),
        owing(1, &[call(A, GONE)]),
    ],
    crowd: 8,
    breach: &[(A, none)],
};
