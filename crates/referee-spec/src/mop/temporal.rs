//! `ltl` and `ptltl`: temporal formulas.
//!
//! ```text
//!  F ::= I ('<=>' I)*   I ::= D ['=>' I]   D ::= C (('or'|'xor') C)*   C ::= T ('and' T)*   T ::= P [('U'|'R'|'S'|'~U'|'~S') T]
//!  P ::= ('not' | '[]' | '<>' | 'o' | '~o' | '(*)' | '~(*)' | '<*>' | '[*]') P | event | 'true' | 'false' | '(' F ')'
//! ```
//!
//! `~` before an operator makes its dual: `~o F` is `not o not F`. In `ptltl` there are only operators of the past.

use super::lex::Lexeme;
use super::parse::Parser;
use crate::core::machine::Temporal;
use crate::diagnostic::Diagnostic;

const HINT: &str =
    "write events, `not`, `and`, `or`, `=>`, `[]`, `<>`, `o`, `U`, `R`, `(*)`, `<*>`, `[*]`, `S` and parentheses";

/// Reads the body; `past` allows operators of the past only.
pub fn parse(parser: &mut Parser<'_>, past: bool) -> Option<Temporal> {
    let formula = Reader { parser, past }.iff()?;
    parser.expect_body_end(HINT);
    Some(formula)
}

struct Reader<'p, 's> {
    parser: &'p mut Parser<'s>,
    past: bool,
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
        let word = self.parser.cursor.nth(usize::from(dual));
        let (text, span) = (self.parser.cursor.text(word.span), word.span);
        if word.kind != Lexeme::Name || !["U", "R", "S"].contains(&text) {
            return Some(left);
        }
        if dual {
            self.parser.cursor.bump();
        }
        self.parser.cursor.bump();
        let level = self.parser.cursor.enter()?;
        let right = self.binary()?;
        self.parser.cursor.leave(level);
        if text == "S" {
            return Some(if dual { not(since(not(left), not(right))) } else { since(left, right) });
        }
        self.future(span)?;
        let is_until = (text == "U") != dual;
        Some(if is_until { until(left, right) } else { not(until(not(left), not(right))) })
    }

    /// Reports an operator of the future where only the past can be read.
    fn future(&mut self, span: crate::core::Span) -> Option<()> {
        if self.past {
            let message = "`ptltl` has no operators of the future";
            self.parser.cursor.report(Diagnostic::error("E0706", span, message).hint("write `ltl:`"));
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

    fn operator(&mut self, dual: bool, span: crate::core::Span) -> Option<Temporal> {
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
            Lexeme::Open => {
                self.parser.cursor.bump();
                let inner = self.iff()?;
                self.parser.cursor.expect(Lexeme::Close, "close the parenthesis with `)`")?;
                Some(inner)
            }
            _ => self.atom(),
        }
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
