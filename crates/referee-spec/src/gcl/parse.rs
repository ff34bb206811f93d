//! From tokens to the tree. Errors are mended where they happen: an item that cannot be read ends at the next `;` or brace.

use std::sync::Arc;

use referee_trace::value::Value;

use super::syntax::{Arguments, Document, Item, ItemKind, Method, Pattern, Property, Rule, Sort, Statement};
use crate::core::{Arithmetic, Span};
use crate::diagnostic::Diagnostic;
use crate::rules::lex::Lexeme;
use crate::rules::parse::Parser;
use crate::rules::syntax::{Expression, Name};

const RULE_HINT: &str = "write `event(x) | condition -> action;`";
const ACTION_HINT: &str =
    "write `x = value`, `x++`, `m[k] = value`, `s.add(x)`, `s.remove(x)`, `s.clear()` or `fail(\"message\")`";

/// Parses a file.
pub(super) fn parse(text: &str) -> (Document, Vec<Diagnostic>) {
    let mut reading = Reading { parser: Parser::new(text) };
    let document = reading.document();
    (document, reading.parser.finish())
}

struct Reading<'s> {
    parser: Parser<'s>,
}

impl Reading<'_> {
    fn kind(&self) -> Lexeme {
        self.parser.cursor.kind()
    }

    fn nth(&self, ahead: usize) -> Lexeme {
        self.parser.cursor.nth(ahead).kind
    }

    fn document(&mut self) -> Document {
        let mut properties = Vec::new();
        loop {
            let comments = self.parser.comments_before();
            if self.parser.cursor.is_end() {
                return Document { properties, comments };
            }
            properties.push(self.property(comments));
        }
    }

    fn is_header(&self) -> bool {
        self.parser.is_word("property") && self.nth(1) == Lexeme::Name && self.nth(2) == Lexeme::OpenBrace
    }

    fn property(&mut self, comments: Vec<Arc<str>>) -> Property {
        let start = self.parser.cursor.span();
        let mut property =
            Property { comments: Vec::new(), name: None, items: Vec::new(), end_comments: Vec::new(), span: start };
        if self.is_header() {
            self.parser.cursor.bump();
            property.name = Some(self.parser.name("name the property: `property Name { … }`"));
            self.parser.cursor.bump();
            property.comments = comments;
            property.end_comments = self.items(&mut property.items, Vec::new(), true);
        } else {
            property.end_comments = self.items(&mut property.items, comments, false);
        }
        property.span = self.parser.cursor.since(start);
        property
    }

    /// Items up to the closing brace, or, outside of blocks, up to a header or the end; the comments after the last one.
    fn items(&mut self, items: &mut Vec<Item>, first: Vec<Arc<str>>, in_block: bool) -> Vec<Arc<str>> {
        let mut comments = first;
        loop {
            while self.parser.cursor.eat(Lexeme::Semicolon).is_some() {}
            if !in_block && (self.parser.cursor.is_end() || self.is_header()) {
                return comments;
            }
            comments.extend(self.parser.comments_before());
            if in_block && self.parser.cursor.eat(Lexeme::CloseBrace).is_some() {
                return comments;
            }
            if self.parser.cursor.is_end() {
                self.parser.cursor.unexpected("close the property with `}`");
                return comments;
            }
            self.item(items, std::mem::take(&mut comments), in_block);
        }
    }

    fn item(&mut self, items: &mut Vec<Item>, mut comments: Vec<Arc<str>>, in_block: bool) {
        let (position, errors) = (self.parser.cursor.position(), self.parser.cursor.errors());
        let kind = match self.declared_sort() {
            Some(sort) => self.declaration(sort),
            None => ItemKind::Rule(self.rule()),
        };
        if self.parser.cursor.errors() == errors {
            comments.extend(self.parser.comments_inside());
            items.push(Item { comments, kind });
            return;
        }
        self.parser.cursor.skip_to(|kind| matches!(kind, Lexeme::Semicolon | Lexeme::CloseBrace));
        let stuck = self.parser.cursor.position() == position && self.kind() != Lexeme::CloseBrace;
        // A brace that closes nothing is passed over.
        if stuck || (!in_block && self.kind() == Lexeme::CloseBrace) {
            self.parser.cursor.bump();
        }
    }

    /// The sort that a declaration names, if one stands here: `set` may also be an event.
    fn declared_sort(&self) -> Option<Sort> {
        let words = [("var", Sort::Variable), ("set", Sort::Set), ("map", Sort::Map)];
        let (_, sort) = words.into_iter().find(|(word, _)| self.parser.is_word(word))?;
        let target = self.parser.is_nth_word(1, "target") && self.nth(2) == Lexeme::Open;
        (self.nth(1) == Lexeme::Name && !target).then_some(sort)
    }

    fn declaration(&mut self, sort: Sort) -> ItemKind {
        self.parser.cursor.bump();
        let name = self.parser.name("name what is declared: `var n = 0`");
        let assigned = self.parser.cursor.eat(Lexeme::Equal).or_else(|| self.parser.cursor.eat(Lexeme::Assign));
        let initial = assigned.map(|_| self.initial());
        ItemKind::Declaration(sort, name, initial)
    }

    /// The value of a variable at first: a constant, since `*` may begin the next item.
    fn initial(&mut self) -> Expression {
        let start = self.parser.cursor.span();
        match self.parser.constant() {
            Some(value) => Expression::Constant(value, self.parser.cursor.since(start)),
            None => self.parser.path(),
        }
    }

    // ── Rules ───────────────────────────────────────────────────────────────────────────────────────────────────────

    fn rule(&mut self) -> Rule {
        let start = self.parser.cursor.span();
        let pattern = self.pattern();
        let guarded = self.parser.cursor.eat(Lexeme::Bar).is_some();
        let condition = (guarded && self.kind() != Lexeme::Arrow).then(|| self.parser.expression());
        let mut statements = Vec::new();
        if self.parser.cursor.expect(Lexeme::Arrow, RULE_HINT).is_some() {
            self.statements(&mut statements);
        }
        Rule { pattern, condition, statements, span: self.parser.cursor.since(start) }
    }

    fn pattern(&mut self) -> Pattern {
        let mut qualifiers: Vec<&str> = Vec::new();
        while matches!(self.kind(), Lexeme::Times | Lexeme::Name) && self.nth(1) == Lexeme::Dot {
            let token = self.parser.cursor.bump();
            qualifiers.push(self.parser.cursor.text(token.span));
            self.parser.cursor.bump();
        }
        let qualifier = (!qualifiers.is_empty()).then(|| qualifiers.join(".").into());
        let name = self.parser.name(RULE_HINT);
        let arguments = match self.kind() {
            Lexeme::Open if self.nth(1) == Lexeme::Dots => {
                self.parser.cursor.bump();
                self.parser.cursor.bump();
                self.parser.close(Lexeme::Close, "close the arguments with `)`");
                Arguments::Any
            }
            Lexeme::Open => {
                self.parser.cursor.bump();
                Arguments::Listed(self.parser.arguments())
            }
            _ => Arguments::None,
        };
        let target = self.parser.eat_word("target").then(|| self.target());
        Pattern { qualifier, name, arguments, target }
    }

    /// `(Type x)` or `(x)`
    fn target(&mut self) -> Expression {
        self.parser.cursor.expect(Lexeme::Open, "name the target: `target (UserInfo u)`");
        let first = self.parser.name("name the target: `target (UserInfo u)`");
        let target = if self.kind() == Lexeme::Name {
            Expression::Typed(self.parser.name(""), first)
        } else {
            Expression::Name(first)
        };
        self.parser.close(Lexeme::Close, "close the target with `)`");
        target
    }

    fn statements(&mut self, statements: &mut Vec<Statement>) {
        let braces = self.parser.cursor.eat(Lexeme::OpenBrace).is_some();
        loop {
            let errors = self.parser.cursor.errors();
            statements.extend(self.statement());
            if self.parser.cursor.errors() != errors {
                return;
            }
            let separated = self.separators();
            if braces && self.parser.cursor.eat(Lexeme::CloseBrace).is_some() {
                return;
            }
            if !braces && (!separated || self.is_over()) {
                return;
            }
        }
    }

    fn separators(&mut self) -> bool {
        let mut found = false;
        while matches!(self.kind(), Lexeme::Semicolon | Lexeme::Comma) {
            self.parser.cursor.bump();
            found = true;
        }
        found
    }

    /// Whether no more actions follow: the file or the block is over, or another item begins.
    fn is_over(&self) -> bool {
        if matches!(self.kind(), Lexeme::End | Lexeme::CloseBrace) || self.is_header() || self.declared_sort().is_some()
        {
            return true;
        }
        // Only rules have a bar or an arrow before the next semicolon.
        let mut depth = 0usize;
        for ahead in 0.. {
            match self.nth(ahead) {
                Lexeme::Open | Lexeme::OpenSquare => depth += 1,
                Lexeme::Close | Lexeme::CloseSquare => depth = depth.saturating_sub(1),
                Lexeme::Bar | Lexeme::Arrow if depth == 0 => return true,
                Lexeme::Semicolon | Lexeme::OpenBrace | Lexeme::CloseBrace | Lexeme::End => return false,
                _ => {}
            }
        }
        false
    }

    fn statement(&mut self) -> Option<Statement> {
        let start = self.parser.cursor.span();
        if self.is_fail() {
            while !self.parser.eat_word("fail") {
                self.parser.cursor.bump();
            }
            let message = self.parser.message_of_fail();
            return Some(Statement::Fail(message, self.parser.cursor.since(start)));
        }
        if self.kind() != Lexeme::Name {
            self.parser.cursor.expect_also("an action");
            self.parser.cursor.unexpected(ACTION_HINT);
            return None;
        }
        let target = self.parser.path();
        match target {
            Expression::Member(base, method, Some(arguments), span) => self.method(*base, &method, arguments, span),
            target => self.assignment(target, start),
        }
    }

    /// Whether `fail` stands here, perhaps behind the class that LARVA keeps it in.
    fn is_fail(&self) -> bool {
        let qualified = self.parser.is_word("Verification") && self.nth(1) == Lexeme::Dot;
        self.parser.is_nth_word(if qualified { 2 } else { 0 }, "fail")
    }

    fn method(&mut self, base: Expression, method: &Name, arguments: Vec<Expression>, span: Span) -> Option<Statement> {
        match (base, Method::named(&method.text)) {
            (Expression::Name(set), Some(method)) => Some(Statement::Call(set, method, arguments, span)),
            _ => {
                let message = format!("`{}` is no action", method.text);
                self.parser.cursor.report(Diagnostic::error("E1010", method.span, message).hint(ACTION_HINT));
                None
            }
        }
    }

    fn assignment(&mut self, target: Expression, start: Span) -> Option<Statement> {
        let kind = self.kind();
        let operator = match kind {
            Lexeme::Equal | Lexeme::Assign => None,
            Lexeme::Increment | Lexeme::AddTo => Some(Arithmetic::Add),
            Lexeme::Decrement | Lexeme::SubtractFrom => Some(Arithmetic::Subtract),
            _ => {
                for expected in [Lexeme::Equal, Lexeme::Increment, Lexeme::Decrement, Lexeme::Dot] {
                    self.parser.cursor.expect_also(expected);
                }
                self.parser.cursor.unexpected(ACTION_HINT);
                return None;
            }
        };
        if !matches!(target, Expression::Name(_) | Expression::Index(..)) {
            let message = "a value can be given to a variable or to a key of a map only";
            self.parser.cursor.report(Diagnostic::error("E1010", target.span(), message).hint(ACTION_HINT));
        }
        self.parser.cursor.bump();
        let by_one = matches!(kind, Lexeme::Increment | Lexeme::Decrement);
        let one = Expression::Constant(Value::from(1), start);
        let amount = if by_one { one } else { self.parser.expression() };
        let span = self.parser.cursor.since(start);
        let value = match operator {
            None => amount,
            Some(operator) => Expression::Binary(operator, Box::new(target.clone()), Box::new(amount), span),
        };
        Some(Statement::Assign(target, value, span))
    }
}
