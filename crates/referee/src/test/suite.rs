//! The examples of a file, and how each went.

use serde::Serialize;

/// One example and how it went.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Case {
    /// What it is called.
    pub(super) name: String,
    /// Its line in the file, where that is known.
    pub(super) line: Option<usize>,
    /// Whether it went as written.
    pub(super) ok: bool,
    /// What went otherwise.
    pub(super) reason: Option<String>,
}

impl Case {
    /// An example and its result.
    pub(super) fn new(name: String, line: Option<usize>, result: Result<(), String>) -> Case {
        Case { name, line, ok: result.is_ok(), reason: result.err() }
    }
}

/// The examples of one file.
#[derive(Debug, Serialize)]
pub(super) struct Suite {
    /// The file.
    pub(super) file: String,
    /// Its examples.
    pub(super) tests: Vec<Case>,
}
