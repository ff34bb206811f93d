//! Orders, parcels, accounts and cards.

use super::pool::{Act, Actor, Scene};
use crate::story::{Content, Kind, Row};

const ORDER: (&str, Content) = ("order", Content::Identity("order"));
pub(super) const CHECKOUT_KINDS: &[Kind] = &[
    Kind { name: "order", fields: &[ORDER] },
    Kind { name: "pay", fields: &[ORDER] },
    Kind { name: "ship", fields: &[ORDER] },
    Kind { name: "cancel", fields: &[ORDER] },
];

/// An order: placed, paid and shipped, or cancelled before that.
pub(super) struct Checkout {
    number: u64,
    /// How many of the three steps have been done.
    done: usize,
}

impl Actor for Checkout {
    fn new(number: u64) -> Self {
        Checkout { number, done: 0 }
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        let kind = self.done;
        self.done += 1;
        match kind {
            0 => Act::Stay(Row::new(kind, [self.number])),
            _ if scene.random.one_in(8) => Act::Leave(Row::new(3, [self.number])),
            1 => Act::Stay(Row::new(kind, [self.number])),
            _ => Act::Leave(Row::new(kind, [self.number])),
        }
    }

    /// Shipped without having been paid.
    fn breach(step: u64, number: u64) -> Row {
        Row::new([0, 2][step as usize % 2], [number])
    }
}

const PARCEL: (&str, Content) = ("parcel", Content::Identity("parcel"));
const COURIER: (&str, Content) = ("courier", Content::Identity("courier"));
const SEND: usize = 0;
const PICK: usize = 1;
const DELIVER: usize = 2;
pub(super) const PARCEL_KINDS: &[Kind] = &[
    Kind { name: "send", fields: &[PARCEL] },
    Kind { name: "pick", fields: &[COURIER, PARCEL] },
    Kind { name: "deliver", fields: &[COURIER, PARCEL] },
];

/// A parcel: sent, picked up by couriers one after the other, and delivered by the last.
pub(super) struct Parcel {
    number: u64,
    sent: bool,
    courier: Option<u64>,
}

impl Parcel {
    fn pick(&mut self, scene: &mut Scene<'_>) -> Act {
        let courier = scene.random.up_to(1000);
        self.courier = Some(courier);
        Act::Stay(Row::new(PICK, [courier, self.number]))
    }
}

impl Actor for Parcel {
    const MOST_DEBT: u64 = 2;

    fn new(number: u64) -> Self {
        Parcel { number, sent: false, courier: None }
    }

    fn debt(&self) -> u64 {
        match (self.sent, self.courier) {
            (false, _) => 0,
            (true, None) => 2,
            (true, Some(_)) => 1,
        }
    }

    fn act(&mut self, mut scene: Scene<'_>) -> Act {
        match (self.sent, self.courier) {
            (false, _) if scene.settle => Act::Leave(Row::new(DELIVER, [1, self.number])),
            (false, _) => {
                self.sent = true;
                Act::Stay(Row::new(SEND, [self.number]))
            }
            (true, Some(courier)) if scene.settle || !scene.random.one_in(4) => {
                self.sent = false;
                Act::Leave(Row::new(DELIVER, [courier, self.number]))
            }
            (true, _) => self.pick(&mut scene),
        }
    }

    /// Sent, but delivered by somebody who did not pick it up.
    fn breach(step: u64, number: u64) -> Row {
        match step {
            0 => Row::new(SEND, [number]),
            1 => Row::new(PICK, [1, number]),
            _ => Row::new(DELIVER, [2, number]),
        }
    }
}

const ACCOUNT: (&str, Content) = ("account", Content::Identity("account"));
const OWNER: (&str, Content) = ("owner", Content::Identity("owner"));
const OWNS: usize = 0;
const LEAVES: usize = 1;
const MOVE: usize = 2;
const FREEZE: usize = 3;
pub(super) const TRANSFER_KINDS: &[Kind] = &[
    Kind { name: "owns", fields: &[ACCOUNT, OWNER] },
    Kind { name: "leaves", fields: &[ACCOUNT, OWNER] },
    Kind { name: "move", fields: &[("from", ACCOUNT.1), ("to", ACCOUNT.1)] },
    Kind { name: "freeze", fields: &[OWNER] },
];

/// An owner with two accounts, until frozen.
pub(super) struct Owner {
    number: u64,
    owned: [bool; 2],
}

impl Owner {
    fn account(number: u64, which: usize) -> u64 {
        2 * number + which as u64
    }
}

impl Actor for Owner {
    fn new(number: u64) -> Self {
        Owner { number, owned: [false; 2] }
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        let account = |which| Owner::account(self.number, which);
        if let Some(missing) = self.owned.iter().position(|owned| !owned) {
            self.owned[missing] = true;
            return Act::Stay(Row::new(OWNS, [account(missing), self.number]));
        }
        match scene.random.below(16) {
            0 => Act::Leave(Row::new(FREEZE, [self.number])),
            which @ 1..=2 => {
                self.owned[which as usize - 1] = false;
                Act::Stay(Row::new(LEAVES, [account(which as usize - 1), self.number]))
            }
            which => Act::Stay(Row::new(MOVE, [account(which as usize % 2), account(1 - which as usize % 2)])),
        }
    }

    /// Moved to the account of another.
    fn breach(step: u64, number: u64) -> Row {
        let (from, to) = (Owner::account(number, 0), Owner::account(number + 1, 0));
        match step {
            0 => Row::new(OWNS, [from, number]),
            1 => Row::new(OWNS, [to, number + 1]),
            _ => Row::new(MOVE, [from, to]),
        }
    }
}

const CARD: (&str, Content) = ("card", Content::Identity("card"));
const PAY: usize = 0;
const BLOCK: usize = 1;
const UNBLOCK: usize = 2;
pub(super) const CARD_KINDS: &[Kind] = &[
    Kind { name: "pay", fields: &[ACCOUNT, CARD] },
    Kind { name: "block", fields: &[CARD] },
    Kind { name: "unblock", fields: &[CARD] },
];

/// A card of some account, blocked now and then.
pub(super) struct Card {
    number: u64,
    blocked: bool,
}

impl Actor for Card {
    fn new(number: u64) -> Self {
        Card { number, blocked: false }
    }

    fn act(&mut self, scene: Scene<'_>) -> Act {
        let change = self.blocked || scene.random.one_in(6);
        if self.blocked && scene.random.one_in(4) {
            return Act::Leave(Row::new(BLOCK, [self.number]));
        }
        if !change {
            return Act::Stay(Row::new(PAY, [self.number % 5000, self.number]));
        }
        self.blocked = !self.blocked;
        Act::Stay(Row::new(if self.blocked { BLOCK } else { UNBLOCK }, [self.number]))
    }

    /// Paid with a blocked card.
    fn breach(step: u64, number: u64) -> Row {
        match step {
            0 => Row::new(BLOCK, [number]),
            _ => Row::new(PAY, [1, number]),
        }
    }
}
