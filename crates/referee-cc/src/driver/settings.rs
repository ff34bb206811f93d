//! What the driver knows beside the command line.

use std::path::PathBuf;

use crate::mapping::Mapping;

/// A specification, to be put into programs.
#[derive(Debug)]
pub struct EmbeddedSpecification {
    /// The file, as the user names it.
    pub file: String,
    /// The name of its language.
    pub language: String,
    /// Its text.
    pub text: String,
}

/// An option, to be put into programs.
#[derive(Debug)]
pub enum EmbeddedOption {
    /// Something is to be done.
    Flag(&'static str),
    /// Something has a name.
    Text(&'static str, String),
}

/// Runs compilers.
#[derive(Debug)]
pub struct Driver {
    /// What is an event.
    pub mapping: Mapping,
    /// What is judged.
    pub specifications: Vec<EmbeddedSpecification>,
    /// How it is judged.
    pub options: Vec<EmbeddedOption>,
    /// Where the run time is, if the user says so.
    pub runtime: Option<PathBuf>,
    /// Whether a file without events is an error.
    pub strict: bool,
    /// Prints a line for the user.
    pub tell: fn(&str),
}
