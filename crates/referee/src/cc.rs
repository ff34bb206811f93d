//! `referee cc`: a C compiler that makes programs tell their events, and judge them.
//!
//! The command reads specifications and the mapping, so that what is wrong with them is told before anything is compiled, and
//! leaves the rest to the driver.

use std::path::PathBuf;

use clap::Args;
use referee_cc::{Driver, DriverError, EVENT_HEADER, EmbeddedOption, EmbeddedSpecification, Mapping};
use referee_spec::core::Language;
use referee_spec::language::Options;

use crate::check;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::specification::Specification;
use crate::streams::{Results, tell};

/// Compile C programs that are judged while they run
#[derive(Debug, Args)]
#[command(after_help = "CC=\"referee cc --spec s.qtl --map m.toml --\" make")]
pub(crate) struct CcArgs {
    /// A specification, or a folder of them, which the program judges itself by
    #[arg(long = "spec", value_name = "SPEC")]
    specifications: Vec<PathBuf>,
    /// The mapping, which says what in the program is an event
    #[arg(long, value_name = "MAP")]
    map: Option<String>,
    /// Language of the specifications; without it, their extensions tell
    #[arg(long, value_name = "LANGUAGE", value_parser = check::languages())]
    language: Option<Language>,
    /// The folder of libreferee_runtime.a; without it, that beside this program
    #[arg(long, value_name = "DIR")]
    runtime: Option<PathBuf>,
    /// A file of the program that can have no events is an error
    #[arg(long)]
    strict: bool,
    /// Print the header of REFEREE_EVENT and do nothing else
    #[arg(long, exclusive = true)]
    event_header: bool,
    #[command(flatten)]
    program: ProgramOptions,
    /// The compiler and its arguments
    #[arg(last = true, value_name = "COMPILER", required_unless_present = "event_header")]
    command: Vec<String>,
}

/// How programs judge themselves; most as in `check`.
#[derive(Debug, Args)]
#[command(next_help_heading = "What the program does")]
struct ProgramOptions {
    /// Tell all violations instead of the first of each property
    #[arg(long)]
    all: bool,
    /// Count events
    #[arg(long)]
    events: bool,
    /// Say why violations are some
    #[arg(long)]
    witness: bool,
    /// Give points the time since the start
    #[arg(long)]
    timed: bool,
    /// DejaVu: quantifiers range over values seen so far
    #[arg(long)]
    seen: bool,
    /// SOLOIST: modalities are false until a whole window has passed
    #[arg(long)]
    full_window: bool,
    /// SOLOIST: a distance without a pair is true
    #[arg(long)]
    vacuous: bool,
    /// FO-LTL: binary operators may be mixed without parentheses
    #[arg(long)]
    lenient: bool,
    /// Record the events in a file
    #[arg(long, value_name = "FILE")]
    trace: Option<String>,
    /// Write findings and verdict to a file instead of standard error
    #[arg(long, value_name = "FILE")]
    report: Option<String>,
    /// Exit with 1 if a property is violated
    #[arg(long)]
    fail: bool,
    /// End the program at the first violation
    #[arg(long)]
    halt: bool,
    /// Say how events are delivered
    #[arg(long)]
    explain: bool,
}

impl ProgramOptions {
    fn embedded(&self) -> Vec<EmbeddedOption> {
        let flags = [
            ("all", self.all),
            ("events", self.events),
            ("witness", self.witness),
            ("timed", self.timed),
            ("seen", self.seen),
            ("full_window", self.full_window),
            ("vacuous", self.vacuous),
            ("lenient", self.lenient),
            ("fail", self.fail),
            ("halt", self.halt),
            ("explain", self.explain),
        ];
        let texts = [("trace", &self.trace), ("report", &self.report)];
        let flags = flags.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| EmbeddedOption::Flag(name));
        let texts = texts.into_iter().filter_map(|(name, text)| Some(EmbeddedOption::Text(name, text.clone()?)));
        flags.chain(texts).collect()
    }
}

/// Runs the command.
pub(crate) fn run(args: &CcArgs) -> Result<ExitStatus, Failure> {
    if args.event_header {
        use std::io::Write;
        let mut out = Results::stdout();
        out.write_all(EVENT_HEADER.as_bytes())?;
        out.flush()?;
        return Ok(ExitStatus::Fine);
    }
    let driver = Driver {
        mapping: args.map.as_deref().map(Mapping::load).transpose()?.unwrap_or_default(),
        specifications: specifications(args)?,
        options: args.program.embedded(),
        runtime: args.runtime.clone(),
        strict: args.strict,
        tell: |line| tell!("{line}"),
    };
    match driver.run(&args.command) {
        Ok(0) => Ok(ExitStatus::Fine),
        // The compiler's own code is what make and configure look at.
        Ok(code) => std::process::exit(code),
        Err(DriverError::Mapping(errors)) => {
            let (last, others) = errors.split_last().ok_or_else(|| Failure::Other(String::new()))?;
            others.iter().for_each(|error| tell!("error: {error}"));
            Err(last.clone().into())
        }
        Err(error) => Err(Failure::Other(error.to_string())),
    }
}

/// All specifications, each compiled once, so that its errors show here and not in the program.
fn specifications(args: &CcArgs) -> Result<Vec<EmbeddedSpecification>, Failure> {
    let ProgramOptions { lenient, seen, full_window, vacuous, .. } = args.program;
    let options = Options { lenient, seen, full_window, vacuous, ..Options::default() };
    let mut all = Vec::new();
    for path in &args.specifications {
        for specification in Specification::load(path, args.language)? {
            specification.compile(&options)?;
            all.push(EmbeddedSpecification {
                file: specification.source.name.clone(),
                language: specification.language.name().to_owned(),
                text: specification.source.text.to_string(),
            });
        }
    }
    Ok(all)
}
