//! Saves as bytes what a formula over signals remembers, and restores it.
//!
//! ```text
//!  samples, point, time, fields │ verdict, obstacle, robustness │ truth: what each operator keeps │ robust: what each operator keeps
//! ```
//!
//! What is decided is asked for nothing, so its operators are not written. Skips and sets that follow from what samples say are found
//! again. **Whatever is read is checked against the number of samples**, so that no operator is told of one that it does not have.

use referee_spec::core::signal::Robustness;
use referee_trace::values::Values;

use super::SignalJudge;
use super::degree::Degree;
use super::sample_numbers::{ensure, read_sample};
use crate::judge::{Damaged, Reader, Writer};
use crate::shared::saved_values::read_value;

impl SignalJudge {
    /// Whether somebody will still ask for the verdict.
    fn is_judging(&self) -> bool {
        self.verdict.is_none() && self.obstacle.is_none()
    }

    /// Whether somebody will still ask for the robustness.
    fn is_measuring(&self) -> bool {
        self.robust.is_some() && self.robustness.is_none() && self.obstacle.is_none()
    }

    /// Writes all that later verdicts depend on.
    pub(super) fn write_state(&self, values: &Values, out: &mut Writer) {
        out.number(self.samples);
        out.number(self.point);
        out.exact(&self.now);
        for field in &self.fields {
            out.truth(field.is_some());
            field.iter().for_each(|atom| out.atom(*atom, values));
        }
        out.perhaps(self.verdict);
        out.truth(self.obstacle.is_some());
        self.obstacle.iter().for_each(|obstacle| out.obstacle(obstacle));
        out.truth(self.robust.is_some());
        out.truth(self.robustness.is_some());
        self.robustness.iter().for_each(|robustness| robustness.save(out));
        if self.is_judging() {
            self.truth.save(out);
        }
        if let Some(robust) = self.robust.as_ref().filter(|_| self.is_measuring()) {
            robust.save(out);
        }
    }

    /// Reads what `write_state` wrote, into a judge that has heard of shapes and nothing else.
    pub(super) fn read_state(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        self.samples = read_sample(reader)?;
        self.point = reader.number()?;
        // Every sample is a point.
        ensure(self.samples <= self.point)?;
        self.now = reader.exact()?;
        for field in &mut self.fields {
            *field = if reader.truth()? { Some(read_value(values, reader)?) } else { None };
        }
        self.verdict = reader.perhaps()?;
        self.obstacle = if reader.truth()? { Some(reader.obstacle()?) } else { None };
        match (reader.truth()?, &self.robust) {
            (true, None) => return Err(Damaged),
            (false, _) => self.robust = None,
            (true, Some(_)) => {}
        }
        self.robustness = if reader.truth()? { Some(Robustness::load(reader)?) } else { None };
        if self.is_judging() {
            self.truth.load(self.samples, reader)?;
        }
        if self.is_measuring()
            && let Some(robust) = &mut self.robust
        {
            robust.load(self.samples, reader)?;
        }
        Ok(())
    }
}
