//! `referee contest generate machine-log`: several logs of a machine in one file, which break many properties at once.
//!
//! What the log breaks, and where, depends on no single property, so it is no generator like the others: it has its own
//! options, and three formats.

use std::io::Write;

use referee_contest::generate::Share;
use referee_contest::generate::machine::{MachineFormat, MachineLog};
use referee_trace::format::Format;

use crate::failure::Failure;

/// Its name on the command line.
pub const NAME: &str = "machine-log";
/// What it is about.
pub const ABOUT: &str = "Logs of a machine with processes, phases and alarms, for the properties of STePR";
/// How many events it has unless told otherwise.
pub const EVENTS: u64 = 1_000_000;

/// How many traces the steps are spread over, at most: each has a thousand steps or more.
const TRACES: u64 = 4;
/// How many processes there are unless told otherwise.
pub const PROCESSES: u64 = 100;

/// A log with this many steps; of a violated one, so many of the steps begin a failure.
pub fn log(events: u64, seed: u64, processes: u64, violations: Option<Share>) -> MachineLog {
    let failures = violations.map_or(0, |share| share.down(events).max(1));
    MachineLog {
        steps: events,
        traces: (events / 1000).clamp(1, TRACES),
        processes: processes.max(1),
        failures_every: events.checked_div(failures).unwrap_or(0),
        seed,
    }
}

/// Writes a log.
pub fn write(log: &MachineLog, format: Format, out: &mut dyn Write) -> Result<(), Failure> {
    let format = match format {
        Format::Csv => MachineFormat::Csv,
        Format::CsvNamed => MachineFormat::CsvNamed,
        Format::Xml => MachineFormat::Xml,
        other => {
            let name = other.name();
            return Err(Failure::Other(format!(
                "{NAME} is not written as {name}\n  hint: write csv, csv-named or xml"
            )));
        }
    };
    log.write(format, out)?;
    Ok(())
}
