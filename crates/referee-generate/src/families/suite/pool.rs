//! Many actors that live side by side, each with a small life of its own.
//!
//! ```text
//!  obey ─▶ who acts? ── whose deadline comes near ── who owes events that must fit in ── else anybody
//!          act ─▶ Row; an actor that is gone makes room for a new one
//! ```
//!
//! An actor is told in a few states: an order is placed, paid and shipped. Where a property asks for something to happen
//! later the actor *owes* events, and never more are owed than are left. With times, a debt has a term: once two fifths of it
//! have passed the debts are paid first, the oldest before the others, one with every event and no new ones meanwhile;
//! all that can be waiting then were made in two fifths of the term, and are paid in another two fifths.
//!
//! Cost: constant per event, but for the end of a trace, where each actor is looked at once.

use std::collections::VecDeque;

use crate::order::Order;
use crate::random::Random;
use crate::story::{Row, Story};

/// What an actor sees when it acts.
pub(super) struct Scene<'a> {
    /// Chance.
    pub random: &'a mut Random,
    /// The time, which stands still where a trace has none.
    pub now: u64,
    /// Whether only what is owed may happen, or what obliges to nothing.
    pub settle: bool,
}

/// What an actor does, and whether it goes.
pub(super) enum Act {
    /// It will act again.
    Stay(Row),
    /// It was the last that is heard of it.
    Leave(Row),
}

/// One of many that live side by side.
pub(super) trait Actor: Sized {
    /// The most events that it owes at a time.
    const MOST_DEBT: u64 = 0;
    /// Where there are times, how long a debt may wait; half of it is about how long an actor waits for its turn.
    const TERM: Option<u64> = None;
    /// One in how many events is the number of those that live at a time.
    const EVENTS_EACH: u64 = 20;

    /// Comes into being; nobody else has its number.
    fn new(number: u64) -> Self;

    /// How many events it owes.
    fn debt(&self) -> u64 {
        0
    }

    /// Its next event.
    fn act(&mut self, scene: Scene<'_>) -> Act;

    /// An event of the breach. Nobody has the number given or one of the three that follow.
    fn breach(step: u64, number: u64) -> Row;
}

/// How many numbers a breach has for itself.
const BREACH_NUMBERS: u64 = 4;

/// The story of many actors.
pub(super) struct Pool<A> {
    random: Random,
    actors: Vec<A>,
    /// Which of them began when, so that debts of those who are gone are not looked for.
    ages: Vec<u64>,
    most: usize,
    /// The last number given.
    last: u64,
    /// The first number of the breach.
    breach: Option<u64>,
    /// All that is owed.
    debt: u64,
    /// Who owes since when: age, place and time, the oldest debt first.
    waiting: VecDeque<(u64, usize, u64)>,
    /// Before this place nobody owes anything once only debts are paid.
    settled: usize,
    told: u64,
    now: u64,
}

/// Begins the story of actors of one kind.
pub(super) fn story<A: Actor + 'static>(order: &Order, random: Random) -> Box<dyn Story> {
    let most = usize::try_from((order.events / A::EVENTS_EACH).max(2)).unwrap_or(usize::MAX);
    Box::new(Pool::<A> {
        random,
        actors: Vec::new(),
        ages: Vec::new(),
        most,
        last: 0,
        breach: None,
        debt: 0,
        waiting: VecDeque::new(),
        settled: 0,
        told: 0,
        now: 0,
    })
}

impl<A: Actor> Pool<A> {
    fn next_number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Somebody at random; a new one if there is room.
    fn anybody(&mut self) -> usize {
        let place = self.random.index(self.most);
        if place < self.actors.len() {
            return place;
        }
        let number = self.next_number();
        self.actors.push(A::new(number));
        self.ages.push(number);
        self.actors.len() - 1
    }

    /// Who has owed for so long that it is their turn.
    fn pressed(&mut self) -> Option<usize> {
        let term = A::TERM?;
        while let Some(&(age, place, since)) = self.waiting.front() {
            if self.ages[place] == age && self.actors[place].debt() > 0 {
                return (5 * (self.now - since) >= 2 * term).then_some(place);
            }
            self.waiting.pop_front();
        }
        None
    }

    /// Who owes anything, when nothing else may be begun.
    fn debtor(&mut self) -> Option<usize> {
        while self.settled < self.actors.len() {
            if self.actors[self.settled].debt() > 0 {
                return Some(self.settled);
            }
            self.settled += 1;
        }
        None
    }

    fn act(&mut self, place: usize, settle: bool) -> Row {
        let owed = self.actors[place].debt();
        let act = self.actors[place].act(Scene { random: &mut self.random, now: self.now, settle });
        let owes = self.actors[place].debt();
        self.debt = self.debt - owed + owes;
        if owes > owed {
            self.waiting.push_back((self.ages[place], place, self.now));
        }
        match act {
            Act::Stay(row) => row,
            Act::Leave(row) => {
                self.debt -= owes;
                let number = self.next_number();
                self.actors[place] = A::new(number);
                self.ages[place] = number;
                row
            }
        }
    }
}

impl<A: Actor> Story for Pool<A> {
    fn begin_point(&mut self) -> Option<u64> {
        // Half of a term passes while everybody has a turn.
        self.now = self.told * A::TERM? / (2 * self.most as u64);
        self.told += 1;
        Some(self.now)
    }

    fn obey(&mut self, left: u64) -> Row {
        if self.debt + A::MOST_DEBT >= left && A::MOST_DEBT > 0 {
            let place = self.debtor().unwrap_or_else(|| self.anybody());
            return self.act(place, true);
        }
        match self.pressed() {
            Some(place) => self.act(place, true),
            None => {
                let place = self.anybody();
                self.act(place, false)
            }
        }
    }

    fn breach(&mut self, step: u64) -> Row {
        let first = self.breach.unwrap_or(self.last + 1);
        if self.breach.is_none() {
            self.breach = Some(first);
            self.last += BREACH_NUMBERS;
        }
        A::breach(step, first)
    }
}
