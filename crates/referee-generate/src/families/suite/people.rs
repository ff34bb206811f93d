//! Sessions, administrators, workers and ballots.

use super::pool::{Act, Actor, Scene};
use crate::story::{Content, Kind, Row};

const USER: (&str, Content) = ("user", Content::Identity("user"));
const SESSION: (&str, Content) = ("session", Content::Identity("session"));
const START: usize = 0;
const STOP: usize = 1;
const KILL: usize = 2;
pub(super) const SESSION_KINDS: &[Kind] = &[
    Kind { name: "start", fields: &[USER, SESSION] },
    Kind { name: "stop", fields: &[USER, SESSION] },
    Kind { name: "kill", fields: &[USER] },
];

/// The sessions that a user has at most.
const SESSIONS: u64 = 8;

/// A user with one session after the other.
pub(super) struct User {
    number: u64,
    sessions: u64,
    active: bool,
}

impl User {
    fn session(number: u64, which: u64) -> u64 {
        number * SESSIONS + which
    }
}

impl Actor for User {
    fn new(number: u64) -> Self {
        User { number, sessions: 0, active: false }
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        let session = User::session(self.number, self.sessions);
        self.active = !self.active;
        if self.active {
            return Act::Stay(Row::new(START, [self.number, session]));
        }
        self.sessions += 1;
        let row = match scene.random.one_in(4) {
            true => Row::new(KILL, [self.number]),
            false => Row::new(STOP, [self.number, session]),
        };
        if self.sessions == SESSIONS { Act::Leave(row) } else { Act::Stay(row) }
    }

    /// A second session while the first goes on.
    fn breach(step: u64, number: u64) -> Row {
        match step {
            0 => Row::new(START, [number, User::session(number, 0)]),
            1 => Row::new(START, [number, User::session(number, 1)]),
            _ => Row::new(KILL, [number]),
        }
    }
}

const ADMIN: usize = 0;
const REMOVE: usize = 1;
const AUDIT: usize = 2;
pub(super) const AUDIT_KINDS: &[Kind] = &[
    Kind { name: "admin", fields: &[USER] },
    Kind { name: "remove", fields: &[USER] },
    Kind { name: "audit", fields: &[USER] },
];

/// Somebody who may become an administrator, and is removed.
pub(super) struct Member {
    number: u64,
    admin: bool,
    removed: bool,
}

impl Actor for Member {
    const MOST_DEBT: u64 = 1;

    fn new(number: u64) -> Self {
        Member { number, admin: false, removed: false }
    }

    fn debt(&self) -> u64 {
        u64::from(self.admin && self.removed)
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        if self.removed || scene.settle {
            self.removed = false;
            return Act::Leave(Row::new(AUDIT, [self.number]));
        }
        if !self.admin && scene.random.one_in(2) {
            self.admin = true;
            return Act::Stay(Row::new(ADMIN, [self.number]));
        }
        match self.admin {
            true => {
                self.removed = true;
                Act::Stay(Row::new(REMOVE, [self.number]))
            }
            false => Act::Leave(Row::new(REMOVE, [self.number])),
        }
    }

    /// An administrator is removed and never audited.
    fn breach(step: u64, number: u64) -> Row {
        Row::new([ADMIN, REMOVE][step as usize % 2], [number])
    }
}

const WORKER: (&str, Content) = ("worker", Content::Identity("worker"));
const MACHINE: (&str, Content) = ("machine", Content::Identity("machine"));
const JOIN: usize = 0;
const LEAVE: usize = 1;
const ASSIGN: usize = 2;
const WITHDRAW: usize = 3;
pub(super) const SHIFT_KINDS: &[Kind] = &[
    Kind { name: "join", fields: &[WORKER] },
    Kind { name: "leave", fields: &[WORKER] },
    Kind { name: "assign", fields: &[WORKER, MACHINE] },
    Kind { name: "withdraw", fields: &[WORKER, MACHINE] },
];

/// A worker who comes and goes, and is assigned to machines even when absent.
pub(super) struct Worker {
    number: u64,
    present: bool,
    /// The machine assigned in absence.
    mistake: Option<u64>,
}

impl Actor for Worker {
    const MOST_DEBT: u64 = 1;
    const TERM: Option<u64> = Some(20);

    fn new(number: u64) -> Self {
        Worker { number, present: false, mistake: None }
    }

    fn debt(&self) -> u64 {
        u64::from(self.mistake.is_some())
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        if let Some(machine) = self.mistake.take() {
            return Act::Stay(Row::new(WITHDRAW, [self.number, machine]));
        }
        if scene.settle {
            self.present = false;
            return Act::Stay(Row::new(LEAVE, [self.number]));
        }
        let machine = scene.random.up_to(1000);
        match (self.present, scene.random.below(8)) {
            (true, 0) => Act::Leave(Row::new(LEAVE, [self.number])),
            (false, 1..) => {
                self.present = true;
                Act::Stay(Row::new(JOIN, [self.number]))
            }
            (present, _) => {
                self.mistake = (!present).then_some(machine);
                Act::Stay(Row::new(ASSIGN, [self.number, machine]))
            }
        }
    }

    /// Assigned in absence for good.
    fn breach(_: u64, number: u64) -> Row {
        Row::new(ASSIGN, [number, 1])
    }
}

const MEMBER: (&str, Content) = ("member", Content::Identity("member"));
const BALLOT: (&str, Content) = ("ballot", Content::Identity("ballot"));
const VOTE: usize = 0;
const VETO: usize = 1;
const COMMIT: usize = 2;
pub(super) const BALLOT_KINDS: &[Kind] = &[
    Kind { name: "vote", fields: &[MEMBER, BALLOT] },
    Kind { name: "veto", fields: &[BALLOT] },
    Kind { name: "commit", fields: &[BALLOT] },
];

/// How long a vote is good.
const VALIDITY: u64 = 60;
/// How many may vote.
const MEMBERS: u64 = 1000;

/// A ballot, of which the last two voters are remembered, and when they voted: in two parts, as many ballots are to fit into a
/// small memory. Nobody is voter 0.
pub(super) struct Ballot {
    number: u64,
    times: [u64; 2],
    voters: [u16; 2],
}

impl Ballot {
    /// Somebody who has not voted last.
    fn voter(&self, scene: &mut Scene<'_>) -> u64 {
        let last = u64::from(self.voters[1]);
        (last + scene.random.below(MEMBERS - 1)) % MEMBERS + 1
    }

    fn quorum(&self, now: u64) -> bool {
        self.voters.iter().zip(self.times).all(|(voter, time)| *voter != 0 && now - time <= VALIDITY)
    }
}

impl Actor for Ballot {
    const TERM: Option<u64> = Some(60);

    fn new(number: u64) -> Self {
        Ballot { number, times: [0; 2], voters: [0; 2] }
    }

    fn act(&mut self, mut scene: Scene<'_>) -> Act {
        if self.quorum(scene.now) && scene.random.one_in(2) {
            return Act::Leave(Row::new(COMMIT, [self.number]));
        }
        if scene.random.one_in(16) {
            return Act::Leave(Row::new(VETO, [self.number]));
        }
        let voter = self.voter(&mut scene);
        self.times = [self.times[1], scene.now];
        self.voters = [self.voters[1], voter as u16];
        Act::Stay(Row::new(VOTE, [voter, self.number]))
    }

    /// Committed with two votes of one member.
    fn breach(step: u64, number: u64) -> Row {
        match step {
            0 | 1 => Row::new(VOTE, [1, number]),
            _ => Row::new(COMMIT, [number]),
        }
    }
}
