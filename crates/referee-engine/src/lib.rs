//! The judge: compiles rules, runs them event by event, and says when and why they fail.
//!
//! ```text
//!  Rule… ─▶ session::Session ── event, point, batch, advance(time) ─▶ findings, as soon as they are decided
//!              └ judge::Judge…  tables (what is so), conditions (what is open), windows (what is remembered)
//! ```
//!
//! Begin with [`session`]. No input or output happens here, there is no global state, and a session may move between threads.

mod dispatch;
pub mod explain;
pub mod facts;
pub mod faults;
pub mod fo;
mod in_memory;
pub mod judge;
pub mod machine;
pub mod quantity;
pub mod session;
pub(crate) mod shared;
pub mod signal;
pub mod stream;
pub mod tally;
pub mod why;

pub use dispatch::{AssignedJudge, Settings, judges};
pub use fo::interpret::interpreted_judge::InterpretedJudge;
pub use fo::interpret::whole_trace::judge_property;
pub use in_memory::{first_compiled, judge_compiled, judge_robustness, judge_rule};
