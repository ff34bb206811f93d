//! What the command line of `referee run` says.

use std::path::PathBuf;

use clap::Args;
use referee_monitor::configuration::{Configuration, EmbeddedSpecification, MonitorOptions};
use referee_spec::core::Language;

use crate::check;
use crate::failure::Failure;
use crate::specification::Specification;

/// Judge a program while it runs: one that was built with events, or any other by its system calls
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// A specification, or a folder of them; without one, those that the program was built with
    #[arg(long = "spec", value_name = "SPEC")]
    pub(super) specifications: Vec<PathBuf>,
    /// Language of the specifications; without it, their extensions tell
    #[arg(long, value_name = "LANGUAGE", value_parser = check::languages())]
    pub(super) language: Option<Language>,
    /// The events are the program's system calls: it need not be built for this
    #[arg(long, requires = "specifications")]
    pub(super) syscalls: bool,
    /// Report all violations instead of the first one of each property
    #[arg(long)]
    pub(super) all: bool,
    /// Count the events by kind
    #[arg(long)]
    pub(super) events: bool,
    /// Say why each violation is one
    #[arg(long)]
    pub(super) witness: bool,
    /// Points have times: seconds since the start
    #[arg(long)]
    pub(super) timed: bool,
    /// DejaVu: `forall` and `exists` range over the values seen so far
    #[arg(long)]
    pub(super) seen: bool,
    /// End the program at the first violation
    #[arg(long)]
    pub(super) halt: bool,
    /// Write results to this file instead of standard error, which is the program's as well
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Write the trace to this file, in the format that its extension names
    #[arg(long, value_name = "FILE")]
    pub(super) trace: Option<PathBuf>,
    /// The program and its arguments
    #[arg(required = true, last = true, value_name = "PROGRAM")]
    pub(super) program: Vec<String>,
}

/// What the command line names to be judged.
pub(super) fn own_configuration(args: &RunArgs) -> Result<Option<Configuration>, Failure> {
    if args.specifications.is_empty() {
        return Ok(None);
    }
    let mut configuration = Configuration { version: 1, ..Configuration::default() };
    for path in &args.specifications {
        for specification in Specification::load(path, args.language)? {
            let Specification { source, language } = specification;
            configuration.specifications.push(EmbeddedSpecification {
                file: source.name,
                language: language.name().to_owned(),
                text: source.text.to_string(),
            });
        }
    }
    add_options(&mut configuration.options, args);
    Ok(Some(configuration))
}

/// Adds what the command line asks for to what the program was built with.
pub(super) fn add_options(options: &mut MonitorOptions, args: &RunArgs) {
    for (option, asked) in [
        (&mut options.all, args.all),
        (&mut options.events, args.events),
        (&mut options.witness, args.witness),
        (&mut options.timed, args.timed),
        (&mut options.seen, args.seen),
        (&mut options.halt, args.halt),
    ] {
        *option |= asked;
    }
}
