//! Control groups, version 1: a tree per controller.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::directory::{field, name, number, remove, sweep};

/// Where groups are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseV1 {
    memory: PathBuf,
    cpu: PathBuf,
}

/// The group of a run: one directory per controller.
#[derive(Debug)]
pub struct GroupV1 {
    memory: PathBuf,
    cpu: PathBuf,
}

impl BaseV1 {
    /// Below our own groups of the memory and the CPU accounting controller.
    pub(super) fn find() -> Result<BaseV1, String> {
        let base = BaseV1 { memory: own_group("memory")?, cpu: own_group("cpuacct")? };
        [&base.memory, &base.cpu].into_iter().for_each(|parent| sweep(parent));
        base.create(&name(0), 1 << 30).map(drop).map_err(|error| error.to_string())?;
        Ok(base)
    }

    /// A group with a bound on memory.
    pub(super) fn create(&self, name: &str, memory: u64) -> io::Result<GroupV1> {
        let group = GroupV1 { memory: self.memory.join(name), cpu: self.cpu.join(name) };
        fs::create_dir(&group.memory)?;
        fs::create_dir(&group.cpu)?;
        fs::write(group.memory.join("memory.limit_in_bytes"), memory.to_string())?;
        // Where swap is not accounted for, there is no such file.
        let _ = fs::write(group.memory.join("memory.memsw.limit_in_bytes"), memory.to_string());
        Ok(group)
    }
}

/// The directory of our own group of a controller.
fn own_group(controller: &str) -> Result<PathBuf, String> {
    let missing = || format!("no {controller} controller");
    let groups = fs::read_to_string("/proc/self/cgroup").map_err(|error| error.to_string())?;
    let has = |names: &str| names.split(',').any(|name| name == controller);
    let lines = groups.lines().filter_map(|line| line.splitn(3, ':').collect::<Vec<_>>().try_into().ok());
    let [_, names, path]: [&str; 3] =
        lines.into_iter().find(|[_, names, _]: &[&str; 3]| has(names)).ok_or_else(missing)?;
    let mounts = [Path::new("/sys/fs/cgroup").join(controller), Path::new("/sys/fs/cgroup").join(names)];
    let mount = mounts.into_iter().find(|mount| mount.is_dir()).ok_or_else(missing)?;
    let own = mount.join(path.trim_start_matches('/'));
    // In a container the path is that of the host, and our own group is the root that we see.
    Ok(if own.is_dir() { own } else { mount })
}

impl GroupV1 {
    pub(super) fn entrances(&self) -> Vec<PathBuf> {
        vec![self.memory.join("cgroup.procs"), self.cpu.join("cgroup.procs")]
    }

    pub(super) fn cpu(&self) -> Option<f64> {
        number(&self.cpu.join("cpuacct.usage")).map(|nanoseconds| nanoseconds as f64 / 1e9)
    }

    pub(super) fn peak(&self) -> Option<(u64, &'static str)> {
        let peak = number(&self.memory.join("memory.max_usage_in_bytes"))?;
        Some((peak, "control group v1, memory.max_usage_in_bytes"))
    }

    pub(super) fn ran_out_of_memory(&self) -> bool {
        field(&self.memory.join("memory.oom_control"), "oom_kill ").is_some_and(|count| count > 0)
    }
}

impl Drop for GroupV1 {
    fn drop(&mut self) {
        remove(&self.memory);
        remove(&self.cpu);
    }
}
