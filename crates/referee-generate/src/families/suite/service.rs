//! Tickets, questions, alarms, drugs and leases.

use std::num::NonZeroU64;

use super::pool::{Act, Actor, Scene};
use crate::story::{Content, Kind, Row};

const TICKET: (&str, Content) = ("ticket", Content::Identity("ticket"));
const OPEN: usize = 0;
const CLOSE: usize = 1;
const MERGE: usize = 2;
pub(super) const TICKET_KINDS: &[Kind] = &[
    Kind { name: "open", fields: &[TICKET] },
    Kind { name: "close", fields: &[TICKET] },
    Kind { name: "merge", fields: &[TICKET] },
];

/// A ticket: opened, closed or merged, perhaps opened again.
pub(super) struct Ticket {
    number: u64,
    open: bool,
}

impl Actor for Ticket {
    const MOST_DEBT: u64 = 1;

    fn new(number: u64) -> Self {
        Ticket { number, open: false }
    }

    fn debt(&self) -> u64 {
        u64::from(self.open)
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        if !self.open && !scene.settle {
            self.open = true;
            return Act::Stay(Row::new(OPEN, [self.number]));
        }
        self.open = false;
        match scene.random.below(4) {
            0 => Act::Leave(Row::new(MERGE, [self.number])),
            1 => Act::Stay(Row::new(CLOSE, [self.number])),
            _ => Act::Leave(Row::new(CLOSE, [self.number])),
        }
    }

    /// Never closed.
    fn breach(_: u64, number: u64) -> Row {
        Row::new(OPEN, [number])
    }
}

const ASK: usize = 0;
const ANSWER: usize = 1;
const SOLVE: usize = 2;
pub(super) const ANSWER_KINDS: &[Kind] = &[
    Kind { name: "ask", fields: &[TICKET] },
    Kind { name: "answer", fields: &[TICKET] },
    Kind { name: "solve", fields: &[TICKET] },
];

/// How long an answer may wait for the solution, and a question for the answer.
const ANSWER_AGE: u64 = 30;
const QUESTION_AGE: u64 = 60;

/// A question that is answered and solved, or asked again when that took too long.
pub(super) struct Question {
    number: u64,
    asked: Option<u64>,
    answered: Option<u64>,
}

impl Actor for Question {
    const TERM: Option<u64> = Some(60);

    fn new(number: u64) -> Self {
        Question { number, asked: None, answered: None }
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        let within = |time: Option<u64>, age| time.is_some_and(|time| scene.now - time <= age);
        if within(self.answered, ANSWER_AGE) && scene.random.one_in(2) {
            return Act::Leave(Row::new(SOLVE, [self.number]));
        }
        if within(self.asked, QUESTION_AGE) {
            self.answered = Some(scene.now);
            return Act::Stay(Row::new(ANSWER, [self.number]));
        }
        self.asked = Some(scene.now);
        Act::Stay(Row::new(ASK, [self.number]))
    }

    /// Solved without an answer.
    fn breach(step: u64, number: u64) -> Row {
        Row::new([ASK, SOLVE][step as usize % 2], [number])
    }
}

const ALARM: (&str, Content) = ("alarm", Content::Identity("alarm"));
const RAISE: usize = 0;
const SILENCE: usize = 1;
const ACKNOWLEDGE: usize = 2;
pub(super) const ALARM_KINDS: &[Kind] = &[
    Kind { name: "raise", fields: &[ALARM] },
    Kind { name: "silence", fields: &[ALARM] },
    Kind { name: "ack", fields: &[ALARM] },
];

/// An alarm: raised, acknowledged in time, then silenced.
pub(super) struct Alarm {
    number: u64,
    raised: bool,
    acknowledged: bool,
}

impl Actor for Alarm {
    const MOST_DEBT: u64 = 1;
    const TERM: Option<u64> = Some(10);

    fn new(number: u64) -> Self {
        Alarm { number, raised: false, acknowledged: false }
    }

    fn debt(&self) -> u64 {
        u64::from(self.raised && !self.acknowledged)
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        if self.acknowledged {
            return Act::Leave(Row::new(SILENCE, [self.number]));
        }
        if self.raised || scene.settle {
            self.acknowledged = true;
            return Act::Stay(Row::new(ACKNOWLEDGE, [self.number]));
        }
        self.raised = true;
        Act::Stay(Row::new(RAISE, [self.number]))
    }

    /// Silenced without having been acknowledged.
    fn breach(step: u64, number: u64) -> Row {
        Row::new([RAISE, SILENCE][step as usize % 2], [number])
    }
}

const PATIENT: (&str, Content) = ("patient", Content::Identity("patient"));
const DRUG: (&str, Content) = ("drug", Content::Identity("drug"));
const DOCTOR: (&str, Content) = ("doctor", Content::Identity("doctor"));
const PRESCRIBE: usize = 0;
const GIVE: usize = 1;
const DISCONTINUE: usize = 2;
pub(super) const DOSE_KINDS: &[Kind] = &[
    Kind { name: "prescribe", fields: &[DOCTOR, PATIENT, DRUG] },
    Kind { name: "give", fields: &[PATIENT, DRUG] },
    Kind { name: "discontinue", fields: &[PATIENT, DRUG] },
];

/// How long a prescription is valid, and how long a dose lasts.
const PRESCRIPTION: u64 = 24;
const DOSE: u64 = 4;

/// A patient who is given a drug.
pub(super) struct Patient {
    number: u64,
    prescribed: Option<NonZeroU64>,
    given: Option<NonZeroU64>,
}

impl Patient {
    /// A time, from 1: with nothing as 0, many patients fit into a small memory.
    fn noted(now: u64) -> Option<NonZeroU64> {
        NonZeroU64::new(now + 1)
    }

    /// How long ago something was noted.
    fn ago(noted: NonZeroU64, now: u64) -> u64 {
        now + 1 - noted.get()
    }

    fn drug(number: u64) -> u64 {
        number % 200 + 1
    }

    /// Whether a dose may be given: the last was at this very moment, or no longer lasts.
    fn may_be_given(&self, now: u64) -> bool {
        self.prescribed.is_some_and(|time| Patient::ago(time, now) <= PRESCRIPTION)
            && self.given.is_none_or(|time| Patient::ago(time, now) > DOSE)
    }
}

impl Actor for Patient {
    const TERM: Option<u64> = Some(12);

    fn new(number: u64) -> Self {
        Patient { number, prescribed: None, given: None }
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        let drug = Patient::drug(self.number);
        if self.may_be_given(scene.now) {
            if scene.random.one_in(6) {
                return Act::Leave(Row::new(DISCONTINUE, [self.number, drug]));
            }
            self.given = Patient::noted(scene.now);
            return Act::Stay(Row::new(GIVE, [self.number, drug]));
        }
        self.prescribed = Patient::noted(scene.now);
        Act::Stay(Row::new(PRESCRIBE, [scene.random.up_to(100), self.number, drug]))
    }

    /// Given after it was discontinued.
    fn breach(step: u64, number: u64) -> Row {
        match step {
            0 => Row::new(PRESCRIBE, [1, number, 1]),
            1 => Row::new(DISCONTINUE, [number, 1]),
            _ => Row::new(GIVE, [number, 1]),
        }
    }
}

const CUSTOMER: (&str, Content) = ("customer", Content::Identity("customer"));
const THING: (&str, Content) = ("thing", Content::Identity("thing"));
const STOCK: usize = 0;
const LEND: usize = 1;
const USE: usize = 2;
const RETURN: usize = 3;
const RECALL: usize = 4;
pub(super) const LEASE_KINDS: &[Kind] = &[
    Kind { name: "stock", fields: &[THING] },
    Kind { name: "lend", fields: &[CUSTOMER, THING] },
    Kind { name: "use", fields: &[CUSTOMER, THING] },
    Kind { name: "return", fields: &[CUSTOMER, THING] },
    Kind { name: "recall", fields: &[THING] },
];

/// A thing that is lent to one customer after the other while it is in stock.
pub(super) struct LentThing {
    number: u64,
    stocked: bool,
    customer: Option<u64>,
}

impl Actor for LentThing {
    fn new(number: u64) -> Self {
        LentThing { number, stocked: false, customer: None }
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        if !self.stocked {
            self.stocked = true;
            return Act::Stay(Row::new(STOCK, [self.number]));
        }
        if scene.random.one_in(12) {
            return Act::Leave(Row::new(RECALL, [self.number]));
        }
        match self.customer {
            None => {
                let customer = scene.random.up_to(2000);
                self.customer = Some(customer);
                Act::Stay(Row::new(LEND, [customer, self.number]))
            }
            Some(customer) if scene.random.one_in(4) => {
                self.customer = None;
                Act::Stay(Row::new(RETURN, [customer, self.number]))
            }
            Some(customer) => Act::Stay(Row::new(USE, [customer, self.number])),
        }
    }

    /// Used by another than the one it was lent to.
    fn breach(step: u64, number: u64) -> Row {
        match step {
            0 => Row::new(STOCK, [number]),
            1 => Row::new(LEND, [1, number]),
            _ => Row::new(USE, [2, number]),
        }
    }
}
