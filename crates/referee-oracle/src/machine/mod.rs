//! The meaning of machines, naively: all bindings, their traces, all runs.
//!
//! ```text
//!  for k = 1, 2, … and the end:  domains up to k ─▶ every binding ─▶ its events up to k ─▶ every run ─▶ fold, compare
//! ```
//!
//! Nothing is carried from one point to the next.

mod dates;
mod plane;
mod quantified;
mod sliced;
mod values;
mod words;

use referee_spec::core::Outcome;
use referee_spec::core::machine::{Body, Machine};
use referee_trace::owned::OwnedTrace;

use crate::question::Mode;

/// Judges a machine on a trace.
pub fn judge(machine: &Machine, trace: &OwnedTrace, mode: Mode) -> Outcome {
    match &machine.body {
        Body::Quantified(body) => quantified::judge(body, trace, mode),
        Body::Sliced(body) => sliced::judge(body, trace, mode),
        Body::Dates(body) => dates::judge(body, trace, mode),
        Body::Plane(body) => plane::judge(body, trace, mode),
    }
}
