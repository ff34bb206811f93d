//! A place in the ranking.

use serde::Serialize;

/// A tool's place in the ranking.
#[derive(Debug, Clone, Serialize)]
pub struct Place {
    /// From 1; a draw shares it, and none is left out after a draw.
    pub rank: usize,
    /// The tool.
    pub tool: String,
    /// The sum of its correctness scores.
    pub correctness: f64,
    /// The sum of its overhead scores.
    pub overhead: f64,
    /// The sum of its memory scores.
    pub memory: f64,
    /// The sum of all.
    pub total: f64,
    /// Where the total lies in 95 of 100 repetitions of the measurements.
    pub interval: Option<Interval>,
}

/// Where a total lies in 95 of 100 draws.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}
