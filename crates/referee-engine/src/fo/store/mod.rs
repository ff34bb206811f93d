//! What a program remembers between two events, and how rows come and go.
//!
//! ```text
//!   RowStore     tables ── a row table per view: rows by keys, with indexes
//!             windows ─ what lets rows of a view come and go in time
//!             joins ─── windows that are joined when they are asked for
//!             demands ─ what must still come true
//!             changes ─ the rows that have come or gone at this point
//! ```
//!
//! The store is made from a [`StoreShape`]. It knows neither plans nor instructions: whoever runs them names views and keys.

pub(crate) mod changes;
pub(crate) mod clock;
mod codec;
pub(crate) mod demand;
pub(crate) mod fetch;
mod forget;
pub(crate) mod index;
pub(crate) mod join;
pub(crate) mod lookup;
pub(crate) mod per_point;
mod raw_table;
pub(crate) mod row;
pub(crate) mod sets;
pub(crate) mod table;
pub(crate) mod window;
pub(crate) mod words;

use referee_trace::number::Number;

use crate::fo::store::changes::Changes;
use crate::fo::store::demand::Demands;
use crate::fo::store::join::Joined;
use crate::fo::store::lookup::NONE;
use crate::fo::store::row::Row;
use crate::fo::store::table::{RowPolicy, RowTable};
use crate::fo::store::window::{NewestWindow, QueueWindow, RowWindow};
use crate::fo::types::ViewId;
use crate::fo::types::store_shape::{Storage, StoreShape, TableShape, WindowShape};

/// The tables of a program, and the point that is being judged.
pub(crate) struct RowStore {
    /// The tables, by view.
    pub tables: Vec<RowTable>,
    /// What keeps the rows of views that are windows in time.
    pub windows: Vec<Option<RowWindow>>,
    /// What windows are joined with that have no rows, by view.
    pub joins: Vec<Option<Box<Joined>>>,
    /// The windows that are joined with the rows of each view.
    joined: Vec<Vec<ViewId>>,
    /// The open demands on the future, by demand.
    pub demands: Vec<Demands>,
    /// The view with the rows of each demand.
    demanded: Vec<ViewId>,
    /// Whether each demand speaks of the next point, and has to be asked for then.
    awaited: Vec<bool>,
    /// What has changed at this point.
    pub changes: Changes,
    /// The number of the point; 0 before the first.
    pub point: u64,
    /// Its time.
    pub time: Number,
}

impl RowStore {
    /// Empty tables.
    pub(crate) fn new(shape: &StoreShape) -> RowStore {
        let StoreShape { tables, demands } = shape;
        RowStore {
            tables: tables.iter().map(table).collect(),
            windows: tables.iter().map(window).collect(),
            joins: tables.iter().map(|table| table.join.as_ref().map(|join| Box::new(Joined::new(join)))).collect(),
            joined: tables.iter().map(|table| table.joined_by.clone()).collect(),
            demands: demands.iter().cloned().map(Demands::new).collect(),
            demanded: demands.iter().map(|demand| demand.view).collect(),
            awaited: demands.iter().map(|demand| demand.is_awaited).collect(),
            changes: Changes::new(tables.iter().map(|table| table.is_tracked).collect()),
            point: 0,
            time: Number::ZERO,
        }
    }

    /// Whether the rows of a view come and go, and nothing else has to be done about it.
    pub(crate) fn is_plain(&self, view: ViewId) -> bool {
        self.tables[view].policy.is_plain
    }

    /// Inserts the row with a key of a known number of words.
    #[inline(always)]
    pub(crate) fn insert_words<const WORDS: usize>(&mut self, view: ViewId, key: [u64; WORDS]) {
        let table = &mut self.tables[view];
        if table.policy.is_simple {
            table.put_words(&key, self.point, table.policy.renews_stamps);
        } else {
            self.insert_by_policy(view, key);
        }
    }

    #[inline(never)]
    fn insert_by_policy<const WORDS: usize>(&mut self, view: ViewId, key: [u64; WORDS]) {
        let table = &mut self.tables[view];
        let policy = table.policy;
        if let Some(RowWindow::Newest(recent)) = &mut self.windows[view] {
            return recent.add_words(table, &key, self.point, &self.time);
        }
        if !policy.is_plain {
            return self.insert_row(view, &key);
        }
        let is_new = table.put_words(&key, self.point, policy.renews_stamps);
        if policy.is_tracked && is_new {
            self.changes.note(view, &key);
        }
    }

    /// Removes the row with such a key.
    #[inline(always)]
    pub(crate) fn remove_words<const WORDS: usize>(&mut self, view: ViewId, key: [u64; WORDS]) {
        let table = &mut self.tables[view];
        if table.policy.is_simple {
            table.take_words(&key);
        } else {
            self.remove_by_policy(view, key);
        }
    }

    #[inline(never)]
    fn remove_by_policy<const WORDS: usize>(&mut self, view: ViewId, key: [u64; WORDS]) {
        let table = &mut self.tables[view];
        if !table.policy.is_plain {
            return self.remove_row(view, &key);
        }
        if table.take_words(&key) && table.policy.is_tracked {
            self.changes.note(view, &key);
        }
    }

    /// Finds the row with such a key, or inserts it, of a table that is no window; [`NONE`] if it was not there.
    #[inline(always)]
    pub(crate) fn find_or_insert_words<const WORDS: usize>(&mut self, view: ViewId, key: [u64; WORDS]) -> Row {
        let table = &mut self.tables[view];
        let found = table.find_or_insert(&key, self.point);
        if found == NONE && table.policy.is_tracked {
            self.changes.note(view, &key);
        }
        found
    }

    /// Inserts the row that was found to be there, or [`NONE`], of a table that is no window.
    #[inline(always)]
    pub(crate) fn insert_found_words<const WORDS: usize>(&mut self, view: ViewId, key: [u64; WORDS], found: Row) {
        let table = &mut self.tables[view];
        if found != NONE || table.policy.is_tracked {
            return self.insert_found(view, &key, found);
        }
        table.add_words(&key, self.point);
    }

    /// Lets the time of the point pass in a window.
    #[inline(always)]
    pub(crate) fn advance_window(&mut self, view: ViewId) {
        match &mut self.windows[view] {
            Some(RowWindow::Newest(recent)) => recent.advance(&mut self.tables[view], &self.time),
            Some(RowWindow::Queue(_)) => self.advance_queue(view),
            None => {}
        }
    }

    #[inline(never)]
    fn advance_queue(&mut self, view: ViewId) {
        if let Some(RowWindow::Queue(queue)) = &mut self.windows[view] {
            let changes = &mut self.changes;
            queue.advance(&mut self.tables[view], &self.time, |table, row| changes.note(view, table.key(row)));
        }
    }

    /// Removes a row.
    #[inline(never)]
    pub(crate) fn remove_row(&mut self, view: ViewId, key: &[u64]) {
        if !self.joined[view].is_empty() {
            self.note_gone(view, key);
        }
        let table = &mut self.tables[view];
        let is_gone = match &mut self.windows[view] {
            None => table.take(key),
            // Nobody is told what changes in such a window.
            Some(RowWindow::Newest(recent)) => return recent.forget(table, key),
            Some(RowWindow::Queue(queue)) => table.find(key).is_some_and(|row| {
                queue.forget(table, row);
                true
            }),
        };
        if is_gone {
            self.changes.note(view, key);
        }
    }

    /// Removes the row that was found, or [`NONE`], of a table that is no window.
    #[inline(always)]
    pub(crate) fn remove_found<const WORDS: usize>(&mut self, view: ViewId, key: [u64; WORDS], found: Row) {
        if found == NONE {
            return;
        }
        let table = &mut self.tables[view];
        table.take_found(found, &key);
        if table.policy.is_tracked {
            self.changes.note(view, &key);
        }
    }

    /// The same for a key of any number of words.
    #[inline(never)]
    pub(crate) fn insert_found(&mut self, view: ViewId, key: &[u64], found: Row) {
        if found == NONE {
            self.tables[view].add(key, self.point);
        } else if self.tables[view].policy.renews_stamps {
            self.tables[view].set_stamp(found, self.point);
        } else {
            return;
        }
        self.changes.note(view, key);
    }

    /// Removes the rows with some keys, one after the other.
    pub(crate) fn remove_rows(&mut self, view: ViewId, keys: &[u64]) {
        for key in keys.chunks_exact(self.tables[view].key_columns()) {
            match *key {
                [one] => self.remove_words(view, [one]),
                [one, two] => self.remove_words(view, [one, two]),
                [one, two, three] => self.remove_words(view, [one, two, three]),
                _ => self.remove_row(view, key),
            }
        }
    }

    /// Puts a row in, if it is not there yet.
    #[inline(never)]
    pub(crate) fn insert_row(&mut self, view: ViewId, key: &[u64]) {
        let table = &mut self.tables[view];
        let renews_stamps = table.policy.renews_stamps;
        match &mut self.windows[view] {
            Some(RowWindow::Newest(recent)) => recent.add(table, key, self.point, &self.time),
            Some(RowWindow::Queue(queue)) => {
                let (row, _) = table.insert(key);
                queue.add(table, row, &self.time);
            }
            None if table.put(key, self.point, renews_stamps) => {
                self.changes.note(view, key);
                if !self.joined[view].is_empty() {
                    self.note_come(view, key);
                }
            }
            None => {}
        }
    }

    /// A row has come with which windows are joined.
    #[inline(never)]
    fn note_come(&mut self, view: ViewId, key: &[u64]) {
        for window in &self.joined[view] {
            if let Some(joined) = &mut self.joins[*window] {
                joined.comes(key, self.point);
            }
        }
    }

    /// A row goes with which windows are joined.
    #[inline(never)]
    fn note_gone(&mut self, view: ViewId, key: &[u64]) {
        let Some(since) = self.tables[view].find(key).map(|row| self.tables[view].stamp(row)) else { return };
        for window in &self.joined[view] {
            if let Some(joined) = &mut self.joins[*window] {
                joined.goes(key, since, self.point, self.tables[*window].floor());
            }
        }
    }

    /// Puts a witness into a window that is joined when it is asked for.
    #[inline(always)]
    pub(crate) fn add_witness(&mut self, view: ViewId, registers: &[u64]) {
        let (Some(joined), Some(RowWindow::Newest(recent))) = (&self.joins[view], &mut self.windows[view]) else {
            return;
        };
        let (table, point, time) = (&mut self.tables[view], self.point, &self.time);
        joined.witness(registers, |key| recent.add(table, key, point, time));
    }

    /// Whether a window that is joined when it is asked for has a row.
    #[inline]
    pub(crate) fn has_joined(&self, view: ViewId, key: &[u64]) -> bool {
        let Some(joined) = &self.joins[view] else { return false };
        joined.has(key, &self.tables[view], &self.tables[joined.of()])
    }
}

/// Rows of demands on the future.
impl RowStore {
    /// Lets the time of the point pass for a demand.
    #[inline(always)]
    pub(crate) fn pass_deadlines(&mut self, demand: usize) {
        self.demands[demand].pass(&self.time);
    }

    /// The table with the rows of a demand.
    #[inline(always)]
    pub(crate) fn demanded_by(&mut self, demand: usize) -> &mut RowTable {
        &mut self.tables[self.demanded[demand]]
    }

    /// The view with the rows of a demand.
    #[inline(always)]
    pub(crate) fn view_of_demand(&self, demand: usize) -> ViewId {
        self.demanded[demand]
    }

    /// The goal of a row is reached, and what had to come before it has the stamp of another row.
    #[inline(always)]
    pub(crate) fn relay_demand(&mut self, demand: usize, key: &[u64], relay: ViewId, last: Option<Row>) {
        if let (Some(row), Some(last)) = (self.tables[self.demanded[demand]].find(key), last) {
            self.demands[demand].relay(row, self.tables[relay].stamp(last));
        }
    }

    /// A row of a demand is opened, by the words of its key.
    pub(crate) fn open_demand(&mut self, demand: usize, key: &[u64]) {
        let (row, _) = self.tables[self.demanded[demand]].insert(key);
        self.open_row(demand, row);
    }

    /// A row of a demand is opened.
    #[inline(always)]
    pub(crate) fn open_row(&mut self, demand: usize, row: Row) {
        self.demands[demand].open(row, self.point, &self.time);
        if self.awaited[demand] {
            self.demands[demand].fresh.push(row);
        }
    }

    /// A row of a demand is violated as it is opened.
    pub(crate) fn fail_demand_at_once(&mut self, demand: usize, key: &[u64]) {
        let (row, _) = self.tables[self.demanded[demand]].insert(key);
        self.demands[demand].break_at_once(row, self.point);
    }

    /// Lets the rows of demands go that are settled.
    pub(crate) fn drop_settled_demands(&mut self) {
        for (demands, view) in self.demands.iter_mut().zip(&self.demanded) {
            demands.drop_settled(&mut self.tables[*view]);
        }
    }

    /// Lets rows go that are settled, if they are many.
    #[inline(always)]
    pub(crate) fn sweep_demands(&mut self, demand: usize) {
        let demands = &mut self.demands[demand];
        if demands.has_many_settled() {
            demands.drop_settled(&mut self.tables[self.demanded[demand]]);
        }
    }
}

/// What keeps the rows of a table in time, if it is a window.
fn window(shape: &TableShape) -> Option<RowWindow> {
    shape.window.as_ref().map(|window| match window {
        WindowShape::Newest(interval) => RowWindow::Newest(NewestWindow::new(interval.clone())),
        WindowShape::All(interval) => RowWindow::Queue(QueueWindow::new(interval.clone())),
    })
}

/// An empty table.
fn table(shape: &TableShape) -> RowTable {
    let TableShape { keys, is_stamped, has_set, is_tracked, renews_stamps, .. } = *shape;
    let mut table = match (shape.storage, &shape.window) {
        (Storage::Stamps, Some(_)) => RowTable::of_recent_stamps(),
        (Storage::Stamps, None) => RowTable::of_stamps(),
        (Storage::Bits, _) => RowTable::of_bits(),
        (Storage::Rows, Some(WindowShape::Newest(_))) => RowTable::of_recent(keys),
        (Storage::Rows, Some(WindowShape::All(_))) => RowTable::new(keys, is_stamped, has_set, true),
        (Storage::Rows, None) => RowTable::new(keys, is_stamped, has_set, false),
    };
    let is_plain = shape.is_plain();
    table.policy = RowPolicy { is_plain, is_simple: is_plain && !is_tracked, is_tracked, renews_stamps };
    shape.indexes.iter().for_each(|columns| table.add_index(columns));
    table
}
