//! Users log in, files are opened, and then users touch files, while some log out and some files are closed.
//!
//! Who is logged in and what is open are the numbers up to a bound: the last to come is the first to go. So two
//! counters are all there is to remember.

use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

pub(super) const LOGIN: usize = 0;
pub(super) const LOGOUT: usize = 1;
pub(super) const OPEN: usize = 2;
pub(super) const CLOSE: usize = 3;
pub(super) const ACCESS: usize = 4;

const USER: (&str, Content) = ("user", Content::Identity("user"));
const FILE: (&str, Content) = ("file", Content::Identity("file"));

pub(super) const KINDS: &[Kind] = &[
    Kind { name: "login", fields: &[USER] },
    Kind { name: "logout", fields: &[USER] },
    Kind { name: "open", fields: &[FILE] },
    Kind { name: "close", fields: &[FILE] },
    Kind { name: "access", fields: &[USER, FILE] },
];

struct Access {
    random: Random,
    /// How many users there are, and as many files.
    most: u64,
    /// Users 1 to this one are logged in.
    users: u64,
    /// Files 1 to this one are open.
    files: u64,
    /// Whether all users have logged in and all files have been opened.
    filled: bool,
}

pub(super) fn story(order: &Order, random: Random) -> Box<dyn Story> {
    let most = (order.obeying * 5 / 11).max(1);
    Box::new(Access { random, most, users: 0, files: 0, filled: false })
}

impl Access {
    fn login(&mut self) -> Row {
        self.users += 1;
        Row::new(LOGIN, [self.users])
    }

    fn open(&mut self) -> Row {
        self.files += 1;
        Row::new(OPEN, [self.files])
    }

    fn fill(&mut self) -> Row {
        match self.users < self.most {
            true => self.login(),
            false => {
                self.filled = self.files + 1 == self.most;
                self.open()
            }
        }
    }

    fn logout(&mut self) -> Row {
        self.users -= 1;
        Row::new(LOGOUT, [self.users + 1])
    }

    fn close(&mut self) -> Row {
        self.files -= 1;
        Row::new(CLOSE, [self.files + 1])
    }
}

impl Story for Access {
    fn obey(&mut self, _: u64) -> Row {
        if !self.filled {
            return self.fill();
        }
        match self.random.below(8) {
            0 if self.users > 1 => self.logout(),
            1 | 2 if self.files > 1 => self.close(),
            3 if self.users < self.most => self.login(),
            4 if self.files < self.most => self.open(),
            _ => Row::new(ACCESS, [self.random.up_to(self.users), self.random.up_to(self.files)]),
        }
    }

    /// The user is not logged in, or the file is not open.
    fn breach(&mut self, _: u64) -> Row {
        match self.random.one_in(2) {
            true => Row::new(ACCESS, [self.users + 1, self.random.up_to(self.files)]),
            false => Row::new(ACCESS, [self.random.up_to(self.users), self.files + 1]),
        }
    }
}
