//! Reads the sources of this workspace and tells which file uses which.
//!
//! ```text
//!   *.rs ─▶ tokens (no comments, no strings, no test code) ─┬▶ paths (`use` trees and `crate::a::B` in the text) ─┐
//!                                                           └▶ items (what a module defines) ─────────────────────┤
//!                                  circles ◀─ graph (file → file) ◀─ modules (which file a path leads to) ◀───────┘
//!   Cargo.toml ─▶ manifest (which crates a crate depends on)
//! ```
//!
//! The tests of this crate are what it is for: they fail when files or folders use each other in a circle, when a crate depends on
//! another one against the order of the architecture, or when two types of a crate that others see have the same name. The reader
//! knows names, not types: it does not see which file a method comes from that is called on a value. It has no dependencies, so that
//! these tests start at once.

pub mod graph;
pub mod items;
pub mod manifest;
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
