//! What ends the driver early.

use std::io;
use std::path::Path;

use referee_trace::error::TraceError;

/// Why the driver could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// The mapping does not fit the program.
    #[error("{}", several(.0))]
    Mapping(Vec<TraceError>),
    /// Something with files or programs.
    #[error("{0}")]
    Other(String),
}

impl From<TraceError> for DriverError {
    fn from(error: TraceError) -> Self {
        DriverError::Mapping(vec![error])
    }
}

impl DriverError {
    pub(super) fn folder(error: io::Error) -> DriverError {
        DriverError::Other(format!("no folder for temporary files can be made: {error}"))
    }

    pub(super) fn file(path: &Path, error: &io::Error) -> DriverError {
        DriverError::Other(format!("{}: {error}", path.display()))
    }

    pub(super) fn compiler(name: &str, error: &io::Error) -> DriverError {
        DriverError::Other(format!("the compiler `{name}` cannot be started: {error}"))
    }
}

fn several(errors: &[TraceError]) -> String {
    errors.iter().map(TraceError::to_string).collect::<Vec<_>>().join("\nerror: ")
}
