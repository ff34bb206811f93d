//! From the journal to results that can be scored.

use std::collections::{BTreeMap, HashSet};

use super::journal::{Purpose, Record, Run, Session};
use super::process::Exit;
use super::verdict;
use crate::score::{BenchmarkResults, CellResult, Outcome, Results, RunLink, TrackResults};

/// The results that a journal holds: for each tool and benchmark the runs with the newest key.
pub fn results(title: &str, records: &[Record]) -> Results {
    let runs = newest(records);
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

/// The runs whose key is the last that was used for their tool and benchmark, none of them twice.
fn newest(records: &[Record]) -> Vec<&Run> {
    let runs = || {
        records.iter().filter_map(|record| match record {
            Record::Run(run) => Some(&**run),
            Record::Session(_) => None,
        })
    };
    let keys: BTreeMap<(&str, &str), &str> =
        runs().map(|run| ((run.tool.as_str(), run.benchmark.as_str()), run.key.as_str())).collect();
    let mut seen = HashSet::new();
    runs()
        .filter(|run| keys.get(&(run.tool.as_str(), run.benchmark.as_str())) == Some(&run.key.as_str()))
        .filter(|run| seen.insert((&run.key, run.purpose, run.number)))
        .collect()
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
    fn calm_runs_count_before_pressed_ones() {
        let slow = |number| Run { killed: Some(Killed::Wall), pressed: true, wall: 9.0, ..run(number) };
        let cell = cell_of(&[slow(1), run(2)]);
        assert_eq!((cell.outcome, cell.walls, cell.notes), (Outcome::Correct, vec![1.0], vec![]));
        let cell = cell_of(&[slow(1)]);
        assert_eq!((cell.outcome, cell.walls), (Outcome::NoVerdict, vec![9.0]));
        assert!(cell.notes[0].contains("under CPU pressure"), "{:?}", cell.notes);
    }
}
