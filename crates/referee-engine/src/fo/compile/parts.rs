//! The parts of formulas that the interpreter evaluates, and what decides where they begin.

use crate::fo::code::program::Part;
use crate::fo::compile::analysis::Analysis;

/// The parts of all properties that the compiler has looked at.
#[derive(Debug)]
pub(crate) struct InterpretedParts {
    /// The parts, as formulas number them.
    pub all: Vec<Part>,
    /// The property that is read.
    pub rule: usize,
    /// What decides whether a subformula compiles.
    pub analysis: Analysis,
}

impl InterpretedParts {
    /// The number of a part, which may be there already.
    pub(crate) fn number(&mut self, part: Part) -> usize {
        let same = |known: &Part| known.rule == part.rule && known.formula == part.formula;
        // The parts of a property stand at the end.
        let own = self.all.iter().rposition(|known| known.rule != part.rule).map_or(0, |last| last + 1);
        match self.all[own..].iter().position(same) {
            Some(at) => own + at,
            None => {
                self.all.push(part);
                self.all.len() - 1
            }
        }
    }
}
