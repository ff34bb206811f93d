//! Every crate asks for the same features of the dependencies that it shares with others.
//!
//! Cargo unites the features that the crates of one command ask for. Where a crate by itself asks for fewer than all crates
//! together, `cargo test -p CRATE` compiles these dependencies, and all that stands on them, once more. The crate
//! `workspace-hack` is there to ask for the rest: what this test tells is to be added to its manifest.

use std::collections::BTreeSet;
use std::process::Command;

use referee_structure::{crates, workspace};

/// The packages that a command would compile, each with its features.
fn packages(selection: &[&str]) -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["tree", "--offline", "--locked", "--edges=normal,build,dev", "--prefix=none", "--format={p} with {f}"])
        .args(selection)
        .current_dir(workspace())
        .output()
        .expect("cargo runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo tree {selection:?}: {error}");
    let text = String::from_utf8_lossy(&output.stdout);
    // What was listed before is marked.
    text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

#[test]
fn a_crate_alone_has_the_features_of_the_workspace() {
    let together = packages(&["--workspace"]);
    for name in crates() {
        let alone = packages(&["--package", &name]);
        assert!(alone.iter().any(|package| package.starts_with(&name)), "the list of {name} is not one of packages");
        let others: Vec<&String> = alone.difference(&together).collect();
        assert!(others.is_empty(), "{name} alone asks for other features than with all crates: {others:#?}");
    }
}
