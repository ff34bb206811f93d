//! `referee init`: from a log that nobody has described to a first verdict.
//!
//! ```text
//!  log ─▶ sample ─▶ drafts: no mapping needed, JSON, tables, pairs, known lines, templates of lines, any text
//!                      │ the first through which the sample can be read
//!                      ▼
//!                   kinds of events ─▶ rules: the first that compiles and judges the sample
//!                      │                  │
//!                   mapping             specification, and the command to run
//! ```
//!
//! Nothing is written that has not been tried on the sample. Cost: that of reading less than a megabyte a few times.

mod document;
mod draft;
mod fields;
mod kinds;
mod lines;
mod native;
mod outcome;
mod records;
mod roles;
mod rules;
mod sample;
mod templates;
mod words;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::exit::ExitStatus;
use crate::failure::Failure;
use outcome::{Names, Outcome};
use sample::LogSample;

/// Look at a log, and write a mapping and a first specification for it
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The log, plain or compressed; `-` is standard input
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// The folder for the files
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
    /// What the files are called before their endings; without it, as the log is up to its first dot
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Overwrite files that are there
    #[arg(long)]
    force: bool,
    /// Print the files instead of writing them
    #[arg(long, conflicts_with_all = ["output", "force"])]
    stdout: bool,
}

/// Runs the command.
pub(crate) fn run(args: &InitArgs) -> Result<ExitStatus, Failure> {
    let sample = LogSample::take(&args.log)?;
    let drafts = native::drafts(&sample)
        .chain(std::iter::once_with(|| records::json(&sample)).flatten())
        .chain(std::iter::once_with(|| lines::known(&sample)).flatten())
        .chain(std::iter::once_with(|| records::logfmt(&sample)).flatten())
        .chain(std::iter::once_with(|| records::table(&sample)).flatten())
        .chain(std::iter::once_with(|| lines::unknown(&sample)).flatten());
    let names = Names::new(&args.log, &args.output, args.name.as_deref());
    let found = drafts.into_iter().find_map(|draft| draft.read(&sample).map(|read| (draft, read)));
    let Some((draft, read)) = found else {
        return Err(Failure::Other(format!("{}: no event could be found in it", sample.name)));
    };
    let outcome = Outcome::new(&sample, &draft, read, &names);
    let mut out = std::io::stdout().lock();
    if args.stdout {
        out.write_all(outcome.both_files().as_bytes())?;
        return Ok(ExitStatus::Fine);
    }
    write_files(&outcome, args.force)?;
    out.write_all(outcome.report().as_bytes())?;
    Ok(ExitStatus::Fine)
}

/// Writes all files, or none if one of them is there already.
fn write_files(outcome: &Outcome, force: bool) -> Result<(), Failure> {
    let there: Vec<String> =
        outcome.files().filter(|(path, _)| path.exists()).map(|(path, _)| path.display().to_string()).collect();
    if !there.is_empty() && !force {
        let verb = if there.len() == 1 { "exists" } else { "exist" };
        return Err(Failure::Other(format!(
            "{} {verb} already, and nothing was written\n  hint: --force overwrites, --name and --output write elsewhere, --stdout only shows",
            there.join(" and ")
        )));
    }
    for (path, text) in outcome.files() {
        let unwritable = |error| Failure::Other(format!("{}: cannot be written: {error}", path.display()));
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty() && *folder != Path::new("."))
        {
            std::fs::create_dir_all(folder).map_err(unwritable)?;
        }
        std::fs::write(path, text).map_err(unwritable)?;
    }
    Ok(())
}
