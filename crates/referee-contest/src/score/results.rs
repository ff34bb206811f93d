//! What is scored: for each tool and benchmark, the verdict and the measurements.

use serde::{Deserialize, Serialize};

/// The results of a competition.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Results {
    /// What they are the results of.
    pub title: String,
    /// Its parts.
    pub tracks: Vec<TrackResults>,
    /// What a reader must know, such as errors of a published table.
    pub remarks: Vec<Remark>,
    /// How and where they were measured, one line per fact.
    pub method: Vec<(String, String)>,
    /// The file that has every run, relative to the directory of the competition.
    pub journal: Option<String>,
}

/// The results of a track.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrackResults {
    /// Its name.
    pub track: String,
    /// Whether programs were judged while they ran.
    pub online: bool,
    /// The tools, in their order of appearance.
    pub tools: Vec<String>,
    /// The benchmarks.
    pub benchmarks: Vec<BenchmarkResults>,
}

/// The results on a benchmark.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BenchmarkResults {
    /// Its identifier.
    pub id: String,
    /// Its name.
    pub title: String,
    /// The right verdict.
    pub expected: Option<String>,
    /// The time of the program without monitor, in seconds.
    pub alone: Option<f64>,
    /// One per tool, in the order of the tools.
    pub cells: Vec<CellResult>,
    /// The runs of the program without monitor.
    pub runs: Vec<RunLink>,
    /// The package that it belongs to; benchmarks of one package share its points. Nothing where packages are not known.
    pub package: String,
}

/// What a tool did on a benchmark.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CellResult {
    /// How it ended.
    pub outcome: Outcome,
    /// The verdict it gave, in its own word.
    pub verdict: Option<String>,
    /// The wall time of each run that counts, in seconds.
    pub walls: Vec<f64>,
    /// The peak memory of each run that counts, in bytes.
    pub memories: Vec<f64>,
    /// What the tool said about its own memory, in bytes.
    pub own_memory: Option<f64>,
    /// What a reader must know.
    pub notes: Vec<String>,
    /// Where the outputs of its runs are kept.
    pub runs: Vec<RunLink>,
}

/// What a run took, and where what it wrote is kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunLink {
    /// What it was: `run 1`, `warm-up`.
    pub label: String,
    /// The file of its output, relative to the directory of the competition.
    pub file: String,
    /// The file of its errors.
    pub errors: String,
    /// Its wall time in seconds.
    pub wall: f64,
    /// Its CPU time in seconds.
    pub cpu: f64,
    /// Its peak memory in bytes, where that was measured.
    pub memory: Option<u64>,
    /// Whether it was under CPU pressure.
    pub pressed: bool,
}

/// How a tool fared on a benchmark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It did not enter.
    #[default]
    NotEntered,
    /// The right verdict.
    Correct,
    /// The wrong one.
    Wrong,
    /// It said that it cannot tell.
    GaveUp,
    /// No verdict in time, or none at all.
    NoVerdict,
    /// It died.
    Crash,
}

impl Outcome {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Outcome::NotEntered => "not entered",
            Outcome::Correct => "correct",
            Outcome::Wrong => "wrong verdict",
            Outcome::GaveUp => "gave up",
            Outcome::NoVerdict => "no verdict in time",
            Outcome::Crash => "crash",
        }
    }
}

/// Something that a reader of the results must know.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Remark {
    /// What it concerns, such as `offline 4.3.18 MonPoly`.
    pub about: String,
    /// What is to be known.
    pub text: String,
}

impl TrackResults {
    /// The part of a benchmark's points that it is worth: the traces of one package share those of one benchmark, so that no
    /// package is worth more for having many.
    pub fn weight(&self, benchmark: &BenchmarkResults) -> f64 {
        1.0 / self.traces(benchmark) as f64
    }

    /// How many benchmarks belong to the same package.
    pub fn traces(&self, benchmark: &BenchmarkResults) -> usize {
        match benchmark.package.is_empty() {
            true => 1,
            false => self.benchmarks.iter().filter(|one| one.package == benchmark.package).count().max(1),
        }
    }
}

impl CellResult {
    /// The time that counts: the mean of the runs.
    pub fn wall(&self) -> Option<f64> {
        mean(&self.walls)
    }

    /// The memory that counts: the mean of the runs.
    pub fn memory(&self) -> Option<f64> {
        mean(&self.memories)
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
