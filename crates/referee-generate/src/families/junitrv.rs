//! The properties of the jUnitRV team: a counter, requests, a critical section, and a moving object.

use referee_spec::core::Language;
use referee_trace::format::Format;

use super::obligations::{Obligations, Turn};
use crate::generator::{Breach, Generator, Sizes};
use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const COMMON: Generator = Generator {
    name: "",
    about: "",
    language: Language::Foltl,
    specification: "",
    events: 100_000,
    sizes: Sizes::ANY,
    format: Format::Csv,
    times: false,
    kinds: COUNTER_KINDS,
    breach: Breach::Once { before: 0, after: 0 },
    timed: None,
    story: counter,
};

/// All of them.
pub(super) const ALL: &[Generator] = &[
    Generator {
        name: "junitrv-counter",
        about: "A counter grows by one with every step",
        specification: specification!("junitrv-counter.foltl"),
        kinds: COUNTER_KINDS,
        breach: Breach::Once { before: 1, after: 0 },
        story: counter,
        ..COMMON
    },
    Generator {
        name: "junitrv-request",
        about: "Every request for a service gets a response from some provider",
        specification: specification!("junitrv-request.foltl"),
        kinds: REQUEST_KINDS,
        story: request,
        ..COMMON
    },
    Generator {
        name: "junitrv-locking",
        about: "The critical action is done under the lock, which one thread has at a time",
        specification: specification!("junitrv-locking.foltl"),
        kinds: LOCKING_KINDS,
        breach: Breach::Once { before: 2, after: 2 },
        story: locking,
        ..COMMON
    },
    Generator {
        name: "junitrv-velocity",
        about: "Between two observations an object stays slower than 10",
        specification: specification!("junitrv-velocity.foltl"),
        kinds: VELOCITY_KINDS,
        breach: Breach::Once { before: 1, after: 0 },
        story: velocity,
        ..COMMON
    },
];

const COUNTER_KINDS: &[Kind] = &[Kind { name: "step", fields: &[("counter", Content::Quantity)] }];

struct Counter {
    random: Random,
    value: u64,
}

fn counter(_: &Order, random: Random) -> Box<dyn Story> {
    Box::new(Counter { random, value: 0 })
}

impl Story for Counter {
    fn obey(&mut self, _: u64) -> Row {
        self.value += 1;
        Row::new(0, [self.value])
    }

    /// The counter stays, or leaves numbers out, and goes on from there.
    fn breach(&mut self, step: u64) -> Row {
        if step == 0 {
            return self.obey(0);
        }
        self.value += if self.random.one_in(2) { 0 } else { 1 + self.random.up_to(5) };
        Row::new(0, [self.value])
    }
}

const REQUEST: usize = 0;
const RESPOND: usize = 1;
const SERVICE: (&str, Content) = ("service", Content::Identity("service"));
const PROVIDER: (&str, Content) = ("provider", Content::Identity("provider"));
const REQUEST_KINDS: &[Kind] =
    &[Kind { name: "request", fields: &[SERVICE] }, Kind { name: "respond", fields: &[SERVICE, PROVIDER] }];
const PROVIDERS: u64 = 20;

struct Requests {
    random: Random,
    services: u64,
    open: Obligations<u64>,
}

fn request(order: &Order, random: Random) -> Box<dyn Story> {
    Box::new(Requests { random, services: (order.events / 10).clamp(1, 1000), open: Obligations::new(1000) })
}

impl Story for Requests {
    fn obey(&mut self, left: u64) -> Row {
        let turn = self.open.turn(left, &mut self.random);
        let any = self.random.up_to(self.services);
        if turn == Turn::Open {
            self.open.open(any);
            return Row::new(REQUEST, [any]);
        }
        let service = self.open.close(&mut self.random).unwrap_or(any);
        Row::new(RESPOND, [service, self.random.up_to(PROVIDERS)])
    }

    /// A service that nobody provides.
    fn breach(&mut self, _: u64) -> Row {
        Row::new(REQUEST, [self.services + 1])
    }
}

const RUN: usize = 0;
const LOCK_TRUE: usize = 1;
const ACTION: usize = 2;
const UNLOCK: usize = 3;
const ID: &[(&str, Content)] = &[("id", Content::Identity("thread"))];
const LOCKING_KINDS: &[Kind] = &[
    Kind { name: "run", fields: ID },
    Kind { name: "lockTrue", fields: ID },
    Kind { name: "action", fields: ID },
    Kind { name: "unlock", fields: ID },
];
const THREADS: u64 = 100;

/// Threads that enter a critical section one after the other.
struct Locking {
    random: Random,
    /// Who has the lock.
    holder: Option<u64>,
    /// How many threads have begun to run.
    running: u64,
}

fn locking(_: &Order, random: Random) -> Box<dyn Story> {
    Box::new(Locking { random, holder: None, running: 0 })
}

impl Locking {
    fn run(&mut self) -> Row {
        self.running = (self.running + 1).min(THREADS);
        Row::new(RUN, [self.running])
    }

    fn lock(&mut self) -> Row {
        let thread = self.random.up_to(self.running);
        self.holder = Some(thread);
        Row::new(LOCK_TRUE, [thread])
    }

    fn unlock(&mut self) -> Option<Row> {
        self.holder.take().map(|thread| Row::new(UNLOCK, [thread]))
    }
}

impl Story for Locking {
    fn obey(&mut self, _: u64) -> Row {
        match self.holder {
            Some(thread) if !self.random.one_in(4) => Row::new(ACTION, [thread]),
            Some(_) => self.unlock().unwrap_or_else(|| self.run()),
            None if self.running == 0 || self.running < THREADS && self.random.one_in(4) => self.run(),
            None => self.lock(),
        }
    }

    /// While one thread has the lock, a stranger gets it too or acts without it.
    fn breach(&mut self, step: u64) -> Row {
        let stranger = THREADS + 1;
        match step {
            0 => self.unlock().unwrap_or_else(|| self.run()),
            1 => self.lock(),
            2 => Row::new([LOCK_TRUE, ACTION][self.random.index(2)], [stranger]),
            3 => Row::new(UNLOCK, [stranger]),
            _ => self.unlock().unwrap_or_else(|| self.run()),
        }
    }
}

const VELOCITY_KINDS: &[Kind] =
    &[Kind { name: "step", fields: &[("pos", Content::Tenths), ("time", Content::Tenths)] }];
/// The velocity that is too high.
const MOST_VELOCITY: u64 = 10;

/// An object, observed from time to time; all in tenths.
struct Velocity {
    random: Random,
    position: i64,
    time: i64,
}

fn velocity(_: &Order, random: Random) -> Box<dyn Story> {
    Box::new(Velocity { random, position: 0, time: 0 })
}

impl Velocity {
    /// Lets time pass; how far the object would get with the forbidden velocity.
    fn wait(&mut self) -> u64 {
        let duration = self.random.up_to(20);
        self.time += duration.cast_signed();
        MOST_VELOCITY * duration
    }

    fn observe(&self) -> Row {
        Row::signed(0, [self.position, self.time])
    }
}

impl Story for Velocity {
    fn obey(&mut self, _: u64) -> Row {
        let bound = self.wait();
        let distance = self.random.below(bound).cast_signed();
        self.position += if self.random.one_in(4) { -distance } else { distance };
        self.observe()
    }

    fn breach(&mut self, step: u64) -> Row {
        if step == 0 {
            return self.obey(0);
        }
        let bound = self.wait();
        self.position += (bound + self.random.below(2 * bound)).cast_signed();
        self.observe()
    }
}
