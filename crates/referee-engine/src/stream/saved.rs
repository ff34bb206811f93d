//! Saves as bytes what a program remembers between two points, and restores it.
//!
//! ```text
//!  step, time, point, violations │ obstacle │ steps that late nodes have yet to see │ instances of every node │ rows of reports
//! ```
//!
//! Which instances have a value at the last step is not written: every step makes that anew.

use std::collections::VecDeque;

use referee_trace::raw::ShapeId;
use referee_trace::values::Values;

use super::{DelayedStep, StreamJudge};
use crate::judge::{Damaged, Reader, ReportRow, Writer};
use crate::shared::bytes::fingerprint;
use crate::shared::saved_values::{read_argument, write_argument};

impl StreamJudge {
    /// Writes all that later verdicts depend on.
    pub(super) fn write_state(&self, values: &Values, out: &mut Writer) {
        [self.step, self.point, self.violations].into_iter().for_each(|number| out.number(number));
        out.exact(&self.now);
        out.truth(self.has_time);
        out.truth(self.obstacle.is_some());
        self.obstacle.iter().for_each(|obstacle| out.obstacle(obstacle));
        out.length(self.recent.len());
        for recent in &self.recent {
            self.write_recent(recent, values, out);
        }
        self.tables.iter().for_each(|table| table.save(values, out));
        out.length(self.reports.len());
        self.reports.iter().for_each(|row| write_report(row, out));
    }

    /// Shapes have other numbers elsewhere, so all that they show is written in short.
    fn write_recent(&self, recent: &DelayedStep, values: &Values, out: &mut Writer) {
        let DelayedStep { shape, point, time, has_time, arguments } = recent;
        let shape = self.late_shapes.get(shape.index()).map_or(0, |shape| fingerprint(&[shape]));
        out.number(shape);
        out.number(*point);
        out.exact(time);
        out.truth(*has_time);
        out.length(arguments.len());
        arguments.iter().for_each(|atom| write_argument(*atom, values, out));
    }

    /// Reads what `write_state` wrote, into a judge that has heard of shapes and nothing else.
    pub(super) fn read_state(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        let counted = |number: u64| Some(number).filter(|number| *number <= u64::MAX / 2).ok_or(Damaged);
        (self.step, self.point) = (counted(reader.number()?)?, reader.number()?);
        self.violations = counted(reader.number()?)?;
        self.now = reader.exact()?;
        self.has_time = reader.truth()?;
        self.obstacle = if reader.truth()? { Some(reader.obstacle()?) } else { None };
        let known: Vec<u64> = self.late_shapes.iter().map(|shape| fingerprint(&[shape])).collect();
        let recent = reader.list(|reader| self.read_recent(&known, values, reader))?;
        let most = if self.plan.latest > 0 { self.plan.latest as usize + 1 } else { 0 };
        if recent.len() > most || recent.len() as u64 > self.step {
            return Err(Damaged);
        }
        self.recent = VecDeque::from(recent);
        for table in &mut self.tables {
            table.load(values, reader)?;
        }
        self.reports = reader.list(read_report)?;
        match self.reports.iter().all(|row| row.report < self.program.reports.len()) {
            true => Ok(()),
            false => Err(Damaged),
        }
    }

    fn read_recent(&self, known: &[u64], values: &mut Values, reader: &mut Reader) -> Result<DelayedStep, Damaged> {
        let own = reader.number()?;
        let shape = known.iter().position(|known| *known == own).ok_or(Damaged)?;
        let (point, time, has_time) = (reader.number()?, reader.exact()?, reader.truth()?);
        let arguments = reader.list(|reader| read_argument(values, reader))?;
        match arguments.len() == self.late_shapes[shape].arguments.len() {
            true => Ok(DelayedStep { shape: ShapeId(shape as u32), point, time, has_time, arguments }),
            false => Err(Damaged),
        }
    }
}

fn write_report(row: &ReportRow, out: &mut Writer) {
    out.length(row.report);
    out.number(row.point);
    out.truth(row.time.is_some());
    row.time.iter().for_each(|time| out.exact(time));
    out.length(row.values.len());
    for value in &row.values {
        out.truth(value.is_some());
        value.iter().for_each(|value| out.value(value));
    }
}

fn read_report(reader: &mut Reader) -> Result<ReportRow, Damaged> {
    let (report, point) = (reader.small()? as usize, reader.number()?);
    let time = if reader.truth()? { Some(reader.exact()?) } else { None };
    let values = reader.list(|reader| if reader.truth()? { reader.value().map(Some) } else { Ok(None) })?;
    Ok(ReportRow { rule: 0, report, point, time, values })
}
