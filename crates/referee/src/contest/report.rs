//! `referee contest report`: everything on one page.

use std::path::{Path, PathBuf};

use clap::Args;
use referee_contest::report::{self, Against, Page};
use referee_contest::score::{Results, Rules, score};

use super::complaint::failure;
use super::source::{self, Source};
use crate::exit::ExitStatus;
use crate::failure::Failure;

/// Write the report of a competition: one HTML file
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
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
pub(super) fn run(args: &ReportArgs) -> Result<ExitStatus, Failure> {
    let mut source = source::read(&args.path)?;
    if args.path.is_dir()
        && let Some(way) = way(&args.output, &args.path)
    {
        lead(&mut source.results, &way);
    }
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
pub(super) fn write_report(file: &Path, source: &Source, rules: &Rules, other: Option<&Source>) -> Result<(), Failure> {
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

/// What stands before the files of a competition where the page links to them; nothing if the page is written beside them.
fn way(page: &Path, competition: &Path) -> Option<PathBuf> {
    let folder = page.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (folder, competition) = (folder.canonicalize().ok()?, competition.canonicalize().ok()?);
    let inside = competition.strip_prefix(&folder).map(Path::to_owned);
    Some(inside.unwrap_or(competition)).filter(|way| !way.as_os_str().is_empty())
}

/// Lets links to outputs, errors and the journal go this way.
fn lead(results: &mut Results, way: &Path) {
    let led = |file: &mut String| *file = way.join(&*file).display().to_string();
    for benchmark in results.tracks.iter_mut().flat_map(|track| &mut track.benchmarks) {
        let runs = benchmark.cells.iter_mut().flat_map(|cell| &mut cell.runs).chain(&mut benchmark.runs);
        runs.flat_map(|run| [&mut run.file, &mut run.errors]).for_each(led);
    }
    results.journal.iter_mut().for_each(led);
}

fn save(file: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text).map_err(|error| failure(format!("{}: cannot be written: {error}", file.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_from_the_page_to_the_competition() {
        let folder = tempfile::tempdir().expect("a directory");
        let root = folder.path().canonicalize().expect("a path");
        let competition = root.join("cup");
        std::fs::create_dir(&competition).expect("a directory");
        assert_eq!(way(&competition.join("report.html"), &competition), None);
        assert_eq!(way(&root.join("report.html"), &competition), Some("cup".into()));
        let elsewhere = tempfile::tempdir().expect("a directory");
        assert_eq!(way(&elsewhere.path().join("report.html"), &competition), Some(competition));
    }
}
