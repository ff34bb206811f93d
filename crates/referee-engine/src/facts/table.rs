//! Stores the facts of one relation, with an index for every set of columns that a condition or an action looks up by.
//!
//! ```text
//!  slot     0       1       2          rows, one after the other; a removed row's slot is used again
//!  row      7 x     8 x     7 y
//!  primary  (7 x)─▶0  (8 x)─▶1  (7 y)─▶2        by the key: all columns, or those that tell facts apart
//!  index 0  (7)─▶2─▶0  (8)─▶1                    by column 0: the rows that share it are a list through the slots
//! ```
//!
//! Cost: one look-up per index to insert or to remove, and one to find the first row with given values. Nothing is
//! allocated unless there are more rows than ever before.

use hashbrown::HashTable;
use referee_trace::values::Atom;

/// The slot of no row.
pub(super) const NONE: u32 = u32::MAX;

/// How rows with given values in some columns are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// The columns hold the key: there is at most one.
    Primary,
    /// By an index.
    Index(usize),
}

/// The facts of one relation.
#[derive(Debug)]
pub(crate) struct FactsTable {
    arity: usize,
    keys: usize,
    rows: Vec<Atom>,
    /// The point that inserted each row; 0 if it was there at first.
    born: Vec<u64>,
    free: Vec<u32>,
    primary: HashTable<u32>,
    indexes: Vec<FactsIndex>,
    version: u64,
}

#[derive(Debug)]
struct FactsIndex {
    columns: Box<[usize]>,
    heads: HashTable<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
}

fn hash(values: impl Iterator<Item = Atom>) -> u64 {
    values.fold(0x51_7c_c1_b7_27_22_0a_95, |hash: u64, value| {
        let product = u128::from(hash ^ value.word()) * 0x9e37_79b9_7f4a_7c15;
        (product as u64) ^ (product >> 64) as u64
    })
}

impl FactsTable {
    /// No facts, of so many columns, the first of which are the key.
    pub(crate) fn new(arity: usize, keys: usize) -> FactsTable {
        FactsTable {
            arity,
            keys,
            rows: Vec::new(),
            born: Vec::new(),
            free: Vec::new(),
            primary: HashTable::new(),
            indexes: Vec::new(),
            version: 0,
        }
    }

    /// How to find rows by these columns, in ascending order; an index is made where there is none yet.
    pub(crate) fn access(&mut self, columns: &[usize]) -> Access {
        if (0..self.keys).all(|key| columns.contains(&key)) {
            return Access::Primary;
        }
        let known = self.indexes.iter().position(|index| *index.columns == *columns);
        Access::Index(known.unwrap_or_else(|| {
            self.indexes.push(FactsIndex {
                columns: columns.into(),
                heads: HashTable::new(),
                next: Vec::new(),
                previous: Vec::new(),
            });
            self.indexes.len() - 1
        }))
    }

    /// How to find rows by a column from now on: those that are there are found, too.
    pub(crate) fn late_access(&mut self, column: usize) -> Access {
        let known = self.indexes.len();
        let access = self.access(&[column]);
        if self.indexes.len() > known {
            let (rows, arity, slots) = (&self.rows, self.arity, &self.primary);
            let index = &mut self.indexes[known];
            slots.iter().for_each(|slot| index.link(*slot, rows, arity));
        }
        access
    }

    /// Removes all rows with a value in the column of an access.
    pub(crate) fn remove_with(&mut self, access: Access, column: usize, value: Atom) {
        loop {
            let slot = self.first(access, &[value]);
            if slot == NONE || self.row(slot)[column] != value {
                return;
            }
            self.remove(slot);
        }
    }

    /// How many facts there are.
    pub(crate) fn len(&self) -> usize {
        self.primary.len()
    }

    /// A number that grows whenever a fact comes or goes.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// The values of a row.
    #[inline]
    pub(crate) fn row(&self, slot: u32) -> &[Atom] {
        let start = slot as usize * self.arity;
        &self.rows[start..start + self.arity]
    }

    /// The point that inserted a row; 0 if it was there at first.
    pub(crate) fn born(&self, slot: u32) -> u64 {
        self.born[slot as usize]
    }

    /// The slots of all rows.
    pub(crate) fn slots(&self) -> impl Iterator<Item = u32> {
        self.primary.iter().copied()
    }

    /// The row with this key, which the first values of `key` are.
    #[inline]
    pub(crate) fn find(&self, key: &[Atom]) -> Option<u32> {
        let key = &key[..self.keys];
        let hash = hash(key.iter().copied());
        self.primary.find(hash, |slot| self.row(*slot)[..self.keys] == *key).copied()
    }

    /// The first row that has, in the columns of the access, these values; those of a primary access are the key.
    #[inline]
    pub(crate) fn first(&self, access: Access, values: &[Atom]) -> u32 {
        match access {
            Access::Primary => self.find(values).unwrap_or(NONE),
            Access::Index(number) => {
                let index = &self.indexes[number];
                let same = |slot: &u32| {
                    let row = self.row(*slot);
                    index.columns.iter().zip(values).all(|(column, value)| row[*column] == *value)
                };
                index.heads.find(hash(values.iter().copied()), same).copied().unwrap_or(NONE)
            }
        }
    }

    /// The row after this one, in the same access.
    #[inline]
    pub(crate) fn next(&self, access: Access, slot: u32) -> u32 {
        match access {
            Access::Primary => NONE,
            Access::Index(number) => self.indexes[number].next[slot as usize],
        }
    }

    /// Inserts a fact; one with the same key makes room for it. Whether anything has changed.
    pub(crate) fn insert(&mut self, row: &[Atom], point: u64) -> bool {
        if let Some(slot) = self.find(row) {
            if self.row(slot) == row {
                return false;
            }
            self.remove(slot);
        }
        let slot = self.take_slot(row, point);
        let (rows, arity, keys) = (&self.rows, self.arity, self.keys);
        let key = |slot: &u32| hash(rows[*slot as usize * arity..][..keys].iter().copied());
        self.primary.insert_unique(key(&slot), slot, key);
        for index in &mut self.indexes {
            index.link(slot, rows, arity);
        }
        self.version += 1;
        true
    }

    fn take_slot(&mut self, row: &[Atom], point: u64) -> u32 {
        if let Some(slot) = self.free.pop() {
            let start = slot as usize * self.arity;
            self.rows[start..start + self.arity].copy_from_slice(row);
            self.born[slot as usize] = point;
            return slot;
        }
        self.rows.extend_from_slice(row);
        self.born.push(point);
        self.born.len() as u32 - 1
    }

    /// Removes a row.
    pub(crate) fn remove(&mut self, slot: u32) {
        let (rows, arity, keys) = (&self.rows, self.arity, self.keys);
        let hash = hash(rows[slot as usize * arity..][..keys].iter().copied());
        if let Ok(entry) = self.primary.find_entry(hash, |known| *known == slot) {
            entry.remove();
        }
        for index in &mut self.indexes {
            index.unlink(slot, rows, arity);
        }
        self.free.push(slot);
        self.version += 1;
    }

    /// Removes all rows.
    pub(crate) fn clear(&mut self) {
        if self.len() == 0 {
            return;
        }
        self.rows.clear();
        self.born.clear();
        self.free.clear();
        self.primary.clear();
        for index in &mut self.indexes {
            index.heads.clear();
            index.next.clear();
            index.previous.clear();
        }
        self.version += 1;
    }
}

impl FactsIndex {
    fn key<'r>(&'r self, slot: u32, rows: &'r [Atom], arity: usize) -> impl Iterator<Item = Atom> {
        let row = &rows[slot as usize * arity..][..arity];
        self.columns.iter().map(|column| row[*column])
    }

    /// Puts a row at the head of the list of those with the same values.
    fn link(&mut self, slot: u32, rows: &[Atom], arity: usize) {
        let room = slot as usize + 1;
        if self.next.len() < room {
            self.next.resize(room, NONE);
            self.previous.resize(room, NONE);
        }
        self.previous[slot as usize] = NONE;
        let wanted = hash(self.key(slot, rows, arity));
        let found = self.heads.find(wanted, |head| self.key(*head, rows, arity).eq(self.key(slot, rows, arity)));
        match found.copied() {
            Some(head) => {
                self.next[slot as usize] = head;
                self.previous[head as usize] = slot;
                self.replace(wanted, head, slot);
            }
            None => {
                self.next[slot as usize] = NONE;
                let columns = &self.columns;
                let rehash = |slot: &u32| {
                    let row = &rows[*slot as usize * arity..][..arity];
                    hash(columns.iter().map(|column| row[*column]))
                };
                self.heads.insert_unique(wanted, slot, rehash);
            }
        }
    }

    fn replace(&mut self, hash: u64, head: u32, by: u32) {
        if let Some(found) = self.heads.find_mut(hash, |known| *known == head) {
            *found = by;
        }
    }

    fn unlink(&mut self, slot: u32, rows: &[Atom], arity: usize) {
        let (before, after) = (self.previous[slot as usize], self.next[slot as usize]);
        if after != NONE {
            self.previous[after as usize] = before;
        }
        if before != NONE {
            self.next[before as usize] = after;
            return;
        }
        let hash = hash(self.key(slot, rows, arity));
        if after != NONE {
            self.replace(hash, slot, after);
        } else if let Ok(entry) = self.heads.find_entry(hash, |known| *known == slot) {
            entry.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(integer: i64) -> Atom {
        Atom::integer(integer).expect("a small integer")
    }

    fn found(table: &FactsTable, access: Access, values: &[Atom]) -> Vec<Vec<i64>> {
        let mut rows = Vec::new();
        let mut slot = table.first(access, values);
        while slot != NONE {
            rows.push(table.row(slot).iter().map(|atom| atom.as_integer().expect("an integer")).collect());
            slot = table.next(access, slot);
        }
        rows.sort();
        rows
    }

    #[test]
    fn every_index_finds_what_is_there() {
        let mut table = FactsTable::new(2, 2);
        let accesses = [table.access(&[0]), table.access(&[1]), table.access(&[]), table.access(&[0, 1])];
        assert_eq!(accesses[3], Access::Primary);
        let mut present: Vec<(i64, i64)> = Vec::new();
        let mut state = 7u64;
        for round in 0..2_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (a, b) = ((state >> 33) as i64 % 5, (state >> 40) as i64 % 4);
            let row = [atom(a), atom(b)];
            match table.find(&row) {
                Some(slot) if state >> 62 != 0 => {
                    table.remove(slot);
                    present.retain(|known| *known != (a, b));
                }
                _ => {
                    assert_eq!(table.insert(&row, round), !present.contains(&(a, b)));
                    present.retain(|known| *known != (a, b));
                    present.push((a, b));
                }
            }
            let expect = |keep: &dyn Fn(&(i64, i64)) -> bool| {
                let mut rows: Vec<Vec<i64>> =
                    present.iter().filter(|row| keep(row)).map(|(a, b)| vec![*a, *b]).collect();
                rows.sort();
                rows
            };
            assert_eq!(found(&table, accesses[0], &[atom(a)]), expect(&|row| row.0 == a));
            assert_eq!(found(&table, accesses[1], &[atom(b)]), expect(&|row| row.1 == b));
            assert_eq!(found(&table, accesses[2], &[]), expect(&|_| true));
            assert_eq!(table.len(), present.len());
        }
        table.clear();
        assert_eq!((table.len(), found(&table, accesses[2], &[])), (0, Vec::new()));
    }

    #[test]
    fn a_key_has_one_row() {
        let mut table = FactsTable::new(2, 1);
        let all = table.access(&[]);
        assert!(table.insert(&[atom(1), atom(2)], 1));
        assert!(table.insert(&[atom(1), atom(3)], 2));
        assert_eq!(found(&table, all, &[]), [[1, 3]]);
        let mut single = FactsTable::new(1, 0);
        assert!(single.insert(&[atom(1)], 1) && single.insert(&[atom(2)], 1) && !single.insert(&[atom(2)], 1));
        assert_eq!(single.len(), 1);
    }
}
