//! The cursor: where a parser stands, what it asked for there, and how it goes on after an error.

use referee_trace::mapping::Unit;

use super::spelling::Spelling;
use super::token::{Lexed, Token, TokenKind, one_of, quote};
use crate::core::Span;
use crate::diagnostic::Diagnostic;

/// How deep formulas may nest.
pub const MAX_DEPTH: usize = 200;

/// A position among the tokens of a text.
pub struct Cursor<'s, K> {
    text: &'s str,
    tokens: Vec<Token<K>>,
    position: usize,
    /// What was asked for at `position`, in the order of asking.
    expected: Vec<String>,
    /// The position of the last error: a second one there is silent.
    failed: Option<usize>,
    /// How many calls of [`Cursor::enter`] are open.
    depth: usize,
    /// How high a tree may stand below the innermost open call of [`Cursor::enter`].
    height: usize,
    diagnostics: Vec<Diagnostic>,
    errors: Errors,
    /// How the language writes its operators.
    spelling: Spelling,
}

/// How many errors a parser has met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Errors {
    /// Those that were reported.
    pub all: usize,
    /// Those, reported or silent, after which the tree lacks something.
    pub gaps: usize,
}

impl<'s, K: TokenKind> Cursor<'s, K> {
    /// A cursor at the first token; the lexer's diagnostics become its own.
    pub fn new(text: &'s str, lexed: Lexed<K>) -> Cursor<'s, K> {
        let end = Token { kind: K::END, span: Span { start: text.len(), end: text.len() } };
        let mut tokens = lexed.tokens;
        if tokens.last().is_none_or(|last| last.kind != K::END) {
            tokens.push(end);
        }
        Cursor {
            text,
            tokens,
            position: 0,
            expected: Vec::new(),
            failed: None,
            depth: 0,
            height: 0,
            diagnostics: lexed.diagnostics,
            errors: Errors::default(),
            spelling: Spelling::default(),
        }
    }

    /// The same cursor, for a language that writes its operators like this: messages will know them.
    #[must_use]
    pub fn spelling(mut self, spelling: Spelling) -> Cursor<'s, K> {
        self.spelling = spelling;
        self
    }

    /// All diagnostics, in textual order.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        self.diagnostics
    }

    /// The current token.
    pub fn token(&self) -> Token<K> {
        self.nth(0)
    }

    /// The token `n` after the current one; the end is followed by itself.
    pub fn nth(&self, n: usize) -> Token<K> {
        let last = self.tokens.len() - 1;
        self.tokens[(self.position + n).min(last)]
    }

    /// The current token's kind.
    pub fn kind(&self) -> K {
        self.token().kind
    }

    /// Where the current token stands.
    pub fn span(&self) -> Span {
        self.token().span
    }

    /// Where the token before the current one stands; the empty span at 0 if there is none.
    pub fn previous_span(&self) -> Span {
        self.position.checked_sub(1).map_or(Span::default(), |before| self.tokens[before].span)
    }

    /// From the start of `from` to the end of the last token that was taken.
    pub fn since(&self, from: Span) -> Span {
        Span { start: from.start, end: self.previous_span().end.max(from.start) }
    }

    /// The text at a span.
    pub fn text(&self, span: Span) -> &'s str {
        self.text.get(span.start..span.end).unwrap_or("")
    }

    /// Whether nothing is left.
    pub fn is_end(&self) -> bool {
        self.kind() == K::END
    }

    /// How many tokens were taken; a loop that must make progress compares it.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Takes the sign of a unit of time that stands right behind the token before, as in `30s`.
    pub fn eat_unit(&mut self) -> Option<Unit> {
        let (before, span) = (self.previous_span(), self.span());
        let unit = if before.end == span.start { Unit::from_sign(self.text(span)) } else { None };
        unit.inspect(|_| {
            self.bump();
        })
    }

    /// Takes the current token; at the end, nothing moves.
    pub fn bump(&mut self) -> Token<K> {
        let token = self.token();
        if !self.is_end() {
            self.position += 1;
            self.expected.clear();
        }
        token
    }

    /// Whether the current token is of this kind; if not, messages will say that it could have been.
    pub fn at(&mut self, kind: K) -> bool {
        let found = self.kind() == kind;
        if !found {
            self.expect_also(kind);
        }
        found
    }

    /// Notes for messages that something else could stand here: "a formula".
    pub fn expect_also(&mut self, what: impl ToString) {
        let what = what.to_string();
        if !self.expected.contains(&what) {
            self.expected.push(what);
        }
    }

    /// Forgets what was asked for, so that a message names only what is asked from now on.
    pub fn forget_expected(&mut self) {
        self.expected.clear();
    }

    /// Takes the current token if it is of this kind.
    pub fn eat(&mut self, kind: K) -> Option<Token<K>> {
        self.at(kind).then(|| self.bump())
    }

    /// Takes a token of this kind, or reports what stands in its place and takes nothing.
    pub fn expect(&mut self, kind: K, hint: &str) -> Option<Token<K>> {
        let token = self.eat(kind);
        if token.is_none() {
            self.unexpected(hint);
        }
        token
    }

    /// Reports that the current token is none of those asked for; without `hint` if that is empty.
    pub fn unexpected(&mut self, hint: &str) {
        let message = format!("expected {}, found {}", one_of(&self.expected), self.found());
        let diagnostic = Diagnostic::error("E0003", self.span(), message);
        let advice = self.advice();
        let hint = advice.as_deref().unwrap_or(hint);
        self.fail(if hint.is_empty() { diagnostic } else { diagnostic.hint(hint) });
    }

    /// What the current token, or the word before it, was probably meant to be.
    pub fn advice(&self) -> Option<String> {
        let (span, before) = (self.span(), self.text(self.previous_span()));
        let own = self.spelling.advise(self.text(span), self.text.get(span.start..).unwrap_or(""));
        own.or_else(|| {
            // A misspelt operator before an operand looks like a name; what follows it is then unexpected.
            let near = self.spelling.near(before).filter(|_| !self.is_end())?;
            Some(format!("did you mean `{near}` instead of `{before}`?"))
        })
    }

    /// The current token as messages show it.
    pub fn found(&self) -> String {
        match self.text(self.span()) {
            "" => self.kind().to_string(),
            text => quote(text),
        }
    }

    /// Reports an error that makes the current token unusable, unless there was one here already, or the token before it
    /// is one that the lexer rejected: an unclosed string swallows what is then missing.
    pub fn fail(&mut self, diagnostic: Diagnostic) {
        let before = self.position.checked_sub(1).and_then(|before| self.tokens.get(before));
        let is_consequence = before.is_some_and(|token| token.kind.fault().is_some());
        if self.failed != Some(self.position) && !is_consequence {
            self.report(diagnostic);
        }
        self.errors.gaps += 1;
        self.failed = Some(self.position);
    }

    /// Reports something that does not disturb the parsing.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.errors.all += usize::from(diagnostic.is_error());
        self.diagnostics.push(diagnostic);
    }

    /// How many errors the parser has reported, and how many of them left a gap ([`Cursor::fail`]).
    pub fn errors(&self) -> Errors {
        self.errors
    }

    /// Skips to the next token that `stop` accepts, over whole pairs of brackets, or to the end.
    pub fn skip_to(&mut self, stop: impl Fn(K) -> bool) {
        let mut closings: Vec<K> = Vec::new();
        while !self.is_end() && (!closings.is_empty() || !stop(self.kind())) {
            let kind = self.bump().kind;
            if closings.last() == Some(&kind) {
                closings.pop();
            } else if let Some(closing) = kind.closing() {
                closings.push(closing);
            }
        }
    }

    /// Goes one level deeper, before a part of the parser that may call itself again; nothing past [`MAX_DEPTH`]. Give the
    /// result to [`Cursor::leave`].
    pub fn enter(&mut self) -> Option<Level> {
        if self.depth >= MAX_DEPTH {
            self.too_deep();
            return None;
        }
        self.depth += 1;
        Some(Level { siblings: std::mem::take(&mut self.height) })
    }

    /// Comes back from a deeper level.
    pub fn leave(&mut self, level: Level) {
        self.depth -= 1;
        self.height = level.siblings.max(self.height + 1);
    }

    /// Notes that the tree below became one level higher, as a chain of binary operators does; false past
    /// [`MAX_DEPTH`].
    pub fn grow(&mut self) -> bool {
        self.height += 1;
        let fits = self.depth + self.height <= MAX_DEPTH;
        if !fits {
            self.too_deep();
        }
        fits
    }

    /// Reports that the text nests too deeply and gives the rest of it up.
    fn too_deep(&mut self) {
        let message = format!("formulas nest more than {MAX_DEPTH} levels deep here");
        let hint = "split the formula into several properties or definitions";
        self.fail(Diagnostic::error("E0004", self.span(), message).hint(hint));
        self.position = self.tokens.len() - 1;
        self.failed = Some(self.position);
    }
}

/// An open call of [`Cursor::enter`].
#[must_use]
pub struct Level {
    siblings: usize,
}

#[cfg(test)]
mod tests {
    use logos::Logos;
    use std::fmt;

    use super::super::lex;
    use super::*;

    #[derive(Logos, Debug, Clone, Copy, PartialEq)]
    #[logos(skip r"[ \n]+")]
    enum Kind {
        #[token("(")]
        Open,
        #[token(")")]
        Close,
        #[regex("[a-z]+")]
        Name,
        #[regex("#[^\n]*", allow_greedy = true)]
        Comment,
        #[token("\"")]
        OpenString,
        End,
    }

    impl fmt::Display for Kind {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(match self {
                Kind::Open => "`(`",
                Kind::Close => "`)`",
                Kind::Name => "a name",
                Kind::Comment => "a comment",
                Kind::OpenString => "a string",
                Kind::End => "the end",
            })
        }
    }

    impl TokenKind for Kind {
        const END: Kind = Kind::End;

        fn is_comment(self) -> bool {
            self == Kind::Comment
        }

        fn fault(self) -> Option<(&'static str, &'static str)> {
            (self == Kind::OpenString).then_some(("this string has no end", "close it"))
        }

        fn closing(self) -> Option<Kind> {
            (self == Kind::Open).then_some(Kind::Close)
        }
    }

    fn cursor(text: &str) -> Cursor<'_, Kind> {
        Cursor::new(text, lex(text))
    }

    #[test]
    fn messages_list_what_was_asked_for_once() {
        let mut cursor = cursor("( a");
        assert!(cursor.eat(Kind::Open).is_some());
        assert!(cursor.eat(Kind::Open).is_none());
        assert!(!cursor.at(Kind::Open));
        assert!(cursor.expect(Kind::Close, "close it").is_none());
        assert!(cursor.expect(Kind::Close, "again").is_none());
        let [diagnostic] = &cursor.finish()[..] else { panic!("one error") };
        assert_eq!(diagnostic.message, "expected `(` or `)`, found `a`");
        assert_eq!(diagnostic.span, Span { start: 2, end: 3 });
        assert_eq!(diagnostic.hint.as_deref(), Some("close it"));
    }

    #[test]
    fn skipping_steps_over_pairs() {
        let mut cursor = cursor("a ( b ) c ) d");
        cursor.skip_to(|kind| kind == Kind::Close);
        assert_eq!(cursor.span().start, 10);
        cursor.skip_to(|kind| kind == Kind::Open);
        assert!(cursor.is_end());
    }

    #[test]
    fn stray_text_and_faults_are_reported_by_the_lexer() {
        let lexed = lex::<Kind>("a $$ # note\n \"");
        let shown: Vec<_> =
            lexed.diagnostics.iter().map(|found| (found.code, found.span.start, found.span.end)).collect();
        assert_eq!(shown, [("E0001", 2, 4), ("E0002", 13, 14)]);
        assert_eq!(lexed.comments, [super::super::Comment { span: Span { start: 5, end: 11 }, own_line: false }]);
    }

    fn brackets(cursor: &mut Cursor<'_, Kind>) -> usize {
        let Some(level) = cursor.enter() else { return 0 };
        let depth = cursor.eat(Kind::Open).map_or(0, |_| 1 + brackets(cursor));
        cursor.leave(level);
        depth
    }

    #[test]
    fn depth_is_bounded_and_reported_once() {
        let text = "(".repeat(100_000);
        let mut cursor = cursor(&text);
        assert_eq!(brackets(&mut cursor), MAX_DEPTH);
        assert!(cursor.is_end());
        cursor.unexpected("silent after giving up");
        let codes: Vec<_> = cursor.finish().iter().map(|found| found.code).collect();
        assert_eq!(codes, ["E0004"]);
    }

    #[test]
    fn chains_count_as_height() {
        let mut cursor = cursor("a");
        let grown = (0..).take_while(|_| cursor.grow()).count();
        assert_eq!(grown, MAX_DEPTH);
    }
}
