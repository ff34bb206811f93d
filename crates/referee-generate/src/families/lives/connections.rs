//! The simulated connections and files of the RiTHM team's programs.

use super::life::{Arguments, GONE, Life, Lives, State, Thing, common, free, owing, own, step};
use crate::generator::{Breach, Generator};
use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Story};

/// All of them.
pub(super) const ALL: &[Generator] = &[
    Generator {
        name: "c-chunksize",
        about: "The chunk size of every simulated connection is at most 999,999",
        specification: specification!("c-chunksize.foltl"),
        kinds: SEND_KINDS,
        breach: Breach::Once { before: 1, after: 1 },
        ..common(chunksize)
    },
    Generator {
        name: "c-chunksize-change",
        about: "A chunk size above 10,000 of a simulated connection is followed by one that is not",
        specification: specification!("c-chunksize-change.foltl"),
        kinds: SEND_KINDS,
        breach: Breach::Once { before: 1, after: 1 },
        ..common(chunksize_change)
    },
    Generator {
        name: "c-bandwidth",
        about: "The bandwidth of every simulated connection is at most 100,000",
        specification: specification!("c-bandwidth.foltl"),
        kinds: TRANSFER_KINDS,
        breach: Breach::Once { before: 1, after: 1 },
        ..common(bandwidth)
    },
    Generator {
        name: "c-bandwidth-change",
        about: "A bandwidth above 10,000 of a simulated connection is followed by one that is not",
        specification: specification!("c-bandwidth-change.foltl"),
        kinds: TRANSFER_KINDS,
        breach: Breach::Once { before: 1, after: 1 },
        ..common(bandwidth_change)
    },
    Generator {
        name: "c-files",
        about: "What a simulated process opens or accepts it closes",
        specification: specification!("c-files.foltl"),
        kinds: FILE_KINDS,
        ..common(files)
    },
];

fn chunksize(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&CHUNKSIZE, order, random)
}

fn chunksize_change(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&CHUNKSIZE_CHANGE, order, random)
}

fn bandwidth(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&BANDWIDTH, order, random)
}

fn bandwidth_change(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&BANDWIDTH_CHANGE, order, random)
}

fn files(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&FILES, order, random)
}

const CONNECT: usize = 0;
const MOVE_DATA: usize = 1;
const DISCONNECT: usize = 2;
const CONNECTION: (&str, Content) = ("connection", Content::Identity("connection"));
const BEGIN: Kind = Kind { name: "connect", fields: &[CONNECTION] };
const END: Kind = Kind { name: "disconnect", fields: &[CONNECTION] };
const SEND_KINDS: &[Kind] =
    &[BEGIN, Kind { name: "send", fields: &[CONNECTION, ("chunksize", Content::Quantity)] }, END];
const TRANSFER: &[(&str, Content)] =
    &[CONNECTION, ("size_in_bytes", Content::Quantity), ("duration", Content::Quantity)];
const TRANSFER_KINDS: &[Kind] = &[BEGIN, Kind { name: "transfer", fields: TRANSFER }, END];

/// What the chunk size and the bandwidth may be, and what they must come back to.
const MOST_CHUNKSIZE: u64 = 999_999;
const MOST_BANDWIDTH: u64 = 100_000;
const LOW: u64 = 10_000;
/// How many connections there are at a time.
const CROWD: u64 = 1000;

/// A number up to a limit; the limit itself, which a monitor gets wrong first, more often than by chance.
fn within(limit: u64, random: &mut Random) -> u64 {
    if random.one_in(16) { limit } else { random.up_to(limit) }
}

fn send(thing: &Thing, size: u64) -> Arguments {
    [thing.id(), size.cast_signed(), 0, 0]
}

/// Moves so many bytes a second, or one more than that in all, or any number up to it.
fn transfer(thing: &Thing, random: &mut Random, size: impl Fn(u64, &mut Random) -> u64) -> Arguments {
    let duration = random.up_to(20);
    [thing.id(), size(duration, random).cast_signed(), duration.cast_signed(), 0]
}

fn send_any(thing: &mut Thing, random: &mut Random) -> Arguments {
    send(thing, within(MOST_CHUNKSIZE, random))
}

fn send_low(thing: &mut Thing, random: &mut Random) -> Arguments {
    send(thing, within(LOW, random))
}

fn send_high(thing: &mut Thing, random: &mut Random) -> Arguments {
    send(thing, LOW + random.up_to(MOST_CHUNKSIZE - LOW))
}

fn send_too_much(thing: &mut Thing, random: &mut Random) -> Arguments {
    let excess = if random.one_in(2) { 1 } else { random.up_to(MOST_CHUNKSIZE) };
    send(thing, MOST_CHUNKSIZE + excess)
}

fn transfer_any(thing: &mut Thing, random: &mut Random) -> Arguments {
    transfer(thing, random, |duration, random| within(MOST_BANDWIDTH * duration, random))
}

fn transfer_low(thing: &mut Thing, random: &mut Random) -> Arguments {
    transfer(thing, random, |duration, random| within(LOW * duration, random))
}

fn transfer_high(thing: &mut Thing, random: &mut Random) -> Arguments {
    transfer(thing, random, |duration, random| (LOW + random.up_to(MOST_BANDWIDTH - LOW)) * duration)
}

fn transfer_too_much(thing: &mut Thing, random: &mut Random) -> Arguments {
    transfer(thing, random, |duration, random| MOST_BANDWIDTH * duration + random.up_to(2 * duration))
}

const CONNECTED: usize = 1;
const HIGH: usize = 2;
const UNBORN: State = free(&[step(CONNECT, CONNECTED, 1, own)]);

const CHUNKSIZE: Life = Life {
    states: &[UNBORN, free(&[step(MOVE_DATA, CONNECTED, 8, send_any), step(DISCONNECT, GONE, 1, own)])],
    crowd: CROWD,
    breach: &[(CONNECT, own), (MOVE_DATA, send_too_much), (DISCONNECT, own)],
};

const BANDWIDTH: Life = Life {
    states: &[UNBORN, free(&[step(MOVE_DATA, CONNECTED, 8, transfer_any), step(DISCONNECT, GONE, 1, own)])],
    crowd: CROWD,
    breach: &[(CONNECT, own), (MOVE_DATA, transfer_too_much), (DISCONNECT, own)],
};

const CHUNKSIZE_CHANGE: Life = Life {
    states: &[
        UNBORN,
        free(&[
            step(MOVE_DATA, CONNECTED, 4, send_low),
            step(MOVE_DATA, HIGH, 4, send_high),
            step(DISCONNECT, GONE, 1, own),
        ]),
        owing(1, &[step(MOVE_DATA, CONNECTED, 2, send_low), step(MOVE_DATA, HIGH, 1, send_high)]),
    ],
    crowd: CROWD,
    breach: &[(CONNECT, own), (MOVE_DATA, send_high), (DISCONNECT, own)],
};

const BANDWIDTH_CHANGE: Life = Life {
    states: &[
        UNBORN,
        free(&[
            step(MOVE_DATA, CONNECTED, 4, transfer_low),
            step(MOVE_DATA, HIGH, 4, transfer_high),
            step(DISCONNECT, GONE, 1, own),
        ]),
        owing(1, &[step(MOVE_DATA, CONNECTED, 2, transfer_low), step(MOVE_DATA, HIGH, 1, transfer_high)]),
    ],
    crowd: CROWD,
    breach: &[(CONNECT, own), (MOVE_DATA, transfer_high), (DISCONNECT, own)],
};

const OPEN: usize = 0;
const ACCEPT: usize = 1;
const READ: usize = 2;
const WRITE: usize = 3;
const CLOSE: usize = 4;
const OF_PROCESS: &[(&str, Content)] =
    &[("process", Content::Identity("process")), ("descriptor", Content::Identity("descriptor"))];
const FILE_KINDS: &[Kind] = &[
    Kind { name: "open", fields: OF_PROCESS },
    Kind { name: "accept", fields: OF_PROCESS },
    Kind { name: "read", fields: OF_PROCESS },
    Kind { name: "write", fields: OF_PROCESS },
    Kind { name: "close", fields: OF_PROCESS },
];
const PROCESSES: u64 = 50;
/// The descriptors of a process; the first three are taken by its standard streams.
const DESCRIPTORS: u64 = 1000;
const FIRST_DESCRIPTOR: u64 = 3;

/// A process and a descriptor of it, which comes round again after many others.
fn descriptor(thing: &mut Thing, _: &mut Random) -> Arguments {
    let process = 1 + thing.number % PROCESSES;
    let descriptor = FIRST_DESCRIPTOR + (thing.number / PROCESSES) % DESCRIPTORS;
    [process.cast_signed(), descriptor.cast_signed(), 0, 0]
}

/// A descriptor that nobody else ever opens or closes.
fn forgotten(thing: &mut Thing, random: &mut Random) -> Arguments {
    let [process, ..] = descriptor(thing, random);
    [process, (FIRST_DESCRIPTOR + DESCRIPTORS).cast_signed(), 0, 0]
}

const FILES: Life = Life {
    states: &[
        free(&[
            step(OPEN, 1, 3, descriptor),
            step(ACCEPT, 1, 1, descriptor),
            // To close what is not open does no harm; it fills a trace that has no room for more.
            step(CLOSE, GONE, 0, descriptor),
        ]),
        owing(1, &[step(CLOSE, GONE, 1, descriptor), step(READ, 1, 2, descriptor), step(WRITE, 1, 1, descriptor)]),
    ],
    crowd: CROWD,
    breach: &[(OPEN, forgotten)],
};
