//! What a page shows, and the order in which all its parts show it.

use crate::registration::Query;
use crate::score::{Cell, Deviation, Results, Rules, Scores, TrackScores};

/// What a report shows.
pub struct Page<'a> {
    /// What was measured.
    pub results: &'a Results,
    /// What it is worth.
    pub scores: &'a Scores,
    /// By which rules.
    pub rules: &'a Rules,
    /// Errors of published tables.
    pub deviations: &'a [Deviation],
    /// Questions about results.
    pub queries: &'a [Query],
    /// What it is compared with.
    pub against: Option<&'a Against>,
}

/// Other results, scored by the same rules.
pub struct Against {
    /// What they are the results of.
    pub title: String,
    /// What they are worth.
    pub scores: Scores,
}

/// The tools of a track, best first.
pub(super) fn ranked(track: &TrackScores) -> Vec<&str> {
    track.ranking.iter().map(|place| place.tool.as_str()).collect()
}

/// The benchmarks of a track, with their cells in the order of the ranking.
pub(super) fn by_benchmark(track: &TrackScores) -> Vec<(&str, &str, Vec<&Cell>)> {
    let order = ranked(track);
    let mut rows: Vec<(&str, &str, Vec<&Cell>)> = Vec::new();
    for cell in &track.cells {
        match rows.last_mut() {
            Some((id, _, cells)) if *id == cell.benchmark => cells.push(cell),
            _ => rows.push((&cell.benchmark, &cell.title, vec![cell])),
        }
    }
    for (_, _, cells) in &mut rows {
        cells.sort_by_key(|cell| order.iter().position(|tool| *tool == cell.tool));
    }
    rows
}
