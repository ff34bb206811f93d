//! Conditions, expressions and statements.
//!
//! ```text
//!  G ::= C ('||' C)*       C ::= A ('&&' A)*
//!  A ::= '!' A | 'true' | 'false' | '(' G ')' | e op e | x | S.contains(e) | S.isEmpty()
//!  e ::= t (('+'|'-') t)*  t ::= u (('*'|'/'|'%') u)*       u ::= '-' u | x | c.current() | constant | '(' e ')'
//! ```

use referee_trace::number::Number;
use referee_trace::value::Value;

use super::super::lex::Lexeme;
use super::super::syntax::{Expression, Guard, Name, Statement};
use super::Parser;
use crate::core::machine::dates::ClockAct;
use crate::core::{Arithmetic, Comparison, Span};
use crate::parse::unescape;

const GUARD_HINT: &str =
    "compare two values (`x == y`, `n > 0`), ask `S.contains(x)` or `S.isEmpty()`, join with `&&`, `||`, `!`";
const STATEMENT_HINT: &str = "write `x = value;`, `x++;`, `S.add(x);`, `S.remove(x);`, `c.reset();` or `k.send(x);`";

impl Parser<'_> {
    pub(super) fn guard(&mut self) -> Guard {
        let Some(level) = self.cursor.enter() else { return Guard::Unreadable };
        let mut all = vec![self.conjunction()];
        while self.cursor.eat(Lexeme::Or).is_some() {
            all.push(self.conjunction());
        }
        self.cursor.leave(level);
        if all.len() == 1 { all.remove(0) } else { Guard::Or(all) }
    }

    fn conjunction(&mut self) -> Guard {
        let mut all = vec![self.atom()];
        while self.cursor.eat(Lexeme::And).is_some() {
            all.push(self.atom());
        }
        if all.len() == 1 { all.remove(0) } else { Guard::And(all) }
    }

    fn atom(&mut self) -> Guard {
        if self.cursor.eat(Lexeme::Not).is_some() {
            let Some(level) = self.cursor.enter() else { return Guard::Unreadable };
            let body = self.atom();
            self.cursor.leave(level);
            return Guard::Not(Box::new(body));
        }
        if self.cursor.kind() == Lexeme::Open && self.is_guard_in_parentheses() {
            self.cursor.bump();
            let guard = self.guard();
            self.close(Lexeme::Close, "close the parenthesis with `)`");
            return guard;
        }
        self.comparison()
    }

    /// Whether the parenthesis that opens here holds a condition and not an expression: no operator that joins values
    /// follows its partner.
    fn is_guard_in_parentheses(&self) -> bool {
        let mut depth = 0usize;
        for ahead in 0.. {
            match self.cursor.nth(ahead).kind {
                Lexeme::Open => depth += 1,
                Lexeme::Close if depth <= 1 => return !joins_values(self.cursor.nth(ahead + 1).kind),
                Lexeme::Close => depth -= 1,
                Lexeme::End => return true,
                _ => {}
            }
        }
        true
    }

    fn comparison(&mut self) -> Guard {
        let truth = ["true", "false"].iter().position(|word| self.is_word(word));
        if let Some(truth) = truth
            && !joins_values(self.cursor.nth(1).kind)
        {
            self.cursor.bump();
            return Guard::Constant(truth == 0);
        }
        if let Some(guard) = self.set_test() {
            return guard;
        }
        let left = self.expression();
        if let Some(comparison) = comparison(self.cursor.kind()) {
            self.cursor.bump();
            return Guard::Compare(comparison, left, self.expression());
        }
        if let Expression::Variable(name) = left {
            return Guard::Holds(name);
        }
        self.cursor.expect_also("a comparison");
        self.cursor.unexpected(GUARD_HINT);
        Guard::Unreadable
    }

    /// `S.contains(e)` or `S.isEmpty()`, if one stands here.
    fn set_test(&mut self) -> Option<Guard> {
        let method = self.cursor.nth(2);
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
        let guard = if contains { Guard::In(self.expression(), set) } else { Guard::Empty(set) };
        self.close(Lexeme::Close, "close with `)`");
        Some(guard)
    }

    fn expression(&mut self) -> Expression {
        let start = self.cursor.span();
        let mut left = self.term();
        while let Some(operator) = sum(self.cursor.kind()) {
            self.cursor.bump();
            let right = self.term();
            if !self.cursor.grow() {
                break;
            }
            left = Expression::Binary(operator, Box::new(left), Box::new(right), self.cursor.since(start));
        }
        left
    }

    fn term(&mut self) -> Expression {
        let start = self.cursor.span();
        let mut left = self.factor();
        while let Some(operator) = product(self.cursor.kind()) {
            self.cursor.bump();
            let right = self.factor();
            if !self.cursor.grow() {
                break;
            }
            left = Expression::Binary(operator, Box::new(left), Box::new(right), self.cursor.since(start));
        }
        left
    }

    fn factor(&mut self) -> Expression {
        let start = self.cursor.span();
        if let Some(value) = self.constant() {
            return Expression::Constant(value);
        }
        let Some(level) = self.cursor.enter() else { return Expression::Constant(Value::from(0)) };
        let expression = if self.cursor.eat(Lexeme::Minus).is_some() {
            let zero = Box::new(Expression::Constant(Value::from(0)));
            let body = Box::new(self.factor());
            Expression::Binary(Arithmetic::Subtract, zero, body, self.cursor.since(start))
        } else if self.cursor.eat(Lexeme::Open).is_some() {
            let inner = self.expression();
            self.close(Lexeme::Close, "close the parenthesis with `)`");
            inner
        } else {
            self.variable()
        };
        self.cursor.leave(level);
        expression
    }

    fn variable(&mut self) -> Expression {
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
        Expression::Current(name)
    }

    /// A constant, if one stands here.
    pub(super) fn constant(&mut self) -> Option<Value> {
        let token = self.cursor.token();
        let text = self.cursor.text(token.span);
        let value = match token.kind {
            Lexeme::Number => Value::of(text),
            Lexeme::String => Value::string(&unescape(text)),
            Lexeme::Name if text == "true" => Value::Boolean(true),
            Lexeme::Name if text == "false" => Value::Boolean(false),
            Lexeme::Minus if self.cursor.nth(1).kind == Lexeme::Number => {
                self.cursor.bump();
                let digits = self.cursor.text(self.cursor.span());
                Number::parse(digits).map_or_else(|| Value::string(digits), |number| Value::Number(number.neg()))
            }
            _ => return None,
        };
        self.cursor.bump();
        Some(value)
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
                let value = self.expression();
                Some(Statement::Assign(name, value, self.cursor.since(start)))
            }
            Lexeme::Increment | Lexeme::Decrement | Lexeme::AddTo | Lexeme::SubtractFrom => {
                self.cursor.bump();
                let adds = matches!(kind, Lexeme::Increment | Lexeme::AddTo);
                let operator = if adds { Arithmetic::Add } else { Arithmetic::Subtract };
                let by_one = matches!(kind, Lexeme::Increment | Lexeme::Decrement);
                let amount = if by_one { Expression::Constant(Value::from(1)) } else { self.expression() };
                let span = self.cursor.since(start);
                let old = Box::new(Expression::Variable(name.clone()));
                Some(Statement::Assign(name, Expression::Binary(operator, old, Box::new(amount), span), span))
            }
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
            arguments.push(self.expression());
            if self.cursor.eat(Lexeme::Comma).is_none() || self.cursor.position() == position {
                break;
            }
        }
        self.close(Lexeme::Close, "separate arguments with commas and close with `)`");
        let span = self.cursor.since(start);
        let statement = meaning(of, &method.text, arguments, span);
        if statement.is_none() && !method.text.is_empty() {
            let message = format!("`{}` is nothing that can be done so", self.cursor.text(span));
            self.cursor.fail(crate::diagnostic::Diagnostic::error("E0003", span, message).hint(STATEMENT_HINT));
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

fn comparison(kind: Lexeme) -> Option<Comparison> {
    Some(match kind {
        Lexeme::Equal | Lexeme::Assign => Comparison::Equal,
        Lexeme::NotEqual => Comparison::NotEqual,
        Lexeme::Less => Comparison::Less,
        Lexeme::LessOrEqual => Comparison::LessOrEqual,
        Lexeme::Greater => Comparison::Greater,
        Lexeme::GreaterOrEqual => Comparison::GreaterOrEqual,
        _ => return None,
    })
}

fn sum(kind: Lexeme) -> Option<Arithmetic> {
    match kind {
        Lexeme::Plus => Some(Arithmetic::Add),
        Lexeme::Minus => Some(Arithmetic::Subtract),
        _ => None,
    }
}

fn product(kind: Lexeme) -> Option<Arithmetic> {
    match kind {
        Lexeme::Times => Some(Arithmetic::Multiply),
        Lexeme::Divide => Some(Arithmetic::Divide),
        Lexeme::Modulo => Some(Arithmetic::Modulo),
        _ => None,
    }
}

/// Whether a token stands between two values.
fn joins_values(kind: Lexeme) -> bool {
    comparison(kind).is_some() || sum(kind).is_some() || product(kind).is_some()
}
