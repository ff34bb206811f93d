//! `referee contest generate machine-log`: several logs of a machine in one file, which break many properties at once.
//!
//! What the log breaks, and where, depends on no single property, so it is no generator like the others: it has its own
//! options, and three formats.

use std::io::Write;

use referee_generate::machine::{MachineFormat, MachineLog};
use referee_generate::{Share, Values};
use referee_trace::format::Format;

use crate::failure::Failure;

/// Its name on the command line.
pub(super) const NAME: &str = "machine-log";
/// What it is about.
pub(super) const ABOUT: &str = "Logs of a machine with processes, phases and alarms, for the properties of STePR";
/// How many events it has unless told otherwise.
pub(super) const EVENTS: u64 = 1_000_000;

/// How many traces the steps are spread over, at most: each has a thousand steps or more.
const TRACES: u64 = 4;
/// How many processes there are unless told otherwise.
pub(super) const PROCESSES: u64 = 100;

/// A log with this many steps and processes, which begins with this seed and breaks nothing.
pub(super) fn log(events: u64, seed: u64, processes: u64, values: Values) -> MachineLog {
    MachineLog {
        steps: events,
        traces: (events / 1000).clamp(1, TRACES),
        processes: processes.max(1),
        failures_every: 0,
        at: None,
        values,
        seed,
    }
}

/// The same log with failures, which so many of its steps begin.
pub(super) fn failing(log: MachineLog, violations: Share) -> MachineLog {
    let failures = violations.down(log.steps).max(1);
    MachineLog { failures_every: log.steps.checked_div(failures).unwrap_or(0), ..log }
}

/// A log of one trace, one step of which breaks all four specifications.
pub(super) fn failing_at(log: MachineLog, at: Share) -> Result<MachineLog, Failure> {
    let place = at.up(log.steps).max(1);
    match (2..=log.steps).contains(&place) {
        true => Ok(MachineLog { traces: 1, at: Some(place), ..log }),
        false => Err(Failure::Other(format!(
            "{NAME} cannot be violated by step {place} of {}: it needs a step before that\n  hint: ask for more --events, \
             or a later --at, so that the place is 2 or more",
            log.steps
        ))),
    }
}

/// Writes a log.
pub(super) fn write(log: &MachineLog, format: Format, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(known) = MachineFormat::ALL.into_iter().find(|known| known.format() == format) else {
        let names = MachineFormat::ALL.map(|known| known.format().name()).join(", ");
        return Err(Failure::Other(format!(
            "{NAME} is not written as {}\n  hint: write one of {names}",
            format.name()
        )));
    };
    log.write(known, out)?;
    Ok(())
}
