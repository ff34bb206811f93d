//! Tokens, and the loop that makes them of a text.

use std::fmt;

use logos::Logos;

use referee_trace::number::{TOO_LARGE, is_too_large};

use crate::core::Span;
use crate::diagnostic::Diagnostic;

/// A kind of token of one language. `Display` is how messages name it: "`and`", "a name".
pub trait TokenKind: Copy + PartialEq + fmt::Display {
    /// What stands after the last token.
    const END: Self;

    /// Whether it is a comment, which the parser does not see.
    fn is_comment(self) -> bool;

    /// For a token that the lexer recognises only to reject it (an unclosed string): what is wrong, and what to write.
    fn fault(self) -> Option<(&'static str, &'static str)>;

    /// For an opening bracket its closing one.
    fn closing(self) -> Option<Self>;
}

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<K> {
    /// What it is.
    pub kind: K,
    /// Where it stands.
    pub span: Span,
}

/// A comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// Where it stands.
    pub span: Span,
    /// Whether it begins a line.
    pub own_line: bool,
}

/// The tokens of a text.
#[derive(Debug, Clone)]
pub struct Lexed<K> {
    /// All tokens but comments; the last one is [`TokenKind::END`].
    pub tokens: Vec<Token<K>>,
    /// The comments in order.
    pub comments: Vec<Comment>,
    /// What could not be read.
    pub diagnostics: Vec<Diagnostic>,
}

/// Cuts a text into tokens.
pub fn lex<'s, K>(text: &'s str) -> Lexed<K>
where
    K: TokenKind + Logos<'s, Source = str>,
    K::Extras: Default,
{
    let mut lexed = Lexed { tokens: Vec::new(), comments: Vec::new(), diagnostics: Vec::new() };
    for (kind, range) in K::lexer(text).spanned() {
        let span = Span { start: range.start, end: range.end };
        match kind {
            Err(_) => lexed.stray(span),
            Ok(kind) if kind.is_comment() => {
                let before = lexed.tokens.last().map_or(0, |token| token.span.end);
                let before = lexed.comments.last().map_or(before, |comment| comment.span.end.max(before));
                let own_line = before == 0 || text[before..span.start].contains('\n');
                lexed.comments.push(Comment { span, own_line });
            }
            Ok(kind) => {
                if let Some((message, hint)) = kind.fault() {
                    lexed.diagnostics.push(Diagnostic::error("E0002", span, message).hint(hint));
                }
                lexed.tokens.push(Token { kind, span });
            }
        }
    }
    lexed.name_strays(text);
    lexed.tokens.push(Token { kind: K::END, span: Span { start: text.len(), end: text.len() } });
    lexed
}

impl<K> Lexed<K> {
    /// Reports text that is no token; neighbours are reported as one.
    fn stray(&mut self, span: Span) {
        match self.diagnostics.last_mut() {
            Some(last) if last.code == "E0001" && last.span.end == span.start => last.span.end = span.end,
            _ => self.diagnostics.push(Diagnostic::error("E0001", span, "").hint("remove it")),
        }
    }

    /// Writes the messages of [`Lexed::stray`], when it is known how far each reaches.
    fn name_strays(&mut self, text: &str) {
        for found in self.diagnostics.iter_mut().filter(|found| found.code == "E0001") {
            found.message = format!("{} has no meaning here", quote(&text[found.span.start..found.span.end]));
        }
    }
}

/// What to write instead of digits that are no number.
pub fn number_hint(text: &str) -> &'static str {
    if is_too_large(text) { TOO_LARGE } else { "write it without leading zeros" }
}

/// A piece of the specification as messages show it: in backticks, cut off after 40 characters.
pub fn quote(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// A text in quotes, as [`unescape`] reads it.
pub fn literal(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    format!("\"{escaped}\"")
}

/// "A", "A or B", "A, B or C".
pub fn one_of<T: fmt::Display>(items: &[T]) -> String {
    let texts: Vec<String> = items.iter().map(T::to_string).collect();
    match texts.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

/// The content of a string token: without its quotes, with `\"`, `\\`, `\n` and `\t` replaced.
pub fn unescape(quoted: &str) -> String {
    let mut inner = quoted.chars();
    let quote = inner.next();
    let inner = quote.and_then(|quote| inner.as_str().strip_suffix(quote)).unwrap_or(inner.as_str());
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_well() {
        assert_eq!(one_of::<&str>(&[]), "");
        assert_eq!(one_of(&["a"]), "a");
        assert_eq!(one_of(&["a", "b"]), "a or b");
        assert_eq!(one_of(&["a", "b", "c"]), "a, b or c");
    }

    #[test]
    fn strings_lose_quotes_and_escapes() {
        assert_eq!(unescape(r#""a\"b\\c\n""#), "a\"b\\c\n");
        assert_eq!(unescape("'a'"), "a");
        assert_eq!(unescape("\"open"), "open");
    }
}
