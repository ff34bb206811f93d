//! What handlers run on: the store, and the words, cursors and notes that instructions share.
//!
//! ```text
//!   Executor   store ────────── tables, windows, demands
//!              frame ────────── │ arguments of the event │ registers of scans │ constants │
//!              cursors ──────── where scans are
//!              found, pending_removals, waiting, gathered: what one instruction leaves to a later one
//! ```
//!
//! This file has what single instructions do with rows; [`handler_loop`](super::handler_loop) runs one instruction after the other,
//! [`scan`](super::scan) goes through rows, and [`set_ops`](super::set_ops) works on sets.

use referee_spec::core::Comparison;
use referee_trace::values::Atom;

use crate::fo::code::handler::Handler;
use crate::fo::code::instruction::{ASK_PROGRAM, Keyed, Walked};
use crate::fo::code::key::{CURSORS, Frame, SLOTS, Slot, SlotKey};
use crate::fo::run::gathered::Gathered;
use crate::fo::store::RowStore;
use crate::fo::store::lookup::NONE;
use crate::fo::store::row::Row;
use crate::fo::types::store_shape::StoreShape;
use crate::fo::types::{ViewId, orders};

/// The store, and what handlers work on.
pub(crate) struct Executor {
    /// The tables.
    pub store: RowStore,
    /// The first binding of the violation of this point that will be reported, by check, if there is one only and the
    /// binding is an integer; the greatest integer otherwise.
    pub report_bounds: Vec<i64>,
    /// What a handler has found and nobody has noted yet.
    pub waiting: Waiting,
    /// The keys of rows that go when their table has been gone through.
    pub pending_removals: Vec<u64>,
    /// The row that a handler has found and will insert or remove, or [`NONE`].
    pub found: Row,
    /// The values that sets lack, which rows may share.
    pub gathered: Gathered,
    /// What handlers work on.
    pub frame: Frame,
    /// Where the scans of handlers are.
    pub cursors: [Row; CURSORS],
    /// Up to which stamp the scans of handlers go.
    pub limits: [u64; CURSORS],
    /// Behind which words of what has changed the scans of handlers are.
    pub marks: [u32; CURSORS],
}

/// Rows of one report of a handler. They wait for each other: an interruption costs more than a row.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// The report.
    pub report: usize,
    /// How many rows there are.
    pub rows: usize,
    /// Their words, row after row.
    pub words: Vec<u64>,
}

impl Waiting {
    /// How many rows wait at the most.
    const MOST: usize = 1024;

    /// Whether a row of a report can wait with the others.
    #[inline(always)]
    pub(crate) fn has_room(&self, report: usize) -> bool {
        self.rows == 0 || (self.report == report && self.rows < Waiting::MOST)
    }
}

impl Executor {
    /// Lets the tables keep what the scans of a handler compare with; scans whose tables cannot do without.
    pub(crate) fn link(&mut self, handler: &mut Handler) {
        for scan in &mut handler.scans {
            if let (Some(bound), Some((index, _))) = (&scan.bound, scan.index)
                && !self.store.tables[scan.table].keep_ranges(index, bound.column)
            {
                scan.bound = None;
            }
        }
    }

    /// Empty tables, and a program with so many checks.
    pub(crate) fn new(shape: &StoreShape, checks: usize) -> Executor {
        Executor {
            store: RowStore::new(shape),
            report_bounds: vec![i64::MAX; checks],
            waiting: Waiting::default(),
            pending_removals: Vec::new(),
            found: NONE,
            gathered: Gathered::default(),
            frame: [0; SLOTS],
            cursors: [0; CURSORS],
            limits: [0; CURSORS],
            marks: [0; CURSORS],
        }
    }

    /// Lets a violation wait for others.
    pub(super) fn wait_for_report(&mut self, report: usize, slots: &[Option<Slot>]) {
        self.waiting.report = report;
        self.waiting.rows += 1;
        self.waiting.words.extend(slots.iter().flatten().map(|slot| self.frame[*slot as usize]));
    }

    /// Whether a violation comes behind the one that will be reported instead, as its first binding tells.
    #[inline(never)]
    pub(super) fn is_late(&self, handler: &Handler, report: u32) -> bool {
        let (check, slots) = &handler.reports[report as usize];
        let first = slots.first().copied().flatten().map(|slot| Atom::from_word(self.frame[slot as usize]));
        first.and_then(Atom::as_integer).is_some_and(|first| first > self.report_bounds[*check])
    }

    /// Calls `then` with the words of a key.
    #[inline(always)]
    pub(crate) fn with_key<R>(&mut self, key: SlotKey, then: impl FnOnce(&mut Executor, &[u64]) -> R) -> R {
        match key {
            SlotKey::None => then(self, &[]),
            SlotKey::One(one) => then(self, &[self.frame[one as usize]]),
            SlotKey::Two(one, two) => then(self, &[self.frame[one as usize], self.frame[two as usize]]),
            SlotKey::Three(one, two, three) => {
                then(self, &[self.frame[one as usize], self.frame[two as usize], self.frame[three as usize]])
            }
            SlotKey::More(len, slots) => then(self, &slots.map(|slot| self.frame[slot as usize])[..len as usize]),
        }
    }

    /// The word in a slot.
    #[inline(always)]
    pub(super) fn word(&self, slot: Slot) -> u64 {
        self.frame[slot as usize]
    }

    /// The words of a key.
    #[inline(always)]
    pub(super) fn words<const WORDS: usize>(&self, key: Keyed<WORDS>) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        let mut at = 0;
        // Without an iterator, whose functions are not inlined into a loop as large as that of [`Executor::run_here`].
        while at < WORDS {
            words[at] = self.frame[key.slots[at] as usize];
            at += 1;
        }
        words
    }

    /// Inserts the row of a key of any width.
    #[inline(never)]
    pub(super) fn insert(&mut self, view: ViewId, key: SlotKey) {
        match key {
            SlotKey::One(one) => self.store.insert_words(view, [self.word(one)]),
            SlotKey::Two(one, two) => self.store.insert_words(view, [self.word(one), self.word(two)]),
            SlotKey::Three(one, two, three) => {
                self.store.insert_words(view, [self.word(one), self.word(two), self.word(three)])
            }
            _ => self.with_key(key, |executor, words| executor.store.insert_row(view, words)),
        }
    }

    /// Inserts the row of a key that is not there.
    #[inline(always)]
    pub(super) fn insert_new<const WORDS: usize>(&mut self, key: Keyed<WORDS>) {
        self.store.insert_found_words(key.table as usize, self.words(key), NONE);
    }

    /// Finds the row of a key, and tells whether there is one.
    #[inline(always)]
    pub(super) fn find<const WORDS: usize>(&mut self, key: Keyed<WORDS>) -> bool {
        self.found = self.store.tables[key.table as usize].find_words(&self.words(key));
        self.found != NONE
    }

    /// Finds the row of a key, or inserts it; tells whether there was one.
    #[inline(always)]
    pub(super) fn find_or_insert<const WORDS: usize>(&mut self, key: Keyed<WORDS>) -> bool {
        self.found = self.store.find_or_insert_words(key.table as usize, self.words(key));
        self.found != NONE
    }

    /// Takes the row of a key out, and tells whether there was one.
    #[inline(always)]
    pub(super) fn find_and_remove<const WORDS: usize>(&mut self, key: Keyed<WORDS>) -> bool {
        let is_there = self.find(key);
        self.store.remove_found(key.table as usize, self.words(key), self.found);
        is_there
    }

    /// Whether the row of a key is there, and counts now or `all` do.
    #[inline(always)]
    pub(super) fn probe<const WORDS: usize>(&self, key: Keyed<WORDS>, all: bool) -> bool {
        let row = self.store.tables[key.table as usize].find_words(&self.words(key));
        row != NONE && (all || self.counts(u32::from(key.table), row))
    }

    /// Whether a row counts now.
    #[inline(always)]
    pub(super) fn counts(&self, table: u32, row: Row) -> bool {
        self.store.tables[table as usize].is_true(row)
    }

    /// Begins to go through a group; tells whether there is a row.
    #[inline(always)]
    pub(super) fn walk<const VALUES: usize>(&mut self, values: Keyed<VALUES>, walked: Walked) -> bool {
        let table = values.table as usize;
        let first = self.store.tables[table].first_words(walked.index as usize, &self.words(values));
        self.take_walked(table, first, walked)
    }

    /// Goes on to the next row of a group; tells whether there is one.
    #[inline(always)]
    pub(super) fn walk_on(&mut self, table: ViewId, walked: Walked) -> bool {
        let row = self.cursors[walked.cursor as usize % CURSORS];
        let next = self.store.tables[table].behind(walked.index as usize, row);
        self.take_walked(table, next, walked)
    }

    /// Notes a row of a walk, and one of its columns; tells whether there is one.
    #[inline(always)]
    pub(super) fn take_walked(&mut self, table: ViewId, row: Row, walked: Walked) -> bool {
        if row == NONE {
            return false;
        }
        self.frame[walked.slot as usize] = self.store.tables[table].word(row, walked.column as usize);
        self.cursors[walked.cursor as usize % CURSORS] = row;
        true
    }

    /// The row of a table with a key, whatever it is.
    #[inline(always)]
    pub(crate) fn row(&self, table: ViewId, key: SlotKey) -> Option<Row> {
        let table = &self.store.tables[table];
        let row = match key {
            SlotKey::One(one) => table.find_words(&[self.word(one)]),
            SlotKey::Two(one, two) => table.find_words(&[self.word(one), self.word(two)]),
            _ => key.with(&self.frame, |words| table.find(words)).unwrap_or(NONE),
        };
        (row != NONE).then_some(row)
    }

    pub(super) fn member(&self, table: ViewId, key: SlotKey, value: u64) -> bool {
        let row = self.row(table, key).filter(|row| self.store.tables[table].is_true(*row));
        row.and_then(|row| self.store.tables[table].set(row)).is_some_and(|set| set.has(value))
    }

    /// Whether a comparison passes, and where it leads if it does not; nothing if the program has to decide that.
    #[inline(always)]
    pub(super) fn order(
        &self,
        (how, left, right): (Comparison, Slot, Slot),
        there: bool,
        to: u32,
        otherwise: u32,
    ) -> Option<(bool, u32)> {
        match self.orders(how, left, right) {
            Some(holds) => Some((holds == there, to)),
            None => (otherwise != ASK_PROGRAM).then_some((false, otherwise)),
        }
    }

    /// Whether two integers compare; nothing if one is none.
    #[inline(always)]
    pub(super) fn orders(&self, how: Comparison, left: Slot, right: Slot) -> Option<bool> {
        let integer = |slot: Slot| Atom::from_word(self.frame[slot as usize]).as_integer();
        Some(orders(how, integer(left)?.cmp(&integer(right)?)))
    }

    #[inline(never)]
    pub(super) fn stamps(&self, handler: &Handler, pair: u32) -> bool {
        let pair = &handler.stamps[pair as usize];
        let stamp =
            |(table, key): (ViewId, SlotKey)| self.row(table, key).map(|row| self.store.tables[table].stamp(row));
        match (stamp(pair.last), stamp(pair.first)) {
            (Some(limit), Some(since)) => since + u64::from(pair.delayed) <= limit,
            _ => false,
        }
    }

    /// Whether one of some views has changed at this point.
    #[inline(always)]
    pub(super) fn has_changed(&self, handler: &Handler, views: u32) -> bool {
        handler.watched[views as usize].iter().any(|view| self.store.changes.has(*view))
    }

    #[inline(never)]
    pub(super) fn relay(&mut self, handler: &Handler, relay: u32) {
        let relay = &handler.relays[relay as usize];
        let (table, before) = relay.before;
        let last = self.row(table, before);
        self.with_key(relay.key, |executor, words| executor.store.relay_demand(relay.demand, words, table, last));
    }

    /// Removes the rows of a table that were noted to go.
    pub(crate) fn remove_pending(&mut self, view: ViewId) {
        let mut pending = std::mem::take(&mut self.pending_removals);
        self.store.remove_rows(view, &pending);
        pending.clear();
        self.pending_removals = pending;
    }

    /// The goal of a row of a demand is reached.
    #[inline(always)]
    pub(crate) fn meet_demand(&mut self, demand: usize, key: SlotKey) {
        if let Some(row) = self.row(self.store.view_of_demand(demand), key) {
            self.store.demands[demand].meet(row);
        }
    }

    /// What must hold of a row of a demand fails.
    #[inline(always)]
    pub(crate) fn fail_demand(&mut self, demand: usize, key: SlotKey) {
        if let Some(row) = self.row(self.store.view_of_demand(demand), key) {
            self.store.demands[demand].fail(row);
        }
    }

    /// A row of a demand is opened, by the slots of its key.
    #[inline(always)]
    pub(crate) fn open_demand_of(&mut self, demand: usize, key: SlotKey) {
        let (frame, table) = (&self.frame, self.store.demanded_by(demand));
        let word = |slot: Slot| frame[slot as usize];
        let row = match key {
            SlotKey::One(one) => table.insert_words(&[word(one)]),
            SlotKey::Two(one, two) => table.insert_words(&[word(one), word(two)]),
            key => return self.with_key(key, |executor, words| executor.store.open_demand(demand, words)),
        };
        self.store.open_row(demand, row);
    }
}
