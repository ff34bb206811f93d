//! Transactions are authorised, wait for half of the window, and take place.
//!
//! While `live` authorisations come 20 days pass. An authorisation is used as soon as it is 10 days old: before anything else,
//! and time stands still until all of that age are used, so none gets too old.

use std::collections::VecDeque;

use super::clock::Clock;
use super::fields::{AMOUNT, CUSTOMER, THRESHOLD, TRANSACTION};
use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const TRANSACT: usize = 0;
const AUTHORISE: usize = 1;

pub(super) const KINDS: &[Kind] = &[
    Kind { name: "trans", fields: &[CUSTOMER, TRANSACTION, AMOUNT] },
    Kind { name: "auth", fields: &[("e", Content::Identity("employee")), TRANSACTION] },
];

/// How old an authorisation must be, and may be.
const LEAST_AGE: u64 = 2;
const MOST_AGE: u64 = 20;

struct Authorisations {
    random: Random,
    clock: Clock,
    transactions: u64,
    /// Authorised transactions and when that was.
    authorised: VecDeque<(u64, u64)>,
}

pub(super) fn story(order: &Order, random: Random) -> Box<dyn Story> {
    let clock = Clock::new(MOST_AGE, order.live);
    Box::new(Authorisations { random, clock, transactions: 0, authorised: VecDeque::new() })
}

impl Authorisations {
    fn transact(&mut self, transaction: u64, amount: u64) -> Row {
        Row::new(TRANSACT, [self.random.up_to(1000), transaction, amount])
    }

    fn large(&mut self, transaction: u64) -> Row {
        let amount = THRESHOLD + self.random.up_to(THRESHOLD);
        self.transact(transaction, amount)
    }

    fn small(&mut self) -> Row {
        self.transactions += 1;
        let amount = self.random.up_to(THRESHOLD);
        self.transact(self.transactions, amount)
    }

    fn authorise(&mut self) -> Row {
        self.transactions += 1;
        self.clock.rows += 1;
        self.authorised.push_back((self.transactions, self.clock.now));
        Row::new(AUTHORISE, [self.random.up_to(100), self.transactions])
    }

    fn ripe(&mut self) -> Option<u64> {
        let now = self.clock.now;
        let oldest = self.authorised.pop_front_if(|(_, since)| *since + MOST_AGE / 2 <= now);
        oldest.map(|(transaction, _)| transaction)
    }
}

impl Story for Authorisations {
    fn begin_point(&mut self) -> Option<u64> {
        Some(self.clock.strike())
    }

    fn obey(&mut self, _: u64) -> Row {
        match self.ripe() {
            Some(transaction) => self.large(transaction),
            None if self.random.one_in(4) => self.small(),
            None => self.authorise(),
        }
    }

    /// A transaction that nobody authorised, or that was authorised too shortly before.
    fn breach(&mut self, _: u64) -> Row {
        let now = self.clock.now;
        let fresh = match self.random.one_in(2) {
            true => self.authorised.pop_back_if(|(_, since)| *since + LEAST_AGE > now),
            false => None,
        };
        let transaction = fresh.map(|(transaction, _)| transaction).unwrap_or_else(|| {
            self.transactions += 1;
            self.transactions
        });
        self.large(transaction)
    }
}
