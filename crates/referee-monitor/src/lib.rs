//! Judges programs while they run, and tells what was found in the lines of `check`.
//!
//! ```text
//!  program ─▶ ring::Ring ──────────▶ monitor::Monitor ─▶ Session ─▶ lines: VIOLATION … STATUS
//!             records of words,      defines kinds, makes      └──▶ recorder: a trace file
//!             in one order           values of words
//! ```
//!
//! The ring lies in the program's own memory, where the program drains it itself, or in memory that it shares with
//! `referee run`. **A record means the same in both**: who drains it needs nothing of the program but the ring.

pub mod configuration;
pub mod contexts;
mod kept;
pub mod lines;
pub mod monitor;
mod recorder;
pub mod ring;
