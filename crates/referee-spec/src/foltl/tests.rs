//! The seeds' formulas, errors with their places, layout, and random texts and trees.

mod errors;
mod layout;
mod lowering;
mod points;
mod random;
mod relative;
