//! What a run stands on: everything but chance that its numbers depend on.
//!
//! ```text
//!  package ─ trace ─ limits ─ cores ─ machine ─ isolation ─▶ Basis ─┬─▶ key: what the journal keeps a cell's runs under
//!                                                 tool's hash ──────┘
//! ```
//!
//! The journal has the parts beside the key, so that scoring can compare them with the competition as it is now, and say
//! which part is another one.

use serde::{Deserialize, Serialize};

use super::process::Limits;
use crate::hash::Hasher;
use crate::package::{Package, Subject};
use crate::registration::LimitsTable;
use crate::score::Rules;

/// What a run stands on, besides its tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Basis {
    /// The hash of the package's directory.
    pub package: String,
    /// The hash of the trace; nothing for a program.
    pub trace: String,
    /// What it might use, in words.
    pub limits: String,
    /// What it was measured with.
    #[serde(flatten)]
    pub setting: Setting,
}

/// Where and how a run was measured: numbers from different settings are not to be compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Setting {
    /// The hash of the machine.
    pub machine: String,
    /// Control groups and network.
    pub isolation: String,
    /// How many cores it had.
    pub cores_allowed: usize,
}

impl Setting {
    /// Control groups and network, without the reasons in parentheses that sessions tell.
    pub(super) fn isolation(groups: &str, network: &str) -> String {
        let bare = |text: &str| text.split(" (").next().unwrap_or_default().to_owned();
        format!("{}; {}", bare(groups), bare(network))
    }
}

impl Basis {
    /// What the runs of a tool with this hash are kept under.
    pub fn key(&self, tool_hash: &str) -> String {
        let Setting { machine, isolation, cores_allowed } = &self.setting;
        let cores = cores_allowed.to_string();
        let mut hasher = Hasher::default();
        for part in [tool_hash, &self.package, &self.trace, &self.limits, machine, isolation, &cores] {
            hasher.part(part.as_bytes());
        }
        hasher.finish()
    }

    /// Whether the journal told it; lines of the first journals did not.
    pub fn is_known(&self) -> bool {
        !self.package.is_empty()
    }
}

/// What a run may use on so many cores.
pub(super) fn limits(table: &LimitsTable, cores: usize) -> Limits {
    let cpu = table.cpu.unwrap_or(table.wall * cores as f64);
    Limits { wall: table.wall, cpu, memory: table.memory << 20 }
}

/// The limits of runs on a package, in words: those of a monitored program are made of its own time, too.
pub(super) fn limits_in_words(table: &LimitsTable, cores: usize, package: &Package, rules: &Rules) -> String {
    let Limits { wall, cpu, memory } = limits(table, cores);
    let words = format!("{wall} s of wall time, {cpu} s of CPU time, {} MiB", memory >> 20);
    let (factor, floor) = (rules.time_limit.factor, rules.time_limit.floor);
    match package.subject {
        Subject::Trace(_) => words,
        Subject::Program(_) => format!("{words}; {factor} times a program's own time, at least {floor} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_in_the_key() {
        let known = Basis { package: "p".into(), ..Basis::default() };
        let with = |change: fn(&mut Basis)| {
            let mut basis = known.clone();
            change(&mut basis);
            basis.key("t")
        };
        let mut keys = vec![known.key("t"), known.key("u")];
        keys.push(with(|basis| basis.package = "q".into()));
        keys.push(with(|basis| basis.trace = "x".into()));
        keys.push(with(|basis| basis.limits = "x".into()));
        keys.push(with(|basis| basis.setting.machine = "x".into()));
        keys.push(with(|basis| basis.setting.isolation = "x".into()));
        keys.push(with(|basis| basis.setting.cores_allowed = 2));
        let all = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), all);
        assert!(known.is_known() && !Basis::default().is_known());
    }

    #[test]
    fn why_there_is_no_isolation_is_no_part_of_it() {
        let isolation =
            Setting::isolation("no control groups (v2: read-only (really))", "the network could be reached (x)");
        assert_eq!(isolation, "no control groups; the network could be reached");
    }
}
