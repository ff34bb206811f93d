//! The run time in real programs: how they end, what they print, what they keep.

mod endings;
mod guest;
mod kit;
mod results;
mod threads;
