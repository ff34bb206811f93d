//! Reports are approved by a manager, wait for half of the window, and are published by the accountant.
//!
//! Now and then an accountant stops being one or changes the manager. All events of a point happen at once: who is touched by
//! such a change at a point does nothing else there, and the other way round.

use std::collections::VecDeque;

use super::clock::Clock;
use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const PUBLISH: usize = 0;
const APPROVE: usize = 1;
const ACCOUNTANT_STARTS: usize = 2;
const ACCOUNTANT_FINISHES: usize = 3;
const MANAGER_STARTS: usize = 4;
const MANAGER_FINISHES: usize = 5;

const ACCOUNTANT: (&str, Content) = ("a", Content::Identity("person"));
const MANAGER: (&str, Content) = ("m", Content::Identity("person"));
const REPORT: (&str, Content) = ("f", Content::Identity("report"));

pub(super) const KINDS: &[Kind] = &[
    Kind { name: "publish", fields: &[ACCOUNTANT, REPORT] },
    Kind { name: "approve", fields: &[MANAGER, REPORT] },
    Kind { name: "acc_S", fields: &[ACCOUNTANT] },
    Kind { name: "acc_F", fields: &[ACCOUNTANT] },
    Kind { name: "mgr_S", fields: &[MANAGER, ACCOUNTANT] },
    Kind { name: "mgr_F", fields: &[MANAGER, ACCOUNTANT] },
];

/// How old an approval may be.
const MOST_AGE: u64 = 10;

struct Approvals {
    random: Random,
    clock: Clock,
    point: u64,
    reports: u64,
    accountants: Vec<Accountant>,
    /// Approved reports and who is to publish them.
    approved: VecDeque<(u64, usize)>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Accountant {
    active: bool,
    manager: Option<u64>,
    /// The last point at which anything happened to them.
    last: u64,
}

pub(super) fn story(order: &Order, random: Random) -> Box<dyn Story> {
    let accountants = vec![Accountant::default(); (order.live / 10).clamp(1, 1000) as usize];
    let clock = Clock::new(MOST_AGE, order.live);
    Box::new(Approvals { random, clock, point: 0, reports: 0, accountants, approved: VecDeque::new() })
}

/// The number of an accountant; those of managers follow.
fn number(accountant: usize) -> u64 {
    accountant as u64 + 1
}

impl Approvals {
    /// Notes that something happens to an accountant; whether it is the first thing at this point.
    fn touch(&mut self, accountant: usize) -> bool {
        std::mem::replace(&mut self.accountants[accountant].last, self.point) < self.point
    }

    fn any_manager(&mut self) -> u64 {
        let accountants = self.accountants.len() as u64;
        accountants + self.random.up_to(accountants / 10 + 1)
    }

    fn new_report(&mut self) -> u64 {
        self.reports += 1;
        self.reports
    }

    /// Publishes the report that has waited long enough; before that its accountant may have to start again.
    fn publish(&mut self) -> Option<Row> {
        let &(report, accountant) = self.approved.front()?;
        if self.approved.len() as u64 <= self.clock.live / 2 {
            return None;
        }
        if self.accountants[accountant].active {
            self.touch(accountant);
            self.approved.pop_front();
            return Some(Row::new(PUBLISH, [number(accountant), report]));
        }
        self.start(accountant)
    }

    fn start(&mut self, accountant: usize) -> Option<Row> {
        self.touch(accountant).then(|| {
            self.accountants[accountant].active = true;
            Row::new(ACCOUNTANT_STARTS, [number(accountant)])
        })
    }

    /// Somebody stops being an accountant, or being a manager.
    fn change(&mut self) -> Option<Row> {
        let accountant = self.random.index(self.accountants.len());
        if !self.touch(accountant) {
            return None;
        }
        let found = &mut self.accountants[accountant];
        if self.random.one_in(2) {
            let manager = found.manager.take()?;
            return Some(Row::new(MANAGER_FINISHES, [manager, number(accountant)]));
        }
        std::mem::take(&mut found.active).then(|| Row::new(ACCOUNTANT_FINISHES, [number(accountant)]))
    }

    fn approve(&mut self) -> Row {
        let accountant = self.random.index(self.accountants.len());
        let untouched = self.touch(accountant);
        match self.accountants[accountant].manager {
            Some(manager) => {
                self.clock.rows += 1;
                let report = self.new_report();
                self.approved.push_back((report, accountant));
                Row::new(APPROVE, [manager, report])
            }
            None if untouched => {
                let manager = self.any_manager();
                self.accountants[accountant].manager = Some(manager);
                Row::new(MANAGER_STARTS, [manager, number(accountant)])
            }
            None => Row::new(APPROVE, [self.any_manager(), self.new_report()]),
        }
    }
}

impl Story for Approvals {
    fn begin_point(&mut self) -> Option<u64> {
        self.point += 1;
        Some(self.clock.strike())
    }

    fn obey(&mut self, _: u64) -> Row {
        let change = if self.random.one_in(32) { self.change() } else { None };
        change.or_else(|| self.publish()).unwrap_or_else(|| self.approve())
    }

    /// Somebody publishes what nobody approved, or without being an accountant.
    fn breach(&mut self, _: u64) -> Row {
        match self.approved.front().copied() {
            Some((report, accountant)) if !self.accountants[accountant].active => {
                self.touch(accountant);
                self.approved.pop_front();
                Row::new(PUBLISH, [number(accountant), report])
            }
            _ => {
                let accountant = self.random.index(self.accountants.len());
                Row::new(PUBLISH, [number(accountant), self.new_report()])
            }
        }
    }
}
