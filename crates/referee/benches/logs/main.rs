//! What foreign logs cost from file to verdict, in CPU time and memory of the release binary.
//!
//! `cargo bench -p referee --bench logs -- [WORK] [--events N] [--repeat N]` prints one row per work:
//!
//! - *combined*: an access log, judged by a rule over client and status: with the ready mapping, whose events have ten arguments, and with
//!   a mapping of these two;
//! - *nested*: records of thirty fields, of which a mapping names five, in turn with `serde_json` and a visitor of these five;
//! - *audit*: an audit log of Kubernetes of 1 GB, whose peak memory must be that of a tenth of it;
//! - *init*: `referee init` on that log.
//!
//! Logs are generated into the build folder (`generate`), broken by their last line; every verdict is compared with that. CPU time is
//! the least of several runs, memory that of a run that reads standard input. Nothing fails because a machine is slow.

mod generate;
#[allow(dead_code)]
#[path = "../check/measure.rs"]
mod measure;
mod typed;

use std::path::{Path, PathBuf};
use std::time::Duration;

use generate::Log;
use measure::Run;

/// What the command line asks for.
struct Wanted {
    filter: String,
    events: u64,
    repeat: u32,
}

impl Wanted {
    fn new(arguments: &[String]) -> Wanted {
        let mut wanted = Wanted { filter: String::new(), events: 1_000_000, repeat: 5 };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut number = || rest.next().and_then(|number| number.parse().ok()).expect("a number");
            match argument.as_str() {
                "--events" => wanted.events = number(),
                "--repeat" => wanted.repeat = number().try_into().expect("a small number"),
                _ if !argument.starts_with("--") => wanted.filter = argument.clone(),
                _ => {}
            }
        }
        wanted
    }
}

/// A work and what it is called.
type NamedWork = (&'static str, fn(&Wanted));

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "--measure") {
        return measure::helper(&arguments[1..]);
    }
    let wanted = Wanted::new(&arguments);
    println!(
        "{:<44} {:>9} {:>9} {:>8} {:>8}  {:<28} verdict",
        "work", "ms CPU", "M rec/s", "GB/s", "peak MB", "compared with"
    );
    let works: [NamedWork; 4] = [("combined", combined), ("nested", nested), ("audit", audit), ("init", init)];
    works.iter().filter(|(name, _)| name.contains(&*wanted.filter)).for_each(|(_, work)| work(&wanted));
}

/// An access log of nginx: who was refused once is never served again.
fn combined(wanted: &Wanted) {
    let log = generate::combined(wanted.events);
    let rule = "request(c, _, _, _, _, _, 200, _, _, _) IMPLIES NOT ONCE request(c, _, _, _, _, _, 403, _, _, _)";
    let arguments = check(&log, "combined", rule, Some("combined"));
    let run = least(&arguments, &log, wanted.repeat, || ());
    row("combined: ready mapping, ten arguments", &log, &run, "");
    let mapping = folder().join("combined.toml");
    std::fs::write(&mapping, generate::TWO_ARGUMENTS).expect("there is room for a file");
    let rule = "request(c, 200) IMPLIES NOT ONCE request(c, 403)";
    let run = least(&check(&log, "two", rule, mapping.to_str()), &log, wanted.repeat, || ());
    row("combined: mapping of client and status", &log, &run, "");
}

/// Nested records: what is shipped was paid.
fn nested(wanted: &Wanted) {
    let log = generate::nested(wanted.events);
    let rule = "shipped(o, u, a, t) IMPLIES ONCE paid(o, u, a, t)";
    let mapping = folder().join("nested.toml");
    std::fs::write(&mapping, generate::NESTED_MAPPING).expect("there is room for a file");
    let arguments = check(&log, "nested", rule, mapping.to_str());
    let bytes = std::fs::read(&log.path).expect("the log is there");
    let mut typed = Duration::MAX;
    let run = least(&arguments, &log, wanted.repeat, || typed = typed.min(measure::cpu_of(|| typed::read(&bytes))));
    let ratio = run.cpu.as_secs_f64() / typed.as_secs_f64();
    row("nested: 5 of 30 fields", &log, &run, &format!("{:.1} ms typed: {ratio:.2}x", typed.as_secs_f64() * 1e3));
}

/// Nobody but the administrator deletes namespaces, in a log of 1 GB and in a tenth of it.
fn audit(wanted: &Wanted) {
    let rule = "delete(u, \"namespaces\", _, _, _, _) IMPLIES u = \"admin\"";
    let small = generate::audit(wanted.events / 10);
    let large = generate::audit(wanted.events);
    let tenth = least(&check(&small, "audit", rule, Some("kubernetes-audit")), &small, 1, || ());
    let run = least(&check(&large, "audit", rule, Some("kubernetes-audit")), &large, wanted.repeat.min(3), || ());
    let memory = format!("{:.1} MB for a tenth", tenth.peak as f64 / 1024.0);
    row(&format!("audit: {:.2} GB", large.bytes() as f64 / 1e9), &large, &run, &memory);
}

/// `init` on the audit log and on the access log.
fn init(wanted: &Wanted) {
    for (name, log) in [("audit", generate::audit(wanted.events)), ("combined", generate::combined(wanted.events))] {
        let path = log.path.display().to_string();
        let arguments = ["init", "--stdout", &path].map(str::to_owned);
        let runs = (0..wanted.repeat.max(1)).map(|_| measure::run(&arguments, None));
        let run = runs.min_by_key(|run| run.cpu).expect("at least one run");
        let seconds = run.cpu.as_secs_f64();
        let work = format!("init: {name}, {:.2} GB", log.bytes() as f64 / 1e9);
        println!("{work:<44} {:>9.1} {:>9} {:>8} {:>8.1}", seconds * 1e3, "-", "-", run.peak as f64 / 1024.0);
    }
}

/// Where logs and specifications are kept.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

fn check(log: &Log, name: &str, rule: &str, mapping: Option<&str>) -> Vec<String> {
    let specification = folder().join(format!("{name}.mfotl"));
    std::fs::write(&specification, rule).expect("there is room for a file");
    let (specification, path) = (specification.display().to_string(), log.path.display().to_string());
    let mapping = mapping.expect("a mapping with a plain name");
    ["check", &specification, &path, "--map", mapping, "--threads", "1"].map(str::to_owned).to_vec()
}

/// The least CPU time of several runs in turn with something else, and the peak memory of one that reads standard input.
fn least(arguments: &[String], log: &Log, repeat: u32, mut other: impl FnMut()) -> Run {
    let mut best: Option<Run> = None;
    for _ in 0..repeat.max(1) {
        other();
        let run = measure::run(arguments, None);
        assert_eq!(
            (run.status.as_str(), run.point),
            ("Violated", Some(log.broken_at)),
            "the log is broken by its last line"
        );
        best = best.filter(|best| best.cpu <= run.cpu).or(Some(run));
    }
    let mut piped = arguments.to_vec();
    piped[2] = "-".to_owned();
    let peak = measure::run(&piped, Some(Path::new(&log.path))).peak;
    Run { peak, ..best.expect("at least one run") }
}

fn row(work: &str, log: &Log, run: &Run, compared: &str) {
    let seconds = run.cpu.as_secs_f64();
    println!(
        "{work:<44} {:>9.1} {:>9.2} {:>8.2} {:>8.1}  {compared:<28} {} at {}",
        seconds * 1e3,
        log.records as f64 / seconds / 1e6,
        log.bytes() as f64 / seconds / 1e9,
        run.peak as f64 / 1024.0,
        run.status,
        log.broken_at,
    );
}
