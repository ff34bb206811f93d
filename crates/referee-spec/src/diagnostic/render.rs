//! Diagnostics as text, the way compilers print them.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::finding::{Diagnostic, Severity};
use crate::core::Span;
use crate::source::Source;

impl Diagnostic {
    /// The diagnostic with its place, the line underlined, and its hint; without a line break at the end.
    pub fn render(&self, source: &Source, color: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let window = Window::around(source, self);
        let mut snippet = Snippet::source(window.text)
            .path(&*source.name)
            .line_start(window.first_line)
            .annotation(AnnotationKind::Primary.span(window.range(self.span)));
        for (span, words) in &self.related {
            snippet = snippet.annotation(AnnotationKind::Context.span(window.range(*span)).label(words.as_str()));
        }
        let mut group = Group::with_title(level.primary_title(self.message.as_str()).id(self.code)).element(snippet);
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group])
    }
}

/// The lines that a diagnostic speaks of: rendering them alone keeps its cost independent of the file's size.
struct Window<'s> {
    text: &'s str,
    start: usize,
    first_line: usize,
}

impl<'s> Window<'s> {
    fn around(source: &'s Source, diagnostic: &Diagnostic) -> Window<'s> {
        let whole = diagnostic.related.iter().fold(diagnostic.span, |all, (span, _)| all.to(*span));
        let whole = source.clamp(whole);
        let start = source.text[..whole.start].rfind('\n').map_or(0, |at| at + 1);
        let end = source.text[whole.end..].find('\n').map_or(source.text.len(), |at| whole.end + at);
        Window { text: &source.text[start..end], start, first_line: source.line_column(whole).0 }
    }

    /// A span as a range of the window.
    fn range(&self, span: Span) -> std::ops::Range<usize> {
        let inside = |at: usize| {
            let at = at.saturating_sub(self.start).min(self.text.len());
            (0..=at).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0)
        };
        inside(span.start)..inside(span.end).max(inside(span.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_shows_place_line_and_hint() {
        let source = Source::new("spec/a.foltl", "# first\nalways (p and)\n");
        let diagnostic = Diagnostic::error("E0003", Span { start: 21, end: 22 }, "expected a formula, found `)`")
            .hint("write a formula after `and`")
            .related(Span { start: 15, end: 16 }, "opened here");
        let text = diagnostic.render(&source, false);
        let expected = "error[E0003]: expected a formula, found `)`
 --> spec/a.foltl:2:14
  |
2 | always (p and)
  |        -     ^
  |        |
  |        opened here
  |
  = help: write a formula after `and`";
        assert_eq!(text, expected);
    }

    #[test]
    fn spans_outside_the_text_are_harmless() {
        let source = Source::new("a.foltl", "é");
        for span in [Span { start: 1, end: 1 }, Span { start: 9, end: 20 }, Span { start: 2, end: 0 }] {
            let text = Diagnostic::error("E0003", span, "here").render(&source, false);
            assert!(text.contains("a.foltl:1:"), "{text}");
        }
    }
}
