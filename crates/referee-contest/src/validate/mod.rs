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
mod checklist;
mod declared;
mod demonstrations;
mod judge;
mod judged;
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

pub use checklist::{Check, Effort, Grade, Report};
pub use demonstrations::{Demonstrated, demonstrate};

use specification::Specification;

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
