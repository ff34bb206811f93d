//! Control groups: a run's own accounts and bounds, where the system lets us have them.
//!
//! | kind | memory | CPU | the end of all |
//! |---|---|---|---|
//! | v2 | `memory.peak` (`memory.current`, sampled, before Linux 5.19), `memory.max` | `cpu.stat` | `cgroup.kill` (every process in `cgroup.procs` before Linux 5.14) |
//! | v1 | `memory.max_usage_in_bytes`, `memory.limit_in_bytes` | `cpuacct.usage` | every process in `cgroup.procs` |
//! | none | summed PSS, sampled | `wait4` | the tree below the run's first process |
//!
//! Groups are made below the one that Referee itself is in, or else beside it, so that whatever bounds it bounds them, too.
//! Their names tell who made them: what a Referee that was killed has left behind, the next one ends and removes.

mod directory;
mod v1;
mod v2;

use std::ffi::CString;
use std::fs;
use std::io;

pub(super) use directory::{enter, name};

use directory::numbers;
use v1::{BaseV1, GroupV1};
use v2::{BaseV2, GroupV2};

/// What kind of control groups can be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Groups {
    /// Version 2.
    V2(BaseV2),
    /// Version 1.
    V1(BaseV1),
    /// None, and why.
    None(String),
}

/// The group of one run; it goes away with this.
#[derive(Debug)]
pub enum Group {
    /// Version 2.
    V2(GroupV2),
    /// Version 1.
    V1(GroupV1),
    /// There is none.
    None,
}

impl Groups {
    /// Looks for what the system offers, by making a group and taking it away again.
    pub fn find() -> Groups {
        let mut reasons = Vec::new();
        match BaseV2::find() {
            Ok(base) => return Groups::V2(base),
            Err(reason) => reasons.push(format!("v2: {reason}")),
        }
        match BaseV1::find() {
            Ok(base) => return Groups::V1(base),
            Err(reason) => reasons.push(format!("v1: {reason}")),
        }
        Groups::None(reasons.join("; "))
    }

    /// What is recorded about them.
    pub fn describe(&self) -> String {
        match self {
            Groups::V2(_) => "control groups v2".into(),
            Groups::V1(_) => "control groups v1".into(),
            Groups::None(reason) => format!("no control groups ({reason})"),
        }
    }

    /// A group for a run, with a bound on its memory in bytes.
    pub fn create(&self, name: &str, memory: u64) -> io::Result<Group> {
        match self {
            Groups::V2(base) => base.create(name, memory).map(Group::V2),
            Groups::V1(base) => base.create(name, memory).map(Group::V1),
            Groups::None(_) => Ok(Group::None),
        }
    }
}

impl Group {
    /// The files into which a process writes `0` to enter.
    pub(super) fn entrances(&self) -> Vec<CString> {
        let files = match self {
            Group::V2(group) => group.entrances(),
            Group::V1(group) => group.entrances(),
            Group::None => Vec::new(),
        };
        files.into_iter().filter_map(|file| CString::new(file.into_os_string().into_encoded_bytes()).ok()).collect()
    }

    /// The processes in it.
    pub(super) fn processes(&self) -> Vec<i32> {
        let entrances = match self {
            Group::V2(group) => group.entrances(),
            Group::V1(group) => group.entrances(),
            Group::None => Vec::new(),
        };
        let lists = entrances.iter().filter_map(|file| fs::read_to_string(file).ok());
        let mut processes: Vec<i32> = lists.flat_map(|list| numbers(&list)).collect();
        processes.sort_unstable();
        processes.dedup();
        processes
    }

    /// Kills what is in it, where that can be done at once.
    pub(super) fn kill(&self) {
        if let Group::V2(group) = self {
            group.kill();
        }
    }

    /// Seconds of CPU time so far.
    pub(super) fn cpu(&self) -> Option<f64> {
        match self {
            Group::V2(group) => group.cpu(),
            Group::V1(group) => group.cpu(),
            Group::None => None,
        }
    }

    /// The peak of its memory in bytes, and how it is known.
    pub(super) fn peak(&self) -> Option<(u64, &'static str)> {
        match self {
            Group::V2(group) => group.peak(),
            Group::V1(group) => group.peak(),
            Group::None => None,
        }
    }

    /// Its memory now in bytes, where nobody keeps the peak.
    pub(super) fn current(&self) -> Option<u64> {
        match self {
            Group::V2(group) => group.current(),
            Group::V1(_) | Group::None => None,
        }
    }

    /// Whether somebody in it was killed for memory.
    pub(super) fn ran_out_of_memory(&self) -> bool {
        match self {
            Group::V2(group) => group.ran_out_of_memory(),
            Group::V1(group) => group.ran_out_of_memory(),
            Group::None => false,
        }
    }
}
