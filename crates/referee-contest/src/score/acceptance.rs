//! Which printed scores the formulas do not give, whatever the printed inputs were before they were rounded.
//!
//! A time printed as `0.01` was anything from 0.005 to 0.015. A tool's share is largest when its own time was at the lower
//! end and all others at the upper one, and smallest the other way round; a printed score that lies outside that range, by
//! more than its own rounding, is an error of the table.

use serde::Serialize;

use super::published::{Printed, PrintedBenchmark, PrintedCell, PrintedTrack, number};

/// A printed score that does not follow from the printed inputs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Deviation {
    /// The track.
    pub track: String,
    /// The section of the benchmark.
    pub section: String,
    /// The tool.
    pub tool: String,
    /// `overhead` or `memory`.
    pub score: &'static str,
    /// What was printed.
    pub printed: String,
    /// What the formula gives for the printed inputs.
    pub formula: f64,
    /// The least it gives for inputs that would be printed so.
    pub low: f64,
    /// The most.
    pub high: f64,
}

/// A score and the input it is made of.
struct Column {
    name: &'static str,
    input: fn(&PrintedCell) -> &String,
    score: fn(&PrintedCell) -> &String,
}

const COLUMNS: [Column; 2] = [
    Column { name: "overhead", input: |cell| &cell.ovhd, score: |cell| &cell.o_score },
    Column { name: "memory", input: |cell| &cell.mem, score: |cell| &cell.m_score },
];

/// Every printed score that the formulas do not give.
pub fn compare(printed: &Printed) -> Vec<Deviation> {
    let mut found = Vec::new();
    for (name, track) in &printed.tracks {
        for benchmark in &track.benchmarks {
            for column in &COLUMNS {
                found.extend(deviations(name, track, benchmark, column));
            }
        }
    }
    found
}

fn deviations(name: &str, track: &PrintedTrack, benchmark: &PrintedBenchmark, column: &Column) -> Vec<Deviation> {
    let tools: Vec<(&String, &PrintedCell)> =
        track.tools().into_iter().filter_map(|tool| Some((tool, benchmark.cell(tool)?))).collect();
    let inputs: Vec<Option<Rounded>> = tools.iter().map(|(_, cell)| input(cell, column)).collect();
    let check = |(index, (tool, cell)): (usize, &(&String, &PrintedCell))| {
        let printed = (column.score)(cell);
        let [low, formula, high] = share(&inputs, index);
        let (score, half) = (number(printed)?, half_unit(printed).min(0.005));
        let possible = score + half >= low - 1e-9 && score - half <= high + 1e-9;
        (!possible).then(|| Deviation {
            track: name.to_owned(),
            section: benchmark.section.clone(),
            tool: (*tool).clone(),
            score: column.name,
            printed: printed.clone(),
            formula,
            low,
            high,
        })
    };
    tools.iter().enumerate().filter_map(check).collect()
}

/// A number that was rounded: the least, itself, the most.
#[derive(Clone, Copy)]
struct Rounded([f64; 3]);

/// The input of a cell that takes part in the sharing.
fn input(cell: &PrintedCell, column: &Column) -> Option<Rounded> {
    number(&cell.v_score).filter(|points| *points > 0.0)?;
    let text = (column.input)(cell);
    let (value, half) = (number(text)?, half_unit(text));
    Some(Rounded([(value - half).max(1e-12), value, value + half]))
}

/// Half of the last place that was printed.
fn half_unit(text: &str) -> f64 {
    let decimals = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    0.5 * 10f64.powi(-i32::try_from(decimals).unwrap_or(0))
}

/// The least score, the score, and the greatest.
fn share(inputs: &[Option<Rounded>], own: usize) -> [f64; 3] {
    let Some(Some(mine)) = inputs.get(own) else { return [0.0; 3] };
    let others = inputs.iter().enumerate().filter(|(index, _)| *index != own).filter_map(|(_, input)| *input);
    let others: Vec<Rounded> = others.collect();
    let of = |own: usize, other: usize| {
        let index = 1.0 / mine.0[own];
        10.0 * index / (index + others.iter().map(|input| 1.0 / input.0[other]).sum::<f64>())
    };
    [of(2, 0), of(1, 1), of(0, 2)]
}
