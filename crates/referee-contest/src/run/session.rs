//! A session: from the competition's directory to a journal that has every run.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::cell::{Cell, file_name};
use super::group::{self};
use super::journal::Purpose;
use super::machine::{self};
use super::process::{self, Exit, INTERRUPTED};
use super::program::{copy_into, program_runs};
use super::site::{Options, Progress, RunError, Site, environment};
use super::trace::{self, TraceError};
use crate::package::{Further, Package, Program, Subject, Trace};
use crate::registration::{Contest, Eligibility, Frozen, Phase, Position};
use crate::tool::{Places, Tool};

/// What a session did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// How many runs it did.
    pub runs: usize,
    /// Whether it was interrupted.
    pub interrupted: bool,
    /// What control groups there were.
    pub groups: String,
}

/// A piece of work for a worker: what must be done one after the other.
enum Work<'a> {
    Trace(Box<Cell<'a>>),
    Program { package: &'a Package, program: &'a Program, tools: Vec<(&'a Tool, String)> },
}

/// Runs what is missing.
pub fn run(contest: &Contest, options: &Options<'_>) -> Result<Summary, RunError> {
    let spare = machine::allowed_cpus().len();
    if options.jobs * options.cores > spare {
        let (jobs, cores) = (options.jobs, options.cores);
        return Err(RunError::Other(format!(
            "{jobs} jobs on {cores} cores each need {} CPUs, and there are {spare}\n  hint: ask for fewer --jobs or --cores",
            jobs * cores
        )));
    }
    process::adopt_orphans().map_err(|error| RunError::Other(format!("orphans cannot be adopted: {error}")))?;
    let site = Site::open(contest, options)?;
    let tools = chosen_tools(contest, options, &site)?;
    let packages = chosen_packages(contest, options)?;
    let work = plan(contest, &packages, &tools, &site)?;
    announce(&work, &site);
    work_off(&work, &site)?;
    // What is left of working directories is of no use.
    let _ = fs::remove_dir_all(&site.work);
    Ok(Summary {
        runs: site.ran.load(Ordering::Relaxed),
        interrupted: INTERRUPTED.load(Ordering::Relaxed),
        groups: site.groups.describe(),
    })
}

/// The tools that were asked for, ready to run, each with the hash of what was handed in; after the monitor phase, only as
/// they were then.
fn chosen_tools(contest: &Contest, options: &Options<'_>, site: &Site<'_>) -> Result<Vec<(Tool, String)>, RunError> {
    let names = contest.tools.iter().map(Tool::name);
    refuse_unknown("tool", &options.tools, names)?;
    let wanted = |tool: &&Tool| options.tools.is_empty() || options.tools.iter().any(|name| name == tool.name());
    let closed = Position::of(&contest.document.phases, options.today).is_over(Phase::Monitors);
    let frozen = match (closed, Frozen::load(&contest.directory)?) {
        (true, None) => {
            (options.progress)(Progress::Note(
                "the monitor phase is over: the tools are frozen as they are now".into(),
            ));
            Some(Frozen::freeze(&contest.directory, &contest.tools)?)
        }
        (true, frozen) => frozen,
        (false, _) => None,
    };
    let mut chosen = Vec::new();
    for tool in contest.tools.iter().filter(wanted) {
        let hash = tool.hash().map_err(|error| RunError::file(&tool.directory, error))?;
        if frozen.as_ref().is_some_and(|frozen| !frozen.allows(tool.name(), &hash)) {
            return Err(RunError::Other(format!(
                "{}: the tool `{}` is not as it was when the monitor phase closed\n  hint: restore it, or leave it out with \
                 --tool; its hash is in frozen.toml",
                tool.directory.display(),
                tool.name()
            )));
        }
        chosen.push((set_up(tool, site)?, hash));
    }
    Ok(chosen)
}

/// Runs a tool's own set-up in a copy of its directory, which is the tool from then on: what was handed in stays as it is.
fn set_up(tool: &Tool, site: &Site<'_>) -> Result<Tool, RunError> {
    if tool.setup().is_none() {
        return Ok(tool.clone());
    }
    let tool = built_in(tool, &site.work.join("tools").join(file_name(tool.name())), &site.results)?;
    let command = tool.setup().unwrap_or_default();
    let output = site.results.join(format!("outputs/{}-setup.out", file_name(tool.name())));
    fs::create_dir_all(site.results.join("outputs")).map_err(|error| RunError::file(&site.results, error))?;
    let environment = environment(&tool.directory);
    let (cores, name) = (machine::allowed_cpus(), group::name(site.next_number()));
    let order = process::Order {
        command: &command,
        directory: &tool.directory,
        environment: &environment,
        limits: site.limits,
        cores: &cores,
        output: &output,
        name: &name,
    };
    match process::run(&order, &site.groups) {
        Ok(measured) if measured.exit == Exit::Code(0) => Ok(tool),
        outcome => Err(RunError::Other(format!(
            "the set-up of {} failed: {}\n  hint: its output is in {}",
            tool.name(),
            outcome.map_or_else(|fault| format!("{fault:?}"), |measured| format!("{:?}", measured.exit)),
            output.display()
        ))),
    }
}

/// The tool with a fresh copy of its directory.
fn built_in(tool: &Tool, target: &Path, results: &Path) -> Result<Tool, RunError> {
    if results.starts_with(&tool.directory) {
        let directory = tool.directory.display();
        return Err(RunError::Other(format!(
            "{directory}: the results of the competition are in the directory of this tool\n  hint: give the tool a \
             directory of its own"
        )));
    }
    copy_of(tool, target)
}

/// The tool in a copy of its directory, where it can be built.
pub fn copy_of(tool: &Tool, target: &Path) -> Result<Tool, RunError> {
    let _ = fs::remove_dir_all(target);
    copy_into(&tool.directory, target)?;
    Ok(Tool { directory: target.to_owned(), ..tool.clone() })
}

fn refuse_unknown<'n>(what: &str, wanted: &[String], known: impl Iterator<Item = &'n str>) -> Result<(), RunError> {
    let known: Vec<&str> = known.collect();
    match wanted.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(RunError::Other(format!(
            "there is no {what} called `{name}`\n  hint: write one of {}",
            known.join(", ")
        ))),
        None => Ok(()),
    }
}

/// The packages that were asked for and against which nothing stands.
fn chosen_packages<'c>(contest: &'c Contest, options: &Options<'_>) -> Result<Vec<&'c Package>, RunError> {
    refuse_unknown("package", &options.packages, contest.packages.iter().map(|package| package.id.as_str()))?;
    for error in &contest.broken {
        (options.progress)(Progress::Note(format!("left out: {error}")));
    }
    let mut chosen = Vec::new();
    for package in &contest.packages {
        if !options.packages.is_empty() && !options.packages.contains(&package.id) {
            continue;
        }
        let obstacles = Eligibility::of(contest, package, options.validate).obstacles;
        match obstacles.first() {
            None => chosen.push(package),
            Some(obstacle) => (options.progress)(Progress::Note(format!("left out: {}: {obstacle}", package.id))),
        }
    }
    Ok(chosen)
}

fn plan<'c>(
    contest: &Contest,
    packages: &[&'c Package],
    tools: &'c [(Tool, String)],
    site: &Site<'_>,
) -> Result<Vec<Work<'c>>, RunError> {
    // A quick session would make further traces as short as the package's own.
    let wanted = |further: &&Further| !site.quick() && contest.document.wants(further);
    let mut work = Vec::new();
    for &package in packages {
        let entered = tools.iter().filter(|(tool, _)| tool.enters(package));
        if INTERRUPTED.load(Ordering::Relaxed) {
            break;
        }
        match &package.subject {
            Subject::Trace(trace) => {
                let entered: Vec<&(Tool, String)> = entered.collect();
                work.extend(trace_work(package, None, trace, &entered, site)?);
                for further in package.further.iter().filter(wanted) {
                    match trace_work(package, Some(further), &further.trace, &entered, site) {
                        // The package's own trace is there: the others are no reason to stop.
                        Err(RunError::Trace(error @ TraceError::Elsewhere { .. })) => {
                            site.note(format!("left out: {}: {error}", further.name));
                        }
                        cells => work.extend(cells?),
                    }
                }
            }
            Subject::Program(program) => {
                let tools = entered.map(|(tool, hash)| (tool, hash.clone())).collect();
                work.push(Work::Program { package, program, tools });
            }
        }
    }
    Ok(work)
}

/// The cells of one trace: the package's own, or a further one.
fn trace_work<'c>(
    package: &'c Package,
    further: Option<&'c Further>,
    trace: &Trace,
    tools: &[&'c (Tool, String)],
    site: &Site<'_>,
) -> Result<Vec<Work<'c>>, RunError> {
    let (file, trace_hash) = trace::file(package, trace, &site.results.join("traces"), site.options.quick)?;
    let basis = site.basis(package, &trace_hash)?;
    let cell = |(tool, hash): &&(Tool, String)| {
        let places = Places { benchmark: package.id.clone(), trace: file.clone() };
        Work::Trace(Box::new(Cell {
            package,
            further,
            tool: tool.name().to_owned(),
            tool_hash: hash.clone(),
            key: basis.key(hash),
            basis: basis.clone(),
            command: tool.command(&places),
            environment: tool.manifest.environment.clone(),
            directory: None,
            limits: site.limits,
        }))
    };
    Ok(tools.iter().map(cell).collect())
}

/// Tells how much there is to do.
fn announce(work: &[Work<'_>], site: &Site<'_>) {
    let each = site.policy.least() + site.policy.warm_up as usize;
    let (mut runs, mut done) = (0, 0);
    for one in work {
        match one {
            Work::Trace(cell) => {
                runs += each;
                done += site.past(&cell.key).len().min(each);
            }
            Work::Program { tools, .. } => runs += each * (tools.len() + 1),
        }
    }
    (site.options.progress)(Progress::Planned { runs, done });
}

/// Workers take pieces of work until there are none; the first error stops all.
fn work_off(work: &[Work<'_>], site: &Site<'_>) -> Result<(), RunError> {
    let next = AtomicUsize::new(0);
    let failure: Mutex<Option<RunError>> = Mutex::new(None);
    let mut cpus = machine::allowed_cpus();
    // The first CPU has the interrupts of many machines: it is taken last.
    cpus.reverse();
    std::thread::scope(|scope| {
        for cores in cpus.chunks(site.options.cores).take(site.options.jobs) {
            let (next, failure) = (&next, &failure);
            scope.spawn(move || {
                while let Some(one) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let failed = || failure.lock().unwrap_or_else(PoisonError::into_inner);
                    if INTERRUPTED.load(Ordering::Relaxed) || failed().is_some() {
                        return;
                    }
                    if let Err(error) = one.run(site, cores) {
                        failed().get_or_insert(error);
                    }
                }
            });
        }
    });
    failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

impl Work<'_> {
    fn run(&self, site: &Site<'_>, cores: &[usize]) -> Result<(), RunError> {
        match self {
            Work::Trace(cell) => cell.run_missing(site, &site.policy, Purpose::Counted, cores),
            Work::Program { package, program, tools } => program_runs(package, program, tools, site, cores),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_up_leaves_what_was_handed_in() {
        let directory = tempfile::tempdir().expect("a directory");
        let (tools, work) = (directory.path().join("tools/S"), directory.path().join("results/work/tools/S"));
        fs::create_dir_all(&tools).expect("made");
        let text = "name = \"S\"\nversion = \"1\"\ntracks = [\"offline\"]\nlanguage = \"x\"\nrun = [\"./run\"]\nsetup = [\"./mk\"]\n";
        fs::write(tools.join("tool.toml"), text).expect("written");
        let tool = Tool::load(&tools).expect("a tool");
        let handed_in = tool.hash().expect("readable");
        for start in 1..=2 {
            let built = built_in(&tool, &work, &directory.path().join("results")).expect("copied");
            assert!(!built.directory.join("built").exists(), "start {start} begins afresh");
            fs::write(built.directory.join("built"), "x").expect("written");
            assert_eq!(built.setup(), Some(vec![work.join("./mk").display().to_string()]));
            assert_eq!(tool.hash().expect("readable"), handed_in, "start {start}");
        }
        assert!(built_in(&tool, &work, &tools.join("results")).is_err());
    }
}
