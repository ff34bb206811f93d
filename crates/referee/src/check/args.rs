//! What the command line of `referee check` says.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use referee_engine::fo::Passes;
use referee_spec::core::Language;

use crate::input::{ReadArgs, bytes};

/// Judge a trace: does it obey the specification?
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The specification: a file, or a folder of them
    #[arg(value_name = "SPEC")]
    pub(super) specification: PathBuf,
    /// Trace files, read as one trace; `-` is standard input
    #[arg(value_name = "TRACE", required_unless_present = "inline", conflicts_with = "inline")]
    pub(super) traces: Vec<PathBuf>,
    /// A trace in abstract form instead of files, such as 'open(1).close(1)'
    #[arg(long, value_name = "TEXT")]
    pub(super) inline: Option<String>,
    /// Further specifications, judged in the same pass
    #[arg(long = "spec", value_name = "SPEC")]
    pub(super) more_specifications: Vec<PathBuf>,
    /// Language of the specifications; without it, their extensions tell
    #[arg(long, value_name = "LANGUAGE", value_parser = languages())]
    pub(super) language: Option<Language>,
    #[command(flatten)]
    pub(super) read: ReadArgs,
    /// Events with the names and types of their arguments
    #[arg(long, value_name = "FILE")]
    pub(super) signature: Option<PathBuf>,
    /// Judge only the properties of this name; may be repeated
    #[arg(long = "property", value_name = "NAME")]
    pub(super) properties: Vec<String>,
    /// Report all violations instead of the first one of each property
    #[arg(long, conflicts_with = "first")]
    pub(super) all: bool,
    /// Report the first violation of each property and stop (the default)
    #[arg(long)]
    pub(super) first: bool,
    /// Go on from the state in this file if it is there, and keep the new one in it: the log of each night is judged from where the
    /// last one ended. Implies --prefix
    #[arg(long, value_name = "STATE")]
    pub(super) resume: Option<PathBuf>,
    /// With --resume: also keep the state every so many seconds while a file is read
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "resume")]
    pub(super) checkpoint: Option<Duration>,
    /// The trace may go on: what is undecided at its end is pending, not violated
    #[arg(long)]
    pub(super) prefix: bool,
    /// DejaVu: `forall` and `exists` range over the values seen so far
    #[arg(long)]
    pub(super) seen: bool,
    /// DejaVu: the last column is the time
    #[arg(long)]
    pub(super) timed: bool,
    /// SOLOIST: modalities are false until a whole window has passed
    #[arg(long)]
    pub(super) full_window: bool,
    /// SOLOIST: a distance without any pair is true
    #[arg(long)]
    pub(super) vacuous: bool,
    /// Make one point of neighbours with equal timestamps
    #[arg(long)]
    pub(super) merge: bool,
    /// Signals: print the exact robustness, too
    #[arg(long)]
    pub(super) robustness: bool,
    /// FO-LTL: order binary operators instead of asking for parentheses
    #[arg(long)]
    pub(super) lenient: bool,
    /// Judge with the naive evaluator instead of the engine
    #[arg(long)]
    pub(super) oracle: bool,
    /// Passes of the compiler to leave out, such as `stamps,indexes`; `all`, or `compile` for no compiler at all
    #[arg(long, value_name = "PASSES", hide = true, value_delimiter = ',', value_parser = pass_names())]
    pub(super) without: Vec<String>,
    /// MFOTL: print the satisfying assignments of the formula as written, in MonPoly's form
    #[arg(long, conflicts_with_all = ["json", "all", "first"])]
    pub(super) satisfactions: bool,
    /// Give up after this many seconds, whatever is being done: waiting, compiling or judging
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<Duration>,
    /// Give up when more memory is in use (K, M and G are understood)
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(super) memory: Option<usize>,
    /// Exit with 2 if there are warnings
    #[arg(long)]
    pub(super) deny_warnings: bool,
    /// Refuse a trace without events
    #[arg(long)]
    pub(super) expect_events: bool,
    /// Cores for reading and judging: 1 or 2; without it, 2 for files of 8 MB and more
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(super) threads: Option<u8>,
    /// Count the events by kind (also -events)
    #[arg(long)]
    pub(super) events: bool,
    /// Say why each violation is one (also -witness)
    #[arg(long)]
    pub(super) witness: bool,
    /// Print the abstract events as they are judged (also -trace)
    #[arg(long)]
    pub(super) trace: bool,
    /// Print one JSON document
    #[arg(long)]
    pub(super) json: bool,
    /// Print one JSON object per violation as soon as it is decided, and the outcome as the last one
    #[arg(long, conflicts_with_all = ["json", "satisfactions"])]
    pub(super) json_lines: bool,
}

/// Takes the names of languages.
pub(crate) fn languages() -> impl TypedValueParser<Value = Language> {
    PossibleValuesParser::new(Language::ALL.iter().map(|language| language.name()))
        .try_map(|name| Language::from_name(&name).ok_or("no such language"))
}

/// Takes the names of the compiler's passes.
fn pass_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Passes::NAMES.iter().copied().chain(["all", "compile"]))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("`{text}` is no number of seconds"))
}
