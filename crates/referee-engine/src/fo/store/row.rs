//! The number of a row: where a table keeps it.

/// A row of a table, by its number.
pub(crate) type Row = u32;
