//! Validation: the clarification phase of a competition, done by a machine.
//!
//! ```text
//!  path ─▶ Package ─┬─▶ parts, wording            what is written, and in which words
//!                   ├─▶ specification             each formal one parses, and speaks of declared events only
//!                   ├─▶ demonstrations            each judged as it should be, by each formal one
//!                   ├─▶ agreement                 formal ones against each other on random traces ─▶ shrink
//!                   ├─▶ subject                   the trace: read strictly, counted, judged, in one pass
//!                   ├─▶ program                   instead of a trace: compiled, run, deterministic?
//!                   └─▶ mutants                   does it matter what the specification says?
//!  all packages ────▶ similar                     two that agree on everything are one too many
//! ```
//!
//! Every row of the competition's checklist is a [`Check`] with a name and one line of text. A check that stands on
//! another that failed is left out: one mistake, one complaint. Everything is deterministic: random traces come from a
//! fixed seed, so that what failed once fails again.

mod agreement;
mod declared;
mod demonstrations;
mod judge;
mod mutants;
mod parts;
mod pools;
mod program;
mod random;
mod shrink;
mod similar;
mod specification;
mod subject;
mod types;
mod witness;
mod wording;
mod written;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::package::Package;

pub use demonstrations::{Demonstrated, demonstrate};

use specification::Specification;

/// How much work a validation may be.
#[derive(Debug, Clone)]
pub struct Effort {
    /// Traces with more events are made smaller, or left out if nobody can make them; without it, none are.
    pub events: Option<u64>,
    /// On how many random traces specifications are compared.
    pub random: usize,
    /// Where chance begins.
    pub seed: u64,
    /// How many threads share the work.
    pub threads: usize,
}

impl Effort {
    /// Small traces, for every change: a second or so per package.
    pub fn small() -> Effort {
        Effort { events: Some(20_000), random: 2_000, seed: 1, threads: threads() }
    }

    /// Traces of the sizes that the packages name.
    pub fn published() -> Effort {
        Effort { events: None, ..Effort::small() }
    }

    /// Whether a trace with this many events is checked as it is.
    fn allows(&self, events: u64) -> bool {
        self.events.is_none_or(|most| events <= most)
    }
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grade {
    /// All is well.
    Fine,
    /// It is allowed, and probably not meant.
    Doubtful,
    /// The package does not keep a promise.
    Wrong,
}

/// One row of the checklist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was checked, such as `demonstrations property.qtl`.
    pub name: String,
    /// How it went.
    pub grade: Grade,
    /// What was found, in a sentence without its full stop.
    pub text: String,
}

impl Check {
    fn fine(name: impl Into<String>, text: impl Into<String>) -> Check {
        Check { name: name.into(), grade: Grade::Fine, text: text.into() }
    }

    fn doubtful(name: impl Into<String>, text: impl Into<String>) -> Check {
        Check { name: name.into(), grade: Grade::Doubtful, text: text.into() }
    }

    fn wrong(name: impl Into<String>, text: impl Into<String>) -> Check {
        Check { name: name.into(), grade: Grade::Wrong, text: text.into() }
    }

    /// Fine with one text, or wrong with another.
    fn of(name: impl Into<String>, result: Result<String, String>) -> Check {
        match result {
            Ok(text) => Check::fine(name, text),
            Err(text) => Check::wrong(name, text),
        }
    }
}

/// Everything that was checked of one package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The package's identifier; of a package that cannot be loaded, its directory's name.
    pub name: String,
    /// What was checked, in order.
    pub checks: Vec<Check>,
}

impl Report {
    /// Whether the package keeps all its promises.
    pub fn is_ok(&self) -> bool {
        self.checks.iter().all(|check| check.grade != Grade::Wrong)
    }

    /// The first promise that is not kept.
    pub fn first_wrong(&self) -> Option<&Check> {
        self.checks.iter().find(|check| check.grade == Grade::Wrong)
    }
}

/// Validates packages by their paths, several at a time; `ready` hears of each as soon as its own checks are done.
pub fn validate(paths: &[PathBuf], effort: &Effort, ready: &(dyn Fn(&Report) + Sync)) -> Vec<Report> {
    let loaded: Vec<Result<Package, Report>> = paths.iter().map(|path| load(path)).collect();
    let mut reports = in_parallel(loaded.len(), effort.threads, |index| {
        let report = match &loaded[index] {
            Ok(package) => package_report(package, effort),
            Err(report) => report.clone(),
        };
        ready(&report);
        report
    });
    let packages: Vec<(usize, &Package)> =
        loaded.iter().enumerate().filter_map(|(index, one)| Some((index, one.as_ref().ok()?))).collect();
    for (index, check) in similar::checks(&packages, effort) {
        reports[index].checks.push(check);
    }
    reports
}

/// Validates one package that is loaded.
pub fn package_report(package: &Package, effort: &Effort) -> Report {
    let mut checks = vec![Check::fine("document", "it follows the schema")];
    checks.extend(parts::checks(package));
    checks.push(wording::check(package));
    let specifications = Specification::all(package, &mut checks);
    let assumed = Specification::assumed(package, &mut checks);
    demonstrations::checks(package, &specifications, assumed.as_ref(), &mut checks);
    checks.extend(agreement::checks(package, &specifications, assumed.as_ref(), effort));
    checks.extend(subject::checks(package, &specifications, assumed.as_ref(), effort));
    // Changes of what is wrong anyway show nothing.
    if checks.iter().all(|check| check.grade != Grade::Wrong) {
        checks.extend(mutants::check(package, &specifications));
    }
    Report { name: package.id.clone(), checks }
}

/// What is wrong with each of some packages, by their identifiers; nothing where all is well.
pub fn verdicts(packages: &[&Package], effort: &Effort) -> BTreeMap<String, Option<String>> {
    let reports = in_parallel(packages.len(), effort.threads, |index| package_report(packages[index], effort));
    let wrong = |report: &Report| report.first_wrong().map(|check| format!("{}: {}", check.name, check.text));
    reports.into_iter().map(|report| (report.name.clone(), wrong(&report))).collect()
}

fn load(path: &Path) -> Result<Package, Report> {
    Package::load(path).map_err(|error| {
        let directory = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
        let name = directory.file_name().map_or_else(|| path.display().to_string(), |name| name.display().to_string());
        Report { name, checks: vec![Check::wrong("document", error.to_string())] }
    })
}

/// Does work in order of its numbers on several threads, and gives the results in that order.
fn in_parallel<T: Send>(count: usize, threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    let result = work(index);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
