//! A store as bytes: the point, per view its rows and what keeps them in time, then joins, demands and what has changed.

use super::RowStore;
use crate::fo::store::demand::Demands;
use crate::fo::store::row::Row;
use crate::fo::store::table::codec::KeyColumns;
use crate::fo::store::words::{RowReader, RowWriter};
use crate::fo::types::{REGISTERS, ViewId};
use crate::shared::bytes::Damaged;

/// Numbers of points leave a bit to others.
const MOST_POINTS: u64 = u64::MAX >> 1;

impl RowStore {
    /// Writes all that later points may ask for; `changes` says that the next one asks what has changed at this one.
    pub(crate) fn write(&self, changes: bool, out: &mut RowWriter<'_, '_>) {
        out.out.number(self.point);
        let mut saved: Vec<Vec<Row>> = Vec::with_capacity(self.tables.len());
        for (view, table) in self.tables.iter().enumerate() {
            let demand = self.demand_of(view);
            let rows = table.rows_to_save(|row| demand.is_none_or(|demands| !demands.is_settled(row)));
            table.write(&rows, self.columns(view), out);
            self.windows[view].iter().for_each(|window| window.write(table, &rows, out.out));
            // Only demands ask for the order again.
            saved.push(if demand.is_some() { rows } else { Vec::new() });
        }
        self.joins.iter().flatten().for_each(|joined| joined.write(out));
        self.demands.iter().zip(&self.demanded).for_each(|(demands, view)| demands.write(&saved[*view], out.out));
        if changes {
            (0..self.tables.len()).for_each(|view| self.write_changes(view, out));
        }
    }

    /// Reads it into a store that is empty.
    pub(crate) fn read(&mut self, changes: bool, from: &mut RowReader<'_, '_>) -> Result<(), Damaged> {
        let point = Some(from.reader.number()?).filter(|point| *point <= MOST_POINTS).ok_or(Damaged)?;
        self.point = point;
        for view in 0..self.tables.len() {
            let columns = self.columns(view);
            let table = &mut self.tables[view];
            table.read(columns, point, from)?;
            if let Some(window) = &mut self.windows[view] {
                window.read(table, point, from.reader)?;
            }
        }
        for joined in self.joins.iter_mut().flatten() {
            joined.read(&self.tables[joined.of()], point, from)?;
        }
        for (demands, view) in self.demands.iter_mut().zip(&self.demanded) {
            demands.read(&self.tables[*view], point, from.reader)?;
        }
        if changes {
            (0..self.tables.len()).try_for_each(|view| self.read_changes(view, from))?;
        }
        Ok(())
    }

    /// The demand whose rows are in a view.
    fn demand_of(&self, view: ViewId) -> Option<&Demands> {
        self.demanded.iter().position(|own| *own == view).map(|demand| &self.demands[demand])
    }

    /// What the columns of a view are: behind the values of a witness stands the version of what it is joined with.
    fn columns(&self, view: ViewId) -> KeyColumns {
        let points = usize::from(self.joins[view].is_some());
        KeyColumns { values: self.tables[view].key_columns() - points, points }
    }

    fn write_changes(&self, view: ViewId, out: &mut RowWriter<'_, '_>) {
        let keys = self.tables[view].key_columns();
        let changed = self.changes.of(view);
        out.out.length(changed.len());
        if keys > 0 {
            out.words(changed);
        } else {
            // A byte for each, as if it were a word.
            changed.iter().for_each(|_| out.out.number(0));
        }
    }

    fn read_changes(&mut self, view: ViewId, from: &mut RowReader<'_, '_>) -> Result<(), Damaged> {
        let keys = self.tables[view].key_columns();
        let (words, width) = (from.reader.length()?, keys.max(1));
        if words % width > 0 || width > REGISTERS {
            return Err(Damaged);
        }
        let mut key = [0; REGISTERS];
        for _ in 0..words / width {
            from.words(&mut key[..width])?;
            self.changes.note_any(view, &key[..keys]);
        }
        Ok(())
    }
}
