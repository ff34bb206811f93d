//! What an interrupted run leaves behind: nothing.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The exit code of a run that was interrupted.
const INTERRUPTED: i32 = 130;

/// The file that is being written, if there is one.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// From now on an interrupt removes the unfinished file, if there is one, before it ends the process.
pub(crate) fn watch() {
    // Without the handler an interrupt still ends the process; only a hidden file beside the output would stay.
    let _ = ctrlc::set_handler(|| {
        if let Some(file) = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            let _ = std::fs::remove_file(file);
        }
        std::process::exit(INTERRUPTED);
    });
}

/// Names the file that an interrupt has to remove.
pub(crate) fn set_unfinished(file: Option<&Path>) {
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = file.map(PathBuf::from);
}
