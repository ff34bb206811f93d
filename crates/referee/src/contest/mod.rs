//! `referee contest`: the competition, one module per command.

mod complaint;
mod corpus;
mod demo;
mod generate;
mod list;
mod machine;
mod new;
mod report;
mod run;
mod score;
mod show;
mod source;
mod status;
mod table;
mod today;
mod tool;
mod validate;
mod validity;

use clap::{Args, Subcommand};

use crate::exit::ExitStatus;
use crate::failure::Failure;

/// The competition: traces, benchmarks, tools, runs, scores and reports
#[derive(Debug, Args)]
pub(crate) struct ContestArgs {
    #[command(subcommand)]
    command: ContestCommand,
}

#[derive(Debug, Subcommand)]
enum ContestCommand {
    List(list::ListArgs),
    Show(show::ShowArgs),
    New(new::NewArgs),
    Generate(Box<generate::GenerateArgs>),
    Validate(validate::ValidateArgs),
    Tool(tool::ToolArgs),
    Status(status::StatusArgs),
    Run(run::RunArgs),
    Score(score::ScoreArgs),
    Report(report::ReportArgs),
    Demo(demo::DemoArgs),
}

/// Runs the command.
pub(crate) fn run(args: &ContestArgs) -> Result<ExitStatus, Failure> {
    match &args.command {
        ContestCommand::List(args) => list::run(args),
        ContestCommand::Show(args) => show::run(args),
        ContestCommand::New(args) => new::run(args),
        ContestCommand::Generate(args) => generate::run(args),
        ContestCommand::Validate(args) => validate::run(args),
        ContestCommand::Tool(args) => tool::run(args),
        ContestCommand::Status(args) => status::run(args),
        ContestCommand::Run(args) => run::run(args),
        ContestCommand::Score(args) => score::run(args),
        ContestCommand::Report(args) => report::run(args),
        ContestCommand::Demo(args) => demo::run(args),
    }
}
