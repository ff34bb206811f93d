//! The program of a package: compiled, and run several times without a monitor, in a copy of its sources.
//!
//! ```text
//!  sources ─▶ copy ─▶ compile ─▶ run × n ─┬─▶ does each end well?
//!                                         └─▶ does each print the same?
//!  log ─▶ a trace like others: read strictly, counted, judged
//! ```
//!
//! What a program prints is its sequence of events, as far as anybody can see who does not instrument it. Runs have limits and
//! nothing of them is left, as in the competition; without network where the command that validates has left it.

use std::path::{Path, PathBuf};

use referee_trace::format::Format;
use referee_trace::format::detect::{HEAD, detect};

use super::checklist::Check;
use crate::hash;
use crate::package::{Package, Program, Trace, TraceSource};
use crate::run::{
    Exit, Groups, Killed, Limits, Order, adopt_orphans, copy_into, environment, errors_of, run_process, shell,
};
use crate::scratch::Scratch;

/// How long a command may take, in seconds, unless its author knows of more.
const PATIENCE: f64 = 60.0;
/// How much memory a command may take, in bytes.
const MEMORY: u64 = 4 << 30;
/// A program is run at least so often: one run agrees with itself.
const LEAST_RUNS: u32 = 2;

/// Compiles and runs the program.
pub(super) fn checks(package: &Package, program: &Program) -> Vec<Check> {
    let site = match Site::new(package, program) {
        Ok(site) => site,
        Err(reason) => return vec![Check::wrong("compile", reason)],
    };
    if let Err(reason) = site.end_well("compile", &program.compile, false) {
        return vec![Check::wrong("compile", reason)];
    }
    let mut checks = vec![Check::fine("compile", format!("`{}` ends well", program.compile))];
    match site.outputs() {
        Err(reason) => checks.push(Check::wrong("program", reason)),
        Ok(outputs) => {
            checks.push(Check::fine("program", format!("{} runs without a monitor end well", outputs.len())));
            checks.push(Check::of("deterministic", same(&outputs)));
        }
    }
    checks
}

/// The log of a program's events as a trace; nothing if there is none.
pub(super) fn log(package: &Package, program: &Program) -> Result<Option<Trace>, String> {
    let Some(name) = &program.log else { return Ok(None) };
    let file = package.path(name);
    let format = format_of(&file)?;
    let counts = program.counts.clone();
    let events = counts.values().sum();
    Ok(Some(Trace { source: TraceSource::File(file), format, sha256: None, events, counts, mapping: None }))
}

fn format_of(file: &Path) -> Result<Format, String> {
    use std::io::Read;
    let told = |error: std::io::Error| format!("{}: {error}", file.display());
    let mut head = Vec::new();
    std::fs::File::open(file).map_err(told)?.take(HEAD as u64).read_to_end(&mut head).map_err(told)?;
    let extension = file.extension().and_then(|extension| extension.to_str());
    detect(&String::from_utf8_lossy(&head), extension).map_err(|fault| format!("{}: {}", file.display(), fault.message))
}

/// A copy of the sources.
struct Site<'p> {
    package: &'p Package,
    program: &'p Program,
    directory: Scratch,
}

impl<'p> Site<'p> {
    fn new(package: &'p Package, program: &'p Program) -> Result<Site<'p>, String> {
        // What forks away must come to us, or it would outlive its run.
        adopt_orphans().map_err(|error| format!("orphans cannot be adopted: {error}"))?;
        let directory =
            Scratch::new("validate").map_err(|error| format!("there is no place to compile it: {error}"))?;
        let site = Site { package, program, directory };
        copy_into(&package.path(&program.sources), &site.sources()).map_err(|error| error.to_string())?;
        Ok(site)
    }

    fn sources(&self) -> PathBuf {
        self.directory.path().join("sources")
    }

    /// What each run prints.
    fn outputs(&self) -> Result<Vec<PathBuf>, String> {
        // What an implicit property forbids may well end the program.
        let may_fail = self.package.property.implicit.is_some();
        let runs = 1..=self.program.deterministic_runs.max(LEAST_RUNS);
        runs.map(|number| self.end_well(&format!("run-{number}"), &self.program.run, may_fail)).collect()
    }

    /// Runs a command; where its output is, or how it failed.
    fn end_well(&self, name: &str, command: &str, may_fail: bool) -> Result<PathBuf, String> {
        let output = self.directory.path().join(format!("{name}.out"));
        let wall = self.program.reference_time_s.map_or(PATIENCE, |time| (10.0 * time).max(PATIENCE));
        let order = Order {
            command: &shell(command),
            directory: &self.sources(),
            environment: &environment(&self.sources()),
            limits: Limits { wall, cpu: f64::INFINITY, memory: MEMORY },
            cores: &[],
            output: &output,
            name,
        };
        let measured = run_process(&order, &Groups::None("not needed".into()))
            .map_err(|fault| format!("`{command}` cannot be started: {fault:?}"))?;
        let how = match (measured.killed, measured.exit) {
            (Some(Killed::Interrupt), _) => "was interrupted".to_owned(),
            (Some(Killed::Memory), _) => format!("takes more than {} MiB", MEMORY >> 20),
            (Some(_), _) => format!("does not end within {wall} s"),
            (None, Exit::Code(0)) => return Ok(output),
            (None, _) if may_fail => return Ok(output),
            (None, Exit::Code(code)) => format!("ends with code {code}, expected 0"),
            (None, Exit::Signal(signal)) => format!("dies of signal {signal}"),
        };
        Err(format!("`{command}` {how}{}", last_words(&output)))
    }
}

/// The last line that a command wrote to its errors.
fn last_words(output: &Path) -> String {
    let text = std::fs::read(errors_of(output)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty());
    line.map(|line| format!("; it says: {line}")).unwrap_or_default()
}

/// Whether all outputs are the same.
fn same(outputs: &[PathBuf]) -> Result<String, String> {
    let hash = |file: &PathBuf| hash::of_file(file).map_err(|error| format!("{}: {error}", file.display()));
    let hashes = outputs.iter().map(hash).collect::<Result<Vec<String>, String>>()?;
    let Some((first, others)) = hashes.split_first() else { return Ok("it was not run".into()) };
    match others.iter().position(|other| other != first) {
        None => Ok(format!("{} runs print the same, with the SHA-256 {first}", hashes.len())),
        Some(index) => {
            Err(format!("run {} prints something else than run 1: {}", index + 2, difference(outputs, index + 1)))
        }
    }
}

/// The first line in which an output differs from the first one.
fn difference(outputs: &[PathBuf], other: usize) -> String {
    let read = |index: usize| outputs.get(index).and_then(|file| std::fs::read(file).ok()).unwrap_or_default();
    let (first, other) = (read(0), read(other));
    let (first, other) = (String::from_utf8_lossy(&first), String::from_utf8_lossy(&other));
    let (mut left, mut right) = (first.lines(), other.lines());
    let shown = |line: Option<&str>| line.map_or("nothing".to_owned(), |line| format!("`{line}`"));
    for number in 1.. {
        let (one, two) = (left.next(), right.next());
        if one != two || one.is_none() {
            return format!("line {number} is {} and was {}", shown(two), shown(one));
        }
    }
    String::new()
}
