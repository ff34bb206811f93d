//! People have roles, roles open doors, and both change.

use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const PERSON: (&str, Content) = ("person", Content::Identity("person"));
const ROLE: (&str, Content) = ("role", Content::Identity("role"));
const DOOR: (&str, Content) = ("door", Content::Identity("door"));
const GRANT: usize = 0;
const REVOKE: usize = 1;
const PERMIT: usize = 2;
const FORBID: usize = 3;
const ENTER: usize = 4;
pub(super) const KINDS: &[Kind] = &[
    Kind { name: "grant", fields: &[PERSON, ROLE] },
    Kind { name: "revoke", fields: &[PERSON, ROLE] },
    Kind { name: "permit", fields: &[ROLE, DOOR] },
    Kind { name: "forbid", fields: &[ROLE, DOOR] },
    Kind { name: "enter", fields: &[PERSON, DOOR] },
];

/// How many roles there are, and doors.
const ROLES: u64 = 200;
const DOORS: u64 = 1000;

struct Doors {
    random: Random,
    /// The role of each person, from 1; 0 is none.
    roles: Vec<u64>,
    /// The door of each role, likewise.
    doors: Vec<u64>,
}

pub(super) fn story(order: &Order, random: Random) -> Box<dyn Story> {
    let people = usize::try_from((order.events / 20).max(2)).unwrap_or(usize::MAX);
    Box::new(Doors { random, roles: vec![0; people], doors: vec![0; ROLES as usize] })
}

impl Story for Doors {
    fn obey(&mut self, _: u64) -> Row {
        let place = self.random.index(self.roles.len());
        let (person, role) = (place as u64 + 1, self.roles[place]);
        if role == 0 {
            self.roles[place] = self.random.up_to(ROLES);
            return Row::new(GRANT, [person, self.roles[place]]);
        }
        let door = self.doors[role as usize - 1];
        if door == 0 {
            let door = self.random.up_to(DOORS);
            self.doors[role as usize - 1] = door;
            return Row::new(PERMIT, [role, door]);
        }
        match self.random.below(16) {
            0 => {
                self.doors[role as usize - 1] = 0;
                Row::new(FORBID, [role, door])
            }
            1 | 2 => {
                self.roles[place] = 0;
                Row::new(REVOKE, [person, role])
            }
            _ => Row::new(ENTER, [person, door]),
        }
    }

    /// Somebody with a role of their own enters by a door of another.
    fn breach(&mut self, step: u64) -> Row {
        let (person, role, door) = (self.roles.len() as u64 + 1, ROLES + 1, DOORS + 1);
        match step {
            0 => Row::new(GRANT, [person, role]),
            1 => Row::new(PERMIT, [role + 1, door]),
            _ => Row::new(ENTER, [person, door]),
        }
    }
}
