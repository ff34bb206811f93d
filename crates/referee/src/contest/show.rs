//! `referee contest show`: one package, rendered in the terminal.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use referee_contest::gallery;

use super::corpus;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::markdown;

/// Show a package: description, events, demonstrations, specifications and traces
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// A path, or the name of a package
    name: String,
    /// Where packages are looked for
    #[arg(long, value_name = "DIR", default_value = corpus::DIRECTORY)]
    packages: PathBuf,
    /// The page as Markdown, as the manual has it
    #[arg(long)]
    markdown: bool,
}

/// Runs the command.
pub(super) fn run(args: &ShowArgs) -> Result<ExitStatus, Failure> {
    let package = corpus::find(&args.name, &args.packages)?;
    let page = gallery::page(&package);
    let mut out = anstream::stdout().lock();
    match args.markdown {
        true => write!(out, "{page}")?,
        false => write!(out, "{}", markdown::rendered(&page, markdown::width()))?,
    }
    out.flush()?;
    Ok(ExitStatus::Fine)
}
