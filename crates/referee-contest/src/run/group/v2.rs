//! Control groups, version 2: one tree.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{field, name, number, remove, sweep};

/// Where groups are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    directory: PathBuf,
}

/// The group of a run.
#[derive(Debug)]
pub struct Group {
    directory: PathBuf,
}

impl Base {
    /// The first of our own group and its ancestors below which a group with memory and CPU accounts can be made.
    ///
    /// Processes must be in leaves only, so that our own group, in which we are, often cannot have children with accounts;
    /// a sibling can be had where the parent was delegated to us, too.
    pub(super) fn find() -> Result<Base, String> {
        let root = Path::new("/sys/fs/cgroup");
        if !root.join("cgroup.controllers").is_file() {
            return Err("not mounted".into());
        }
        let own = own_group().ok_or("no group of our own")?;
        let own = root.join(own.trim_start_matches('/'));
        let mut reason = String::from("nothing is delegated");
        for directory in own.ancestors().take_while(|directory| directory.starts_with(root)).take(2) {
            match usable(directory) {
                Ok(()) => return Ok(Base { directory: directory.to_owned() }),
                Err(error) => reason = error.to_string(),
            }
        }
        Err(reason)
    }

    /// A group with a bound on memory.
    pub(super) fn create(&self, name: &str, memory: u64) -> io::Result<Group> {
        let directory = self.directory.join(name);
        fs::create_dir(&directory)?;
        let group = Group { directory };
        fs::write(group.directory.join("memory.max"), memory.to_string())?;
        // Without swap the file does not exist, and there is nothing to bound.
        let _ = fs::write(group.directory.join("memory.swap.max"), "0");
        Ok(group)
    }
}

fn own_group() -> Option<String> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    groups.lines().find_map(|line| line.strip_prefix("0::").map(str::to_owned))
}

/// Tries to make a group that has what we need.
fn usable(directory: &Path) -> io::Result<()> {
    let enabled = fs::read_to_string(directory.join("cgroup.subtree_control"))?;
    if !["memory", "cpu"].iter().all(|controller| enabled.split_whitespace().any(|word| word == *controller)) {
        fs::write(directory.join("cgroup.subtree_control"), "+memory +cpu")?;
    }
    sweep(directory);
    let probe = directory.join(name(0));
    fs::create_dir(&probe)?;
    let has_memory = probe.join("memory.max").exists();
    remove(&probe);
    if has_memory { Ok(()) } else { Err(io::Error::other("no memory controller")) }
}

impl Group {
    pub(super) fn entrances(&self) -> Vec<PathBuf> {
        vec![self.directory.join("cgroup.procs")]
    }

    pub(super) fn kill(&self) {
        // Kernels before 5.14 have no such file; processes are then killed one by one.
        let _ = fs::write(self.directory.join("cgroup.kill"), "1");
    }

    pub(super) fn cpu(&self) -> Option<f64> {
        field(&self.directory.join("cpu.stat"), "usage_usec").map(|microseconds| microseconds as f64 / 1e6)
    }

    pub(super) fn peak(&self) -> Option<(u64, &'static str)> {
        number(&self.directory.join("memory.peak")).map(|peak| (peak, "control group v2, memory.peak"))
    }

    pub(super) fn ran_out_of_memory(&self) -> bool {
        field(&self.directory.join("memory.events"), "oom_kill ").is_some_and(|count| count > 0)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        remove(&self.directory);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory stands for a group: what the kernel would show in its files is read, and what it is told is there.
    #[test]
    fn accounts_are_read_and_bounds_are_written() {
        let place = tempfile::tempdir().expect("a directory");
        let group = Base { directory: place.path().to_owned() }.create("run", 4096).expect("a group");
        let file = |name: &str| place.path().join("run").join(name);
        assert_eq!(fs::read_to_string(file("memory.max")).expect("a bound"), "4096");
        assert_eq!((group.cpu(), group.peak(), group.ran_out_of_memory()), (None, None, false));
        fs::write(file("cpu.stat"), "usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\n").expect("written");
        fs::write(file("memory.peak"), "123456\n").expect("written");
        fs::write(file("memory.events"), "low 0\nhigh 0\nmax 3\noom 1\noom_kill 1\noom_group_kill 0\n")
            .expect("written");
        assert_eq!((group.cpu(), group.peak().map(|peak| peak.0)), (Some(2.5), Some(123_456)));
        assert!(group.ran_out_of_memory());
        assert_eq!(group.entrances(), [file("cgroup.procs")]);
        group.kill();
        assert_eq!(fs::read_to_string(file("cgroup.kill")).expect("told"), "1");
    }
}
