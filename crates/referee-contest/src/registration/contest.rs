//! A competition as its directory holds it, checked.

use std::path::{Path, PathBuf};

use crate::document::{Document as Read, DocumentError, Wrong};
use crate::package::{DOCUMENTS, Further, Package};
use crate::tool::{self, Tool};

use super::document::Document;
use super::{phase, vote};

/// The name of the document that makes a directory a competition.
pub const DOCUMENT: &str = "contest.toml";

/// A competition.
#[derive(Debug)]
pub struct Contest {
    /// Its directory.
    pub directory: PathBuf,
    /// What it says about itself.
    pub document: Document,
    /// The packages that could be loaded.
    pub packages: Vec<Package>,
    /// The packages that could not, and why.
    pub broken: Vec<DocumentError>,
    /// The tools.
    pub tools: Vec<Tool>,
}

impl Contest {
    /// Loads the competition in a directory.
    pub fn load(directory: &Path) -> Result<Contest, DocumentError> {
        let file = directory.join(DOCUMENT);
        if !file.is_file() {
            return Err(no_contest(directory));
        }
        let read: Read<Document> = Read::read(&file)?;
        let located = |wrong: Wrong| read.error(wrong);
        check(&read.content).map_err(located)?;
        let mut contest = Contest {
            directory: directory.to_owned(),
            document: read.content.clone(),
            packages: Vec::new(),
            broken: Vec::new(),
            tools: Vec::new(),
        };
        for path in listed(directory, &read.content.packages, "packages", &DOCUMENTS).map_err(located)? {
            match Package::load(&path) {
                Ok(package) => contest.packages.push(package),
                Err(error) => contest.broken.push(error),
            }
        }
        for path in listed(directory, &read.content.tools, "tools", &[tool::DOCUMENT]).map_err(located)? {
            contest.tools.push(Tool::load(&path)?);
        }
        check_unique(&contest).map_err(located)?;
        check_references(&contest).map_err(located)?;
        Ok(contest)
    }

    /// Where results are kept.
    pub fn results(&self) -> PathBuf {
        self.directory.join("results")
    }

    /// The further trace of a package that an identifier such as `HasNext/long` names.
    pub fn further(&self, id: &str) -> Option<&Further> {
        let (package, name) = id.split_once('/')?;
        self.package(package)?.further.iter().find(|further| further.name == name)
    }

    /// The package with this identifier.
    pub fn package(&self, id: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.id == id)
    }
}

fn no_contest(directory: &Path) -> DocumentError {
    DocumentError {
        file: directory.to_owned(),
        place: None,
        message: format!("no competition: it holds no {DOCUMENT}"),
        hint: Some("write one with `name`, `packages` and `tools`; see the manual, docs/contest.md".into()),
    }
}

/// The directories that a list of paths names; `directory/*` is every one in it that holds one of the documents.
fn listed(base: &Path, paths: &[String], key: &str, documents: &[&str]) -> Result<Vec<PathBuf>, Wrong> {
    let mut found = Vec::new();
    for (index, path) in paths.iter().enumerate() {
        let at = format!("{key}[{index}]");
        match path.strip_suffix("/*") {
            None => found.push(base.join(path)),
            Some(parent) => {
                let entries = std::fs::read_dir(base.join(parent))
                    .map_err(|error| Wrong::at(&at, format!("`{parent}` cannot be listed: {error}")))?;
                let mut all: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
                all.retain(|path| documents.iter().any(|name| path.join(name).is_file()));
                all.sort();
                found.extend(all);
            }
        }
    }
    Ok(found)
}

/// What can be checked without packages and tools.
fn check(document: &Document) -> Result<(), Wrong> {
    phase::check(&document.phases)?;
    let (limits, repetitions) = (&document.limits, &document.repetitions);
    if !(limits.wall.is_finite() && limits.wall > 0.0) {
        return Err(Wrong::at("limits.wall", "expected seconds, above 0"));
    }
    if limits.cpu.is_some_and(|cpu| !(cpu.is_finite() && cpu > 0.0)) {
        return Err(Wrong::at("limits.cpu", "expected seconds, above 0"));
    }
    if limits.memory == 0 {
        return Err(Wrong::at("limits.memory", "expected MiB, above 0"));
    }
    if repetitions.least == 0 || repetitions.most < repetitions.least {
        return Err(Wrong::at("repetitions", "expected 1 ≤ least ≤ most"));
    }
    vote::check(document)
}

/// Identifiers and names are what results are kept under.
fn check_unique(contest: &Contest) -> Result<(), Wrong> {
    let mut seen = std::collections::HashSet::new();
    if let Some(package) = contest.packages.iter().find(|package| !seen.insert(package.id.as_str())) {
        return Err(Wrong::at("packages", format!("two packages have the identifier `{}`", package.id)));
    }
    let mut seen = std::collections::HashSet::new();
    match contest.tools.iter().find(|tool| !seen.insert(tool.name())) {
        Some(tool) => Err(Wrong::at("tools", format!("two tools have the name `{}`", tool.name()))),
        None => Ok(()),
    }
}

/// Questions, votes and queries are about something that there is: one about a misspelt package would be about none.
fn check_references(contest: &Contest) -> Result<(), Wrong> {
    let Document { clarifications, votes, queries, teams, .. } = &contest.document;
    // What a package that cannot be read is called, nobody knows.
    let is_package = |id: &str| contest.package(id).is_some() || !contest.broken.is_empty();
    let is_tool =
        |name: &str| contest.tools.iter().any(|tool| tool.name() == name) || teams.iter().any(|team| team.tool == name);
    let packages =
        clarifications.iter().enumerate().map(|(at, one)| (format!("clarifications[{at}].package"), &one.package));
    let packages =
        packages.chain(votes.iter().enumerate().map(|(at, one)| (format!("votes[{at}].package"), &one.package)));
    let benchmarks = queries.iter().enumerate();
    // A query may be about a further trace of a package.
    let benchmarks = benchmarks.filter_map(|(at, one)| {
        let id = one.benchmark.as_ref().filter(|id| contest.further(id).is_none())?;
        Some((format!("queries[{at}].benchmark"), id))
    });
    for (place, id) in packages.chain(benchmarks) {
        if !is_package(id) {
            let hint = "write a package's identifier as `referee contest status` lists it, such as `HasNext`";
            return Err(Wrong::at(&place, format!("there is no package `{id}`")).hint(hint));
        }
    }
    if let Some((at, query)) = queries.iter().enumerate().find(|(_, query)| !is_tool(&query.tool)) {
        return Err(Wrong::at(format!("queries[{at}].tool"), format!("there is no tool `{}`", query.tool)));
    }
    let mut seen = std::collections::HashSet::new();
    match teams.iter().find(|team| !seen.insert(team.tool.as_str())) {
        Some(team) => Err(Wrong::at("teams", format!("two teams have the tool `{}`", team.tool))),
        None => Ok(()),
    }
}
