//! Which phase a competition is in.

use jiff::civil::Date;

use super::document::{Period, Phases};
use crate::document::Wrong;

/// A part of a competition's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Teams register.
    Registration,
    /// Packages are handed in.
    Benchmarks,
    /// Packages are questioned.
    Clarifications,
    /// Tools are handed in.
    Monitors,
    /// Tools are run.
    Evaluation,
}

impl Phase {
    /// In their order.
    pub const ALL: [Phase; 5] =
        [Phase::Registration, Phase::Benchmarks, Phase::Clarifications, Phase::Monitors, Phase::Evaluation];

    /// The name that the document uses.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Registration => "registration",
            Phase::Benchmarks => "benchmarks",
            Phase::Clarifications => "clarifications",
            Phase::Monitors => "monitors",
            Phase::Evaluation => "evaluation",
        }
    }

    fn period(self, phases: &Phases) -> Option<&Period> {
        match self {
            Phase::Registration => phases.registration.as_ref(),
            Phase::Benchmarks => phases.benchmarks.as_ref(),
            Phase::Clarifications => phases.clarifications.as_ref(),
            Phase::Monitors => phases.monitors.as_ref(),
            Phase::Evaluation => phases.evaluation.as_ref(),
        }
    }
}

/// Where a day lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The phases that are open; several may be.
    pub open: Vec<Phase>,
    /// The last day of each open phase.
    pub ends: Vec<Date>,
    /// The phases that are over.
    pub over: Vec<Phase>,
    /// The next phase and its first day.
    pub next: Option<(Phase, Date)>,
}

impl Position {
    /// Where a day lies in the phases.
    pub fn of(phases: &Phases, day: Date) -> Position {
        let mut position = Position { open: Vec::new(), ends: Vec::new(), over: Vec::new(), next: None };
        for phase in Phase::ALL {
            let Some((starts, ends)) = phase.period(phases).and_then(days) else { continue };
            if day > ends {
                position.over.push(phase);
            } else if day >= starts {
                position.open.push(phase);
                position.ends.push(ends);
            } else if position.next.is_none_or(|(_, first)| starts < first) {
                position.next = Some((phase, starts));
            }
        }
        position
    }

    /// Whether a phase is over.
    pub fn is_over(&self, phase: Phase) -> bool {
        self.over.contains(&phase)
    }
}

fn days(period: &Period) -> Option<(Date, Date)> {
    Some((period.starts.parse().ok()?, period.ends.parse().ok()?))
}

/// Days must be days, and phases must not end before they begin.
pub(super) fn check(phases: &Phases) -> Result<(), Wrong> {
    for phase in Phase::ALL {
        let Some(period) = phase.period(phases) else { continue };
        for (key, text) in [("starts", &period.starts), ("ends", &period.ends)] {
            if text.parse::<Date>().is_err() {
                let path = format!("phases.{}.{key}", phase.name());
                return Err(Wrong::at(path, format!("`{text}` is no day")).hint("write one like \"2016-05-01\""));
            }
        }
        if days(period).is_some_and(|(starts, ends)| ends < starts) {
            return Err(Wrong::at(format!("phases.{}.ends", phase.name()), "the phase ends before it starts"));
        }
    }
    Ok(())
}
