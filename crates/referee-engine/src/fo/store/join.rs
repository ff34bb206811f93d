//! Windows over what an event and a row of a table are together: kept apart, and joined when they are asked for.
//!
//! ```text
//!   W(f,a) = ◆[0,10] ∃m approve(m,f) ∧ V(m,a)
//!
//!   witnesses   f m v   the newest approve(m,f) while the rows V(m,·) were in version v
//!   groups      m ─▶ v  the last point at which a row V(m,·) came or went
//!   past        m a [s,e)  rows that were there from s on and are gone since e
//!
//!   W(f,a)?     for every witness f m v that is within the interval: is V(m,a) there since v or before,
//!               or was it there from s to e with s ≤ v < e?
//! ```
//!
//! Keeping the pairs (f,a) costs as many rows per event as V has for its m, and most of them nobody asks for. A witness is one row.
//!
//! **Law.** Let `W(y,z) = ◆I ∃x (φ(x,y) ∧ V(x,y,z))`, I beginning with now and ending. A *version* of the rows of V with some x and y is
//! the last point at which one of them came or went; between two versions none changes. So W(y,z) holds iff for some x and v there is a point
//! within I at which φ(x,y) held in version v, and V(x,y,z) holds in version v. Of the points with the same x, y and v the newest is
//! within I if one is.
//!
//! **Side conditions.** V is kept by what comes and goes (no set, no window), and is read as it is now; it is the only part that
//! speaks of z. W is only asked whether it has a row: nobody goes through its rows, wants to know when they change, or reads
//! what they were. If a plan turns out to need that, the whole is compiled without this law.
//!
//! What is past is forgotten when its end is not behind the first point within I: a witness that is within I has a version that
//! lasted to a point within I. A group without rows is forgotten at once, for nothing can be joined with it. So all of it is bounded by
//! V and by what happened within I.
//!
//! Cost: a witness, one look-up and one row; a question, the witnesses of its y that differ in x or version.

mod codec;

use std::collections::VecDeque;

use crate::fo::store::row::Row;
use crate::fo::store::table::RowTable;
use crate::fo::types::ViewId;
use crate::fo::types::join::{Join, Place, WIDEST};

/// The groups and the past of a view whose rows are joined with the witnesses of a window.
#[derive(Debug)]
pub(crate) struct Joined {
    join: Join,
    /// Stamped with their versions.
    groups: RowTable,
    /// How many rows each group has.
    alive: Vec<u32>,
    /// The keys of rows that are gone, and from when to when they were there.
    past: RowTable,
    /// Those in the order of their ends.
    ended: VecDeque<(u64, Row)>,
}

impl Joined {
    /// The view whose rows are joined.
    pub(crate) fn of(&self) -> ViewId {
        self.join.of
    }

    /// No rows yet.
    pub(crate) fn new(join: &Join) -> Joined {
        let keys = join.row.len();
        let mut past = RowTable::new(keys + 2, false, false, false);
        past.add_index(&(0..keys).collect::<Vec<_>>());
        Joined {
            groups: RowTable::new(join.group.len(), true, false, false),
            alive: Vec::new(),
            past,
            ended: VecDeque::new(),
            join: join.clone(),
        }
    }

    /// A row of the joined view comes.
    pub(crate) fn comes(&mut self, key: &[u64], point: u64) {
        let mut group = [0; WIDEST];
        group.iter_mut().zip(&self.join.group).for_each(|(word, (column, _))| *word = key[*column]);
        let (row, new) = self.groups.insert(&group[..self.join.group.len()]);
        if self.alive.len() <= row as usize {
            self.alive.resize(row as usize + 1, 0);
        }
        let alive = &mut self.alive[row as usize];
        *alive = if new { 1 } else { *alive + 1 };
        self.groups.set_stamp(row, point);
    }

    /// A row of the joined view that was there from a point on goes at another; witnesses before `floor` do not count.
    pub(crate) fn goes(&mut self, key: &[u64], since: u64, point: u64, floor: u64) {
        let mut group = [0; WIDEST];
        group.iter_mut().zip(&self.join.group).for_each(|(word, (column, _))| *word = key[*column]);
        if let Some(row) = self.groups.find(&group[..self.join.group.len()]) {
            self.alive[row as usize] -= 1;
            self.groups.set_stamp(row, point);
            if self.alive[row as usize] == 0 {
                self.groups.remove(row);
            }
        }
        while let Some((_, row)) = self.ended.front().filter(|(end, _)| *end <= floor) {
            self.past.remove(*row);
            self.ended.pop_front();
        }
        if since < point {
            let mut past = [0; WIDEST];
            past[..key.len()].copy_from_slice(key);
            (past[key.len()], past[key.len() + 1]) = (since, point);
            let (row, _) = self.past.insert(&past[..key.len() + 2]);
            self.ended.push_back((point, row));
        }
    }

    /// The row of a witness, if there is anything to join it with: its registers and the version of its group.
    #[inline(always)]
    pub(crate) fn witness<R>(&self, registers: &[u64], then: impl FnOnce(&[u64]) -> R) -> Option<R> {
        let mut words = [0; WIDEST];
        words.iter_mut().zip(&self.join.group).for_each(|(word, (_, place))| *word = registers[*place]);
        let group = self.groups.find(&words[..self.join.group.len()])?;
        words[..registers.len()].copy_from_slice(registers);
        words[registers.len()] = self.groups.stamp(group);
        Some(then(&words[..registers.len() + 1]))
    }

    /// Whether the window has a row with this key.
    #[inline]
    pub(crate) fn has(&self, key: &[u64], witnesses: &RowTable, rows: &RowTable) -> bool {
        let Join { registers, asked, row: places, .. } = &self.join;
        let mut words = [0; WIDEST];
        words.iter_mut().zip(&registers[..*asked]).for_each(|(word, column)| *word = key[*column as usize]);
        let mut next = witnesses.first(0, &words[..*asked]);
        while let Some(row) = next {
            next = witnesses.next(0, row);
            if !witnesses.is_true(row) {
                continue;
            }
            let witness = witnesses.key(row);
            for (word, place) in words.iter_mut().zip(places) {
                *word = match place {
                    Place::Column(column) => key[*column],
                    Place::Witness(at) => witness[*asked + at],
                };
            }
            let (own, version) = (&words[..places.len()], witness[registers.len()]);
            if rows
                .find(own)
                .is_some_and(|row| rows.stamp(row) <= version || crate::faults::is(crate::faults::Fault::Joins))
                || self.was(own, version)
            {
                return true;
            }
        }
        false
    }

    /// Whether a row that is gone was there in a version.
    #[inline]
    fn was(&self, key: &[u64], version: u64) -> bool {
        if self.ended.is_empty() {
            return false;
        }
        let mut next = self.past.first(0, key);
        while let Some(row) = next {
            next = self.past.next(0, row);
            if let [since, end] = self.past.key(row)[key.len()..]
                && (since..end).contains(&version)
            {
                return true;
            }
        }
        false
    }
}
