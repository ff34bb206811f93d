//! Control groups: a run's own accounts and bounds, where the system lets us have them.
//!
//! | kind | memory | CPU | the end of all |
//! |---|---|---|---|
//! | v2 | `memory.peak`, `memory.max` | `cpu.stat` | `cgroup.kill` |
//! | v1 | `memory.max_usage_in_bytes`, `memory.limit_in_bytes` | `cpuacct.usage` | every process in `cgroup.procs` |
//! | none | summed PSS, sampled | `wait4` | the tree below the run's first process |
//!
//! Groups are made below the one that Referee itself is in, so that whatever bounds it bounds them, too.

mod v1;
mod v2;

use std::ffi::CString;
use std::fs;
use std::io;
use std::path::Path;

/// What kind of control groups can be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Groups {
    /// Version 2.
    V2(v2::Base),
    /// Version 1.
    V1(v1::Base),
    /// None, and why.
    None(String),
}

/// The group of one run; it goes away with this.
#[derive(Debug)]
pub enum Group {
    /// Version 2.
    V2(v2::Group),
    /// Version 1.
    V1(v1::Group),
    /// There is none.
    None,
}

impl Groups {
    /// Looks for what the system offers, by making a group and taking it away again.
    pub fn find() -> Groups {
        let mut reasons = Vec::new();
        match v2::Base::find() {
            Ok(base) => return Groups::V2(base),
            Err(reason) => reasons.push(format!("v2: {reason}")),
        }
        match v1::Base::find() {
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

    /// Whether somebody in it was killed for memory.
    pub(super) fn ran_out_of_memory(&self) -> bool {
        match self {
            Group::V2(group) => group.ran_out_of_memory(),
            Group::V1(group) => group.ran_out_of_memory(),
            Group::None => false,
        }
    }
}

fn numbers(text: &str) -> Vec<i32> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// The number in a file.
fn number(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// The number after a word in a file of such lines.
fn field(file: &Path, word: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| line.strip_prefix(word)?.trim().parse().ok())
}

/// Removes the directory of a group; its last process may take a moment to leave.
fn remove(directory: &Path) {
    for _ in 0..50 {
        match fs::remove_dir(directory) {
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            _ => return,
        }
    }
}
