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
    /// Interrupted before the end.
    Interrupted,
}

impl ExitStatus {
    /// The number that the process ends with.
    pub(crate) fn code(self) -> u8 {
        match self {
            ExitStatus::Fine => 0,
            ExitStatus::Violated => 1,
            ExitStatus::Failed => 2,
            ExitStatus::Interrupted => 130,
        }
    }
}

impl Termination for ExitStatus {
    fn report(self) -> ExitCode {
        ExitCode::from(self.code())
    }
}
