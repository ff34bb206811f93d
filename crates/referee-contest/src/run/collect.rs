//! From the journal to results that can be scored.

use std::collections::{BTreeMap, HashSet};

use super::journal::{Purpose, Record, Run, Session};
use super::process::Exit;
use super::verdict;
use crate::package::Package;
use crate::registration::{Contest, Eligibility};
use crate::score::{BenchmarkResults, CellResult, Outcome, Remark, Results, RunLink, TrackResults};
use crate::tool::Tool;

/// The results that a journal holds: for each tool and benchmark the runs with the newest key, quick ones where there are no
/// others.
pub fn results(title: &str, records: &[Record]) -> Results {
    collect(title, records, &BTreeMap::new())
}

/// The results that the journal of a competition holds, as the competition is now: runs of the tools as they are come before
/// others, packages against which something stands are left out, and what was never run is said.
pub fn results_now(contest: &Contest, records: &[Record]) -> Results {
    let hash = |tool: &Tool| Some((tool.name().to_owned(), tool.hash().ok()?));
    let mut results = collect(&contest.document.name, records, &contest.tools.iter().filter_map(hash).collect());
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
    let obstacle = |id: &str| match contest.package(id) {
        None => Some("it is no package of the competition now".to_owned()),
        Some(package) => obstacle(contest, package),
    };
    let remarks = &mut results.remarks;
    for track in &mut results.tracks {
        track.benchmarks.retain(|benchmark| {
            let reason = obstacle(&benchmark.id);
            let remark = |reason| Remark { about: benchmark.id.clone(), text: format!("left out: {reason}") };
            remarks.extend(reason.clone().map(remark));
            reason.is_none()
        });
    }
    results.tracks.retain(|track| !track.benchmarks.is_empty());
}

/// What stands against a package, as far as the documents tell: it was valid when it was run.
fn obstacle(contest: &Contest, package: &Package) -> Option<String> {
    Eligibility::of(contest, package, &|_| Ok(())).obstacles.first().map(ToString::to_string)
}

/// Says which tools were never run on a package that they enter.
fn tell_missing(contest: &Contest, results: &mut Results) {
    for package in contest.packages.iter().filter(|package| obstacle(contest, package).is_none()) {
        for tool in contest.tools.iter().filter(|tool| tool.enters(package)) {
            let cell =
                results.tracks.iter_mut().filter(|track| track.track == package.track.name()).find_map(|track| {
                    let index = track.tools.iter().position(|name| name == tool.name())?;
                    track.benchmarks.iter_mut().find(|one| one.id == package.id)?.cells.get_mut(index)
                });
            match cell {
                Some(cell) if !cell.runs.is_empty() => continue,
                Some(cell) => cell.notes.push("never run".into()),
                None => {}
            }
            let about = format!("{} on {}", tool.name(), package.id);
            results.remarks.push(Remark { about, text: "never run: no points".into() });
        }
    }
}

fn collect(title: &str, records: &[Record], hashes: &BTreeMap<String, String>) -> Results {
    let runs = chosen(records, hashes);
    let mut tracks: BTreeMap<&str, Vec<&Run>> = BTreeMap::new();
    for run in &runs {
        tracks.entry(run.track.as_str()).or_default().push(run);
    }
    let mut sessions = records.iter().filter_map(|record| match record {
        Record::Session(session) => Some(session),
        Record::Run(_) => None,
    });
    Results {
        title: title.to_owned(),
        tracks: tracks.into_iter().map(|(name, runs)| track(name, &runs)).collect(),
        remarks: Vec::new(),
        method: sessions.next_back().map(|session| method(session, &runs)).unwrap_or_default(),
    }
}

/// For each tool and benchmark the runs with one key, none of them twice: whole ones rather than quick ones, then those of the
/// tool as it is now, then the newest.
fn chosen<'r>(records: &'r [Record], hashes: &BTreeMap<String, String>) -> Vec<&'r Run> {
    let runs = || {
        records.iter().filter_map(|record| match record {
            Record::Run(run) => Some(&**run),
            Record::Session(_) => None,
        })
    };
    let rank = |run: &Run| (!run.quick, hashes.get(&run.tool) == Some(&run.tool_hash));
    let mut best: BTreeMap<(&str, &str), &Run> = BTreeMap::new();
    for run in runs() {
        let held = best.entry((&run.tool, &run.benchmark)).or_insert(run);
        if rank(run) >= rank(held) {
            *held = run;
        }
    }
    let is_best = |run: &&Run| {
        best.get(&(run.tool.as_str(), run.benchmark.as_str()))
            .is_some_and(|best| best.key == run.key && best.quick == run.quick)
    };
    let mut seen = HashSet::new();
    runs().filter(is_best).filter(|run| seen.insert((&run.key, run.purpose, run.number))).collect()
}

fn track(name: &str, runs: &[&Run]) -> TrackResults {
    let mut tools: Vec<String> = runs.iter().map(|run| run.tool.clone()).filter(|tool| !tool.is_empty()).collect();
    tools.sort();
    tools.dedup();
    let mut ids: Vec<&str> = runs.iter().map(|run| run.benchmark.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let benchmarks = ids.into_iter().map(|id| {
        let runs: Vec<&Run> = runs.iter().copied().filter(|run| run.benchmark == id).collect();
        benchmark(id, &tools, &runs)
    });
    TrackResults { track: name.to_owned(), online: name != "offline", benchmarks: benchmarks.collect(), tools }
}

fn benchmark(id: &str, tools: &[String], runs: &[&Run]) -> BenchmarkResults {
    let alone: Vec<f64> = runs.iter().filter(|run| run.purpose == Purpose::Alone).map(|run| run.wall).collect();
    let of_tool = |tool: &String| cell(&runs.iter().copied().filter(|run| run.tool == *tool).collect::<Vec<_>>());
    BenchmarkResults {
        id: id.to_owned(),
        title: runs.first().map(|run| run.title.clone()).unwrap_or_default(),
        expected: runs.first().map(|run| run.expected.clone()),
        alone: (!alone.is_empty()).then(|| alone.iter().sum::<f64>() / alone.len() as f64),
        cells: tools.iter().map(of_tool).collect(),
    }
}

/// What the runs of a tool on a benchmark amount to: the worst outcome and the measurements of those without pressure; those
/// under pressure count where there are no others.
fn cell(runs: &[&Run]) -> CellResult {
    let links = runs.iter().map(|run| RunLink { label: label(run), file: format!("results/{}", run.output) }).collect();
    let counted: Vec<&Run> = runs.iter().copied().filter(|run| run.purpose == Purpose::Counted).collect();
    if let Some(failed) = runs.iter().find(|run| run.purpose == Purpose::Setup && run.exit != Exit::Code(0)) {
        let notes = vec![format!("its set-up failed: {:?}", failed.exit)];
        return CellResult { outcome: Outcome::Crash, notes, runs: links, ..CellResult::default() };
    }
    let (chosen, mut notes) = undisturbed(&counted);
    if counted.iter().any(|run| run.quick) {
        notes.push("quick runs only".into());
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

fn label(run: &Run) -> String {
    let word = match run.purpose {
        Purpose::Counted => "run",
        Purpose::WarmUp => "warm-up",
        Purpose::Alone => "alone",
        Purpose::Setup => "set-up",
    };
    format!("{word} {}", run.number)
}

/// The machine and the means, and which numbers are to be trusted.
fn method(session: &Session, runs: &[&Run]) -> Vec<(String, String)> {
    let machine = &session.machine;
    let pressed = runs.iter().filter(|run| run.pressed).count();
    let mut by: Vec<&str> = runs.iter().map(|run| run.memory_by.as_str()).collect();
    by.sort_unstable();
    by.dedup();
    let sampled = by.iter().any(|by| by.ends_with("sampled"));
    let trust = match (session.groups.starts_with("control groups"), sampled) {
        (true, false) => "exact, of the whole tree; memory includes the page cache that the tool filled",
        (true, true) => {
            "of the whole tree; CPU time exact, memory sampled, so that short peaks may be missed, and with the page cache that \
             the tool filled"
        }
        (false, _) => {
            "CPU time exact for processes that were waited for; memory sampled, so that short peaks may be missed"
        }
    };
    let rows = [
        ("Processor", machine.processor.clone()),
        ("CPUs", machine.cpus.to_string()),
        ("Memory", format!("{} MiB", machine.memory_mib)),
        ("System", format!("{}, Linux {}", machine.system, machine.kernel)),
        ("Clock governor", machine.governor.clone()),
        ("Isolation", format!("{}; {}", session.groups, session.network)),
        ("At a time", format!("{} runs on {} cores each", session.jobs, session.cores)),
        ("Memory measured by", by.join("; ")),
        ("CPU time and memory are", trust.to_owned()),
        ("Runs", format!("{}, of which {pressed} under CPU pressure", runs.len())),
        ("Last session", session.started.clone()),
    ];
    rows.map(|(name, text)| (name.to_owned(), text)).to_vec()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::run::Killed;

    /// A calm run with the right verdict.
    pub(in crate::run) fn run(number: u32) -> Run {
        Run {
            key: "k".into(),
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
    fn whole_runs_of_the_present_tool_come_first() {
        let run = |key: &str, quick, wall| Run { key: key.into(), tool_hash: key.into(), quick, wall, ..run(1) };
        assert_eq!(cell_of(&[run("a", false, 1.0), run("q", true, 2.0)]).walls, [1.0]);
        let cell = cell_of(&[run("q", true, 2.0)]);
        assert_eq!((cell.walls, cell.notes), (vec![2.0], vec!["quick runs only".to_owned()]));
        let both = [run("good", false, 1.0), run("broken", false, 9.0)];
        assert_eq!(cell_of(&both).walls, [9.0], "the newest");
        let records = both.map(|run| Record::Run(Box::new(run)));
        for (now, wall) in [("good", 1.0), ("broken", 9.0), ("another", 9.0)] {
            let hashes = [("T".to_owned(), now.to_owned())].into();
            assert_eq!(collect("t", &records, &hashes).tracks[0].benchmarks[0].cells[0].walls, [wall], "{now}");
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
