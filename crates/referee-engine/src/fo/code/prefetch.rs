//! Decides which rows of large tables a handler will look up, as far as the arguments of its events tell, so that they can be fetched early.
//!
//! ```text
//!   events   … 40 … 47 │ 48 … 55 │ …
//!              judged    the memory that these will ask for is on its way
//! ```
//!
//! A row of a large table is not in the cache, and a handler that looks it up waits as long as some hundred instructions take. The
//! arguments of an event tell beforehand which rows its handler will look up, so `run/prefetch.rs` fetches the rows of eight events
//! together. **A verdict never depends on it**: to fetch a row that no handler looks up costs time, and nothing else. Small tables are in
//! the cache anyway and are left out; so are tables whose rows lie in the order in which they came, or at places that their values
//! give, because rows that are used together are then near each other.

use std::collections::HashMap;

use crate::fo::code::handler::{Handler, Prefetch, PrefetchPart};
use crate::fo::code::instruction::{Op, OpEffect, TableReads};
use crate::fo::code::key::{REGISTER, Slot, SlotKey};
use crate::fo::types::ViewId;

/// What the events of a handler will need; `may_scatter` tells which tables may be worth it.
pub(crate) fn prefetches(handler: &Handler, may_scatter: impl Fn(ViewId) -> bool) -> Vec<Prefetch> {
    let mut all: Vec<Prefetch> = Vec::new();
    let mut known = KnownArguments::default();
    for op in &handler.ops {
        known.follow(handler, op);
        let Some((table, key, part)) = needed(op).filter(|(table, ..)| may_scatter(*table)) else { continue };
        if let Some(key) = known.key(key) {
            let prefetch = Prefetch { table, key, part };
            all.extend((!all.contains(&prefetch)).then_some(prefetch));
        }
    }
    // Who changes a row has asked for it.
    let is_change = |prefetch: &&Prefetch| prefetch.part == PrefetchPart::ChangedRow;
    let changed: Vec<Prefetch> = all.iter().filter(is_change).cloned().collect();
    let is_changed = |own: &Prefetch| changed.iter().any(|other| (other.table, other.key) == (own.table, own.key));
    all.retain(|prefetch| prefetch.part != PrefetchPart::Row || !is_changed(prefetch));
    all
}

/// What an instruction needs of a table.
fn needed(op: &Op) -> Option<(ViewId, SlotKey, PrefetchPart)> {
    let (table, key, part) = match (op.effect(), op.tables()) {
        (OpEffect::Inserts(table, key) | OpEffect::Removes(table, key) | OpEffect::Grows(table, key), _) => {
            (table, key, PrefetchPart::ChangedRow)
        }
        (_, TableReads::Row(table, key)) => (table, key, PrefetchPart::Row),
        (_, TableReads::Group(table, index, key)) => (table, key, PrefetchPart::Group(index as usize)),
        _ => return None,
    };
    Some((table as usize, key, part))
}

/// Which registers have the word of an argument.
#[derive(Default)]
struct KnownArguments {
    arguments: HashMap<Slot, Slot>,
}

impl KnownArguments {
    /// What is known behind an instruction: a row that has changed is most likely the one that the handler changes.
    fn follow(&mut self, handler: &Handler, op: &Op) {
        match *op {
            Op::FirstChange { scan, table, .. } => {
                let is_own = |op: &Op| {
                    needed(op).filter(|(of, _, part)| (*of, *part) == (table as usize, PrefetchPart::ChangedRow))
                };
                let key = handler.ops.iter().find_map(is_own).map(|(_, key, _)| key);
                for (column, slot) in &handler.changes[scan as usize].binds {
                    let argument = key.and_then(|key| self.argument(key.slots().nth(*column)?));
                    self.bind(*slot, argument);
                }
            }
            Op::Walk { walked, .. } => self.bind(walked.slot, None),
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
    fn key(&self, key: SlotKey) -> Option<SlotKey> {
        let slots: Option<Vec<Slot>> = key.slots().map(|slot| self.argument(slot)).collect();
        SlotKey::new(&slots?).filter(|key| matches!(key, SlotKey::One(_) | SlotKey::Two(..) | SlotKey::Three(..)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fo::code::handler::ChangeScan;
    use crate::fo::code::instruction::Walked;

    #[test]
    fn events_tell_what_they_will_ask_for() {
        let mut handler = Handler::default();
        let scan = |binds| ChangeScan { view: 3, width: 2, binds, equals: Vec::new() };
        handler.changes = vec![scan(vec![(1, 64)]), scan(vec![(0, 64), (1, 65)])];
        handler.ops = vec![
            Op::Grow { table: 3, key: SlotKey::Two(0, 1), set: 0 },
            Op::FirstChange { scan: 0, table: 3, to: 3 },
            Op::Grow { table: 4, key: SlotKey::One(64), set: 1 },
            Op::FirstChange { scan: 1, table: 3, to: 7 },
            Op::Probe { table: 3, key: SlotKey::Two(64, 65), there: true, all: true, to: 7 },
            Op::Walk {
                table: 1,
                key: SlotKey::One(65),
                walked: Walked { index: 0, column: 0, slot: 66, cursor: 0 },
                to: 7,
            },
            Op::Insert { table: 5, key: SlotKey::Three(64, 65, 66) },
        ];
        let prefetch = |table, key, part| Prefetch { table, key, part };
        let all = [
            prefetch(3, SlotKey::Two(0, 1), PrefetchPart::ChangedRow),
            prefetch(4, SlotKey::One(1), PrefetchPart::ChangedRow),
            // What is bound by a walk, nobody knows beforehand.
            prefetch(1, SlotKey::One(1), PrefetchPart::Group(0)),
        ];
        assert_eq!(prefetches(&handler, |_| true), all);
        assert_eq!(prefetches(&handler, |table| table == 4), all[1..2]);
    }
}
