//! Running the competition: every tool on every package it enters, again and again, and a journal of it.
//!
//! ```text
//!  Contest ─▶ plan: cells ─▶ workers, one per job ─▶ process::run ─▶ journal ─▶ collect ─▶ Results
//!                                    ▲ repeat: enough? ◀──────────────────┘
//! ```
//!
//! A cell is a tool and a trace or program of a package. Its *key* is the hash of the tool and of its [`Basis`]: package, trace,
//! limits, machine and isolation. What the journal holds under that key is not run again, so that a second start does only what
//! is missing; and what it holds under other keys is not scored with it.

mod basis;
mod capture;
mod cell;
mod collect;
mod group;
mod journal;
mod machine;
mod network;
mod now;
mod process;
mod program;
mod repeat;
mod session;
mod settings;
mod site;
mod status;
mod trace;
mod tree;
mod verdict;

pub use basis::{Basis, Setting};
pub use capture::KEPT;
pub use collect::{results, results_now};
pub use group::Groups;
pub use journal::{Journal, JournalError, Purpose, Record, Run, Session, package_of};
pub use machine::Machine;
pub use network::leave as leave_network;
pub use process::{Exit, INTERRUPTED, Killed, Limits};
pub(crate) use process::{Order, adopt_orphans, errors_of, run as run_process};
pub(crate) use program::{copy_into, shell};
pub use repeat::{Policy, half_width};
pub use session::{Summary, copy_of, run};
pub(crate) use site::environment;
pub use site::{Options, Progress, RunError};
pub use trace::TraceError;
pub(crate) use trace::elsewhere;
pub use verdict::of_run as verdict_of_run;
