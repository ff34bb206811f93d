//! `referee contest run`: every tool on every package.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use referee_contest::registration::Contest;
use referee_contest::run::{self, INTERRUPTED, Options, Progress, Purpose, Run};

use super::complaint::failure;
use super::table::Table;
use super::today::today;
use super::validity::Validity;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::streams::tell;

/// Run every tool on every trace and program of the packages it enters, as often as needed; what was run before is not run
/// again
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// The competition's directory
    #[arg(default_value = ".")]
    directory: PathBuf,
    /// This tool only; may be given several times
    #[arg(long = "tool", value_name = "NAME")]
    tools: Vec<String>,
    /// This package only, with its further traces, by its CamelCase identifier; may be given several times
    #[arg(long = "package", value_name = "NAME")]
    packages: Vec<String>,
    /// So many repetitions; without it, until the confidence interval is narrow
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: Option<u32>,
    /// How many runs at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    jobs: usize,
    /// How many cores each run has
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    cores: usize,
    /// One short run of each on its package's own trace, to see whether everything works
    #[arg(long)]
    quick: bool,
    /// Do without control groups
    #[arg(long)]
    no_groups: bool,
}

/// Reads a number that is not zero.
fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| format!("`{text}` is no number above 0"))
}

/// The exit code of a run that was interrupted.
const EXIT_INTERRUPTED: i32 = 130;

/// Runs the command.
pub(super) fn run(args: &RunArgs) -> Result<ExitStatus, Failure> {
    // Name spaces can be left only while there is one thread, so before everything else.
    let network = match run::leave_network() {
        Ok(()) => "no network but loopback".to_owned(),
        Err(reason) => format!("the network could be reached ({reason})"),
    };
    let contest = Contest::load(&args.directory).map_err(failure)?;
    // Without the handler an interrupt ends the process; the journal has every run but the last.
    let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
    let watcher = Watcher::default();
    // The results have a place before anything is remembered there.
    let _ = std::fs::create_dir_all(contest.results());
    let validity = Validity::of(&contest, &args.packages, args.quick);
    let options = Options {
        tools: args.tools.clone(),
        packages: args.packages.clone(),
        repeat: args.repeat,
        jobs: args.jobs,
        cores: args.cores,
        quick: args.quick,
        without_groups: args.no_groups,
        network,
        today: today(),
        validate: &|package| validity.check(package),
        progress: &|progress| watcher.hear(progress),
    };
    let summary = run::run(&contest, &options);
    watcher.finish();
    let summary = summary.map_err(failure)?;
    let mut out = std::io::stdout().lock();
    write!(out, "{}", watcher.table())?;
    writeln!(out, "{} runs done; {}", summary.runs, summary.groups)?;
    out.flush()?;
    if summary.interrupted {
        tell!("interrupted; the same command goes on where this one stopped");
        std::process::exit(EXIT_INTERRUPTED);
    }
    Ok(ExitStatus::Fine)
}

/// Shows what happens, and remembers it for the table at the end.
#[derive(Default)]
struct Watcher {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    bar: Option<ProgressBar>,
    cells: BTreeMap<(String, String), Vec<Run>>,
}

impl Watcher {
    fn hear(&self, progress: Progress<'_>) {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match progress {
            Progress::Planned { runs, done } if std::io::stderr().is_terminal() => {
                state.bar = Some(bar(runs as u64, done as u64));
            }
            Progress::Planned { .. } => {}
            Progress::Ran(run) => {
                if let Some(bar) = &state.bar {
                    bar.inc(1);
                    bar.set_message(format!("{} on {}", run.tool, run.benchmark));
                }
                if run.purpose == Purpose::Counted {
                    let key = (run.benchmark.clone(), run.tool.clone());
                    state.cells.entry(key).or_default().push(run.clone());
                }
            }
            Progress::Note(text) => tell!("note: {text}"),
        }
    }

    fn finish(&self) {
        let state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(bar) = &state.bar {
            bar.finish_and_clear();
        }
    }

    /// What was run now, cell by cell.
    fn table(&self) -> Table {
        let state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut table = Table::new(&["Benchmark", "Tool", "Outcome", ">Runs", ">Wall s", ">CPU s", ">Memory MiB"]);
        for ((benchmark, tool), runs) in &state.cells {
            let mean = |value: fn(&Run) -> f64| runs.iter().map(value).sum::<f64>() / runs.len() as f64;
            let outcome = runs.last().map(|run| run::verdict_of_run(run).0.words()).unwrap_or_default();
            table.row([
                benchmark.clone(),
                tool.clone(),
                outcome.to_owned(),
                runs.len().to_string(),
                format!("{:.3}", mean(|run| run.wall)),
                format!("{:.3}", mean(|run| run.cpu)),
                format!("{:.1}", mean(|run| run.memory.unwrap_or(0) as f64) / f64::from(1 << 20)),
            ]);
        }
        table
    }
}

fn bar(runs: u64, done: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:24} {pos} of {len} runs, {left} left  {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    let style = style.with_key("left", move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let ran = state.pos().saturating_sub(done).max(1);
        let seconds =
            state.elapsed().as_secs_f64() / ran as f64 * state.len().unwrap_or(0).saturating_sub(state.pos()) as f64;
        // A bar that cannot be drawn is no reason to stop.
        let _ = write!(out, "{}", HumanDuration(Duration::from_secs(seconds.ceil() as u64)));
    });
    ProgressBar::new(runs).with_style(style).with_position(done)
}
