//! Referee judges behaviour against rules: the command line.
//!
//! Each command is a module with its arguments and a `run` that returns how the process ends. Results go to standard
//! output, everything else to standard error.

mod cat;
mod contest;
mod convert;
mod exit;
mod failure;
mod input;
mod interrupt;
mod manual;
mod progress;
mod stats;

use clap::{ColorChoice, CommandFactory, Parser, Subcommand};

use exit::ExitStatus;
use failure::Failure;

/// Judges logs and programs against specifications
#[derive(Debug, Parser)]
#[command(name = "referee", version, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// When to use colour; NO_COLOR is respected
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

#[derive(Debug, Subcommand)]
enum Command {
    Stats(stats::StatsArgs),
    Convert(convert::ConvertArgs),
    Cat(cat::CatArgs),
    Contest(contest::ContestArgs),
    Completions(manual::CompletionsArgs),
    #[command(hide = true)]
    Man(manual::ManArgs),
}

fn main() -> ExitStatus {
    let cli = Cli::parse();
    match run(&cli.command) {
        Ok(status) => status,
        Err(failure) if failure.is_closed_pipe() => ExitStatus::Fine,
        Err(failure) => {
            anstream::eprintln!("error: {failure}");
            ExitStatus::Failed
        }
    }
}

fn run(command: &Command) -> Result<ExitStatus, Failure> {
    match command {
        Command::Stats(args) => stats::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Cat(args) => cat::run(args),
        Command::Contest(args) => contest::run(args),
        Command::Completions(args) => manual::completions(args, Cli::command()),
        Command::Man(args) => manual::man(args, Cli::command()),
    }
}
