//! `srs`: rewriting rules `a b -> b a .`, with `^` and `$` for the ends and `#succeed`, `#fail` as right sides.

use std::sync::Arc;

use super::lex::Lexeme;
use super::parser::Parser;
use crate::core::machine::{RewriteRule, Rewriting, Side};

const HINT: &str = "write rules that end with a dot: `b a -> a b .`";

/// Reads the body. A name that is no event is a symbol of the system's own.
pub(super) fn parse(parser: &mut Parser<'_>) -> Option<Rewriting> {
    let mut names = parser.event_names();
    let mut rules = Vec::new();
    while !parser.is_body_end() {
        let start = parser.cursor.span();
        let at_start = parser.cursor.eat(Lexeme::Caret).is_some();
        let left = symbols(parser, &mut names);
        let at_end = parser.cursor.eat(Lexeme::Dollar).is_some();
        if left.is_empty() {
            parser.cursor.expect_also("a symbol");
            parser.cursor.unexpected(HINT);
            return None;
        }
        parser.cursor.expect(Lexeme::Arrow, HINT)?;
        let right = side(parser, &mut names)?;
        parser.cursor.expect(Lexeme::Dot, HINT)?;
        rules.push(RewriteRule { at_start, at_end, left, right, span: parser.cursor.since(start) });
    }
    Some(Rewriting { names, rules })
}

fn symbols(parser: &mut Parser<'_>, names: &mut Vec<Arc<str>>) -> Vec<usize> {
    let mut symbols = Vec::new();
    while parser.cursor.kind() == Lexeme::Name {
        let (name, _) = parser.name(HINT);
        if &*name == "epsilon" {
            continue;
        }
        symbols.push(names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        }));
    }
    symbols
}

fn side(parser: &mut Parser<'_>, names: &mut Vec<Arc<str>>) -> Option<Side> {
    if parser.cursor.eat(Lexeme::Hash).is_none() {
        return Some(Side::Symbols(symbols(parser, names)));
    }
    if parser.eat_word("succeed") {
        return Some(Side::Succeed);
    }
    if parser.eat_word("fail") {
        return Some(Side::Fail);
    }
    parser.cursor.expect_also("`succeed`");
    parser.cursor.expect_also("`fail`");
    parser.cursor.unexpected("write `#succeed` or `#fail`");
    None
}
