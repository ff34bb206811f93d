//! `referee contest new`: a package with blanks.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use referee_contest::skeleton;

use super::complaint::failure;
use super::corpus;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::streams::tell;

/// Make a new package: a document with blanks, which validates once they are filled
#[derive(Debug, Args)]
pub(super) struct NewArgs {
    /// Its name, such as 'Very interesting property'
    name: String,
    /// Where to put its directory
    #[arg(long, value_name = "DIR", default_value = corpus::DIRECTORY)]
    packages: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &NewArgs) -> Result<ExitStatus, Failure> {
    let directory = skeleton::create(&args.name, &args.packages).map_err(failure)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", directory.join("benchmark.toml").display())?;
    out.flush()?;
    let directory = directory.display();
    tell!("Fill the blanks, write the trace, then: referee contest validate {directory}");
    Ok(ExitStatus::Fine)
}
