//! Where and how results were measured: usually in one setting, and if not, a reader must know.
//!
//! A setting is a machine, its isolation and the cores of a run. The one that most cells were measured in is the usual one; cells
//! from others have a note, and all are named in a remark.

use std::collections::{BTreeMap, BTreeSet};

use super::basis::Setting;
use super::journal::{Purpose, Run, Session};
use crate::score::Remark;

/// How many cells were measured in each setting.
fn cells_by_setting<'r>(runs: &[&'r Run]) -> BTreeMap<&'r Setting, usize> {
    let counted = runs.iter().filter(|run| run.purpose == Purpose::Counted);
    let cells: BTreeSet<(&Setting, &str, &str)> =
        counted.map(|run| (&run.basis.setting, run.tool.as_str(), run.benchmark.as_str())).collect();
    let mut by_setting = BTreeMap::new();
    for (setting, ..) in cells {
        *by_setting.entry(setting).or_default() += 1;
    }
    by_setting
}

/// The setting of most cells; of several with as many, the newest.
pub(super) fn usual<'r>(runs: &[&'r Run]) -> Option<&'r Setting> {
    let cells = cells_by_setting(runs);
    let most = cells.values().max();
    runs.iter().rev().map(|run| &run.basis.setting).find(|setting| cells.get(setting) == most)
}

/// What is to be said of a cell that was not measured in the usual setting.
pub(super) fn note(runs: &[&Run], usual: Option<&Setting>) -> Option<String> {
    let (own, usual) = (&runs.first()?.basis.setting, usual?);
    let mut others = Vec::new();
    if own.machine != usual.machine {
        others.push("on another machine".to_owned());
    }
    if own.isolation != usual.isolation {
        others.push(format!("with other isolation ({})", own.isolation));
    }
    if own.cores_allowed != usual.cores_allowed {
        others.push(format!("on {}", cores(own)));
    }
    (!others.is_empty()).then(|| format!("measured otherwise than most cells: {}", others.join(", ")))
}

/// What is to be said of results from several settings.
pub(super) fn remark(runs: &[&Run], sessions: &[&Session]) -> Option<Remark> {
    let all = cells_by_setting(runs);
    let each: Vec<String> =
        all.iter().map(|(setting, cells)| format!("{} ({})", words(setting, sessions), count(*cells))).collect();
    let text = || {
        let each = each.join("; ");
        format!("times and memory were measured in {} ways, which are not to be compared: {each}", all.len())
    };
    (all.len() > 1).then(|| Remark { about: "machines and isolation".into(), text: text() })
}

fn words(setting: &Setting, sessions: &[&Session]) -> String {
    let session = sessions.iter().find(|session| session.machine.hash() == setting.machine);
    let machine = session.map_or_else(
        || "an unknown machine".to_owned(),
        |session| {
            let machine = &session.machine;
            let (cpus, memory) = (machine.cpus, machine.memory_mib);
            format!("{}, {cpus} CPUs, {memory} MiB, Linux {}, {}", machine.processor, machine.kernel, machine.governor)
        },
    );
    format!("{machine}; {}; {}", setting.isolation, cores(setting))
}

fn cores(setting: &Setting) -> String {
    match setting.cores_allowed {
        1 => "1 core".into(),
        cores => format!("{cores} cores"),
    }
}

fn count(cells: usize) -> String {
    if cells == 1 { "1 cell".into() } else { format!("{cells} cells") }
}

/// Whether runs of a session are in a setting.
fn is_of(session: &Session, setting: &Setting) -> bool {
    session.machine.hash() == setting.machine
        && Setting::isolation(&session.groups, &session.network) == setting.isolation
        && session.cores == setting.cores_allowed
}

/// The machine and the means, and which numbers are to be trusted.
pub(super) fn method(sessions: &[&Session], runs: &[&Run]) -> Vec<(String, String)> {
    let usual = usual(runs);
    let session = sessions.iter().rfind(|session| usual.is_some_and(|usual| is_of(session, usual)));
    let Some(session) = session.or(sessions.last()) else { return Vec::new() };
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
    let others = cells_by_setting(runs).into_iter().filter(|(setting, _)| Some(*setting) != usual);
    let others =
        others.map(|(setting, cells)| ("Elsewhere", format!("{}: {}", words(setting, sessions), count(cells))));
    rows.into_iter().chain(others).map(|(name, text)| (name.to_owned(), text)).collect()
}
