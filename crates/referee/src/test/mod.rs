//! `referee test`: specifications judged on the examples that stand beside them.
//!
//! ```text
//!  PATH ─┬─ package          ─▶ every demonstration, by every specification of the package
//!        ├─ Markdown file    ─▶ every `accepted`, `rejected`, … block below a specification
//!        └─ directory        ─▶ all of both in it
//!                                 └─▶ Case: file, line, name, what is wrong ─▶ lines, JSON, JUnit
//! ```

mod junit;
mod package;
mod page;
mod suite;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use referee_contest::package::DOCUMENTS;
use serde::Serialize;

use suite::{Case, Suite};

use crate::color;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::streams::Results;

/// Judge the examples of packages and Markdown files: unit tests of specifications
#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// Packages, Markdown files, or directories of them
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Write the results as JUnit XML, too
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Print every test, not only those that fail
    #[arg(long, short)]
    verbose: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The document of `--json`.
#[derive(Serialize)]
struct Document<'a> {
    tests: usize,
    failed: usize,
    files: &'a [Suite],
}

/// Runs the command.
pub(crate) fn run(args: &TestArgs) -> Result<ExitStatus, Failure> {
    let suites = suites(&args.paths)?;
    let tests = suites.iter().map(|suite| suite.tests.len()).sum();
    if tests == 0 {
        let hint = "a Markdown file has a specification block, and `accepted` and `rejected` blocks below it";
        return Err(Failure::Other(format!("there are no tests here\n  hint: {hint}")));
    }
    let failed = suites.iter().flat_map(|suite| &suite.tests).filter(|case| !case.ok).count();
    if let Some(file) = &args.junit {
        let unwritable = |error| Failure::Other(format!("{}: cannot be written: {error}", file.display()));
        std::fs::write(file, junit::document(&suites)).map_err(unwritable)?;
    }
    let mut out = Results::to(anstream::stdout().lock());
    match args.json {
        true => {
            let document = Document { tests, failed, files: &suites };
            let text = serde_json::to_string(&document).map_err(|error| Failure::Other(error.to_string()))?;
            writeln!(out, "{text}")?;
        }
        false => print(&mut out, &suites, args.verbose, (tests, failed))?,
    }
    out.flush()?;
    Ok(if failed == 0 { ExitStatus::Fine } else { ExitStatus::Violated })
}

fn print(out: &mut dyn Write, suites: &[Suite], verbose: bool, (tests, failed): (usize, usize)) -> std::io::Result<()> {
    for suite in suites {
        for case in suite.tests.iter().filter(|case| verbose || !case.ok) {
            line(out, &suite.file, case)?;
        }
    }
    let files = suites.len();
    writeln!(out, "{tests} tests in {files} {}, {failed} failed", if files == 1 { "file" } else { "files" })
}

/// `ok|FAIL file:line: name: reason`
fn line(out: &mut dyn Write, file: &str, case: &Case) -> std::io::Result<()> {
    let place = case.line.map_or_else(|| file.to_owned(), |line| format!("{file}:{line}"));
    match &case.reason {
        None => writeln!(out, "ok {place}: {}", case.name),
        Some(reason) => writeln!(out, "{0}FAIL{0:#} {place}: {1}: {reason}", color::ERROR, case.name),
    }
}

/// The suites of all paths; those that are named must be tests, those that are found in directories may be.
fn suites(paths: &[PathBuf]) -> Result<Vec<Suite>, Failure> {
    let mut all = Vec::new();
    for path in paths {
        if !path.exists() {
            return Err(Failure::Other(format!("{}: there is no such file", path.display())));
        }
        match (is_package(path), path.is_dir()) {
            (true, _) => all.push(package::suite(path)),
            (false, false) => all.push(page::suite(path)?),
            (false, true) => all.extend(within(path)?),
        }
    }
    Ok(all)
}

fn is_package(path: &Path) -> bool {
    let document = |path: &Path| DOCUMENTS.iter().any(|name| path.file_name().is_some_and(|file| file == *name));
    document(path) || DOCUMENTS.iter().any(|name| path.join(name).is_file())
}

/// The suites below a directory, in order of their paths. Pages without tests are left out.
fn within(directory: &Path) -> Result<Vec<Suite>, Failure> {
    let unreadable = |error| Failure::Other(format!("{}: cannot be listed: {error}", directory.display()));
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?.path());
    }
    entries.sort();
    let mut all = Vec::new();
    for path in entries {
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        match path.is_dir() {
            _ if hidden || path.is_symlink() => {}
            true if is_package(&path) => all.push(package::suite(&path)),
            true => all.extend(within(&path)?),
            false if is_page(&path) => all.extend(Some(page::suite(&path)?).filter(|suite| !suite.tests.is_empty())),
            false => {}
        }
    }
    Ok(all)
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}
