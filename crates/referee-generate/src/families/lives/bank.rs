//! The financial transaction system of the LARVA team: users, accounts, and the system itself.

use super::life::{Arguments, GONE, Life, Lives, Thing, common, free, own, step};
use crate::generator::{Breach, Generator};
use crate::order::{Order, Schedule};
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

/// All of them.
pub(super) const ALL: &[Generator] = &[
    Generator {
        name: "larva-gold",
        about: "Only users from Argentina become gold users",
        specification: specification!("larva-gold.foltl"),
        kinds: GOLD_KINDS,
        ..common(gold)
    },
    Generator {
        name: "larva-initialised",
        about: "Nobody opens a session before the system is initialised",
        specification: specification!("larva-initialised.foltl"),
        kinds: SYSTEM_KINDS,
        ..common(system)
    },
    Generator {
        name: "larva-balance",
        about: "No account has a negative balance",
        specification: specification!("larva-balance.foltl"),
        kinds: BALANCE_KINDS,
        breach: Breach::Once { before: 1, after: 0 },
        ..common(balance)
    },
    Generator {
        name: "larva-accounts",
        about: "No two accounts have one number",
        specification: specification!("larva-accounts.foltl"),
        kinds: ACCOUNT_KINDS,
        breach: Breach::Once { before: 1, after: 0 },
        ..common(accounts)
    },
    Generator {
        name: "larva-reactivation",
        about: "Who is disabled withdraws nothing until he is active again",
        specification: specification!("larva-reactivation.foltl"),
        kinds: REACTIVATION_KINDS,
        breach: Breach::Once { before: 1, after: 0 },
        ..common(reactivation)
    },
];

pub(super) fn gold(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&GOLD, order, random)
}

fn balance(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&BALANCE, order, random)
}

fn accounts(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&ACCOUNTS, order, random)
}

fn reactivation(order: &Order, random: Random) -> Box<dyn Story> {
    Lives::story(&REACTIVATION, order, random)
}

const USER: (&str, Content) = ("user", Content::Identity("user"));
/// How many users and accounts there are.
const CROWD: u64 = 1000;

const GOLD_USER: usize = 0;
const SILVER_USER: usize = 1;
const NORMAL_USER: usize = 2;
/// The country of gold users comes first.
const COUNTRIES: &[&str] = &["Argentina", "Italy", "Malta", "Peru", "Spain", "Sweden"];
const COUNTRY: (&str, Content) = ("country", Content::Word(COUNTRIES));
const GOLD_KINDS: &[Kind] = &[
    Kind { name: "makeGoldUser", fields: &[USER, COUNTRY] },
    Kind { name: "makeSilverUser", fields: &[USER, COUNTRY] },
    Kind { name: "makeNormalUser", fields: &[USER, COUNTRY] },
];

fn from_anywhere(thing: &mut Thing, random: &mut Random) -> Arguments {
    [thing.id(), random.below(COUNTRIES.len() as u64).cast_signed(), 0, 0]
}

fn from_argentina(thing: &mut Thing, _: &mut Random) -> Arguments {
    [thing.id(), 0, 0, 0]
}

fn from_elsewhere(thing: &mut Thing, random: &mut Random) -> Arguments {
    [thing.id(), random.up_to(COUNTRIES.len() as u64 - 1).cast_signed(), 0, 0]
}

const GOLD: Life = Life {
    states: &[free(&[
        step(GOLD_USER, 0, 1, from_argentina),
        step(SILVER_USER, 0, 1, from_anywhere),
        step(NORMAL_USER, 0, 6, from_anywhere),
    ])],
    crowd: CROWD,
    breach: &[(GOLD_USER, from_elsewhere)],
};

const WITHDRAW: usize = 0;
const DEPOSIT: usize = 1;
const MOVEMENT: &[(&str, Content)] =
    &[("account", Content::Identity("account")), ("amount", Content::Quantity), ("balance", Content::Quantity)];
const BALANCE_KINDS: &[Kind] =
    &[Kind { name: "withdraw", fields: MOVEMENT }, Kind { name: "deposit", fields: MOVEMENT }];

/// Moves an amount; the account remembers its balance.
fn moved(thing: &mut Thing, amount: u64, sign: i64) -> Arguments {
    let amount = amount.cast_signed();
    thing.memory[0] += sign * amount;
    [thing.id(), amount, thing.memory[0], 0]
}

fn deposit(thing: &mut Thing, random: &mut Random) -> Arguments {
    moved(thing, random.up_to(500), 1)
}

fn withdraw(thing: &mut Thing, random: &mut Random) -> Arguments {
    let balance = thing.memory[0].cast_unsigned();
    // Nothing at all may be left.
    let amount = if random.one_in(8) { balance } else { random.below(balance + 1) };
    moved(thing, amount, -1)
}

fn overdraw(thing: &mut Thing, random: &mut Random) -> Arguments {
    let excess = if random.one_in(2) { 1 } else { random.up_to(500) };
    moved(thing, thing.memory[0].cast_unsigned() + excess, -1)
}

const BALANCE: Life = Life {
    states: &[free(&[step(DEPOSIT, 0, 1, deposit), step(WITHDRAW, 0, 1, withdraw)])],
    crowd: CROWD,
    breach: &[(DEPOSIT, deposit), (WITHDRAW, overdraw)],
};

const APPROVE: usize = 0;
const ACCOUNT_KINDS: &[Kind] =
    &[Kind { name: "approveOpenAccount", fields: &[USER, ("number", Content::Identity("account"))] }];

fn approve(thing: &mut Thing, random: &mut Random) -> Arguments {
    [random.up_to(CROWD).cast_signed(), thing.id(), 0, 0]
}

const ACCOUNTS: Life = Life {
    states: &[free(&[step(APPROVE, GONE, 1, approve)])],
    crowd: 16,
    breach: &[(APPROVE, approve), (APPROVE, approve)],
};

const DISABLE: usize = 0;
const ACTIVATE: usize = 1;
const WITHDRAW_FROM: usize = 2;
const REACTIVATION_KINDS: &[Kind] = &[
    Kind { name: "makeDisabled", fields: &[USER] },
    Kind { name: "makeActive", fields: &[USER] },
    Kind { name: "withdrawFrom", fields: &[USER] },
];
const ACTIVE: usize = 0;
const DISABLED: usize = 1;

const REACTIVATION: Life = Life {
    states: &[
        free(&[step(WITHDRAW_FROM, ACTIVE, 6, own), step(DISABLE, DISABLED, 2, own), step(ACTIVATE, ACTIVE, 1, own)]),
        free(&[step(ACTIVATE, ACTIVE, 2, own), step(DISABLE, DISABLED, 1, own)]),
    ],
    crowd: CROWD,
    breach: &[(DISABLE, own), (WITHDRAW_FROM, own)],
};

const INITIALISE: usize = 0;
const OPEN_SESSION: usize = 1;
const ADD_USER: usize = 2;
const REPORT: usize = 3;
const SYSTEM_KINDS: &[Kind] = &[
    Kind { name: "initialise", fields: &[] },
    Kind { name: "openSession", fields: &[USER] },
    Kind { name: "addUser", fields: &[USER] },
    Kind { name: "report", fields: &[USER] },
];

/// A system that is initialised once, and is broken only before that: so a trace that breaks late is idle until then.
struct System {
    random: Random,
    ready: bool,
    /// Whether the session that comes too early is still to come.
    waits: bool,
    users: u64,
}

fn system(order: &Order, random: Random) -> Box<dyn Story> {
    Box::new(System { random, ready: false, waits: order.schedule != Schedule::Never, users: 0 })
}

impl Story for System {
    fn obey(&mut self, _: u64) -> Row {
        let user = self.random.up_to(self.users.max(1));
        let may_begin = !self.ready && !self.waits && self.users > 0;
        match self.random.below(8) {
            _ if self.users == 0 => self.add_user(),
            0 if self.users < CROWD => self.add_user(),
            1 | 2 => Row::new(REPORT, [user]),
            _ if may_begin => {
                self.ready = true;
                Row::new(INITIALISE, [])
            }
            _ if self.ready => Row::new(OPEN_SESSION, [user]),
            _ => Row::new(REPORT, [user]),
        }
    }

    fn breach(&mut self, _: u64) -> Row {
        self.waits = false;
        let user = self.random.up_to(self.users.max(1));
        Row::new(OPEN_SESSION, [user])
    }
}

impl System {
    fn add_user(&mut self) -> Row {
        self.users += 1;
        Row::new(ADD_USER, [self.users])
    }
}
