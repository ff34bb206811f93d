//! A tool that takes part: one directory with a `tool.toml`.
//!
//! ```toml
//! name     = "Referee"
//! version  = "0.1.0"
//! tracks   = ["offline"]
//! language = "FO-LTL, QTL, MFOTL"             # what its specifications are written in
//! run      = ["./run", "{benchmark}", "{trace}"]   # offline: the single script; no shell is involved
//! setup    = ["make"]                          # once, before the first run
//! ```
//!
//! For a program, the tool has a directory `<Benchmark>/` with `setup.sh`, which is run once, and `run.sh`, which is run per
//! repetition, both in a copy of the program's sources over which the directory was laid.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::document::{Document, DocumentError, Wrong};
use crate::hash::{self, Hasher};
use crate::package::{Package, Subject, Track};

/// The name of the document that makes a directory a tool.
pub const DOCUMENT: &str = "tool.toml";

/// A tool that takes part.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Its directory.
    pub directory: PathBuf,
    /// What it says about itself.
    pub manifest: Manifest,
}

/// `tool.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Manifest {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The tracks it enters.
    pub tracks: Vec<Track>,
    /// The language of its specifications.
    pub language: String,
    /// What is run for each trace; `{benchmark}`, `{trace}`, `{tool}` and `{referee}` are replaced.
    #[serde(default)]
    pub run: Vec<String>,
    /// What is run once before.
    #[serde(default)]
    pub setup: Vec<String>,
    /// The benchmarks it enters, by identifier; without it, all of its tracks.
    pub benchmarks: Option<Vec<String>>,
    /// Files outside of its directory that belong to it, such as its program.
    #[serde(default)]
    pub files: Vec<String>,
    /// Variables for its environment.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
}

/// What a command's placeholders stand for.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// `{benchmark}`
    pub benchmark: String,
    /// `{trace}`
    pub trace: PathBuf,
}

impl Tool {
    /// Loads the tool in a directory, or the one whose document this is.
    pub fn load(path: &Path) -> Result<Tool, DocumentError> {
        let file = if path.is_dir() { path.join(DOCUMENT) } else { path.to_owned() };
        let document: Document<Manifest> = Document::read(&file)?;
        check(&document.content).map_err(|wrong| document.error(wrong))?;
        let directory = file.parent().unwrap_or(Path::new("."));
        // Commands are started elsewhere, so the directory must be known from the root.
        let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        Ok(Tool { directory, manifest: document.content })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.manifest.name
    }

    /// Whether it enters a benchmark.
    pub fn enters(&self, package: &Package) -> bool {
        let named = self.manifest.benchmarks.as_ref().is_none_or(|names| names.contains(&package.id));
        let scripts = match package.subject {
            Subject::Trace(_) => !self.manifest.run.is_empty(),
            Subject::Program(_) => self.directory.join(&package.id).join("run.sh").is_file(),
        };
        named && scripts && self.manifest.tracks.contains(&package.track)
    }

    /// The command for a trace: its words with the placeholders filled in.
    pub fn command(&self, places: &Places) -> Vec<String> {
        self.filled(&self.manifest.run, places)
    }

    /// The command that is run once before, if there is one.
    pub fn setup(&self) -> Option<Vec<String>> {
        (!self.manifest.setup.is_empty()).then(|| self.filled(&self.manifest.setup, &Places::default()))
    }

    fn filled(&self, words: &[String], places: &Places) -> Vec<String> {
        let mut filled: Vec<String> = words.iter().map(|word| self.fill(word, places)).collect();
        if let Some(program) = filled.first_mut()
            && program.contains('/')
        {
            *program = self.directory.join(&*program).display().to_string();
        }
        filled
    }

    fn fill(&self, word: &str, places: &Places) -> String {
        word.replace("{tool}", &self.directory.display().to_string())
            .replace("{referee}", &referee().display().to_string())
            .replace("{benchmark}", &places.benchmark)
            .replace("{trace}", &places.trace.display().to_string())
    }

    /// The hash of everything that belongs to it: names, bytes, and which files can be run.
    pub fn hash(&self) -> io::Result<String> {
        let mut hasher = Hasher::default();
        hasher.part(hash::of_directory(&self.directory)?.as_bytes());
        for file in &self.manifest.files {
            hasher.part(hash::of_program(Path::new(&self.fill(file, &Places::default())))?.as_bytes());
        }
        Ok(hasher.finish())
    }
}

/// The program that is running: tools that are Referee itself use it.
pub fn referee() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("referee"))
}

fn check(manifest: &Manifest) -> Result<(), Wrong> {
    if manifest.name.trim().is_empty() {
        return Err(Wrong::at("name", "expected a name"));
    }
    if manifest.tracks.is_empty() {
        return Err(Wrong::at("tracks", "expected at least one track"));
    }
    if manifest.tracks.contains(&Track::Offline) && manifest.run.is_empty() {
        let wrong = Wrong::at("tracks", "the offline track needs `run`, the command for a trace");
        return Err(wrong.hint("write run = [\"./run\", \"{benchmark}\", \"{trace}\"]"));
    }
    let known = ["{tool}", "{referee}", "{benchmark}", "{trace}"];
    for (index, word) in manifest.run.iter().enumerate() {
        let rest = known.iter().fold(word.clone(), |word, place| word.replace(place, ""));
        if rest.contains('{') {
            let message = format!("`{word}` has an unknown placeholder, expected {}", known.join(", "));
            return Err(Wrong::at(format!("run[{index}]"), message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(text: &str) -> Result<Tool, String> {
        let directory = tempfile::tempdir().expect("a directory");
        std::fs::write(directory.path().join(DOCUMENT), text).expect("written");
        Tool::load(directory.path()).map_err(|error| error.to_string())
    }

    const GOOD: &str = "name = \"T\"\nversion = \"1\"\ntracks = [\"offline\"]\nlanguage = \"x\"\n";

    #[test]
    fn placeholders_are_filled_and_programs_found() {
        let tool = tool(&format!("{GOOD}run = [\"./go\", \"{{benchmark}}\", \"-t{{trace}}\"]\n")).expect("a tool");
        let command = tool.command(&Places { benchmark: "HasNext".into(), trace: "/t.csv".into() });
        assert!(command[0].ends_with("/./go") && command[0].starts_with('/'), "{command:?}");
        assert_eq!(command[1..], ["HasNext", "-t/t.csv"]);
    }

    #[test]
    fn a_file_that_can_no_longer_be_run_is_another_tool() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().expect("a directory");
        let (own, elsewhere) = (directory.path().join("tool"), directory.path().join("program"));
        std::fs::create_dir(&own).expect("made");
        let files = format!("{GOOD}run = [\"./go\"]\nfiles = [\"{}\"]\n", elsewhere.display());
        std::fs::write(own.join(DOCUMENT), files).expect("written");
        for file in [&elsewhere, &own.join("go")] {
            std::fs::write(file, "#!/bin/sh\n").expect("written");
            std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).expect("a mode");
        }
        let hash = || Tool::load(&own).expect("a tool").hash().expect("readable");
        for file in [elsewhere.clone(), own.join("go")] {
            let before = hash();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("a mode");
            assert_ne!(before, hash(), "{}", file.display());
        }
    }

    #[test]
    fn mistakes_are_explained() {
        for (more, expected) in [
            ("", "the offline track needs `run`"),
            ("run = [\"x\", \"{bench}\"]", ":5:13: `{bench}` has an unknown placeholder"),
            ("run = [\"x\"]\ncolour = 1", "unknown field `colour`"),
        ] {
            let said = tool(&format!("{GOOD}{more}\n")).expect_err("a mistake");
            assert!(said.contains(expected), "{more}: {said}");
        }
    }
}
