//! `cfg`: productions `S -> a S b | epsilon, A -> …`; the first nonterminal is the start.

use std::sync::Arc;

use super::lex::Lexeme;
use super::parser::Parser;
use crate::core::Span;
use crate::core::machine::{Grammar, Part};

const HINT: &str = "write productions: `S -> a S b | epsilon, A -> c`";

/// A symbol and what it may become, as written.
type Draft = (Arc<str>, Vec<(Arc<str>, Span)>);

/// Reads the body.
pub(super) fn parse(parser: &mut Parser<'_>) -> Option<Grammar> {
    let start = parser.cursor.span();
    let mut drafts: Vec<Draft> = Vec::new();
    loop {
        let (name, _) = parser.name(HINT);
        parser.cursor.expect(Lexeme::Arrow, HINT)?;
        loop {
            drafts.push((name.clone(), side(parser)));
            if parser.cursor.eat(Lexeme::Bar).is_none() {
                break;
            }
        }
        if parser.cursor.eat(Lexeme::Comma).is_none() {
            break;
        }
    }
    parser.expect_body_end(HINT);
    let mut nonterminals: Vec<Arc<str>> = Vec::new();
    for (name, _) in &drafts {
        if !nonterminals.contains(name) {
            nonterminals.push(name.clone());
        }
    }
    let span = parser.cursor.since(start);
    let mut productions = Vec::new();
    for (name, side) in drafts {
        let left = nonterminals.iter().position(|known| *known == name)?;
        let mut parts = Vec::new();
        for (part, place) in side {
            parts.push(match nonterminals.iter().position(|known| *known == part) {
                Some(nonterminal) => Part::Nonterminal(nonterminal),
                None => Part::Event(parser.symbol(&part, place)?),
            });
        }
        productions.push((left, parts));
    }
    Some(Grammar { nonterminals, productions, span })
}

/// The names of a right side; none for `epsilon`.
fn side(parser: &mut Parser<'_>) -> Vec<(Arc<str>, Span)> {
    let mut names = Vec::new();
    while parser.cursor.kind() == Lexeme::Name {
        let (name, span) = parser.name(HINT);
        if &*name != "epsilon" {
            names.push((name, span));
        }
    }
    names
}
