//! Rovers that ping each other, one of which leads.
//!
//! The leader owes a ping and its answer for every rover that was heard of; others ping and answer as they like, and nobody
//! who is not known is heard of once the debts fill what is left of the trace.

use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const PING: usize = 0;
const ACK: usize = 1;
const FROM: (&str, Content) = ("from", Content::Identity("rover"));
const TO: (&str, Content) = ("to", Content::Identity("rover"));
pub(super) const KINDS: &[Kind] =
    &[Kind { name: "ping", fields: &[FROM, TO] }, Kind { name: "ack", fields: &[FROM, TO] }];

/// How far the leader has come with a rover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Contact {
    Unknown,
    Known,
    Pinged,
    Answered,
}

struct Rovers {
    random: Random,
    leader: usize,
    contacts: Vec<Contact>,
    /// Whom the leader has not got an answer from, though they are known.
    waiting: Vec<usize>,
    /// How many events that takes.
    debt: u64,
}

/// Begins the story: as many rovers as let the leader finish in about a fiftieth of the trace.
pub(super) fn story(order: &Order, mut random: Random) -> Box<dyn Story> {
    let count = (order.events / 100).clamp(2, 100) as usize;
    let leader = random.index(count);
    let mut contacts = vec![Contact::Unknown; count];
    contacts[leader] = Contact::Answered;
    Box::new(Rovers { random, leader, contacts, waiting: Vec::new(), debt: 0 })
}

impl Rovers {
    fn row(kind: usize, from: usize, to: usize) -> Row {
        Row::new(kind, [from as u64 + 1, to as u64 + 1])
    }

    fn hear_of(&mut self, rover: usize) {
        if self.contacts[rover] == Contact::Unknown {
            self.contacts[rover] = Contact::Known;
            self.waiting.push(rover);
            self.debt += 2;
        }
    }

    /// The leader's next message, or an answer to it.
    fn lead(&mut self) -> Row {
        if self.waiting.is_empty() {
            return Rovers::row(PING, self.leader, self.leader);
        }
        let place = self.random.index(self.waiting.len());
        let rover = self.waiting[place];
        self.debt -= 1;
        if self.contacts[rover] == Contact::Known {
            self.contacts[rover] = Contact::Pinged;
            return Rovers::row(PING, self.leader, rover);
        }
        self.contacts[rover] = Contact::Answered;
        self.waiting.swap_remove(place);
        Rovers::row(ACK, rover, self.leader)
    }
}

impl Story for Rovers {
    fn obey(&mut self, left: u64) -> Row {
        // A message may make two rovers known, with two events each.
        if self.debt + 4 >= left || (self.debt > 0 && self.random.one_in(16)) {
            return self.lead();
        }
        let (from, to) = (self.random.index(self.contacts.len()), self.random.index(self.contacts.len()));
        self.hear_of(from);
        self.hear_of(to);
        Rovers::row(self.random.index(2), from, to)
    }

    /// Two rovers are heard of that nobody has ever pinged.
    fn breach(&mut self, _: u64) -> Row {
        Rovers::row(PING, self.contacts.len(), self.contacts.len() + 1)
    }
}
