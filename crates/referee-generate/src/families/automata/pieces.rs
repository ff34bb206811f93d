//! Pieces on devices: all are created, then the devices are toggled many times, and in the end three pieces are processed.

use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const CREATE: usize = 0;
const TOGGLE: usize = 1;
const PROCESS: usize = 2;
const DEVICE: (&str, Content) = ("device", Content::Identity("device"));
const PIECE: (&str, Content) = ("piece", Content::Identity("piece"));
pub(super) const KINDS: &[Kind] = &[
    Kind { name: "create", fields: &[DEVICE, PIECE] },
    Kind { name: "toggle", fields: &[DEVICE] },
    Kind { name: "process", fields: &[PIECE] },
];

/// How many devices there are.
const DEVICES: u64 = 100;

/// How many pieces are processed.
const PROCESSED: u64 = 3;

struct Pieces {
    random: Random,
    /// How many events are toggles: one for ten pieces.
    toggles: u64,
    created: u64,
    /// By device, whether it has been toggled an odd number of times.
    toggled: Vec<bool>,
}

/// Begins the story.
pub(super) fn story(order: &Order, random: Random) -> Box<dyn Story> {
    let toggles = order.events.saturating_sub(PROCESSED) / 11;
    Box::new(Pieces { random, toggles, created: 0, toggled: vec![false; DEVICES as usize] })
}

impl Pieces {
    /// A piece is processed whose device stands as at first, or one that no device has.
    fn process(&mut self) -> Row {
        let piece = self.random.up_to(self.created + 1);
        let calm = piece > self.created || !self.toggled[(piece % DEVICES) as usize];
        Row::new(PROCESS, [if calm { piece } else { self.created + 1 }])
    }
}

impl Story for Pieces {
    fn obey(&mut self, left: u64) -> Row {
        if left <= PROCESSED {
            return self.process();
        }
        if left > PROCESSED + self.toggles {
            self.created += 1;
            return Row::new(CREATE, [self.created % DEVICES, self.created]);
        }
        let device = self.random.below(DEVICES);
        self.toggled[device as usize] = !self.toggled[device as usize];
        Row::new(TOGGLE, [device])
    }

    /// A piece of a device of its own is processed after that was toggled.
    fn breach(&mut self, step: u64) -> Row {
        let piece = self.created + PROCESSED + 1;
        match step {
            0 => Row::new(CREATE, [DEVICES, piece]),
            1 => Row::new(TOGGLE, [DEVICES]),
            _ => Row::new(PROCESS, [piece]),
        }
    }
}
