//! Users withdraw money, each within what the last 28 days have left of the limit.
//!
//! A breach is a withdrawal that lifts a user's sum above the limit; the sum stays there, and so the policy stays broken for
//! that user at every point, until enough has left the window. Nobody withdraws twice at a point, since equal
//! withdrawals would be one.

use std::collections::VecDeque;

use super::clock::Clock;
use super::fields::AMOUNT;
use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const WITHDRAW: usize = 0;

pub(super) const KINDS: &[Kind] = &[Kind { name: "withdraw", fields: &[("u", Content::Identity("user")), AMOUNT] }];

const LIMIT: u64 = 10_000;
/// How long a withdrawal counts.
const WINDOW: u64 = 28;

struct Withdrawals {
    random: Random,
    clock: Clock,
    point: u64,
    users: Vec<User>,
    window: VecDeque<Withdrawal>,
    /// Users who come once only.
    visitors: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct User {
    /// What the window holds of theirs.
    sum: u64,
    /// The point of their last withdrawal.
    last: u64,
}

#[derive(Debug, Clone, Copy)]
struct Withdrawal {
    user: usize,
    amount: u64,
    time: u64,
}

pub(super) fn story(order: &Order, random: Random) -> Box<dyn Story> {
    let users = vec![User::default(); (order.live / 4 + 1) as usize];
    let clock = Clock::new(WINDOW + 1, order.live);
    Box::new(Withdrawals { random, clock, point: 0, users, window: VecDeque::new(), visitors: 0 })
}

impl Withdrawals {
    /// A user who may still withdraw something at this point, found by a few tries.
    fn candidate(&mut self) -> Option<usize> {
        let tries = (0..8).map(|_| self.random.index(self.users.len()));
        tries.into_iter().find(|&user| self.users[user].sum < LIMIT && self.users[user].last < self.point)
    }

    fn withdraw(&mut self, user: usize, amount: u64) -> Row {
        self.users[user].sum += amount;
        self.users[user].last = self.point;
        self.window.push_back(Withdrawal { user, amount, time: self.clock.now });
        Row::new(WITHDRAW, [user as u64 + 1, amount])
    }

    fn visit(&mut self, amount: u64) -> Row {
        self.visitors += 1;
        Row::new(WITHDRAW, [self.users.len() as u64 + self.visitors, amount])
    }
}

impl Story for Withdrawals {
    fn begin_point(&mut self) -> Option<u64> {
        self.point += 1;
        let now = self.clock.strike();
        while let Some(old) = self.window.pop_front_if(|withdrawal| withdrawal.time + WINDOW < now) {
            self.users[old.user].sum -= old.amount;
        }
        Some(now)
    }

    fn obey(&mut self, _: u64) -> Row {
        self.clock.rows += 1;
        match self.candidate() {
            Some(user) => {
                let amount = self.random.up_to((LIMIT - self.users[user].sum).min(LIMIT / 4));
                self.withdraw(user, amount)
            }
            None => {
                let amount = self.random.up_to(LIMIT);
                self.visit(amount)
            }
        }
    }

    fn breach(&mut self, _: u64) -> Row {
        self.clock.rows += 1;
        let excess = self.random.up_to(LIMIT / 10);
        match self.candidate() {
            Some(user) => self.withdraw(user, LIMIT - self.users[user].sum + excess),
            None => self.visit(LIMIT + excess),
        }
    }
}
