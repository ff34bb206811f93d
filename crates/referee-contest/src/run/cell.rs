//! One tool on one package: the runs that are missing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::basis::Basis;
use super::group;
use super::journal::{Purpose, Run};
use super::machine;
use super::process::{self, Exit, Fault, INTERRUPTED, Killed, Limits, Measured, Order, errors_of};
use super::repeat::Policy;
use super::site::{self, RunError, Site};
use super::status::Said;
use super::verdict;
use crate::package::{Further, Package, Verdict};
use crate::score::{Missing, Outcome};

/// A tool and a trace or program of a package.
pub(super) struct Cell<'a> {
    /// The package.
    pub package: &'a Package,
    /// Which of its further traces; nothing for its own trace or program.
    pub further: Option<&'a Further>,
    /// The name of the tool; the empty string is the program alone.
    pub tool: String,
    /// The hash of the tool.
    pub tool_hash: String,
    /// What its runs stand on.
    pub basis: Basis,
    /// What the journal keeps its runs under.
    pub key: String,
    /// What is run.
    pub command: Vec<String>,
    /// Variables that the tool asks for.
    pub environment: BTreeMap<String, String>,
    /// Where it is run; without it, in a fresh directory each time.
    pub directory: Option<PathBuf>,
    /// What it may use.
    pub limits: Limits,
}

impl Cell<'_> {
    /// Runs what is missing, as often as the policy asks for; the journal has each run before the next begins.
    pub(super) fn run_missing(
        &self,
        site: &Site<'_>,
        policy: &Policy,
        counted: Purpose,
        cores: &[usize],
    ) -> Result<(), RunError> {
        while let Some((purpose, number)) = self.missing(site, policy, counted) {
            if !self.run_once(site, purpose, number, cores)? {
                break;
            }
        }
        Ok(())
    }

    /// The next run that is missing, if there is one.
    pub(super) fn missing(&self, site: &Site<'_>, policy: &Policy, counted: Purpose) -> Option<(Purpose, u32)> {
        let past = site.past(&self.key);
        let (before, since) = past.split_at(site.known(&self.key).min(past.len()));
        let warm_ups = past.iter().filter(|run| run.purpose == Purpose::WarmUp).count() as u32;
        // Quick runs are enough for quick sessions only.
        let counts = |run: &&Arc<Run>| run.purpose == counted && (site.quick() || !run.quick);
        let of = |runs: &[Arc<Run>]| runs.iter().filter(counts).cloned().collect::<Vec<_>>();
        let repeats = site.rules.measurement.missing == Missing::Repeat && counted == Purpose::Counted;
        let (before, since) = (of(before), of(since));
        if is_done(&before, &since, policy, repeats) {
            return None;
        }
        let number = past.iter().filter(|run| run.purpose == counted).count() as u32 + 1;
        match before.is_empty() && since.is_empty() && warm_ups < policy.warm_up {
            true => Some((Purpose::WarmUp, warm_ups + 1)),
            false => Some((counted, number)),
        }
    }

    /// One run, recorded; false if it was interrupted and does not count.
    pub(super) fn run_once(
        &self,
        site: &Site<'_>,
        purpose: Purpose,
        number: u32,
        cores: &[usize],
    ) -> Result<bool, RunError> {
        if INTERRUPTED.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let output = self.output(purpose, number);
        let file = site.results.join(&output);
        let scratch = Scratch::new(self.directory.as_deref(), &site.work.join(format!("{}-{number}", self.short())))?;
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent).map_err(|error| RunError::file(parent, error))?;
        }
        let started = site.now();
        let (load, waited) = (machine::load(), machine::waited());
        let measured = self.measure(site, &scratch.directory, &file, cores)?;
        if measured.killed == Some(Killed::Interrupt) {
            return Ok(false);
        }
        let pressure = machine::waited()
            .zip(waited)
            .map(|(after, before)| ((after - before) / measured.wall.max(1e-6)).clamp(0.0, 1.0));
        let busy = pressure.unwrap_or_else(|| {
            load.map_or(0.0, |[load, ..]| (load / machine::allowed_cpus().len() as f64 - 0.9).max(0.0))
        });
        site.record(Run {
            key: self.key.clone(),
            basis: self.basis.clone(),
            number,
            purpose,
            quick: site.quick(),
            tool: self.tool.clone(),
            tool_hash: self.tool_hash.clone(),
            benchmark: self.benchmark(),
            title: self.title(),
            track: self.package.track.name().to_owned(),
            expected: self.verdict().status.name().to_owned(),
            started,
            wall: measured.wall,
            cpu: measured.cpu,
            memory: measured.memory,
            memory_by: measured.memory_by.to_owned(),
            resident: measured.resident,
            own_memory: measured.said.memory,
            exit: measured.exit,
            killed: measured.killed,
            statuses: measured.said.statuses,
            status_count: measured.said.status_count,
            left_behind: measured.left_behind,
            output,
            written: measured.written,
            load,
            pressure,
            pressed: busy > site.policy.pressure,
            cores: cores.to_vec(),
        })?;
        Ok(true)
    }

    fn measure(&self, site: &Site<'_>, directory: &Path, output: &Path, cores: &[usize]) -> Result<Measured, RunError> {
        let mut environment = site::environment(directory);
        environment.extend(self.environment.clone());
        let name = group::name(site.next_number());
        let order = Order {
            command: &self.command,
            directory,
            environment: &environment,
            limits: self.limits,
            cores,
            output,
            name: &name,
        };
        match process::run(&order, &site.groups) {
            Ok(measured) => Ok(measured),
            Err(Fault::Platform(error)) => Err(RunError::file(output, error)),
            Err(Fault::NotStarted(error)) => {
                let text = format!("{} cannot be started: {error}\n", self.command.join(" "));
                let errors = errors_of(output);
                for (file, text) in [(output, ""), (&errors, &text)] {
                    fs::write(file, text).map_err(|error| RunError::file(file, error))?;
                }
                Ok(not_started())
            }
        }
    }

    /// What its results are kept under: the package, and the name of a further trace.
    pub(super) fn benchmark(&self) -> String {
        match self.further {
            Some(further) => benchmark_of(self.package, further),
            None => self.package.id.clone(),
        }
    }

    fn title(&self) -> String {
        match self.further {
            Some(further) => format!("{}, {}", self.package.name, further.name),
            None => self.package.name.clone(),
        }
    }

    fn verdict(&self) -> &Verdict {
        self.further.map_or(&self.package.verdict, |further| &further.verdict)
    }

    /// Where the output is kept, relative to the results.
    fn output(&self, purpose: Purpose, number: u32) -> String {
        let word = match purpose {
            Purpose::Counted => "run",
            Purpose::WarmUp => "warm-up",
            Purpose::Alone => "alone",
            Purpose::Setup => "setup",
        };
        let tool = if self.tool.is_empty() { "alone".to_owned() } else { file_name(&self.tool) };
        format!("outputs/{tool}/{}/{}-{word}-{number}.out", file_name(&self.benchmark()), self.short())
    }

    fn short(&self) -> &str {
        self.key.get(..8).unwrap_or(&self.key)
    }
}

/// Whether nothing is to be gained from another run, after those of earlier sessions and of this one. A right verdict
/// without a measurement of memory is tried again where the rules say so.
fn is_done(before: &[Arc<Run>], since: &[Arc<Run>], policy: &Policy, repeats: bool) -> bool {
    let calm: Vec<&Run> = before.iter().chain(since).map(|run| &**run).filter(|run| !run.pressed).collect();
    // A run that was ended for its time would only be ended again, unless others had taken that time.
    if calm.iter().any(|run| matches!(run.killed, Some(Killed::Wall | Killed::Cpu))) {
        return true;
    }
    // Sessions that saw nothing but pressure tell nothing, so that this one has all its attempts.
    let in_vain = before.iter().all(|run| run.pressed);
    let attempts = if in_vain { since.len() } else { before.len() + since.len() };
    let right = calm.iter().filter(|run| verdict::of_run(run).0 == Outcome::Correct).count();
    let unmeasured = repeats && right > 0 && right == calm.len() && calm.iter().all(|run| run.memory.is_none());
    let walls: Vec<f64> = calm.iter().map(|run| run.wall).collect();
    policy.is_spent(attempts) || (policy.is_enough(&walls, attempts) && !unmeasured)
}

/// The identifier of a further trace of a package.
pub(super) fn benchmark_of(package: &Package, further: &Further) -> String {
    format!("{}/{}", package.id, further.name)
}

/// A name that is safe as the name of a file.
pub(super) fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

/// What is recorded of a command that cannot be started: the shell's code for that.
fn not_started() -> Measured {
    Measured {
        wall: 0.0,
        cpu: 0.0,
        memory: None,
        memory_by: "not measured: not started",
        resident: None,
        exit: Exit::Code(127),
        killed: None,
        said: Said::default(),
        written: 0,
        left_behind: 0,
    }
}

/// Where a run happens; a fresh directory goes away with this.
struct Scratch {
    directory: PathBuf,
    fresh: bool,
}

impl Scratch {
    fn new(given: Option<&Path>, fresh: &Path) -> Result<Scratch, RunError> {
        if let Some(directory) = given {
            return Ok(Scratch { directory: directory.to_owned(), fresh: false });
        }
        fs::create_dir_all(fresh).map_err(|error| RunError::file(fresh, error))?;
        Ok(Scratch { directory: fresh.to_owned(), fresh: true })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.fresh {
            // What cannot be removed is removed with the next session.
            let _ = fs::remove_dir_all(&self.directory);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registration::Repetitions;
    use crate::run::collect::tests::run;

    fn runs(list: &[Run]) -> Vec<Arc<Run>> {
        list.iter().cloned().map(Arc::new).collect()
    }

    #[test]
    fn a_timeout_under_pressure_is_not_final() {
        let policy = Policy::new(&Repetitions::default()).fixed(1);
        let slow = |pressed| Run { killed: Some(Killed::Wall), pressed, ..run(1) };
        assert!(is_done(&[], &runs(&[slow(false)]), &policy, false), "calm");
        assert!(!is_done(&[], &runs(&[slow(true)]), &policy, false), "pressed");
        assert!(is_done(&[], &runs(&[slow(true), slow(true)]), &policy, false), "enough for a session");
        assert!(!is_done(&runs(&[slow(true), slow(true)]), &[], &policy, false), "the next session tries again");
        assert!(is_done(&runs(&[slow(true), slow(true)]), &runs(&[run(3)]), &policy, false), "and has it");
    }

    #[test]
    fn a_run_without_memory_is_repeated_up_to_the_cap() {
        let policy = Policy::new(&Repetitions::default()).fixed(1);
        let without = |number| Run { memory: None, ..run(number) };
        assert!(!is_done(&runs(&[without(1)]), &[], &policy, true));
        assert!(is_done(&runs(&[without(1)]), &[], &policy, false), "where the rules give index 0");
        assert!(is_done(&runs(&[without(1)]), &runs(&[run(2)]), &policy, true), "measured");
        assert!(is_done(&runs(&[without(1)]), &runs(&[without(2)]), &policy, true), "the cap");
        let wrong = Run { statuses: vec!["Violated".into()], ..without(1) };
        assert!(is_done(&runs(&[wrong]), &[], &policy, true), "a wrong verdict needs no memory");
    }
}
