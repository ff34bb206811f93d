//! The properties of the RiTHM team: connections whose values stay small or become small again, and files that are closed.

use referee_spec::core::Language;
use referee_trace::format::Format;

use super::obligations::{Obligations, Turn};
use crate::generator::{Breach, Generator, Sizes};
use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const CONNECTION: (&str, Content) = ("connection", Content::Identity("connection"));
const CHUNK: &[Kind] = &[Kind { name: "chunk", fields: &[CONNECTION, ("chunksize", Content::Quantity)] }];
const TRANSFER: &[Kind] = &[Kind { name: "transfer", fields: &[CONNECTION, ("bandwidth", Content::Quantity)] }];

const COMMON: Generator = Generator {
    name: "",
    about: "",
    language: Language::Foltl,
    specification: "",
    events: 1_000_000,
    sizes: Sizes::ANY,
    format: Format::Csv,
    times: false,
    kinds: CHUNK,
    breach: Breach::Once { before: 0, after: 0 },
    timed: None,
    story: chunksize,
};

/// All of them.
pub(super) const ALL: &[Generator] = &[
    Generator {
        name: "rithm-chunksize",
        about: "The chunk size of every connection is at most 999,999",
        specification: specification!("rithm-chunksize.foltl"),
        story: chunksize,
        ..COMMON
    },
    Generator {
        name: "rithm-chunksize-change",
        about: "A chunk size above 10,000 is followed by one that is not",
        specification: specification!("rithm-chunksize-change.foltl"),
        breach: Breach::Once { before: 2, after: 0 },
        story: chunksize_change,
        ..COMMON
    },
    Generator {
        name: "rithm-bandwidth",
        about: "The bandwidth of every connection is at most 100,000",
        specification: specification!("rithm-bandwidth.foltl"),
        kinds: TRANSFER,
        story: bandwidth,
        ..COMMON
    },
    Generator {
        name: "rithm-bandwidth-change",
        about: "A bandwidth above 10,000 is followed by one that is not",
        specification: specification!("rithm-bandwidth-change.foltl"),
        kinds: TRANSFER,
        breach: Breach::Once { before: 2, after: 0 },
        story: bandwidth_change,
        ..COMMON
    },
    Generator {
        name: "rithm-files",
        about: "Files that a process opens and sockets that it accepts are closed by it",
        specification: specification!("rithm-files.foltl"),
        kinds: FILE_KINDS,
        story: files,
        ..COMMON
    },
];

/// What the chunk size and the bandwidth may be.
const MOST_CHUNKSIZE: u64 = 999_999;
const MOST_BANDWIDTH: u64 = 100_000;
/// What they must come back to.
const LOW: u64 = 10_000;

fn chunksize(order: &Order, random: Random) -> Box<dyn Story> {
    Box::new(Maximum { random, connections: connections(order), limit: MOST_CHUNKSIZE })
}

fn bandwidth(order: &Order, random: Random) -> Box<dyn Story> {
    Box::new(Maximum { random, connections: connections(order), limit: MOST_BANDWIDTH })
}

fn chunksize_change(order: &Order, random: Random) -> Box<dyn Story> {
    Box::new(Change::new(order, random, MOST_CHUNKSIZE))
}

fn bandwidth_change(order: &Order, random: Random) -> Box<dyn Story> {
    Box::new(Change::new(order, random, MOST_BANDWIDTH))
}

/// A connection has a hundred events or more.
fn connections(order: &Order) -> u64 {
    (order.events / 100).clamp(2, 1000)
}

/// Connections whose values stay below a limit.
struct Maximum {
    random: Random,
    connections: u64,
    limit: u64,
}

impl Story for Maximum {
    fn obey(&mut self, _: u64) -> Row {
        let connection = self.random.up_to(self.connections);
        // The limit itself is the case that a monitor gets wrong first.
        let value = if self.random.one_in(16) { self.limit } else { self.random.up_to(self.limit) };
        Row::new(0, [connection, value])
    }

    fn breach(&mut self, _: u64) -> Row {
        let excess = if self.random.one_in(2) { 1 } else { self.random.up_to(self.limit) };
        Row::new(0, [self.random.up_to(self.connections), self.limit + excess])
    }
}

/// Connections whose values become low again.
struct Change {
    random: Random,
    connections: u64,
    most: u64,
    /// Connections whose last value was high.
    high: Obligations<u64>,
}

impl Change {
    fn new(order: &Order, random: Random, most: u64) -> Change {
        let connections = connections(order);
        Change { random, connections, most, high: Obligations::new(connections as usize) }
    }

    fn high(&mut self, connection: u64) -> Row {
        Row::new(0, [connection, LOW + self.random.up_to(self.most - LOW)])
    }

    fn low(&mut self, connection: u64) -> Row {
        let value = if self.random.one_in(8) { LOW } else { self.random.up_to(LOW) };
        Row::new(0, [connection, value])
    }
}

impl Story for Change {
    fn obey(&mut self, left: u64) -> Row {
        let any = self.random.up_to(self.connections);
        match self.high.turn(left, &mut self.random) {
            Turn::Open => {
                self.high.open(any);
                self.high(any)
            }
            Turn::Close => {
                let connection = self.high.close(&mut self.random).unwrap_or(any);
                self.low(connection)
            }
            Turn::Idle => self.low(any),
        }
    }

    /// A connection of its own becomes high, low, and high for ever.
    fn breach(&mut self, step: u64) -> Row {
        match step {
            1 => self.low(self.connections + 1),
            _ => self.high(self.connections + 1),
        }
    }
}

const OPEN: usize = 0;
const ACCEPT: usize = 1;
const CLOSE: usize = 2;

const PROCESS: (&str, Content) = ("process", Content::Identity("process"));
const DESCRIPTOR: (&str, Content) = ("descriptor", Content::Identity("descriptor"));
const FILE_KINDS: &[Kind] = &[
    Kind { name: "open", fields: &[PROCESS, DESCRIPTOR] },
    Kind { name: "accept", fields: &[PROCESS, DESCRIPTOR] },
    Kind { name: "close", fields: &[PROCESS, DESCRIPTOR] },
];
const PROCESSES: u64 = 50;
/// The descriptors of a process; the first three are taken by its standard streams.
const DESCRIPTORS: u64 = 1000;
const FIRST_DESCRIPTOR: u64 = 3;

/// Processes that close what they open.
struct Files {
    random: Random,
    open: Obligations<(u64, u64)>,
}

fn files(_: &Order, random: Random) -> Box<dyn Story> {
    Box::new(Files { random, open: Obligations::new(1000) })
}

impl Files {
    fn kind(&mut self) -> usize {
        if self.random.one_in(4) { ACCEPT } else { OPEN }
    }
}

impl Story for Files {
    fn obey(&mut self, left: u64) -> Row {
        let turn = self.open.turn(left, &mut self.random);
        let any = (self.random.up_to(PROCESSES), FIRST_DESCRIPTOR + self.random.below(DESCRIPTORS));
        if turn == Turn::Open {
            self.open.open(any);
            return Row::new(self.kind(), [any.0, any.1]);
        }
        let (process, descriptor) = self.open.close(&mut self.random).unwrap_or(any);
        Row::new(CLOSE, [process, descriptor])
    }

    /// What nobody will close: no other descriptor has this number.
    fn breach(&mut self, _: u64) -> Row {
        Row::new(self.kind(), [self.random.up_to(PROCESSES), FIRST_DESCRIPTOR + DESCRIPTORS])
    }
}
