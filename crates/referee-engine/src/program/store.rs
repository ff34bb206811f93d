//! What a program remembers between two events, and how rows come and go.

use referee_trace::number::Number;

use super::blueprint::{Blueprint, Follow};
use super::demand::Demands;
use super::handler::{CURSORS, Frame, SLOTS};
use super::table::{Row, Table};
use super::views::{Upkeep, View, ViewId};
use super::window::{Queue, Recent, Window};

/// The tables of a program, and the point that is being judged.
pub struct Store {
    /// The tables, by view.
    pub tables: Vec<Table>,
    /// What keeps the rows of views that are windows in time.
    pub windows: Vec<Option<Window>>,
    /// The open demands on the future, by demand.
    pub demands: Vec<Demands>,
    /// The view with the rows of each demand.
    demanded: Vec<ViewId>,
    /// Whether each demand speaks of the next point, and has to be asked for then.
    awaited: Vec<bool>,
    /// The keys of rows that changed at this point, by view.
    pub changes: Vec<Vec<u64>>,
    /// Whether there are no such keys.
    pub is_quiet: bool,
    /// Which views tell what changes.
    pub tracked: Vec<bool>,
    /// Which views stamp a row each time it is made.
    renewed: Vec<bool>,
    /// The number of the point; 0 before the first.
    pub point: u64,
    /// Its time.
    pub time: Number,
    /// The first binding of the violation of this point that will be reported, by check, if there is one only and the
    /// binding is an integer; the greatest integer otherwise.
    pub bars: Vec<i64>,
    /// The keys of rows that go when their view has been gone through.
    pub doomed: Vec<u64>,
    /// What handlers work on.
    pub frame: Box<Frame>,
    /// Where the scans of handlers are.
    pub cursors: [Row; CURSORS],
    /// Up to which stamp the scans of handlers go.
    pub limits: [u64; CURSORS],
    /// Behind which words of what has changed the scans of handlers are.
    pub marks: [u32; CURSORS],
}

impl Store {
    /// Empty tables.
    pub fn new(print: &Blueprint, tracked: Vec<bool>, demands: Vec<Demands>) -> Store {
        let windows: Vec<Option<Window>> =
            print.views.iter().zip(&tracked).map(|(view, tracked)| window(view, *tracked)).collect();
        Store {
            tables: tables(print, &windows),
            windows,
            demands,
            demanded: print.follows.iter().map(|follow| follow.view).collect(),
            awaited: print.follows.iter().map(Follow::is_awaited).collect(),
            changes: vec![Vec::new(); print.views.len()],
            is_quiet: true,
            tracked,
            renewed: print.views.iter().map(|view| view.upkeep == Upkeep::LastStamp).collect(),
            point: 0,
            time: Number::ZERO,
            bars: vec![i64::MAX; print.checks.len()],
            doomed: Vec::new(),
            frame: Box::new([0; SLOTS]),
            cursors: [0; CURSORS],
            limits: [0; CURSORS],
            marks: [0; CURSORS],
        }
    }

    /// Notes that a row has changed, if somebody wants to know.
    #[inline(always)]
    pub fn note_change(&mut self, view: ViewId, key: &[u64]) {
        if self.tracked[view] {
            self.is_quiet = false;
            note(&mut self.changes[view], key);
        }
    }

    /// Notes that a row with this number has changed, if somebody wants to know.
    pub fn note_row_change(&mut self, view: ViewId, row: Row) {
        if self.tracked[view] {
            self.is_quiet = false;
            note(&mut self.changes[view], self.tables[view].key(row));
        }
    }

    /// Lets the time of the point pass in a window.
    pub fn advance_window(&mut self, view: ViewId) {
        match &mut self.windows[view] {
            Some(Window::Recent(recent)) => recent.advance(&mut self.tables[view], &self.time),
            Some(Window::Queue(queue)) => {
                let (changes, tracked) = (&mut self.changes[view], self.tracked[view]);
                self.is_quiet &= !tracked;
                queue.advance(&mut self.tables[view], &self.time, |table, row| {
                    if tracked {
                        note(changes, table.key(row));
                    }
                });
            }
            None => {}
        }
    }

    /// Takes a row out.
    #[inline(always)]
    pub fn break_row(&mut self, view: ViewId, key: &[u64]) {
        let table = &mut self.tables[view];
        let is_gone = match &mut self.windows[view] {
            None => table.take(key),
            Some(Window::Recent(recent)) => {
                // Nobody is told what changes in such a window.
                return table.find(key).into_iter().for_each(|row| recent.forget(table, row));
            }
            Some(Window::Queue(queue)) => table.find(key).is_some_and(|row| {
                queue.forget(table, row);
                true
            }),
        };
        if is_gone {
            self.note_change(view, key);
        }
    }

    /// Takes the rows out that were doomed.
    pub fn break_doomed(&mut self, view: ViewId) {
        let mut doomed = std::mem::take(&mut self.doomed);
        doomed.chunks_exact(self.tables[view].key_columns()).for_each(|key| self.break_row(view, key));
        doomed.clear();
        self.doomed = doomed;
    }

    /// Puts a row in, if it is not there yet.
    #[inline(always)]
    pub fn make_row(&mut self, view: ViewId, key: &[u64]) {
        let (row, new) = self.tables[view].insert(key);
        match &mut self.windows[view] {
            Some(Window::Recent(recent)) => return recent.add(&mut self.tables[view], row, self.point, &self.time),
            Some(Window::Queue(queue)) => return queue.add(&mut self.tables[view], row, &self.time),
            None => {}
        }
        if new || self.renewed[view] {
            self.tables[view].set_stamp(row, self.point);
            self.note_change(view, key);
        }
    }
}

/// Appends the key of a row. One without columns is noted by a word that nobody reads.
#[inline(always)]
fn note(changes: &mut Vec<u64>, key: &[u64]) {
    match *key {
        [] => changes.push(0),
        _ => changes.extend_from_slice(key),
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
    pub fn meet_demand(&mut self, demand: usize, key: &[u64]) {
        if let Some(row) = self.tables[self.demanded[demand]].find(key) {
            self.demands[demand].meet(row);
        }
    }

    /// What must hold of a row of a demand fails.
    #[inline(always)]
    pub fn fail_demand(&mut self, demand: usize, key: &[u64]) {
        if let Some(row) = self.tables[self.demanded[demand]].find(key) {
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

    /// A row of a demand is opened.
    #[inline(always)]
    pub fn open_demand(&mut self, demand: usize, key: &[u64]) {
        let (row, _) = self.tables[self.demanded[demand]].insert(key);
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

    /// Lets the rows go that were settled at this point.
    #[inline(always)]
    pub fn sweep_demands(&mut self, demand: usize) {
        self.demands[demand].sweep(&mut self.tables[self.demanded[demand]]);
    }
}

/// What keeps the rows of a view in time, if it is a window.
fn window(view: &View, tracked: bool) -> Option<Window> {
    let Upkeep::Window(interval) = &view.upkeep else { return None };
    Some(match is_recent(view, tracked) {
        true => Window::Recent(Recent::new(interval.clone())),
        false => Window::Queue(Queue::new(interval.clone())),
    })
}

/// Whether the newest witness of each row of a view is enough.
pub fn is_recent(view: &View, tracked: bool) -> bool {
    let fits = matches!(&view.upkeep, Upkeep::Window(interval) if Recent::fits(interval));
    fits && !tracked && !view.has_set && !view.stamped
}

/// A table per view: bits, where nobody asks for more than whether a row is there, and stamps alone, where nobody lists
/// the rows.
fn tables(print: &Blueprint, windows: &[Option<Window>]) -> Vec<Table> {
    let listed = print.listed_views();
    let is_looked_up = |number: usize, view: &View| {
        let is_plain = matches!(view.upkeep, Upkeep::Since | Upkeep::LastStamp) && !view.has_set;
        is_plain && view.keys() == 1 && !listed.contains(&number) && print.indexes[number].is_empty()
    };
    let mut tables: Vec<Table> = print
        .views
        .iter()
        .enumerate()
        .map(|(number, view)| {
            match is_looked_up(number, view) {
                true if view.stamped => return Table::of_stamps(),
                true if view.upkeep == Upkeep::Since => return Table::of_bits(),
                _ => {}
            }
            match windows[number] {
                Some(Window::Recent(_)) => Table::of_recent(view.keys()),
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
