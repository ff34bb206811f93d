//! From tokens to conditions and values: the part of the parsers that the rule languages share.
//!
//! ```text
//!  or      ::= and (('or' | '||') and)*           and     ::= unary (('and' | '&' | '&&') unary)*
//!  unary   ::= ('not' | '!') unary | sum [op sum | ['not'] 'in' sum]
//!  sum     ::= product (('+' | '-') product)*     product ::= factor (('*' | '/' | '%' | 'mod') factor)*
//!  factor  ::= '-' factor | primary ('.' name ['(' or,* ')'] | '[' or,* ']')*
//!  primary ::= constant | '_' | name ['(' (or | x ':' type),* ')'] | '(' or ')'
//! ```

use std::sync::Arc;

use referee_trace::value::Value;

use super::lex::Lexeme;
use super::syntax::{Declared, Expression};
use crate::core::{Arithmetic, Span};
use crate::parse::c_like::{Dialect as _, Reader};
use crate::parse::unescape;

const VALUE_HINT: &str = "write a name, a number, a string in quotes, `true`, `false` or `_`";

/// A parser of one of the rule languages.
pub(crate) type Parser<'s> = Reader<'s, Lexeme>;

impl Parser<'_> {
    // ── Lists ───────────────────────────────────────────────────────────────────────────────────────────────────────

    /// What stands between the parenthesis that was taken and its partner, separated by commas.
    pub(crate) fn arguments(&mut self) -> Vec<Expression> {
        let mut arguments = Vec::new();
        if self.cursor.eat(Lexeme::Close).is_some() {
            return arguments;
        }
        loop {
            arguments.push(self.argument());
            if self.cursor.eat(Lexeme::Comma).is_none() {
                break;
            }
        }
        self.close(Lexeme::Close, "separate arguments with commas and close with `)`");
        arguments
    }

    /// An argument, perhaps with its type behind a colon, or, as in Java, before its name.
    fn argument(&mut self) -> Expression {
        if self.cursor.kind() == Lexeme::Name && self.cursor.nth(1).kind == Lexeme::Name && !self.is_operator(1) {
            let (kind, name) = (self.name(""), self.name(""));
            return if &*name.text == "_" { Expression::Any(name.span) } else { Expression::Typed(name, kind) };
        }
        let value = self.expression();
        let is_typed =
            matches!(value, Expression::Name(_) | Expression::Any(_)) && self.cursor.eat(Lexeme::Colon).is_some();
        if !is_typed {
            return value;
        }
        let kind = self.name("write the variable's type: `i:obj`");
        match value {
            Expression::Name(name) => Expression::Typed(name, kind),
            value => value,
        }
    }

    /// Whether the word so many tokens ahead joins two expressions, or begins one that is negated.
    fn is_operator(&self, ahead: usize) -> bool {
        ["and", "or", "not", "in", "mod"].iter().any(|word| self.is_nth_word(ahead, word)) || self.is_word("not")
    }

    /// `name` or `name(parameter, …)`
    pub(crate) fn declared(&mut self, hint: &str) -> Declared {
        let name = self.name(hint);
        let parameters = self.cursor.eat(Lexeme::Open).is_some().then(|| self.arguments());
        Declared { name, parameters }
    }

    /// Declarations separated by commas.
    pub(crate) fn declarations(&mut self, hint: &str) -> Vec<Declared> {
        let mut all = vec![self.declared(hint)];
        while self.cursor.eat(Lexeme::Comma).is_some() {
            all.push(self.declared(hint));
        }
        all
    }

    // ── Expressions ─────────────────────────────────────────────────────────────────────────────────────────────────

    /// A condition or a value.
    pub(crate) fn expression(&mut self) -> Expression {
        self.condition(Self::comparison)
    }

    fn comparison(&mut self) -> Expression {
        let start = self.cursor.span();
        let left = self.value();
        if let Some(comparison) = self.cursor.kind().comparison() {
            self.cursor.bump();
            let right = self.value();
            return Expression::Compare(comparison, Box::new(left), Box::new(right), self.cursor.since(start));
        }
        let negated = self.is_word("not") && self.is_nth_word(1, "in");
        if negated {
            self.cursor.bump();
        }
        if self.eat_word("in") {
            let set = self.value();
            let span = self.cursor.since(start);
            let inside = Expression::In(Box::new(left), Box::new(set), span);
            return if negated { Expression::Not(Box::new(inside), span) } else { inside };
        }
        left
    }

    fn value(&mut self) -> Expression {
        self.sum(Self::factor)
    }

    fn factor(&mut self) -> Expression {
        let start = self.cursor.span();
        if let Some(value) = self.constant() {
            let constant = Expression::Constant(value, self.cursor.since(start));
            return self.postfix(constant, start);
        }
        if self.cursor.eat(Lexeme::Minus).is_some() {
            let Some(level) = self.cursor.enter() else { return Expression::Unreadable(start) };
            let body = self.factor();
            self.cursor.leave(level);
            let zero = Expression::Constant(Value::from(0), start);
            let span = self.cursor.since(start);
            return Expression::Binary(Arithmetic::Subtract, Box::new(zero), Box::new(body), span);
        }
        self.path()
    }

    /// A name with what follows it: `x`, `f(a)`, `s.add(x)`, `m[k]`.
    pub(crate) fn path(&mut self) -> Expression {
        let start = self.cursor.span();
        let primary = self.primary();
        self.postfix(primary, start)
    }

    fn postfix(&mut self, primary: Expression, start: Span) -> Expression {
        let mut left = primary;
        while matches!(self.cursor.kind(), Lexeme::Dot | Lexeme::OpenSquare) {
            if !self.cursor.grow() {
                break;
            }
            left = if self.cursor.eat(Lexeme::Dot).is_some() {
                let name = self.name("name what follows the dot: `S.contains(x)`");
                let arguments = self.cursor.eat(Lexeme::Open).map(|_| self.arguments());
                Expression::Member(Box::new(left), name, arguments, self.cursor.since(start))
            } else {
                self.cursor.bump();
                let keys = self.keys();
                Expression::Index(Box::new(left), keys, self.cursor.since(start))
            };
        }
        left
    }

    fn keys(&mut self) -> Vec<Expression> {
        let mut keys = vec![self.expression()];
        while self.cursor.eat(Lexeme::Comma).is_some() {
            keys.push(self.expression());
        }
        self.close(Lexeme::CloseSquare, "close the key with `]`");
        keys
    }

    fn primary(&mut self) -> Expression {
        let start = self.cursor.span();
        if self.cursor.kind() == Lexeme::Name {
            // The class in which LARVA's rules keep their variables says nothing.
            while self.is_word("Verification") && self.cursor.nth(1).kind == Lexeme::Dot {
                self.cursor.bump();
                self.cursor.bump();
            }
            let name = self.name("name the variable, set or map: `Verification.initialized`");
            if self.cursor.kind() == Lexeme::Open {
                self.cursor.bump();
                let arguments = self.arguments();
                return Expression::Call(name, arguments, self.cursor.since(start));
            }
            return if &*name.text == "_" { Expression::Any(name.span) } else { Expression::Name(name) };
        }
        if self.cursor.eat(Lexeme::Open).is_some() {
            let inner = self.expression();
            self.close(Lexeme::Close, "close the parenthesis with `)`");
            return inner;
        }
        self.cursor.expect_also("a value");
        self.cursor.unexpected(VALUE_HINT);
        Expression::Unreadable(start)
    }

    /// A message in quotes, if one stands here.
    pub(crate) fn message(&mut self) -> Option<Arc<str>> {
        let token = self.cursor.eat(Lexeme::String)?;
        Some(unescape(self.cursor.text(token.span)).into())
    }

    /// What follows the word `fail`: a message, perhaps in parentheses.
    pub(crate) fn message_of_fail(&mut self) -> Option<Arc<str>> {
        if self.cursor.eat(Lexeme::Open).is_none() {
            return self.message();
        }
        let message = self.message();
        self.close(Lexeme::Close, "write a message in quotes and close with `)`");
        message
    }
}
