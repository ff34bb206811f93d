//! What running a tool under Referee adds to running it.
//!
//! `cargo bench -p referee-contest --bench overhead` runs `true` 200 times by itself and 200 times in a competition, with control
//! groups and without, and prints medians of wall time. Everything between two entries of the journal counts: the fresh directory,
//! the group, the limits, the output and the entry itself. Nothing here fails because a machine is slow.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use referee_contest::registration::Contest;
use referee_contest::run::{self, Options, Progress};

const RUNS: u32 = 200;

fn main() {
    let alone = median((0..RUNS).map(|_| timed(|| drop(Command::new("true").status()))).collect());
    println!("`true` alone: {:.2} ms (median of {RUNS})", milliseconds(alone));
    for without_groups in [false, true] {
        let (each, groups) = in_a_competition(without_groups);
        let added = each.saturating_sub(alone);
        println!("with {groups}: {:.2} ms, of which Referee adds {:.2} ms", milliseconds(each), milliseconds(added));
    }
}

/// The median time from one run to the next, and what control groups there were.
fn in_a_competition(without_groups: bool) -> (Duration, String) {
    let directory = tempfile::tempdir().expect("a directory");
    write_contest(directory.path());
    let contest = Contest::load(directory.path()).expect("a competition");
    let moments = Mutex::new(Vec::new());
    let hear = |progress: Progress<'_>| {
        if let Progress::Ran(_) = progress {
            moments.lock().expect("one thread at a time").push(Instant::now());
        }
    };
    let options = Options {
        tools: Vec::new(),
        packages: Vec::new(),
        repeat: Some(RUNS),
        jobs: 1,
        cores: 1,
        quick: false,
        without_groups,
        network: "not asked".into(),
        today: jiff::civil::date(2026, 1, 1),
        validate: &|_| Ok(()),
        progress: &hear,
    };
    let summary = run::run(&contest, &options).expect("it runs");
    let moments = moments.into_inner().expect("nobody is left");
    (median(moments.windows(2).map(|pair| pair[1] - pair[0]).collect()), summary.groups)
}

/// A competition of one tool on one package.
fn write_contest(directory: &Path) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/has-next");
    let document = format!(
        "name = \"Overhead\"\npackages = [\"{}\"]\ntools = [\"tool\"]\n[repetitions]\nwarm-up = 0\npressure = 1.0\n",
        package.display()
    );
    let tool = "name = \"True\"\nversion = \"1\"\ntracks = [\"offline\"]\nlanguage = \"none\"\nrun = [\"true\"]\n";
    std::fs::create_dir(directory.join("tool")).expect("made");
    std::fs::write(directory.join("contest.toml"), document).expect("written");
    std::fs::write(directory.join("tool/tool.toml"), tool).expect("written");
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
