//! Saves as bytes what a formula about the plane remembers, and restores it.
//!
//! ```text
//!  begun, violated, obstacle │ residues, in the order of their numbers │ of the rest, whether there is one │ cells, each with its residue
//! ```
//!
//! All residues that were met are written, not those alone that cells have: when they are too many, the judge gives up.

use super::geometry::Cell;
use super::{Part, PlaneJudge};
use crate::judge::{Damaged, Reader, Unsavable, Writer};

impl PlaneJudge {
    /// Writes all that later verdicts depend on.
    pub(super) fn write_state(&self, out: &mut Writer) -> Result<(), Unsavable> {
        out.truth(self.begun);
        out.truth(self.violated);
        out.truth(self.stuck.is_some());
        self.stuck.iter().for_each(|obstacle| out.obstacle(obstacle));
        self.residues.save(&self.plane.formula, out)?;
        out.number(u64::from(self.rest));
        out.truth(self.is_covered);
        out.length(self.parts.len());
        for Part { cell, residue } in &self.parts {
            out.number(u64::from(*residue));
            cell.save(out);
        }
        Ok(())
    }

    /// Reads what `write_state` wrote, into a judge that has heard of shapes and nothing else.
    pub(super) fn read_state(&mut self, reader: &mut Reader) -> Result<(), Damaged> {
        self.begun = reader.truth()?;
        self.violated = reader.truth()?;
        self.stuck = if reader.truth()? { Some(reader.obstacle()?) } else { None };
        self.residues.load(&self.plane.formula, reader)?;
        let residue = |reader: &mut Reader| Some(reader.small()?).filter(|one| self.residues.has(*one)).ok_or(Damaged);
        self.rest = residue(reader)?;
        self.is_covered = reader.truth()?;
        self.parts = reader.list(|reader| Ok(Part { residue: residue(reader)?, cell: Cell::load(reader)? }))?;
        Ok(())
    }
}
