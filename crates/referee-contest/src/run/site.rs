//! What all runs of a session share: where files go, the journal, bounds and policy.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::basis::{self, Basis, Setting};
use super::group::Groups;
use super::journal::{Journal, JournalError, Record, Run, Session};
use super::machine::Machine;
use super::process::Limits;
use super::repeat::Policy;
use super::trace::TraceError;
use crate::document::DocumentError;
use crate::hash;
use crate::package::Package;
use crate::registration::{Contest, FrozenError, LimitsTable};
use crate::score::Rules;
use crate::tool::referee;

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
    pub(super) options: &'a Options<'a>,
    pub rules: Rules,
    pub limits: Limits,
    table: LimitsTable,
    setting: Setting,
    journal: Mutex<(Journal, Past)>,
    /// How many runs the journal had under each key when the session began.
    known: HashMap<String, usize>,
    number: AtomicUsize,
    pub(super) ran: AtomicUsize,
}

impl<'a> Site<'a> {
    /// Opens the journal, and looks at the machine and its control groups.
    pub(super) fn open(contest: &Contest, options: &'a Options<'a>) -> Result<Site<'a>, RunError> {
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
        let policy = Policy::new(&contest.document.repetitions);
        let policy = options.repeat.map_or(policy, |count| policy.fixed(count));
        let setting = Setting {
            machine: machine.hash(),
            isolation: Setting::isolation(&groups.describe(), &options.network),
            cores_allowed: options.cores,
        };
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
            limits: basis::limits(table, options.cores),
            table: table.clone(),
            setting,
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

    /// What runs on a package stand on here, with the hash of its trace.
    pub(super) fn basis(&self, package: &Package, trace: &str) -> Result<Basis, RunError> {
        let hash = hash::of_directory(&package.directory).map_err(|error| RunError::file(&package.directory, error))?;
        let limits = basis::limits_in_words(&self.table, self.options.cores, package, &self.rules);
        Ok(Basis { package: hash, trace: trace.to_owned(), limits, setting: self.setting.clone() })
    }

    /// Tells something.
    pub(super) fn note(&self, text: String) {
        (self.options.progress)(Progress::Note(text));
    }
}

/// The same small environment for everybody.
pub(crate) fn environment(directory: &Path) -> BTreeMap<String, String> {
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

fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
