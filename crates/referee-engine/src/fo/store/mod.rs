//! What a program remembers between two events, and how rows come and go.

pub mod changes;
pub mod clock;
pub mod demand;
pub mod index;
pub mod join;
pub mod lookup;
pub mod per_point;
mod raw_table;
pub mod sets;
pub mod table;
pub mod window;

use referee_trace::number::Number;

use crate::fo::code::handler::{CURSORS, Frame, Key, SLOTS, Slot};
use crate::fo::code::program::{CompiledProgram, Follow};
use crate::fo::code::view::{Upkeep, View};
use crate::fo::run::set_ops::Gathered;
use crate::fo::store::changes::Changes;
use crate::fo::store::demand::Demands;
use crate::fo::store::join::Joined;
use crate::fo::store::lookup::NONE;
use crate::fo::store::table::{Care, Row, Table};
use crate::fo::store::window::{Queue, Recent, Window};
use crate::fo::types::ViewId;

/// The tables of a program, and the point that is being judged.
pub struct Store {
    /// The tables, by view.
    pub tables: Vec<Table>,
    /// What keeps the rows of views that are windows in time.
    pub windows: Vec<Option<Window>>,
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
    /// Which views somebody besides handlers looks at: checks of states, copies, and what is to come.
    watched: Vec<bool>,
    /// The number of the point; 0 before the first.
    pub point: u64,
    /// Its time.
    pub time: Number,
    /// The first binding of the violation of this point that will be reported, by check, if there is one only and the
    /// binding is an integer; the greatest integer otherwise.
    pub bars: Vec<i64>,
    /// What a handler has found and nobody has noted yet.
    pub waiting: Waiting,
    /// The keys of rows that go when their view has been gone through.
    pub doomed: Vec<u64>,
    /// The row that a handler has found and will make or take out, or [`NONE`].
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
pub struct Waiting {
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
    pub fn has_room(&self, report: usize) -> bool {
        self.rows == 0 || (self.report == report && self.rows < Waiting::MOST)
    }
}

impl Store {
    /// Empty tables.
    pub fn new(print: &CompiledProgram, tracked: Vec<bool>, demands: Vec<Demands>) -> Store {
        let windows: Vec<Option<Window>> =
            print.views.iter().zip(&tracked).map(|(view, tracked)| window(view, *tracked)).collect();
        let joined = joined(print);
        let care = |view: ViewId| {
            let is_plain = windows[view].is_none() && joined[view].is_empty();
            let is_renewed = print.views[view].upkeep == Upkeep::LastStamp;
            Care { is_plain, is_quiet: is_plain && !tracked[view], is_tracked: tracked[view], is_renewed }
        };
        let mut tables = tables(print, &windows);
        tables.iter_mut().enumerate().for_each(|(view, table)| table.care = care(view));
        Store {
            tables,
            windows,
            joins: print.views.iter().map(|view| view.join.as_ref().map(|join| Box::new(Joined::new(join)))).collect(),
            joined,
            demands,
            demanded: print.follows.iter().map(|follow| follow.view).collect(),
            awaited: print.follows.iter().map(Follow::is_awaited).collect(),
            changes: Changes::new(tracked),
            watched: watched(print),
            point: 0,
            time: Number::ZERO,
            bars: vec![i64::MAX; print.checks.len()],
            waiting: Waiting::default(),
            doomed: Vec::new(),
            found: NONE,
            gathered: Gathered::default(),
            frame: [0; SLOTS],
            cursors: [0; CURSORS],
            limits: [0; CURSORS],
            marks: [0; CURSORS],
        }
    }

    /// Whether the rows of a view come and go, and nothing else has to be done about it.
    pub fn is_plain(&self, view: ViewId) -> bool {
        self.tables[view].care.is_plain
    }

    /// Whether time needs to pass in a window only where a handler asks it.
    pub fn may_lag(&self, view: ViewId) -> bool {
        matches!(self.windows[view], Some(Window::Recent(_))) && self.joins[view].is_none() && !self.watched[view]
    }

    /// Whether a demand is settled by goals, failures and deadlines alone.
    pub fn is_patient(&self, demand: usize) -> bool {
        !self.awaited[demand]
    }

    /// Makes the row with a key of a known number of words.
    #[inline(always)]
    pub fn make_words<const WORDS: usize>(&mut self, view: ViewId, key: [u64; WORDS]) {
        let table = &mut self.tables[view];
        if table.care.is_quiet {
            table.make_words(&key, self.point, table.care.is_renewed);
        } else {
            self.make_with_care(view, key);
        }
    }

    #[inline(never)]
    fn make_with_care<const WORDS: usize>(&mut self, view: ViewId, key: [u64; WORDS]) {
        let table = &mut self.tables[view];
        let care = table.care;
        if let Some(Window::Recent(recent)) = &mut self.windows[view] {
            return recent.add_words(table, &key, self.point, &self.time);
        }
        if !care.is_plain {
            return self.make_row(view, &key);
        }
        let is_new = table.make_words(&key, self.point, care.is_renewed);
        if care.is_tracked && is_new {
            self.changes.note(view, &key);
        }
    }

    /// Takes the row with such a key out.
    #[inline(always)]
    pub fn break_words<const WORDS: usize>(&mut self, view: ViewId, key: [u64; WORDS]) {
        let table = &mut self.tables[view];
        if table.care.is_quiet {
            table.take_words(&key);
        } else {
            self.break_with_care(view, key);
        }
    }

    #[inline(never)]
    fn break_with_care<const WORDS: usize>(&mut self, view: ViewId, key: [u64; WORDS]) {
        let table = &mut self.tables[view];
        if !table.care.is_plain {
            return self.break_row(view, &key);
        }
        if table.take_words(&key) && table.care.is_tracked {
            self.changes.note(view, &key);
        }
    }

    /// Finds the row with such a key, or makes it, of a table that is no window.
    #[inline(always)]
    pub fn find_or_make_words<const WORDS: usize>(&mut self, view: ViewId, key: [u64; WORDS]) {
        let table = &mut self.tables[view];
        self.found = table.find_or_make(&key, self.point);
        if self.found == NONE && table.care.is_tracked {
            self.changes.note(view, &key);
        }
    }

    /// Makes the row that was found last to be there or not, of a table that is no window.
    #[inline(always)]
    pub fn make_found_words<const WORDS: usize>(&mut self, view: ViewId, key: [u64; WORDS]) {
        let table = &mut self.tables[view];
        if self.found != NONE || table.care.is_tracked {
            return self.make_found(view, &key);
        }
        table.add_words(&key, self.point);
    }

    /// Lets the time of the point pass in a window.
    #[inline(always)]
    pub fn advance_window(&mut self, view: ViewId) {
        match &mut self.windows[view] {
            Some(Window::Recent(recent)) => recent.advance(&mut self.tables[view], &self.time),
            Some(Window::Queue(_)) => self.advance_queue(view),
            None => {}
        }
    }

    #[inline(never)]
    fn advance_queue(&mut self, view: ViewId) {
        if let Some(Window::Queue(queue)) = &mut self.windows[view] {
            let changes = &mut self.changes;
            queue.advance(&mut self.tables[view], &self.time, |table, row| changes.note(view, table.key(row)));
        }
    }

    /// Takes a row out.
    #[inline(never)]
    pub fn break_row(&mut self, view: ViewId, key: &[u64]) {
        if !self.joined[view].is_empty() {
            self.note_gone(view, key);
        }
        let table = &mut self.tables[view];
        let is_gone = match &mut self.windows[view] {
            None => table.take(key),
            // Nobody is told what changes in such a window.
            Some(Window::Recent(recent)) => return recent.forget(table, key),
            Some(Window::Queue(queue)) => table.find(key).is_some_and(|row| {
                queue.forget(table, row);
                true
            }),
        };
        if is_gone {
            self.changes.note(view, key);
        }
    }

    /// Takes the row out that was found last, if one was, of a table that is no window.
    #[inline(always)]
    pub fn break_found<const WORDS: usize>(&mut self, view: ViewId, key: [u64; WORDS]) {
        if self.found == NONE {
            return;
        }
        let table = &mut self.tables[view];
        table.take_found(self.found, &key);
        if table.care.is_tracked {
            self.changes.note(view, &key);
        }
    }

    /// Makes the row that was found last to be there or not, of a table that is no window.
    #[inline(never)]
    pub fn make_found(&mut self, view: ViewId, key: &[u64]) {
        if self.found == NONE {
            self.tables[view].add(key, self.point);
        } else if self.tables[view].care.is_renewed {
            self.tables[view].set_stamp(self.found, self.point);
        } else {
            return;
        }
        self.changes.note(view, key);
    }

    /// Takes the rows out that were doomed.
    pub fn break_doomed(&mut self, view: ViewId) {
        let mut doomed = std::mem::take(&mut self.doomed);
        for key in doomed.chunks_exact(self.tables[view].key_columns()) {
            match *key {
                [one] => self.break_words(view, [one]),
                [one, two] => self.break_words(view, [one, two]),
                [one, two, three] => self.break_words(view, [one, two, three]),
                _ => self.break_row(view, key),
            }
        }
        doomed.clear();
        self.doomed = doomed;
    }

    /// Puts a row in, if it is not there yet.
    #[inline(never)]
    pub fn make_row(&mut self, view: ViewId, key: &[u64]) {
        let table = &mut self.tables[view];
        let is_renewed = table.care.is_renewed;
        match &mut self.windows[view] {
            Some(Window::Recent(recent)) => recent.add(table, key, self.point, &self.time),
            Some(Window::Queue(queue)) => {
                let (row, _) = table.insert(key);
                queue.add(table, row, &self.time);
            }
            None if table.make(key, self.point, is_renewed) => {
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
    pub fn join_row(&mut self, view: ViewId, registers: &[u64]) {
        let (Some(joined), Some(Window::Recent(recent))) = (&self.joins[view], &mut self.windows[view]) else { return };
        let (table, point, time) = (&mut self.tables[view], self.point, &self.time);
        joined.witness(registers, |key| recent.add(table, key, point, time));
    }

    /// Whether a window that is joined when it is asked for has a row.
    #[inline]
    pub fn has_joined(&self, view: ViewId, key: &[u64]) -> bool {
        let Some(joined) = &self.joins[view] else { return false };
        joined.has(key, &self.tables[view], &self.tables[joined.of()])
    }
}

/// Rows of demands on the future.
impl Store {
    /// Lets the time of the point pass for a demand.
    #[inline(always)]
    pub fn pass_deadlines(&mut self, demand: usize) {
        self.demands[demand].pass(&self.time);
    }

    /// The goal of a row of a demand is reached.
    #[inline(always)]
    pub fn meet_demand(&mut self, demand: usize, key: Key) {
        if let Some(row) = self.row(self.demanded[demand], key) {
            self.demands[demand].meet(row);
        }
    }

    /// What must hold of a row of a demand fails.
    #[inline(always)]
    pub fn fail_demand(&mut self, demand: usize, key: Key) {
        if let Some(row) = self.row(self.demanded[demand], key) {
            self.demands[demand].fail(row);
        }
    }

    /// The goal of a row is reached, and what had to come before it has the stamp of another row.
    #[inline(always)]
    pub fn relay_demand(&mut self, demand: usize, key: &[u64], relay: ViewId, last: Option<Row>) {
        if let (Some(row), Some(last)) = (self.tables[self.demanded[demand]].find(key), last) {
            self.demands[demand].relay(row, self.tables[relay].stamp(last));
        }
    }

    /// A row of a demand is opened, by the slots of its key.
    #[inline(always)]
    pub fn open_demand_of(&mut self, demand: usize, key: Key) {
        let (frame, table) = (&self.frame, &mut self.tables[self.demanded[demand]]);
        let word = |slot: Slot| frame[slot as usize];
        let row = match key {
            Key::One(one) => table.insert_words(&[word(one)]),
            Key::Two(one, two) => table.insert_words(&[word(one), word(two)]),
            key => return self.with_key(key, |store, words| store.open_demand(demand, words)),
        };
        self.open_row(demand, row);
    }

    /// The same by its words.
    pub fn open_demand(&mut self, demand: usize, key: &[u64]) {
        let (row, _) = self.tables[self.demanded[demand]].insert(key);
        self.open_row(demand, row);
    }

    #[inline(always)]
    fn open_row(&mut self, demand: usize, row: Row) {
        self.demands[demand].open(row, self.point, &self.time);
        if self.awaited[demand] {
            self.demands[demand].fresh.push(row);
        }
    }

    /// A row of a demand is violated as it is opened.
    pub fn break_demand(&mut self, demand: usize, key: &[u64]) {
        let (row, _) = self.tables[self.demanded[demand]].insert(key);
        self.demands[demand].break_at_once(row, self.point);
    }

    /// Lets the rows of demands go that are settled.
    pub fn drop_settled_demands(&mut self) {
        for (demands, view) in self.demands.iter_mut().zip(&self.demanded) {
            demands.drop_settled(&mut self.tables[*view]);
        }
    }

    /// Lets rows go that are settled, if they are many.
    #[inline(always)]
    pub fn sweep_demands(&mut self, demand: usize) {
        let demands = &mut self.demands[demand];
        if demands.has_many_settled() {
            demands.drop_settled(&mut self.tables[self.demanded[demand]]);
        }
    }
}

/// The windows that are joined with the rows of each view.
fn joined(print: &CompiledProgram) -> Vec<Vec<ViewId>> {
    let mut joined = vec![Vec::new(); print.views.len()];
    for (window, view) in print.views.iter().enumerate() {
        view.join.iter().for_each(|join| joined[join.of].push(window));
    }
    joined
}

/// Which views somebody besides handlers looks at.
fn watched(print: &CompiledProgram) -> Vec<bool> {
    // Where a window may be looked at as it was at the point before, it must have been up to date there.
    let mut watched = vec![crate::fo::run::may_look_back(print); print.views.len()];
    let states = print.checks.iter().filter_map(|check| check.state);
    let demanded = print.follows.iter().map(|follow| follow.view);
    states.chain(demanded).chain(print.copies.iter().map(|(_, of)| *of)).for_each(|view| watched[view] = true);
    watched
}

/// What keeps the rows of a view in time, if it is a window.
fn window(view: &View, tracked: bool) -> Option<Window> {
    let Upkeep::Window(interval) = &view.upkeep else { return None };
    Some(match view.keeps_newest(tracked) {
        true => Window::Recent(Recent::new(interval.clone())),
        false => Window::Queue(Queue::new(interval.clone())),
    })
}

/// A table per view: bits, where nobody asks for more than whether a row is there, and stamps alone, where nobody lists
/// the rows.
fn tables(print: &CompiledProgram, windows: &[Option<Window>]) -> Vec<Table> {
    let listed = print.listed_views();
    let is_looked_up = |number: usize, view: &View| {
        let is_recent = matches!(windows[number], Some(Window::Recent(_)));
        let is_plain = matches!(view.upkeep, Upkeep::Since | Upkeep::LastStamp) && !view.has_set;
        (is_plain || is_recent) && view.keys() == 1 && !listed.contains(&number) && print.indexes[number].is_empty()
    };
    let mut tables: Vec<Table> = print
        .views
        .iter()
        .enumerate()
        .map(|(number, view)| {
            match is_looked_up(number, view) {
                true if matches!(view.upkeep, Upkeep::Window(_)) => return Table::of_recent_stamps(),
                true if view.stamped => return Table::of_stamps(),
                true if view.upkeep == Upkeep::Since => return Table::of_bits(),
                _ => {}
            }
            match windows[number] {
                Some(Window::Recent(_)) => {
                    Table::of_recent(view.join.as_ref().map_or(view.keys(), |join| join.columns()))
                }
                Some(Window::Queue(_)) => Table::new(view.keys(), view.stamped, view.has_set, true),
                None => Table::new(view.keys(), view.stamped, view.has_set, false),
            }
        })
        .collect();
    for (table, indexes) in tables.iter_mut().zip(&print.indexes) {
        indexes.iter().for_each(|(columns, _)| table.add_index(columns));
    }
    tables
}
