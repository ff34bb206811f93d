//! One tool on one benchmark: its scores, and how they come about.

use serde::Serialize;

use super::results::{BenchmarkResults, CellResult, Outcome, RunLink, TrackResults};
use super::rules::{Missing, Rules};

/// The scores of a tool on a benchmark.
#[derive(Debug, Clone, Serialize)]
pub struct Cell {
    /// The tool.
    pub tool: String,
    /// The benchmark's identifier.
    pub benchmark: String,
    /// The benchmark's name.
    pub title: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The verdict that was given.
    pub verdict: Option<String>,
    /// The part of a benchmark's points that it is worth: less than 1 where a package has several traces.
    pub weight: f64,
    /// Correctness.
    pub c: f64,
    /// Overhead.
    pub o: f64,
    /// Memory.
    pub m: f64,
    /// Wall time in seconds.
    pub wall: Option<f64>,
    /// Peak memory in bytes.
    pub memory: Option<f64>,
    /// What the tool said of its own memory.
    pub own_memory: Option<f64>,
    /// The scores as formulas with the numbers filled in, one line each.
    pub formula: Vec<String>,
    /// What a reader must know.
    pub note: Option<String>,
    /// The time of each run.
    pub walls: Vec<f64>,
    /// The memory of each run.
    pub memories: Vec<f64>,
    /// Where the outputs of its runs are kept.
    pub runs: Vec<RunLink>,
}

impl Cell {
    /// All points together.
    pub fn total(&self) -> f64 {
        self.c + self.o + self.m
    }
}

/// How a fixed number of points is shared among the tools with a right verdict.
#[derive(Debug, Clone)]
pub struct Share {
    points: f64,
    /// Per tool the index 1/V; zero where there is none.
    indices: Vec<f64>,
    sum: f64,
}

impl Share {
    /// Shares points by the inverse of what each tool needed; `None` gets nothing.
    pub fn new(points: f64, needed: &[Option<f64>]) -> Share {
        let index = |needed: &Option<f64>| needed.filter(|value| *value > 0.0).map_or(0.0, |value| 1.0 / value);
        let indices: Vec<f64> = needed.iter().map(index).collect();
        let sum = indices.iter().sum();
        Share { points, indices, sum }
    }

    /// The points of a tool.
    pub fn of(&self, tool: usize) -> f64 {
        let index = self.indices.get(tool).copied().unwrap_or(0.0);
        if index > 0.0 { self.points * index / self.sum } else { 0.0 }
    }

    fn formula(&self, tool: usize, letter: char, unit: &str, needed: &[Option<f64>]) -> Option<String> {
        let own = needed.get(tool).copied().flatten().filter(|value| *value > 0.0)?;
        let others: Vec<String> = needed.iter().flatten().map(|value| format!("1/{}", figure(*value))).collect();
        Some(format!(
            "{letter} = {} × (1/{}) / ({}) = {:.2}{unit}",
            figure(self.points),
            figure(own),
            others.join(" + "),
            self.of(tool)
        ))
    }
}

/// A number as short as four significant digits allow.
fn figure(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 || value.fract() == 0.0 => format!("{value:.0}"),
        size if size >= 1.0 => format!("{value:.2}"),
        size if size >= 0.001 => format!("{value:.4}"),
        _ => format!("{value:.2e}"),
    }
}

/// The cells of a benchmark, in the order of the tools.
pub(super) fn of_benchmark(track: &TrackResults, benchmark: &BenchmarkResults, rules: &Rules) -> Vec<Cell> {
    let weight = track.weight(benchmark);
    let correctness: Vec<f64> =
        benchmark.cells.iter().map(|cell| weight * rules.correctness(cell.outcome, track.online)).collect();
    let (walls, memories) = needs(benchmark, &correctness, rules);
    let overhead = Share::new(weight * rules.points.overhead, &walls);
    let memory = Share::new(weight * rules.points.memory, &memories);
    let cells = track.tools.iter().zip(&benchmark.cells).zip(correctness).enumerate();
    cells
        .map(|(index, ((tool, result), c))| {
            let mut formula = vec![format!("C = {}: {}", figure(c), result.outcome.words())];
            formula.extend(overhead.formula(index, 'O', " (seconds)", &walls));
            formula.extend(memory.formula(index, 'M', " (MiB)", &in_mebibytes(&memories)));
            formula.extend(shared(track, benchmark));
            Cell {
                tool: tool.clone(),
                benchmark: benchmark.id.clone(),
                title: benchmark.title.clone(),
                outcome: result.outcome,
                verdict: result.verdict.clone(),
                weight,
                c,
                o: overhead.of(index),
                m: memory.of(index),
                wall: result.wall(),
                memory: result.memory(),
                own_memory: result.own_memory,
                formula,
                note: note(result, rules),
                walls: result.walls.clone(),
                memories: result.memories.clone(),
                runs: result.runs.clone(),
            }
        })
        .collect()
}

/// What is to be said of a trace that shares the points of its package with others.
fn shared(track: &TrackResults, benchmark: &BenchmarkResults) -> Option<String> {
    let traces = track.traces(benchmark);
    let words = || format!("one of {traces} traces of {}, which share the points of one benchmark", benchmark.package);
    (traces > 1).then(words)
}

/// What each tool with a positive correctness score needed: seconds, at least those that the clock can tell, and bytes.
fn needs(benchmark: &BenchmarkResults, correctness: &[f64], rules: &Rules) -> (Vec<Option<f64>>, Vec<Option<f64>>) {
    let counted = |(cell, c): (&CellResult, &f64)| match *c > 0.0 {
        true => (cell.wall().map(|wall| wall.max(rules.measurement.clock_resolution)), cell.memory()),
        false => (None, None),
    };
    benchmark.cells.iter().zip(correctness).map(counted).unzip()
}

fn in_mebibytes(bytes: &[Option<f64>]) -> Vec<Option<f64>> {
    bytes.iter().map(|value| value.map(|value| value / f64::from(1 << 20))).collect()
}

/// The notes of the run, and what the rules make of missing and tiny measurements.
fn note(result: &CellResult, rules: &Rules) -> Option<String> {
    let mut notes = result.notes.clone();
    if result.outcome == Outcome::Correct {
        for (what, missing) in [("time", result.walls.is_empty()), ("memory", result.memories.is_empty())] {
            match (missing, rules.measurement.missing) {
                (false, _) => {}
                (true, Missing::IndexZero) => notes.push(format!("no {what} measured: index 0")),
                (true, Missing::Repeat) => {
                    notes.push(format!("no {what} measured: to be run again, index 0 until then"))
                }
            }
        }
        if result.wall().is_some_and(|wall| wall < rules.measurement.clock_resolution) {
            notes.push(format!("time below the clock's resolution of {} s", rules.measurement.clock_resolution));
        }
    }
    (!notes.is_empty()).then(|| notes.join("; "))
}
