//! The values that somebody refers to.

use super::atom::{Atom, NUMBER, STRING};
use super::bits::Bits;

/// Values that are marked. Integers of few digits and truth values need no mark.
#[derive(Debug, Clone, Default)]
pub struct LiveValues {
    pub(super) strings: Bits,
    pub(super) numbers: Bits,
}

impl LiveValues {
    /// Marks a value.
    #[inline]
    pub fn mark(&mut self, atom: Atom) {
        match atom.kind() {
            STRING => self.strings.insert(atom.id()),
            NUMBER => self.numbers.insert(atom.id()),
            _ => {}
        }
    }
}
