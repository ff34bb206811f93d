//! Resources: granted to tasks, given back, in conflict with each other.

use crate::order::Order;
use crate::random::Random;
use crate::story::{Content, Kind, Row, Story};

const RESOURCE: (&str, Content) = ("resource", Content::Identity("resource"));
const TASK: (&str, Content) = ("task", Content::Identity("task"));

/// How many resources there are.
fn count(order: &Order) -> usize {
    (order.events / 200).clamp(2, 5000) as usize
}

const GRANT: usize = 0;
const CANCEL: usize = 1;
pub(super) const GRANTING_KINDS: &[Kind] =
    &[Kind { name: "grant", fields: &[TASK, RESOURCE] }, Kind { name: "cancel", fields: &[TASK, RESOURCE] }];

/// How many tasks there are.
const TASKS: u64 = 100_000;

struct Granting {
    random: Random,
    /// Who holds each resource.
    holders: Vec<Option<u64>>,
    /// How the property will be broken: by a second grant, or by somebody who gives back what another holds.
    granted_twice: bool,
}

/// Begins the story of resources that are granted and given back.
pub(super) fn granting(order: &Order, mut random: Random) -> Box<dyn Story> {
    let granted_twice = random.one_in(2);
    Box::new(Granting { random, holders: vec![None; count(order)], granted_twice })
}

impl Story for Granting {
    fn obey(&mut self, _: u64) -> Row {
        let place = self.random.index(self.holders.len());
        let resource = place as u64 + 1;
        match self.holders[place].take() {
            Some(task) => Row::new(CANCEL, [task, resource]),
            None => {
                let task = self.random.up_to(TASKS);
                self.holders[place] = Some(task);
                Row::new(GRANT, [task, resource])
            }
        }
    }

    /// A resource of its own is granted, and then to another task too, or given back by one.
    fn breach(&mut self, step: u64) -> Row {
        let resource = self.holders.len() as u64 + 1;
        let kind = if step == 0 || self.granted_twice { GRANT } else { CANCEL };
        Row::new(kind, [1 + step, resource])
    }
}

const REQUEST: usize = 0;
const DENY: usize = 1;
const GRANTED: usize = 2;
const RESCIND: usize = 3;
const GIVE_BACK: usize = 4;
pub(super) const LIFECYCLE_KINDS: &[Kind] = &[
    Kind { name: "request", fields: &[RESOURCE] },
    Kind { name: "deny", fields: &[RESOURCE] },
    Kind { name: "grant", fields: &[RESOURCE] },
    Kind { name: "rescind", fields: &[RESOURCE] },
    Kind { name: "cancel", fields: &[RESOURCE] },
];

/// Where a resource stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Free,
    Requested,
    Granted,
}

struct Lifecycle {
    random: Random,
    phases: Vec<Phase>,
    /// How many are granted.
    granted: u64,
    /// Before this place nothing is granted once only that is given back.
    settled: usize,
}

/// Begins the story of resources that are requested, granted and given back.
pub(super) fn lifecycle(order: &Order, random: Random) -> Box<dyn Story> {
    Box::new(Lifecycle { random, phases: vec![Phase::Free; count(order)], granted: 0, settled: 0 })
}

impl Lifecycle {
    fn go(&mut self, place: usize, kind: usize, to: Phase) -> Row {
        self.granted -= u64::from(self.phases[place] == Phase::Granted);
        self.granted += u64::from(to == Phase::Granted);
        self.phases[place] = to;
        Row::new(kind, [place as u64 + 1])
    }

    /// Something that leaves nothing granted: what is granted is given back, if there is any.
    fn settle(&mut self) -> Row {
        while self.settled < self.phases.len() && self.phases[self.settled] != Phase::Granted {
            self.settled += 1;
        }
        if self.settled < self.phases.len() {
            return self.go(self.settled, GIVE_BACK, Phase::Free);
        }
        match self.phases[0] {
            Phase::Free => self.go(0, REQUEST, Phase::Requested),
            _ => self.go(0, DENY, Phase::Free),
        }
    }
}

impl Story for Lifecycle {
    fn obey(&mut self, left: u64) -> Row {
        if self.granted + 1 >= left {
            return self.settle();
        }
        let place = self.random.index(self.phases.len());
        match (self.phases[place], self.random.below(3)) {
            (Phase::Free, _) => self.go(place, REQUEST, Phase::Requested),
            (Phase::Requested, 0) => self.go(place, DENY, Phase::Free),
            (Phase::Requested, _) => self.go(place, GRANTED, Phase::Granted),
            (Phase::Granted, 0) => self.go(place, RESCIND, Phase::Granted),
            (Phase::Granted, _) => self.go(place, GIVE_BACK, Phase::Free),
        }
    }

    /// A resource of its own is granted and never given back.
    fn breach(&mut self, step: u64) -> Row {
        Row::new([REQUEST, GRANTED][step as usize % 2], [self.phases.len() as u64 + 1])
    }
}

const CONFLICT: usize = 2;
pub(super) const CONFLICT_KINDS: &[Kind] = &[
    Kind { name: "grant", fields: &[RESOURCE] },
    Kind { name: "cancel", fields: &[RESOURCE] },
    Kind {
        name: "conflict",
        fields: &[("one", Content::Identity("resource")), ("other", Content::Identity("resource"))],
    },
];

struct Conflicts {
    random: Random,
    granted: Vec<bool>,
    /// By resource, what it is in conflict with.
    rivals: Vec<Vec<usize>>,
    /// How many conflicts are still to be declared.
    undeclared: u64,
}

/// Begins the story of resources in conflict: one event in 340 declares one, before all others.
pub(super) fn conflicts(order: &Order, random: Random) -> Box<dyn Story> {
    let count = count(order);
    let undeclared = order.events.div_ceil(340);
    Box::new(Conflicts { random, granted: vec![false; count], rivals: vec![Vec::new(); count], undeclared })
}

impl Conflicts {
    fn declare(&mut self) -> Row {
        self.undeclared -= 1;
        let one = self.random.index(self.granted.len());
        let other = (one + 1 + self.random.index(self.granted.len() - 1)) % self.granted.len();
        self.rivals[one].push(other);
        self.rivals[other].push(one);
        Row::new(CONFLICT, [one as u64 + 1, other as u64 + 1])
    }

    /// Gives back what is in the way of a grant, or the resource itself if it is granted; else grants it.
    fn toggle(&mut self, place: usize) -> Row {
        let rival = self.rivals[place].iter().copied().find(|rival| self.granted[*rival]);
        let place = rival.unwrap_or(place);
        self.granted[place] = !self.granted[place];
        Row::new(if self.granted[place] { GRANT } else { CANCEL }, [place as u64 + 1])
    }
}

impl Story for Conflicts {
    fn obey(&mut self, _: u64) -> Row {
        if self.undeclared > 0 {
            return self.declare();
        }
        let place = self.random.index(self.granted.len());
        self.toggle(place)
    }

    /// Two resources of their own are granted though they are in conflict.
    fn breach(&mut self, step: u64) -> Row {
        let (one, other) = (self.granted.len() as u64 + 1, self.granted.len() as u64 + 2);
        match step {
            0 => Row::new(CONFLICT, [one, other]),
            1 => Row::new(GRANT, [one]),
            _ => Row::new(GRANT, [other]),
        }
    }
}
