//! `ltl`, `ptltl` and `ptcaret`: temporal formulas.
//!
//! ```text
//!  F ::= I ('<=>' I)*   I ::= D ['=>' I]   D ::= C (('or'|'xor') C)*   C ::= T ('and' T)*   T ::= P [('U'|'R'|'S'|'~U'|'~S') T]
//!  P ::= ('not' | '[]' | '<>' | 'o' | '~o' | '(*)' | '~(*)' | '<*>' | '[*]') P | event | 'true' | 'false' | '(' F ')'
//! ```
//!
//! `~` before an operator makes its dual: `~o F` is `not o not F`. In `ptltl` there are only operators of the past, and in `ptcaret` also those
//! of frames and the stack: `(*a)`, `<*a>`, `[*a]`, `@b` and `@c` as `(*)`, `Sa` and `Ss@b` as `S`, where `@c` and `@bc` may stand for `@b`.

use super::lex::Lexeme;
use super::parser::Parser;
use crate::core::Span;
use crate::core::machine::{Nested, Places, Temporal};
use crate::diagnostic::Diagnostic;

const HINT: &str =
    "write events, `not`, `and`, `or`, `=>`, `[]`, `<>`, `o`, `U`, `R`, `(*)`, `<*>`, `[*]`, `S` and parentheses";

/// Which operators a formula may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operators {
    /// Those of past and future.
    All,
    /// Those of the past.
    Past,
    /// Those of the past, of frames and of the stack.
    Nested,
}

/// Reads the body.
pub(super) fn parse(parser: &mut Parser<'_>, operators: Operators) -> Option<Temporal> {
    let formula = Reader { parser, operators }.iff()?;
    parser.expect_body_end(HINT);
    Some(formula)
}

/// Reads the body of a formula about calls and returns.
pub(super) fn parse_nested(parser: &mut Parser<'_>) -> Option<Nested> {
    let start = parser.cursor.span();
    let formula = parse(parser, Operators::Nested)?;
    Some(Nested { formula, roles: parser.roles(), span: parser.cursor.since(start) })
}

struct Reader<'p, 's> {
    parser: &'p mut Parser<'s>,
    operators: Operators,
}

fn not(formula: Temporal) -> Temporal {
    match formula {
        Temporal::Not(inner) => *inner,
        other => Temporal::Not(Box::new(other)),
    }
}

fn and(left: Temporal, right: Temporal) -> Temporal {
    Temporal::And(Box::new(left), Box::new(right))
}

fn or(left: Temporal, right: Temporal) -> Temporal {
    Temporal::Or(Box::new(left), Box::new(right))
}

fn until(left: Temporal, right: Temporal) -> Temporal {
    Temporal::Until(Box::new(left), Box::new(right))
}

fn since(left: Temporal, right: Temporal) -> Temporal {
    Temporal::Since(Box::new(left), Box::new(right))
}

fn frame_since(left: Temporal, right: Temporal) -> Temporal {
    Temporal::FrameSince(Box::new(left), Box::new(right))
}

/// The places that the letters after `@` name.
fn places(letters: &str) -> Option<Places> {
    match letters {
        "b" => Some(Places { begins: true, calls: false }),
        "c" => Some(Places { begins: false, calls: true }),
        "bc" => Some(Places { begins: true, calls: true }),
        _ => None,
    }
}

impl Reader<'_, '_> {
    fn iff(&mut self) -> Option<Temporal> {
        let level = self.parser.cursor.enter()?;
        let mut left = self.implies()?;
        while self.parser.cursor.eat(Lexeme::Iff).is_some() {
            let right = self.implies()?;
            self.grow()?;
            left = or(and(left.clone(), right.clone()), and(not(left), not(right)));
        }
        self.parser.cursor.leave(level);
        Some(left)
    }

    fn grow(&mut self) -> Option<()> {
        self.parser.cursor.grow().then_some(())
    }

    fn implies(&mut self) -> Option<Temporal> {
        let left = self.disjunction()?;
        if self.parser.cursor.eat(Lexeme::Implies).is_none() {
            return Some(left);
        }
        let level = self.parser.cursor.enter()?;
        let right = self.implies()?;
        self.parser.cursor.leave(level);
        Some(or(not(left), right))
    }

    fn disjunction(&mut self) -> Option<Temporal> {
        let mut left = self.conjunction()?;
        loop {
            if self.parser.eat_word("xor") {
                let right = self.conjunction()?;
                left = or(and(left.clone(), not(right.clone())), and(not(left), right));
            } else if self.parser.eat_word("or") || self.parser.cursor.eat(Lexeme::Bar).is_some() {
                left = or(left, self.conjunction()?);
            } else {
                return Some(left);
            }
            self.grow()?;
        }
    }

    fn conjunction(&mut self) -> Option<Temporal> {
        let mut left = self.binary()?;
        while self.parser.eat_word("and") || self.parser.cursor.eat(Lexeme::Ampersand).is_some() {
            left = and(left, self.binary()?);
            self.grow()?;
        }
        Some(left)
    }

    fn binary(&mut self) -> Option<Temporal> {
        let left = self.prefixed()?;
        let dual = self.parser.cursor.kind() == Lexeme::Tilde;
        let Some((text, span, stack)) = self.binary_operator(usize::from(dual)) else { return Some(left) };
        let tokens = usize::from(dual) + if stack.is_some() { 3 } else { 1 };
        for _ in 0..tokens {
            self.parser.cursor.bump();
        }
        let level = self.parser.cursor.enter()?;
        let right = self.binary()?;
        self.parser.cursor.leave(level);
        let turned = |formula: Temporal| if dual { not(formula) } else { formula };
        let (one, other) = (turned(left), turned(right));
        match (text, stack) {
            ("U", _) | ("R", _) => self.future(span)?,
            ("S", _) => {}
            _ => self.nested(span)?,
        }
        Some(match (text, stack) {
            ("S", _) => turned(since(one, other)),
            ("Sa", _) => turned(frame_since(one, other)),
            ("U", _) => turned(until(one, other)),
            ("R", _) => turned(not(until(not(one), not(other)))),
            (_, places) => turned(Temporal::StackSince(places?, Box::new(one), Box::new(other))),
        })
    }

    /// The operator between two formulas that stands at a token: its word, its place, and what it says of the stack.
    fn binary_operator(&self, at: usize) -> Option<(&'static str, Span, Option<Places>)> {
        let cursor = &self.parser.cursor;
        let word = cursor.nth(at);
        let text = cursor.text(word.span);
        let known = ["U", "R", "S", "Sa", "Ss"].into_iter().find(|known| *known == text)?;
        if word.kind != Lexeme::Name {
            return None;
        }
        if known != "Ss" {
            return Some((known, word.span, None));
        }
        let letters = cursor.nth(at + 2);
        let places = places(cursor.text(letters.span)).filter(|_| cursor.nth(at + 1).kind == Lexeme::At)?;
        Some((known, Span { end: letters.span.end, ..word.span }, Some(places)))
    }

    /// Reports an operator of the future where only the past can be read.
    fn future(&mut self, span: Span) -> Option<()> {
        let logic = match self.operators {
            Operators::All => return Some(()),
            Operators::Past => "ptltl",
            Operators::Nested => "ptcaret",
        };
        let message = format!("`{logic}` has no operators of the future");
        self.parser.cursor.report(Diagnostic::error("E0706", span, message).hint("write `ltl:`"));
        Some(())
    }

    /// Reports an operator of the call stack where nothing is known of it.
    fn nested(&mut self, span: Span) -> Option<()> {
        if self.operators != Operators::Nested {
            let message = "only `ptcaret` has operators of the call stack";
            self.parser.cursor.report(Diagnostic::error("E0707", span, message).hint("write `ptcaret:`"));
        }
        Some(())
    }

    fn prefixed(&mut self) -> Option<Temporal> {
        let level = self.parser.cursor.enter()?;
        let token = self.parser.cursor.token();
        let dual = token.kind == Lexeme::Tilde;
        if dual {
            self.parser.cursor.bump();
        }
        let formula = self.operator(dual, token.span);
        self.parser.cursor.leave(level);
        formula
    }

    fn operator(&mut self, dual: bool, span: Span) -> Option<Temporal> {
        let truth = Temporal::Constant(true);
        let turned = |body: Temporal| if dual { not(body) } else { body };
        let kind = self.parser.cursor.kind();
        if self.parser.is_word("o") && !self.parser.is_event("o") {
            self.parser.cursor.bump();
            self.future(span)?;
            let body = turned(self.prefixed()?);
            return Some(turned(Temporal::Next(Box::new(body))));
        }
        if kind == Lexeme::Previous {
            self.parser.cursor.bump();
            let body = turned(self.prefixed()?);
            return Some(turned(Temporal::Previous(Box::new(body))));
        }
        if kind == Lexeme::FramePrevious {
            self.parser.cursor.bump();
            self.nested(span)?;
            let body = turned(self.prefixed()?);
            return Some(turned(Temporal::FramePrevious(Box::new(body))));
        }
        if dual {
            self.parser.cursor.expect_also("`o`");
            self.parser.cursor.expect_also(Lexeme::Previous);
            self.parser.cursor.unexpected("`~` makes the dual of `o`, `(*)`, `U` or `S`; write `not` for negation");
            return None;
        }
        match kind {
            Lexeme::Bang => {
                self.parser.cursor.bump();
                self.prefixed().map(not)
            }
            Lexeme::Always | Lexeme::Eventually => {
                self.parser.cursor.bump();
                self.future(span)?;
                let body = self.prefixed()?;
                Some(if kind == Lexeme::Eventually { until(truth, body) } else { not(until(truth, not(body))) })
            }
            Lexeme::Historically | Lexeme::Once => {
                self.parser.cursor.bump();
                let body = self.prefixed()?;
                Some(if kind == Lexeme::Once { since(truth, body) } else { not(since(truth, not(body))) })
            }
            Lexeme::FrameHistorically | Lexeme::FrameOnce => {
                self.parser.cursor.bump();
                self.nested(span)?;
                let body = self.prefixed()?;
                let once = kind == Lexeme::FrameOnce;
                Some(if once { frame_since(truth, body) } else { not(frame_since(truth, not(body))) })
            }
            Lexeme::StackHistorically | Lexeme::StackOnce => self.on_stack(kind == Lexeme::StackOnce),
            Lexeme::At => self.at_place(),
            Lexeme::Open => {
                self.parser.cursor.bump();
                let inner = self.iff()?;
                self.parser.cursor.expect(Lexeme::Close, "close the parenthesis with `)`")?;
                Some(inner)
            }
            _ => self.atom(),
        }
    }

    /// `<*s@b> F`, or `[*s@b] F`.
    fn on_stack(&mut self, once: bool) -> Option<Temporal> {
        let token = self.parser.cursor.bump();
        self.nested(token.span)?;
        let text = self.parser.cursor.text(token.span);
        let places = places(text.trim_start_matches(|letter| letter != '@').trim_matches(['@', '>', ']']))?;
        let body = self.prefixed()?;
        let once_of = |body| Temporal::StackSince(places, Box::new(Temporal::Constant(true)), Box::new(body));
        Some(if once { once_of(body) } else { not(once_of(not(body))) })
    }

    /// `@b F`, or `@c F`.
    fn at_place(&mut self) -> Option<Temporal> {
        let (at, letter) = (self.parser.cursor.token(), self.parser.cursor.nth(1));
        let of_begin = match self.parser.cursor.text(letter.span) {
            "b" => true,
            "c" => false,
            _ => return self.atom(),
        };
        self.parser.cursor.bump();
        self.parser.cursor.bump();
        self.nested(Span { end: letter.span.end, ..at.span })?;
        let body = Box::new(self.prefixed()?);
        Some(if of_begin { Temporal::AtBegin(body) } else { Temporal::AtCall(body) })
    }

    fn atom(&mut self) -> Option<Temporal> {
        if self.parser.eat_word("not") {
            return self.prefixed().map(not);
        }
        if self.parser.eat_word("true") {
            return Some(Temporal::Constant(true));
        }
        if self.parser.eat_word("false") {
            return Some(Temporal::Constant(false));
        }
        let (name, span) = self.parser.name(HINT);
        if name.is_empty() { None } else { self.parser.symbol(&name, span).map(Temporal::Event) }
    }
}
