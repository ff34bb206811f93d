//! From the journal to results that can be scored.
//!
//! ```text
//!  journal ─▶ Now: runs of tools, packages and limits as they are ─▶ per benchmark: one trace ─▶ per cell: one key ─▶ Results
//!               └──────────── left out, with the reason ─────────────────┴──────────────────────┘      │
//!                                                                    settings: which cells were measured otherwise?
//! ```

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use jiff::civil::Date;

use super::basis::Setting;
use super::cell::benchmark_of;
use super::journal::{Purpose, Record, Run, Session, package_of};
use super::now::{Now, Reason};
use super::process::{Exit, errors_of};
use super::settings;
use super::verdict;
use crate::package::Package;
use crate::registration::{Contest, Eligibility};
use crate::score::{BenchmarkResults, CellResult, Outcome, Remark, Results, RunLink, TrackResults};

/// The results that a journal holds, whatever has become of tools and packages since: for each tool and benchmark the runs with
/// the newest key, quick ones where there are no others.
pub fn results(title: &str, records: &[Record]) -> Results {
    collect(title, records, &|_| None)
}

/// The results that the journal of a competition holds, as the competition is on a day: runs of tools, packages or limits as
/// they were are left out, and so are packages against which something stands; what no run counts for is said.
pub fn results_now(contest: &Contest, records: &[Record], today: Date) -> Results {
    let now = Now::of(contest, today);
    let mut results = collect(&contest.document.name, records, &|run| now.outdated(run));
    leave_out(contest, &mut results);
    tell_missing(contest, &mut results);
    results
}

/// Takes away the packages that would not be run now.
fn leave_out(contest: &Contest, results: &mut Results) {
    // Results can be scored where no packages are at hand.
    if contest.packages.is_empty() {
        return;
    }
    let remarks = &mut results.remarks;
    for track in &mut results.tracks {
        track.benchmarks.retain(|benchmark| {
            let reason = no_benchmark(contest, &benchmark.id);
            let remark = |reason| Remark { about: benchmark.id.clone(), text: format!("left out: {reason}") };
            remarks.extend(reason.clone().map(remark));
            reason.is_none()
        });
    }
    results.tracks.retain(|track| !track.benchmarks.is_empty());
}

/// Why a benchmark takes no part now.
fn no_benchmark(contest: &Contest, id: &str) -> Option<String> {
    let Some(package) = contest.package(package_of(id)) else {
        return Some("it is no package of the competition now".to_owned());
    };
    if !benchmarks(contest, package).iter().any(|known| known == id) {
        return Some("the competition does not run this trace of its package now".to_owned());
    }
    obstacle(contest, package)
}

/// The benchmarks that a package stands for: its own trace or program, and the further traces that take part.
fn benchmarks(contest: &Contest, package: &Package) -> Vec<String> {
    let further = package.further.iter().filter(|further| contest.document.wants(further));
    std::iter::once(package.id.clone()).chain(further.map(|further| benchmark_of(package, further))).collect()
}

/// What stands against a package, as far as the documents tell: it was valid when it was run, and has not changed.
fn obstacle(contest: &Contest, package: &Package) -> Option<String> {
    Eligibility::of(contest, package, &|_| Ok(())).obstacles.first().map(ToString::to_string)
}

/// Says which tools have no run that counts on a benchmark that they enter. Where nothing but quick runs count, further traces
/// are not missed.
pub(super) fn tell_missing(contest: &Contest, results: &mut Results) {
    for package in contest.packages.iter().filter(|package| obstacle(contest, package).is_none()) {
        for tool in contest.tools.iter().filter(|tool| tool.enters(package)) {
            for benchmark in benchmarks(contest, package) {
                if benchmark != package.id && only_quick(results, &package.id) {
                    continue;
                }
                tell_one(results, package.track.name(), tool.name(), &benchmark);
            }
        }
    }
}

fn tell_one(results: &mut Results, track: &str, tool: &str, benchmark: &str) {
    let track = results.tracks.iter_mut().find(|one| one.track == track);
    let cell = track.and_then(|track| {
        let index = track.tools.iter().position(|name| name == tool)?;
        track.benchmarks.iter_mut().find(|one| one.id == benchmark)?.cells.get_mut(index)
    });
    match cell {
        Some(cell) if !cell.runs.is_empty() => return,
        Some(cell) => cell.notes.push(NO_RUN.into()),
        None => {}
    }
    results.remarks.push(Remark { about: format!("{tool} on {benchmark}"), text: format!("{NO_RUN}: no points") });
}

const NO_RUN: &str = "no run counts";
const QUICK_ONLY: &str = "quick runs only";

/// Whether the runs on a benchmark are all quick ones.
fn only_quick(results: &Results, benchmark: &str) -> bool {
    let mut found = results.tracks.iter().flat_map(|track| &track.benchmarks).filter(|one| one.id == benchmark);
    found.any(|one| {
        let mut ran = one.cells.iter().filter(|cell| !cell.runs.is_empty()).peekable();
        ran.peek().is_some() && ran.all(|cell| cell.notes.iter().any(|note| note == QUICK_ONLY))
    })
}

fn collect(title: &str, records: &[Record], outdated: &dyn Fn(&Run) -> Option<Reason>) -> Results {
    let (runs, mut remarks) = chosen(records, outdated);
    let mut tracks: BTreeMap<&str, Vec<&Run>> = BTreeMap::new();
    for run in &runs {
        tracks.entry(run.track.as_str()).or_default().push(run);
    }
    let sessions: Vec<&Session> = records.iter().filter_map(Record::session).collect();
    let usual = settings::usual(&runs);
    remarks.extend(settings::remark(&runs, &sessions));
    let tracks = tracks.into_iter().map(|(name, runs)| track(name, &runs, usual));
    Results {
        title: title.to_owned(),
        tracks: tracks.filter(|track| !track.benchmarks.is_empty()).collect(),
        remarks,
        method: settings::method(&sessions, &runs),
        journal: Some("results/journal.jsonl".into()),
    }
}

/// For each tool and benchmark the runs with one key, none of them twice: whole ones rather than quick ones, then the newest;
/// and for all tools on a benchmark, runs on one trace. What is left out for another reason than being quick is told.
fn chosen<'r>(records: &'r [Record], outdated: &dyn Fn(&Run) -> Option<Reason>) -> (Vec<&'r Run>, Vec<Remark>) {
    let mut left_out: BTreeMap<Reason, usize> = BTreeMap::new();
    let mut leave = |reason: Reason| *left_out.entry(reason).or_default() += 1;
    let mut runs: Vec<&Run> = records.iter().filter_map(Record::run).collect();
    runs.retain(|run| outdated(run).map(&mut leave).is_none());
    let traces = newest(&runs, |run| run.benchmark.clone());
    runs.retain(|run| {
        let same = traces.get(&run.benchmark).is_none_or(|best| best.basis.trace == run.basis.trace);
        if !same && !run.quick {
            leave((run.benchmark.clone(), "they were on another trace than the newest".into()));
        }
        same
    });
    let best = newest(&runs, |run| (run.tool.clone(), run.benchmark.clone()));
    runs.retain(|run| {
        let best = best.get(&(run.tool.clone(), run.benchmark.clone()));
        let is_best = best.is_some_and(|best| best.key == run.key && best.quick == run.quick);
        if !is_best && !run.quick {
            leave((format!("{} on {}", run.tool, run.benchmark), superseded(run, best.copied()).into()));
        }
        is_best
    });
    let mut seen = HashSet::new();
    runs.retain(|run| seen.insert((&run.key, run.purpose, run.number)));
    let remark = |((about, why), count): (Reason, usize)| {
        let runs = if count == 1 { "1 run" } else { &format!("{count} runs") };
        Remark { about, text: format!("{runs} left out: {why}") }
    };
    (runs, left_out.into_iter().map(remark).collect())
}

/// The best run of each group: a whole one rather than a quick one, then the newest.
fn newest<'r, K: Ord>(runs: &[&'r Run], group: impl Fn(&Run) -> K) -> BTreeMap<K, &'r Run> {
    let mut best: BTreeMap<K, &Run> = BTreeMap::new();
    for run in runs {
        let held = best.entry(group(run)).or_insert(run);
        if held.quick >= run.quick {
            *held = run;
        }
    }
    best
}

/// Why newer runs count instead.
fn superseded(run: &Run, best: Option<&Run>) -> &'static str {
    match best {
        Some(best) if best.basis.setting != run.basis.setting => {
            "newer ones are from another machine or with other isolation or cores"
        }
        _ => "there are newer ones of another state of tool or package",
    }
}

fn track(name: &str, runs: &[&Run], usual: Option<&Setting>) -> TrackResults {
    let mut tools: Vec<String> = runs.iter().map(|run| run.tool.clone()).filter(|tool| !tool.is_empty()).collect();
    tools.sort();
    tools.dedup();
    // Where nothing but programs without monitor was run, there is nothing to score.
    let mut ids: Vec<&str> = runs.iter().filter(|run| !run.tool.is_empty()).map(|run| run.benchmark.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let benchmarks = ids.into_iter().map(|id| {
        let runs: Vec<&Run> = runs.iter().copied().filter(|run| run.benchmark == id).collect();
        benchmark(id, &tools, &runs, usual)
    });
    TrackResults { track: name.to_owned(), online: name != "offline", benchmarks: benchmarks.collect(), tools }
}

fn benchmark(id: &str, tools: &[String], runs: &[&Run], usual: Option<&Setting>) -> BenchmarkResults {
    let alone: Vec<f64> = runs.iter().filter(|run| run.purpose == Purpose::Alone).map(|run| run.wall).collect();
    let of_tool = |tool: &String| {
        let runs: Vec<&Run> = runs.iter().copied().filter(|run| run.tool == *tool).collect();
        let mut cell = cell(&runs);
        cell.notes.extend(settings::note(&runs, usual));
        cell
    };
    BenchmarkResults {
        id: id.to_owned(),
        title: runs.first().map(|run| run.title.clone()).unwrap_or_default(),
        expected: runs.first().map(|run| run.expected.clone()),
        alone: (!alone.is_empty()).then(|| alone.iter().sum::<f64>() / alone.len() as f64),
        cells: tools.iter().map(of_tool).collect(),
        runs: runs.iter().filter(|run| run.tool.is_empty()).map(|run| link(run)).collect(),
        package: package_of(id).to_owned(),
    }
}

/// What the runs of a tool on a benchmark amount to: the worst outcome and the measurements of those without pressure; those
/// under pressure count where there are no others.
fn cell(runs: &[&Run]) -> CellResult {
    let links = runs.iter().map(|run| link(run)).collect();
    let counted: Vec<&Run> = runs.iter().copied().filter(|run| run.purpose == Purpose::Counted).collect();
    if let Some(failed) = runs.iter().find(|run| run.purpose == Purpose::Setup && run.exit != Exit::Code(0)) {
        let notes = vec![format!("its set-up failed: {:?}", failed.exit)];
        return CellResult { outcome: Outcome::Crash, notes, runs: links, ..CellResult::default() };
    }
    let (chosen, mut notes) = undisturbed(&counted);
    if counted.iter().any(|run| run.quick) {
        notes.push(QUICK_ONLY.into());
    }
    let outcomes: Vec<(Outcome, Vec<String>)> = chosen.iter().map(|run| verdict::of_run(run)).collect();
    let outcome =
        outcomes.iter().map(|(outcome, _)| *outcome).max_by_key(|outcome| severity(*outcome)).unwrap_or_default();
    for note in outcomes.iter().flat_map(|(_, notes)| notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    let same = outcomes.iter().filter(|(one, _)| *one == outcome).count();
    if same < outcomes.len() {
        notes.push(format!("{same} of {} runs: {}", outcomes.len(), outcome.words()));
    }
    CellResult {
        outcome,
        verdict: chosen.last().and_then(|run| run.statuses.first().cloned()),
        walls: chosen.iter().map(|run| run.wall).collect(),
        memories: chosen.iter().filter_map(|run| run.memory.map(|bytes| bytes as f64)).collect(),
        own_memory: chosen.iter().filter_map(|run| run.own_memory).max().map(|bytes| bytes as f64),
        notes,
        runs: links,
    }
}

/// The runs that nothing disturbed; if all were disturbed, all of them, and a note.
fn undisturbed<'r>(counted: &[&'r Run]) -> (Vec<&'r Run>, Vec<String>) {
    let calm: Vec<&Run> = counted.iter().copied().filter(|run| !run.pressed).collect();
    match (calm.is_empty(), counted.is_empty()) {
        (true, false) => (counted.to_vec(), vec!["every run was under CPU pressure".into()]),
        _ => (calm, Vec::new()),
    }
}

fn severity(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::NotEntered => 0,
        Outcome::Correct => 1,
        Outcome::GaveUp => 2,
        Outcome::NoVerdict => 3,
        Outcome::Wrong => 4,
        Outcome::Crash => 5,
    }
}

/// Where what a run said is kept, and what it took.
fn link(run: &Run) -> RunLink {
    let results = |file: &Path| Path::new("results").join(file).display().to_string();
    let output = Path::new(&run.output);
    RunLink {
        label: label(run),
        file: results(output),
        errors: results(&errors_of(output)),
        wall: run.wall,
        cpu: run.cpu,
        memory: run.memory,
        pressed: run.pressed,
    }
}

fn label(run: &Run) -> String {
    let word = match run.purpose {
        Purpose::Counted => "run",
        Purpose::WarmUp => "warm-up",
        Purpose::Alone => "alone",
        Purpose::Setup => "set-up",
    };
    format!("{word} {}", run.number)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::run::{Basis, Killed};

    /// A calm run with the right verdict.
    pub(in crate::run) fn run(number: u32) -> Run {
        Run {
            key: "k".into(),
            basis: Basis { package: "p".into(), trace: "x".into(), ..Basis::default() },
            number,
            purpose: Purpose::Counted,
            quick: false,
            tool: "T".into(),
            tool_hash: "t".into(),
            benchmark: "B".into(),
            title: "B".into(),
            track: "offline".into(),
            expected: "Satisfied".into(),
            started: "now".into(),
            wall: 1.0,
            cpu: 1.0,
            memory: Some(1 << 20),
            memory_by: "summed PSS, sampled".into(),
            resident: None,
            own_memory: None,
            exit: Exit::Code(0),
            killed: None,
            statuses: vec!["Satisfied".into()],
            status_count: 1,
            left_behind: 0,
            output: "o".into(),
            written: 0,
            load: None,
            pressure: None,
            pressed: false,
            cores: vec![0],
        }
    }

    fn cell_of(runs: &[Run]) -> CellResult {
        let records: Vec<Record> = runs.iter().cloned().map(|run| Record::Run(Box::new(run))).collect();
        results("t", &records).tracks[0].benchmarks[0].cells[0].clone()
    }

    #[test]
    fn whole_runs_of_the_present_tool_count() {
        let run = |key: &str, quick, wall| Run { key: key.into(), tool_hash: key.into(), quick, wall, ..run(1) };
        assert_eq!(cell_of(&[run("a", false, 1.0), run("q", true, 2.0)]).walls, [1.0]);
        let cell = cell_of(&[run("q", true, 2.0)]);
        assert_eq!((cell.walls, cell.notes), (vec![2.0], vec!["quick runs only".to_owned()]));
        let both = [run("good", false, 1.0), run("broken", false, 9.0)];
        assert_eq!(cell_of(&both).walls, [9.0], "the newest");
        let records = both.map(|run| Record::Run(Box::new(run)));
        for (now, wall) in [("good", vec![1.0]), ("broken", vec![9.0]), ("another", vec![])] {
            let outdated =
                |run: &Run| (run.tool_hash != now).then(|| ("T".into(), "the tool has changed since".into()));
            let results = collect("t", &records, &outdated);
            let found: Vec<f64> =
                results.tracks.iter().flat_map(|track| &track.benchmarks[0].cells[0].walls).copied().collect();
            assert_eq!(found, wall, "{now}");
            let left_out =
                format!("{} left out: the tool has changed since", if wall.is_empty() { "2 runs" } else { "1 run" });
            assert_eq!(results.remarks, [Remark { about: "T".into(), text: left_out }], "{now}");
        }
    }

    #[test]
    fn calm_runs_count_before_pressed_ones() {
        let slow = |number| Run { killed: Some(Killed::Wall), pressed: true, wall: 9.0, ..run(number) };
        let cell = cell_of(&[slow(1), run(2)]);
        assert_eq!((cell.outcome, cell.walls, cell.notes), (Outcome::Correct, vec![1.0], vec![]));
        let cell = cell_of(&[slow(1)]);
        assert_eq!((cell.outcome, cell.walls), (Outcome::NoVerdict, vec![9.0]));
        assert!(cell.notes[0].contains("under CPU pressure"), "{:?}", cell.notes);
    }
}
