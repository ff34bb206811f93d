//! Running the competition: every tool on every package it enters, again and again, and a journal of it.
//!
//! ```text
//!  Contest ─▶ plan: cells ─▶ workers, one per job ─▶ process::run ─▶ journal ─▶ collect ─▶ Results
//!                                    ▲ repeat: enough? ◀──────────────────┘
//! ```
//!
//! A cell is a tool and a package. Its *key* is the hash of both, of the limits and of the machine: what the journal holds
//! under that key is not run again, so that a second start does only what is missing.

mod capture;
mod cell;
mod collect;
mod group;
mod journal;
mod machine;
mod network;
mod process;
mod repeat;
mod session;
mod status;
mod trace;
mod tree;
mod verdict;

pub use capture::KEPT;
pub use collect::{results, results_now};
pub use group::Groups;
pub use journal::{Journal, JournalError, Purpose, Record, Run, Session};
pub use machine::Machine;
pub use network::leave as leave_network;
pub use process::{Exit, INTERRUPTED, Killed, Limits};
pub use repeat::{Policy, half_width};
pub use session::{Options, Progress, RunError, Summary, run};
pub use trace::TraceError;
pub(crate) use trace::elsewhere;
pub use verdict::of_run as verdict_of_run;
