//! Lives of things, as tables: connections, files, accounts, iterators, threads, routes.
//!
//! ```text
//!            connect                send ≤ limit
//!  (unborn) ─────────▶ (connected) ◀────────────┐     a Life: states, each with the moves that a thing may make there
//!      ▲                │  │  └─────────────────┘
//!      └─ disconnect ───┘  └─ send > 10,000 ─▶ (high: owes 1) ─ send ≤ 10,000 ─▶ (connected)
//! ```
//!
//! Most properties of the competition speak of one thing at a time: what it may do depends on what it did. Such a property
//! is a table here, and one story, [`Lives`], tells them all: it keeps a crowd of things, lets one of them make a move, and
//! replaces those whose life is over. A state may *owe* events that must come before the trace ends, such as the closing of
//! a file; its first move leads towards freedom, and nothing is begun that can no longer be paid for. A breach is a
//! script: a thing of its own, which no other move ever touches, does what no thing may do.
//!
//! Cost per event: one thing and one move by chance, and the call that fills in the arguments.

use referee_spec::core::Language;
use referee_trace::format::Format;

use crate::generator::{Breach, Generator, Sizes};
use crate::order::Order;
use crate::random::Random;
use crate::story::{Row, Story};

/// The arguments of an event.
pub(super) type Arguments = [i64; 4];
/// Fills in the arguments of an event of a thing, and lets the thing remember them.
pub(super) type Tell = fn(&mut Thing, &mut Random) -> Arguments;

/// What all of these generators have in common.
pub(super) const fn common(story: fn(&Order, Random) -> Box<dyn Story>) -> Generator {
    Generator {
        name: "",
        about: "",
        language: Language::Foltl,
        specification: "",
        events: 100_000,
        sizes: Sizes::ANY,
        format: Format::Csv,
        times: false,
        kinds: &[],
        breach: Breach::Once { before: 0, after: 0 },
        timed: None,
        story,
    }
}

/// A thing that lives.
#[derive(Debug, Clone)]
pub(super) struct Thing {
    /// No other thing ever has it.
    pub(super) number: u64,
    pub(super) state: usize,
    /// What its moves need to know of each other; zeros at first.
    pub(super) memory: Arguments,
}

impl Thing {
    pub(super) fn new(number: u64) -> Thing {
        Thing { number, state: 0, memory: [0; 4] }
    }

    pub(super) fn id(&self) -> i64 {
        self.number.cast_signed()
    }
}

/// What things of one kind may do.
#[derive(Debug)]
pub(super) struct Life {
    /// The first is where lives begin; it owes nothing.
    pub(super) states: &'static [State],
    /// How many things live at a time, at most.
    pub(super) crowd: u64,
    /// What a thing of its own does to break the property, step by step; and what tidies up after that.
    pub(super) breach: &'static [(usize, Tell)],
}

#[derive(Debug, Clone, Copy)]
pub(super) struct State {
    /// How many events must follow before the trace may end. The first move of a state that owes any owes fewer.
    pub(super) owes: u64,
    pub(super) moves: &'static [Move],
    /// The weights of the moves together.
    weights: u64,
}

impl State {
    pub(super) const fn new(owes: u64, moves: &'static [Move]) -> State {
        let (mut weights, mut index) = (0, 0);
        while index < moves.len() {
            weights += moves[index].weight;
            index += 1;
        }
        State { owes, moves, weights }
    }
}

#[derive(Debug)]
pub(super) struct Move {
    pub(super) kind: usize,
    /// The state that it leads to; from [`GONE`] the thing does not come back.
    pub(super) to: usize,
    /// How often it is made, compared with the others. One without weight is made when no other can be.
    pub(super) weight: u64,
    /// Whether a thing with this memory may make it.
    pub(super) may: fn(&Thing) -> bool,
    pub(super) tell: Tell,
}

/// The end of a life.
pub(super) const GONE: usize = usize::MAX;

/// A state in which a thing may be at the end.
pub(super) const fn free(moves: &'static [Move]) -> State {
    State::new(0, moves)
}

/// A state in which a thing owes so many events.
pub(super) const fn owing(owes: u64, moves: &'static [Move]) -> State {
    State::new(owes, moves)
}

/// A move that may always be made.
pub(super) const fn step(kind: usize, to: usize, weight: u64, tell: Tell) -> Move {
    Move { kind, to, weight, may: |_| true, tell }
}

/// The arguments of an event that names its thing only.
pub(super) fn own(thing: &mut Thing, _: &mut Random) -> Arguments {
    [thing.id(), 0, 0, 0]
}

/// The arguments of an event without any.
pub(super) fn none(_: &mut Thing, _: &mut Random) -> Arguments {
    [0; 4]
}

/// Tells the lives of a crowd of things.
pub(super) struct Lives {
    life: &'static Life,
    random: Random,
    things: Vec<Thing>,
    /// How many things there have been.
    begun: u64,
    /// What all things together owe.
    owed: u64,
    /// No thing before this place owes anything, once only debts are paid.
    paid: usize,
    /// The thing that breaks the property.
    culprit: Thing,
}

impl Lives {
    /// Begins the story of a life.
    pub(super) fn story(life: &'static Life, order: &Order, random: Random) -> Box<dyn Story> {
        let crowd = (order.events / 20).clamp(2, life.crowd.max(2));
        let things = (1..=crowd).map(Thing::new).collect();
        Box::new(Lives { life, random, things, begun: crowd, owed: 0, paid: 0, culprit: Thing::new(0) })
    }

    fn owes(&self, state: usize) -> u64 {
        self.life.states.get(state).map_or(0, |state| state.owes)
    }

    /// Whether what is owed after a move can be paid by the events after it.
    fn affordable(&self, from: usize, to: usize, left: u64) -> bool {
        self.owed + self.owes(to) < left + self.owes(from)
    }

    /// A move that a thing may make and that can be paid for: by chance, or else the first.
    fn choose(&mut self, place: usize, left: u64) -> Option<&'static Move> {
        let from = self.things[place].state;
        let State { moves, weights, .. } = self.life.states[from];
        let mut chance = self.random.below(weights);
        let drawn = moves.iter().find(|one| {
            let found = chance < one.weight;
            chance = chance.saturating_sub(one.weight);
            found
        });
        let allowed = |one: &&Move| (one.may)(&self.things[place]) && self.affordable(from, one.to, left);
        drawn.filter(allowed).or_else(|| moves.iter().find(allowed))
    }

    /// Lets a thing make a move.
    fn make(&mut self, place: usize, one: &Move) -> Row {
        let thing = &mut self.things[place];
        let values = (one.tell)(thing, &mut self.random);
        let from = std::mem::replace(&mut thing.state, one.to);
        if one.to == GONE {
            self.begun += 1;
            *thing = Thing::new(self.begun);
        }
        self.owed = self.owed + self.owes(one.to) - self.owes(from);
        Row::signed(one.kind, values)
    }

    /// Pays a debt: the first move of a thing that owes.
    fn pay(&mut self) -> Option<Row> {
        let life = self.life;
        let owing = |thing: &Thing| life.states[thing.state].owes > 0;
        self.paid += self.things.get(self.paid..)?.iter().position(owing)?;
        let first = life.states[self.things[self.paid].state].moves.first()?;
        Some(self.make(self.paid, first))
    }

    /// Something that a new thing may do whatever is owed.
    fn aside(&mut self, left: u64) -> Row {
        self.begun += 1;
        self.things.push(Thing::new(self.begun));
        let place = self.things.len() - 1;
        // Every life can begin with a move that owes nothing.
        let one = self.choose(place, left).unwrap_or(&self.life.states[0].moves[0]);
        let row = self.make(place, one);
        self.things.swap_remove(place);
        row
    }
}

impl Story for Lives {
    fn obey(&mut self, left: u64) -> Row {
        if self.owed >= left
            && let Some(row) = self.pay()
        {
            return row;
        }
        let place = self.random.index(self.things.len());
        match self.choose(place, left) {
            Some(one) => self.make(place, one),
            None => self.aside(left),
        }
    }

    fn breach(&mut self, step: u64) -> Row {
        if step == 0 {
            self.begun += 1;
            self.culprit = Thing::new(self.begun);
        }
        let last = self.life.breach.len().saturating_sub(1);
        let at = usize::try_from(step).map_or(last, |step| step.min(last));
        let (kind, tell) = self.life.breach[at];
        Row::signed(kind, tell(&mut self.culprit, &mut self.random))
    }
}
