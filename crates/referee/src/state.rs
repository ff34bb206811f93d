//! `referee state`: what a saved state holds.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use referee_engine::judge::Size;
use referee_engine::session::{SavedPart, SavedRule, SavedState};
use referee_trace::stats::Exact;
use serde::Serialize;

use crate::check::{InputMark, InputProgress, read_state, refused_state};
use crate::exit::ExitStatus;
use crate::failure::Failure;

/// Say what a saved state holds: how far it came, its rules, and what is kept for each
#[derive(Debug, Args)]
pub(crate) struct StateArgs {
    /// The file that `check --resume` keeps
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What `state --json` prints; `schemas/state.schema.json` describes it.
#[derive(Serialize)]
struct Document {
    /// How many bytes the state has.
    bytes: u64,
    /// The number of the newest point.
    point: u64,
    /// How many events there were; unknown in the midst of a file.
    events: Option<u64>,
    /// The newest time.
    time: Option<Exact>,
    kinds: BTreeMap<String, u64>,
    inputs: Vec<InputReport>,
    rules: Vec<RuleReport>,
    parts: Vec<PartReport>,
}

#[derive(Serialize)]
struct InputReport {
    name: String,
    bytes: u64,
    /// Whether a run ended in the midst of it.
    unfinished: bool,
}

#[derive(Serialize)]
struct RuleReport {
    name: String,
    language: String,
    violations: u64,
    /// Whether more violations of it would be told.
    judged: bool,
    tables: Vec<TableReport>,
}

#[derive(Serialize)]
struct TableReport {
    purpose: String,
    rows: usize,
}

#[derive(Serialize)]
struct PartReport {
    /// The names of the rules that it is kept for.
    rules: Vec<String>,
    /// The first point that they were judged at.
    first_point: u64,
    bytes: usize,
}

/// Runs the command.
pub(crate) fn run(args: &StateArgs) -> Result<ExitStatus, Failure> {
    let path = &args.file;
    let Some(bytes) = read_state(path)? else {
        return Err(Failure::Other(format!("{}: there is no such file", path.display())));
    };
    let saved = SavedState::read(&bytes).map_err(|error| refused_state(path, &error))?;
    let progress = match saved.note.is_empty() {
        true => None,
        false => Some(InputProgress::read(saved.note).map_err(|damaged| refused_state(path, &damaged.into()))?.0),
    };
    let document = Document::of(&saved, progress.as_ref(), bytes.len());
    let mut out = BufWriter::new(io::stdout().lock());
    if args.json {
        serde_json::to_writer(&mut out, &document).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        out.write_all(document.text().as_bytes())?;
    }
    out.flush()?;
    Ok(ExitStatus::Fine)
}

impl Document {
    fn of(saved: &SavedState<'_>, progress: Option<&InputProgress>, bytes: usize) -> Document {
        let extent = progress.filter(|progress| !progress.is_unfinished()).map(InputProgress::extent);
        let counts = extent.map_or(&[][..], |extent| &extent.counts);
        let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
        for (shape, count) in saved.shapes.iter().zip(counts).filter(|(_, count)| **count > 0) {
            *kinds.entry(shape.name.to_string()).or_default() += count;
        }
        let time = extent.and_then(|extent| extent.position.time.clone()).or_else(|| saved.position.clock.clone());
        Document {
            bytes: bytes as u64,
            point: saved.position.point,
            events: match (extent, progress) {
                (Some(extent), _) => Some(extent.counts.iter().sum()),
                (None, Some(_)) => None,
                (None, None) => Some(saved.position.events),
            },
            time: time.map(Exact),
            kinds,
            inputs: progress.map(inputs).unwrap_or_default(),
            rules: saved.rules.iter().enumerate().map(|(number, rule)| rule_report(number, rule, saved)).collect(),
            parts: parts(saved),
        }
    }

    /// The report as people read it.
    fn text(&self) -> String {
        let mut lines: Vec<String> = vec![format!("bytes    {}", self.bytes), format!("point    {}", self.point)];
        lines.extend(self.events.map(|events| format!("events   {events}")));
        lines.extend(self.time.iter().map(|time| format!("time     {}", time.0)));
        for input in &self.inputs {
            let how_far = if input.unfinished { ", of which a part was judged" } else { "" };
            lines.push(format!("log      {}, {} bytes{how_far}", input.name, input.bytes));
        }
        for rule in &self.rules {
            lines.push(String::new());
            lines.push(format!("rule     {} ({}): {}", rule.name, rule.language, rule.verdict()));
            let mut parts = self.parts.iter().filter(|part| part.rules.contains(&rule.name));
            if let Some(part) = parts.next() {
                let shared = if part.rules.len() > 1 { ", shared with other rules" } else { "" };
                let late = match part.first_point {
                    1 => String::new(),
                    point => format!(", judged from point {point} on"),
                };
                lines.push(format!("  kept   {} bytes{shared}{late}", part.bytes));
            }
            lines.extend(rule.tables.iter().map(|table| format!("  rows   {} for `{}`", table.rows, table.purpose)));
        }
        lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}

impl RuleReport {
    fn verdict(&self) -> String {
        match (self.violations, self.judged) {
            (0, _) => "not violated so far".to_owned(),
            (count, true) => format!("Violated, violations told: {count}"),
            (count, false) => format!("Violated, violations told: {count}; more are not wanted"),
        }
    }
}

fn inputs(progress: &InputProgress) -> Vec<InputReport> {
    let last = progress.inputs.len();
    let report = |(number, input): (usize, &InputMark)| InputReport {
        name: input.name.clone(),
        bytes: input.length,
        unfinished: number == last && progress.is_unfinished(),
    };
    (1..).zip(&progress.inputs).map(report).collect()
}

fn rule_report(number: usize, rule: &SavedRule, saved: &SavedState<'_>) -> RuleReport {
    let sizes = saved.parts.iter().flat_map(|part| &part.sizes).filter(|size| size.rule == number);
    let table = |size: &Size| TableReport { purpose: size.purpose.clone(), rows: size.rows };
    RuleReport {
        name: rule.name.clone(),
        language: rule.language.clone(),
        violations: rule.violations,
        judged: rule.active,
        tables: sizes.map(table).collect(),
    }
}

fn parts(saved: &SavedState<'_>) -> Vec<PartReport> {
    let name = |rule: &usize| saved.rules[*rule].name.clone();
    let part = |part: &SavedPart<'_>| PartReport {
        rules: part.rules.iter().map(name).collect(),
        first_point: part.before + 1,
        bytes: part.bytes.len(),
    };
    saved.parts.iter().map(part).collect()
}
