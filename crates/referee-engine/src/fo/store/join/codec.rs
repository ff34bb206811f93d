//! The groups and the past of a joined view, as bytes.

use super::Joined;
use crate::fo::store::row::Row;
use crate::fo::store::table::RowTable;
use crate::fo::store::table::codec::KeyColumns;
use crate::fo::store::words::{RowReader, RowWriter};
use crate::fo::types::join::WIDEST;
use crate::shared::bytes::Damaged;

impl Joined {
    /// Writes the groups with their versions and sizes, and the rows that are gone in the order of their ends.
    pub(crate) fn write(&self, out: &mut RowWriter<'_, '_>) {
        let groups = self.groups.rows_to_save(|_| true);
        self.groups.write(&groups, self.group_columns(), out);
        groups.iter().for_each(|row| out.out.number(u64::from(self.alive[*row as usize])));
        let gone: Vec<Row> = self.ended.iter().map(|(_, row)| *row).collect();
        self.past.write(&gone, self.past_columns(), out);
    }

    /// Reads them, when the rows of the joined view have been read.
    pub(crate) fn read(&mut self, rows: &RowTable, point: u64, from: &mut RowReader<'_, '_>) -> Result<(), Damaged> {
        let (group_columns, past_columns) = (self.group_columns(), self.past_columns());
        self.groups.read(group_columns, point, from)?;
        self.alive = (0..self.groups.made()).map(|_| from.reader.small()).collect::<Result<_, _>>()?;
        self.check_sizes(rows)?;
        self.past.read(past_columns, point, from)?;
        let mut last = 0;
        for row in 0..self.past.made() as Row {
            let [.., since, end] = *self.past.key(row) else { return Err(Damaged) };
            if since >= end || end < last {
                return Err(Damaged);
            }
            self.ended.push_back((end, row));
            last = end;
        }
        Ok(())
    }

    /// Each row of the joined view is counted in its group: it will be counted out again.
    fn check_sizes(&self, rows: &RowTable) -> Result<(), Damaged> {
        let mut counted = vec![0_u32; self.alive.len()];
        for row in rows.rows() {
            let (key, mut group) = (rows.key(row), [0; WIDEST]);
            group.iter_mut().zip(&self.join.group).for_each(|(word, (column, _))| *word = key[*column]);
            let group = self.groups.find(&group[..self.join.group.len()]).ok_or(Damaged)?;
            counted[group as usize] += 1;
        }
        let fits = |(alive, counted): (&u32, u32)| *alive >= counted && *alive < u32::MAX / 2;
        if self.alive.iter().zip(counted).all(fits) { Ok(()) } else { Err(Damaged) }
    }

    fn group_columns(&self) -> KeyColumns {
        KeyColumns { values: self.join.group.len(), points: 0 }
    }

    fn past_columns(&self) -> KeyColumns {
        KeyColumns { values: self.join.row.len(), points: 2 }
    }
}
