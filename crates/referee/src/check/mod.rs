//! `referee check`: judges a trace against specifications.
//!
//! ```text
//!   specifications ─▶ rules ─▶ Bench: where each stands ◀─ findings ─ Pass: one batch of points after the other
//!                                │                                      ▲ to all judges
//!                                ▼                                      │
//!                              Reporter: lines as they are decided,     └ Batcher ◀─ reader ◀─ traces
//!                              or JSON
//! ```

mod bench;
mod contexts;
mod kept;
mod options;
mod oracle;
mod pass;
mod record;
mod report;
mod rows;
mod satisfactions;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use referee_engine::fo::Passes;
use referee_spec::core::{Language, Rule, Status};
use referee_spec::language::Options;
use referee_spec::lint;
use referee_trace::abstraction::TimeField;

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::input::ReadArgs;
use crate::specification::Specification;

use bench::Bench;
use options::signature;
use report::{Reporter, Style};

/// The lint that `check` leaves to `explain`: what grows is no mistake, and true of many good properties.
const GROWING_TABLE: &str = "L0005";

/// Judge a trace: does it obey the specification?
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The specification: a file, or a folder of them
    #[arg(value_name = "SPEC")]
    specification: PathBuf,
    /// Trace files, read as one trace; `-` is standard input
    #[arg(value_name = "TRACE", required_unless_present = "inline", conflicts_with = "inline")]
    traces: Vec<PathBuf>,
    /// A trace in abstract form instead of files, such as 'open(1).close(1)'
    #[arg(long, value_name = "TEXT")]
    inline: Option<String>,
    /// Further specifications, judged in the same pass
    #[arg(long = "spec", value_name = "SPEC")]
    more_specifications: Vec<PathBuf>,
    /// Language of the specifications; without it, their extensions tell
    #[arg(long, value_name = "LANGUAGE", value_parser = languages())]
    language: Option<Language>,
    #[command(flatten)]
    read: ReadArgs,
    /// Events with the names and types of their arguments
    #[arg(long, value_name = "FILE")]
    signature: Option<PathBuf>,
    /// Judge only the properties of this name; may be repeated
    #[arg(long = "property", value_name = "NAME")]
    properties: Vec<String>,
    /// Report all violations instead of the first one of each property
    #[arg(long, conflicts_with = "first")]
    all: bool,
    /// Report the first violation of each property and stop (the default)
    #[arg(long)]
    first: bool,
    /// The trace may go on: what is undecided at its end is pending, not violated
    #[arg(long)]
    prefix: bool,
    /// DejaVu: `forall` and `exists` range over the values seen so far
    #[arg(long)]
    seen: bool,
    /// DejaVu: the last column is the time
    #[arg(long)]
    timed: bool,
    /// SOLOIST: modalities are false until a whole window has passed
    #[arg(long)]
    full_window: bool,
    /// SOLOIST: a distance without any pair is true
    #[arg(long)]
    vacuous: bool,
    /// Make one point of neighbours with equal timestamps
    #[arg(long)]
    merge: bool,
    /// Signals: print the exact robustness, too
    #[arg(long)]
    robustness: bool,
    /// FO-LTL: order binary operators instead of asking for parentheses
    #[arg(long)]
    lenient: bool,
    /// Judge with the naive evaluator instead of the engine
    #[arg(long)]
    oracle: bool,
    /// Passes of the compiler to leave out, such as `stamps,indexes`; `all`, or `compile` for no compiler at all
    #[arg(long, value_name = "PASSES", hide = true, value_delimiter = ',', value_parser = pass_names())]
    without: Vec<String>,
    /// MFOTL: print the satisfying assignments of the formula as written, in MonPoly's form
    #[arg(long, conflicts_with_all = ["json", "all", "first"])]
    satisfactions: bool,
    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Cores for reading and judging: 1 or 2; without it, 2 for files of 8 MB and more
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=2))]
    threads: Option<u8>,
    /// Count the events by kind (also -events)
    #[arg(long)]
    events: bool,
    /// Say why each violation is one (also -witness)
    #[arg(long)]
    witness: bool,
    /// Print the abstract events as they are judged (also -trace)
    #[arg(long)]
    trace: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Takes the names of languages.
pub fn languages() -> impl TypedValueParser<Value = Language> {
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

/// Runs the command. What cannot be read or judged is GaveUp.
pub fn run(args: &CheckArgs) -> Result<ExitStatus, Failure> {
    let style = Style { json: args.json, events: args.events, traces: false };
    match judge(args, style) {
        Ok(status) => Ok(match status {
            Status::Satisfied => ExitStatus::Fine,
            Status::Violated => ExitStatus::Violated,
            Status::TimeOut | Status::GaveUp => ExitStatus::Failed,
        }),
        Err(failure) if failure.is_closed_pipe() => Err(failure),
        Err(failure) => {
            report::gave_up(&failure, style)?;
            Err(failure)
        }
    }
}

fn judge(args: &CheckArgs, style: Style) -> Result<Status, Failure> {
    let specifications = load(args)?;
    if args.satisfactions {
        return satisfactions::print(args, &specifications);
    }
    let rules = compile(args, &specifications)?;
    rows::check_files(rules.iter().map(|(_, rule)| &**rule))?;
    let traces = args.read.options(TimeField::Named)?.meaning.mapping.splits();
    let style = Style { traces, ..style };
    let mut reporter = Reporter::new(style, rules.len());
    let mut bench = Bench::new(rules, &mut reporter, args);
    bench.judge(args)?;
    for (specification, strangers) in bench.strangers() {
        specifications[specification].report(&strangers)?;
    }
    bench.conclude()
}

fn load(args: &CheckArgs) -> Result<Vec<Specification>, Failure> {
    let mut all = Vec::new();
    for path in std::iter::once(&args.specification).chain(&args.more_specifications) {
        all.extend(Specification::load(path, args.language)?);
    }
    Ok(all)
}

/// All rules that are asked for, with the number of the specification each comes from.
fn compile(args: &CheckArgs, specifications: &[Specification]) -> Result<Vec<(usize, Arc<Rule>)>, Failure> {
    let signature = signature(args)?;
    let options = Options {
        signature: signature.as_ref().map(crate::specification::vocabulary),
        lenient: args.lenient,
        seen: args.seen,
        full_window: args.full_window,
        vacuous: args.vacuous,
        unit: args.read.options(TimeField::Named)?.meaning.mapping.unit(),
        robustness: args.robustness,
    };
    let mut rules = Vec::new();
    for (index, specification) in specifications.iter().enumerate() {
        for rule in specification.compile(&options)? {
            if args.properties.is_empty() || args.properties.iter().any(|name| **name == **rule.name()) {
                let mut lints = lint::lint(&rule, None);
                lints.retain(|found| found.code != GROWING_TABLE);
                specification.report(&lints)?;
                rules.push((index, Arc::new(rule)));
            }
        }
    }
    match args.properties.iter().find(|name| !rules.iter().any(|(_, rule)| **rule.name() == ***name)) {
        Some(missing) => Err(Failure::Other(format!("no property is called `{missing}`"))),
        None => Ok(rules),
    }
}
