//! The places where the parser looks ahead.

use super::parser::Parser;
use crate::foltl::lex::Kind;

impl Parser<'_> {
    /// Whether `before` stands here as the second word of `always before`, not as an event.
    pub(super) fn at_before(&self) -> bool {
        self.word(0) == "before" && self.cursor.nth(1).kind.begins_operand() && !self.is_event_call(0)
    }

    /// Whether the word `n` tokens ahead is applied to terms only, so that it names an event: `next(i)`, `next(i, 3)`,
    /// `next()`, but not `next (p)`, `next (x = 3)` or `next (x + 1) < y`.
    pub(super) fn is_event_call(&self, n: usize) -> bool {
        let word = self.cursor.nth(n).kind;
        if !(word.is_temporal_word() || word == Kind::Name) || self.cursor.nth(n + 1).kind != Kind::Open {
            return false;
        }
        let (mut depth, mut at, mut list, mut arithmetic) = (1, n + 2, false, false);
        while depth > 0 {
            let kind = self.cursor.nth(at).kind;
            match kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                Kind::Comma => list |= depth == 1,
                other if other.is_arithmetic() => arithmetic = true,
                other if other.is_of_terms() => {}
                _ => return false,
            }
            at += 1;
        }
        let after = self.cursor.nth(at).kind;
        let goes_on = after.is_comparison() || after.is_arithmetic();
        match at - (n + 2) {
            1 => true,
            2 if !goes_on => self.is_term(n + 2),
            _ => list || arithmetic && !goes_on,
        }
    }

    /// Whether the token `n` ahead cannot be a formula.
    fn is_term(&self, n: usize) -> bool {
        match self.cursor.nth(n).kind {
            Kind::Number | Kind::String => true,
            Kind::Name => self.scope.iter().any(|bound| **bound == *self.word(n)),
            _ => false,
        }
    }

    /// Whether `(forall x:s)` stands here, closed before its formula.
    pub(super) fn is_closed_prefix(&self) -> bool {
        if !matches!(self.cursor.nth(1).kind, Kind::Forall | Kind::Exists) {
            return false;
        }
        let mut at = 2;
        while matches!(self.cursor.nth(at).kind, Kind::Name | Kind::Comma | Kind::Colon) {
            at += 1;
        }
        self.cursor.nth(at).kind == Kind::Close
    }
}
