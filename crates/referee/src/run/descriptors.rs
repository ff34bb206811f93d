//! The open descriptors of processes, so that those are told which the kernel closes by itself: at `exec`, below `dup2`, at `close_range`.

use std::collections::{BTreeSet, HashMap};

/// Open descriptors that came in calls, by process.
#[derive(Default)]
pub(super) struct Descriptors {
    open: HashMap<i32, BTreeSet<i64>>,
}

impl Descriptors {
    /// A process has a descriptor; tells whether it had one of this number before.
    pub(super) fn add(&mut self, process: i32, descriptor: i64) -> bool {
        !self.open.entry(process).or_default().insert(descriptor)
    }

    /// A process has closed a descriptor.
    pub(super) fn remove(&mut self, process: i32, descriptor: i64) {
        if let Some(own) = self.open.get_mut(&process) {
            own.remove(&descriptor);
        }
    }

    /// A child has what its parent has.
    pub(super) fn copy(&mut self, parent: i32, child: i32) {
        let copy = self.open.get(&parent).cloned().unwrap_or_default();
        self.open.insert(child, copy);
    }

    /// A process has ended.
    pub(super) fn forget(&mut self, process: i32) {
        self.open.remove(&process);
    }

    /// The descriptors that a process had and has no more, in order; they are forgotten.
    pub(super) fn gone(&mut self, process: i32) -> Vec<i64> {
        let is_gone = |descriptor: i64| std::fs::symlink_metadata(format!("/proc/{process}/fd/{descriptor}")).is_err();
        let Some(own) = self.open.get_mut(&process) else { return Vec::new() };
        let gone: Vec<i64> = own.iter().copied().filter(|descriptor| is_gone(*descriptor)).collect();
        gone.iter().for_each(|descriptor| {
            own.remove(descriptor);
        });
        gone
    }
}
