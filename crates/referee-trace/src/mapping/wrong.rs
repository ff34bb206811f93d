//! What is wrong with the text of a mapping, and where.

use std::ops::Range;

use toml::Spanned;

use crate::error::TraceError;
use crate::nearest::nearest;

/// What is wrong with a mapping, and where in its text.
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

    /// The error with its place in the text of the mapping.
    pub(super) fn located(self, text: &str, file: &str) -> TraceError {
        let before = text.get(..self.offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = line_of(text, self.offset);
        let column = before[line_start..].chars().count() as u64 + 1;
        let error = TraceError::new(self.message).in_file(file).at(line, column);
        match self.hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

/// The line of an offset, from 1.
pub(super) fn line_of(text: &str, offset: usize) -> u64 {
    text.get(..offset).unwrap_or(text).matches('\n').count() as u64 + 1
}

/// One of a few words.
pub(super) fn choose<T>(
    word: &Spanned<String>,
    what: &str,
    known: &[&str],
    find: fn(&str) -> Option<T>,
) -> Result<T, Wrong> {
    let text = word.get_ref();
    find(text).ok_or_else(|| {
        let wrong =
            Wrong::new(word.span().start, format!("unknown {what} `{text}`, expected one of {}", known.join(", ")));
        match nearest(text, known.iter().copied()) {
            Some(name) => wrong.hint(format!("did you mean `{name}`?")),
            None => wrong,
        }
    })
}

/// Where a place inside a string is in the document: exactly if the string has no escapes, else where it starts.
pub(super) fn inside(string: &Spanned<String>, offset: usize, text: &str) -> usize {
    let Range { start, end } = string.span();
    match text.get(start + 1..end.saturating_sub(1)) {
        Some(written) if written == string.get_ref() => start + 1 + offset,
        _ => start,
    }
}
