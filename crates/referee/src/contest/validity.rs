//! Which packages of a competition are valid, remembered from one start to the next.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::UNIX_EPOCH;

use referee_contest::hash;
use referee_contest::package::Package;
use referee_contest::registration::Contest;
use referee_contest::run::INTERRUPTED;
use referee_contest::validate::{self, Effort};

/// What is wrong with packages, by what they and the validator were when it was found: nothing where all was well.
type Memory = BTreeMap<String, Option<String>>;

/// What is wrong with the packages of a competition.
pub(super) struct Validity {
    wrong: BTreeMap<String, Option<String>>,
}

impl Validity {
    /// Validates the packages with these identifiers, or all, at small sizes; at very small ones for a quick run. What was
    /// validated before and has not changed is not validated again.
    pub(super) fn of(contest: &Contest, only: &[String], quick: bool) -> Validity {
        let effort = effort(quick);
        let file = contest.results().join("validation.json");
        let mut memory = recall(&file);
        let asked = contest.packages.iter().filter(|package| only.is_empty() || only.contains(&package.id));
        let keyed: Vec<(String, &Package)> = asked.map(|package| (key(package, &effort), package)).collect();
        let unknown: Vec<&Package> =
            keyed.iter().filter(|(key, _)| !memory.contains_key(key)).map(|(_, package)| *package).collect();
        let found = validate::verdicts(&unknown, &effort);
        let mut wrong = BTreeMap::new();
        for (key, package) in keyed {
            let verdict = found.get(&package.id).cloned().or_else(|| memory.get(&key).cloned()).unwrap_or_default();
            memory.insert(key, verdict.clone());
            wrong.insert(package.id.clone(), verdict);
        }
        // What was interrupted is not known.
        if !INTERRUPTED.load(Ordering::Relaxed) {
            remember(&file, &memory);
        }
        Validity { wrong }
    }

    /// What is wrong with a package, if anything.
    pub(super) fn check(&self, package: &Package) -> Result<(), String> {
        self.wrong.get(&package.id).cloned().flatten().map_or(Ok(()), Err)
    }
}

fn effort(quick: bool) -> Effort {
    match quick {
        true => Effort { events: Some(100), random: 20, ..Effort::small() },
        false => Effort::small(),
    }
}

/// What a verdict depends on: the package, how hard one looks, and who looks.
fn key(package: &Package, effort: &Effort) -> String {
    // A package that cannot be hashed is validated each time, and says then what is wrong.
    let directory = hash::of_directory(&package.directory).unwrap_or_else(|_| package.id.clone());
    let program: Option<(u64, u64)> = std::env::current_exe().ok().as_deref().and_then(identity);
    let Effort { events, random, seed, .. } = effort;
    hash::of_bytes(format!("{directory} {events:?} {random} {seed} {program:?}").as_bytes())
}

/// The size of a file, and when it was changed.
fn identity(file: &Path) -> Option<(u64, u64)> {
    let about = std::fs::metadata(file).ok()?;
    Some((about.len(), about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_secs()))
}

/// What is remembered; nothing if it cannot be read.
fn recall(file: &PathBuf) -> Memory {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Remembers, where there are results already; what cannot be remembered is found again.
fn remember(file: &Path, memory: &Memory) {
    let Ok(text) = serde_json::to_string_pretty(memory) else { return };
    let unfinished = file.with_added_extension("unfinished");
    let _ = std::fs::write(&unfinished, text).and_then(|()| std::fs::rename(&unfinished, file));
}
