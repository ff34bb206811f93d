//! Data enter a queue; at the end the first hundredth of them leaves it.

use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const ENTER: usize = 0;
const EXIT: usize = 1;

const DATUM: &[(&str, Content)] = &[("datum", Content::Identity("datum"))];

pub(super) const KINDS: &[Kind] = &[Kind { name: "enter", fields: DATUM }, Kind { name: "exit", fields: DATUM }];

struct Queue {
    random: Random,
    /// How many will enter.
    entering: u64,
    /// How many will leave.
    leaving: u64,
    entered: u64,
    left: u64,
}

pub(super) fn story(order: &Order, random: Random) -> Box<dyn Story> {
    let leaving = order.obeying / 101;
    Box::new(Queue { random, entering: order.obeying - leaving, leaving, entered: 0, left: 0 })
}

impl Story for Queue {
    fn obey(&mut self, _: u64) -> Row {
        if self.entered < self.entering {
            self.entered += 1;
            return Row::new(ENTER, [self.entered]);
        }
        self.left += 1;
        Row::new(EXIT, [self.left])
    }

    /// Somebody jumps the queue, or leaves it without having entered. It is nobody whose turn will come.
    fn breach(&mut self, _: u64) -> Row {
        let first = self.leaving.max(self.left + 1) + 1;
        let waiting = (self.entered + 1).saturating_sub(first);
        match waiting > 0 && !self.random.one_in(4) {
            true => Row::new(EXIT, [first + self.random.below(waiting)]),
            false => Row::new(EXIT, [self.entering + 1]),
        }
    }
}
