//! Conditions, expressions and statements.
//!
//! ```text
//!  G ::= C ('||' C)*       C ::= A ('&&' A)*
//!  A ::= '!' A | 'true' | 'false' | '(' G ')' | e op e | x | S.contains(e) | S.isEmpty()
//!  e ::= t (('+'|'-') t)*  t ::= u (('*'|'/'|'%') u)*       u ::= '-' u | x | c.current() | constant | '(' e ')'
//! ```

use super::super::lex::Lexeme;
use super::super::syntax::{Current, Expression, Guard, Holds, Name, Statement};
use super::parser::Parser;
use crate::core::Span;
use crate::core::machine::dates::ClockAct;
use crate::diagnostic::Diagnostic;
use crate::parse::c_like::Conditions;

const GUARD_HINT: &str =
    "compare two values (`x == y`, `n > 0`), ask `S.contains(x)` or `S.isEmpty()`, join with `&&`, `||`, `!`";
const STATEMENT_HINT: &str = "write `x = value;`, `x++;`, `S.add(x);`, `S.remove(x);`, `c.reset();` or `k.send(x);`";

impl Conditions for Lexeme {
    type Value = Current;
    type Condition = Holds;
    const HINT: &'static str = GUARD_HINT;

    fn special(parser: &mut Parser<'_>) -> Option<Guard> {
        parser.set_test()
    }

    /// A variable that is true or false.
    fn uncompared(_: &mut Parser<'_>, value: Expression) -> Option<Guard> {
        match value {
            Expression::Variable(name) => Some(Guard::Own(Holds(name))),
            _ => None,
        }
    }

    fn named(parser: &mut Parser<'_>) -> Expression {
        parser.variable_or_clock()
    }
}

impl Parser<'_> {
    /// `S.contains(e)` or `S.isEmpty()`, if one stands here.
    fn set_test(&mut self) -> Option<Guard> {
        let method = self.cursor.nth(2);
        if self.is_word("true") || self.is_word("false") {
            return None;
        }
        if self.cursor.kind() != Lexeme::Name || self.cursor.nth(1).kind != Lexeme::Dot || method.kind != Lexeme::Name {
            return None;
        }
        let contains = match self.cursor.text(method.span) {
            "contains" => true,
            "isEmpty" => false,
            _ => return None,
        };
        let set = self.name(GUARD_HINT);
        self.cursor.bump();
        self.cursor.bump();
        self.cursor.expect(Lexeme::Open, "write `S.contains(x)` or `S.isEmpty()`");
        let guard = if contains { Guard::In(self.value(), set) } else { Guard::Empty(set) };
        self.close(Lexeme::Close, "close with `)`");
        Some(guard)
    }

    fn variable_or_clock(&mut self) -> Expression {
        let name = self.name("write a variable, a number, a string, `true`, `false` or `clock.current()`");
        if self.cursor.eat(Lexeme::Dot).is_none() {
            return Expression::Variable(name);
        }
        if !self.eat_word("current") {
            self.cursor.expect_also("`current`");
            self.cursor.unexpected("of a clock one can ask `c.current()`");
        }
        self.cursor.expect(Lexeme::Open, "write `c.current()`");
        self.close(Lexeme::Close, "close with `)`");
        Expression::Own(Current(name))
    }

    /// The statements up to the closing bracket.
    pub(super) fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            while self.cursor.eat(Lexeme::Semicolon).is_some() {}
            if matches!(self.cursor.kind(), Lexeme::CloseSquare | Lexeme::End) {
                return statements;
            }
            let errors = self.cursor.errors();
            statements.extend(self.statement());
            if self.cursor.errors() != errors {
                self.cursor.skip_to(|kind| matches!(kind, Lexeme::CloseSquare | Lexeme::CloseBrace));
                return statements;
            }
            if !matches!(self.cursor.kind(), Lexeme::CloseSquare) {
                self.cursor.expect(Lexeme::Semicolon, "separate statements with `;` and close with `]`");
                if self.cursor.errors() != errors {
                    return statements;
                }
            }
        }
    }

    fn statement(&mut self) -> Option<Statement> {
        let start = self.cursor.span();
        let name = self.name(STATEMENT_HINT);
        let kind = self.cursor.kind();
        match kind {
            Lexeme::Dot => self.method(name, start),
            Lexeme::Assign => {
                self.cursor.bump();
                let value = self.value();
                Some(Statement::Assign(name, value, self.cursor.since(start)))
            }
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

    /// What follows the name of a set, a clock or a channel.
    fn method(&mut self, of: Name, start: Span) -> Option<Statement> {
        self.cursor.bump();
        let method = self.name(STATEMENT_HINT);
        self.cursor.expect(Lexeme::Open, "write the arguments in parentheses");
        let mut arguments = Vec::new();
        while !matches!(self.cursor.kind(), Lexeme::Close | Lexeme::End) {
            let position = self.cursor.position();
            arguments.push(self.value());
            if self.cursor.eat(Lexeme::Comma).is_none() || self.cursor.position() == position {
                break;
            }
        }
        self.close(Lexeme::Close, "separate arguments with commas and close with `)`");
        let span = self.cursor.since(start);
        let statement = meaning(of, &method.text, arguments, span);
        if statement.is_none() && !method.text.is_empty() {
            let message = format!("`{}` is nothing that can be done so", self.cursor.text(span));
            self.cursor.fail(Diagnostic::error("E0003", span, message).hint(STATEMENT_HINT));
        }
        statement
    }
}

/// What a call of a method does, if it is one of those that are known.
fn meaning(of: Name, method: &str, mut arguments: Vec<Expression>, span: Span) -> Option<Statement> {
    let act = match method {
        "reset" => Some(ClockAct::Reset),
        "pause" => Some(ClockAct::Pause),
        "resume" => Some(ClockAct::Resume),
        "off" => Some(ClockAct::Off),
        _ => None,
    };
    match (method, act, arguments.len()) {
        (_, Some(act), 0) => Some(Statement::Clock(of, act)),
        ("clear", _, 0) => Some(Statement::Clear(of)),
        ("add", _, 1) => Some(Statement::Add(of, arguments.remove(0), span)),
        ("remove", _, 1) => Some(Statement::Remove(of, arguments.remove(0), span)),
        ("send", _, _) => Some(Statement::Send(of, arguments, span)),
        _ => None,
    }
}
