//! `contest.toml` as it is written.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::package::{ClarificationState, Further, Track};

/// The whole document.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Document {
    /// The name of the competition.
    pub name: String,
    /// The people who run it.
    #[serde(default)]
    pub organisers: Vec<String>,
    /// The tracks; without them, those of the packages.
    #[serde(default)]
    pub tracks: Vec<Track>,
    /// The rules: a name or a file.
    #[serde(default = "crv16")]
    pub rules: String,
    /// Where the packages are: directories, or `directory/*`.
    pub packages: Vec<String>,
    /// Where the tools are: the same.
    pub tools: Vec<String>,
    /// When what happens.
    #[serde(default)]
    pub phases: Phases,
    /// What a run may use.
    #[serde(default)]
    pub limits: LimitsTable,
    /// Further traces of packages are run if they have no more events than this; without it, all are.
    pub further_events: Option<u64>,
    /// How often a run is repeated.
    #[serde(default)]
    pub repetitions: Repetitions,
    /// Who takes part.
    #[serde(default)]
    pub teams: Vec<Team>,
    /// Questions about packages.
    #[serde(default)]
    pub clarifications: Vec<Question>,
    /// Votes on packages.
    #[serde(default)]
    pub votes: Vec<Vote>,
    /// Questions about results.
    #[serde(default)]
    pub queries: Vec<Query>,
}

impl Document {
    /// Whether a further trace of a package takes part.
    pub fn wants(&self, further: &Further) -> bool {
        self.further_events.is_none_or(|most| further.trace.events <= most)
    }

    /// The rules by their name, or the file of them: one beside the document before one that is named from elsewhere.
    pub fn rules_near(&self, directory: &Path) -> String {
        let beside = directory.join(&self.rules);
        match beside.is_file() {
            true => beside.display().to_string(),
            false => self.rules.clone(),
        }
    }
}

fn crv16() -> String {
    "crv16".into()
}

/// The days on which the phases begin and end.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Phases {
    pub registration: Option<Period>,
    pub benchmarks: Option<Period>,
    pub clarifications: Option<Period>,
    pub monitors: Option<Period>,
    pub evaluation: Option<Period>,
}

/// From the first to the last day.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Period {
    /// The first day, `2016-05-01`.
    pub starts: String,
    /// The last day.
    pub ends: String,
}

/// What a run may use.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsTable {
    /// Seconds of wall time.
    pub wall: f64,
    /// Seconds of CPU time; by default as many as of wall time, times the cores.
    pub cpu: Option<f64>,
    /// MiB of memory.
    pub memory: u64,
}

impl Default for LimitsTable {
    fn default() -> Self {
        LimitsTable { wall: 300.0, cpu: None, memory: 4096 }
    }
}

/// How often a run is repeated.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Repetitions {
    /// Runs that are not counted, before the others.
    pub warm_up: u32,
    /// At least so many.
    pub least: u32,
    /// At most so many.
    pub most: u32,
    /// Enough, once the half-width of the 95 % confidence interval of the mean time is at most this part of the mean.
    pub interval: f64,
    /// A run is marked and repeated if the machine's CPUs were wanted by others for more than this part of its time.
    pub pressure: f64,
}

impl Default for Repetitions {
    fn default() -> Self {
        Repetitions { warm_up: 1, least: 3, most: 10, interval: 0.05, pressure: 0.1 }
    }
}

/// Who takes part: the fields of the registration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Team {
    /// The name of the tool, which is the team's.
    pub tool: String,
    /// Names and addresses.
    #[serde(default)]
    pub members: Vec<Member>,
    /// The main contact.
    pub contact: Option<String>,
    /// Where they work.
    #[serde(default)]
    pub institutions: Vec<String>,
    /// The tracks they enter.
    pub tracks: Vec<Track>,
    /// The tool's page.
    pub website: Option<String>,
    /// What the tool is written in.
    pub implementation_language: Option<String>,
    /// What its specifications are written in.
    pub specification_language: Option<String>,
    /// In BibTeX.
    #[serde(default)]
    pub references: Vec<String>,
    /// Manuals and the like.
    #[serde(default)]
    pub links: Vec<String>,
    /// The organiser who is in the team, if one is: they have one vote together.
    pub organiser: Option<String>,
}

/// Somebody of a team.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Member {
    pub name: String,
    pub email: String,
}

/// A question about a package.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Question {
    pub package: String,
    pub by: String,
    pub at: String,
    pub text: String,
    pub answer: Option<String>,
    pub state: ClarificationState,
}

/// A vote on a package.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vote {
    /// The package's identifier.
    pub package: String,
    /// Why it is voted on.
    pub reason: String,
    /// Who says what: teams and organisers by name.
    pub ballots: BTreeMap<String, Ballot>,
    /// The organisers' say where the others are even.
    pub casting: Option<Ballot>,
}

/// A vote for or against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ballot {
    /// The package takes part.
    Include,
    /// It does not.
    Exclude,
}

/// A question about a result.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Query {
    pub tool: String,
    pub benchmark: Option<String>,
    pub by: String,
    pub at: String,
    pub text: String,
    pub answer: Option<String>,
    pub state: ClarificationState,
}
