//! The same events with times: sessions of users and files are valid for 50 time units.
//!
//! The trace lasts 400 units, so an eighth of it is within the window. Users and files keep coming; what is touched was
//! opened within the window, and the oldest is closed now and then.

use std::collections::VecDeque;

use super::access::{ACCESS, CLOSE, LOGIN, LOGOUT, OPEN};
use crate::order::Order;
use crate::random::Random;
use crate::story::{Row, Story};

/// How long a session is valid.
const VALIDITY: u64 = 50;
/// How long a trace lasts.
const DURATION: u64 = 400;

struct TimedAccess {
    random: Random,
    events: u64,
    told: u64,
    now: u64,
    users: Sessions,
    files: Sessions,
}

pub(super) fn story(order: &Order, random: Random) -> Box<dyn Story> {
    let (users, files) = (Sessions::default(), Sessions::default());
    Box::new(TimedAccess { random, events: order.events, told: 0, now: 0, users, files })
}

/// The valid sessions of one sort.
#[derive(Default)]
struct Sessions {
    /// Number and beginning of the valid ones, the oldest first.
    valid: VecDeque<(u64, u64)>,
    /// How many have begun so far.
    begun: u64,
    /// The last that is valid no more.
    gone: Option<u64>,
}

impl Sessions {
    fn begin(&mut self, now: u64) -> u64 {
        self.begun += 1;
        self.valid.push_back((self.begun, now));
        self.begun
    }

    fn expire(&mut self, now: u64) {
        while let Some((number, _)) = self.valid.pop_front_if(|(_, begun)| now - *begun > VALIDITY) {
            self.gone = Some(number);
        }
    }

    /// Ends the oldest, unless it is the only one.
    fn end(&mut self) -> Option<u64> {
        let (number, _) = if self.valid.len() > 1 { self.valid.pop_front()? } else { return None };
        self.gone = Some(number);
        Some(number)
    }

    fn any(&self, random: &mut Random) -> Option<u64> {
        self.valid.get(random.index(self.valid.len())).map(|(number, _)| *number)
    }

    /// One that is not valid: expired, ended, or not begun yet.
    fn invalid(&self) -> u64 {
        self.gone.unwrap_or(self.begun + 1)
    }
}

impl TimedAccess {
    fn begin(&mut self) -> Row {
        match self.random.one_in(2) {
            true => Row::new(LOGIN, [self.users.begin(self.now)]),
            false => Row::new(OPEN, [self.files.begin(self.now)]),
        }
    }

    fn end(&mut self) -> Option<Row> {
        match self.random.one_in(2) {
            true => self.users.end().map(|user| Row::new(LOGOUT, [user])),
            false => self.files.end().map(|file| Row::new(CLOSE, [file])),
        }
    }

    fn access(&mut self) -> Option<Row> {
        let (user, file) = (self.users.any(&mut self.random)?, self.files.any(&mut self.random)?);
        Some(Row::new(ACCESS, [user, file]))
    }
}

impl Story for TimedAccess {
    fn begin_point(&mut self) -> Option<u64> {
        self.now = (u128::from(self.told) * u128::from(DURATION) / u128::from(self.events)) as u64;
        self.told += 1;
        self.users.expire(self.now);
        self.files.expire(self.now);
        Some(self.now)
    }

    fn obey(&mut self, _: u64) -> Row {
        let other = match self.random.below(12) {
            0 => self.end(),
            1 => self.access(),
            _ => None,
        };
        other.unwrap_or_else(|| self.begin())
    }

    /// The user or the file was valid once, if any was.
    fn breach(&mut self, _: u64) -> Row {
        let user = self.users.any(&mut self.random).unwrap_or(self.users.invalid());
        let file = self.files.any(&mut self.random).unwrap_or(self.files.invalid());
        match self.random.one_in(2) {
            true => Row::new(ACCESS, [self.users.invalid(), file]),
            false => Row::new(ACCESS, [user, self.files.invalid()]),
        }
    }
}
