//! A competition: one directory of plain files, so that a repository and pull requests are the server.
//!
//! ```text
//!  DIR/contest.toml    name, dates, tracks, rules, teams, packages, tools, clarifications, votes, queries
//!  DIR/frozen.toml     the hashes of the tools, written once the monitor phase is over
//!  DIR/results/        journal.jsonl, outputs/, traces/
//! ```

mod contest;
mod document;
mod eligible;
mod frozen;
mod phase;
mod vote;

pub use contest::{Contest, DOCUMENT};
pub use document::{Ballot, Document, LimitsTable, Member, Period, Phases, Query, Question, Repetitions, Team, Vote};
pub use eligible::{Eligibility, Obstacle};
pub use frozen::{Frozen, FrozenError};
pub use phase::{Phase, Position};
pub use vote::{Decision, decide};

#[cfg(test)]
mod tests;
