//! Sets in handlers: whether a value belongs to one, whether any does, and how a row's set grows.
//!
//! ```text
//!   ∃l (¬T3(t,x,l) ∧ ¬T3(u,x,l))      of T3, a row has the values of l, or all but some
//!      ─▶ the rows of (t,x) and (u,x), found once
//!         both sets finite: something is always left over
//!         otherwise: some value that one of them lists, and that the other one lacks
//! ```
//!
//! To learn whether an intersection is empty, a handler does not build it. A set that holds everything but some values grows when fewer
//! values are left out, so the handler looks at those values only; at most events none of them comes in, and it does nothing. A handler
//! gathers the values that sets lack once, and uses them for all rows that grow by the same column before it changes: a thread that
//! uses one variable after the other holds the same locks meanwhile.

use crate::fo::code::key::{HOLE, Slot, SlotKey};
use crate::fo::code::set_use::{Belongs, Column, ROWS, SetUse};
use crate::fo::run::executor::Executor;
use crate::fo::run::gathered::GatheredFrom;
use crate::fo::store::lookup::NONE;
use crate::fo::store::row::Row;
use crate::fo::store::sets::{List, Set};
use crate::fo::types::ViewId;

/// The sets of rows that were found, and where the others are.
struct Sets<'s> {
    executor: &'s Executor,
    rows: [Option<&'s Set>; ROWS],
}

impl Sets<'_> {
    /// The set of a row, if that is the whole set.
    fn of_row(&self, set: &Belongs) -> Option<&Set> {
        match set {
            Belongs::OfRow(row) => self.rows[*row],
            Belongs::And(parts) | Belongs::Or(parts) => match &parts[..] {
                [part] => self.of_row(part),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a value belongs to a set.
    fn has(&self, set: &Belongs, value: u64) -> bool {
        match set {
            Belongs::Value(slot) => self.executor.frame[*slot as usize] == value,
            Belongs::Column(column) => self.executor.has_row(column, value),
            Belongs::OfRow(row) => self.rows[*row].is_some_and(|set| set.has(value)),
            Belongs::Not(body) => !self.has(body, value),
            Belongs::And(parts) => parts.iter().all(|part| self.has(part, value)),
            Belongs::Or(parts) => parts.iter().any(|part| self.has(part, value)),
        }
    }

    /// Whether a set is all but finitely many values.
    fn is_open(&self, set: &Belongs) -> bool {
        match set {
            Belongs::Value(_) | Belongs::Column(_) => false,
            Belongs::OfRow(row) => self.rows[*row].is_some_and(Set::is_open),
            Belongs::Not(body) => !self.is_open(body),
            Belongs::And(parts) => parts.iter().all(|part| self.is_open(part)),
            Belongs::Or(parts) => parts.iter().any(|part| self.is_open(part)),
        }
    }

    /// Whether something belongs to a set, or not to it if `not` says so.
    fn is_inhabited(&self, set: &Belongs, not: bool) -> bool {
        self.is_open(set) != not || self.some(set, not, &mut |_| true)
    }

    /// Whether some value of a finite set fits; if `not` says so, some of the finitely many that do not belong to it.
    fn some(&self, set: &Belongs, not: bool, fits: &mut dyn FnMut(u64) -> bool) -> bool {
        match (set, not) {
            (Belongs::Value(slot), _) => fits(self.executor.frame[*slot as usize]),
            (Belongs::Column(column), _) => self.executor.some_row(column, fits),
            (Belongs::OfRow(row), _) => {
                self.rows[*row].is_some_and(|set| set.listed().iter().any(|value| fits(*value)))
            }
            (Belongs::Not(body), _) => self.some(body, !not, fits),
            (Belongs::And(parts), false) | (Belongs::Or(parts), true) => {
                // What belongs to all of them is listed by one that is finite.
                let Some(finite) = parts.iter().position(|part| self.is_open(part) == not) else { return false };
                let others = || parts.iter().enumerate().filter(|(at, _)| *at != finite).map(|(_, part)| part);
                self.some(&parts[finite], not, &mut |value| {
                    others().all(|part| self.has(part, value) != not) && fits(value)
                })
            }
            (Belongs::Or(parts), false) | (Belongs::And(parts), true) => {
                parts.iter().any(|part| self.some(part, not, fits))
            }
        }
    }

    /// The set.
    fn whole(&self, set: &Belongs) -> Set {
        match set {
            Belongs::Value(slot) => Set::of([self.executor.frame[*slot as usize]]),
            Belongs::Column(column) => {
                let mut list = List::default();
                self.executor.some_row(column, &mut |value| {
                    list.push(value);
                    false
                });
                list.into_set()
            }
            Belongs::OfRow(row) => self.rows[*row].cloned().unwrap_or_default(),
            Belongs::Not(body) => self.whole(body).complement(),
            Belongs::And(parts) => parts.iter().fold(Set::constant(true), |all, part| all.and(&self.whole(part))),
            Belongs::Or(parts) => parts.iter().fold(Set::constant(false), |all, part| all.or(&self.whole(part))),
        }
    }
}

impl Executor {
    /// Whether something belongs to a set.
    pub(crate) fn is_inhabited(&self, set: &SetUse) -> bool {
        self.sets(set).is_inhabited(&set.body, false)
    }

    /// Adds what belongs to a set to that of a row, which is not among those that the set is made of.
    pub(crate) fn grow(&mut self, view: ViewId, key: SlotKey, set: &SetUse) {
        if let Some(column) = &set.lacks {
            self.gather(column);
        }
        let Some(row) = self.row(view, key) else { return self.add_with(view, key, set) };
        let grows = match self.store.tables[view].set(row) {
            Some(known) if known.is_open() && set.lacks.is_some() => !known.lists_within(&self.gathered.values),
            Some(known) if known.is_open() => {
                let sets = self.sets(set);
                match sets.of_row(&set.body) {
                    Some(other) if other.is_open() => !known.lists_within(other),
                    _ => known.listed().iter().any(|value| sets.has(&set.body, *value)),
                }
            }
            _ => true,
        };
        if grows {
            self.grow_row(view, row, set);
        }
    }

    /// Gathers the values of a column, unless they are known.
    #[inline(always)]
    fn gather(&mut self, column: &Column) {
        let source = match column.key {
            // Of windows nothing is known, for time changes them.
            _ if !self.store.is_plain(column.table) => None,
            SlotKey::One(HOLE) => Some(0),
            SlotKey::Two(one, HOLE) | SlotKey::Two(HOLE, one) => Some(self.frame[one as usize]),
            _ => None,
        };
        let change = self.store.tables[column.table].changes();
        let source = source.map(|word| GatheredFrom { table: column.table, column: column.column, word, change });
        if source.is_none() || self.gathered.source != source {
            self.gather_now(column, source);
        }
    }

    #[inline(never)]
    fn gather_now(&mut self, column: &Column, source: Option<GatheredFrom>) {
        let mut list = List::default();
        self.some_row(column, &mut |value| {
            list.push(value);
            false
        });
        let values = list.into_set();
        self.gathered.source = source;
        // Rows that come and go often lead to the same values again, and who has them keeps them once.
        if self.gathered.values != values {
            self.gathered.values = values;
        }
    }

    #[inline(never)]
    fn grow_row(&mut self, view: ViewId, row: Row, set: &SetUse) {
        let known = self.store.tables[view].set(row).cloned().unwrap_or_default();
        let sets = self.sets(set);
        let all = match (known.is_open(), &set.lacks) {
            (true, Some(_)) => known.and_listed(&self.gathered.values),
            (true, None) => {
                let mut all = known.clone();
                all.retain(|value| !sets.has(&set.body, value));
                all
            }
            (false, _) => known.or(&sets.whole(&set.body)),
        };
        if all != known {
            self.store.tables[view].replace_set(row, all);
            self.store.changes.note(view, self.store.tables[view].key(row));
        }
    }

    /// Adds a row with a set, unless that is empty.
    #[inline(never)]
    fn add_with(&mut self, view: ViewId, key: SlotKey, set: &SetUse) {
        let values = match &set.lacks {
            Some(_) => self.gathered.values.clone().complement(),
            None => self.sets(set).whole(&set.body),
        };
        if values.is_empty() {
            return;
        }
        let row = self.with_key(key, |executor, words| executor.store.tables[view].add(words, 0));
        self.store.tables[view].replace_set(row, values);
        self.store.changes.note(view, self.store.tables[view].key(row));
    }

    /// Finds the rows of a set.
    #[inline(always)]
    fn sets(&self, set: &SetUse) -> Sets<'_> {
        let mut rows = [None; ROWS];
        for (at, (table, key)) in set.rows.iter().enumerate() {
            rows[at] = self.row(*table, *key).and_then(|row| self.store.tables[*table].set(row));
        }
        Sets { executor: self, rows }
    }

    /// Whether there is a row with a value in the place of the hole.
    #[inline(always)]
    fn has_row(&self, column: &Column, value: u64) -> bool {
        let table = &self.store.tables[column.table];
        let row = match column.key {
            SlotKey::Two(one, HOLE) => table.find_words(&[self.frame[one as usize], value]),
            SlotKey::Two(HOLE, two) => table.find_words(&[value, self.frame[two as usize]]),
            key => key.with_hole(&self.frame, value, |words| table.find(words)).unwrap_or(NONE),
        };
        row != NONE && (column.all || table.is_true(row))
    }

    /// Whether the value in the place of the hole fits, in some row.
    fn some_row(&self, column: &Column, fits: &mut dyn FnMut(u64) -> bool) -> bool {
        let table = &self.store.tables[column.table];
        let mut take = |row: Row| {
            let key = table.key(row);
            let is_one = |(slot, word): (Slot, &u64)| slot == HOLE || self.frame[slot as usize] == *word;
            (column.all || table.is_true(row)) && column.key.slots().zip(key).all(is_one) && fits(key[column.column])
        };
        let Some((index, values)) = &column.index else { return table.rows().any(take) };
        let mut next = values.with(&self.frame, |values| table.first(*index, values));
        while let Some(row) = next {
            if take(row) {
                return true;
            }
            next = table.next(*index, row);
        }
        false
    }
}
