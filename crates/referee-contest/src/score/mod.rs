//! Scores by the rules.
//!
//! ```text
//!  journal, published tables ─▶ Results ─┐
//!                                        ├─▶ score ─▶ Scores: cells that explain themselves, ranking ─▶ interval
//!  rules/crv14.toml ─▶ Rules ────────────┘
//! ```
//!
//! Per benchmark, a right verdict earns C; O and M points are shared among the tools with a right verdict in proportion to
//! the index 1/V, V being time or memory. The geometric mean in the printed formula for programs is a factor that all tools
//! share, so it cancels and is left out. Linear in the number of cells; the intervals repeat it a thousand times.

mod acceptance;
mod cell;
mod interval;
mod place;
mod published;
mod results;
mod rules;

use serde::Serialize;

pub use acceptance::{Deviation, compare};
pub use cell::{Cell, Share};
pub use interval::Separation;
pub use place::{Interval, Place};
pub use published::{PRINTED_2014, Printed, PrintedCell, PrintedSummary, PrintedTrack, PublishedError};
pub use results::{BenchmarkResults, CellResult, Outcome, Remark, Results, RunLink, TrackResults};
pub use rules::{Missing, Penalty, Rules, Verdicts};

/// The scores of a competition.
#[derive(Debug, Clone, Serialize)]
pub struct Scores {
    /// The name of the rules.
    pub rules: String,
    /// One per track.
    pub tracks: Vec<TrackScores>,
}

/// The scores of a track.
#[derive(Debug, Clone, Serialize)]
pub struct TrackScores {
    /// Its name.
    pub track: String,
    /// The tools, best first.
    pub ranking: Vec<Place>,
    /// Every cell, benchmark by benchmark.
    pub cells: Vec<Cell>,
    /// Which neighbours in the ranking the measurements tell apart.
    pub separations: Vec<Separation>,
}

impl TrackScores {
    /// How many cells with points were measured once while others were repeated: these are why intervals are wide.
    pub fn measured_once(&self) -> Option<String> {
        let repeated = self.cells.iter().any(|cell| cell.walls.len() > 1);
        let once = self.cells.iter().filter(|cell| cell.c > 0.0 && cell.walls.len() == 1).count();
        let cells = if once == 1 { "1 cell was" } else { &format!("{once} cells were") };
        let text = || format!("{cells} measured once: what the next run would take is taken as unknown");
        (repeated && once > 0).then(text)
    }
}

/// Scores results by rules.
pub fn score(results: &Results, rules: &Rules) -> Scores {
    Scores { rules: rules.name.clone(), tracks: results.tracks.iter().map(|track| score_track(track, rules)).collect() }
}

fn score_track(track: &TrackResults, rules: &Rules) -> TrackScores {
    let cells: Vec<Cell> = track.benchmarks.iter().flat_map(|one| cell::of_benchmark(track, one, rules)).collect();
    let mut ranking = totals(track, &cells);
    let samples = interval::resample(track, rules);
    for place in &mut ranking {
        place.interval = samples.as_ref().and_then(|samples| samples.interval(&place.tool));
    }
    rank(&mut ranking, rules.ranking.draw);
    let separations = samples.map(|samples| samples.separations(&ranking)).unwrap_or_default();
    TrackScores { track: track.track.clone(), ranking, cells, separations }
}

/// The sums of each tool, not ranked yet.
fn totals(track: &TrackResults, cells: &[Cell]) -> Vec<Place> {
    let sum = |tool: &str, part: fn(&Cell) -> f64| -> f64 {
        let sum: f64 = cells.iter().filter(|cell| cell.tool == tool).map(part).sum();
        // The empty sum is -0.0, which would be shown as such.
        sum + 0.0
    };
    let place = |tool: &String| {
        let (correctness, overhead, memory) =
            (sum(tool, |cell| cell.c), sum(tool, |cell| cell.o), sum(tool, |cell| cell.m));
        let total = correctness + overhead + memory;
        Place { rank: 0, tool: tool.clone(), correctness, overhead, memory, total, interval: None }
    };
    track.tools.iter().map(place).collect()
}

/// Sorts and numbers: whoever is within the threshold of the first of a rank shares it.
fn rank(places: &mut [Place], draw: f64) {
    places.sort_by(|a, b| b.total.total_cmp(&a.total));
    let (mut rank, mut best) = (0, f64::INFINITY);
    for place in places {
        // Sums of decimals are not exact; a threshold that is met to a billionth is met.
        if rank == 0 || best - place.total > draw + 1e-9 {
            (rank, best) = (rank + 1, place.total);
        }
        place.rank = rank;
    }
}

#[cfg(test)]
mod tests;
