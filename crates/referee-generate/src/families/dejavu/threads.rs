//! Threads and locks: three properties.
//!
//! | | a thread's block | at the end |
//! |---|---|---|
//! | locking, deadlock | takes three locks, gives two of them back | gives the first one back (and sleeps) |
//! | datarace | takes twenty locks, gives all but the common one back, reads and writes, gives that one back | – |
//!
//! Every thread takes its locks in ascending order, and the locks of one thread overlap with those of the next.

use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const ACQUIRE: usize = 0;
const RELEASE: usize = 1;
const SLEEP: usize = 2;
const READ: usize = 2;
const WRITE: usize = 3;

const THREAD: (&str, Content) = ("thread", Content::Identity("thread"));
const LOCK: (&str, Content) = ("lock", Content::Identity("lock"));
const VARIABLE: (&str, Content) = ("variable", Content::Identity("variable"));
const TAKE: Kind = Kind { name: "acq", fields: &[THREAD, LOCK] };
const GIVE: Kind = Kind { name: "rel", fields: &[THREAD, LOCK] };

pub(super) const LOCKING_KINDS: &[Kind] = &[TAKE, GIVE, Kind { name: "sleep", fields: &[THREAD] }];
pub(super) const DEADLOCK_KINDS: &[Kind] = &[TAKE, GIVE];
pub(super) const DATARACE_KINDS: &[Kind] = &[
    TAKE,
    GIVE,
    Kind { name: "read", fields: &[THREAD, VARIABLE] },
    Kind { name: "write", fields: &[THREAD, VARIABLE] },
];

/// The events of a block in which a thread takes three locks and keeps one.
const BLOCK: u64 = 5;

/// Threads that take three locks each and keep the first until all have come.
struct Blocks {
    threads: u64,
    told: u64,
}

impl Blocks {
    /// The next event, or which one it is after all blocks and their last releases.
    fn next(&mut self) -> Result<Row, u64> {
        let event = self.told;
        self.told += 1;
        let (thread, place) = (event / BLOCK + 1, event % BLOCK);
        if thread > self.threads {
            let released = event - self.threads * BLOCK + 1;
            return match released <= self.threads {
                true => Ok(Row::new(RELEASE, [released, released])),
                false => Err(released - self.threads - 1),
            };
        }
        Ok(match place {
            0..=2 => Row::new(ACQUIRE, [thread, thread + place]),
            _ => Row::new(RELEASE, [thread, thread + BLOCK - place]),
        })
    }

    /// Somebody who holds a lock now, if anybody does.
    fn holder(&self, random: &mut Random) -> Option<u64> {
        let begun = self.told.div_ceil(BLOCK).min(self.threads);
        let released = self.told.saturating_sub(self.threads * BLOCK).min(self.threads);
        (begun > released).then(|| released + random.up_to(begun - released))
    }
}

struct Locking {
    random: Random,
    blocks: Blocks,
}

/// Nearly all events belong to blocks; a hundredth is left for sleep.
pub(super) fn locking(order: &Order, random: Random) -> Box<dyn Story> {
    let threads = (order.obeying - order.obeying / 100) / (BLOCK + 1);
    Box::new(Locking { random, blocks: Blocks { threads, told: 0 } })
}

impl Story for Locking {
    fn obey(&mut self, _: u64) -> Row {
        let threads = self.blocks.threads.max(1);
        self.blocks.next().unwrap_or_else(|after| Row::new(SLEEP, [after % threads + 1]))
    }

    /// Somebody sleeps with a lock in hand, or gives back a lock that nobody ever had.
    fn breach(&mut self, _: u64) -> Row {
        match self.blocks.holder(&mut self.random) {
            Some(thread) if self.random.one_in(2) => Row::new(SLEEP, [thread]),
            Some(thread) => Row::new(RELEASE, [thread, self.blocks.threads + BLOCK]),
            None => Row::new(RELEASE, [1, self.blocks.threads + BLOCK]),
        }
    }
}

struct Deadlock {
    blocks: Blocks,
}

pub(super) fn deadlock(order: &Order, _: Random) -> Box<dyn Story> {
    Box::new(Deadlock { blocks: Blocks { threads: order.obeying / (BLOCK + 1), told: 0 } })
}

impl Story for Deadlock {
    fn obey(&mut self, _: u64) -> Row {
        let (thread, lock) = (self.blocks.threads + 1, self.blocks.threads + BLOCK);
        self.blocks.next().unwrap_or_else(|after| Row::new([ACQUIRE, RELEASE][(after % 2) as usize], [thread, lock]))
    }

    /// Two threads of their own take two locks of their own in both orders.
    fn breach(&mut self, step: u64) -> Row {
        let (thread, lock) = (self.blocks.threads + 2, self.blocks.threads + BLOCK + 1);
        match step {
            0 => Row::new(ACQUIRE, [thread, lock]),
            1 => Row::new(ACQUIRE, [thread, lock + 1]),
            2 => Row::new(RELEASE, [thread, lock + 1]),
            3 => Row::new(RELEASE, [thread, lock]),
            4 => Row::new(ACQUIRE, [thread + 1, lock + 1]),
            5 => Row::new(ACQUIRE, [thread + 1, lock]),
            6 => Row::new(RELEASE, [thread + 1, lock]),
            _ => Row::new(RELEASE, [thread + 1, lock + 1]),
        }
    }
}

/// How many locks a thread takes before it uses variables.
const LOCKS: u64 = 20;
/// How often a thread reads and writes.
const USES: u64 = 10;
/// All events of such a thread.
const RACE_BLOCK: u64 = LOCKS + (LOCKS - 1) + 2 * USES + 1;

struct DataRace {
    random: Random,
    told: u64,
    /// The threads that have room for a whole block.
    threads: u64,
    variables: u64,
    variable: u64,
}

pub(super) fn datarace(order: &Order, random: Random) -> Box<dyn Story> {
    let threads = order.obeying / RACE_BLOCK;
    Box::new(DataRace { random, told: 0, threads, variables: (threads * USES / 4).max(1), variable: 0 })
}

impl DataRace {
    fn block(&mut self, thread: u64, place: u64) -> Row {
        const RELEASES: u64 = LOCKS + LOCKS - 1;
        const ALL_USES: u64 = RELEASES + 2 * USES;
        match place {
            0..LOCKS => Row::new(ACQUIRE, [thread, place + 1]),
            LOCKS..RELEASES => Row::new(RELEASE, [thread, RELEASES + 1 - place]),
            RELEASES..ALL_USES if (place - RELEASES).is_multiple_of(2) => {
                self.variable = self.random.up_to(self.variables);
                Row::new(READ, [thread, self.variable])
            }
            RELEASES..ALL_USES => Row::new(WRITE, [thread, self.variable]),
            _ => Row::new(RELEASE, [thread, 1]),
        }
    }
}

impl Story for DataRace {
    fn obey(&mut self, _: u64) -> Row {
        let (thread, place) = (self.told / RACE_BLOCK + 1, self.told % RACE_BLOCK);
        self.told += 1;
        match thread <= self.threads {
            true => self.block(thread, place),
            false => Row::new([ACQUIRE, RELEASE][(place % 2) as usize], [thread, 1]),
        }
    }

    /// Two threads of their own use a variable of their own under different locks.
    fn breach(&mut self, step: u64) -> Row {
        let (thread, lock, variable) = (self.threads + 2, LOCKS + 1, self.variables + 1);
        match step {
            0 => Row::new(ACQUIRE, [thread, lock]),
            1 => Row::new(READ, [thread, variable]),
            2 => Row::new(RELEASE, [thread, lock]),
            3 => Row::new(ACQUIRE, [thread + 1, lock + 1]),
            4 => Row::new(WRITE, [thread + 1, variable]),
            _ => Row::new(RELEASE, [thread + 1, lock + 1]),
        }
    }
}
