//! Handlers: what happens at a point that has exactly one event, as straight code over slots.
//!
//! ```text
//!   access(u,f) ─▶ 0  probe V0 by slot 0, there: on at 2
//!                  1  report u, f
//!                  2  probe V1 by slot 1, there: on at 4
//!                  3  report u, f
//!   frame           │ arguments of the event │ registers of scans │ constants │
//! ```
//!
//! A shape of events has one handler, made when the shape comes first: where the event's arguments are, which patterns it
//! can match, and that nothing else happens at the point is known then, so most of what a plan asks is decided before
//! any event comes (see [`crate::fo::code::codegen`]). What the code does not cover stays with the unit's plans, as a whole: the
//! handler pauses, and the program runs the unit. **A handler does what the units that it stands for would do.**
//!
//! Cost: a few nanoseconds per instruction, and the memory that it touches.

use referee_spec::core::Comparison;
use referee_trace::values::Atom;

use crate::fo::code::peephole;
use crate::fo::code::prefetch::{self, Glance};
use crate::fo::run::set_ops::SetUse;
use crate::fo::run::world::orders;
use crate::fo::store::Store;
use crate::fo::store::lookup::NONE;
use crate::fo::store::table::Row;
use crate::fo::types::ViewId;

use crate::fo::code::bytecode::{Keyed, Step, Walked};
pub use crate::fo::code::instruction::{
    ASKS, Asked, Bound, CONSTANT, CURSORS, ChangeScan, Frame, HOLE, Key, Older, Op, REGISTER, RelayUse, SLOTS, Scan,
    Slot, StampPair,
};

/// What happens at a point with one event of a shape.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Handler {
    /// The instructions.
    pub ops: Vec<Op>,
    /// The same as they are run, once all is prepared.
    steps: Vec<Step>,
    /// What its events will ask for.
    pub glances: Vec<Glance>,
    /// The scans.
    pub scans: Vec<Scan>,
    /// The pairs of stamps.
    pub stamps: Vec<StampPair>,
    /// The goals that something has to come before.
    pub relays: Vec<RelayUse>,
    /// The sets that rows may grow by, or that may be empty.
    pub sets: Vec<SetUse>,
    /// The rows that have changed, and are gone through.
    pub changes: Vec<ChangeScan>,
    /// The events of the point that are asked for.
    pub asked: Vec<Asked>,
    /// Views of which one must have changed.
    pub watched: Vec<Vec<ViewId>>,
    /// The check and the slot of each binding.
    pub reports: Vec<(usize, Vec<Option<Slot>>)>,
}

impl Handler {
    /// Whether it may find a violation, or leaves something to others.
    pub fn tells(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::Report(_) | Op::Settle(_) | Op::Unit(_)))
    }

    /// Takes shortcuts if it may, lets the tables keep what its scans ask for, writes the steps, and notes what its events will ask for.
    pub fn prepare(&mut self, store: &mut Store, shortens: bool) {
        if shortens {
            peephole::take(self, store);
        }
        for scan in &mut self.scans {
            if let (Some(bound), Some((index, _))) = (&scan.bound, scan.index)
                && !store.tables[scan.table].keep_ranges(index, bound.column)
            {
                scan.bound = None;
            }
        }
        self.steps = self.ops.iter().map(Step::of).collect();
        self.glances = prefetch::glances(self, |view| store.tables[view].may_scatter());
    }

    /// The arguments of the event that it reads, if it does all by itself.
    pub fn arguments(&self) -> impl Iterator<Item = usize> {
        let mut slots = Vec::new();
        for op in &self.ops {
            match op {
                Op::Equal { one, other, .. } => slots.extend([*one, *other]),
                Op::Order { left, right, .. } => slots.extend([*left, *right]),
                Op::Join { key, .. } | Op::Joined { key, .. } => slots.extend(key.slots()),
                Op::Probe { key, .. } | Op::Make { key, .. } | Op::Break { key, .. } | Op::Doom { key } => {
                    slots.extend(key.slots());
                }
                Op::Find { key, .. }
                | Op::BreakFound { key, .. }
                | Op::MakeFound { key, .. }
                | Op::MakeNew { key, .. } => {
                    slots.extend(key.slots());
                }
                Op::Meet { key, .. } | Op::Fail { key, .. } | Op::Open { key, .. } | Op::BreakAtOnce { key, .. } => {
                    slots.extend(key.slots());
                }
                Op::Pass(_) | Op::Relay(_) | Op::Settle(_) => {}
                Op::Member { key, value, .. } => slots.extend(key.slots().chain([*value])),
                Op::Grow { key, .. } => slots.extend(key.slots()),
                Op::Stamps { .. } | Op::Scan { .. } | Op::Next { .. } | Op::Changed { .. } => {}
                Op::Walk { values, .. } => slots.extend(values.slots()),
                Op::FindOrMake { key, .. } | Op::FindAndBreak { key, .. } => slots.extend(key.slots()),
                Op::WalkOn { .. } => {}
                Op::Inhabited { .. } | Op::FirstChange { .. } | Op::NextChange { .. } => {}
                Op::Ask { asked, .. } => {
                    slots.extend(self.asked[*asked as usize].equals.iter().map(|(_, slot)| *slot));
                }
                Op::Filled { .. } => {}
                Op::Jump(_) | Op::Advance(_) | Op::BreakDoomed { .. } | Op::Report(_) | Op::Unit(_) => {}
            }
        }
        for scan in &self.scans {
            slots.extend(scan.index.iter().flat_map(|(_, key)| key.slots()));
            slots.extend(scan.key.iter().flat_map(|key| key.slots()));
            slots.extend(scan.older.iter().flat_map(|older| older.last.1.slots()));
            slots.extend(scan.equals.iter().map(|(_, slot)| *slot).chain(scan.member));
            slots.extend(scan.bound.iter().map(|bound| bound.slot));
        }
        slots.extend(self.stamps.iter().flat_map(|pair| pair.last.1.slots().chain(pair.first.1.slots())));
        slots.extend(self.sets.iter().flat_map(SetUse::slots));
        slots.extend(self.relays.iter().flat_map(|relay| relay.key.slots().chain(relay.before.1.slots())));
        slots.into_iter().map(usize::from).filter(|slot| *slot < REGISTER)
    }
}

/// Why a handler stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// All is done.
    Done,
    /// Violations that wait are to be noted; then it goes on.
    Reports { at: u32 },
    /// Violations of a demand are to be told; then it goes on.
    Broken { demand: u32, at: u32 },
    /// A unit is to be run; then it goes on.
    Unit { unit: u32, at: u32 },
    /// The program answers what an instruction asks.
    Asks { op: u32 },
}

impl Store {
    /// Runs a handler from an instruction on.
    #[inline(never)]
    pub fn run(&mut self, handler: &Handler, at: usize) -> Pause {
        self.run_here(handler, at)
    }

    /// The same within the loop over events: to call it takes longer than many handlers do.
    ///
    /// All kinds of steps are named, so that no range has to be checked before the jump.
    #[inline(always)]
    pub fn run_here(&mut self, handler: &Handler, mut at: usize) -> Pause {
        let steps = &handler.steps[..];
        while let Some(step) = steps.get(at) {
            at += 1;
            let (passes, to) = match *step {
                Step::Equal { one, other, same, to } => ((self.word(one) == self.word(other)) == same, to),
                Step::Order { how, left, right, there, to, otherwise } => {
                    match self.order((how, left, right), there, to, otherwise) {
                        Some(outcome) => outcome,
                        None => return Pause::Asks { op: at as u32 - 1 },
                    }
                }
                Step::Probe1 { key, there, all, to } => (self.probe(key, all) == there, to),
                Step::Probe2 { key, there, all, to } => (self.probe(key, all) == there, to),
                Step::Probe3 { key, there, all, to } => (self.probe(key, all) == there, to),
                Step::Find1 { key, there, to } => (self.find(key) == there, to),
                Step::Find2 { key, there, to } => (self.find(key) == there, to),
                Step::FindOrMake1 { key, to } => (self.find_or_make(key), to),
                Step::FindOrMake2 { key, to } => (self.find_or_make(key), to),
                Step::FindAndBreak1 { key, to } => (!self.find_and_break(key), to),
                Step::FindAndBreak2 { key, to } => (!self.find_and_break(key), to),
                Step::Walk1 { values, walked, to } => (self.walk(values, walked), to),
                Step::Walk2 { values, walked, to } => (self.walk(values, walked), to),
                Step::WalkOn { table, walked, body, to } => {
                    at = if self.walk_on(table as usize, walked) { body } else { to } as usize;
                    continue;
                }
                Step::Jump(to) => (false, to),
                Step::Filled { table, to } => (self.tables[table as usize].len() > 0, to),
                Step::Changed { views, to } => (self.has_changed(handler, views), to),
                Step::FirstChange { view, to } if !self.changes.has(view as usize) => (false, to),
                Step::Advance(view) => {
                    self.advance_window(view as usize);
                    continue;
                }
                Step::Make1(key) => {
                    self.make_words(key.table as usize, self.words(key));
                    continue;
                }
                Step::Make2(key) => {
                    self.make_words(key.table as usize, self.words(key));
                    continue;
                }
                Step::Make3(key) => {
                    self.make_words(key.table as usize, self.words(key));
                    continue;
                }
                Step::MakeFound1(key) => {
                    self.make_found_words(key.table as usize, self.words(key));
                    continue;
                }
                Step::MakeFound2(key) => {
                    self.make_found_words(key.table as usize, self.words(key));
                    continue;
                }
                Step::MakeNew1(key) => {
                    self.make_new(key);
                    continue;
                }
                Step::MakeNew2(key) => {
                    self.make_new(key);
                    continue;
                }
                Step::Break1(key) => {
                    self.break_words(key.table as usize, self.words(key));
                    continue;
                }
                Step::Break2(key) => {
                    self.break_words(key.table as usize, self.words(key));
                    continue;
                }
                Step::Break3(key) => {
                    self.break_words(key.table as usize, self.words(key));
                    continue;
                }
                Step::BreakFound1(key) => {
                    self.break_found(key.table as usize, self.words(key));
                    continue;
                }
                Step::BreakFound2(key) => {
                    self.break_found(key.table as usize, self.words(key));
                    continue;
                }
                Step::Demand | Step::FirstChange { .. } | Step::Other => {
                    let next = match step {
                        Step::Demand => self.run_demands(handler, at - 1),
                        _ => self.run_other(handler, at - 1),
                    };
                    match next {
                        Ok(next) => at = next,
                        Err(pause) => return pause,
                    }
                    continue;
                }
            };
            if !passes {
                at = to as usize;
            }
        }
        if self.waiting.rows > 0 { Pause::Reports { at: at as u32 } } else { Pause::Done }
    }

    /// Runs instructions that most handlers do not have, or rarely come to, from one on: apart, so that what they need is not made
    /// ready for every event. Tells where the handler goes on.
    #[inline(never)]
    fn run_other(&mut self, handler: &Handler, mut at: usize) -> Result<usize, Pause> {
        while let Some(op) = handler.ops.get(at) {
            at += 1;
            let (passes, to) = match *op {
                Op::Order { how, left, right, there, to, otherwise } => {
                    match self.order((how, left, right), there, to, otherwise) {
                        Some(outcome) => outcome,
                        None => return Err(Pause::Asks { op: at as u32 - 1 }),
                    }
                }
                Op::Joined { view, key, there, to } => {
                    let has = key.with(&self.frame, |words| self.has_joined(view as usize, words));
                    (has == there, to)
                }
                Op::Member { table, key, value, there, to } => {
                    (self.member(table as usize, key, self.frame[value as usize]) == there, to)
                }
                Op::Stamps { pair, there, to } => (self.stamps(handler, pair) == there, to),
                Op::Scan { scan, to } => (self.open(&handler.scans[scan as usize]), to),
                Op::Next { scan, body, to } => {
                    let goes_on = self.next(&handler.scans[scan as usize]);
                    at = if goes_on { body } else { to } as usize;
                    continue;
                }
                Op::Grow { view, key, set } => {
                    self.grow(view as usize, key, &handler.sets[set as usize]);
                    continue;
                }
                Op::Ask { .. } => return Err(Pause::Asks { op: at as u32 - 1 }),
                Op::Inhabited { set, there, to } => (self.is_inhabited(&handler.sets[set as usize]) == there, to),
                Op::FirstChange { scan, to, .. } => {
                    self.marks[scan as usize] = 0;
                    (self.next_change(scan as usize, &handler.changes[scan as usize]), to)
                }
                Op::NextChange { scan, body, to } => {
                    let goes_on = self.next_change(scan as usize, &handler.changes[scan as usize]);
                    at = if goes_on { body } else { to } as usize;
                    continue;
                }
                Op::Filled { table, to } => (self.tables[table as usize].len() > 0, to),
                Op::Advance(view) => {
                    self.advance_window(view as usize);
                    continue;
                }
                Op::Join { view, key } => {
                    self.with_key(key, |store, words| store.join_row(view as usize, words));
                    continue;
                }
                Op::Doom { key } => {
                    self.with_key(key, |store, words| store.doomed.extend_from_slice(words));
                    continue;
                }
                Op::BreakDoomed { view } => {
                    self.break_doomed(view as usize);
                    continue;
                }
                Op::Report(report) if self.is_late(handler, report) => continue,
                Op::Report(report) if self.waiting.has_room(report as usize) => {
                    self.wait_for_report(report as usize, &handler.reports[report as usize].1);
                    continue;
                }
                Op::Report(_) => return Err(Pause::Reports { at: at as u32 - 1 }),
                Op::Unit(unit) => return Err(Pause::Unit { unit, at: at as u32 }),
                Op::Jump(to) => (false, to),
                Op::Changed { views, to } => (self.has_changed(handler, views), to),
                Op::Probe { table, key, there, all, to } => {
                    (self.row(table as usize, key).is_some_and(|row| all || self.counts(table, row)) == there, to)
                }
                Op::Make { view, key } => {
                    self.make(view as usize, key);
                    continue;
                }
                // What else there is a step for is left to the loop that runs steps.
                _ if handler.steps[at - 1] != Step::Other => return Ok(at - 1),
                Op::Equal { one, other, same, to } => ((self.word(one) == self.word(other)) == same, to),
                Op::Find { table, key, there, to } => {
                    self.found = self.row(table as usize, key).unwrap_or(NONE);
                    ((self.found != NONE) == there, to)
                }
                Op::FindOrMake { table, key, to } => {
                    self.found = self.row(table as usize, key).unwrap_or(NONE);
                    let is_there = self.found != NONE;
                    if !is_there {
                        self.with_key(key, |store, words| store.make_found(table as usize, words));
                    }
                    (is_there, to)
                }
                Op::FindAndBreak { table, key, to } => {
                    self.found = self.row(table as usize, key).unwrap_or(NONE);
                    self.with_key(key, |store, words| store.break_row(table as usize, words));
                    (self.found == NONE, to)
                }
                Op::Walk { table, index, values, column, slot, cursor, to } => {
                    let first =
                        values.with(&self.frame, |values| self.tables[table as usize].first_of(index as usize, values));
                    (self.take_walked(table as usize, first, Walked { index, column, slot, cursor }), to)
                }
                Op::WalkOn { table, index, column, slot, cursor, body, to } => {
                    let goes_on = self.walk_on(table as usize, Walked { index, column, slot, cursor });
                    at = if goes_on { body } else { to } as usize;
                    continue;
                }
                Op::MakeFound { view, key } => {
                    self.with_key(key, |store, words| store.make_found(view as usize, words));
                    continue;
                }
                Op::MakeNew { view, key } => {
                    self.found = NONE;
                    self.with_key(key, |store, words| store.make_found(view as usize, words));
                    continue;
                }
                // Who has found a row can find it again.
                Op::Break { view, key } | Op::BreakFound { view, key } => {
                    self.with_key(key, |store, words| store.break_row(view as usize, words));
                    continue;
                }
                // They have steps, all of them.
                Op::Pass(_) | Op::Meet { .. } | Op::Relay(_) | Op::Fail { .. } => return Ok(at - 1),
                Op::Open { .. } | Op::BreakAtOnce { .. } | Op::Settle(_) => return Ok(at - 1),
            };
            if !passes {
                at = to as usize;
            }
        }
        Ok(at)
    }

    /// Runs instructions about demands on the future, from one on; tells where the handler goes on.
    #[inline(never)]
    fn run_demands(&mut self, handler: &Handler, mut at: usize) -> Result<usize, Pause> {
        while let Some(op) = handler.ops.get(at) {
            match op {
                Op::Pass(demand) => self.pass_deadlines(*demand as usize),
                Op::Meet { demand, key } => self.meet_demand(*demand as usize, *key),
                Op::Relay(relay) => self.relay(handler, *relay),
                Op::Fail { demand, key } => self.fail_demand(*demand as usize, *key),
                Op::Open { demand, key } => self.open_demand_of(*demand as usize, *key),
                Op::BreakAtOnce { demand, key } => {
                    self.with_key(*key, |store, words| store.break_demand(*demand as usize, words));
                }
                Op::Settle(demand) if self.demands[*demand as usize].broken.is_empty() => {
                    self.sweep_demands(*demand as usize);
                }
                Op::Settle(demand) => return Err(Pause::Broken { demand: *demand, at: at as u32 + 1 }),
                _ => break,
            }
            at += 1;
        }
        Ok(at)
    }

    /// Lets a violation wait for others.
    fn wait_for_report(&mut self, report: usize, slots: &[Option<Slot>]) {
        self.waiting.report = report;
        self.waiting.rows += 1;
        self.waiting.words.extend(slots.iter().flatten().map(|slot| self.frame[*slot as usize]));
    }

    /// Whether a violation comes behind the one that will be reported instead, as its first binding tells.
    #[inline(never)]
    fn is_late(&self, handler: &Handler, report: u32) -> bool {
        let (check, slots) = &handler.reports[report as usize];
        let first = slots.first().copied().flatten().map(|slot| Atom::from_word(self.frame[slot as usize]));
        first.and_then(Atom::as_integer).is_some_and(|first| first > self.bars[*check])
    }

    /// Calls `then` with the words of a key.
    #[inline(always)]
    pub fn with_key<R>(&mut self, key: Key, then: impl FnOnce(&mut Store, &[u64]) -> R) -> R {
        match key {
            Key::None => then(self, &[]),
            Key::One(one) => then(self, &[self.frame[one as usize]]),
            Key::Two(one, two) => then(self, &[self.frame[one as usize], self.frame[two as usize]]),
            Key::Three(one, two, three) => {
                then(self, &[self.frame[one as usize], self.frame[two as usize], self.frame[three as usize]])
            }
            Key::More(len, slots) => then(self, &slots.map(|slot| self.frame[slot as usize])[..len as usize]),
        }
    }

    /// The word in a slot.
    #[inline(always)]
    fn word(&self, slot: Slot) -> u64 {
        self.frame[slot as usize]
    }

    /// The words of a key.
    #[inline(always)]
    fn words<const WORDS: usize>(&self, key: Keyed<WORDS>) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        let mut at = 0;
        // Without an iterator, whose functions are not inlined into a loop as large as that of [`Store::run_here`].
        while at < WORDS {
            words[at] = self.frame[key.slots[at] as usize];
            at += 1;
        }
        words
    }

    /// Makes the row of a key, whatever it is.
    #[inline(never)]
    fn make(&mut self, view: ViewId, key: Key) {
        match key {
            Key::One(one) => self.make_words(view, [self.word(one)]),
            Key::Two(one, two) => self.make_words(view, [self.word(one), self.word(two)]),
            Key::Three(one, two, three) => self.make_words(view, [self.word(one), self.word(two), self.word(three)]),
            _ => self.with_key(key, |store, words| store.make_row(view, words)),
        }
    }

    /// Makes the row of a key that is not there.
    #[inline(always)]
    fn make_new<const WORDS: usize>(&mut self, key: Keyed<WORDS>) {
        self.found = NONE;
        self.make_found_words(key.table as usize, self.words(key));
    }

    /// Finds the row of a key, and tells whether there is one.
    #[inline(always)]
    fn find<const WORDS: usize>(&mut self, key: Keyed<WORDS>) -> bool {
        self.found = self.tables[key.table as usize].find_words(&self.words(key));
        self.found != NONE
    }

    /// Finds the row of a key, or makes it; tells whether there was one.
    #[inline(always)]
    fn find_or_make<const WORDS: usize>(&mut self, key: Keyed<WORDS>) -> bool {
        self.find_or_make_words(key.table as usize, self.words(key));
        self.found != NONE
    }

    /// Takes the row of a key out, and tells whether there was one.
    #[inline(always)]
    fn find_and_break<const WORDS: usize>(&mut self, key: Keyed<WORDS>) -> bool {
        let is_there = self.find(key);
        self.break_found(key.table as usize, self.words(key));
        is_there
    }

    /// Whether the row of a key is there, and counts now or `all` do.
    #[inline(always)]
    fn probe<const WORDS: usize>(&self, key: Keyed<WORDS>, all: bool) -> bool {
        let row = self.tables[key.table as usize].find_words(&self.words(key));
        row != NONE && (all || self.counts(u32::from(key.table), row))
    }

    /// Whether a row counts now.
    #[inline(always)]
    fn counts(&self, table: u32, row: Row) -> bool {
        self.tables[table as usize].is_true(row)
    }

    /// Begins to go through a group; tells whether there is a row.
    #[inline(always)]
    fn walk<const VALUES: usize>(&mut self, values: Keyed<VALUES>, walked: Walked) -> bool {
        let table = values.table as usize;
        let first = self.tables[table].first_words(walked.index as usize, &self.words(values));
        self.take_walked(table, first, walked)
    }

    /// Goes on to the next row of a group; tells whether there is one.
    #[inline(always)]
    fn walk_on(&mut self, table: ViewId, walked: Walked) -> bool {
        let row = self.cursors[walked.cursor as usize % CURSORS];
        let next = self.tables[table].behind(walked.index as usize, row);
        self.take_walked(table, next, walked)
    }

    /// Notes a row of a walk, and one of its columns; tells whether there is one.
    #[inline(always)]
    fn take_walked(&mut self, table: ViewId, row: Row, walked: Walked) -> bool {
        if row == NONE {
            return false;
        }
        self.frame[walked.slot as usize] = self.tables[table].word(row, walked.column as usize);
        self.cursors[walked.cursor as usize % CURSORS] = row;
        true
    }

    /// The row of a table with a key, whatever it is.
    #[inline(always)]
    pub fn row(&self, table: ViewId, key: Key) -> Option<Row> {
        let table = &self.tables[table];
        let row = match key {
            Key::One(one) => table.find_words(&[self.word(one)]),
            Key::Two(one, two) => table.find_words(&[self.word(one), self.word(two)]),
            _ => key.with(&self.frame, |words| table.find(words)).unwrap_or(NONE),
        };
        (row != NONE).then_some(row)
    }

    fn member(&self, table: ViewId, key: Key, value: u64) -> bool {
        let row = self.row(table, key).filter(|row| self.tables[table].is_true(*row));
        row.and_then(|row| self.tables[table].set(row)).is_some_and(|set| set.has(value))
    }

    /// Whether a comparison passes, and where it leads if it does not; nothing if the program has to decide that.
    #[inline(always)]
    fn order(
        &self,
        (how, left, right): (Comparison, Slot, Slot),
        there: bool,
        to: u32,
        otherwise: u32,
    ) -> Option<(bool, u32)> {
        match self.orders(how, left, right) {
            Some(holds) => Some((holds == there, to)),
            None => (otherwise != ASKS).then_some((false, otherwise)),
        }
    }

    /// Whether two integers compare; nothing if one is none.
    #[inline(always)]
    fn orders(&self, how: Comparison, left: Slot, right: Slot) -> Option<bool> {
        let integer = |slot: Slot| Atom::from_word(self.frame[slot as usize]).as_integer();
        Some(orders(how, integer(left)?.cmp(&integer(right)?)))
    }

    #[inline(never)]
    fn stamps(&self, handler: &Handler, pair: u32) -> bool {
        let pair = &handler.stamps[pair as usize];
        let stamp = |(table, key): (ViewId, Key)| self.row(table, key).map(|row| self.tables[table].stamp(row));
        match (stamp(pair.last), stamp(pair.first)) {
            (Some(limit), Some(since)) => since + u64::from(pair.delayed) <= limit,
            _ => false,
        }
    }

    /// Whether one of some views has changed at this point.
    #[inline(always)]
    fn has_changed(&self, handler: &Handler, views: u32) -> bool {
        handler.watched[views as usize].iter().any(|view| self.changes.has(*view))
    }

    #[inline(never)]
    fn relay(&mut self, handler: &Handler, relay: u32) {
        let relay = &handler.relays[relay as usize];
        let (table, before) = relay.before;
        let last = self.row(table, before);
        self.with_key(relay.key, |store, words| store.relay_demand(relay.demand, words, table, last));
    }

    /// Finds the first row of a scan.
    #[inline(always)]
    fn open(&mut self, scan: &Scan) -> bool {
        if let Some(Older { last: (table, key), .. }) = &scan.older {
            let Some(row) = self.row(*table, *key) else { return false };
            self.limits[scan.cursor] = self.tables[*table].stamp(row);
        }
        let first = match (scan.key, scan.index) {
            (Some(key), _) => self.row(scan.table, key),
            (None, Some((index, values))) => {
                let table = &self.tables[scan.table];
                let first = values.with(&self.frame, |values| table.first(index, values));
                first.filter(|first| self.may_fit(scan, index, *first))
            }
            (None, None) => self.tables[scan.table].rows().next(),
        };
        self.seek(scan, first)
    }

    /// Whether some row of a group may compare as a scan wants it.
    #[inline(always)]
    fn may_fit(&self, scan: &Scan, index: usize, first: Row) -> bool {
        let Some(Bound { how, slot, there, .. }) = &scan.bound else { return true };
        let value = Atom::from_word(self.frame[*slot as usize]).as_integer();
        value.is_none_or(|value| self.tables[scan.table].may(index, first, *how, value, *there))
    }

    /// Finds the next row of a scan.
    #[inline(always)]
    fn next(&mut self, scan: &Scan) -> bool {
        let next = self.behind(scan, self.cursors[scan.cursor]);
        self.seek(scan, next)
    }

    #[inline(always)]
    fn behind(&self, scan: &Scan, row: Row) -> Option<Row> {
        match (scan.key, scan.index) {
            (Some(_), _) => None,
            (None, Some((index, _))) => self.tables[scan.table].next(index, row),
            (None, None) => self.tables[scan.table].rows_after(row).next(),
        }
    }

    /// Finds the first row that fits, from one on.
    #[inline(always)]
    fn seek(&mut self, scan: &Scan, next: Option<Row>) -> bool {
        match (scan.takes_all, next) {
            (_, None) => false,
            (true, Some(row)) => {
                self.take(scan, row);
                true
            }
            (false, next) => self.seek_fitting(scan, next),
        }
    }

    /// Notes a row of a scan, and stores what it binds.
    #[inline(always)]
    fn take(&mut self, scan: &Scan, row: Row) {
        self.cursors[scan.cursor] = row;
        let key = self.tables[scan.table].key(row);
        scan.binds.iter().for_each(|(column, slot)| self.frame[*slot as usize] = key[*column]);
    }

    fn seek_fitting(&mut self, scan: &Scan, mut next: Option<Row>) -> bool {
        while let Some(row) = next {
            if let Some(Older { delayed, unless, .. }) = &scan.older {
                if self.tables[scan.table].stamp(row) + u64::from(*delayed) > self.limits[scan.cursor] {
                    return false;
                }
                if let Some(after) = self.behind_barred(scan, row) {
                    next = after;
                    continue;
                }
                if let (Some((table, columns)), Some((index, _))) = (unless, scan.index)
                    && self.is_settled(scan.table, row, *table, columns)
                {
                    next = self.behind(scan, row);
                    self.tables[scan.table].skip(index, row);
                    continue;
                }
            }
            if self.fits(scan, row) {
                return true;
            }
            next = self.behind(scan, row);
        }
        false
    }

    /// If what a row leads to comes behind the violation that will be reported: the next row of which that cannot be
    /// said.
    #[inline(always)]
    fn behind_barred(&self, scan: &Scan, row: Row) -> Option<Option<Row>> {
        let ((column, check), (index, _)) = (scan.bar?, scan.index?);
        let bar = self.bars[check];
        if bar == i64::MAX {
            return None;
        }
        let next = self.tables[scan.table].behind_barred(index, row, column, bar, self.limits[scan.cursor]);
        (next != Some(row)).then_some(next)
    }

    /// Whether a table has a row whose key are some columns of another one's row.
    #[inline(always)]
    fn is_settled(&self, of: ViewId, row: Row, table: ViewId, columns: &[usize]) -> bool {
        let key = self.tables[of].key(row);
        match *columns {
            [column] => self.tables[table].find(&[key[column]]).is_some(),
            _ => {
                let mut words = [0; crate::fo::types::REGISTERS];
                for (word, column) in words.iter_mut().zip(columns) {
                    *word = key[*column];
                }
                self.tables[table].find(&words[..columns.len()]).is_some()
            }
        }
    }

    /// Whether a row is one that a scan looks for; what it binds is stored.
    #[inline(always)]
    fn fits(&mut self, scan: &Scan, row: Row) -> bool {
        let table = &self.tables[scan.table];
        let key = table.key(row);
        let fits = (scan.all || table.is_true(row))
            && scan.equals.iter().all(|(column, slot)| key[*column] == self.frame[*slot as usize]);
        if !fits {
            return false;
        }
        self.take(scan, row);
        let set = self.tables[scan.table].set(row);
        scan.member.is_none_or(|value| set.is_some_and(|set| set.has(self.frame[value as usize])))
    }

    /// Finds the next row that has changed, and stores what it binds.
    #[inline(always)]
    fn next_change(&mut self, number: usize, scan: &ChangeScan) -> bool {
        let changes = self.changes.of(scan.view);
        while let Some(key) = changes[self.marks[number] as usize..].get(..scan.width) {
            self.marks[number] += scan.width as u32;
            scan.binds.iter().for_each(|(column, slot)| self.frame[*slot as usize] = key[*column]);
            if scan.equals.iter().all(|(column, slot)| key[*column] == self.frame[*slot as usize]) {
                return true;
            }
        }
        false
    }
}
