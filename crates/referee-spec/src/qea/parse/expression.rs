//! Guards, expressions and statements.
//!
//! ```text
//!  guard ::= conj (or conj)*       conj ::= atom (and atom)*
//!  atom  ::= not atom | true | false | empty(S) | S.empty | (guard) | e op e | e [not] in S
//!  e     ::= t ((+|-) t)*          t ::= u ((*|/|%) u)*       u ::= -u | x | constant | (e)
//! ```

use std::convert::Infallible;

use super::super::lex::Lexeme;
use super::super::syntax::{Expression, Guard, Name, Statement};
use super::parser::Parser;
use crate::core::Span;
use crate::parse::c_like::{Conditions, Dialect as _};

const GUARD_HINT: &str =
    "compare two values (`x = y`, `n > 0`), ask `x in S` or `empty(S)`, join with `and`, `or`, `not`";
const STATEMENT_HINT: &str = "write `x := value`, `x++`, `x--`, `S.add(x)`, `S.remove(x)` or `S := {}`";

impl Conditions for Lexeme {
    type Value = Infallible;
    type Condition = Infallible;
    const HINT: &'static str = GUARD_HINT;

    /// `empty(S)`
    fn special(parser: &mut Parser<'_>) -> Option<Guard> {
        if !parser.is_word("empty") || parser.cursor.nth(1).kind != Lexeme::Open {
            return None;
        }
        parser.cursor.bump();
        parser.cursor.bump();
        let set = parser.name("name the set: `empty(S)`");
        parser.close(Lexeme::Close, "close with `)`");
        Some(Guard::Empty(set))
    }

    /// `x in S`, `x not in S` or `S.empty`
    fn uncompared(parser: &mut Parser<'_>, value: Expression) -> Option<Guard> {
        let negated = parser.eat_word("not");
        if parser.eat_word("in") {
            let inside = Guard::In(value, parser.name("name the set: `x in S`"));
            return Some(if negated { Guard::Not(Box::new(inside)) } else { inside });
        }
        match (value, parser.cursor.kind()) {
            (Expression::Variable(set), Lexeme::Dot) => Some(parser.is_empty(set)),
            _ => None,
        }
    }

    fn named(parser: &mut Parser<'_>) -> Expression {
        Expression::Variable(parser.name("write a variable, a number, a string, `true` or `false`"))
    }

    fn follows_value(parser: &Parser<'_>, ahead: usize) -> bool {
        parser.cursor.nth(ahead).kind.joins_values() || parser.is_nth_word(ahead, "in")
    }
}

impl Parser<'_> {
    /// What follows the dot of `S.empty`.
    fn is_empty(&mut self, set: Name) -> Guard {
        self.cursor.bump();
        if !self.eat_word("empty") {
            self.cursor.expect_also("`empty`");
            self.cursor.unexpected(GUARD_HINT);
        }
        if self.cursor.eat(Lexeme::Open).is_some() {
            self.close(Lexeme::Close, "close with `)`");
        }
        Guard::Empty(set)
    }

    /// `do [statements]`, if it stands here.
    pub(super) fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        if !self.eat_word("do") {
            return statements;
        }
        self.cursor.expect(Lexeme::OpenSquare, "write the statements in brackets: `do [n++; x := y]`");
        loop {
            while self.cursor.eat(Lexeme::Semicolon).is_some() || self.cursor.eat(Lexeme::Comma).is_some() {}
            if self.cursor.eat(Lexeme::CloseSquare).is_some() {
                return statements;
            }
            let errors = self.cursor.errors();
            statements.extend(self.statement());
            if self.cursor.errors() != errors {
                self.close(Lexeme::CloseSquare, STATEMENT_HINT);
                return statements;
            }
        }
    }

    fn statement(&mut self) -> Option<Statement> {
        let start = self.cursor.span();
        let name = self.name(STATEMENT_HINT);
        let (kind, word) = (self.cursor.kind(), name.text.to_ascii_lowercase());
        match kind {
            Lexeme::Open if word == "add" || word == "remove" => self.call(&word, start),
            Lexeme::Dot => self.method(name, start),
            Lexeme::Assign => Some(self.assignment(name, start)),
            _ if let Some((value, span)) = self.changed(&name, start) => Some(Statement::Assign(name, value, span)),
            _ => {
                for expected in [Lexeme::Assign, Lexeme::Increment, Lexeme::Decrement, Lexeme::Dot] {
                    self.cursor.expect_also(expected);
                }
                self.cursor.unexpected(STATEMENT_HINT);
                None
            }
        }
    }

    fn assignment(&mut self, name: Name, start: Span) -> Statement {
        self.cursor.bump();
        let braces = self.cursor.kind() == Lexeme::OpenBrace && self.cursor.nth(1).kind == Lexeme::CloseBrace;
        if braces || self.is_word("empty") {
            self.cursor.bump();
            self.cursor.eat(Lexeme::CloseBrace);
            return Statement::Clear(name);
        }
        let value = self.value();
        Statement::Assign(name, value, self.cursor.since(start))
    }

    /// `add(S, e)` or `remove(S, e)`, of which the word was taken.
    fn call(&mut self, word: &str, start: Span) -> Option<Statement> {
        self.cursor.bump();
        let set = self.name("name the set: `add(S, x)`");
        self.cursor.expect(Lexeme::Comma, "name the element: `add(S, x)`");
        self.element(word, set, start)
    }

    /// What follows the dot of `S.add(e)`.
    fn method(&mut self, set: Name, start: Span) -> Option<Statement> {
        self.cursor.bump();
        let method = self.name("write `add`, `remove` or `clear`").text.to_ascii_lowercase();
        self.cursor.expect(Lexeme::Open, "write the element in parentheses");
        match &*method {
            "clear" => {
                self.close(Lexeme::Close, "close with `)`");
                Some(Statement::Clear(set))
            }
            "add" | "remove" => self.element(&method, set, start),
            _ => {
                self.cursor.expect_also("`add`, `remove` or `clear`");
                self.cursor.unexpected(STATEMENT_HINT);
                None
            }
        }
    }

    fn element(&mut self, word: &str, set: Name, start: Span) -> Option<Statement> {
        let element = self.value();
        self.close(Lexeme::Close, "close with `)`");
        let span = self.cursor.since(start);
        let make = if word == "add" { Statement::Add } else { Statement::Remove };
        Some(make(set, element, span))
    }
}
