//! Data are inserted into db2, wait for half of the window, and are inserted into db3.

use std::collections::VecDeque;

use super::clock::Clock;
use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const INSERT: usize = 0;

pub(super) const KINDS: &[Kind] = &[Kind {
    name: "insert",
    fields: &[
        ("u", Content::Identity("user")),
        ("db", Content::Word(&["db1", "db2", "db3"])),
        ("p", Content::Identity("participant")),
        ("d", Content::IdentityOr("data", "unknown")),
    ],
}];

const DB1: u64 = 0;
const DB2: u64 = 1;
const DB3: u64 = 2;
const UNKNOWN: u64 = 0;
/// How old an insertion into db2 may be.
const MOST_AGE: u64 = 60;

struct Insertions {
    random: Random,
    clock: Clock,
    data: u64,
    /// What is in db2 and not yet in db3.
    waiting: VecDeque<u64>,
    /// Something that was inserted into db2, and when: once that is too long ago it serves for a breach.
    aging: Option<(u64, u64)>,
}

pub(super) fn story(order: &Order, random: Random) -> Box<dyn Story> {
    let clock = Clock::new(MOST_AGE, order.live);
    Box::new(Insertions { random, clock, data: 0, waiting: VecDeque::new(), aging: None })
}

impl Insertions {
    fn insert(&mut self, database: u64, data: u64) -> Row {
        Row::new(INSERT, [self.random.up_to(10), database, self.random.up_to(200), data])
    }

    fn new_data(&mut self) -> u64 {
        self.data += 1;
        self.data
    }

    fn begin(&mut self) -> Row {
        let data = self.new_data();
        self.clock.rows += 1;
        self.waiting.push_back(data);
        self.aging.get_or_insert((data, self.clock.now));
        self.insert(DB2, data)
    }

    fn ripe(&mut self) -> Option<u64> {
        let enough = self.waiting.len() as u64 > self.clock.live / 2;
        if enough { self.waiting.pop_front() } else { None }
    }
}

impl Story for Insertions {
    fn begin_point(&mut self) -> Option<u64> {
        Some(self.clock.strike())
    }

    fn obey(&mut self, _: u64) -> Row {
        if let Some(data) = self.ripe() {
            return self.insert(DB3, data);
        }
        match self.random.below(8) {
            0 => self.insert(DB3, UNKNOWN),
            1 => {
                let data = self.new_data();
                self.insert(DB1, data)
            }
            _ => self.begin(),
        }
    }

    /// Something that was never in db2, or too long ago.
    fn breach(&mut self, _: u64) -> Row {
        let now = self.clock.now;
        let data = match self.aging.take_if(|(_, since)| *since + MOST_AGE < now) {
            Some((data, _)) => data,
            None => self.new_data(),
        };
        self.insert(DB3, data)
    }
}
