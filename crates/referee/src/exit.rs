//! How the process ends.

use std::process::{ExitCode, Termination};

/// The exit codes of all commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// Done; satisfied; all checks passed.
    Fine,
    /// Violated, or a check, test or comparison failed.
    Violated,
    /// Could not: usage, unreadable input, bad specification, GaveUp, TimeOut.
    Failed,
}

impl Termination for ExitStatus {
    fn report(self) -> ExitCode {
        ExitCode::from(match self {
            ExitStatus::Fine => 0,
            ExitStatus::Violated => 1,
            ExitStatus::Failed => 2,
        })
    }
}
