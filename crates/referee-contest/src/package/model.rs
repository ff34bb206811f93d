//! What a package is when it is loaded.

use std::collections::BTreeMap;
use std::path::PathBuf;

use referee_spec::core::Language;
use referee_trace::format::Format;

use super::document::{Acceptance, Clarification, ClarificationState, Program, Property, Track, Verdict};
use referee_generate::{Generator, Request};

/// The names of the documents that make a directory a package.
pub const DOCUMENTS: [&str; 2] = ["benchmark.toml", "benchmark.json"];

/// The languages that a formal specification may be in.
pub const LANGUAGES: [&str; 14] = [
    "foltl", "qtl", "mfotl", "soloist", "qea", "mop", "gcl", "ruler", "logfire", "larva", "lola", "stl", "e-acsl",
    "other",
];

/// A benchmark.
#[derive(Debug, Clone)]
pub struct Package {
    /// The directory.
    pub directory: PathBuf,
    /// The document in it.
    pub document: PathBuf,
    /// The name in CamelCase, which is what scripts get.
    pub id: String,
    /// The name.
    pub name: String,
    /// Its part of the competition.
    pub track: Track,
    /// The team that entered it.
    pub team: Option<String>,
    /// Two or three sentences.
    pub description: String,
    /// What it is about, such as `concurrency`.
    pub domains: Vec<String>,
    /// An SPDX identifier or a text.
    pub licence: Option<String>,
    /// Where it comes from.
    pub origin: Option<String>,
    /// What is required.
    pub property: Property,
    /// What is judged.
    pub subject: Subject,
    /// The right answer.
    pub verdict: Verdict,
    /// Other traces of the same property, such as those of the published size.
    pub further: Vec<Further>,
    /// Questions and answers.
    pub clarifications: Vec<Clarification>,
}

/// What is judged.
#[derive(Debug, Clone)]
pub enum Subject {
    /// A trace: the offline track.
    Trace(Trace),
    /// A program: the other tracks.
    Program(Program),
}

/// A trace and its statistics.
#[derive(Debug, Clone)]
pub struct Trace {
    /// Where it comes from.
    pub source: TraceSource,
    /// Its format.
    pub format: Format,
    /// The hash of its bytes.
    pub sha256: Option<String>,
    /// How many events it has.
    pub events: u64,
    /// How many of each kind.
    pub counts: BTreeMap<String, u64>,
    /// The mapping from concrete to abstract events: a file of the package or a built-in name.
    pub mapping: Option<String>,
}

/// Another trace of the same property, and the right answer to it.
#[derive(Debug, Clone)]
pub struct Further {
    /// What tells it from the others, such as `published`.
    pub name: String,
    /// The trace.
    pub trace: Trace,
    /// The right answer.
    pub verdict: Verdict,
}

/// Where a trace comes from.
#[derive(Debug, Clone)]
pub enum TraceSource {
    /// A file of the package.
    File(PathBuf),
    /// Somewhere else; the hash says whether it is the right one.
    Url(String),
    /// It is made when it is needed.
    Generated(Box<Generated>),
}

/// A trace that is made when it is needed.
#[derive(Debug, Clone)]
pub struct Generated {
    /// By whom.
    pub generator: &'static Generator,
    /// How.
    pub request: Request,
}

impl Package {
    /// The path of a file that the document names.
    pub fn path(&self, file: &str) -> PathBuf {
        self.directory.join(file)
    }

    /// The specification in one of Referee's own languages that judges the package: the first that the document lists.
    pub fn own_specification(&self) -> Option<(Language, PathBuf)> {
        self.property
            .formal
            .iter()
            .find_map(|formal| Some((Language::from_name(&formal.language)?, self.path(&formal.file))))
    }

    /// The first of its traces that is made when it is needed, and how.
    pub fn generated(&self) -> Option<(&Trace, &Generated)> {
        let Subject::Trace(first) = &self.subject else { return None };
        let all = std::iter::once(first).chain(self.further.iter().map(|further| &further.trace));
        all.into_iter().find_map(|trace| match &trace.source {
            TraceSource::Generated(generated) => Some((trace, &**generated)),
            TraceSource::File(_) | TraceSource::Url(_) => None,
        })
    }

    /// How many of the demonstrations have this verdict.
    pub fn demonstrations(&self, verdict: Acceptance) -> usize {
        self.property.demonstrations.iter().filter(|demonstration| demonstration.verdict == verdict).count()
    }

    /// The clarifications that wait for an answer.
    pub fn open_clarifications(&self) -> impl Iterator<Item = &Clarification> {
        self.clarifications.iter().filter(|clarification| clarification.state == ClarificationState::Open)
    }
}
