//! Open demands as bytes: of each row that has some, the points at which it was opened.
//!
//! Rows that are settled are not written, nor what follows from the openings: how many there are, their deadlines, which lie in the
//! order of their points, and how many each point has.

use super::Demands;
use crate::fo::store::row::Row;
use crate::fo::store::table::RowTable;
use crate::shared::bytes::{Damaged, Reader, Writer};

impl Demands {
    /// Writes the openings of rows, which were saved in this order.
    pub(crate) fn write(&self, rows: &[Row], out: &mut Writer) {
        self.clock.iter().for_each(|clock| clock.write(out));
        for row in rows {
            out.length(self.openings(*row).count());
            let mut last = 0;
            for point in self.openings(*row) {
                out.number(point.wrapping_sub(last));
                last = point;
            }
        }
        self.write_fresh(rows, out);
    }

    /// Writes the places of those rows that speak of the next point and are not settled.
    fn write_fresh(&self, rows: &[Row], out: &mut Writer) {
        let mut fresh: Vec<Row> = self.fresh.iter().copied().filter(|row| !self.is_settled(*row)).collect();
        fresh.sort_unstable();
        let is_fresh = |row: &Row| fresh.binary_search(row).is_ok();
        let places: Vec<usize> = (0..rows.len()).filter(|place| !fresh.is_empty() && is_fresh(&rows[*place])).collect();
        out.length(places.len());
        places.iter().for_each(|place| out.length(*place));
    }

    /// Reads what was written, for a table whose rows have been read; no opening is behind the last point.
    pub(crate) fn read(&mut self, table: &RowTable, last: u64, reader: &mut Reader<'_>) -> Result<(), Damaged> {
        if let Some(clock) = &mut self.clock {
            clock.read(last, reader)?;
        }
        let mut all: Vec<(u64, Row)> = Vec::new();
        for row in 0..table.made() as Row {
            self.read_row(row, last, &mut all, reader)?;
        }
        all.sort_by_key(|(point, _)| *point);
        self.open = all.len() as u64;
        if self.shape.shown {
            all.iter().for_each(|(point, _)| self.points.add(*point));
        }
        if self.clock.is_some() && self.shape.interval.high.is_some() {
            self.deadlines = all.into();
        }
        self.fresh =
            reader.list(|reader| Some(reader.small()?).filter(|row| (*row as usize) < table.made()).ok_or(Damaged))?;
        Ok(())
    }

    fn read_row(
        &mut self,
        row: Row,
        last: u64,
        all: &mut Vec<(u64, Row)>,
        reader: &mut Reader<'_>,
    ) -> Result<(), Damaged> {
        self.make_room(row);
        let count = reader.length()?;
        if count == 0 || (count > 1 && self.shape.single) {
            return Err(Damaged);
        }
        let mut point: u64 = 0;
        for _ in 0..count {
            let distance = Some(reader.number()?).filter(|distance| *distance > 0).ok_or(Damaged)?;
            point = point.checked_add(distance).filter(|point| *point <= last).ok_or(Damaged)?;
            self.append(row, point);
            all.push((point, row));
        }
        Ok(())
    }
}
