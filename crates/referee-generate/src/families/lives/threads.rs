//! Threads that give their locks back before they end.

use referee_spec::core::Language;

use super::life::{Arguments, GONE, Life, Lives, Thing, common, free, own, step};
use crate::generator::{Breach, Generator};
use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Story};

/// The only one.
pub(super) const ALL: &[Generator] = &[Generator {
    name: "mop-locks",
    about: "A thread releases each lock as often as it acquired it before it ends",
    language: Language::Mop,
    specification: specification!("mop-locks.mop"),
    kinds: &[
        Kind { name: "begin", fields: &[THREAD] },
        Kind { name: "end", fields: &[THREAD] },
        Kind { name: "acquire", fields: &[THREAD, LOCK] },
        Kind { name: "release", fields: &[THREAD, LOCK] },
    ],
    breach: Breach::Once { before: 2, after: 0 },
    ..common(threads)
}];

const THREAD: (&str, Content) = ("thread", Content::Identity("thread"));
const LOCK: (&str, Content) = ("lock", Content::Identity("lock"));
const BEGIN: usize = 0;
const END: usize = 1;
const ACQUIRE: usize = 2;
const RELEASE: usize = 3;
/// How many threads run at a time, and how many locks each of them uses; no other thread ever waits for those.
const THREADS: u64 = 6;
const LOCKS: u64 = 2;

fn threads(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&THREAD_LIFE, order, random)
}

fn lock(thing: &Thing, which: u64) -> Arguments {
    [thing.id(), (LOCKS * thing.number - which).cast_signed(), 0, 0]
}

fn first(thing: &mut Thing, _: &mut Random) -> Arguments {
    lock(thing, 1)
}

fn second(thing: &mut Thing, _: &mut Random) -> Arguments {
    lock(thing, 0)
}

const RUNNING: usize = 1;
const HOLDING: usize = 2;
const HOLDING_TWICE: usize = 3;
const HOLDING_BOTH: usize = 4;
const HOLDING_SECOND: usize = 5;

const THREAD_LIFE: Life = Life {
    states: &[
        free(&[step(BEGIN, RUNNING, 1, own)]),
        free(&[step(ACQUIRE, HOLDING, 24, first), step(END, GONE, 1, own)]),
        free(&[
            step(RELEASE, RUNNING, 2, first),
            step(ACQUIRE, HOLDING_TWICE, 1, first),
            step(ACQUIRE, HOLDING_BOTH, 1, second),
        ]),
        free(&[step(RELEASE, HOLDING, 1, first)]),
        // Of two locks either may be released first.
        free(&[step(RELEASE, HOLDING, 1, second), step(RELEASE, HOLDING_SECOND, 1, first)]),
        free(&[step(RELEASE, RUNNING, 1, second)]),
    ],
    crowd: THREADS,
    breach: &[(BEGIN, own), (ACQUIRE, first), (END, own)],
};
