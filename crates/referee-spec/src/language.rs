//! The way in: a source, its language, and what compiling it gives.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use referee_trace::mapping::Unit;
use referee_trace::value::Type;

use crate::core::{Language, Property, Rule, Span};
use crate::diagnostic::Diagnostic;

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

/// What the caller knows or wants beyond the text.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The events that a signature declares; an event that it does not declare is then an error.
    pub signature: Option<Vocabulary>,
    /// FO-LTL: binary operators may be mixed without parentheses.
    pub lenient: bool,
    /// DejaVu: `forall` and `exists` range over values seen so far.
    pub seen: bool,
    /// SOLOIST: a modality is false as long as less than its window has passed.
    pub full_window: bool,
    /// SOLOIST: a distance without a pair is true.
    pub vacuous: bool,
    /// Streams and signals: the unit of the trace's times.
    pub unit: Unit,
    /// Signals: compute the robustness, too.
    pub robustness: bool,
}

/// The events that a signature declares or a trace shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// The shapes of events, by event name.
    pub events: BTreeMap<Arc<str>, Vec<EventShape>>,
    /// Fields that are no arguments and can be read by name, as the time.
    pub fields: BTreeSet<Arc<str>>,
}

/// What arguments an event has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventShape {
    /// The arguments in order.
    pub arguments: Vec<Argument>,
}

/// One argument of an event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Argument {
    /// Its name, if it has one.
    pub name: Option<Arc<str>>,
    /// Its type, if that is known.
    pub declared: Option<Type>,
}

/// What a specification became.
#[derive(Debug, Clone, Default)]
pub struct Compiled<R = Property> {
    /// The properties, in textual order; those with errors are left out.
    pub properties: Vec<R>,
    /// Errors and lints, in textual order.
    pub diagnostics: Vec<Diagnostic>,
}

impl<R: Into<Rule>> Compiled<R> {
    /// The same, with what is particular to the language behind one type.
    pub fn into_rules(self) -> Compiled<Rule> {
        let properties = self.properties.into_iter().map(Into::into).collect();
        Compiled { properties, diagnostics: self.diagnostics }
    }
}

/// Compiles a specification.
pub fn compile(language: Language, source: &Source, options: &Options) -> Compiled<Rule> {
    match language {
        Language::Foltl => crate::plane::separate(crate::foltl::compile(source, options)),
        Language::Qtl => crate::qtl::compile(source, options).into_rules(),
        Language::Mfotl => crate::mfotl::compile(source, options).into_rules(),
        Language::Soloist => crate::soloist::compile(source, options).into_rules(),
        Language::Lola => crate::lola::compile(source, options).into_rules(),
        Language::Stl => crate::stl::compile(source, options).into_rules(),
        Language::Qea => crate::qea::compile(source, options).into_rules(),
        Language::Mop => crate::mop::compile(source, options).into_rules(),
        Language::Gcl => crate::gcl::compile(source, options).into_rules(),
        Language::Ruler => crate::ruler::compile(source, options).into_rules(),
        Language::Logfire => crate::logfire::compile(source, options).into_rules(),
        Language::Larva => crate::larva::compile(source, options).into_rules(),
    }
}

/// A specification in canonical layout, or the errors that keep it from being laid out.
pub fn format(language: Language, source: &Source) -> Result<String, Vec<Diagnostic>> {
    match language {
        Language::Foltl => crate::foltl::format(source),
        Language::Qtl => crate::qtl::format(source),
        Language::Mfotl => crate::mfotl::format(source),
        Language::Soloist => crate::soloist::format(source),
        Language::Lola => crate::lola::format(source),
        Language::Stl => crate::stl::format(source),
        Language::Qea => crate::qea::format(source),
        Language::Mop => crate::mop::format(source),
        Language::Gcl => crate::gcl::format(source),
        Language::Ruler => crate::ruler::format(source),
        Language::Logfire => crate::logfire::format(source),
        Language::Larva => crate::larva::format(source),
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
