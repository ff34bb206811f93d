//! What an interrupted run leaves behind: nothing.

use std::path::{Path, PathBuf};

/// The exit code of a run that was interrupted.
const INTERRUPTED: i32 = 130;

/// From now on an interrupt removes this file, if there is one, before it ends the process.
pub fn remove_on_interrupt(file: Option<&Path>) {
    let Some(file) = file.map(PathBuf::from) else { return };
    // Without the handler an interrupt still ends the process; only a hidden file beside the output would stay.
    let _ = ctrlc::set_handler(move || {
        let _ = std::fs::remove_file(&file);
        std::process::exit(INTERRUPTED);
    });
}
