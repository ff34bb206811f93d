//! Aggregations over tables.
//!
//! ```text
//!   body, over groups and own variables          result, over groups and r
//!   u ┬ ann ─▶ a ┬ 3 ─▶ i ┬ 0 ─▶ true             u ┬ ann ─▶ r ┬ 7 ─▶ true
//!     │          └ 4 ─▶ i ┬ 2 ─▶ true      SUM      │          └ anything else ─▶ false
//!     └ anything else ─▶ false             ──▶      └ anything else ─▶ false
//! ```
//!
//! Levels of outer variables, wherever they stand in the body, are kept; below them the paths to *true* are the assignments.
//! Where the body is open, or depends on an outer variable that is not known yet, the aggregation waits as a
//! [`Gathering`]. Where "anything else" satisfies it, there is no end of assignments.
//!
//! Cost: all assignments of all groups that the body lists, at every point. It is the general path; policies of the usual
//! shape are judged by deltas instead.

use referee_spec::core::{AggregateFunction, Span};

use crate::fo::interpret::variables::FormulaVar;

/// What an aggregation does, whatever it is applied to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Aggregate {
    /// How values are put together.
    pub function: AggregateFunction,
    /// Whether there are groups, so that an empty one has no number.
    pub grouped: bool,
    /// The variables that it binds.
    pub own: Vec<FormulaVar>,
    /// Where it stands.
    pub span: Span,
}
