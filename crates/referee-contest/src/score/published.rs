//! The tables of 2014 as they were printed, and what a reader must correct before the formulas reproduce them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::results::{BenchmarkResults, CellResult, Outcome, Remark, Results, TrackResults};

/// Every printed cell of the tables of 2014.
pub const PRINTED_2014: &str = include_str!("../../../../data/crv14/results.json");

/// Why published tables cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("the published results cannot be read: {0}")]
pub struct PublishedError(#[from] serde_json::Error);

/// Published tables.
#[derive(Debug, Clone, Deserialize)]
pub struct Printed {
    /// Where they were published.
    pub source: String,
    /// The tracks by name.
    pub tracks: BTreeMap<String, PrintedTrack>,
    /// What a reader must correct.
    pub corrections: Vec<Correction>,
}

/// The tables of a track.
#[derive(Debug, Clone, Deserialize)]
pub struct PrintedTrack {
    /// The number of the table with every cell.
    pub detail_table: u32,
    /// The number of the table with the sums.
    pub summary_table: u32,
    /// The rows.
    pub benchmarks: Vec<PrintedBenchmark>,
    /// The sums, per tool.
    pub summary: BTreeMap<String, PrintedSummary>,
}

/// A row: a benchmark.
#[derive(Debug, Clone, Deserialize)]
pub struct PrintedBenchmark {
    /// The section that describes it, which is its name here.
    pub section: String,
    /// Its title.
    pub title: String,
    tools: BTreeMap<String, PrintedEntry>,
}

#[derive(Debug, Clone, Deserialize)]
struct PrintedEntry {
    printed: PrintedCell,
}

/// A cell, each part as the text that was printed.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[allow(missing_docs)]
pub struct PrintedCell {
    pub verdict: String,
    pub mem: String,
    pub ovhd: String,
    pub v_score: String,
    pub m_score: String,
    pub o_score: String,
}

/// The sums of a tool.
#[derive(Debug, Clone, Deserialize)]
#[allow(missing_docs)]
pub struct PrintedSummary {
    pub rank: usize,
    pub correctness: String,
    pub overhead: String,
    pub memory: String,
    pub total: String,
}

/// What a reader must correct.
#[derive(Debug, Clone, Deserialize)]
pub struct Correction {
    track: String,
    section: Option<String>,
    tool: Option<String>,
    kind: String,
    text: String,
}

impl Printed {
    /// Reads published tables, and puts cells that were printed in wrong columns where they belong.
    pub fn parse(text: &str) -> Result<Printed, PublishedError> {
        let mut printed: Printed = serde_json::from_str(text)?;
        let rotated: Vec<(String, String)> = printed
            .corrections
            .iter()
            .filter(|correction| correction.kind == "columns-rotated")
            .filter_map(|correction| Some((correction.track.clone(), correction.tool.clone()?)))
            .collect();
        for (track, tool) in rotated {
            let benchmarks = printed.tracks.get_mut(&track).into_iter().flat_map(|track| &mut track.benchmarks);
            benchmarks
                .filter_map(|benchmark| benchmark.tools.get_mut(&tool))
                .for_each(|entry| rotate(&mut entry.printed));
        }
        Ok(printed)
    }

    /// What is scored.
    pub fn results(&self) -> Results {
        // The tracks in the order of their tables.
        let mut tracks: Vec<(&String, &PrintedTrack)> = self.tracks.iter().collect();
        tracks.sort_by_key(|(_, track)| track.detail_table);
        Results {
            title: "The competition of 2014, scored again".into(),
            tracks: tracks.into_iter().map(|(name, track)| track.results(name)).collect(),
            remarks: self.corrections.iter().map(Correction::remark).collect(),
            method: vec![("Source".into(), self.source.clone())],
            journal: None,
        }
    }
}

/// Under Mem stands the o-score, under m-score the memory, under o-score the m-score.
fn rotate(cell: &mut PrintedCell) {
    if cell.verdict == "N/A" {
        return;
    }
    let o_score = std::mem::replace(&mut cell.mem, std::mem::take(&mut cell.m_score));
    cell.m_score = std::mem::replace(&mut cell.o_score, o_score);
}

impl PrintedTrack {
    /// The tools, in the order of the ranking that was printed.
    pub fn tools(&self) -> Vec<&String> {
        let mut tools: Vec<_> = self.summary.iter().collect();
        tools.sort_by_key(|(name, summary)| (summary.rank, name.as_str()));
        tools.into_iter().map(|(name, _)| name).collect()
    }

    fn results(&self, name: &str) -> TrackResults {
        let tools = self.tools();
        // Table 6 is headed MB but holds kilobytes.
        let unit = if name == "c" { 1024.0 } else { f64::from(1 << 20) };
        TrackResults {
            track: name.to_owned(),
            online: name != "offline",
            tools: tools.iter().map(|tool| (*tool).clone()).collect(),
            benchmarks: self.benchmarks.iter().map(|benchmark| benchmark.results(&tools, unit)).collect(),
        }
    }
}

impl PrintedBenchmark {
    /// The printed cell of a tool.
    pub fn cell(&self, tool: &str) -> Option<&PrintedCell> {
        self.tools.get(tool).map(|entry| &entry.printed)
    }

    /// The right verdict is the one that was given full points; the tables do not print it.
    fn expected(&self) -> Option<&str> {
        let full = |entry: &&PrintedEntry| number(&entry.printed.v_score).is_some_and(|points| points > 0.0);
        self.tools.values().find(full).map(|entry| entry.printed.verdict.as_str())
    }

    fn results(&self, tools: &[&String], unit: f64) -> BenchmarkResults {
        let cell = |tool: &&String| self.cell(tool).map(|cell| self.cell_result(cell, unit)).unwrap_or_default();
        BenchmarkResults {
            id: self.section.clone(),
            title: self.title.clone(),
            expected: self.expected().map(|letter| word(letter).to_owned()),
            cells: tools.iter().map(cell).collect(),
            ..BenchmarkResults::default()
        }
    }

    fn cell_result(&self, cell: &PrintedCell, unit: f64) -> CellResult {
        let outcome = match cell.verdict.as_str() {
            "N/A" => Outcome::NotEntered,
            "T/O" => Outcome::NoVerdict,
            verdict if Some(verdict) == self.expected() => Outcome::Correct,
            _ => Outcome::Wrong,
        };
        CellResult {
            outcome,
            verdict: (outcome != Outcome::NotEntered).then(|| word(&cell.verdict).to_owned()),
            walls: number(&cell.ovhd).into_iter().collect(),
            memories: number(&cell.mem).map(|memory| memory * unit).into_iter().collect(),
            ..CellResult::default()
        }
    }
}

impl Correction {
    fn remark(&self) -> Remark {
        let about = [Some(&self.track), self.section.as_ref(), self.tool.as_ref()];
        let about = about.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ");
        Remark { about, text: self.text.clone() }
    }
}

fn word(letter: &str) -> &str {
    match letter {
        "T" => "Satisfied",
        "F" => "Violated",
        "T/O" => "TimeOut",
        other => other,
    }
}

/// A printed number; `N/A` is none.
pub(super) fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}
