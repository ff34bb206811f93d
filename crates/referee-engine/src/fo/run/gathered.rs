//! The values of a column that were gathered last, which the sets of many rows may lack.

use crate::fo::store::sets::Set;
use crate::fo::types::ViewId;

/// The values of a column that were gathered last.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    /// Where they come from, if they may be used again.
    pub source: Option<GatheredFrom>,
    /// The values.
    pub values: Set,
}

/// Where values come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GatheredFrom {
    /// The table.
    pub table: ViewId,
    /// The column.
    pub column: usize,
    /// The other word of the rows.
    pub word: u64,
    /// How often rows had come and gone.
    pub change: u64,
}
