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

use referee_trace::number::Number;
use referee_trace::value::Value;

use super::lex::Lexeme;
use super::syntax::{Declared, Expression, Name};
use crate::core::{Arithmetic, Comparison, Span};
use crate::diagnostic::Diagnostic;
use crate::parse::{self, Cursor, lex, unescape};

const VALUE_HINT: &str = "write a name, a number, a string in quotes, `true`, `false` or `_`";

/// The words of all rule languages: a symbol that is called like one keeps its tick.
const WORDS: [&str; 33] = [
    "_",
    "and",
    "or",
    "not",
    "in",
    "mod",
    "true",
    "false",
    "null",
    "empty",
    "size",
    "defined",
    "Verification",
    "target",
    "fail",
    "property",
    "var",
    "set",
    "map",
    "ruler",
    "observes",
    "always",
    "state",
    "step",
    "initials",
    "forbidden",
    "Ok",
    "Fail",
    "rule",
    "event",
    "fact",
    "hot",
    "monitor",
];

/// A parser of one of the rule languages: where it stands, and the comments that nobody has been given.
pub struct Parser<'s> {
    original: &'s str,
    /// Where it stands.
    pub cursor: Cursor<'s, Lexeme>,
    comments: Vec<parse::Comment>,
    next_comment: usize,
}

impl<'s> Parser<'s> {
    /// A parser at the beginning of a text.
    pub fn new(text: &'s str) -> Parser<'s> {
        Parser::with_comments_of(text, text)
    }

    /// A parser at the beginning of a text whose comments are those of `original`, which differs in nothing else.
    pub fn with_comments_of(text: &'s str, original: &'s str) -> Parser<'s> {
        let mut lexed = lex(text);
        lexed.tokens.retain(|token| token.kind != Lexeme::OpenComment);
        let comments = std::mem::take(&mut lexed.comments);
        Parser { original, cursor: Cursor::new(text, lexed), comments, next_comment: 0 }
    }

    /// What is wrong with the text, in textual order.
    pub fn finish(self) -> Vec<Diagnostic> {
        self.cursor.finish()
    }

    // ── Words, names, comments ──────────────────────────────────────────────────────────────────────────────────────

    /// Whether this word stands here.
    pub fn is_word(&self, word: &str) -> bool {
        self.is_nth_word(0, word)
    }

    /// Whether this word stands so many tokens ahead.
    pub fn is_nth_word(&self, ahead: usize, word: &str) -> bool {
        let token = self.cursor.nth(ahead);
        token.kind == Lexeme::Name && self.cursor.text(token.span) == word
    }

    /// Takes this word if it stands here.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.cursor.bump();
        }
        found
    }

    /// Takes a name, or reports what stands in its place.
    pub fn name(&mut self, hint: &str) -> Name {
        match self.cursor.expect(Lexeme::Name, hint) {
            Some(token) => self.named(token.span),
            None => {
                let start = self.cursor.span().start;
                Name { text: "".into(), span: Span { start, end: start } }
            }
        }
    }

    /// The name at a place, without the tick of Scala's symbols.
    fn named(&self, span: Span) -> Name {
        let text = self.cursor.text(span);
        let bare = text.strip_prefix('\'').filter(|bare| !WORDS.contains(bare));
        Name { text: bare.unwrap_or(text).into(), span }
    }

    /// Takes a closing bracket; where there is none, says so and goes on behind the one that seems to be meant.
    pub fn close(&mut self, bracket: Lexeme, hint: &str) {
        if self.cursor.expect(bracket, hint).is_none() {
            self.cursor.skip_to(|kind| kind == bracket || matches!(kind, Lexeme::CloseBrace | Lexeme::Semicolon));
            self.cursor.eat(bracket);
        }
    }

    /// The comments before the current token that nobody has been given.
    pub fn comments_before(&mut self) -> Vec<Arc<str>> {
        let offset = self.cursor.span().start;
        self.take_comments(|comment| comment.span.start < offset)
    }

    /// The comments inside what was just read, and behind it on the same line.
    pub fn comments_inside(&mut self) -> Vec<Arc<str>> {
        let (end, next) = (self.cursor.previous_span().end, self.cursor.span().start);
        self.take_comments(|comment| comment.span.start < end || (comment.span.start < next && !comment.own_line))
    }

    fn take_comments(&mut self, mine: impl Fn(&parse::Comment) -> bool) -> Vec<Arc<str>> {
        let rest = self.comments.get(self.next_comment..).unwrap_or_default();
        let count = rest.iter().take_while(|comment| mine(comment)).count();
        let text = |comment: &parse::Comment| self.original.get(comment.span.start..comment.span.end).unwrap_or("");
        let taken = rest[..count].iter().map(|comment| text(comment).trim_end().into()).collect();
        self.next_comment += count;
        taken
    }

    // ── Lists ───────────────────────────────────────────────────────────────────────────────────────────────────────

    /// What stands between the parenthesis that was taken and its partner, separated by commas.
    pub fn arguments(&mut self) -> Vec<Expression> {
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
    pub fn declared(&mut self, hint: &str) -> Declared {
        let name = self.name(hint);
        let parameters = self.cursor.eat(Lexeme::Open).is_some().then(|| self.arguments());
        Declared { name, parameters }
    }

    /// Declarations separated by commas.
    pub fn declarations(&mut self, hint: &str) -> Vec<Declared> {
        let mut all = vec![self.declared(hint)];
        while self.cursor.eat(Lexeme::Comma).is_some() {
            all.push(self.declared(hint));
        }
        all
    }

    // ── Expressions ─────────────────────────────────────────────────────────────────────────────────────────────────

    /// A condition or a value.
    pub fn expression(&mut self) -> Expression {
        let start = self.cursor.span();
        let Some(level) = self.cursor.enter() else { return Expression::Unreadable(start) };
        let mut all = vec![self.conjunction()];
        while self.cursor.eat(Lexeme::Or).is_some() || self.eat_word("or") {
            all.push(self.conjunction());
        }
        self.cursor.leave(level);
        if all.len() == 1 { all.remove(0) } else { Expression::Or(all, self.cursor.since(start)) }
    }

    fn conjunction(&mut self) -> Expression {
        let start = self.cursor.span();
        let mut all = vec![self.unary()];
        while self.cursor.eat(Lexeme::And).is_some() || self.eat_word("and") {
            all.push(self.unary());
        }
        if all.len() == 1 { all.remove(0) } else { Expression::And(all, self.cursor.since(start)) }
    }

    fn unary(&mut self) -> Expression {
        let start = self.cursor.span();
        if self.cursor.eat(Lexeme::Not).is_some() || self.eat_word("not") {
            let Some(level) = self.cursor.enter() else { return Expression::Unreadable(start) };
            let body = self.unary();
            self.cursor.leave(level);
            return Expression::Not(Box::new(body), self.cursor.since(start));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Expression {
        let start = self.cursor.span();
        let left = self.sum();
        if let Some(comparison) = comparison(self.cursor.kind()) {
            self.cursor.bump();
            let right = self.sum();
            return Expression::Compare(comparison, Box::new(left), Box::new(right), self.cursor.since(start));
        }
        let negated = self.is_word("not") && self.is_nth_word(1, "in");
        if negated {
            self.cursor.bump();
        }
        if self.eat_word("in") {
            let set = self.sum();
            let span = self.cursor.since(start);
            let inside = Expression::In(Box::new(left), Box::new(set), span);
            return if negated { Expression::Not(Box::new(inside), span) } else { inside };
        }
        left
    }

    fn sum(&mut self) -> Expression {
        let start = self.cursor.span();
        let mut left = self.product();
        while let Some(operator) = sum(self.cursor.kind()) {
            self.cursor.bump();
            let right = self.product();
            if !self.cursor.grow() {
                break;
            }
            left = Expression::Binary(operator, Box::new(left), Box::new(right), self.cursor.since(start));
        }
        left
    }

    fn product(&mut self) -> Expression {
        let start = self.cursor.span();
        let mut left = self.factor();
        while let Some(operator) = self.product_operator() {
            self.cursor.bump();
            let right = self.factor();
            if !self.cursor.grow() {
                break;
            }
            left = Expression::Binary(operator, Box::new(left), Box::new(right), self.cursor.since(start));
        }
        left
    }

    fn product_operator(&self) -> Option<Arithmetic> {
        match self.cursor.kind() {
            Lexeme::Times => Some(Arithmetic::Multiply),
            Lexeme::Divide => Some(Arithmetic::Divide),
            Lexeme::Modulo => Some(Arithmetic::Modulo),
            Lexeme::Name if self.is_word("mod") => Some(Arithmetic::Modulo),
            _ => None,
        }
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
    pub fn path(&mut self) -> Expression {
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

    /// A constant, if one stands here.
    pub fn constant(&mut self) -> Option<Value> {
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

    /// A message in quotes, if one stands here.
    pub fn message(&mut self) -> Option<Arc<str>> {
        let token = self.cursor.eat(Lexeme::String)?;
        Some(unescape(self.cursor.text(token.span)).into())
    }

    /// What follows the word `fail`: a message, perhaps in parentheses.
    pub fn message_of_fail(&mut self) -> Option<Arc<str>> {
        if self.cursor.eat(Lexeme::Open).is_none() {
            return self.message();
        }
        let message = self.message();
        self.close(Lexeme::Close, "write a message in quotes and close with `)`");
        message
    }
}

fn comparison(kind: Lexeme) -> Option<Comparison> {
    Some(match kind {
        Lexeme::Equal | Lexeme::Same => Comparison::Equal,
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
