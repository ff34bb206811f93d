//! What a program keeps, without how: the store makes its tables from this, and the instructions are shortened by it.
//!
//! ```text
//!   CompiledProgram ─▶ StoreShape ─┬─▶ store: tables, windows, demands
//!                                  └─▶ code: which shortcuts of a handler are sound, which memory to prefetch
//! ```
//!
//! **Nothing here changes while events are judged**, so whoever reads it once may rely on it.

use referee_spec::core::Interval;

use crate::fo::types::ViewId;
use crate::fo::types::join::Join;

/// The tables and the demands of a program.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoreShape {
    /// The tables, by view.
    pub tables: Vec<TableShape>,
    /// The demands on the future, by number.
    pub demands: Vec<DemandShape>,
}

/// What rows of a table are kept as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Storage {
    /// Rows with numbers, by their keys.
    #[default]
    Rows,
    /// One bit per row: it is only asked whether the row is there.
    Bits,
    /// One stamp per row, which is its number: rows are looked up and never listed.
    Stamps,
}

/// How the rows of a window are kept in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WindowShape {
    /// By the newest witness of each row.
    Newest(Interval),
    /// By all witnesses.
    All(Interval),
}

/// What a table is, and who looks at it.
#[derive(Debug, Clone, Default)]
pub(crate) struct TableShape {
    /// How many columns a key has.
    pub keys: usize,
    /// What its rows are kept as.
    pub storage: Storage,
    /// Whether every row has a set of values.
    pub has_set: bool,
    /// Whether somebody compares the stamps of rows.
    pub is_stamped: bool,
    /// Whether a row is stamped each time it is inserted.
    pub renews_stamps: bool,
    /// How its rows are kept in time, if it is a window.
    pub window: Option<WindowShape>,
    /// How it is joined when it is asked for, instead of having rows.
    pub join: Option<Join>,
    /// The windows that are joined with its rows.
    pub joined_by: Vec<ViewId>,
    /// The columns of each index.
    pub indexes: Vec<Vec<usize>>,
    /// Whether others are told which rows change.
    pub is_tracked: bool,
    /// Whether somebody besides handlers looks at it: checks of states, copies, and what is to come.
    pub is_watched: bool,
}

impl TableShape {
    /// Whether rows come and go, and nothing else has to be done about it.
    pub(crate) fn is_plain(&self) -> bool {
        self.window.is_none() && self.joined_by.is_empty()
    }

    /// Whether rows have numbers by which they are found again.
    pub(crate) fn has_row_numbers(&self) -> bool {
        self.storage == Storage::Rows
    }

    /// Whether time needs to pass in a window only where a handler asks it.
    pub(crate) fn may_lag(&self) -> bool {
        matches!(self.window, Some(WindowShape::Newest(_))) && self.join.is_none() && !self.is_watched
    }

    /// Whether rows that are asked for one after the other may lie far from each other, once they are many.
    pub(crate) fn may_scatter(&self) -> bool {
        self.keys > 1 || self.has_set
    }
}

/// What all demands of one branch have in common.
#[derive(Debug, Clone)]
pub(crate) struct DemandShape {
    /// The view with a row for each binding.
    pub view: ViewId,
    /// Whether it speaks of the next point, and rows have to be asked for then.
    pub is_awaited: bool,
    /// Durations from an opening to its goal.
    pub interval: Interval,
    /// Whether reaching the goal is the violation.
    pub forbidden: bool,
    /// Whether a row has one opening only.
    pub single: bool,
    /// Whether reports need to know which points have openings.
    pub shown: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only rows that have numbers may be added without a look-up: those of other tables are their stamps, or bits.
    #[test]
    fn some_rows_have_no_numbers() {
        let has_numbers = |storage| TableShape { storage, ..TableShape::default() }.has_row_numbers();
        assert!(has_numbers(Storage::Rows));
        assert!(!has_numbers(Storage::Bits) && !has_numbers(Storage::Stamps));
    }
}
