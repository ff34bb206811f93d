//! The competition: what its traces are made of.
//!
//! [`generate`] makes traces of any size whose verdict is known beforehand.

pub mod generate;
