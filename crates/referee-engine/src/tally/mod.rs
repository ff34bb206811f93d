//! Policies that bound aggregates over time windows, judged by deltas.
//!
//! ```text
//!   FORALL s, u. (s <- SUM a; u. ONCE[0, 28] withdraw(u, a) AND tp(i)) IMPLIES s <= 10000
//!                                │                                               └ limit: looked at when a group changes
//!                                └ window: a queue; what enters or expires changes one group
//!
//!   event ─▶ tuple ─▶ waiting ─▶ live ─▶ gone           [a, b]: waiting until a, live until b
//!                                 │       │
//!                       group.enter       group.leave   count, sum, extremes, quantiles
//!                                 └───┬───┘
//!                                  limit ─▶ is the group among those that violate?
//! ```
//!
//! What is recognised (`shape`): the negated policy is a conjunction of aggregates with the same groups, each over an
//! event, optionally with comparisons and `tp(i)`, in a `ONCE` window; of comparisons between their results, the
//! groups and constants; and perhaps of a *guard*, an event of the point that has all groups among its arguments. With a
//! guard the limit is looked at where the guard happens, without one the groups that violate are listed at every point.
//!
//! Cost per event: one look-up of its group and O(1), or O(log n) for a quantile, however long the window is and however
//! many groups there are; per point, the violations that it has. A group that falls empty is dropped.

mod groups;
mod judge;
mod limit;
mod shape;
mod window;

pub use judge::TallyJudge;
