//! Which columns a window that is joined when it is asked for takes from its witnesses, and which from the joined rows.

use crate::fo::types::{Var, ViewId};

/// How many words a key may have here.
pub(crate) const WIDEST: usize = 8;

/// Where a column of the joined view comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// From a column of the window.
    Column(usize),
    /// From the witness, behind what it is asked by.
    Witness(usize),
}

/// How a window is joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Join {
    /// The view whose rows are joined, which must stamp them.
    pub of: ViewId,
    /// The registers of a witness: the columns that it is asked by, and what the joined row needs besides.
    pub registers: Vec<Var>,
    /// How many of them it is asked by.
    pub asked: usize,
    /// Where the columns of the joined row come from.
    pub row: Vec<Place>,
    /// The columns of the joined view that a witness knows, and where in the witness they are.
    pub group: Vec<(usize, usize)>,
}

impl Join {
    /// How many columns the table of witnesses has.
    pub fn columns(&self) -> usize {
        self.registers.len() + 1
    }

    /// The columns by which witnesses are found.
    pub fn index(&self) -> Vec<usize> {
        (0..self.asked).collect()
    }
}
