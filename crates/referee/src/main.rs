//! Referee judges behaviour against rules: the command line.
//!
//! Each command is a module with its arguments and a `run` that returns how the process ends. Results go to standard
//! output, everything else to standard error.

mod cat;
mod cc;
mod check;
mod color;
mod contest;
mod convert;
mod exit;
mod explain;
mod failure;
mod fmt;
mod init;
mod input;
mod interrupt;
mod manual;
mod markdown;
mod output;
#[cfg(target_os = "linux")]
mod pages;
mod panics;
mod progress;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod run;
mod specification;
mod state;
mod stats;
mod streams;
mod test;
mod view;

use std::ffi::OsString;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use exit::ExitStatus;
use failure::Failure;
use streams::tell;

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: pages::LargePages = pages::LargePages;

/// Judges logs and programs against specifications
#[derive(Debug, Parser)]
#[command(name = "referee", version, propagate_version = true, arg_required_else_help = true)]
struct Cli<C: Subcommand> {
    #[command(subcommand)]
    command: C,
    /// When to use colour; NO_COLOR is respected
    // Its place in the help would else depend on how many commands the parser is told of.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 10)]
    color: ColorChoice,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(Box<check::CheckArgs>),
    Explain(explain::ExplainArgs),
    Fmt(fmt::FmtArgs),
    Stats(stats::StatsArgs),
    Convert(convert::ConvertArgs),
    Cat(cat::CatArgs),
    Cc(Box<cc::CcArgs>),
    Init(init::InitArgs),
    State(state::StateArgs),
    Test(test::TestArgs),
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    Run(Box<run::RunArgs>),
    Contest(contest::ContestArgs),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

/// `check` without the other commands. Describing all of them to the parser takes a sixth of the time of a small check.
#[derive(Debug, Subcommand)]
enum CheckCommand {
    Check(Box<check::CheckArgs>),
}

fn main() -> ExitStatus {
    panics::install();
    let choice = color::choice(std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()));
    color::apply(choice);
    let result = if std::env::args_os().nth(1).is_some_and(|first| first == "check") {
        let CheckCommand::Check(args) = parse(choice);
        check::run(&args)
    } else {
        run(&parse(choice))
    };
    match result {
        Ok(status) => status,
        Err(failure) if failure.is_closed_pipe() => ExitStatus::Fine,
        Err(failure) => {
            let error = color::ERROR;
            tell!("{error}error:{error:#} {failure}");
            ExitStatus::Failed
        }
    }
}

/// Parses the arguments of the process as one of the given commands, or ends the process with help or a complaint.
fn parse<C: Subcommand>(choice: ColorChoice) -> C {
    let arguments = std::env::args_os().map(long_option);
    let matches = Cli::<C>::command().color(choice).get_matches_from(arguments);
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()).command
}

/// The competition writes `-events`, `-witness` and `-trace` with one dash.
fn long_option(argument: OsString) -> OsString {
    match argument.to_str() {
        Some("-events") => "--events".into(),
        Some("-witness") => "--witness".into(),
        Some("-trace") => "--trace".into(),
        _ => argument,
    }
}

fn run(command: &Command) -> Result<ExitStatus, Failure> {
    match command {
        Command::Check(args) => check::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Cat(args) => cat::run(args),
        Command::Cc(args) => cc::run(args),
        Command::Init(args) => init::run(args),
        Command::State(args) => state::run(args),
        Command::Test(args) => test::run(args),
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        Command::Run(args) => run::run(args),
        Command::Contest(args) => contest::run(args),
        Command::Completions(args) => manual::completions(args, Cli::<Command>::command()),
        Command::Man(args) => manual::man(args, Cli::<Command>::command()),
    }
}
