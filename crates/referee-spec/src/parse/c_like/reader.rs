//! Where a parser of a C-like language stands: names, words, comments and constants.

use std::sync::Arc;

use logos::Logos;
use referee_trace::number::Number;
use referee_trace::value::Value;

use super::token::Dialect;
use super::tree::Name;
use crate::core::Span;
use crate::diagnostic::Diagnostic;
use crate::parse::cursor::Cursor;
use crate::parse::token::{Comment, lex, number_hint, quote, unescape};

/// A cursor, and the comments that nobody has been given.
pub(crate) struct Reader<'s, K> {
    /// Where it stands.
    pub(crate) cursor: Cursor<'s, K>,
    /// The text of the comments.
    original: &'s str,
    comments: Vec<Comment>,
    next_comment: usize,
}

impl<'s, K> Reader<'s, K>
where
    K: Dialect + Logos<'s, Source = str>,
    K::Extras: Default,
{
    /// A reader at the beginning of a text.
    pub(crate) fn new(text: &'s str) -> Reader<'s, K> {
        Reader::with_comments_of(text, text)
    }

    /// A reader at the beginning of a text whose comments are those of `original`, which differs in nothing else.
    pub(crate) fn with_comments_of(text: &'s str, original: &'s str) -> Reader<'s, K> {
        let mut lexed = lex(text);
        lexed.tokens.retain(|token| token.kind != K::OPEN_COMMENT);
        let comments = std::mem::take(&mut lexed.comments);
        Reader { cursor: Cursor::new(text, lexed), original, comments, next_comment: 0 }
    }
}

impl<K: Dialect> Reader<'_, K> {
    /// What is wrong with the text, in textual order.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        self.cursor.finish()
    }

    /// Whether this word stands here.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.is_nth_word(0, word)
    }

    /// Whether this word stands so many tokens ahead.
    pub(crate) fn is_nth_word(&self, ahead: usize, word: &str) -> bool {
        let token = self.cursor.nth(ahead);
        token.kind == K::NAME && is_written(self.cursor.text(token.span), word, K::WORDS_IN_ANY_CASE)
    }

    /// Takes this word if it stands here.
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.cursor.bump();
        }
        found
    }

    /// Takes a name, or reports what stands in its place.
    pub(crate) fn name(&mut self, hint: &str) -> Name {
        match self.cursor.expect(K::NAME, hint) {
            Some(token) => Name { text: K::bare(self.cursor.text(token.span)).into(), span: token.span },
            None => {
                let start = self.cursor.span().start;
                Name { text: "".into(), span: Span { start, end: start } }
            }
        }
    }

    /// Takes a closing bracket; where there is none, says so and goes on behind the one that seems to be meant.
    pub(crate) fn close(&mut self, bracket: K, hint: &str) {
        if self.cursor.expect(bracket, hint).is_none() {
            self.cursor.skip_to(|kind| kind == bracket || kind == K::CLOSE_BRACE || kind == K::SEMICOLON);
            self.cursor.eat(bracket);
        }
    }

    /// A constant, if one stands here.
    pub(crate) fn constant(&mut self) -> Option<Value> {
        let token = self.cursor.token();
        let text = self.cursor.text(token.span);
        let is_truth = |word| token.kind == K::NAME && is_written(text, word, K::TRUTH_IN_ANY_CASE);
        let value = match token.kind {
            kind if kind == K::NUMBER => Value::Number(self.number(token.span)),
            kind if kind == K::STRING => Value::string(&unescape(text)),
            kind if kind == K::MINUS && self.cursor.nth(1).kind == K::NUMBER => {
                self.cursor.bump();
                Value::Number(self.number(self.cursor.span()).neg())
            }
            _ if is_truth("true") => Value::Boolean(true),
            _ if is_truth("false") => Value::Boolean(false),
            _ => return None,
        };
        self.cursor.bump();
        Some(value)
    }

    /// The number at a span; what is written as none is an error.
    fn number(&mut self, span: Span) -> Number {
        let text = self.cursor.text(span);
        Number::parse(text).unwrap_or_else(|| {
            let message = format!("{} is no number", quote(text));
            self.cursor.report(Diagnostic::error("E0009", span, message).hint(number_hint(text)));
            Number::ZERO
        })
    }

    /// The comments before the current token that nobody has been given.
    pub(crate) fn comments_before(&mut self) -> Vec<Arc<str>> {
        let offset = self.cursor.span().start;
        self.take_comments(|comment| comment.span.start < offset)
    }

    /// The comments inside what was just read, and behind it on the same line.
    pub(crate) fn comments_inside(&mut self) -> Vec<Arc<str>> {
        let (end, next) = (self.cursor.previous_span().end, self.cursor.span().start);
        self.take_comments(|comment| comment.span.start < end || (comment.span.start < next && !comment.own_line))
    }

    fn take_comments(&mut self, mine: impl Fn(&Comment) -> bool) -> Vec<Arc<str>> {
        let rest = self.comments.get(self.next_comment..).unwrap_or_default();
        let count = rest.iter().take_while(|comment| mine(comment)).count();
        let text = |comment: &Comment| self.original.get(comment.span.start..comment.span.end).unwrap_or("");
        let taken = rest[..count].iter().map(|comment| text(comment).trim_end().into()).collect();
        self.next_comment += count;
        taken
    }
}

fn is_written(text: &str, word: &str, in_any_case: bool) -> bool {
    if in_any_case { text.eq_ignore_ascii_case(word) } else { text == word }
}
