//! The competition: its benchmarks, its tools, its runs, its scores.
//!
//! ```text
//!  package  what is judged ─┐
//!  tool     who judges ─────┴─▶ registration: a competition ─▶ run ─▶ score ─▶ report
//! ```
//!
//! [`document`] is how every file that people write is read, [`hash`] how what was run is recognised again.

pub mod document;
pub mod gallery;
pub mod hash;
pub mod package;
pub mod registration;
pub mod report;
pub mod run;
pub mod score;
pub mod scratch;
pub mod skeleton;
pub mod tool;
pub mod validate;
