//! `referee completions` and `referee man`: what a package installs beside the program.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::exit::ExitStatus;
use crate::failure::Failure;

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Write the manual pages into a directory
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The directory; it is made if it is missing
    directory: PathBuf,
}

/// Prints a completion script.
pub(crate) fn completions(args: &CompletionsArgs, mut command: Command) -> Result<ExitStatus, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "referee", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(ExitStatus::Fine)
}

/// Writes one page for the program and one per command.
pub(crate) fn man(args: &ManArgs, command: Command) -> Result<ExitStatus, Failure> {
    std::fs::create_dir_all(&args.directory)?;
    clap_mangen::generate_to(command, &args.directory)?;
    Ok(ExitStatus::Fine)
}
