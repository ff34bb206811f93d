//! Reads a LARVA file: never fails, gives a tree and what is wrong.

mod expression;
mod lines;
mod parser;

use std::sync::Arc;

use self::parser::Parser;
use super::lex::Lexeme;
use super::syntax::{Block, Document, Name, Part, Property, Scope, StateKind, Transition, Typed};
use crate::core::Span;
use crate::diagnostic::Diagnostic;

/// A tree and what is wrong with its text.
pub(super) struct Parsed {
    /// The tree.
    pub document: Document,
    /// The errors, in textual order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a file.
pub(super) fn parse(text: &str) -> Parsed {
    let mut parser = Parser::new(text);
    let document = parser.document();
    Parsed { document, diagnostics: parser.finish() }
}

const FILE_HINT: &str = "write `GLOBAL { EVENTS { … } PROPERTY name { STATES { … } TRANSITIONS { … } } }`";
const PART_HINT: &str = "write `VARIABLES { … }`, `EVENTS { … }`, `PROPERTY name { … }` or `FOREACH (T x) { … }`";
const STATES_HINT: &str = "write `STATES { BAD { … } NORMAL { … } STARTING { … } }`";

impl Parser<'_> {
    fn document(&mut self) -> Document {
        let mut globals = Vec::new();
        loop {
            let comments = self.comments_before();
            if self.cursor.is_end() {
                return Document { globals, comments };
            }
            if self.eat_word("GLOBAL") {
                let start = self.cursor.previous_span();
                globals.push(self.scope(comments, Vec::new(), start));
            } else {
                self.cursor.expect_also("`GLOBAL`");
                self.cursor.unexpected(FILE_HINT);
                self.cursor.bump();
                while !self.cursor.is_end() && !self.is_word("GLOBAL") {
                    self.cursor.bump();
                }
            }
        }
    }

    /// What follows the word, and the variables, of a scope.
    fn scope(&mut self, comments: Vec<Arc<str>>, keys: Vec<Typed>, start: Span) -> Scope {
        let mut scope = Scope { comments, keys, parts: Vec::new(), end_comments: Vec::new(), span: start };
        let level = self.cursor.enter();
        if let Some(level) = level {
            if self.cursor.expect(Lexeme::OpenBrace, "open the scope with `{`").is_some() {
                self.parts(&mut scope);
            }
            self.cursor.leave(level);
        }
        scope.span = self.cursor.since(start);
        scope
    }

    fn parts(&mut self, scope: &mut Scope) {
        loop {
            let comments = self.comments_before();
            if self.cursor.eat(Lexeme::CloseBrace).is_some() {
                scope.end_comments = comments;
                return;
            }
            let start = self.cursor.span();
            if self.eat_word("VARIABLES") {
                let block = self.block(comments, Parser::declaration);
                scope.parts.push(Part::Variables(block));
            } else if self.eat_word("EVENTS") {
                let block = self.block(comments, Parser::event_line);
                scope.parts.push(Part::Events(block));
            } else if self.eat_word("PROPERTY") {
                let property = self.property(comments, start);
                scope.parts.push(Part::Property(property));
            } else if self.eat_word("FOREACH") {
                let keys = self.keys();
                let inner = self.scope(comments, keys, start);
                scope.parts.push(Part::Foreach(inner));
            } else {
                for word in ["`VARIABLES`", "`EVENTS`", "`PROPERTY`", "`FOREACH`"] {
                    self.cursor.expect_also(word);
                }
                self.cursor.unexpected(PART_HINT);
                if self.cursor.is_end() {
                    return;
                }
                self.cursor.bump();
            }
        }
    }

    fn keys(&mut self) -> Vec<Typed> {
        let hint = "say for each of what: `FOREACH (User u) { … }`";
        if self.cursor.expect(Lexeme::Open, hint).is_none() {
            return Vec::new();
        }
        let mut keys = vec![self.typed(hint)];
        while self.cursor.eat(Lexeme::Comma).is_some() {
            keys.push(self.typed(hint));
        }
        self.close(Lexeme::Close, "separate variables with commas and close with `)`");
        keys
    }

    /// Lines between braces; one that cannot be read is left out.
    fn block<T>(
        &mut self,
        comments: Vec<Arc<str>>,
        line: impl Fn(&mut Self, Vec<Arc<str>>) -> (Vec<Arc<str>>, T),
    ) -> Block<T> {
        let mut block = Block { comments, lines: Vec::new(), end_comments: Vec::new() };
        if self.cursor.expect(Lexeme::OpenBrace, "open it with `{`").is_none() {
            return block;
        }
        loop {
            while self.cursor.eat(Lexeme::Semicolon).is_some() {}
            let comments = self.comments_before();
            if self.cursor.eat(Lexeme::CloseBrace).is_some() {
                block.end_comments = comments;
                return block;
            }
            if self.cursor.is_end() {
                self.cursor.expect_also(Lexeme::Name);
                self.cursor.unexpected("close it with `}`");
                return block;
            }
            let (position, errors) = (self.cursor.position(), self.cursor.errors());
            let found = line(self, comments);
            if self.cursor.errors() == errors {
                block.lines.push(found);
                continue;
            }
            // A line that was read to its end is over, whatever is wrong in it.
            let last = self.cursor.text(self.cursor.previous_span());
            let over = self.cursor.position() > position && ["]", "}", ";"].contains(&last);
            if !over {
                self.cursor.skip_to(|kind| matches!(kind, Lexeme::Semicolon | Lexeme::CloseBrace));
            }
            if self.cursor.position() == position && self.cursor.kind() != Lexeme::CloseBrace {
                self.cursor.bump();
            }
        }
    }

    // ── Properties ──────────────────────────────────────────────────────────────────────────────────────────────────

    fn property(&mut self, comments: Vec<Arc<str>>, start: Span) -> Property {
        let name = self.name("name the property: `PROPERTY users { … }`");
        let transitions = Block { comments: Vec::new(), lines: Vec::new(), end_comments: Vec::new() };
        let mut property = Property { comments, name, states: Vec::new(), transitions, span: start };
        if self.cursor.expect(Lexeme::OpenBrace, "open the property with `{`").is_some() {
            self.property_parts(&mut property);
        }
        property.span = self.cursor.since(start);
        property
    }

    fn property_parts(&mut self, property: &mut Property) {
        loop {
            let comments = self.comments_before();
            if self.cursor.eat(Lexeme::CloseBrace).is_some() {
                property.transitions.end_comments.extend(comments);
                return;
            }
            if self.eat_word("STATES") {
                property.comments.extend(comments);
                self.states(property);
            } else if self.eat_word("TRANSITIONS") {
                let more = self.block(comments, Parser::transition);
                property.transitions.comments.extend(more.comments);
                property.transitions.lines.extend(more.lines);
                property.transitions.end_comments.extend(more.end_comments);
            } else {
                self.cursor.expect_also("`STATES`");
                self.cursor.expect_also("`TRANSITIONS`");
                self.cursor.unexpected(STATES_HINT);
                if self.cursor.is_end() {
                    return;
                }
                self.cursor.bump();
            }
        }
    }

    fn states(&mut self, property: &mut Property) {
        if self.cursor.expect(Lexeme::OpenBrace, STATES_HINT).is_none() {
            return;
        }
        loop {
            property.comments.extend(self.comments_before());
            if self.cursor.eat(Lexeme::CloseBrace).is_some() {
                return;
            }
            match StateKind::ALL.into_iter().find(|kind| self.is_word(kind.word())) {
                Some(kind) => {
                    self.cursor.bump();
                    let names = self.state_names();
                    property.states.push((kind, names));
                }
                None => {
                    for kind in StateKind::ALL {
                        self.cursor.expect_also(format!("`{}`", kind.word()));
                    }
                    self.cursor.unexpected(STATES_HINT);
                    if self.cursor.is_end() {
                        return;
                    }
                    self.cursor.bump();
                }
            }
        }
    }

    fn state_names(&mut self) -> Vec<Name> {
        let hint = "name the states between braces: `NORMAL { in out }`";
        let mut names = Vec::new();
        if self.cursor.expect(Lexeme::OpenBrace, hint).is_none() {
            return names;
        }
        while let Some(token) = self.cursor.eat(Lexeme::Name) {
            names.push(Name { text: self.cursor.text(token.span).into(), span: token.span });
            while matches!(self.cursor.kind(), Lexeme::Comma | Lexeme::Semicolon) {
                self.cursor.bump();
            }
        }
        self.close(Lexeme::CloseBrace, hint);
        names
    }

    /// `s -> t [event \ condition \ action]`
    fn transition(&mut self, mut comments: Vec<Arc<str>>) -> (Vec<Arc<str>>, Transition) {
        let hint = "write a transition as `from -> to [event \\ condition \\ action]`";
        let from = self.name(hint);
        self.cursor.expect(Lexeme::Arrow, hint);
        let to = self.name(hint);
        self.cursor.expect(Lexeme::OpenSquare, hint);
        let event = self.name(hint);
        // An event may be followed by empty parentheses.
        if self.cursor.eat(Lexeme::Open).is_some() {
            self.close(Lexeme::Close, "close with `)`");
        }
        let (mut guard, mut statements) = (None, Vec::new());
        if self.cursor.eat(Lexeme::Backslash).is_some() {
            if !matches!(self.cursor.kind(), Lexeme::Backslash | Lexeme::CloseSquare) {
                guard = Some(self.guard());
            }
            if self.cursor.eat(Lexeme::Backslash).is_some() {
                statements = self.statements();
            }
        }
        self.close(Lexeme::CloseSquare, hint);
        comments.extend(self.comments_inside());
        (comments, Transition { from, to, event, guard, statements })
    }

    // ── Words ───────────────────────────────────────────────────────────────────────────────────────────────────────

    /// A name, perhaps with its type before it.
    fn typed(&mut self, hint: &str) -> Typed {
        let sort = self.sort();
        Typed { sort, name: self.name(hint) }
    }

    /// A type, if one stands here: a name that another name follows, perhaps with something in `<>` or `[]` between.
    fn sort(&mut self) -> Option<Arc<str>> {
        let length = self.sort_length()?;
        let mut sort = String::new();
        for _ in 0..length {
            let token = self.cursor.bump();
            sort.push_str(self.cursor.text(token.span));
        }
        Some(sort.into())
    }

    fn sort_length(&self) -> Option<usize> {
        if self.cursor.kind() != Lexeme::Name {
            return None;
        }
        let (mut at, mut depth) = (1, 0usize);
        loop {
            match self.cursor.nth(at).kind {
                Lexeme::Less => depth += 1,
                Lexeme::Greater if depth > 0 => depth -= 1,
                Lexeme::Name if depth == 0 => return Some(at),
                Lexeme::OpenSquare if self.cursor.nth(at + 1).kind == Lexeme::CloseSquare => at += 1,
                Lexeme::Name | Lexeme::Comma | Lexeme::Dot if depth > 0 => {}
                _ => return None,
            }
            at += 1;
        }
    }
}
