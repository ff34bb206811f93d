//! Rows by their keys, with indexes made on demand.
//!
//! ```text
//!   cells    7 x | 8 y | 7 z        the keys, row after row
//!   by key   key ─▶ row
//!   index    some columns ─▶ the rows with them
//! ```
//!
//! Everything is amortised O(1) per change and per row found; nothing is allocated per event once tables have grown.

mod by_column;
pub(crate) mod codec;
mod lean;
mod stamps;

use std::cell::Cell;
use std::ops::Range;

use referee_spec::core::Comparison;

use crate::fo::store::fetch::fetch;
use crate::fo::store::index::{Cells, RowIndex};
use crate::fo::store::lookup::{Bits, Lookup, NONE, hash};
use crate::fo::store::row::Row;
use crate::fo::store::sets::Set;
use stamps::Stamps;

/// How many rows are looked at together where rows are passed over.
const TOGETHER: Row = 16;

/// What going through an array counts for at least, in rows: where nobody lists rows, some thousands too many do no harm, and values
/// that grow, as those of sessions do, stay in the array.
const LEAST_EFFORT: usize = 1 << 19;

/// What has to be done beside the table when a row of a view comes or goes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RowPolicy {
    /// Whether it is no window, and nothing is joined with it.
    pub is_plain: bool,
    /// Whether it is plain, and does not tell what changes.
    pub is_simple: bool,
    /// Whether it tells what changes.
    pub is_tracked: bool,
    /// Whether a row is stamped each time it is made.
    pub renews_stamps: bool,
}

/// The witnesses of a row in a window.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Witnesses {
    /// How many are within the interval.
    pub live: u32,
    /// How many are in the queue, too young or within.
    pub waiting: u32,
    /// Counts the times that all were lost; those of earlier epochs no longer count.
    pub epoch: u32,
}

/// How a row is found by its key.
#[derive(Debug, Clone)]
enum KeyLookup {
    /// By all its words.
    Whole(Lookup),
    /// By the first index, among the rows of its group: while groups are small, nothing but the index has to be kept. A table that
    /// has left its groups because one was large returns to them when it is empty, once.
    Group,
}

/// Rows by their keys.
#[derive(Debug, Clone)]
pub(crate) struct RowTable {
    /// What else has to be done when rows come and go.
    pub policy: RowPolicy,
    keys: usize,
    cells: Cells,
    /// Whether each row is there, where no index tells; those behind the end are.
    alive: Vec<bool>,
    keeps_alive: bool,
    free: Vec<Row>,
    count: usize,
    /// How many rows there have been at once.
    made: Row,
    /// How often a row has come or gone.
    changes: u64,
    /// Whether rows keep their keys.
    has_keys: bool,
    by_key: KeyLookup,
    /// Whether rows may be found by the first index again, once there is none.
    may_group: bool,
    /// Whether rows are keys, links and stamps, and no index asks for more.
    is_lean: bool,
    /// Whether some group is too large to look for a row in.
    is_crowded: Cell<bool>,
    indexes: Vec<RowIndex>,
    /// Whether a row has more than its key: a stamp, a set, or witnesses.
    has_more: bool,
    /// One stamp per row, if stamps are kept.
    stamps: Option<Stamps>,
    /// Whether stamps say which rows of a window count: those before this one do not.
    is_recent: bool,
    floor: u64,
    /// One set per row, if the view has one.
    sets: Option<Vec<Set>>,
    /// The witnesses of each row, if the view is a window.
    witnesses: Option<Vec<Witnesses>>,
}

impl RowTable {
    /// An empty table with so many key columns.
    pub(crate) fn new(keys: usize, stamped: bool, has_set: bool, window: bool) -> RowTable {
        let mut table = RowTable {
            policy: RowPolicy::default(),
            keys,
            cells: Cells::new(keys),
            alive: Vec::new(),
            keeps_alive: true,
            free: Vec::new(),
            count: 0,
            made: 0,
            changes: 0,
            has_keys: true,
            by_key: KeyLookup::Whole(Lookup::new(keys)),
            may_group: false,
            is_lean: false,
            is_crowded: Cell::new(false),
            indexes: Vec::new(),
            has_more: stamped || has_set || window,
            stamps: stamped.then(Stamps::default),
            is_recent: false,
            floor: 0,
            sets: has_set.then(Vec::new),
            witnesses: window.then(Vec::new),
        };
        table.note_lean();
        table
    }

    /// An empty table with one key column of which it is only asked whether a row is there: rows have no numbers.
    pub(crate) fn of_bits() -> RowTable {
        let by_key = KeyLookup::Whole(Lookup::Set(Bits::default()));
        RowTable { by_key, keeps_alive: false, is_lean: false, ..RowTable::new(1, false, false, false) }
    }

    /// An empty table with one key column and stamps, whose rows are looked up and never listed: they need not keep
    /// their keys, and their numbers are their stamps.
    pub(crate) fn of_stamps() -> RowTable {
        let stamps = Some(Stamps::Numbers);
        RowTable { has_keys: false, keeps_alive: false, is_lean: false, stamps, ..RowTable::new(1, true, false, false) }
    }

    /// An empty table of a window in which the stamp of a row says whether it counts.
    pub(crate) fn of_recent(keys: usize) -> RowTable {
        RowTable { is_recent: true, ..RowTable::new(keys, true, false, false) }
    }

    /// The same for one key column and rows that are looked up and never listed: their numbers are their stamps.
    pub(crate) fn of_recent_stamps() -> RowTable {
        RowTable { is_recent: true, ..RowTable::of_stamps() }
    }

    /// Adds an index over these columns, while the table is empty.
    pub(crate) fn add_index(&mut self, columns: &[usize]) {
        // Of a table with first and last points, rows are asked for in their order, and may be taken out of an index
        // alone.
        let has_points = self.stamps.is_some() && !self.is_recent;
        self.indexes.push(RowIndex::new(columns, has_points));
        self.keeps_alive &= has_points;
        let is_first = self.indexes.len() == 1;
        // Rows with sets are asked for by their keys at nearly every event.
        if is_first && !has_points && self.keys > 1 && !columns.is_empty() && self.sets.is_none() {
            self.by_key = KeyLookup::Group;
            self.may_group = true;
        }
        self.note_lean();
    }

    /// Finds out whether the table is lean, whenever that may have changed.
    fn note_lean(&mut self) {
        let is_found = matches!(self.by_key, KeyLookup::Group | KeyLookup::Whole(Lookup::One(_) | Lookup::Many(_)));
        let has_more = self.sets.is_some() || self.witnesses.is_some();
        let is_lean = is_found && self.has_keys && !has_more && self.keys > 0;
        self.is_lean = is_lean && self.indexes.iter().all(|index| index.is_lean(self.keys));
    }

    /// How many rows there are.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Whether what is asked for one after the other lies far from each other: hashes see to that, while rows of small groups lie as they
    /// came.
    pub(crate) fn is_scattered(&self) -> bool {
        matches!(self.by_key, KeyLookup::Whole(Lookup::Many(_))) || self.sets.is_some()
    }

    /// Fetches what is asked for with the row of a key, and what is changed if it comes or goes.
    #[inline(always)]
    pub(crate) fn fetch_row(&self, key: &[u64], is_changed: bool) {
        match (&self.by_key, &self.sets) {
            (KeyLookup::Whole(Lookup::Many(raw_table)), _) => raw_table.fetch(hash(key)),
            (KeyLookup::Whole(Lookup::One(direct)), Some(sets)) => {
                sets.get(direct.get(key[0]) as usize).into_iter().for_each(fetch);
            }
            _ => {}
        }
        if is_changed {
            self.indexes.iter().for_each(|index| index.fetch_like(key, &self.cells));
        }
    }

    /// Fetches what is asked for with the group of some values.
    #[inline(always)]
    pub(crate) fn fetch_group(&self, index: usize, values: &[u64]) {
        self.indexes[index].fetch_group(values, &self.cells);
    }

    /// How often a row has come or gone.
    #[inline(always)]
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// How many columns a key has.
    pub(crate) fn key_columns(&self) -> usize {
        self.keys
    }

    /// A word of the key of a row.
    #[inline(always)]
    pub(crate) fn word(&self, row: Row, column: usize) -> u64 {
        self.cells.word(row, column)
    }

    /// The key of a row.
    #[inline]
    pub(crate) fn key(&self, row: Row) -> &[u64] {
        self.cells.key(row, self.keys)
    }

    /// The row with this key.
    #[inline(always)]
    pub(crate) fn find(&self, key: &[u64]) -> Option<Row> {
        let row = match &self.by_key {
            KeyLookup::Whole(lookup) => lookup.get(key, |row| self.cells.has(row, key)),
            KeyLookup::Group => match self.indexes[0].find(key, &self.cells) {
                Some(row) => row,
                None => self.find_in_crowd(key),
            },
        };
        (row != NONE).then_some(row)
    }

    #[inline(never)]
    fn find_in_crowd(&self, key: &[u64]) -> Row {
        self.is_crowded.set(true);
        self.indexes[0].find_in_crowd(key, &self.cells)
    }

    /// Finds rows by all of their keys from now on.
    #[inline(never)]
    fn leave_groups(&mut self) {
        self.is_crowded.set(false);
        let mut lookup = Lookup::new(self.keys);
        self.rows().for_each(|row| lookup.add(self.key(row), row));
        self.by_key = KeyLookup::Whole(lookup);
        self.note_lean();
    }

    /// Inserts the row with this key at a point, which becomes its stamp if it is new or `renews`; tells whether that is
    /// so.
    #[inline(always)]
    pub(crate) fn put(&mut self, key: &[u64], point: u64, renews: bool) -> bool {
        if let (Some(Stamps::Numbers), KeyLookup::Whole(Lookup::One(direct))) = (&self.stamps, &mut self.by_key) {
            if point < u64::from(NONE) {
                let stamp = point as u32;
                let known = if renews { direct.put(key[0], stamp) } else { direct.add_if_none(key[0], stamp) };
                self.count += usize::from(known == NONE);
                return renews || known == NONE;
            }
            self.number_rows();
        }
        match self.insert_stamped(key, point) {
            (row, false) if renews => self.set_stamp(row, point),
            (_, is_new) => return is_new,
        }
        true
    }

    /// Keeps stamps beside the numbers of rows from now on.
    #[inline(never)]
    fn number_rows(&mut self) {
        let mut stamps = Vec::new();
        if let KeyLookup::Whole(Lookup::One(direct)) = &mut self.by_key {
            direct.renumber(|stamp| {
                stamps.push(u64::from(stamp));
                stamps.len() as u32 - 1
            });
        }
        self.made = stamps.len() as Row;
        self.stamps = Some(Stamps::Wide(stamps));
    }

    /// The row with this key, and whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, key: &[u64]) -> (Row, bool) {
        self.insert_stamped(key, 0)
    }

    /// The same with the stamp of a new one.
    #[inline(always)]
    fn insert_stamped(&mut self, key: &[u64], stamp: u64) -> (Row, bool) {
        if let KeyLookup::Whole(Lookup::Many(raw_table)) = &self.by_key {
            let hash = hash(key);
            return match raw_table.seek(hash, |row| self.cells.has(row, key)) {
                Ok(row) => (row, false),
                Err(place) => (self.add_at(place, hash, key, stamp), true),
            };
        }
        match self.find(key) {
            Some(row) => (row, false),
            None => (self.add(key, stamp), true),
        }
    }

    /// Adds the row with this key, which is not there, with a stamp.
    #[inline(always)]
    pub(crate) fn add(&mut self, key: &[u64], stamp: u64) -> Row {
        if let KeyLookup::Whole(set @ Lookup::Set(_)) = &mut self.by_key {
            self.count += 1;
            set.add(key, 0);
            return 0;
        }
        if self.is_crowded.get() {
            self.leave_groups();
        }
        let row = self.fill(key, stamp);
        if let KeyLookup::Whole(lookup) = &mut self.by_key {
            lookup.add(key, row);
        }
        self.link(row);
        row
    }

    /// The same where it is known at which place its number will be found.
    #[inline(always)]
    fn add_at(&mut self, place: usize, hash: u32, key: &[u64], stamp: u64) -> Row {
        let row = self.fill(key, stamp);
        if let KeyLookup::Whole(Lookup::Many(raw_table)) = &mut self.by_key {
            raw_table.add_at(place, hash, row);
        }
        self.link(row);
        row
    }

    /// Stores a key, in a row that nothing finds yet.
    #[inline(always)]
    fn fill(&mut self, key: &[u64], stamp: u64) -> Row {
        self.count += 1;
        self.changes += 1;
        match self.free.pop() {
            Some(row) => {
                if self.has_keys {
                    self.cells.set_key(row, key);
                }
                if self.keeps_alive {
                    self.set_alive(row, true);
                }
                if self.has_more {
                    self.set_stamp(row, stamp);
                }
                row
            }
            None => {
                if self.has_keys {
                    self.cells.push(key);
                }
                if self.has_more {
                    self.add_more(stamp);
                }
                self.made += 1;
                self.made - 1
            }
        }
    }

    /// Puts a row into the indexes.
    #[inline(always)]
    fn link(&mut self, row: Row) {
        for index in &mut self.indexes {
            index.insert(row, &self.cells);
        }
    }

    /// Makes room for what a row has beside its key.
    #[inline(always)]
    fn add_more(&mut self, stamp: u64) {
        if let Some(stamps) = &mut self.stamps {
            stamps.push(stamp);
        }
        if self.sets.is_some() || self.witnesses.is_some() {
            self.add_set_and_witnesses();
        }
    }

    #[inline(never)]
    fn add_set_and_witnesses(&mut self) {
        self.sets.iter_mut().for_each(|sets| sets.push(Set::default()));
        self.witnesses.iter_mut().for_each(|witnesses| witnesses.push(Witnesses::default()));
    }

    /// Takes a row out.
    #[inline(never)]
    pub(crate) fn remove(&mut self, row: Row) {
        if !self.is_alive(row) {
            return;
        }
        match *self.cells.key(row, self.keys) {
            [one] => self.take_found(row, &[one]),
            [one, two] => self.take_found(row, &[one, two]),
            [one, two, three] => self.take_found(row, &[one, two, three]),
            _ => {
                if let KeyLookup::Whole(lookup) = &mut self.by_key {
                    lookup.take(self.cells.key(row, self.keys), |own| own == row);
                }
                self.release(row);
            }
        }
    }

    /// Takes the row with this key out; tells whether there was one.
    #[inline(never)]
    pub(crate) fn take(&mut self, key: &[u64]) -> bool {
        let cells = &self.cells;
        let row = match &mut self.by_key {
            KeyLookup::Whole(lookup) => lookup.take(key, |row| cells.has(row, key)),
            KeyLookup::Group => self.find(key).unwrap_or(NONE),
        };
        if row != NONE {
            self.release(row);
        }
        row != NONE
    }

    /// Takes a row out that is there.
    #[inline(never)]
    fn take_row(&mut self, row: Row, key: &[u64]) {
        if let KeyLookup::Whole(lookup) = &mut self.by_key {
            lookup.take(key, |own| own == row);
        }
        self.release(row);
    }

    /// Takes a row that cannot be looked up any more out of all the rest.
    #[inline(always)]
    fn release(&mut self, row: Row) {
        self.count -= 1;
        self.changes += 1;
        if matches!(self.by_key, KeyLookup::Whole(Lookup::Set(_))) || matches!(self.stamps, Some(Stamps::Numbers)) {
            return;
        }
        if self.keeps_alive {
            self.set_alive(row, false);
        }
        for index in &mut self.indexes {
            index.remove(row, &self.cells);
        }
        if let Some(sets) = &mut self.sets {
            sets[row as usize] = Set::default();
        }
        self.free.push(row);
        if self.count == 0 && self.may_group && matches!(self.by_key, KeyLookup::Whole(_)) {
            // No group is too large any more; but if one becomes so again, it will once more.
            self.by_key = KeyLookup::Group;
            self.may_group = false;
            self.note_lean();
        }
    }

    /// Whether a row that was made is still there.
    #[inline(always)]
    fn is_alive(&self, row: Row) -> bool {
        match self.indexes.first().and_then(|index| index.is_out(row)) {
            Some(is_out) => !is_out,
            None => self.alive.get(row as usize).is_none_or(|alive| *alive),
        }
    }

    /// Notes whether a row is there. Where none has ever gone, nothing is kept.
    #[inline(always)]
    fn set_alive(&mut self, row: Row, is_there: bool) {
        match self.alive.get_mut(row as usize) {
            Some(alive) => *alive = is_there,
            None => self.set_alive_behind(row, is_there),
        }
    }

    #[inline(never)]
    fn set_alive_behind(&mut self, row: Row, is_there: bool) {
        self.alive.resize(row as usize + 1, true);
        self.alive[row as usize] = is_there;
    }

    /// All rows.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row> {
        let end = if self.has_keys { self.made } else { 0 };
        (0..end).filter(|&row| self.is_alive(row))
    }

    /// All rows behind one, in the same order.
    pub(crate) fn rows_after(&self, row: Row) -> impl Iterator<Item = Row> {
        (row + 1..self.made).filter(|&row| self.is_alive(row))
    }

    /// The first row of an index with these values.
    #[inline(always)]
    pub(crate) fn first(&self, index: usize, values: &[u64]) -> Option<Row> {
        let first = self.first_of(index, values);
        (first != NONE).then_some(first)
    }

    /// The same, or [`NONE`].
    #[inline(always)]
    pub(crate) fn first_of(&self, index: usize, values: &[u64]) -> Row {
        self.indexes[index].first(values, &self.cells)
    }

    /// The row behind another one in an index.
    #[inline(always)]
    pub(crate) fn next(&self, index: usize, row: Row) -> Option<Row> {
        let next = self.behind(index, row);
        (next != NONE).then_some(next)
    }

    /// The same, or [`NONE`].
    #[inline(always)]
    pub(crate) fn behind(&self, index: usize, row: Row) -> Row {
        self.indexes[index].next(row)
    }

    /// The first row from one on, in an index, that has no integer above a bound in a column, or is younger than a stamp.
    pub(crate) fn behind_bound(
        &self,
        index: usize,
        mut row: Row,
        column: usize,
        bound: i64,
        youngest: u64,
    ) -> Option<Row> {
        let index = &self.indexes[index];
        let are_behind = |rows: Range<Row>| {
            let is_old = |stamps: &Stamps| stamps.none_above(rows.clone(), youngest);
            self.cells.all_above(rows.clone(), column, bound) && self.stamps.as_ref().is_none_or(is_old)
        };
        loop {
            // Rows that lie one after the other, as those of queues do, are looked at together.
            while let Some(behind) = index.behind_many(row, TOGETHER)
                && are_behind(row..behind)
            {
                row = behind;
            }
            if !are_behind(row..row + 1) {
                return Some(row);
            }
            row = index.next(row);
            if row == NONE {
                return None;
            }
        }
    }

    /// Keeps between which integers a column lies in each group of an index; tells whether that is kept.
    pub(crate) fn keep_ranges(&mut self, index: usize, column: usize) -> bool {
        let rows: Vec<Row> = self.rows().collect();
        let keeps = self.indexes[index].keep_ranges(column, &rows, &self.cells);
        self.note_lean();
        keeps
    }

    /// Whether some row of the group that a row is the first of may compare so, or not so, with a value in that column.
    #[inline]
    pub(crate) fn may(&self, index: usize, first: Row, how: Comparison, value: i64, there: bool) -> bool {
        self.indexes[index].may(first, how, value, there)
    }

    /// Takes a row out of one index only: nobody will look for it there again.
    pub(crate) fn skip(&mut self, index: usize, row: Row) {
        self.indexes[index].remove(row, &self.cells);
    }

    /// The stamp of a row.
    #[inline]
    pub(crate) fn stamp(&self, row: Row) -> u64 {
        self.stamps.as_ref().map_or(0, |stamps| stamps.get(row))
    }

    /// Sets the stamp of a row.
    #[inline]
    pub(crate) fn set_stamp(&mut self, row: Row, stamp: u64) {
        if let Some(stamps) = &mut self.stamps {
            stamps.set(row, stamp);
        }
    }

    /// The set of a row.
    #[inline(always)]
    pub(crate) fn set(&self, row: Row) -> Option<&Set> {
        self.sets.as_ref().map(|sets| &sets[row as usize])
    }

    /// Replaces the set of a row.
    pub(crate) fn replace_set(&mut self, row: Row, set: Set) {
        if let Some(sets) = &mut self.sets {
            sets[row as usize] = set;
        }
    }

    /// The witnesses of a row.
    #[inline]
    pub(crate) fn witnesses(&mut self, row: Row) -> Option<&mut Witnesses> {
        self.witnesses.as_mut().map(|witnesses| &mut witnesses[row as usize])
    }

    /// Rows with a stamp before this one do not count from now on.
    pub(crate) fn set_floor(&mut self, stamp: u64) {
        self.floor = stamp;
    }

    /// Lets the stamp of the row with this key be before all points.
    #[inline(always)]
    pub(crate) fn forget_stamp(&mut self, key: &[u64]) {
        match self.stamps {
            Some(Stamps::Numbers) => _ = self.take(key),
            _ => self.find(key).into_iter().for_each(|row| self.set_stamp(row, 0)),
        }
    }

    /// Takes the rows out that do not count any more; tells how much it has gone through.
    pub(crate) fn sweep(&mut self) -> usize {
        let (floor, free) = (self.floor, &mut self.free);
        match (&mut self.by_key, &self.stamps) {
            (KeyLookup::Whole(Lookup::One(direct)), Some(stamps)) if !self.has_keys => {
                let effort = self.count + direct.width();
                match stamps {
                    Stamps::Numbers => direct.retain_from(u32::try_from(floor).unwrap_or(NONE)),
                    _ => direct.retain(|row| {
                        let counts = stamps.get(row) >= floor;
                        free.extend((!counts).then_some(row));
                        counts
                    }),
                }
                self.count = direct.len();
                (4 * effort).max(LEAST_EFFORT)
            }
            _ => {
                let old: Vec<Row> = self.rows().filter(|row| !self.is_true(*row)).collect();
                old.into_iter().for_each(|row| self.remove(row));
                self.made as usize
            }
        }
    }

    /// The first stamp that counts.
    pub(crate) fn floor(&self) -> u64 {
        self.floor
    }

    /// Whether a row counts: in a window it needs a witness within the interval.
    #[inline]
    pub(crate) fn is_true(&self, row: Row) -> bool {
        match &self.witnesses {
            Some(witnesses) => witnesses[row as usize].live > 0,
            None => self.floor == 0 || self.stamp(row) >= self.floor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_returns_to_groups_once_when_it_is_empty() {
        let mut table = RowTable::new(2, false, false, false);
        table.add_index(&[0]);
        for round in 0..4 {
            assert_eq!(matches!(table.by_key, KeyLookup::Group), round < 2);
            for lock in 0..20 {
                assert!(table.insert(&[1, lock]).1);
                assert!(!table.insert(&[1, lock]).1);
            }
            assert!(matches!(table.by_key, KeyLookup::Whole(_)));
            for lock in (0..20).rev() {
                assert!(table.take(&[1, lock]) && !table.take(&[1, lock]));
                assert_eq!(table.find(&[1, lock / 2]).is_some(), lock > 0);
            }
            assert_eq!(table.len(), 0);
        }
    }

    #[test]
    fn stamps_beyond_four_billion_points_are_kept() {
        let mut table = RowTable::new(1, true, false, false);
        let (one, _) = table.insert(&[8]);
        let (two, _) = table.insert(&[16]);
        table.set_stamp(one, 7);
        table.set_stamp(two, u64::from(u32::MAX) + 5);
        assert_eq!((table.stamp(one), table.stamp(two)), (7, u64::from(u32::MAX) + 5));
        let (three, _) = table.insert(&[24]);
        table.set_stamp(three, 9);
        assert_eq!((table.stamp(one), table.stamp(three)), (7, 9));
        let mut table = RowTable::new(1, true, false, false);
        let (one, two) = (table.add(&[8], 7), table.add(&[16], u64::from(u32::MAX) + 5));
        assert_eq!((table.stamp(one), table.stamp(two)), (7, u64::from(u32::MAX) + 5));
    }

    /// Rows whose numbers are their stamps, and rows that keep them, are the same, also behind four billion points.
    #[test]
    fn numbers_of_rows_are_their_stamps() {
        let word = |integer: i64| referee_trace::values::Atom::integer(integer).expect("a small integer").word();
        for renews in [true, false] {
            let (mut numbers, mut kept) = (RowTable::of_stamps(), RowTable::new(1, true, false, false));
            let mut state = 7_u64;
            for step in 1..4000_u64 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let key = [word([3, -1, 1 << 40][(state >> 33) as usize % 3] + (state >> 40) as i64 % 50)];
                let point = step + if step < 2000 { 0 } else { u64::from(u32::MAX) - 2005 };
                match state >> 60 {
                    0..4 => assert_eq!(numbers.take(&key), kept.take(&key)),
                    _ => assert_eq!(numbers.put(&key, point, renews), kept.put(&key, point, renews)),
                }
                let stamp = |table: &RowTable| table.find(&key).map(|row| table.stamp(row));
                assert_eq!((stamp(&numbers), numbers.len()), (stamp(&kept), kept.len()), "step {step}");
            }
            assert!(matches!(numbers.stamps, Some(Stamps::Wide(_))));
        }
    }

    /// Rows of a queue that are passed over are those that would be passed over one by one.
    #[test]
    fn rows_behind_a_bar_are_passed_over() {
        let word = |integer: i64| referee_trace::values::Atom::integer(integer).map_or(1, |atom| atom.word());
        let mut state = 3_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..200 {
            let mut table = RowTable::new(2, true, false, false);
            table.add_index(&[]);
            for row in 0..100 {
                // Hardly ever one that is not above the bound, or that is no integer.
                let integer = if random(60) == 0 { 5 } else { 50 + random(9) as i64 };
                table.put(&[word(row), if random(90) == 0 { 1 } else { word(integer) }], 2 * row as u64 + 1, false);
            }
            if random(2) == 0 {
                table.remove(40);
            }
            let start = [0, 7, 39][random(3) as usize];
            let (bound, youngest) = ([5, 4, 55][random(3) as usize], random(260));
            let is_behind = |row: &Row| {
                let integer = referee_trace::values::Atom::from_word(table.word(*row, 1)).as_integer();
                integer.is_some_and(|integer| integer > bound) && table.stamp(*row) <= youngest
            };
            let expected = std::iter::successors(Some(start), |row| table.next(0, *row)).find(|row| !is_behind(row));
            assert_eq!(table.behind_bound(0, start, 1, bound, youngest), expected);
        }
    }
}
