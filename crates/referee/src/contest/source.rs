//! Where results come from: a competition's directory, a journal, published tables.

use std::path::{Path, PathBuf};

use referee_contest::registration::{Contest, DOCUMENT, Document, Query};
use referee_contest::run::{self, Journal};
use referee_contest::score::{Deviation, Printed, Results, compare};

use super::complaint::failure;
use super::today::today;
use crate::failure::Failure;

/// Results, and what is known about them.
pub(super) struct Source {
    /// The results.
    pub results: Results,
    /// The rules that they ask for.
    pub rules: String,
    /// Errors of published tables.
    pub deviations: Vec<Deviation>,
    /// Questions about results.
    pub queries: Vec<Query>,
}

/// Reads the results of a competition's directory or of a file.
pub(super) fn read(path: &Path) -> Result<Source, Failure> {
    if path.is_dir() {
        return of_directory(path);
    }
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("jsonl") => of_journal(path, &path.display().to_string(), "crv16"),
        _ => published(&std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?),
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Other(format!("{}: cannot be read: {error}", path.display()))
}

fn of_directory(directory: &Path) -> Result<Source, Failure> {
    // Results can be scored where neither tools nor packages are at hand: the document is enough.
    let file = directory.join(DOCUMENT);
    if !file.is_file() {
        Contest::load(directory).map_err(failure)?;
    }
    let document: Document = referee_contest::document::Document::read(&file).map_err(failure)?.content;
    let journal: PathBuf = directory.join("results/journal.jsonl");
    if !journal.is_file() {
        let path = directory.display();
        return Err(Failure::Other(format!("{path}: there are no results yet\n  hint: referee contest run {path}")));
    }
    let mut source = of_journal(&journal, &document.name, &document.rules_near(directory))?;
    if let Ok(contest) = Contest::load(directory) {
        source.results = run::results_now(&contest, &Journal::read(&journal).map_err(failure)?, today());
    }
    source.queries = document.queries;
    Ok(source)
}

fn of_journal(journal: &Path, title: &str, rules: &str) -> Result<Source, Failure> {
    let records = Journal::read(journal).map_err(failure)?;
    let results = run::results(title, &records);
    Ok(Source { results, rules: rules.to_owned(), deviations: Vec::new(), queries: Vec::new() })
}

/// The results of published tables.
pub(super) fn published(text: &str) -> Result<Source, Failure> {
    let printed = Printed::parse(text).map_err(failure)?;
    let deviations = compare(&printed);
    Ok(Source { results: printed.results(), rules: "crv14".into(), deviations, queries: Vec::new() })
}
