//! One diagnostic, and how much it matters.

use crate::core::Span;

/// How much a diagnostic matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The specification cannot be judged.
    Error,
    /// It can, but perhaps does not say what was meant.
    Warning,
}

/// Something wrong or doubtful in a specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// The code that `referee explain` knows: `E0123` for errors, `L0123` for lints.
    pub code: &'static str,
    /// Where.
    pub span: Span,
    /// One plain sentence without its full stop.
    pub message: String,
    /// What to write or do instead.
    pub hint: Option<String>,
    /// Other places that belong to it, each with a few words.
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// Something that keeps the specification from being judged.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, span, message.into())
    }

    /// Something that looks like a mistake.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, span, message.into())
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: String) -> Diagnostic {
        Diagnostic { severity, code, span, message, hint: None, related: Vec::new() }
    }

    /// The same with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// The same with another place that belongs to it.
    #[must_use]
    pub fn related(mut self, span: Span, words: impl Into<String>) -> Diagnostic {
        self.related.push((span, words.into()));
        self
    }

    /// Whether it keeps the specification from being judged.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Whether any of the diagnostics is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}
