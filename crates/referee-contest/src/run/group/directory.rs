//! The directory of a control group: its name, the numbers in its files, how a process enters it and how it goes away.

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The beginning of the names of our groups: who may be asked whether the process that made them lives.
const PREFIX: &str = "referee";

/// A name for a group that no other group has.
pub(in crate::run) fn name(number: usize) -> String {
    format!("{PREFIX}-{}-{}-{number}", process_namespace(), std::process::id())
}

/// The number of the name space in which our process numbers mean something; 0 where nobody tells.
pub(super) fn process_namespace() -> u64 {
    let link = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let digits: String = link.display().to_string().chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

/// Ends and removes the groups below a directory that were made by processes that are no more.
pub(super) fn sweep(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for directory in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let name = directory.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if is_left_behind(name, process_namespace(), &|process| Path::new("/proc").join(process.to_string()).exists()) {
            let members = fs::read_to_string(directory.join("cgroup.procs")).unwrap_or_default();
            numbers(&members).into_iter().for_each(kill);
            remove(&directory);
        }
    }
}

/// Whether a name is that of a group whose maker, in our own name space, does not live.
pub(super) fn is_left_behind(name: &str, namespace: u64, lives: &dyn Fn(u32) -> bool) -> bool {
    let mut parts = name.split('-');
    if parts.next() != Some(PREFIX) || parts.next().and_then(|part| part.parse().ok()) != Some(namespace) {
        return false;
    }
    let maker = parts.next().and_then(|part| part.parse::<u32>().ok());
    maker.is_some_and(|maker| maker != std::process::id() && !lives(maker))
}

fn kill(process: i32) {
    if process > 1 {
        // SAFETY: a process that is gone already is no concern.
        unsafe { libc::kill(process, libc::SIGKILL) };
    }
}

/// The numbers in a text.
pub(super) fn numbers(text: &str) -> Vec<i32> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// The number in a file.
pub(super) fn number(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// The number after a word in a file of such lines.
pub(super) fn field(file: &Path, word: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| line.strip_prefix(word)?.trim().parse().ok())
}

/// How long the last process of a group may take to leave: one with much memory needs some time.
const LEAVING: Duration = Duration::from_secs(5);

/// Removes the directory of a group, and the groups that a tool may have made in it.
pub(super) fn remove(directory: &Path) {
    let since = Instant::now();
    while let Err(error) = fs::remove_dir(directory) {
        if error.raw_os_error() != Some(libc::EBUSY) || since.elapsed() > LEAVING {
            return;
        }
        let entries = fs::read_dir(directory).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
        entries.filter(|path| path.is_dir()).for_each(|below| remove(&below));
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Whether a process of ours may enter a group: a child tries to, and ends before it becomes another program.
pub(super) fn try_to_enter(entrance: &Path) -> io::Result<()> {
    let entrance = CString::new(entrance.as_os_str().as_encoded_bytes())?;
    let mut child = Command::new("/");
    // SAFETY: between fork and its end the child makes system calls only, on memory that was prepared before.
    unsafe {
        child.pre_exec(move || {
            enter(&entrance)?;
            Err(io::Error::from_raw_os_error(libc::ECANCELED))
        });
    }
    match child.spawn() {
        Err(error) if error.raw_os_error() != Some(libc::ECANCELED) => Err(error),
        _ => Ok(()),
    }
}

/// Takes this process into a group. Makes nothing but system calls.
pub(in crate::run) fn enter(entrance: &CStr) -> io::Result<()> {
    // SAFETY: the name ends, and the descriptor is nobody else's.
    unsafe {
        let file = libc::open(entrance.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        if file < 0 || libc::write(file, c"0".as_ptr().cast(), 1) != 1 {
            return Err(io::Error::last_os_error());
        }
        libc::close(file);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_the_dead_are_left_behind() {
        let lives = |process: u32| process == 7;
        assert!(is_left_behind("referee-42-8-1", 42, &lives));
        assert!(!is_left_behind("referee-42-7-1", 42, &lives), "its maker lives");
        assert!(!is_left_behind("referee-43-8-1", 42, &lives), "its maker has a number in another name space");
        assert!(!is_left_behind("referee-tool-8-1", 42, &lives), "not one of ours");
        assert!(!is_left_behind(&name(3), process_namespace(), &|_| false), "our own");
    }

    #[test]
    fn a_child_tries_the_entrance() {
        let place = tempfile::tempdir().expect("a directory");
        let entrance = place.path().join("cgroup.procs");
        fs::write(&entrance, "").expect("written");
        try_to_enter(&entrance).expect("it is open");
        assert_eq!(fs::read_to_string(&entrance).expect("it is there"), "0");
        let error = try_to_enter(&place.path().join("none")).expect_err("there is none");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
