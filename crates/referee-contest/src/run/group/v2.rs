//! Control groups, version 2: one tree, whose processes are in its leaves.
//!
//! ```text
//!  our own group ── may its children have accounts of memory? ─ yes ─▶ runs are its children
//!      │ no: there are processes in it
//!      ├─ only we are ─▶ we go into a child of it and come back at the end; runs are its other children
//!      └─ others are ──▶ runs are children of the group above ours, if that is for us to divide
//! ```
//!
//! The first is the root of the tree, the second a service or scope with `Delegate=yes`, the third a leaf of what was
//! delegated, or a session of root. Of controllers only that of memory is asked for: every group counts CPU time, and
//! `Delegate=yes` of users often leaves the CPU controller out.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::directory::{field, name, number, remove, sweep, try_to_enter};

/// Where groups are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseV2 {
    directory: PathBuf,
    /// Where we are meanwhile, if we had to make room.
    shelter: Option<Arc<Shelter>>,
}

/// The group of a run.
#[derive(Debug)]
pub struct GroupV2 {
    directory: PathBuf,
    /// Kernels before 5.19 keep no peak.
    has_peak: bool,
}

/// A child of our own group, into which we have gone to make room; we come back with the end of this.
#[derive(Debug, PartialEq, Eq)]
struct Shelter {
    own: PathBuf,
    leaf: PathBuf,
}

impl BaseV2 {
    /// Where a group with an account of memory can be made.
    pub(super) fn find() -> Result<BaseV2, String> {
        let root = Path::new("/sys/fs/cgroup");
        if !root.join("cgroup.controllers").is_file() {
            return Err("not mounted".into());
        }
        let own = own_group().ok_or("no group of our own")?;
        BaseV2::near(&own_directory(root, &own), root)
    }

    fn near(own: &Path, root: &Path) -> Result<BaseV2, String> {
        let base = |shelter| BaseV2 { directory: own.to_owned(), shelter };
        let reason = match usable(own) {
            Ok(()) => return Ok(base(None)),
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) => match Shelter::below(own) {
                Ok(shelter) => return Ok(base(Some(Arc::new(shelter)))),
                Err(error) if error.raw_os_error() == Some(libc::EBUSY) => "other processes are in it".to_owned(),
                Err(error) => error.to_string(),
            },
            Err(error) => error.to_string(),
        };
        let above = match own.parent().filter(|above| above.starts_with(root)) {
            None => return Err(format!("our own group: {reason}")),
            Some(above) => above,
        };
        match usable(above) {
            Ok(()) => Ok(BaseV2 { directory: above.to_owned(), shelter: None }),
            Err(error) => Err(format!("our own group: {reason}, the one above: {error}")),
        }
    }

    /// A group with a bound on memory.
    pub(super) fn create(&self, name: &str, memory: u64) -> io::Result<GroupV2> {
        let directory = self.directory.join(name);
        fs::create_dir(&directory)?;
        let has_peak = directory.join("memory.peak").exists();
        let group = GroupV2 { directory, has_peak };
        fs::write(group.directory.join("memory.max"), memory.to_string())?;
        // Without swap the file does not exist, and there is nothing to bound.
        let _ = fs::write(group.directory.join("memory.swap.max"), "0");
        // A run that takes too much ends as a whole. Kernels before 4.19 kill one process of it.
        let _ = fs::write(group.directory.join("memory.oom.group"), "1");
        Ok(group)
    }
}

impl Shelter {
    /// Goes into a child of our own group. If other processes stay behind, room is not made: then we come back.
    fn below(own: &Path) -> io::Result<Shelter> {
        let shelter = Shelter::enter(own)?;
        usable(own).map(|()| shelter)
    }

    fn enter(own: &Path) -> io::Result<Shelter> {
        let leaf = own.join(format!("{}-self", name(0)));
        fs::create_dir(&leaf)?;
        let shelter = Shelter { own: own.to_owned(), leaf };
        fs::write(shelter.leaf.join("cgroup.procs"), "0")?;
        Ok(shelter)
    }
}

impl Drop for Shelter {
    fn drop(&mut self) {
        // A group whose children have accounts takes no processes.
        let _ = fs::write(self.own.join("cgroup.subtree_control"), "-memory");
        let _ = fs::write(self.own.join("cgroup.procs"), "0");
        remove(&self.leaf);
    }
}

fn own_group() -> Option<String> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    groups.lines().find_map(|line| line.strip_prefix("0::").map(str::to_owned))
}

/// The directory of our own group. In a container its path may be that of the host, and our own group is the root that we see.
fn own_directory(root: &Path, own: &str) -> PathBuf {
    let directory = root.join(own.trim_start_matches('/'));
    if !own.contains("..") && directory.is_dir() { directory } else { root.to_owned() }
}

/// Tries to make a group that has what we need, and to enter it.
fn usable(directory: &Path) -> io::Result<()> {
    let has_memory = |file: &str| -> io::Result<bool> {
        let controllers = fs::read_to_string(directory.join(file))?;
        Ok(controllers.split_whitespace().any(|word| word == "memory"))
    };
    if !has_memory("cgroup.controllers")? {
        return Err(io::Error::other("no memory controller"));
    }
    if !has_memory("cgroup.subtree_control")? {
        fs::write(directory.join("cgroup.subtree_control"), "+memory")?;
    }
    sweep(directory);
    let probe = directory.join(name(0));
    fs::create_dir(&probe)?;
    let entered = try_to_enter(&probe.join("cgroup.procs"));
    let bounded = probe.join("memory.max").exists();
    remove(&probe);
    entered?;
    if bounded { Ok(()) } else { Err(io::Error::other("no memory controller")) }
}

impl GroupV2 {
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

    /// What it has now, if nobody keeps the peak.
    pub(super) fn current(&self) -> Option<u64> {
        if self.has_peak { None } else { number(&self.directory.join("memory.current")) }
    }

    pub(super) fn ran_out_of_memory(&self) -> bool {
        field(&self.directory.join("memory.events"), "oom_kill ").is_some_and(|count| count > 0)
    }
}

impl Drop for GroupV2 {
    fn drop(&mut self) {
        remove(&self.directory);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(file: &Path, text: &str) {
        fs::write(file, text).expect("written");
    }

    fn read(file: &Path) -> String {
        fs::read_to_string(file).expect("it is there")
    }

    /// A directory stands for a group: what the kernel would show in its files is read, and what it is told is there.
    #[test]
    fn accounts_are_read_and_bounds_are_written() {
        let place = tempfile::tempdir().expect("a directory");
        let base = BaseV2 { directory: place.path().to_owned(), shelter: None };
        let group = base.create("run", 4096).expect("a group");
        let file = |name: &str| place.path().join("run").join(name);
        assert_eq!((read(&file("memory.max")), read(&file("memory.oom.group"))), ("4096".into(), "1".into()));
        assert_eq!((group.cpu(), group.peak(), group.ran_out_of_memory()), (None, None, false));
        write(&file("cpu.stat"), "usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\n");
        write(&file("memory.peak"), "123456\n");
        write(&file("memory.events"), "low 0\nhigh 0\nmax 3\noom 1\noom_kill 1\noom_group_kill 0\n");
        assert_eq!((group.cpu(), group.peak().map(|peak| peak.0)), (Some(2.5), Some(123_456)));
        assert!(group.ran_out_of_memory());
        assert_eq!(group.entrances(), [file("cgroup.procs")]);
        group.kill();
        assert_eq!(read(&file("cgroup.kill")), "1");
    }

    #[test]
    fn what_a_group_has_now_is_asked_only_where_no_peak_is_kept() {
        let place = tempfile::tempdir().expect("a directory");
        write(&place.path().join("memory.current"), "777\n");
        let group = |has_peak| std::mem::ManuallyDrop::new(GroupV2 { directory: place.path().to_owned(), has_peak });
        assert_eq!((group(false).current(), group(true).current()), (Some(777), None));
    }

    #[test]
    fn who_made_room_comes_back() {
        let place = tempfile::tempdir().expect("a directory");
        let own = place.path();
        let shelter = Shelter::enter(own).expect("a child");
        assert!(!super::super::directory::is_left_behind(
            shelter.leaf.file_name().and_then(|name| name.to_str()).expect("a name"),
            super::super::directory::process_namespace(),
            &|_| false
        ));
        assert_eq!(read(&shelter.leaf.join("cgroup.procs")), "0");
        drop(shelter);
        assert_eq!(read(&own.join("cgroup.subtree_control")), "-memory");
        assert_eq!(read(&own.join("cgroup.procs")), "0");
    }

    #[test]
    fn our_own_group_is_where_we_see_it() {
        let place = tempfile::tempdir().expect("a directory");
        let root = place.path();
        fs::create_dir_all(root.join("user/service")).expect("made");
        assert_eq!(own_directory(root, "/user/service"), root.join("user/service"));
        assert_eq!(own_directory(root, "/"), root);
        assert_eq!(own_directory(root, "/of/the/host"), root);
        assert_eq!(own_directory(root, "/../user"), root);
    }

    /// Without the controller nothing is written, and both places are told.
    #[test]
    fn what_is_missing_is_told() {
        let place = tempfile::tempdir().expect("a directory");
        let own = place.path().join("own");
        fs::create_dir(&own).expect("made");
        write(&own.join("cgroup.controllers"), "pids\n");
        let error = BaseV2::near(&own, place.path()).expect_err("there is no account of memory");
        let missing = "No such file or directory (os error 2)";
        assert_eq!(error, format!("our own group: no memory controller, the one above: {missing}"));
        let error = BaseV2::near(&own, &own).expect_err("there is no account of memory");
        assert_eq!(error, "our own group: no memory controller");
        assert!(!own.join("cgroup.subtree_control").exists());
    }
}
