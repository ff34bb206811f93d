//! How a monitor's state becomes bytes, and bytes a state.
//!
//! ```text
//!   state ─▶ Pool: every distinct level and open condition once, children before parents ─▶ bytes
//!            └ everything else refers to them by number
//! ```
//!
//! Tables share most of what they hold; the bytes share it in the same way, so that they stay in proportion to memory.
//! Whatever is read has a place that was read before: no cycle, no recursion, and a nesting that is bounded. Counts are
//! believed only as far as bytes are left, so damaged input costs no more memory than its own length, times a constant.

mod conditions;
mod pool;

pub(crate) use pool::{Limits, Pool, Tables};
