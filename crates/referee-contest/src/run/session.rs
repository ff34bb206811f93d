//! A session: from the competition's directory to a journal that has every run.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::cell::{Cell, file_name};
use super::group::{self, Groups};
use super::journal::{Journal, JournalError, Purpose, Record, Run, Session};
use super::machine::{self, Machine};
use super::process::{self, Exit, INTERRUPTED, Limits};
use super::repeat::Policy;
use super::trace::{self, TraceError};
use crate::document::DocumentError;
use crate::hash::{self, Hasher};
use crate::package::{Package, Program, Subject, Trace};
use crate::registration::{Contest, Eligibility, Frozen, FrozenError, Phase, Position};
use crate::score::Rules;
use crate::tool::{Places, Tool, referee};

/// What is asked of a session.
pub struct Options<'a> {
    /// These tools only.
    pub tools: Vec<String>,
    /// These packages only.
    pub packages: Vec<String>,
    /// So many repetitions, whatever the competition says.
    pub repeat: Option<u32>,
    /// How many runs at a time.
    pub jobs: usize,
    /// How many cores each has.
    pub cores: usize,
    /// One short run of each.
    pub quick: bool,
    /// Do without control groups.
    pub without_groups: bool,
    /// What is recorded about the network.
    pub network: String,
    /// Today.
    pub today: jiff::civil::Date,
    /// What is wrong with a package, if anything.
    pub validate: &'a (dyn Fn(&Package) -> Result<(), String> + Sync),
    /// Hears what happens.
    pub progress: &'a (dyn Fn(Progress<'_>) + Sync),
}

/// What happens in a session.
pub enum Progress<'a> {
    /// So many runs at least, of which so many are done already.
    Planned {
        /// Runs at least.
        runs: usize,
        /// Done before.
        done: usize,
    },
    /// A run is done.
    Ran(&'a Run),
    /// A tool was frozen, a package left out: something to tell.
    Note(String),
}

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

/// Why a session cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A document is wrong.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The tools cannot be compared with what was handed in.
    #[error(transparent)]
    Frozen(#[from] FrozenError),
    /// There is no trace.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// A file or directory cannot be used.
    #[error("{}: {error}", file.display())]
    File {
        /// It.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Anything else, in a sentence.
    #[error("{0}")]
    Other(String),
}

impl RunError {
    pub(super) fn file(file: &Path, error: io::Error) -> RunError {
        RunError::File { file: file.to_owned(), error }
    }
}

/// The runs that the journal has, by key.
type Past = HashMap<String, Vec<Arc<Run>>>;

/// What all runs of a session share.
pub(super) struct Site<'a> {
    pub results: PathBuf,
    pub work: PathBuf,
    pub groups: Groups,
    pub policy: Policy,
    options: &'a Options<'a>,
    pub rules: Rules,
    limits: Limits,
    machine: String,
    journal: Mutex<(Journal, Past)>,
    /// How many runs the journal had under each key when the session began.
    known: HashMap<String, usize>,
    number: AtomicUsize,
    ran: AtomicUsize,
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
    let work = plan(&packages, &tools, &site)?;
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

impl<'a> Site<'a> {
    fn open(contest: &Contest, options: &'a Options<'a>) -> Result<Site<'a>, RunError> {
        let results = contest.results();
        let work = results.join("work");
        for directory in [&results, &work, &results.join("traces")] {
            fs::create_dir_all(directory).map_err(|error| RunError::file(directory, error))?;
        }
        let absolute = |path: PathBuf| path.canonicalize().map_err(|error| RunError::file(&path, error));
        let (mut journal, records) = Journal::open(&results.join("journal.jsonl"))?;
        let groups = match options.without_groups {
            true => Groups::None("not wanted".into()),
            false => Groups::find(),
        };
        let machine = Machine::here();
        let table = &contest.document.limits;
        let cpu = table.cpu.unwrap_or(table.wall * options.cores as f64);
        let policy = Policy::new(&contest.document.repetitions);
        let policy = options.repeat.map_or(policy, |count| policy.fixed(count));
        let hash = machine.hash();
        journal.append(&Record::Session(Session {
            started: now(),
            machine,
            groups: groups.describe(),
            network: options.network.clone(),
            jobs: options.jobs,
            cores: options.cores,
        }))?;
        let mut past = Past::new();
        for record in records {
            if let Record::Run(run) = record {
                past.entry(run.key.clone()).or_default().push(Arc::from(run));
            }
        }
        let known = past.iter().map(|(key, runs)| (key.clone(), runs.len())).collect();
        Ok(Site {
            known,
            work: absolute(work)?,
            results: absolute(results)?,
            groups,
            policy: if options.quick { policy.quick() } else { policy },
            options,
            rules: Rules::load(&contest.document.rules_near(&contest.directory))?,
            limits: Limits { wall: table.wall, cpu, memory: table.memory << 20 },
            machine: hash,
            journal: Mutex::new((journal, past)),
            number: AtomicUsize::new(0),
            ran: AtomicUsize::new(0),
        })
    }

    /// The runs that the journal has under a key.
    pub(super) fn past(&self, key: &str) -> Vec<Arc<Run>> {
        let journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.1.get(key).cloned().unwrap_or_default()
    }

    /// How many of these were there when the session began.
    pub(super) fn known(&self, key: &str) -> usize {
        self.known.get(key).copied().unwrap_or(0)
    }

    /// Writes a run to the journal.
    pub(super) fn record(&self, run: Run) -> Result<(), RunError> {
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.0.append(&Record::Run(Box::new(run.clone())))?;
        self.ran.fetch_add(1, Ordering::Relaxed);
        (self.options.progress)(Progress::Ran(&run));
        journal.1.entry(run.key.clone()).or_default().push(Arc::new(run));
        Ok(())
    }

    /// Whether this is a quick session.
    pub(super) fn quick(&self) -> bool {
        self.options.quick
    }

    /// A number that no other run of this session has.
    pub(super) fn next_number(&self) -> usize {
        self.number.fetch_add(1, Ordering::Relaxed)
    }

    /// The time, as it is recorded.
    pub(super) fn now(&self) -> String {
        now()
    }

    /// The same small environment for everybody.
    pub(super) fn environment(&self, directory: &Path) -> BTreeMap<String, String> {
        let directory = directory.display().to_string();
        let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/local/bin:/usr/bin:/bin".into());
        let all = [
            ("PATH", path),
            ("LANG", "C.UTF-8".into()),
            ("HOME", directory.clone()),
            ("TMPDIR", directory),
            ("REFEREE", referee().display().to_string()),
        ];
        all.map(|(name, value)| (name.to_owned(), value)).into()
    }

    fn key(&self, tool_hash: &str, package_hash: &str) -> String {
        let mut hasher = Hasher::default();
        for part in [tool_hash, package_hash, &self.machine, &format!("{:?} {}", self.limits, self.options.cores)] {
            hasher.part(part.as_bytes());
        }
        hasher.finish()
    }

    fn setup_cell<'c>(&self, package: &'c Package, key: &str, command: Vec<String>, directory: &Path) -> Cell<'c> {
        Cell {
            package,
            tool: String::new(),
            tool_hash: String::new(),
            key: key.to_owned(),
            command,
            environment: BTreeMap::new(),
            directory: Some(directory.to_owned()),
            limits: self.limits,
        }
    }
}

fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
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
    let environment = site.environment(&tool.directory);
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

fn plan<'c>(packages: &[&'c Package], tools: &'c [(Tool, String)], site: &Site<'_>) -> Result<Vec<Work<'c>>, RunError> {
    let mut work = Vec::new();
    for &package in packages {
        let entered = tools.iter().filter(|(tool, _)| tool.enters(package));
        match &package.subject {
            Subject::Trace(trace) => work.extend(trace_work(package, trace, entered, site)?),
            Subject::Program(program) => {
                let tools = entered.map(|(tool, hash)| (tool, hash.clone())).collect();
                work.push(Work::Program { package, program, tools });
            }
        }
    }
    Ok(work)
}

fn trace_work<'c>(
    package: &'c Package,
    trace: &Trace,
    tools: impl Iterator<Item = &'c (Tool, String)>,
    site: &Site<'_>,
) -> Result<Vec<Work<'c>>, RunError> {
    let (file, trace_hash) = trace::file(package, trace, &site.results.join("traces"), site.options.quick)?;
    let package_hash = package_hash(package, &trace_hash)?;
    let cell = |(tool, hash): &(Tool, String)| {
        let places = Places { benchmark: package.id.clone(), trace: file.clone() };
        Work::Trace(Box::new(Cell {
            package,
            tool: tool.name().to_owned(),
            tool_hash: hash.clone(),
            key: site.key(hash, &package_hash),
            command: tool.command(&places),
            environment: tool.manifest.environment.clone(),
            directory: None,
            limits: site.limits,
        }))
    };
    Ok(tools.map(cell).collect())
}

fn package_hash(package: &Package, more: &str) -> Result<String, RunError> {
    let directory =
        hash::of_directory(&package.directory).map_err(|error| RunError::file(&package.directory, error))?;
    Ok(hash::of_bytes(format!("{directory} {more}").as_bytes()))
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

/// The program alone first, then with each monitor.
fn program_runs(
    package: &Package,
    program: &Program,
    tools: &[(&Tool, String)],
    site: &Site<'_>,
    cores: &[usize],
) -> Result<(), RunError> {
    let package_hash = package_hash(package, "")?;
    let key = site.key("", &package_hash);
    alone(package, program, &key, site, cores)?;
    let walls: Vec<f64> =
        site.past(&key).iter().filter(|run| run.purpose == Purpose::Alone).map(|run| run.wall).collect();
    if walls.is_empty() {
        return Ok(());
    }
    let wall = site.rules.online_limit(walls.iter().sum::<f64>() / walls.len() as f64);
    let limits = Limits { wall, cpu: wall * cores.len() as f64, ..site.limits };
    for (tool, hash) in tools {
        let key = site.key(hash, &package_hash);
        let cell = Cell {
            tool: tool.name().to_owned(),
            tool_hash: hash.clone(),
            environment: tool.manifest.environment.clone(),
            limits,
            ..site.setup_cell(package, &key, Vec::new(), Path::new(""))
        };
        monitored(cell, program, tool, site, cores)?;
    }
    Ok(())
}

/// A program without monitor: compiled once, then its runs.
fn alone(package: &Package, program: &Program, key: &str, site: &Site<'_>, cores: &[usize]) -> Result<(), RunError> {
    let cell = |command: &str, directory: &Path| site.setup_cell(package, key, shell(command), directory);
    if cell(&program.run, Path::new("")).missing(site, &site.policy, Purpose::Alone).is_none() {
        return Ok(());
    }
    let directory = copied(package, program, None, site)?;
    if set_up_cell(&cell(&program.compile, &directory), site, cores)? == Some(false) {
        let (document, command) = (package.document.display(), &program.compile);
        return Err(RunError::Other(format!("{document}: its compile command failed: {command}")));
    }
    cell(&program.run, &directory).run_missing(site, &site.policy, Purpose::Alone, cores)
}

/// A program with a monitor: its set-up once, then its runs. A set-up that failed is not tried again.
fn monitored(cell: Cell<'_>, program: &Program, tool: &Tool, site: &Site<'_>, cores: &[usize]) -> Result<(), RunError> {
    let failed = |run: &Arc<Run>| run.purpose == Purpose::Setup && run.exit != Exit::Code(0);
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
    Ok(past.iter().rfind(|run| run.purpose == Purpose::Setup).map(|run| run.exit == Exit::Code(0)))
}

fn shell(command: &str) -> Vec<String> {
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

fn copy_into(source: &Path, target: &Path) -> Result<(), RunError> {
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
