//! KeyLookup of a known number of words.
//!
//! ```text
//!   lean    keys, links and stamps    ─▶ found, inserted and removed here
//!   others  sets, windows, bits       ─▶ the functions of the table
//! ```
//!
//! What most tables of locks, sessions and the like are, lean ones, has code of its own, with nothing in it that they do not need.
//! **It does what the general functions would do**, and leaves to them whatever else a table may be.

use super::{KeyLookup, RowTable, Stamps};
use crate::fo::store::lookup::{Lookup, NONE, hash};
use crate::fo::store::row::Row;

impl RowTable {
    /// The row with a key, or [`NONE`].
    #[inline(always)]
    pub(crate) fn find_words<const WORDS: usize>(&self, key: &[u64; WORDS]) -> Row {
        match &self.by_key {
            KeyLookup::Whole(Lookup::One(direct)) => direct.get(key[0]),
            KeyLookup::Whole(Lookup::Many(raw_table)) => raw_table.get(hash(key), |row| self.cells.has_words(row, key)),
            KeyLookup::Group if self.is_lean => self.find_in_group(key).0,
            _ => self.find_any(key),
        }
    }

    /// The row with a key in its group, and the first one of that; [`NONE`] where there is none.
    #[inline(always)]
    fn find_in_group<const WORDS: usize>(&self, key: &[u64; WORDS]) -> (Row, Row) {
        let index = &self.indexes[0];
        let first = index.first_lean(key, &self.cells);
        let row = index.find_from(first, key, &self.cells);
        (row.unwrap_or_else(|| self.find_in_crowd(key)), first)
    }

    /// The first row of an index with some values, or [`NONE`].
    #[inline(always)]
    pub(crate) fn first_words<const VALUES: usize>(&self, index: usize, values: &[u64; VALUES]) -> Row {
        self.indexes[index].first_words(values, &self.cells)
    }

    /// Inserts the row with a key, as [`RowTable::put`] does.
    #[inline(always)]
    pub(crate) fn put_words<const WORDS: usize>(&mut self, key: &[u64; WORDS], point: u64, renews: bool) -> bool {
        if self.is_lean {
            let row = self.find_or_insert(key, point);
            if row != NONE && renews {
                self.set_stamp(row, point);
            }
            return row == NONE || renews;
        }
        let known = match (&self.stamps, &mut self.by_key) {
            (_, KeyLookup::Whole(Lookup::Set(bits))) => bits.add_if_none(key[0]),
            (Some(Stamps::Numbers), KeyLookup::Whole(Lookup::One(direct))) if point < u64::from(NONE) => {
                direct.put_if(key[0], point as u32, renews)
            }
            _ => return self.put_any(key, point, renews),
        };
        self.count += usize::from(known == NONE);
        renews || known == NONE
    }

    /// The row with a key, or [`NONE`] if there was none: then it is made.
    #[inline(always)]
    pub(crate) fn find_or_insert<const WORDS: usize>(&mut self, key: &[u64; WORDS], point: u64) -> Row {
        let (row, is_new) = self.find_or_add(key, point);
        if is_new { NONE } else { row }
    }

    /// The row with a key, which is added if it is not there; tells whether it is new. Where it is and where it would be is looked up
    /// once.
    #[inline(always)]
    fn find_or_add<const WORDS: usize>(&mut self, key: &[u64; WORDS], point: u64) -> (Row, bool) {
        if !self.is_lean {
            return self.insert_stamped(key, point);
        }
        match &mut self.by_key {
            KeyLookup::Whole(Lookup::One(direct)) => {
                let next = self.free.last().copied().unwrap_or(self.made);
                let row = direct.add_if_none(key[0], next);
                if row != NONE {
                    return (row, false);
                }
                self.fill_next(key, point);
                self.link_lean(None, next, key);
                (next, true)
            }
            KeyLookup::Whole(Lookup::Many(raw_table)) => {
                let hash = hash(key);
                match raw_table.seek(hash, |row| self.cells.has_words(row, key)) {
                    Ok(row) => (row, false),
                    Err(place) => {
                        raw_table.add_at(place, hash, self.free.last().copied().unwrap_or(self.made));
                        let row = self.fill_next(key, point);
                        self.link_lean(None, row, key);
                        (row, true)
                    }
                }
            }
            _ => {
                let (row, first) = self.find_in_group(key);
                match row {
                    NONE if self.is_crowded.get() => (self.add_any(key, point), true),
                    NONE => {
                        let row = self.fill_next(key, point);
                        self.link_lean(Some(first), row, key);
                        (row, true)
                    }
                    row => (row, false),
                }
            }
        }
    }

    /// Adds the row with a key that is not there.
    #[inline(always)]
    pub(crate) fn add_words<const WORDS: usize>(&mut self, key: &[u64; WORDS], point: u64) {
        if !self.is_lean || self.is_crowded.get() {
            self.add_any(key, point);
            return;
        }
        let row = self.fill_next(key, point);
        match &mut self.by_key {
            KeyLookup::Whole(Lookup::One(direct)) => direct.add(key[0], row),
            KeyLookup::Whole(Lookup::Many(raw_table)) => raw_table.add(hash(key), row),
            _ => {}
        }
        self.link_lean(None, row, key);
    }

    /// Fills the next row that is free.
    #[inline(always)]
    fn fill_next(&mut self, key: &[u64], point: u64) -> Row {
        self.count += 1;
        self.changes += 1;
        match self.free.pop() {
            Some(row) => self.fill_again(row, key, point),
            None => self.push_row(key, point),
        }
    }

    /// Puts a row into the indexes, where the first row of its group in the first one may be known, or that there is none.
    #[inline(always)]
    fn link_lean<const WORDS: usize>(&mut self, first: Option<Row>, row: Row, key: &[u64; WORDS]) {
        // One index, as most have, before the general case, of which all that may be needed would be made ready.
        match (&mut self.indexes[..], first) {
            ([], _) => {}
            ([index], Some(first)) => index.insert_known(first, row, key, &self.cells),
            ([index], None) => {
                if !index.append_straight(row) {
                    index.insert_lean(row, key, &self.cells);
                }
            }
            (indexes, _) => {
                if let (Some(first), Some(index)) = (first, indexes.first_mut()) {
                    index.insert_known(first, row, key, &self.cells);
                }
                self.link_others(usize::from(first.is_some()), row, key);
            }
        }
    }

    /// Puts a row into the indexes from one on.
    #[inline(never)]
    fn link_others<const WORDS: usize>(&mut self, from: usize, row: Row, key: &[u64; WORDS]) {
        for index in &mut self.indexes[from..] {
            index.insert_lean(row, key, &self.cells);
        }
    }

    /// The row with a key, which is added if it is not there.
    #[inline(always)]
    pub(crate) fn insert_words<const WORDS: usize>(&mut self, key: &[u64; WORDS]) -> Row {
        self.find_or_add(key, 0).0
    }

    /// Fills a row that was taken out.
    #[inline(always)]
    fn fill_again(&mut self, row: Row, key: &[u64], point: u64) -> Row {
        self.cells.set_key(row, key);
        if self.has_more {
            self.set_stamp(row, point);
        }
        if self.keeps_alive {
            self.set_alive(row, true);
        }
        row
    }

    /// Adds a row at the end.
    #[inline(always)]
    fn push_row(&mut self, key: &[u64], point: u64) -> Row {
        self.cells.push(key);
        if self.has_more
            && let Some(stamps) = &mut self.stamps
        {
            stamps.push(point);
        }
        self.made += 1;
        self.made - 1
    }

    /// Takes a row with a key out.
    #[inline(always)]
    pub(crate) fn take_found<const WORDS: usize>(&mut self, row: Row, key: &[u64; WORDS]) {
        if !self.is_lean || self.count == 1 {
            return self.take_row(row, key);
        }
        match &mut self.by_key {
            KeyLookup::Whole(Lookup::One(direct)) => _ = direct.take(key[0]),
            KeyLookup::Whole(Lookup::Many(raw_table)) => _ = raw_table.take(hash(key), |own| own == row),
            _ => {}
        }
        self.drop_row(row, key);
    }

    /// Takes a row out that cannot be looked up by its key any more, and is not the only one.
    #[inline(always)]
    fn drop_row<const WORDS: usize>(&mut self, row: Row, key: &[u64; WORDS]) {
        self.count -= 1;
        self.changes += 1;
        if let [index] = &mut self.indexes[..] {
            index.remove_lean(row, key, &self.cells);
        } else {
            self.unlink_all(row, key);
        }
        if self.keeps_alive {
            self.set_alive(row, false);
        }
        self.free.push(row);
    }

    #[inline(never)]
    fn unlink_all<const WORDS: usize>(&mut self, row: Row, key: &[u64; WORDS]) {
        for index in &mut self.indexes {
            index.remove_lean(row, key, &self.cells);
        }
    }

    /// Takes the row with a key out; tells whether there was one.
    #[inline(always)]
    pub(crate) fn take_words<const WORDS: usize>(&mut self, key: &[u64; WORDS]) -> bool {
        let row = match &mut self.by_key {
            KeyLookup::Whole(Lookup::Set(bits)) => {
                let is_gone = bits.take(key[0]) != NONE;
                self.count -= usize::from(is_gone);
                return is_gone;
            }
            _ if !self.is_lean => return self.take(key),
            KeyLookup::Group => self.find_in_group(key).0,
            KeyLookup::Whole(_) => self.find_words(key),
        };
        match (row, &self.by_key) {
            (NONE, _) => {}
            (row, KeyLookup::Group) if self.count > 1 => self.drop_row(row, key),
            (row, _) => self.take_found(row, key),
        }
        row != NONE
    }

    #[inline(never)]
    fn find_any(&self, key: &[u64]) -> Row {
        self.find(key).unwrap_or(NONE)
    }

    #[inline(never)]
    fn put_any(&mut self, key: &[u64], point: u64, renews: bool) -> bool {
        self.put(key, point, renews)
    }

    #[inline(never)]
    fn add_any(&mut self, key: &[u64], point: u64) -> Row {
        self.add(key, point)
    }
}

#[cfg(test)]
mod tests {
    use referee_testing::seeds;
    use referee_trace::values::Atom;

    use super::*;

    /// The rows of a group, in no order.
    fn group(table: &RowTable, index: usize, values: &[u64]) -> Vec<Vec<u64>> {
        let rows = std::iter::successors(table.first(index, values), |row| table.next(index, *row));
        let mut rows: Vec<Vec<u64>> = rows.map(|row| table.key(row).to_vec()).collect();
        rows.sort_unstable();
        rows
    }

    /// Rows come and go in a lean table as they do in one that is made to take the general way.
    fn agree<const WORDS: usize>(stamped: bool, indexes: &[&[usize]], seed: u64) {
        let tables = || {
            let mut table = RowTable::new(WORDS, stamped, false, false);
            indexes.iter().for_each(|columns| table.add_index(columns));
            table
        };
        let (mut lean, mut general) = (tables(), tables());
        let mut state = seed;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (mut most, mut was_lean) = (0, false);
        for point in 1..3000 {
            let key: [u64; WORDS] =
                std::array::from_fn(|column| Atom::integer(random(4 + 9 * column as u64) as i64).map_or(0, Atom::word));
            general.is_lean = false;
            was_lean |= lean.is_lean;
            // In the last part rows only go, so that groups are small again.
            match (random(5), point > 2000) {
                (0 | 1, false) | (_, true) => assert_eq!(lean.take_words(&key), general.take(&key)),
                (2, _) => {
                    let found = (lean.find_words(&key), general.find(&key).unwrap_or(NONE));
                    assert_eq!(found.0 == NONE, found.1 == NONE);
                    match found {
                        (NONE, _) => {
                            lean.add_words(&key, point);
                            general.add(&key, point);
                        }
                        (own, other) => {
                            lean.take_found(own, &key);
                            general.take_row(other, &key);
                        }
                    }
                }
                (way, _) => {
                    assert_eq!(lean.put_words(&key, point, way == 3), general.put(&key, point, way == 3));
                }
            }
            most = most.max(lean.len());
            let stamp = |table: &RowTable| table.find(&key).map(|row| table.stamp(row));
            assert_eq!((lean.len(), stamp(&lean)), (general.len(), stamp(&general)), "point {point}");
            for (index, columns) in indexes.iter().enumerate() {
                let values: Vec<u64> = columns.iter().map(|column| key[*column]).collect();
                assert_eq!(group(&lean, index, &values), group(&general, index, &values), "point {point}");
            }
        }
        assert!(was_lean && most > 2);
    }

    #[test]
    fn lean_tables_are_as_others() {
        for seed in seeds(20) {
            agree::<1>(false, &[], seed);
            agree::<1>(true, &[&[]], seed);
            agree::<2>(false, &[], seed);
            agree::<2>(false, &[&[0], &[1]], seed);
            agree::<2>(true, &[&[1]], seed);
            agree::<3>(false, &[&[1, 2]], seed);
            agree::<3>(false, &[&[0], &[1, 2]], seed);
        }
    }
}
