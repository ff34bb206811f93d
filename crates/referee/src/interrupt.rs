//! What an interrupted run leaves behind: nothing.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::exit::ExitStatus;

/// The files that are being written.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// From now on an interrupt removes unfinished files before it ends the process.
pub(crate) fn watch() {
    // Without the handler an interrupt still ends the process; only a hidden file beside the output would stay.
    let _ = ctrlc::set_handler(|| {
        remove_unfinished();
        std::process::exit(ExitStatus::Interrupted.code().into());
    });
}

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
