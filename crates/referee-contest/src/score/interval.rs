//! How sure a ranking is: the measurements drawn again.
//!
//! Each cell's runs are drawn anew, with replacement, a thousand times, and all scores are computed from what was drawn:
//! O(1000 × cells × runs). Chance comes from a fixed seed, so the same results give the same intervals.

use serde::Serialize;

use super::Place;
use super::cell::{Share, needs};
use super::results::{BenchmarkResults, CellResult, TrackResults};
use super::rules::Rules;

const DRAWS: usize = 1000;
const SEED: u64 = 0x5eed_1e55_c0ff_ee00;

/// Where a total lies in 95 of 100 draws.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Whether the measurements tell two neighbours in the ranking apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Separation {
    /// The better one.
    pub better: String,
    /// The next.
    pub worse: String,
    /// In which share of the draws the better one was better.
    pub certainty: f64,
    /// Whether that is at least 97.5 of 100.
    pub separable: bool,
}

/// The totals of every draw, per tool.
pub(super) struct Samples {
    tools: Vec<(String, Vec<f64>)>,
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
        let mut sums = vec![0.0; track.tools.len()];
        for benchmark in &track.benchmarks {
            add(&redrawn(benchmark, &mut chance), track.online, rules, &mut sums);
        }
        for (list, sum) in totals.iter_mut().zip(sums) {
            list.push(sum);
        }
    }
    Some(Samples { tools: track.tools.iter().cloned().zip(totals).collect() })
}

/// The same benchmark with other runs of the same cells.
fn redrawn(benchmark: &BenchmarkResults, chance: &mut Chance) -> BenchmarkResults {
    let cell = |cell: &CellResult| CellResult {
        outcome: cell.outcome,
        walls: chance.draw(&cell.walls),
        memories: chance.draw(&cell.memories),
        ..CellResult::default()
    };
    BenchmarkResults { cells: benchmark.cells.iter().map(cell).collect(), ..BenchmarkResults::default() }
}

fn add(benchmark: &BenchmarkResults, online: bool, rules: &Rules, sums: &mut [f64]) {
    let correctness: Vec<f64> = benchmark.cells.iter().map(|cell| rules.correctness(cell.outcome, online)).collect();
    let (walls, memories) = needs(benchmark, &correctness, rules);
    let (overhead, memory) = (Share::new(rules.points.overhead, &walls), Share::new(rules.points.memory, &memories));
    for (tool, (sum, c)) in sums.iter_mut().zip(correctness).enumerate() {
        *sum += c + overhead.of(tool) + memory.of(tool);
    }
}

impl Samples {
    fn of(&self, tool: &str) -> Option<&[f64]> {
        self.tools.iter().find(|(name, _)| name == tool).map(|(_, totals)| totals.as_slice())
    }

    /// Where the total of a tool lies.
    pub(super) fn interval(&self, tool: &str) -> Option<Interval> {
        let mut totals = self.of(tool)?.to_vec();
        totals.sort_by(f64::total_cmp);
        let at = |share: f64| totals.get(((totals.len() - 1) as f64 * share).round() as usize).copied();
        Some(Interval { low: at(0.025)?, high: at(0.975)? })
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
        let wins = above.iter().zip(below).filter(|(above, below)| above > below).count();
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

    /// As many of the values, with replacement.
    fn draw(&mut self, values: &[f64]) -> Vec<f64> {
        let index = |word: u64| ((u128::from(word) * values.len() as u128) >> 64) as usize;
        values.iter().filter_map(|_| values.get(index(self.next())).copied()).collect()
    }
}
