//! Windows: what is kept of the recent past so that a number over it is known at once.
//!
//! ```text
//!   enters ─▶ [ oldest … newest ] ─▶ expires           running: count, sum, mean, least, greatest, quantiles
//! ```
//!
//! Every structure is told what enters and what leaves, and answers in O(1), or O(log n) for a quantile; nothing is ever
//! recomputed. Arithmetic is exact: 128 bits while that is enough, then as wide as it gets.
//!
//! | structure | enters | leaves | answers |
//! |---|---|---|---|
//! | [`Sum`] | any order | any order | sum, in O(1) |
//! | [`Extreme`] | newest last | oldest first | least or greatest, amortised O(1) |
//! | [`RunningQuantile`] | any order | any order | the value at a rank, such as the median, in O(log n) |
//! | [`Occurrences`] | newest last | oldest first | how many, in the window or in its richest stretch |
//! | [`Distances`] | newest last | oldest first | mean distance of pairs |

mod extreme;
mod occurrences;
mod quantile;
mod sum;

pub(crate) use extreme::Extreme;
pub(crate) use occurrences::{Distances, Occurrences};
pub(crate) use quantile::{RunningQuantile, quantile};
pub(crate) use sum::Sum;
