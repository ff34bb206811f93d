//! The rules of a competition, as data.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Outcome;
use crate::document::{Document, DocumentError, Wrong};

/// The rules that come with Referee, by name.
const BUILT_IN: [(&str, &str); 2] =
    [("crv14", include_str!("../../../../rules/crv14.toml")), ("crv16", include_str!("../../../../rules/crv16.toml"))];

/// Everything that a score depends on besides the results.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rules {
    /// Their name.
    pub name: String,
    /// The competition they are from.
    pub title: String,
    /// What a benchmark is worth.
    pub points: Points,
    /// What is taken away.
    pub penalties: Penalties,
    /// How long a monitored program may take.
    pub time_limit: TimeLimit,
    /// What is made of measurements.
    pub measurement: Measurement,
    /// What counts as a verdict.
    pub status: Status,
    /// Who is before whom.
    pub ranking: Ranking,
}

/// What a benchmark is worth.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// For the right verdict.
    pub correctness: f64,
    /// Shared by speed.
    pub overhead: f64,
    /// Shared by memory.
    pub memory: f64,
}

/// What is taken away, by kind of track.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Penalties {
    /// Where traces are judged.
    pub offline: Penalty,
    /// Where programs are.
    pub online: Penalty,
}

/// What is taken away.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Penalty {
    /// The tool or the monitored program crashed.
    pub crash: f64,
    /// No verdict in time.
    pub no_verdict: f64,
    /// The wrong verdict.
    pub wrong: f64,
    /// The tool gave up.
    pub gave_up: f64,
}

/// How long a monitored program may take.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TimeLimit {
    /// So many times its time without monitor.
    pub factor: f64,
    /// But never less than this, in seconds.
    pub floor: f64,
}

/// What is made of measurements.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Measurement {
    /// Shorter times are taken for this one.
    pub clock_resolution: f64,
    /// What becomes of a right verdict without time or memory.
    pub missing: Missing,
}

/// What becomes of a right verdict without time or memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// It gets no points for them.
    IndexZero,
    /// It is to be run again; until then it gets none either, and says so.
    Repeat,
}

/// What counts as a verdict.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Status {
    /// Where it is read.
    pub verdicts: Verdicts,
}

/// Where a verdict is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdicts {
    /// In the table of results.
    AsReported,
    /// In `STATUS:` lines.
    Lines,
}

/// Who is before whom.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ranking {
    /// Totals that differ by no more than this are a draw.
    pub draw: f64,
}

impl Rules {
    /// The names of the rules that come with Referee.
    pub fn built_in_names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// Rules by their name or from a file.
    pub fn load(name: &str) -> Result<Rules, DocumentError> {
        let document: Document<Rules> = match BUILT_IN.iter().find(|(built_in, _)| *built_in == name) {
            Some((name, text)) => Document::parse(Path::new(name), (*text).to_owned())?,
            None => Document::read(Path::new(name)).map_err(|error| unknown(name, error))?,
        };
        check(&document.content).map_err(|wrong| document.error(wrong))?;
        Ok(document.content)
    }

    /// The correctness score of an outcome.
    pub fn correctness(&self, outcome: Outcome, online: bool) -> f64 {
        let penalty = if online { &self.penalties.online } else { &self.penalties.offline };
        match outcome {
            Outcome::Correct => self.points.correctness,
            Outcome::NotEntered => 0.0,
            Outcome::Wrong => penalty.wrong,
            Outcome::GaveUp => penalty.gave_up,
            Outcome::NoVerdict => penalty.no_verdict,
            Outcome::Crash => penalty.crash,
        }
    }

    /// How long a program that takes `alone` seconds by itself may take with a monitor.
    pub fn online_limit(&self, alone: f64) -> f64 {
        (self.time_limit.factor * alone).max(self.time_limit.floor)
    }
}

/// A file that is not there is probably a misspelt name.
fn unknown(name: &str, error: DocumentError) -> DocumentError {
    if error.place.is_some() || Path::new(name).exists() {
        return error;
    }
    let names: Vec<&str> = Rules::built_in_names().collect();
    DocumentError { hint: Some(format!("--rules takes a TOML file or one of: {}", names.join(", "))), ..error }
}

/// Points are shared, so they and what they are divided by cannot be negative.
fn check(rules: &Rules) -> Result<(), Wrong> {
    let positive = [
        ("points.correctness", rules.points.correctness),
        ("points.overhead", rules.points.overhead),
        ("points.memory", rules.points.memory),
        ("time-limit.factor", rules.time_limit.factor),
        ("time-limit.floor", rules.time_limit.floor),
        ("measurement.clock-resolution", rules.measurement.clock_resolution),
    ];
    if let Some((path, number)) = positive.into_iter().find(|(_, number)| !(number.is_finite() && *number > 0.0)) {
        return Err(Wrong::at(path, format!("expected a number above 0, found {number}")));
    }
    match rules.ranking.draw.is_finite() && rules.ranking.draw >= 0.0 {
        true => Ok(()),
        false => Err(Wrong::at("ranking.draw", "expected a number that is not negative")),
    }
}
