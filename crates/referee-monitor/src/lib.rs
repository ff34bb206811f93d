//! Judges programs while they run, and tells what was found in the lines of `check`.

pub mod contexts;
mod kept;
pub mod lines;
