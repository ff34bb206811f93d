//! What keeps rows in time, as bytes: a clock, or the witnesses in the order of their times.

use std::collections::VecDeque;

use super::{FEWEST, NewestWindow, QueueWindow, RowWindow};
use crate::fo::store::row::Row;
use crate::fo::store::table::RowTable;
use crate::shared::bytes::{Damaged, Reader, Writer};

impl RowWindow {
    /// Writes it, for a table whose rows were saved in this order.
    pub(crate) fn write(&self, table: &RowTable, rows: &[Row], out: &mut Writer) {
        match self {
            RowWindow::Newest(recent) => recent.clock.write(out),
            RowWindow::Queue(queue) => queue.write(table, rows, out),
        }
    }

    /// Reads it, for a table whose rows have been read; no witness is behind a point.
    pub(crate) fn read(&mut self, table: &mut RowTable, point: u64, reader: &mut Reader<'_>) -> Result<(), Damaged> {
        match self {
            RowWindow::Newest(recent) => recent.read(table, point, reader),
            RowWindow::Queue(queue) => queue.read(table, reader),
        }
    }
}

impl NewestWindow {
    fn read(&mut self, table: &mut RowTable, point: u64, reader: &mut Reader<'_>) -> Result<(), Damaged> {
        self.clock.read(point, reader)?;
        match self.clock.is_empty() {
            // Without a point within the interval no row counts.
            true if table.len() > 0 => return Err(Damaged),
            true => {}
            false => table.set_floor(self.clock.first_within()),
        }
        self.sweep = FEWEST.max(table.len() + table.len() / 4);
        Ok(())
    }
}

impl QueueWindow {
    /// Witnesses of earlier epochs count no more, and are left out: the epochs of all rows begin anew.
    fn write(&self, table: &RowTable, rows: &[Row], out: &mut Writer) {
        if self.interval.high.is_none() {
            let live = |row: &Row| table.witnesses_of(*row).map_or(0, |witnesses| witnesses.live);
            rows.iter().for_each(|row| out.number(u64::from(live(row))));
        }
        let mut places = vec![0; table.made()];
        (0_u64..).zip(rows).for_each(|(place, row)| places[*row as usize] = place);
        let counts = |row: Row, epoch: u32| table.witnesses_of(row).is_some_and(|witnesses| witnesses.epoch == epoch);
        let count =
            |entries: usize| self.queue.iter().take(entries).filter(|(_, row, epoch)| counts(*row, *epoch)).count();
        out.length(count(self.within));
        out.length(count(self.queue.len()));
        let mut last = None;
        for (time, row, _) in self.queue.iter().filter(|(_, row, epoch)| counts(*row, *epoch)) {
            let is_later = last != Some(time);
            out.number(places[*row as usize] << 1 | u64::from(is_later));
            if is_later {
                out.exact(time);
            }
            last = Some(time);
        }
    }

    fn read(&mut self, table: &mut RowTable, reader: &mut Reader<'_>) -> Result<(), Damaged> {
        if self.interval.high.is_none() {
            for row in 0..table.made() as Row {
                // So many that no more of them can be too many.
                let live = Some(reader.small()?).filter(|live| *live < u32::MAX / 2).ok_or(Damaged)?;
                table.witnesses(row).into_iter().for_each(|witnesses| witnesses.live = live);
            }
        }
        self.within = usize::try_from(reader.number()?).map_err(|_| Damaged)?;
        self.queue = VecDeque::new();
        let count = reader.length()?;
        if self.within > count || (self.within > 0 && self.interval.high.is_none()) {
            return Err(Damaged);
        }
        for entry in 0..count {
            self.read_witness(entry < self.within, table, reader)?;
        }
        Ok(())
    }

    fn read_witness(&mut self, is_within: bool, table: &mut RowTable, reader: &mut Reader<'_>) -> Result<(), Damaged> {
        let tag = reader.number()?;
        let row = Row::try_from(tag >> 1).ok().filter(|row| (*row as usize) < table.made()).ok_or(Damaged)?;
        let time = match (tag & 1 == 1, self.queue.back()) {
            (true, _) => reader.exact()?,
            (false, Some((time, ..))) => time.clone(),
            (false, None) => return Err(Damaged),
        };
        let witnesses = table.witnesses(row).ok_or(Damaged)?;
        witnesses.waiting += 1;
        witnesses.live += u32::from(is_within);
        self.queue.push_back((time, row, 0));
        Ok(())
    }
}
