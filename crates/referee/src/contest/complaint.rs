//! What `referee-contest` complains of, as a failure of the command.

use crate::failure::Failure;

/// Makes a failure of any error of the competition.
pub(super) fn failure(error: impl std::fmt::Display) -> Failure {
    Failure::Other(error.to_string())
}
