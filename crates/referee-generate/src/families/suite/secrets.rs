//! Documents are secret, copied into one another, cleaned and sent.

use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const DOCUMENT: Content = Content::Identity("document");
const SECRET: usize = 0;
const COPY: usize = 1;
const CLEAN: usize = 2;
const SEND: usize = 3;
pub(super) const KINDS: &[Kind] = &[
    Kind { name: "secret", fields: &[("document", DOCUMENT)] },
    Kind { name: "copy", fields: &[("from", DOCUMENT), ("to", DOCUMENT)] },
    Kind { name: "clean", fields: &[("document", DOCUMENT)] },
    Kind { name: "send", fields: &[("document", DOCUMENT)] },
];

struct Secrets {
    random: Random,
    /// Which documents hold secrets.
    tainted: Vec<bool>,
}

pub(super) fn story(order: &Order, random: Random) -> Box<dyn Story> {
    let documents = usize::try_from((order.events / 20).max(2)).unwrap_or(usize::MAX);
    Box::new(Secrets { random, tainted: vec![false; documents] })
}

impl Secrets {
    fn any(&mut self) -> usize {
        self.random.index(self.tainted.len())
    }
}

fn number(place: usize) -> u64 {
    place as u64 + 1
}

impl Story for Secrets {
    fn obey(&mut self, _: u64) -> Row {
        let place = self.any();
        match (self.tainted[place], self.random.below(8)) {
            (_, 0) => {
                self.tainted[place] = true;
                Row::new(SECRET, [number(place)])
            }
            (_, 1 | 2) => {
                let source = self.any();
                self.tainted[place] |= self.tainted[source];
                Row::new(COPY, [number(source), number(place)])
            }
            (true, _) => {
                self.tainted[place] = false;
                Row::new(CLEAN, [number(place)])
            }
            (false, _) => Row::new(SEND, [number(place)]),
        }
    }

    /// A copy of a secret is sent.
    fn breach(&mut self, step: u64) -> Row {
        let secret = number(self.tainted.len());
        match step {
            0 => Row::new(SECRET, [secret]),
            1 => Row::new(COPY, [secret, secret + 1]),
            _ => Row::new(SEND, [secret + 1]),
        }
    }
}
