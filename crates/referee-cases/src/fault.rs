//! What is wrong with a document.

use std::fmt;

/// A document that does not follow the format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl Fault {
    pub(crate) fn new(line: usize, message: impl Into<String>) -> Fault {
        Fault { line, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Fault {}
