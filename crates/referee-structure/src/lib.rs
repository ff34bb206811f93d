//! Reads the sources of this workspace and tells which file uses which.
//!
//! ```text
//!   *.rs ─▶ tokens (no comments, no strings, no test code) ─▶ paths (`use` trees and `crate::a::B` in the text)
//!        ─▶ modules (which file defines or re-exports a name) ─▶ graph (file → file) ─▶ cycles
//! ```
//!
//! The tests of this crate are what it is for: they fail when a file uses one that stands above it, when files or folders use each
//! other in a circle, or when a crate depends on another one against the order of the architecture. It has no dependencies, so that
//! these tests start at once.

pub mod graph;
pub mod modules;
pub mod paths;
pub mod tokens;

use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub fn workspace() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own).to_path_buf()
}

/// The names of the crates of the workspace, in alphabetical order.
pub fn crates() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(workspace().join("crates"))
        .expect("the workspace has a folder of crates")
        .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
