//! Files are opened in some mode; then the last ones are closed, and some of them opened again.

use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const OPEN: usize = 0;
const CLOSE: usize = 1;

const FILE: (&str, Content) = ("file", Content::Identity("file"));

pub(super) const KINDS: &[Kind] = &[
    Kind { name: "open", fields: &[FILE, ("mode", Content::Word(&["read", "write"]))] },
    Kind { name: "close", fields: &[FILE] },
];

struct Files {
    random: Random,
    most: u64,
    /// Files 1 to this one are open.
    open: u64,
    filled: bool,
}

pub(super) fn story(order: &Order, random: Random) -> Box<dyn Story> {
    Box::new(Files { random, most: (order.obeying * 8 / 11).max(1), open: 0, filled: false })
}

impl Files {
    fn open(&mut self) -> Row {
        self.open += 1;
        self.filled |= self.open == self.most;
        Row::new(OPEN, [self.open, self.random.below(2)])
    }

    fn close(&mut self) -> Row {
        self.open -= 1;
        Row::new(CLOSE, [self.open + 1])
    }
}

impl Story for Files {
    fn obey(&mut self, _: u64) -> Row {
        let close = self.filled && !self.random.one_in(3) || self.open == self.most;
        match close && self.open > 0 {
            true => self.close(),
            false => self.open(),
        }
    }

    /// Closes a file that is not open.
    fn breach(&mut self, _: u64) -> Row {
        Row::new(CLOSE, [self.open + 1])
    }
}
