//! Scans: how handlers go through the rows of a table, or through those that have changed.

use referee_trace::values::Atom;

use crate::fo::code::handler::{ChangeScan, Older, Scan, ScanBound};
use crate::fo::run::executor::Executor;
use crate::fo::store::row::Row;
use crate::fo::types::{REGISTERS, ViewId};

impl Executor {
    /// Finds the first row of a scan.
    #[inline(always)]
    pub(super) fn open(&mut self, scan: &Scan) -> bool {
        if let Some(Older { last: (table, key), .. }) = &scan.older {
            let Some(row) = self.row(*table, *key) else { return false };
            self.limits[scan.cursor] = self.store.tables[*table].stamp(row);
        }
        let first = match (scan.key, scan.index) {
            (Some(key), _) => self.row(scan.table, key),
            (None, Some((index, values))) => {
                let table = &self.store.tables[scan.table];
                let first = values.with(&self.frame, |values| table.first(index, values));
                first.filter(|first| self.may_fit(scan, index, *first))
            }
            (None, None) => self.store.tables[scan.table].rows().next(),
        };
        self.seek(scan, first)
    }

    /// Whether some row of a group may compare as a scan wants it.
    #[inline(always)]
    pub(super) fn may_fit(&self, scan: &Scan, index: usize, first: Row) -> bool {
        let Some(ScanBound { how, slot, there, .. }) = &scan.bound else { return true };
        let value = Atom::from_word(self.frame[*slot as usize]).as_integer();
        value.is_none_or(|value| self.store.tables[scan.table].may(index, first, *how, value, *there))
    }

    /// Finds the next row of a scan.
    #[inline(always)]
    pub(super) fn next(&mut self, scan: &Scan) -> bool {
        let next = self.behind(scan, self.cursors[scan.cursor]);
        self.seek(scan, next)
    }

    #[inline(always)]
    pub(super) fn behind(&self, scan: &Scan, row: Row) -> Option<Row> {
        match (scan.key, scan.index) {
            (Some(_), _) => None,
            (None, Some((index, _))) => self.store.tables[scan.table].next(index, row),
            (None, None) => self.store.tables[scan.table].rows_after(row).next(),
        }
    }

    /// Finds the first row that fits, from one on.
    #[inline(always)]
    pub(super) fn seek(&mut self, scan: &Scan, next: Option<Row>) -> bool {
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
    pub(super) fn take(&mut self, scan: &Scan, row: Row) {
        self.cursors[scan.cursor] = row;
        let key = self.store.tables[scan.table].key(row);
        scan.binds.iter().for_each(|(column, slot)| self.frame[*slot as usize] = key[*column]);
    }

    pub(super) fn seek_fitting(&mut self, scan: &Scan, mut next: Option<Row>) -> bool {
        while let Some(row) = next {
            if let Some(Older { delayed, unless, .. }) = &scan.older {
                if self.store.tables[scan.table].stamp(row) + u64::from(*delayed) > self.limits[scan.cursor] {
                    return false;
                }
                if let Some(after) = self.behind_bound(scan, row) {
                    next = after;
                    continue;
                }
                if let (Some((table, columns)), Some((index, _))) = (unless, scan.index)
                    && self.is_settled(scan.table, row, *table, columns)
                {
                    next = self.behind(scan, row);
                    self.store.tables[scan.table].skip(index, row);
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
    pub(super) fn behind_bound(&self, scan: &Scan, row: Row) -> Option<Option<Row>> {
        let ((column, check), (index, _)) = (scan.report_bound?, scan.index?);
        let bound = self.report_bounds[check];
        if bound == i64::MAX {
            return None;
        }
        let next = self.store.tables[scan.table].behind_bound(index, row, column, bound, self.limits[scan.cursor]);
        (next != Some(row)).then_some(next)
    }

    /// Whether a table has a row whose key are some columns of another one's row.
    #[inline(always)]
    pub(super) fn is_settled(&self, of: ViewId, row: Row, table: ViewId, columns: &[usize]) -> bool {
        let key = self.store.tables[of].key(row);
        match *columns {
            [column] => self.store.tables[table].find(&[key[column]]).is_some(),
            _ => {
                let mut words = [0; REGISTERS];
                for (word, column) in words.iter_mut().zip(columns) {
                    *word = key[*column];
                }
                self.store.tables[table].find(&words[..columns.len()]).is_some()
            }
        }
    }

    /// Whether a row is one that a scan looks for; what it binds is stored.
    #[inline(always)]
    pub(super) fn fits(&mut self, scan: &Scan, row: Row) -> bool {
        let table = &self.store.tables[scan.table];
        let key = table.key(row);
        let fits = (scan.all || table.is_true(row))
            && scan.equals.iter().all(|(column, slot)| key[*column] == self.frame[*slot as usize]);
        if !fits {
            return false;
        }
        self.take(scan, row);
        let set = self.store.tables[scan.table].set(row);
        scan.member.is_none_or(|value| set.is_some_and(|set| set.has(self.frame[value as usize])))
    }

    /// Finds the next row that has changed, and stores what it binds.
    #[inline(always)]
    pub(super) fn next_change(&mut self, number: usize, scan: &ChangeScan) -> bool {
        let changes = self.store.changes.of(scan.view);
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
