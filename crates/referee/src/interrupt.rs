//! What an interrupted run leaves behind: nothing.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::exit::ExitStatus;

/// The files that are being written.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// From now on an interrupt removes unfinished files before it ends the process.
pub(crate) fn watch() {
    handle(|| {
        remove_unfinished();
        std::process::exit(ExitStatus::Interrupted.code().into());
    });
}

/// Calls `handler`, on a thread of its own, when somebody interrupts or terminates the process. Who started it with `nohup` does
/// not want it to end with the terminal.
pub(crate) fn handle(handler: impl FnMut() + Send + 'static) {
    let hangs_on = is_hangup_ignored();
    // Without the handler an interrupt still ends the process, with nothing said and perhaps a hidden file left.
    let _ = ctrlc::set_handler(handler);
    if hangs_on {
        ignore_hangup();
    }
}

/// Whether the process was started such that a hangup does not end it.
#[cfg(target_os = "linux")]
fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (libc::SIGHUP - 1) & 1 == 1)
}

#[cfg(target_os = "linux")]
fn ignore_hangup() {
    // SAFETY: to ignore a signal runs no code of ours, and nobody else changes what becomes of it.
    unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
}

#[cfg(not(target_os = "linux"))]
fn is_hangup_ignored() -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
fn ignore_hangup() {}

/// Names a file that whoever ends the process early has to remove.
pub(crate) fn add_unfinished(file: &Path) {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(file.to_owned());
}

/// The file is finished, or gone.
pub(crate) fn forget_unfinished(file: &Path) {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|unfinished| unfinished != file);
}

/// Removes what is not finished.
pub(crate) fn remove_unfinished() {
    for file in UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        // There is nobody to tell.
        let _ = std::fs::remove_file(file);
    }
}
