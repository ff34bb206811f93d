//! `referee contest demo`: the competition of 2014, scored again.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use referee_contest::score::{PRINTED_2014, Rules, score as score_results};

use super::complaint::failure;
use super::{report, score, source};
use crate::exit::ExitStatus;
use crate::failure::Failure;

/// Score a past competition again from its published tables
#[derive(Debug, Args)]
pub(super) struct DemoArgs {
    /// Which one
    #[arg(value_enum)]
    competition: Competition,
    /// Write the report of it, too
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Competition {
    /// The first international competition on runtime verification, 2014
    Crv14,
}

/// Runs the command.
pub(super) fn run(args: &DemoArgs) -> Result<ExitStatus, Failure> {
    let Competition::Crv14 = args.competition;
    let source = source::published(PRINTED_2014)?;
    let rules = Rules::load("crv14").map_err(failure)?;
    let scores = score_results(&source.results, &rules);
    let mut out = std::io::stdout().lock();
    score::write(&mut out, &scores, &source, false)?;
    writeln!(out, "\nWhat else a reader of the tables must know:")?;
    for remark in &source.results.remarks {
        writeln!(out, "{}: {}", remark.about, remark.text)?;
    }
    out.flush()?;
    if let Some(file) = &args.output {
        report::write_report(file, &source, &rules, None)?;
    }
    Ok(ExitStatus::Fine)
}
