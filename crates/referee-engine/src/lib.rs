//! The judge: compiles a property, runs it event by event, and says when and why it fails.
//!
//! ```text
//!  Property ─▶ plan ─▶ Monitor ── step(point) ─▶ violations, as soon as they are decided
//!                        └ tables (what is so), conditions (what is open), windows (what is remembered)
//!  Rule… ─▶ judges ─▶ judge::Judge… ── points(batch) ─▶ findings
//! ```
//!
//! No input or output happens here, there is no global state, and a monitor may move between threads.

mod aggregate;
mod algebra;
mod automaton;
mod codec;
mod condition;
mod evaluate;
pub mod facts;
mod general;
pub mod judge;
mod keys;
pub mod machine;
mod monitor;
pub mod outline;
mod past;
mod plan;
mod points;
pub mod program;
pub mod quantity;
mod quiet;
mod replay;
mod roots;
mod seats;
pub mod signal;
pub mod stream;
mod table;
pub mod tally;
mod universe;
pub mod why;
pub mod window;

pub use general::General;
pub use monitor::{KindId, Monitor, RestoreError, Snapshot};
pub use replay::{Kinds, first_compiled, judge, judge_compiled, judge_robustness, judge_rule};
pub use seats::{Seated, Settings, judges};
pub use universe::ValueId;
