//! Directories for a moment.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A fresh directory among the system's temporary ones, which goes away with this.
pub struct Scratch(PathBuf);

impl Scratch {
    /// One for this purpose, which its name tells.
    pub fn new(purpose: &str) -> io::Result<Scratch> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let (process, number) = (std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("referee-{purpose}-{process}-{number}"));
        std::fs::create_dir_all(&path)?;
        Ok(Scratch(path.canonicalize()?))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is the system's to remove.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
