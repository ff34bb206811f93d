//! Packages with a program: without a monitor first, then with each.
//!
//! ```text
//!  sources ─▶ copy ─▶ compile once ─▶ run, alone ─▶ E: is it a reference? ── no ─▶ left out, and why
//!                                                   │ yes: limit 10 × E
//!  sources + tool's directory ─▶ copy ─▶ setup.sh once ─▶ run.sh per repetition
//! ```
//!
//! A program that fails by itself is no reference: its time is that of a failure, and a monitored run that ends as early would
//! look fast. Programs of implicit properties are meant to fail, so these may.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::basis::Basis;
use super::cell::{Cell, file_name};
use super::journal::{Purpose, Run};
use super::process::{Exit, Killed, Limits, errors_of};
use super::site::{RunError, Site};
use crate::package::{Package, Program};
use crate::tool::Tool;

/// The program alone first, then with each monitor.
pub(super) fn program_runs(
    package: &Package,
    program: &Program,
    tools: &[(&Tool, String)],
    site: &Site<'_>,
    cores: &[usize],
) -> Result<(), RunError> {
    let basis = site.basis(package, "")?;
    let Some(own_time) = alone(package, program, &basis, site, cores)? else { return Ok(()) };
    let wall = site.rules.online_limit(own_time);
    let limits = Limits { wall, cpu: wall * cores.len() as f64, ..site.limits };
    for (tool, hash) in tools {
        let cell = Cell {
            tool: tool.name().to_owned(),
            tool_hash: hash.clone(),
            key: basis.key(hash),
            environment: tool.manifest.environment.clone(),
            limits,
            ..own_cell(package, &basis, Vec::new(), Path::new(""), site)
        };
        monitored(cell, program, tool, site, cores)?;
    }
    Ok(())
}

/// The cell of a program without a monitor.
fn own_cell<'c>(
    package: &'c Package,
    basis: &Basis,
    command: Vec<String>,
    directory: &Path,
    site: &Site<'_>,
) -> Cell<'c> {
    Cell {
        package,
        further: None,
        tool: String::new(),
        tool_hash: String::new(),
        key: basis.key(""),
        basis: basis.clone(),
        command,
        environment: BTreeMap::new(),
        directory: Some(directory.to_owned()),
        limits: site.limits,
    }
}

/// A program without monitor: compiled once, then its runs. Says how long it takes; nothing if it was interrupted or is no
/// reference, which is told.
fn alone(
    package: &Package,
    program: &Program,
    basis: &Basis,
    site: &Site<'_>,
    cores: &[usize],
) -> Result<Option<f64>, RunError> {
    let cell = |command: &str, directory: &Path| own_cell(package, basis, shell(command), directory, site);
    let own = cell(&program.run, Path::new(""));
    if own.missing(site, &site.policy, Purpose::Alone).is_some() {
        let directory = copied(package, program, None, site)?;
        if set_up_cell(&cell(&program.compile, &directory), site, cores)? == Some(false) {
            refuse(package, site, &format!("its compile command failed: {}", program.compile));
            return Ok(None);
        }
        cell(&program.run, &directory).run_missing(site, &site.policy, Purpose::Alone, cores)?;
    }
    let past = site.past(&own.key);
    let runs: Vec<&Arc<Run>> = past.iter().filter(|run| run.purpose == Purpose::Alone).collect();
    if let Some(reason) = runs.iter().find_map(|run| no_reference(package, run)) {
        refuse(package, site, &reason);
        return Ok(None);
    }
    Ok((!runs.is_empty()).then(|| runs.iter().map(|run| run.wall).sum::<f64>() / runs.len() as f64))
}

/// Why a run of a program without monitor is nothing to compare monitored runs with.
fn no_reference(package: &Package, run: &Run) -> Option<String> {
    let how = match (run.killed, run.exit) {
        (Some(Killed::Memory), _) => "takes too much memory".to_owned(),
        (Some(_), _) => "does not end within its limits".to_owned(),
        (None, Exit::Code(0)) => return None,
        // What is wrong with it is what monitors are to find.
        (None, _) if package.property.implicit.is_some() => return None,
        (None, Exit::Code(code)) => format!("ends with code {code}"),
        (None, Exit::Signal(signal)) => format!("dies of signal {signal}"),
    };
    let (document, errors) = (package.document.display(), errors_of(Path::new(&run.output)));
    Some(format!(
        "its program {how} without a monitor, expected code 0: its time is no reference\n  hint: correct `run` in {document}; \
         what the program said is in results/{} and results/{}",
        run.output,
        errors.display()
    ))
}

fn refuse(package: &Package, site: &Site<'_>, reason: &str) {
    site.note(format!("left out: {}: {reason}", package.id));
}

/// A program with a monitor: its set-up once, then its runs. A set-up that failed is not tried again.
fn monitored(cell: Cell<'_>, program: &Program, tool: &Tool, site: &Site<'_>, cores: &[usize]) -> Result<(), RunError> {
    let failed = |run: &Arc<Run>| run.purpose == Purpose::Setup && !run.went_well();
    if site.past(&cell.key).iter().any(failed) || cell.missing(site, &site.policy, Purpose::Counted).is_none() {
        return Ok(());
    }
    let directory = Some(copied(cell.package, program, Some(tool), site)?);
    let script = |name: &str| vec!["sh".to_owned(), name.to_owned()];
    let limits = cell.limits;
    let cell = Cell { command: script("./setup.sh"), directory, limits: site.limits, ..cell };
    let has_setup = cell.directory.as_ref().is_some_and(|directory| directory.join("setup.sh").is_file());
    if has_setup && set_up_cell(&cell, site, cores)? != Some(true) {
        return Ok(());
    }
    Cell { command: script("./run.sh"), limits, ..cell }.run_missing(site, &site.policy, Purpose::Counted, cores)
}

/// Runs a set-up and says whether it went well; nothing, if it was interrupted.
fn set_up_cell(cell: &Cell<'_>, site: &Site<'_>, cores: &[usize]) -> Result<Option<bool>, RunError> {
    let number = site.past(&cell.key).iter().filter(|run| run.purpose == Purpose::Setup).count() as u32 + 1;
    if !cell.run_once(site, Purpose::Setup, number, cores)? {
        return Ok(None);
    }
    let past = site.past(&cell.key);
    Ok(past.iter().rfind(|run| run.purpose == Purpose::Setup).map(|run| run.went_well()))
}

/// A command of a package, which a shell reads.
pub(crate) fn shell(command: &str) -> Vec<String> {
    vec!["sh".into(), "-c".into(), command.to_owned()]
}

/// A fresh copy of the sources, with what the tool brings for this program laid over it.
fn copied(package: &Package, program: &Program, tool: Option<&Tool>, site: &Site<'_>) -> Result<PathBuf, RunError> {
    let name = tool.map_or_else(|| "alone".to_owned(), |tool| file_name(tool.name()));
    let target = site.work.join(format!("{}-{name}", package.id));
    let _ = fs::remove_dir_all(&target);
    copy_into(&package.path(&program.sources), &target)?;
    if let Some(tool) = tool {
        copy_into(&tool.directory.join(&package.id), &target)?;
    }
    Ok(target)
}

/// Copies what is in a directory into another one, which is made.
pub(crate) fn copy_into(source: &Path, target: &Path) -> Result<(), RunError> {
    fs::create_dir_all(target).map_err(|error| RunError::file(target, error))?;
    for entry in fs::read_dir(source).map_err(|error| RunError::file(source, error))? {
        let from = entry.map_err(|error| RunError::file(source, error))?.path();
        let Some(name) = from.file_name() else { continue };
        let to = target.join(name);
        match from.is_dir() {
            true => copy_into(&from, &to)?,
            false => fs::copy(&from, &to).map(drop).map_err(|error| RunError::file(&from, error))?,
        }
    }
    Ok(())
}
