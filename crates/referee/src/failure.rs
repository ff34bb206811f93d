//! What ends a command early.

use std::io;

use referee_trace::error::TraceError;
use referee_trace::write::WriteError;

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A trace, mapping or signature that cannot be read or written.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The output takes no more.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// A specification with errors, which were printed; this is the first.
    #[error("{file}:{line}:{column}: the specification cannot be judged: {message}")]
    Specification {
        /// What is wrong.
        message: String,
        /// The file.
        file: String,
        /// Line, from 1.
        line: u64,
        /// Column, from 1.
        column: u64,
    },
    /// Anything else, said in a sentence.
    #[error("{0}")]
    Other(String),
}

impl Failure {
    /// Whether the reader of our output has gone away, which is nobody's fault.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Refused(error) => Failure::Trace(error),
            WriteError::Output(error) => Failure::Output(error),
        }
    }
}
