//! What was run, line by line: a crash costs the run that was going on, and nothing else.
//!
//! A line is written after each run, and the disk has it before the next one begins if the run took longer than a moment;
//! of shorter runs a power cut may cost those of the last moment. A line that was cut short, by a crash or a full disk, is
//! taken away when the journal is opened again; everything before it counts.
//!
//! Whoever writes a journal holds a lock on its file, which goes with the process: two at a time would spoil each other's runs.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::basis::Basis;
use super::machine::Machine;
use super::process::{Exit, Killed};

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum Record {
    /// Where and how the runs after this line were done.
    Session(Session),
    /// A run.
    Run(Box<Run>),
}

/// Where and how runs were done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// When it began.
    pub started: String,
    /// The machine.
    pub machine: Machine,
    /// What control groups there were.
    pub groups: String,
    /// Whether there was a network.
    pub network: String,
    /// How many runs at a time, and on how many cores each.
    pub jobs: usize,
    /// Cores per run.
    pub cores: usize,
}

/// What a run was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// It counts.
    Counted,
    /// Before those that count.
    WarmUp,
    /// The program without a monitor.
    Alone,
    /// Compiling or instrumenting.
    Setup,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The hash of the tool and of the basis.
    pub key: String,
    /// What it stands on.
    #[serde(default)]
    pub basis: Basis,
    /// Which of the runs with this key and purpose, from 1.
    pub number: u32,
    /// What it was for.
    pub purpose: Purpose,
    /// Whether it was one of a quick session, which is no measurement.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub quick: bool,
    /// The tool; for a program alone, the empty string.
    pub tool: String,
    /// The hash of the tool.
    pub tool_hash: String,
    /// The benchmark's identifier: the package's, and for one of its further traces `/` and the name of that.
    pub benchmark: String,
    /// Its name.
    pub title: String,
    /// Its track.
    pub track: String,
    /// The right verdict.
    pub expected: String,
    /// When it began.
    pub started: String,
    /// Seconds of wall time.
    pub wall: f64,
    /// Seconds of CPU time.
    pub cpu: f64,
    /// Peak memory in bytes.
    pub memory: Option<u64>,
    /// How the memory is known.
    pub memory_by: String,
    /// Highest resident size in bytes.
    pub resident: Option<u64>,
    /// What the tool said about its memory.
    pub own_memory: Option<u64>,
    /// How it ended.
    pub exit: Exit,
    /// Why it was ended.
    pub killed: Option<Killed>,
    /// The words of its `STATUS:` lines.
    pub statuses: Vec<String>,
    /// How many there were.
    pub status_count: usize,
    /// Whether processes were left behind.
    pub left_behind: usize,
    /// Where its output is, relative to the results.
    pub output: String,
    /// How many bytes it wrote.
    pub written: u64,
    /// The load of the machine before.
    pub load: Option<[f64; 3]>,
    /// For which part of its time somebody waited for a CPU.
    pub pressure: Option<f64>,
    /// Whether that was too much.
    pub pressed: bool,
    /// The CPUs it ran on.
    pub cores: Vec<usize>,
}

impl Record {
    /// The run that it tells of, if it does.
    pub(super) fn run(&self) -> Option<&Run> {
        match self {
            Record::Run(run) => Some(run),
            Record::Session(_) => None,
        }
    }

    /// The session that it tells of, if it does.
    pub(super) fn session(&self) -> Option<&Session> {
        match self {
            Record::Session(session) => Some(session),
            Record::Run(_) => None,
        }
    }
}

impl Run {
    /// The identifier of the package.
    pub fn package(&self) -> &str {
        package_of(&self.benchmark)
    }

    /// Whether it ended by itself, in time, with the code 0.
    pub fn went_well(&self) -> bool {
        self.killed.is_none() && self.exit == Exit::Code(0)
    }
}

/// The package that a benchmark's identifier names.
pub fn package_of(benchmark: &str) -> &str {
    benchmark.split_once('/').map_or(benchmark, |(package, _)| package)
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{}: {doing}: {error}", file.display())]
    File {
        /// The journal.
        file: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// Why it failed.
        error: io::Error,
    },
    /// Somebody else is writing it.
    #[error("{}: another run is going on in this directory\n  hint: wait until it has ended, or interrupt it", directory.display())]
    Busy {
        /// The directory of the journal.
        directory: PathBuf,
    },
    /// A line before the last is damaged.
    #[error("{}:{line}: this line of the journal is damaged: {error}\n  hint: remove it; the run it tells of is done again", file.display())]
    Line {
        /// The journal.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        error: String,
    },
}

/// Waiting for the disk takes some milliseconds, which many short runs should not all pay.
const MOMENT: Duration = Duration::from_millis(100);

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    length: u64,
    synchronised: Option<Instant>,
}

impl Journal {
    /// Reads a journal; one that is not there is empty.
    pub fn read(path: &Path) -> Result<Vec<Record>, JournalError> {
        Ok(Journal::whole_lines(path)?.0)
    }

    /// Opens a journal to go on with it; nobody else can until it is dropped.
    pub fn open(path: &Path) -> Result<(Journal, Vec<Record>), JournalError> {
        let failed = |doing| move |error| JournalError::File { file: path.to_owned(), doing, error };
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(failed("cannot be opened"))?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                JournalError::Busy { directory: path.parent().unwrap_or(Path::new(".")).to_owned() }
            }
            TryLockError::Error(error) => failed("cannot be locked")(error),
        })?;
        let (records, length, ended) = Journal::whole_lines(path)?;
        let mut journal = Journal { path: path.to_owned(), file, length, synchronised: None };
        journal.file.set_len(length).map_err(failed("its unfinished line cannot be removed"))?;
        if !ended {
            journal.append_text("\n")?;
        }
        Ok((journal, records))
    }

    /// The records, how many bytes of the file they are, and whether the last is ended by a line feed.
    fn whole_lines(path: &Path) -> Result<(Vec<Record>, u64, bool), JournalError> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(JournalError::File { file: path.to_owned(), doing: "cannot be read", error }),
        };
        let (mut records, mut length, mut ended) = (Vec::new(), 0, true);
        for (number, line) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
            match serde_json::from_slice(line) {
                Ok(record) => records.push(record),
                // Only the last line can have been cut short.
                Err(_) if !line.ends_with(b"\n") => break,
                Err(error) => {
                    return Err(JournalError::Line { file: path.to_owned(), line: number, error: error.to_string() });
                }
            }
            (length, ended) = (length + line.len() as u64, line.ends_with(b"\n"));
        }
        Ok((records, length, ended))
    }

    /// Adds a record, on the disk. If that fails, the journal is as it was.
    pub fn append(&mut self, record: &Record) -> Result<(), JournalError> {
        let text = serde_json::to_string(record).map_err(|error| self.failed("cannot be written", error.into()))?;
        self.append_text(&format!("{text}\n"))
    }

    fn append_text(&mut self, text: &str) -> Result<(), JournalError> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.synchronise(MOMENT));
        match written {
            Ok(()) => {
                self.length += text.len() as u64;
                Ok(())
            }
            Err(error) => {
                // A line that cannot be taken away either is taken away when the journal is opened again.
                let _ = self.file.set_len(self.length);
                Err(self.failed("cannot be written; the last run is lost, those before it are kept", error))
            }
        }
    }

    /// Waits for the disk, unless it has had everything up to a moment ago.
    fn synchronise(&mut self, moment: Duration) -> io::Result<()> {
        if self.synchronised.is_some_and(|last| last.elapsed() < moment) {
            return Ok(());
        }
        self.file.sync_data()?;
        self.synchronised = Some(Instant::now());
        Ok(())
    }

    fn failed(&self, doing: &'static str, error: io::Error) -> JournalError {
        JournalError::File { file: self.path.clone(), doing, error }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // The lines are in the file; a disk that fails now will have told others.
        let _ = self.synchronise(Duration::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(number: usize) -> Record {
        let machine = Machine::here();
        let (groups, network, started) = ("none".to_owned(), "none".to_owned(), "now".to_owned());
        Record::Session(Session { started, machine, groups, network, jobs: number, cores: 1 })
    }

    #[test]
    fn cut_anywhere_it_goes_on_with_what_is_whole() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("journal.jsonl");
        let (mut journal, _) = Journal::open(&path).expect("opened");
        for number in 1..=3 {
            journal.append(&session(number)).expect("written");
        }
        drop(journal);
        let whole = fs::read(&path).expect("readable");
        let ends: Vec<usize> = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
        for cut in 0..=whole.len() {
            fs::write(&path, &whole[..cut]).expect("written");
            let (mut journal, records) = Journal::open(&path).expect("opened");
            // A record is there from its last letter on, with or without the line feed.
            let expected = ends.iter().filter(|end| **end <= cut).count();
            assert_eq!(records, (1..=expected).map(session).collect::<Vec<_>>(), "cut at {cut}");
            journal.append(&session(9)).expect("written");
            assert_eq!(Journal::read(&path).expect("readable").len(), expected + 1, "cut at {cut}");
        }
    }

    #[test]
    fn one_writes_at_a_time() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("journal.jsonl");
        let (mut first, _) = Journal::open(&path).expect("opened");
        first.append(&session(1)).expect("written");
        let said = Journal::open(&path).expect_err("a second one").to_string();
        assert!(said.contains("another run is going on"), "{said}");
        assert!(said.starts_with(&directory.path().display().to_string()), "{said}");
        assert_eq!(Journal::read(&path).expect("readers are not kept out").len(), 1);
        first.append(&session(2)).expect("written");
        drop(first);
        let (_, records) = Journal::open(&path).expect("opened again");
        assert_eq!(records, [session(1), session(2)]);
    }

    #[test]
    fn damage_before_the_last_line_is_not_passed_over() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("journal.jsonl");
        fs::write(&path, "{\"record\":\"ru\n{}\n").expect("written");
        let said = Journal::open(&path).expect_err("damaged").to_string();
        assert!(said.contains("journal.jsonl:1: this line of the journal is damaged"), "{said}");
    }
}
