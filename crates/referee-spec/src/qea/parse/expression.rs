//! Guards, expressions and statements.
//!
//! ```text
//!  guard ::= conj (or conj)*       conj ::= atom (and atom)*
//!  atom  ::= not atom | true | false | empty(S) | S.empty | (guard) | e op e | e [not] in S
//!  e     ::= t ((+|-) t)*          t ::= u ((*|/|%) u)*       u ::= -u | x | constant | (e)
//! ```

use referee_trace::number::Number;
use referee_trace::value::Value;

use super::super::lex::Lexeme;
use super::super::syntax::{Expression, Guard, Name, Statement};
use super::Parser;
use crate::core::{Arithmetic, Comparison, Span};
use crate::parse::unescape;

const GUARD_HINT: &str =
    "compare two values (`x = y`, `n > 0`), ask `x in S` or `empty(S)`, join with `and`, `or`, `not`";
const STATEMENT_HINT: &str = "write `x := value`, `x++`, `x--`, `S.add(x)`, `S.remove(x)` or `S := {}`";

impl Parser<'_> {
    pub(super) fn guard(&mut self) -> Guard {
        let Some(level) = self.cursor.enter() else { return Guard::Unreadable };
        let mut all = vec![self.conjunction()];
        while self.cursor.eat(Lexeme::Or).is_some() || self.eat_word("or") {
            all.push(self.conjunction());
        }
        self.cursor.leave(level);
        if all.len() == 1 { all.remove(0) } else { Guard::Or(all) }
    }

    fn conjunction(&mut self) -> Guard {
        let mut all = vec![self.atom()];
        while self.cursor.eat(Lexeme::And).is_some() || self.eat_word("and") {
            all.push(self.atom());
        }
        if all.len() == 1 { all.remove(0) } else { Guard::And(all) }
    }

    fn atom(&mut self) -> Guard {
        if self.cursor.eat(Lexeme::Not).is_some() || self.eat_word("not") {
            let Some(level) = self.cursor.enter() else { return Guard::Unreadable };
            let body = self.atom();
            self.cursor.leave(level);
            return Guard::Not(Box::new(body));
        }
        if self.is_word("empty") && self.cursor.nth(1).kind == Lexeme::Open {
            self.cursor.bump();
            self.cursor.bump();
            let set = self.name("name the set: `empty(S)`");
            self.close(Lexeme::Close, "close with `)`");
            return Guard::Empty(set);
        }
        if self.cursor.kind() == Lexeme::Open && self.is_guard_in_parentheses() {
            self.cursor.bump();
            let guard = self.guard();
            self.close(Lexeme::Close, "close the parenthesis with `)`");
            return guard;
        }
        self.comparison()
    }

    /// Whether the parenthesis that opens here holds a guard and not an expression: no operator that joins values, and
    /// nothing to compare, follows its partner.
    fn is_guard_in_parentheses(&self) -> bool {
        let mut depth = 0usize;
        for ahead in 0.. {
            match self.cursor.nth(ahead).kind {
                Lexeme::Open => depth += 1,
                Lexeme::Close if depth <= 1 => {
                    let after = self.cursor.nth(ahead + 1);
                    return !joins_values(after.kind) && !self.cursor.text(after.span).eq_ignore_ascii_case("in");
                }
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
        let left = self.expression();
        if let Some(comparison) = comparison(self.cursor.kind()) {
            self.cursor.bump();
            return Guard::Compare(comparison, left, self.expression());
        }
        let negated = self.is_word("not");
        if negated {
            self.cursor.bump();
        }
        if self.eat_word("in") {
            let inside = Guard::In(left, self.name("name the set: `x in S`"));
            return if negated { Guard::Not(Box::new(inside)) } else { inside };
        }
        if let (Expression::Variable(set), Lexeme::Dot) = (&left, self.cursor.kind()) {
            return self.is_empty(set.clone());
        }
        self.cursor.expect_also("a comparison");
        self.cursor.unexpected(GUARD_HINT);
        Guard::Unreadable
    }

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

    pub(super) fn expression(&mut self) -> Expression {
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
            Expression::Variable(self.name("write a variable, a number, a string, `true` or `false`"))
        };
        self.cursor.leave(level);
        expression
    }

    /// A constant, if one stands here.
    pub(super) fn constant(&mut self) -> Option<Value> {
        let token = self.cursor.token();
        let text = self.cursor.text(token.span);
        let value = match token.kind {
            Lexeme::Number => Value::of(text),
            Lexeme::String => Value::string(&unescape(text)),
            Lexeme::Name if text.eq_ignore_ascii_case("true") => Value::Boolean(true),
            Lexeme::Name if text.eq_ignore_ascii_case("false") => Value::Boolean(false),
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

    fn assignment(&mut self, name: Name, start: Span) -> Statement {
        self.cursor.bump();
        let braces = self.cursor.kind() == Lexeme::OpenBrace && self.cursor.nth(1).kind == Lexeme::CloseBrace;
        if braces || self.is_word("empty") {
            self.cursor.bump();
            self.cursor.eat(Lexeme::CloseBrace);
            return Statement::Clear(name);
        }
        let value = self.expression();
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
        let element = self.expression();
        self.close(Lexeme::Close, "close with `)`");
        let span = self.cursor.since(start);
        let make = if word == "add" { Statement::Add } else { Statement::Remove };
        Some(make(set, element, span))
    }
}

fn comparison(kind: Lexeme) -> Option<Comparison> {
    Some(match kind {
        Lexeme::Equal => Comparison::Equal,
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
