//! Transactions wait for their report, `live` of them at a time; the one that has waited longest is reported first.
//!
//! While `live` transactions come 4 days pass, and a point adds at most one more: every report is in time.

use std::collections::VecDeque;

use super::clock::Clock;
use super::fields::{AMOUNT, CUSTOMER, THRESHOLD, TRANSACTION};
use crate::order::Order;
use crate::random::Random;
use crate::story::{Kind, Row, Story};

const TRANSACT: usize = 0;
const REPORT: usize = 1;

pub(super) const KINDS: &[Kind] = &[
    Kind { name: "trans", fields: &[CUSTOMER, TRANSACTION, AMOUNT] },
    Kind { name: "report", fields: &[TRANSACTION] },
];

/// How long a report may take.
const DEADLINE: u64 = 5;

struct Reports {
    random: Random,
    clock: Clock,
    transactions: u64,
    waiting: VecDeque<u64>,
    /// Transactions whose report will be late, and when they came.
    late: VecDeque<(u64, u64)>,
}

pub(super) fn story(order: &Order, random: Random) -> Box<dyn Story> {
    let clock = Clock::new(DEADLINE - 1, order.live);
    Box::new(Reports { random, clock, transactions: 0, waiting: VecDeque::new(), late: VecDeque::new() })
}

impl Reports {
    fn transact(&mut self, amount: u64) -> Row {
        self.transactions += 1;
        Row::new(TRANSACT, [self.random.up_to(1000), self.transactions, amount])
    }

    fn small(&mut self) -> Row {
        let amount = self.random.up_to(THRESHOLD);
        self.transact(amount)
    }

    fn large(&mut self) -> Row {
        let amount = THRESHOLD + self.random.up_to(THRESHOLD);
        self.transact(amount)
    }

    fn overdue(&mut self) -> Option<Row> {
        let (transaction, _) = self.late.pop_front_if(|(_, came)| *came + DEADLINE < self.clock.now)?;
        Some(Row::new(REPORT, [transaction]))
    }

    fn report(&mut self) -> Option<Row> {
        self.waiting.pop_front().map(|transaction| Row::new(REPORT, [transaction]))
    }

    fn begin(&mut self, left: u64) -> Row {
        if self.waiting.len() as u64 + 2 > left || self.random.one_in(4) {
            return self.small();
        }
        let row = self.large();
        self.clock.rows += 1;
        self.waiting.push_back(self.transactions);
        row
    }
}

impl Story for Reports {
    fn begin_point(&mut self) -> Option<u64> {
        Some(self.clock.strike())
    }

    fn obey(&mut self, left: u64) -> Row {
        let waiting = self.waiting.len() as u64;
        let next = match waiting >= left || waiting >= self.clock.live {
            true => self.report(),
            false => self.overdue(),
        };
        next.unwrap_or_else(|| self.begin(left))
    }

    /// A transaction that is reported too late or never.
    fn breach(&mut self, _: u64) -> Row {
        let row = self.large();
        if self.random.one_in(2) {
            self.late.push_back((self.transactions, self.clock.now));
        }
        row
    }
}
