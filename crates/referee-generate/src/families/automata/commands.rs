//! Commands that are nested in each other.

use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const COMMAND: usize = 0;
const SUCCEED: usize = 1;
const ID: (&str, Content) = ("command", Content::Identity("command"));
pub(super) const KINDS: &[Kind] = &[Kind { name: "command", fields: &[ID] }, Kind { name: "succeed", fields: &[ID] }];

/// How many commands are open at a time.
const DEPTH: usize = 20;

struct Commands {
    random: Random,
    /// Those that have not succeeded, the newest last.
    open: Vec<u64>,
    begun: u64,
}

/// Begins the story.
pub(super) fn story(_: &Order, random: Random) -> Box<dyn Story> {
    Box::new(Commands { random, open: Vec::new(), begun: 0 })
}

impl Commands {
    fn begin(&mut self) -> Row {
        self.begun += 1;
        self.open.push(self.begun);
        Row::new(COMMAND, [self.begun])
    }
}

impl Story for Commands {
    fn obey(&mut self, left: u64) -> Row {
        let room = self.open.len() as u64 + 2 <= left && self.open.len() < DEPTH;
        match self.open.last().copied() {
            Some(newest) if !(room && self.random.one_in(2)) => {
                self.open.pop();
                Row::new(SUCCEED, [newest])
            }
            _ => self.begin(),
        }
    }

    /// Two commands begin, and the first succeeds before the second.
    fn breach(&mut self, step: u64) -> Row {
        if step < 2 {
            return self.begin();
        }
        let place = self.open.len().saturating_sub(if step == 2 { 2 } else { 1 });
        Row::new(SUCCEED, [self.open.remove(place)])
    }
}
