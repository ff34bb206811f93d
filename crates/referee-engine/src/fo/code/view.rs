//! A table of a compiled program: which rows it has, and how they come and go.

use referee_spec::core::Interval;

use crate::fo::types::join::Join;
use crate::fo::types::{ViewId, is_newest_enough};

/// How a view's rows come and go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Upkeep {
    /// In by the right side, out when the left side fails.
    Since,
    /// In by the right side at each of its points, which are remembered for the time the interval says.
    Window(Interval),
    /// The row's stamp is the last point at which the right side held.
    LastStamp,
    /// What another view was before this point.
    Copy(ViewId),
    /// Demands on the future that are open.
    Open,
}

/// A table of the program.
#[derive(Debug, Clone)]
pub struct View {
    /// How rows come and go.
    pub upkeep: Upkeep,
    /// How many columns, of which the last may be a set.
    pub columns: usize,
    /// Whether the last column is a set.
    pub has_set: bool,
    /// Whether its own rows tell which rows come and go.
    pub reads_itself: bool,
    /// Whether somebody compares the stamps of its rows.
    pub stamped: bool,
    /// What it stands for, for `explain`.
    pub text: String,
    /// How it is joined when it is asked for, instead of having rows.
    pub join: Option<Join>,
    /// The view whose rows are its own as well, instead of having rows.
    pub rows_of: Option<ViewId>,
}

impl View {
    /// How many columns are keys.
    pub fn keys(&self) -> usize {
        self.columns - usize::from(self.has_set)
    }

    /// Whether it is a window in time.
    pub fn is_window(&self) -> bool {
        matches!(self.upkeep, Upkeep::Window(_))
    }

    /// Whether it is a window that needs the newest witness of each row alone; `tracked` says that others are told what
    /// changes.
    pub fn keeps_newest(&self, tracked: bool) -> bool {
        let fits = matches!(&self.upkeep, Upkeep::Window(interval) if is_newest_enough(interval));
        fits && !tracked && !self.has_set && !self.stamped
    }
}
