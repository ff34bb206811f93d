//! Fetches memory for later events while earlier ones are judged; the handlers say which memory ([`crate::fo::code::prefetch`]).

use referee_trace::values::Atom;

use crate::fo::code::handler::{Prefetch, PrefetchPart};
use crate::fo::code::key::Slot;
use crate::fo::run::executor::Executor;
use crate::fo::store::table::RowTable;

/// How many events are looked at together, while as many before them are judged.
pub(super) const TOGETHER: usize = 8;

/// How many rows a table has that is not in the cache anyway.
pub(super) const LARGE_TABLE: usize = 1 << 14;

impl Executor {
    /// Whether something that the events of a handler need lies in a table of so many rows.
    pub(crate) fn is_prefetch_worth_it(&self, prefetches: &[Prefetch], least_rows: usize) -> bool {
        prefetches.iter().any(|prefetch| is_far(&self.store.tables[prefetch.table], least_rows))
    }

    /// Fetches what an event with these arguments will ask for of tables of so many rows.
    pub(crate) fn prefetch(&self, prefetches: &[Prefetch], arguments: &[Atom], least_rows: usize) {
        let word = |slot: Slot| arguments.get(slot as usize).map_or(0, |atom| atom.word());
        for prefetch in prefetches {
            let table = &self.store.tables[prefetch.table];
            if is_far(table, least_rows) {
                prefetch.key.with_words(word, |words| match prefetch.part {
                    PrefetchPart::Row => table.fetch_row(words, false),
                    PrefetchPart::ChangedRow => table.fetch_row(words, true),
                    PrefetchPart::Group(index) => table.fetch_group(index, words),
                });
            }
        }
    }
}

fn is_far(table: &RowTable, least_rows: usize) -> bool {
    table.len() >= least_rows && table.is_scattered()
}
