//! The text of a specification, and where in it something stands.

use std::sync::Arc;

use crate::core::Span;

/// A specification's text and where it came from.
#[derive(Debug, Clone)]
pub struct Source {
    /// The file's name as the user gave it.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
    /// The file's name without folder and extension: the name of a property that has none of its own.
    pub stem: String,
}

impl Source {
    /// A text that came from the file called `name`.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<str>>) -> Source {
        let name = name.into();
        let file = name.rsplit(['/', '\\']).next().unwrap_or(&name);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        Source { stem: if stem.is_empty() { file } else { stem }.to_owned(), text: text.into(), name }
    }

    /// The line and the column, in characters, at which a span begins; both count from 1.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let before = &self.text[..self.clamp(span).start];
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }

    /// The text at a span.
    pub fn slice(&self, span: Span) -> &str {
        let span = self.clamp(span);
        &self.text[span.start..span.end]
    }

    /// The part of a span that lies in the text, at character boundaries.
    pub fn clamp(&self, span: Span) -> Span {
        let floor = |at: usize| (0..=at.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at));
        let start = floor(span.start).unwrap_or(0);
        Span { start, end: floor(span.end).unwrap_or(0).max(start) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_know_their_stem_and_lines() {
        let source = Source::new("dir/open.close.foltl", "aé\n\nb");
        assert_eq!(source.stem, "open.close");
        assert_eq!(source.line_column(Span { start: 3, end: 3 }), (1, 3));
        assert_eq!(source.line_column(Span { start: 5, end: 6 }), (3, 1));
        assert_eq!(source.line_column(Span { start: 50, end: 60 }), (3, 2));
        assert_eq!(source.slice(Span { start: 2, end: 4 }), "é\n");
        assert_eq!(Source::new("-", "").stem, "-");
        assert_eq!(Source::new(".foltl", "").stem, ".foltl");
    }
}
