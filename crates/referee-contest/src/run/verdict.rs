//! What a run amounts to, by the rules on `STATUS:` lines.

use super::journal::Run;
use super::process::{Exit, Killed};
use crate::score::Outcome;

/// The outcome of a run, and what is to be said about it.
pub fn of_run(run: &Run) -> (Outcome, Vec<String>) {
    let mut notes = Vec::new();
    let outcome = match (run.killed, run.exit) {
        (Some(Killed::Wall), _) => ended(&mut notes, run, Outcome::NoVerdict, "did not end within its wall time"),
        (Some(Killed::Cpu), _) => ended(&mut notes, run, Outcome::NoVerdict, "did not end within its CPU time"),
        (Some(Killed::Memory), _) => ended(&mut notes, run, Outcome::Crash, "was killed for taking too much memory"),
        (Some(Killed::Interrupt), _) => ended(&mut notes, run, Outcome::NoVerdict, "was interrupted"),
        (None, Exit::Signal(signal)) => ended(&mut notes, run, Outcome::Crash, &format!("died of signal {signal}")),
        (None, Exit::Code(code)) => by_status(run, code, &mut notes),
    };
    if run.left_behind > 0 {
        notes.push(format!("left {} processes behind, which were killed", run.left_behind));
    }
    (outcome, notes)
}

fn ended(notes: &mut Vec<String>, run: &Run, outcome: Outcome, how: &str) -> Outcome {
    let word = run.statuses.first().map(|word| format!(", though it had printed STATUS: {word}")).unwrap_or_default();
    notes.push(format!("{how}{word}"));
    outcome
}

fn by_status(run: &Run, code: i32, notes: &mut Vec<String>) -> Outcome {
    let Some(status) = run.statuses.first() else {
        let (outcome, note) = match code {
            0 => (Outcome::NoVerdict, "printed no STATUS line".to_owned()),
            code => (Outcome::Crash, format!("ended with code {code} and no STATUS line")),
        };
        notes.push(note);
        return outcome;
    };
    if run.status_count > 1 {
        notes.push(format!("printed {} STATUS lines; the first counts", run.status_count));
    }
    match status.as_str() {
        status if status == run.expected => Outcome::Correct,
        "Satisfied" | "Violated" => Outcome::Wrong,
        "GaveUp" => Outcome::GaveUp,
        "TimeOut" => Outcome::NoVerdict,
        other => {
            notes.push(format!("`{other}` is no status"));
            Outcome::Wrong
        }
    }
}
