//! What is wrong with the text of a mapping, and where.

use referee_trace::error::TraceError;
use toml::Spanned;

/// What is wrong, and where in the text.
#[derive(Debug)]
pub(super) struct Wrong {
    offset: usize,
    message: String,
    hint: Option<String>,
}

impl Wrong {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> Wrong {
        Wrong { offset, message: message.into(), hint: None }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Wrong {
        self.hint = Some(hint.into());
        self
    }

    /// The error with its place.
    pub(super) fn located(self, text: &str, file: &str) -> TraceError {
        let (line, column) = line_column(text, self.offset);
        let error = TraceError::new(self.message).in_file(file).at(line, column);
        match self.hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

/// Line and column of an offset, from 1.
fn line_column(text: &str, offset: usize) -> (u64, u64) {
    let before = text.get(..offset).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() as u64 + 1, before[start..].chars().count() as u64 + 1)
}

/// Where a place inside a string is in the document: exactly if the string has no escapes, else where it starts.
pub(super) fn inside(string: &Spanned<String>, offset: usize, text: &str) -> usize {
    let span = string.span();
    match text.get(span.start + 1..span.end.saturating_sub(1)) {
        Some(written) if written == string.get_ref() => span.start + 1 + offset,
        _ => span.start,
    }
}
