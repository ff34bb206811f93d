//! `referee contest report`: everything on one page.

use std::path::{Path, PathBuf};

use clap::Args;
use referee_contest::report::{self, Against, Page};
use referee_contest::score::{Rules, score};

use super::failure;
use super::source::{self, Source};
use crate::exit::ExitStatus;
use crate::failure::Failure;

/// Write the report of a competition: one HTML file
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// A competition's directory, a journal (.jsonl) or published tables (.json)
    #[arg(default_value = ".")]
    path: PathBuf,
    /// The file to write
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// The rules: crv14, crv16 or a TOML file; without it, those that the competition names
    #[arg(long)]
    rules: Option<String>,
    /// Show the differences from these results
    #[arg(long, value_name = "DIR|FILE")]
    against: Option<PathBuf>,
    /// Write every cell as CSV, too
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the scores as JSON, too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &ReportArgs) -> Result<ExitStatus, Failure> {
    let source = source::read(&args.path)?;
    let rules = Rules::load(args.rules.as_deref().unwrap_or(&source.rules)).map_err(failure)?;
    let other = args.against.as_deref().map(source::read).transpose()?;
    write_report(&args.output, &source, &rules, other.as_ref())?;
    let scores = score(&source.results, &rules);
    if let Some(file) = &args.csv {
        save(file, &report::csv(&scores))?;
    }
    if let Some(file) = &args.json {
        save(file, &format!("{}\n", serde_json::to_string(&scores).map_err(failure)?))?;
    }
    Ok(ExitStatus::Fine)
}

/// Writes the page.
pub fn write_report(file: &Path, source: &Source, rules: &Rules, other: Option<&Source>) -> Result<(), Failure> {
    let scores = score(&source.results, rules);
    let against =
        other.map(|other| Against { title: other.results.title.clone(), scores: score(&other.results, rules) });
    let page = Page {
        results: &source.results,
        scores: &scores,
        rules,
        deviations: &source.deviations,
        queries: &source.queries,
        against: against.as_ref(),
    };
    save(file, &report::html(&page))
}

fn save(file: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text).map_err(|error| failure(format!("{}: cannot be written: {error}", file.display())))
}
