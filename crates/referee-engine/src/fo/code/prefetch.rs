//! Looking ahead: where the rows of later events are is fetched while earlier ones are judged.
//!
//! ```text
//!   events   … 40 … 47 │ 48 … 55 │ …
//!              judged    looked at before: the memory that they will ask for is on its way
//! ```
//!
//! A row of a large table is somewhere in memory, and an event that asks for it waits for as long as some hundred instructions take.
//! Which rows it will ask for its arguments tell beforehand, and nothing in between depends on the answer: so all are fetched
//! together. **Nothing is decided here**: to look at a row that nobody asks for later costs time, and nothing else. Tables that are in
//! the cache anyway are not looked at, nor those whose rows lie as they came or where a value tells: of what happens at the same time,
//! they are near each other.

use std::collections::HashMap;

use referee_trace::values::Atom;

use crate::fo::code::handler::{Handler, Key, Op, REGISTER, Slot};
use crate::fo::store::Store;
use crate::fo::store::table::Table;
use crate::fo::types::ViewId;

/// How many events are looked at together, while as many before them are judged.
pub const TOGETHER: usize = 8;

/// How many rows a table has that is not in the cache anyway. In tests all tables are large.
const LARGE: usize = if cfg!(debug_assertions) { 2 } else { 1 << 14 };

/// What an event will ask for, by its arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Glance {
    table: ViewId,
    key: Key,
    asks: Asks,
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Asks {
    /// The row with a key.
    Row,
    /// The same, and it comes or goes.
    Change,
    /// The group of an index with some values.
    Group(usize),
}

/// What the events of a handler will ask for; `may_scatter` tells which tables may be worth a look.
pub fn glances(handler: &Handler, may_scatter: impl Fn(ViewId) -> bool) -> Vec<Glance> {
    let mut all: Vec<Glance> = Vec::new();
    let mut known = Known::default();
    for op in &handler.ops {
        known.follow(handler, op);
        let Some((table, key, asks)) = asked(op).filter(|(table, ..)| may_scatter(*table)) else { continue };
        if let Some(key) = known.key(key) {
            let glance = Glance { table, key, asks };
            all.extend((!all.contains(&glance)).then_some(glance));
        }
    }
    // Who changes a row has asked for it.
    let changed: Vec<Glance> = all.iter().filter(|glance| glance.asks == Asks::Change).cloned().collect();
    let is_known = |own: &Glance| changed.iter().any(|other| (other.table, other.key) == (own.table, own.key));
    all.retain(|glance| glance.asks != Asks::Row || !is_known(glance));
    all
}

/// What an instruction asks for.
fn asked(op: &Op) -> Option<(ViewId, Key, Asks)> {
    let (table, key, asks) = match *op {
        Op::Probe { table, key, .. } | Op::Find { table, key, .. } | Op::Member { table, key, .. } => {
            (table, key, Asks::Row)
        }
        Op::Make { view, key } | Op::MakeFound { view, key } | Op::MakeNew { view, key } => (view, key, Asks::Change),
        Op::Break { view, key } | Op::BreakFound { view, key } | Op::Grow { view, key, .. } => {
            (view, key, Asks::Change)
        }
        Op::FindOrMake { table, key, .. } | Op::FindAndBreak { table, key, .. } => (table, key, Asks::Change),
        Op::Walk { table, index, values, .. } => (table, values, Asks::Group(index as usize)),
        _ => return None,
    };
    Some((table as usize, key, asks))
}

/// Which registers have the word of an argument.
#[derive(Default)]
struct Known {
    arguments: HashMap<Slot, Slot>,
}

impl Known {
    /// What is known behind an instruction: a row that has changed is most likely the one that the handler changes.
    fn follow(&mut self, handler: &Handler, op: &Op) {
        match *op {
            Op::FirstChange { scan, view, .. } => {
                let is_own = |op: &Op| asked(op).filter(|(of, _, asks)| (*of, *asks) == (view as usize, Asks::Change));
                let key = handler.ops.iter().find_map(is_own).map(|(_, key, _)| key);
                for (column, slot) in &handler.changes[scan as usize].binds {
                    let argument = key.and_then(|key| self.argument(key.slots().nth(*column)?));
                    self.bind(*slot, argument);
                }
            }
            Op::Walk { slot, .. } => self.bind(slot, None),
            Op::Scan { scan, .. } => {
                handler.scans[scan as usize].binds.iter().for_each(|(_, slot)| self.bind(*slot, None));
            }
            _ => {}
        }
    }

    fn bind(&mut self, slot: Slot, argument: Option<Slot>) {
        match argument {
            Some(argument) => self.arguments.insert(slot, argument),
            None => self.arguments.remove(&slot),
        };
    }

    fn argument(&self, slot: Slot) -> Option<Slot> {
        if (slot as usize) < REGISTER { Some(slot) } else { self.arguments.get(&slot).copied() }
    }

    /// A key of arguments alone.
    fn key(&self, key: Key) -> Option<Key> {
        let slots: Option<Vec<Slot>> = key.slots().map(|slot| self.argument(slot)).collect();
        Key::new(&slots?).filter(|key| matches!(key, Key::One(_) | Key::Two(..) | Key::Three(..)))
    }
}

impl Store {
    /// Whether something that a handler asks for is worth a look.
    pub fn is_worth_a_look(&self, glances: &[Glance]) -> bool {
        glances.iter().any(|glance| is_far(&self.tables[glance.table]))
    }

    /// Fetches what an event with these arguments will ask for.
    pub fn look_at(&self, glances: &[Glance], arguments: &[Atom]) {
        let word = |slot: Slot| arguments.get(slot as usize).map_or(0, |atom| atom.word());
        for glance in glances {
            let table = &self.tables[glance.table];
            if is_far(table) {
                glance.key.with_words(word, |words| match glance.asks {
                    Asks::Row => table.fetch_row(words, false),
                    Asks::Change => table.fetch_row(words, true),
                    Asks::Group(index) => table.fetch_group(index, words),
                });
            }
        }
    }
}

fn is_far(table: &Table) -> bool {
    table.len() >= LARGE && table.is_scattered()
}

/// Asks the processor to fetch what is at a place, without waiting for it.
#[inline(always)]
pub fn fetch<T>(place: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the place is there, and nothing is read or written: the processor may fetch it, or not.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fo::code::handler::ChangeScan;

    #[test]
    fn events_tell_what_they_will_ask_for() {
        let mut handler = Handler::default();
        let scan = |binds| ChangeScan { view: 3, width: 2, binds, equals: Vec::new() };
        handler.changes = vec![scan(vec![(1, 64)]), scan(vec![(0, 64), (1, 65)])];
        handler.ops = vec![
            Op::Grow { view: 3, key: Key::Two(0, 1), set: 0 },
            Op::FirstChange { scan: 0, view: 3, to: 3 },
            Op::Grow { view: 4, key: Key::One(64), set: 1 },
            Op::FirstChange { scan: 1, view: 3, to: 7 },
            Op::Probe { table: 3, key: Key::Two(64, 65), there: true, all: true, to: 7 },
            Op::Walk { table: 1, index: 0, values: Key::One(65), column: 0, slot: 66, cursor: 0, to: 7 },
            Op::Make { view: 5, key: Key::Three(64, 65, 66) },
        ];
        let glance = |table, key, asks| Glance { table, key, asks };
        let all = [
            glance(3, Key::Two(0, 1), Asks::Change),
            glance(4, Key::One(1), Asks::Change),
            // What is bound by a walk, nobody knows beforehand.
            glance(1, Key::One(1), Asks::Group(0)),
        ];
        assert_eq!(glances(&handler, |_| true), all);
        assert_eq!(glances(&handler, |table| table == 4), all[1..2]);
    }
}
