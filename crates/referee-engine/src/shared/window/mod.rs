//! Windows: what is kept of the recent past so that a number over it is known at once.
//!
//! ```text
//!   enters ─▶ [ oldest … newest ] ─▶ expires           running: count, sum, mean, least, greatest, median
//! ```
//!
//! Every structure is told what enters and what leaves, and answers in O(1), or O(log n) for the median; nothing is ever
//! recomputed. Arithmetic is exact: 128 bits while that is enough, then as wide as it gets.
//!
//! | structure | enters | leaves | answers |
//! |---|---|---|---|
//! | [`Sum`] | any order | any order | sum, in O(1) |
//! | [`Extreme`] | newest last | oldest first | least or greatest, amortised O(1) |
//! | [`Middle`] | any order | any order | median, least and greatest, in O(log n) |
//! | [`Occurrences`] | newest last | oldest first | how many, in the window or in its richest stretch |
//! | [`Distances`] | newest last | oldest first | mean distance of pairs |

mod extreme;
mod middle;
mod occurrences;
mod sum;

pub use extreme::Extreme;
pub use middle::{Middle, median};
pub use occurrences::{Distances, Occurrences};
pub use sum::Sum;
