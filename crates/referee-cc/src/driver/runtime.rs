//! Finds the run time, which is linked into every program once.

use std::path::PathBuf;

use super::error::DriverError;
use super::settings::Driver;

const LIBRARY: &str = "libreferee_runtime.a";

impl Driver {
    /// The static library.
    pub(super) fn runtime_library(&self) -> Result<PathBuf, DriverError> {
        let folders = match self.runtime.clone().or_else(|| std::env::var_os("REFEREE_RUNTIME").map(PathBuf::from)) {
            Some(folder) => vec![folder],
            None => beside_program(),
        };
        let found = folders.iter().map(|folder| folder.join(LIBRARY)).find(|path| path.is_file());
        found.ok_or_else(|| {
            let looked: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
            DriverError::Other(format!(
                "{LIBRARY} is not in {}\n  hint: build it with `cargo build --release -p referee-cc-runtime`, or say where it is \
                 with --runtime DIR",
                looked.join(", ")
            ))
        })
    }
}

/// Where it is put when it is built or installed.
fn beside_program() -> Vec<PathBuf> {
    let program = std::env::current_exe().unwrap_or_default();
    let folder = program.parent().map(PathBuf::from).unwrap_or_default();
    vec![folder.clone(), folder.join("deps"), folder.join("../lib/referee")]
}
