//! `ere`: extended regular expressions.
//!
//! ```text
//!  E ::= C ('|' C)*      C ::= S ('&' S)*      S ::= (P ['.'])*      P ::= '~' P | A ('*' | '+' | '?')*
//!  A ::= event | 'epsilon' | 'empty' | '(' E ')'
//! ```

use super::lex::Lexeme;
use super::parser::Parser;
use crate::core::machine::Ere;

const HINT: &str = "write events, `epsilon`, `empty`, `~`, `|`, `&`, `*`, `+` and parentheses";

/// Reads the body.
pub(super) fn parse(parser: &mut Parser<'_>) -> Option<Ere> {
    let expression = choice(parser)?;
    parser.expect_body_end(HINT);
    Some(expression)
}

fn choice(parser: &mut Parser<'_>) -> Option<Ere> {
    let level = parser.cursor.enter()?;
    let mut left = both(parser)?;
    while parser.cursor.eat(Lexeme::Bar).is_some() {
        let right = both(parser)?;
        if !parser.cursor.grow() {
            return None;
        }
        left = Ere::Or(Box::new(left), Box::new(right));
    }
    parser.cursor.leave(level);
    Some(left)
}

fn both(parser: &mut Parser<'_>) -> Option<Ere> {
    let mut left = sequence(parser)?;
    while parser.cursor.eat(Lexeme::Ampersand).is_some() {
        let right = sequence(parser)?;
        if !parser.cursor.grow() {
            return None;
        }
        left = Ere::And(Box::new(left), Box::new(right));
    }
    Some(left)
}

fn sequence(parser: &mut Parser<'_>) -> Option<Ere> {
    let mut left = prefixed(parser)?;
    loop {
        parser.cursor.eat(Lexeme::Dot);
        if !matches!(parser.cursor.kind(), Lexeme::Name | Lexeme::Open | Lexeme::Tilde) {
            return Some(left);
        }
        let right = prefixed(parser)?;
        if !parser.cursor.grow() {
            return None;
        }
        left = Ere::Concat(Box::new(left), Box::new(right));
    }
}

fn prefixed(parser: &mut Parser<'_>) -> Option<Ere> {
    if parser.cursor.eat(Lexeme::Tilde).is_some() {
        let level = parser.cursor.enter()?;
        let body = prefixed(parser)?;
        parser.cursor.leave(level);
        return Some(Ere::Not(Box::new(body)));
    }
    let mut body = atom(parser)?;
    loop {
        body = if parser.cursor.eat(Lexeme::Star).is_some() {
            Ere::Star(Box::new(body))
        } else if parser.cursor.eat(Lexeme::Plus).is_some() {
            Ere::Concat(Box::new(body.clone()), Box::new(Ere::Star(Box::new(body))))
        } else if parser.cursor.eat(Lexeme::Question).is_some() {
            Ere::Or(Box::new(body), Box::new(Ere::Epsilon))
        } else {
            return Some(body);
        };
        if !parser.cursor.grow() {
            return None;
        }
    }
}

fn atom(parser: &mut Parser<'_>) -> Option<Ere> {
    if parser.cursor.eat(Lexeme::Open).is_some() {
        let inner = choice(parser)?;
        parser.cursor.expect(Lexeme::Close, "close the parenthesis with `)`")?;
        return Some(inner);
    }
    if parser.eat_word("epsilon") {
        return Some(Ere::Epsilon);
    }
    if parser.eat_word("empty") {
        return Some(Ere::Empty);
    }
    let (name, span) = parser.name(HINT);
    if name.is_empty() { None } else { parser.symbol(&name, span).map(Ere::Event) }
}
