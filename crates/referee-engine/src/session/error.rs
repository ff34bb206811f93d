//! What a session refuses.

use referee_trace::number::Number;

use crate::judge::Damaged;

/// Why a session does not take an event, a point or a time. It is then as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// A time before that of the session's clock.
    #[error("time goes back from {clock} to {time}; hand over points in the order of their times")]
    TimeGoesBack {
        /// The session's clock.
        clock: Number,
        /// The time that was handed over.
        time: Number,
    },
    /// A second point of one time, with a rule that takes one point per time.
    #[error("two points have the time {time}, and the rule `{rule}` takes one point per time; make one point of both")]
    TimeStands {
        /// The time of both.
        time: Number,
        /// The rule.
        rule: String,
    },
    /// A point without a time behind points with one.
    #[error("the point has no time, and what came before has one; give all points a time or none")]
    TimeMissing,
    /// A time behind points without one.
    #[error("there is a time ({time}), and the points before have none; give all points a time or none")]
    TimeUnexpected {
        /// The time that was handed over.
        time: Number,
    },
    /// An event with too few or too many arguments.
    #[error("`{kind}` has {expected} arguments and was given {found}; resolve another kind for other arguments")]
    ArgumentCount {
        /// The name of the kind.
        kind: String,
        /// How many arguments the kind has.
        expected: usize,
        /// How many there were.
        found: usize,
    },
    /// A kind of another session.
    #[error("the session does not know this kind of events; take what its own `kind` returns")]
    UnknownKind,
    /// A value of another session.
    #[error("argument {argument} of `{kind}` is a value of another session; take what this one's `text` returns")]
    UnknownValue {
        /// The name of the kind.
        kind: String,
        /// Which argument, from 1.
        argument: usize,
    },
    /// Something behind the end.
    #[error("the trace has ended; begin another one")]
    Ended,
}

/// The layout of the bytes; another layout needs another number.
pub(super) const STATE_VERSION: u8 = 3;

/// Why a state cannot be written, or a session cannot go on from one. The session is then as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The bytes do not begin as a state does.
    #[error("this is no saved state")]
    NotAState,
    /// The state has a layout that this version does not know.
    #[error("{}", other_version(*.0))]
    OtherVersion(u8),
    /// The bytes were changed or cut off.
    #[error("the state is damaged: its checksum or its content is not what was written")]
    Damaged,
    /// The state is one of other rules.
    #[error("the state was saved for other rules or options: {0}, and none of its rules is judged here")]
    OtherRules(String),
    /// The session has begun.
    #[error("the session has begun already; load a state before the first point")]
    Begun,
    /// A judge whose state has no form as bytes.
    #[error("the state of rule `{0}` cannot be saved: its judge has no form for it yet")]
    Unsavable(String),
    /// A session that keeps the trace to explain violations.
    #[error("a session that gives reasons keeps the whole trace and cannot be saved; leave out `witness`")]
    Witness,
    /// A trace that has ended.
    #[error("the trace has ended, and nothing can go on from there; save the state before the end")]
    Ended,
    /// A trace with more kinds of events than a state has room for.
    #[error("the trace has more than a million kinds of events, which a state has no room for; map them to fewer")]
    TooManyKinds,
    /// The bytes went nowhere.
    #[error("the state cannot be written: {0}")]
    Unwritable(String),
}

fn other_version(version: u8) -> String {
    let which = if version > STATE_VERSION { "a newer" } else { "an older" };
    format!("the state was written by {which} version, in layout {version}; this one reads layout {STATE_VERSION}")
}

impl From<Damaged> for StateError {
    fn from(_: Damaged) -> StateError {
        StateError::Damaged
    }
}
