//! The competition: its benchmarks, its runs, its scores.
//!
//! [`generate`] makes traces of any size whose verdict is known beforehand, [`package`] reads benchmarks, and [`document`]
//! is how every file that people write is read.

pub mod document;
pub mod generate;
pub mod package;
pub mod score;
