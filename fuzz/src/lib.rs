//! What must hold for every input: the bodies of the fuzz targets, by what they read.
//!
//! `cargo test` runs the same checks on fixed inputs and on mutations of them, so they cannot rot: each module is a part
//! of the test `fuzz_targets` of the crate that it checks.

pub mod snapshots;
pub mod specifications;
pub mod traces;
