//! What can go wrong with a trace, and where.
//!
//! A decoder knows only the block of text before it, so it reports a [`Fault`] at an offset in that block. The reader
//! knows the file and how many lines went before, and makes a [`TraceError`] of it.

use std::{fmt, io};

use crate::number::TOO_LARGE;

/// Something wrong at a place in the current block: what a decoder or a sink reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where, in bytes from the start of the block.
    pub offset: usize,
    /// One plain sentence without its full stop: what was expected and what was found.
    pub message: String,
    /// What to write or do instead.
    pub hint: Option<String>,
}

impl Fault {
    /// A fault at `offset` of the current block.
    pub fn new(offset: usize, message: impl Into<String>) -> Self {
        Fault { offset, message: message.into(), hint: None }
    }

    /// A text that is written as a number is, and larger than numbers may be: to take it for a text would change its type without a
    /// word.
    #[cold]
    pub fn too_large(text: &str, offset: usize) -> Self {
        Fault::new(offset, format!("the number `{}` is too large: {TOO_LARGE}", excerpt(text)))
            .hint("where it is a name, declare it so in a mapping, `args = [\"id:string\"]`, or in a signature")
    }

    /// The same fault with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// The start of a text that may be long, for a message.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A trace, a mapping or a signature that cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct TraceError {
    /// The file's name as the user gave it; `-` is standard input.
    pub file: Option<String>,
    /// Line, counted from 1.
    pub line: Option<u64>,
    /// Column in characters, counted from 1.
    pub column: Option<u64>,
    /// One plain sentence without its full stop.
    pub message: String,
    /// What to write or do instead.
    pub hint: Option<String>,
}

impl TraceError {
    /// An error that concerns no particular file yet.
    pub fn new(message: impl Into<String>) -> Self {
        TraceError { file: None, line: None, column: None, message: message.into(), hint: None }
    }

    /// The same error, in this file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// The same error, at this line and column.
    #[must_use]
    pub fn at(mut self, line: u64, column: u64) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    /// The same error with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
            if let (Some(line), Some(column)) = (self.line, self.column) {
                write!(f, "{line}:{column}:")?;
            }
            write!(f, " ")?;
        }
        write!(f, "{}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

/// Why a trace is not written to its end.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The format cannot carry it.
    #[error(transparent)]
    Refused(#[from] TraceError),
    /// The output takes no more.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

/// Why reading stops before the end of the input.
#[derive(Debug)]
pub enum Stop {
    /// The sink has seen enough.
    Enough,
    /// The input is wrong. Boxed: the hot path returns `Result<(), Stop>` once per event.
    Fault(Box<Fault>),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Stop::Fault(Box::new(fault))
    }
}

/// What a sink answers to each event: go on, or stop.
pub type Flow = Result<(), Stop>;
