//! Files that people write: TOML, or the same in JSON, read strictly.
//!
//! ```text
//!  text ─▶ parse ─▶ T (serde: unknown keys, wrong types)  ─▶ checks of meaning, which know a path: property.events[2]
//!            └──────────── DocumentError: file, line, column, message, hint ◀───────────────┘ place(path)
//! ```
//!
//! Checks of meaning come after the structure is known and name what is wrong by its path; for TOML the path is looked up
//! in the text again, so that every error has a line and a column. Nothing is paid for that while all is well.

mod place;

use std::fmt;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use referee_trace::mapping::nearest;

/// What is wrong with a document, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct DocumentError {
    /// The file.
    pub file: PathBuf,
    /// Line and column, from 1.
    pub place: Option<(usize, usize)>,
    /// One plain sentence without its full stop.
    pub message: String,
    /// What to write or do instead.
    pub hint: Option<String>,
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if let Some((line, column)) = self.place {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

/// Something wrong with what a document says, by its path in the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    path: String,
    message: String,
    hint: Option<String>,
}

impl Wrong {
    /// Something wrong with what is at `path`, such as `property.events[2].name`.
    pub fn at(path: impl Into<String>, message: impl Into<String>) -> Wrong {
        Wrong { path: path.into(), message: message.into(), hint: None }
    }

    /// The same with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Wrong {
        self.hint = Some(hint.into());
        self
    }
}

/// A document whose structure is as it should be, and its text.
#[derive(Debug)]
pub struct Document<T> {
    /// The file.
    pub file: PathBuf,
    /// What it says.
    pub content: T,
    text: String,
}

impl<T: DeserializeOwned> Document<T> {
    /// Reads a file; `.json` is JSON, everything else TOML.
    pub fn read(file: &Path) -> Result<Document<T>, DocumentError> {
        let text = std::fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
        Document::parse(file, text)
    }

    /// Reads a text; `file` names it, and its extension tells the syntax.
    pub fn parse(file: &Path, text: String) -> Result<Document<T>, DocumentError> {
        let content = match is_json(file) {
            true => serde_json::from_str(&text).map_err(|error| from_json(file, &error)),
            false => toml::from_str(&text).map_err(|error| from_toml(file, &text, &error)),
        }?;
        Ok(Document { file: file.to_owned(), content, text })
    }
}

impl<T> Document<T> {
    /// The error that something wrong in this document is.
    pub fn error(&self, wrong: Wrong) -> DocumentError {
        let place = (!is_json(&self.file)).then(|| place::of_path(&self.text, &wrong.path)).flatten();
        let message = match place.is_some() || wrong.path.is_empty() {
            true => wrong.message,
            false => format!("{}: {}", wrong.path, wrong.message),
        };
        DocumentError { file: self.file.clone(), place, message, hint: wrong.hint }
    }
}

fn is_json(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "json")
}

fn unreadable(file: &Path, error: &std::io::Error) -> DocumentError {
    DocumentError { file: file.to_owned(), place: None, message: format!("cannot be read: {error}"), hint: None }
}

/// The parser's own message: its first line says all; an unknown key is compared with those that are known.
fn from_toml(file: &Path, text: &str, error: &toml::de::Error) -> DocumentError {
    let place = error.span().map(|span| place::of_offset(text, span.start));
    let message = error.message().lines().collect::<Vec<_>>().join(", ");
    DocumentError { file: file.to_owned(), place, hint: meant(&message), message }
}

fn from_json(file: &Path, error: &serde_json::Error) -> DocumentError {
    let full = error.to_string();
    let message = full.rsplit_once(" at line ").map_or(full.as_str(), |(message, _)| message).to_owned();
    let place = Some((error.line(), error.column().max(1)));
    DocumentError { file: file.to_owned(), place, hint: meant(&message), message }
}

/// What an unknown word probably means, by the list of known ones that serde's message ends with.
fn meant(message: &str) -> Option<String> {
    if !message.starts_with("unknown") {
        return None;
    }
    let mut names = message.split('`').skip(1).step_by(2);
    let name = nearest(names.next()?, names)?;
    Some(format!("did you mean `{name}`?"))
}

#[cfg(test)]
mod tests;
