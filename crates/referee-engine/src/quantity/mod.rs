//! Judges quantitative rules: strict until and since, and numbers over windows.
//!
//! ```text
//!   QuantityRule ─▶ Network ── happen(atom)*, step(time) ─▶ the verdict, as soon as it is decided
//!                     ├ reach: operators whose arguments may be decided late
//!                     └ gauge: windows as queues with running numbers
//! ```
//!
//! Cost per event: one evaluation of the rule's Boolean parts, and amortised O(log n) for what it enters into queues or
//! decides; nothing depends on the length of windows.

mod gauge;
mod judge;
mod network;
mod reach;
mod why;

pub use judge::{QuantityJudge, judge_quantity};
pub use network::QuantityNetwork;
pub use why::QuantityHistory;
