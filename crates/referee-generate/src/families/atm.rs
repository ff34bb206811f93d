//! The front end of a teller machine, as the SOLOIST team describes it: a process log of activities.
//!
//! ```text
//!  connect, ticket ─▶ log on, check access ─▶ balance | deposit | withdraw … ─▶ log off ─▶ log on … ─▶ disconnect
//! ```
//!
//! Every activity is an event with a time; an invocation is two, its start and its completion. A story knows where its
//! breach is to happen, and arranges the customers' requests so that the breach begins where one can: among requests, or
//! right after a log-on. Requests take four events or five, and assignments one, so any number of events can be filled.
//!
//! | log | generator | verdict | QP1 | QP2 | QP3 | QP4 |
//! |---|---|---|---|---|---|---|
//! | B1 | either | satisfied | holds | holds | holds | holds |
//! | B2, B3 | `atm-response` | violated | holds | violated | holds | violated |
//! | B4, B5 | `atm-withdraw` | violated | violated | holds | holds | holds |
//! | – | `atm-control` | violated | holds | holds | violated | holds |
//!
//! The authors' logs break three of their four properties; `atm-control` breaks the other one.

use std::collections::VecDeque;

use referee_spec::core::Language;
use referee_trace::format::Format;

use crate::generator::{Breach, Generator, Sizes};
use crate::order::{Order, Schedule};
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const WITHDRAWALS: usize = 4;
/// Four withdrawals of four events each, before the log-off that breaks the limit.
const BEFORE_LOGOFF: u64 = 16;
/// How long withdrawals count, and how many are allowed.
const WINDOW: u64 = 600;
const ALLOWED: usize = 3;
/// After so much time a customer logs off, so that access is checked often enough.
const PATIENCE: u64 = 300;

const COMMON: Generator = Generator {
    name: "",
    about: "",
    language: Language::Soloist,
    specification: specification!("atm.soloist"),
    events: 1_000_000,
    sizes: Sizes::ANY,
    format: Format::Xml,
    times: false,
    kinds: KINDS,
    breach: Breach::Once { before: BEFORE_LOGOFF, after: 0 },
    timed: None,
    story: withdrawing,
};

/// All of them.
pub(super) const ALL: &[Generator] = &[
    Generator {
        name: "atm-withdraw",
        about: "At most 3 withdrawals in the 10 minutes before a customer logs off",
        ..COMMON
    },
    Generator {
        name: "atm-response",
        about: "Access is checked within 10 seconds, and within 5 on average",
        breach: Breach::Once { before: 1, after: 0 },
        story: responding,
        ..COMMON
    },
    Generator {
        name: "atm-control",
        about: "Between two answers to a log-on, access was checked",
        breach: Breach::Once { before: 6, after: 0 },
        story: admitting,
        ..COMMON
    },
];

const TIME: (&str, Content) = ("Timestamp", Content::Quantity);
const EVENT_TYPE: (&str, Content) = ("EventType", Content::Word(&["start", "complete"]));

macro_rules! activity {
    ($name:literal, $type:literal) => {
        Kind { name: $name, fields: &[TIME, ("ActivityType", Content::Word(&[$type]))] }
    };
}

macro_rules! invocation {
    ($name:literal) => {
        Kind { name: $name, fields: &[TIME, EVENT_TYPE, ("ActivityType", Content::Word(&["Invocation"]))] }
    };
}

/// The activities; requests have theirs in a row: receive, invoke, reply.
const KINDS: &[Kind] = &[
    activity!("recvconnect", "Receive"),
    invocation!("invticket"),
    activity!("repconnect", "Reply"),
    activity!("recvlogon", "Receive"),
    invocation!("invcheckaccess"),
    activity!("replogon", "Reply"),
    activity!("recvlogoff", "Receive"),
    activity!("assnsession", "Assign"),
    activity!("recvgetbalance", "Receive"),
    invocation!("invgetbalance"),
    activity!("repgetbalance", "Reply"),
    activity!("recvdeposit", "Receive"),
    invocation!("invdeposit"),
    activity!("repdeposit", "Reply"),
    activity!("recvwithdraw", "Receive"),
    invocation!("invwithdraw"),
    activity!("repwithdraw", "Reply"),
];

const CONNECT: usize = 0;
const TICKET: usize = 1;
const CONNECTED: usize = 2;
const LOGON: usize = 3;
const CHECK: usize = 4;
const LOGGED_ON: usize = 5;
const LOGOFF: usize = 6;
const ASSIGN: usize = 7;
const BALANCE: usize = 8;
const DEPOSIT: usize = 11;
const WITHDRAW: usize = 14;

/// An event to come: its kind, whether it completes an invocation, and how much time passes before it.
#[derive(Debug, Clone, Copy)]
struct Step {
    kind: usize,
    complete: bool,
    wait: u64,
}

struct Teller {
    random: Random,
    now: u64,
    /// How many events have been told.
    told: u64,
    /// The number of the event with which the breach begins.
    breach: Option<u64>,
    /// What is to come before the customer makes another request.
    coming: VecDeque<Step>,
    /// What the breach consists of, and what must lead to it.
    breach_steps: Vec<Step>,
    lead: Vec<Step>,
    /// When access was last checked, and when money was last withdrawn.
    checked: u64,
    withdrawn: VecDeque<u64>,
}

fn withdrawing(order: &Order, random: Random) -> Box<dyn Story> {
    let mut teller = Teller::new(order, random);
    for _ in 0..WITHDRAWALS {
        let request = teller.request(WITHDRAW);
        teller.breach_steps.extend(request);
    }
    teller.breach_steps.push(Step { kind: LOGOFF, complete: false, wait: 2 });
    Box::new(teller)
}

fn responding(order: &Order, random: Random) -> Box<dyn Story> {
    let mut teller = Teller::new(order, random);
    teller.lead = vec![step(LOGOFF, 3), step(LOGON, 9)];
    // So long that no other check of access is in the window with it.
    let slow = 600 + teller.random.below(300);
    teller.breach_steps = vec![step(CHECK, 1), Step { kind: CHECK, complete: true, wait: slow }];
    Box::new(teller)
}

/// A customer logs on as one should, and off; then a log-on is answered that nobody has checked.
fn admitting(order: &Order, random: Random) -> Box<dyn Story> {
    let mut teller = Teller::new(order, random);
    teller.breach_steps = vec![
        step(LOGON, 3),
        step(CHECK, 1),
        Step { kind: CHECK, complete: true, wait: 2 },
        step(LOGGED_ON, 1),
        step(LOGOFF, 3),
        step(LOGON, 9),
        step(LOGGED_ON, 1),
    ];
    Box::new(teller)
}

fn step(kind: usize, wait: u64) -> Step {
    Step { kind, complete: false, wait }
}

impl Teller {
    fn new(order: &Order, random: Random) -> Teller {
        let breach = match order.schedule {
            Schedule::Once { first, .. } => Some(first),
            Schedule::Never | Schedule::Spread(_) => None,
        };
        let mut teller = Teller {
            random,
            now: 0,
            told: 0,
            breach,
            coming: VecDeque::new(),
            breach_steps: Vec::new(),
            lead: Vec::new(),
            checked: 0,
            withdrawn: VecDeque::new(),
        };
        teller.connect();
        teller
    }

    fn connect(&mut self) {
        let ticket = 1 + self.random.below(4);
        self.coming.extend([
            step(CONNECT, 1),
            step(TICKET, 1),
            Step { kind: TICKET, complete: true, wait: ticket },
            step(CONNECTED, 1),
        ]);
        self.log_on();
    }

    fn log_on(&mut self) {
        let (card, answer) = (2 + self.random.below(20), 1 + self.random.below(5));
        self.coming.extend([
            step(LOGON, card),
            step(CHECK, 1),
            Step { kind: CHECK, complete: true, wait: answer },
            step(LOGGED_ON, 1),
        ]);
    }

    /// The events of a request: what comes in, the invocation, the reply.
    fn request(&mut self, kind: usize) -> [Step; 4] {
        let (think, answer) = (1 + self.random.below(9), 1 + self.random.below(6));
        [step(kind, think), step(kind + 1, 1), Step { kind: kind + 1, complete: true, wait: answer }, step(kind + 2, 1)]
    }

    /// How many events there are before the breach must begin or the trace ends.
    fn room(&self, left: u64) -> u64 {
        match self.breach {
            Some(first) if first > self.told + 1 => first - self.told - 1,
            _ => left,
        }
    }

    /// What the customer does next, within so many events.
    fn decide(&mut self, room: u64) {
        let leads_to_breach = self.breach.is_some_and(|first| first > self.told + 1);
        let lead = if leads_to_breach { self.lead.len() as u64 } else { 0 };
        if lead > 0 && room == lead {
            return self.coming.extend(self.lead.iter());
        }
        match room.saturating_sub(lead) {
            0..5 => self.coming.push_back(step(ASSIGN, 1)),
            _ if self.now > self.checked + PATIENCE || self.random.one_in(7) => {
                self.coming.push_back(step(LOGOFF, 4));
                self.log_on();
            }
            _ => self.some_request(),
        }
    }

    fn some_request(&mut self) {
        while self.withdrawn.front().is_some_and(|time| time + WINDOW <= self.now) {
            self.withdrawn.pop_front();
        }
        let kind = match self.random.below(3) {
            0 => BALANCE,
            1 if self.withdrawn.len() < ALLOWED => WITHDRAW,
            _ => DEPOSIT,
        };
        let request = self.request(kind);
        self.coming.extend(request);
        if self.random.one_in(4) {
            self.coming.push_back(step(ASSIGN, 1));
        }
    }

    fn tell(&mut self, step: Step) -> Row {
        self.told += 1;
        self.now += step.wait;
        match (step.kind, step.complete) {
            (CHECK, false) => self.checked = self.now,
            (kind, _) if kind == WITHDRAW + 2 => self.withdrawn.push_back(self.now),
            _ => {}
        }
        match KINDS[step.kind].fields.len() {
            3 => Row::new(step.kind, [self.now, u64::from(step.complete), 0]),
            _ => Row::new(step.kind, [self.now, 0]),
        }
    }
}

impl Story for Teller {
    fn obey(&mut self, left: u64) -> Row {
        let room = self.room(left);
        let is_check = self.coming.front().is_some_and(|step| step.kind == CHECK && !step.complete);
        // A check of access that the trace or the breach would cut off is not begun.
        if is_check && room < 2 {
            return self.tell(step(ASSIGN, 1));
        }
        if self.coming.is_empty() {
            self.decide(room);
        }
        let next = self.coming.pop_front().unwrap_or(step(ASSIGN, 1));
        self.tell(next)
    }

    fn breach(&mut self, number: u64) -> Row {
        if number == 0 {
            self.coming.clear();
        }
        let mut coming = self.breach_steps.iter().skip(usize::try_from(number).unwrap_or(usize::MAX)).copied();
        let (next, is_last) = (coming.next().unwrap_or(step(ASSIGN, 1)), coming.next().is_none());
        match next.kind {
            CHECK if is_last => self.coming.push_back(step(LOGGED_ON, 1)),
            LOGOFF if is_last => self.log_on(),
            _ => {}
        }
        self.tell(next)
    }
}
