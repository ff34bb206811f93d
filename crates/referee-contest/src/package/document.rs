//! `benchmark.toml` as it is written: one type per table, nothing unknown, nothing of the wrong type.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

/// The whole document.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Benchmark {
    pub format: u32,
    pub name: String,
    pub track: Track,
    pub team: Option<String>,
    pub description: String,
    pub domains: Vec<String>,
    pub licence: Option<String>,
    pub origin: Option<String>,
    pub property: Property,
    pub trace: Option<TraceTable>,
    pub program: Option<Program>,
    pub verdict: Verdict,
    #[serde(default)]
    pub further: Vec<FurtherTable>,
    #[serde(default)]
    pub clarifications: Vec<Clarification>,
}

/// A part of the competition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Track {
    /// Traces in files.
    Offline,
    /// Java programs.
    Java,
    /// C programs with specifications.
    CGeneric,
    /// C programs and what every C program must obey.
    CImplicit,
}

impl Track {
    /// Every track.
    pub const ALL: [Track; 4] = [Track::Offline, Track::Java, Track::CGeneric, Track::CImplicit];

    /// The name that documents use.
    pub fn name(self) -> &'static str {
        match self {
            Track::Offline => "offline",
            Track::Java => "java",
            Track::CGeneric => "c-generic",
            Track::CImplicit => "c-implicit",
        }
    }

    /// Whether a program runs while it is judged.
    pub fn is_online(self) -> bool {
        self != Track::Offline
    }
}

/// What is required of the trace or the program.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Property {
    /// In words.
    pub informal: Informal,
    /// The events it speaks of.
    pub events: Vec<EventKind>,
    /// Short traces with their verdicts and reasons.
    #[serde(default)]
    pub demonstrations: Vec<Demonstration>,
    /// In formal languages; the first is its authors'.
    #[serde(default)]
    pub formal: Vec<Formal>,
    /// In first-order temporal logic, in the notation of the competition of 2016.
    pub foltl: Option<String>,
    /// The file of the package that holds the assumptions as a specification: where it is broken, the formal specifications
    /// need not agree.
    pub assumed: Option<String>,
    /// What every C program must obey: the C-implicit track only.
    pub implicit: Option<Implicit>,
    /// Pieces of code, good and bad: the C-implicit track only.
    #[serde(default)]
    pub snippets: Vec<Snippet>,
}

/// A property in words.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Informal {
    /// Where it comes from and what it is about.
    pub context: String,
    /// What must come before, after or never.
    pub ordering: String,
    /// What is taken for granted.
    pub assumptions: Vec<String>,
}

/// A kind of event.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventKind {
    /// Its name.
    pub name: String,
    /// Its arguments, in order.
    #[serde(default)]
    pub fields: Vec<Field>,
    /// What has happened when it occurs.
    pub meaning: Option<String>,
}

/// An argument of an event.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What its values are, such as `iterator`.
    pub sort: Option<String>,
    /// How its values are written.
    #[serde(rename = "type")]
    pub writing: Option<FieldType>,
}

/// How the values of a field are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FieldType {
    /// Whole numbers.
    Int,
    /// Numbers with a fraction.
    Decimal,
    /// `true` and `false`.
    Bool,
    /// Any text.
    String,
    /// A point in time.
    Time,
}

impl FieldType {
    /// The name that documents use.
    pub fn name(self) -> &'static str {
        match self {
            FieldType::Int => "int",
            FieldType::Decimal => "decimal",
            FieldType::Bool => "bool",
            FieldType::String => "string",
            FieldType::Time => "time",
        }
    }
}

/// A short trace with its verdict.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demonstration {
    /// In abstract form, `a(1).b(2)`; the empty string is the empty trace.
    pub trace: Option<String>,
    /// Or a file of the package, in any format.
    pub file: Option<String>,
    /// Whether the property holds.
    pub verdict: Acceptance,
    /// Why, in terms of the informal property.
    pub why: String,
}

/// The verdict on a demonstration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Acceptance {
    /// The property holds.
    Accepted,
    /// It does not.
    Rejected,
}

/// A formal specification.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Formal {
    /// Its language: one of [`super::LANGUAGES`].
    pub language: String,
    /// Where the language is documented; needed for `other`.
    pub reference: Option<String>,
    /// The file of the package that holds it.
    pub file: String,
    /// How it says what the informal property says.
    pub explanation: String,
}

/// What every C program must obey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Implicit {
    MemorySafety,
    Bounds,
    Overflow,
    Uninitialised,
    UseAfterFree,
    Leak,
    Type,
}

/// A piece of code that shows what is good or bad.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snippet {
    /// The file of the package that holds it.
    pub file: String,
    /// Whether it obeys.
    pub good: bool,
}

/// `[trace]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TraceTable {
    pub file: Option<String>,
    pub url: Option<String>,
    pub sha256: Option<String>,
    pub generator: Option<GeneratorTable>,
    pub format: String,
    pub events: u64,
    pub counts: BTreeMap<String, u64>,
    pub mapping: Option<String>,
}

/// `[[further]]`: another trace of the same property.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FurtherTable {
    pub name: String,
    pub trace: TraceTable,
    pub verdict: Verdict,
}

/// `[trace.generator]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GeneratorTable {
    pub name: String,
    pub seed: u64,
    #[serde(default)]
    pub options: GeneratorOptions,
}

/// `[trace.generator.options]`: those of `referee contest generate`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct GeneratorOptions {
    pub at: Option<String>,
    pub values: Option<ValuesName>,
    #[serde(default)]
    pub timed: bool,
    pub per_point: Option<NonZeroU64>,
    pub live: Option<NonZeroU64>,
    pub violations: Option<String>,
    pub verdict: Option<VerdictName>,
}

/// Whether the generator's own property holds, which need not be the package's.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum VerdictName {
    Satisfied,
    Violated,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ValuesName {
    Integers,
    Strings,
}

/// A program that is judged while it runs.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// The directory of its sources, without instrumentation.
    pub sources: String,
    /// The command that compiles it, in a copy of the sources.
    pub compile: String,
    /// The command that runs it, in the same place.
    pub run: String,
    /// How events come out of it.
    pub instrumentation: Option<Instrumentation>,
    /// How many events of each kind a run makes.
    #[serde(default)]
    pub counts: BTreeMap<String, u64>,
    /// A log of the events of a run.
    pub log: Option<String>,
    /// How often it is run to see whether it is deterministic.
    #[serde(default = "three")]
    pub deterministic_runs: u32,
    /// C-implicit: file and line of the comment that marks the failure.
    pub expected_failure: Option<String>,
    /// The time of a run without monitor, in seconds, as its author measured it; the competition measures its own.
    pub reference_time_s: Option<f64>,
}

fn three() -> u32 {
    3
}

/// How events come out of a program.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instrumentation {
    /// By which means.
    pub kind: InstrumentationKind,
    /// The file of the package that holds it.
    pub file: Option<String>,
    /// How it relates to the events of the property.
    pub explanation: Option<String>,
}

/// A means of instrumentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum InstrumentationKind {
    Aspectj,
    Script,
    ManualDiff,
    LdPreload,
    CompilerPass,
}

/// The verdict on the trace or the program.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// Whether the property holds.
    pub status: Expected,
    /// The event that violates it, from 1.
    pub violating_event: Option<NonZeroU64>,
    /// The values that relate to the violation.
    #[serde(default)]
    pub witness: BTreeMap<String, Scalar>,
    /// The earliest event at which the verdict is forced, from 1.
    pub decided_at: Option<NonZeroU64>,
}

/// The right answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub enum Expected {
    /// The property holds.
    Satisfied,
    /// It does not.
    Violated,
}

impl Expected {
    /// The word of a `STATUS:` line.
    pub fn name(self) -> &'static str {
        match self {
            Expected::Satisfied => "Satisfied",
            Expected::Violated => "Violated",
        }
    }
}

/// A simple value.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged, expecting = "expected a text, a number, or true or false")]
#[allow(missing_docs)]
pub enum Scalar {
    Bool(bool),
    Integer(i64),
    Decimal(f64),
    Text(String),
}

/// A question about a package and what became of it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clarification {
    /// The team or organiser who asked.
    pub by: String,
    /// The day, `2016-06-07`.
    pub at: String,
    /// The question.
    pub text: String,
    /// The answer.
    pub answer: Option<String>,
    /// Whether it is settled.
    pub state: ClarificationState,
}

/// Whether a clarification is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClarificationState {
    /// It waits for an answer.
    Open,
    /// It was answered.
    Answered,
    /// It was taken back.
    Withdrawn,
}
