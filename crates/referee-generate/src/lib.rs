//! Traces of any size whose verdict is known beforehand.
//!
//! ```text
//!  Request ─▶ Order ─▶ tell ── obey(left) or breach(step) ─▶ Story
//!             checked   │ ◀──────────── Row ─────────────────┘
//!                       ├▶ Scribe ─▶ TraceSink: a file
//!                       └▶ Renderer ─▶ EventSink: a monitor, a trace in memory
//! ```
//!
//! A *story* knows one property. It tells events one by one, keeps what it needs to tell the next one and nothing else,
//! and takes all chance from a seed, in integers: the same wish gives the same bytes on every machine. Where the
//! property breaks is decided by the *schedule*, not by the story: either one breach, whose breaking event is the one
//! with number ⌈share × events⌉, or a share of all events, spread evenly. A story only promises that `obey` never breaks the
//! property and that `breach` always does, at one known step, whatever came before.
//!
//! Each generator carries the specification that its traces are made for; the tests judge them with it.

#[macro_use]
mod specification;

mod check_request;
mod families;
mod generator;
pub mod machine;
mod order;
pub mod random;
mod render;
mod request;
mod share;
mod story;
mod tell;

pub use check_request::Refusal;
pub use families::{all, find};
pub use generator::{Breach, Generator, Sizes};
pub use order::{Order, Schedule};
pub use render::TimePlace;
pub use request::{Request, Values, Verdict};
pub use share::Share;
pub use story::{Content, Kind, Row, Story};
pub use tell::GenerateError;
