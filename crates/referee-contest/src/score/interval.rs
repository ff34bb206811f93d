//! How sure a ranking is: the measurements drawn again.
//!
//! Each cell's runs are drawn anew, with replacement, a thousand times, and all scores are computed from what was drawn:
//! O(1000 × cells × runs). Chance comes from a fixed seed, so the same results give the same intervals.
//!
//! One run, drawn again, is always itself, and would look exact although it is the least known of all. So a cell that was
//! measured once may have needed anything: where several tools share points, it has between none and all of them, and so
//! have the others with it at least or at most.

use serde::Serialize;

use super::cell::Share;
use super::place::{Interval, Place};
use super::results::{BenchmarkResults, CellResult, TrackResults};
use super::rules::Rules;

const DRAWS: usize = 1000;
const SEED: u64 = 0x5eed_1e55_c0ff_ee00;

/// Whether the measurements tell two neighbours in the ranking apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Separation {
    /// The better one.
    pub better: String,
    /// The next.
    pub worse: String,
    /// In which share of the draws the better one was surely better.
    pub certainty: f64,
    /// Whether that is at least 97.5 of 100.
    pub separable: bool,
}

/// The totals of every draw, per tool: what it has at least and at most.
pub(super) struct Samples {
    tools: Vec<(String, Vec<Interval>)>,
}

/// Draws the measurements again; `None` where nothing was measured twice.
pub(super) fn resample(track: &TrackResults, rules: &Rules) -> Option<Samples> {
    let repeated = |cell: &CellResult| cell.walls.len() > 1 || cell.memories.len() > 1;
    if !track.benchmarks.iter().any(|benchmark| benchmark.cells.iter().any(repeated)) {
        return None;
    }
    let mut chance = Chance(SEED);
    let mut totals = vec![Vec::with_capacity(DRAWS); track.tools.len()];
    for _ in 0..DRAWS {
        let mut sums = vec![Interval { low: 0.0, high: 0.0 }; track.tools.len()];
        for benchmark in &track.benchmarks {
            add(track, benchmark, rules, &mut chance, &mut sums);
        }
        for (list, sum) in totals.iter_mut().zip(sums) {
            list.push(sum);
        }
    }
    Some(Samples { tools: track.tools.iter().cloned().zip(totals).collect() })
}

/// Adds what each tool has on a benchmark, with other runs of the same cells.
fn add(track: &TrackResults, benchmark: &BenchmarkResults, rules: &Rules, chance: &mut Chance, sums: &mut [Interval]) {
    let (weight, least) = (track.weight(benchmark), rules.measurement.clock_resolution);
    let correctness: Vec<f64> =
        benchmark.cells.iter().map(|cell| weight * rules.correctness(cell.outcome, track.online)).collect();
    let mut needed = |values: fn(&CellResult) -> &Vec<f64>, least: f64| -> Vec<Needed> {
        let sharing = benchmark.cells.iter().zip(&correctness);
        sharing.map(|(cell, c)| if *c > 0.0 { chance.needed(values(cell), least) } else { Needed::Nothing }).collect()
    };
    let (walls, memories) = (needed(|cell| &cell.walls, least), needed(|cell| &cell.memories, 0.0));
    for (tool, (sum, c)) in sums.iter_mut().zip(correctness).enumerate() {
        let overhead = share(weight * rules.points.overhead, &walls, tool);
        let memory = share(weight * rules.points.memory, &memories, tool);
        sum.low += c + overhead.low + memory.low;
        sum.high += c + overhead.high + memory.high;
    }
}

/// What a tool needed in a draw.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Needed {
    /// Nothing that earns points.
    Nothing,
    /// So much.
    Drawn(f64),
    /// It was measured once: nobody knows what it would be the next time.
    Unsure,
}

/// The points of a tool, at least and at most, when those who were measured once need anything from nothing to everything.
fn share(points: f64, needed: &[Needed], tool: usize) -> Interval {
    let exact = |points| Interval { low: points, high: points };
    let unsure = needed.contains(&Needed::Unsure);
    let known: Vec<Option<f64>> = needed
        .iter()
        .map(|one| match one {
            Needed::Drawn(value) => Some(*value),
            Needed::Nothing | Needed::Unsure => None,
        })
        .collect();
    let sharing = needed.iter().filter(|one| **one != Needed::Nothing).count();
    match needed.get(tool) {
        None | Some(Needed::Nothing) => exact(0.0),
        Some(_) if sharing == 1 => exact(points),
        Some(Needed::Unsure) => Interval { low: 0.0, high: points },
        Some(Needed::Drawn(_)) => {
            let high = Share::new(points, &known).of(tool);
            Interval { low: if unsure { 0.0 } else { high }, high }
        }
    }
}

impl Samples {
    fn of(&self, tool: &str) -> Option<&[Interval]> {
        self.tools.iter().find(|(name, _)| name == tool).map(|(_, totals)| totals.as_slice())
    }

    /// Where the total of a tool lies.
    pub(super) fn interval(&self, tool: &str) -> Option<Interval> {
        let totals = self.of(tool)?;
        let at = |end: fn(&Interval) -> f64, share: f64| {
            let mut ends: Vec<f64> = totals.iter().map(end).collect();
            ends.sort_by(f64::total_cmp);
            ends.get((ends.len().saturating_sub(1) as f64 * share).round() as usize).copied()
        };
        Some(Interval { low: at(|total| total.low, 0.025)?, high: at(|total| total.high, 0.975)? })
    }

    /// Whether each place is separable from the next.
    pub(super) fn separations(&self, ranking: &[Place]) -> Vec<Separation> {
        let pairs = ranking.windows(2).filter_map(|pair| match pair {
            [better, worse] => Some((&better.tool, &worse.tool)),
            _ => None,
        });
        pairs.filter_map(|(better, worse)| self.separation(better, worse)).collect()
    }

    fn separation(&self, better: &str, worse: &str) -> Option<Separation> {
        let (above, below) = (self.of(better)?, self.of(worse)?);
        let wins = above.iter().zip(below).filter(|(above, below)| above.low > below.high).count();
        let certainty = wins as f64 / DRAWS as f64;
        Some(Separation { better: better.into(), worse: worse.into(), certainty, separable: certainty >= 0.975 })
    }
}

/// Chance from a seed (SplitMix64).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// What is needed when as many of the values are drawn, with replacement: their mean, but no less than the least.
    fn needed(&mut self, values: &[f64], least: f64) -> Needed {
        match values.len() {
            0 => Needed::Nothing,
            1 => Needed::Unsure,
            count => {
                let sum: f64 = (0..count).filter_map(|_| values.get(self.below(count))).sum();
                Needed::Drawn((sum / count as f64).max(least))
            }
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}
