//! From tokens to the tree. Errors are mended where they happen: an item that cannot be read ends where the next one begins.

use std::sync::Arc;

use super::syntax::{Action, Change, Document, Item, ItemKind, Monitor, Rule};
use crate::core::Span;
use crate::diagnostic::Diagnostic;
use crate::parse::unescape;
use crate::rules::lex::Lexeme;
use crate::rules::parse::Parser;
use crate::rules::syntax::Name;

const ITEM_HINT: &str = "write `event e(x)`, `fact F(x)`, `hot fact F(x)` or `rule name: e(x) & not F(x) -> fail`";
const RULE_HINT: &str = "write `rule name: e(x) & F(x, y) & not G(y) -> insert F(x, y)`";
const ACTION_HINT: &str = "write `insert F(x)`, `remove F(x)`, `update F(x)`, `fail \"message\"` or `ok`";

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

    fn document(&mut self) -> Document {
        let mut monitors = Vec::new();
        loop {
            let comments = self.parser.comments_before();
            if self.parser.cursor.is_end() {
                return Document { monitors, comments };
            }
            monitors.push(self.monitor(comments));
        }
    }

    fn monitor(&mut self, comments: Vec<Arc<str>>) -> Monitor {
        let start = self.parser.cursor.span();
        let mut monitor =
            Monitor { comments: Vec::new(), name: None, items: Vec::new(), end_comments: Vec::new(), span: start };
        if self.parser.eat_word("monitor") {
            monitor.name = Some(self.parser.name("name the monitor: `monitor Name { … }`"));
            self.parser.cursor.expect(Lexeme::OpenBrace, "open the monitor with `{`");
            monitor.comments = comments;
            monitor.end_comments = self.items(&mut monitor.items, Vec::new(), true);
        } else {
            monitor.end_comments = self.items(&mut monitor.items, comments, false);
        }
        monitor.span = self.parser.cursor.since(start);
        monitor
    }

    /// Items up to the closing brace, or, outside of blocks, up to a block or the end; the comments after the last one.
    fn items(&mut self, items: &mut Vec<Item>, first: Vec<Arc<str>>, in_block: bool) -> Vec<Arc<str>> {
        let mut comments = first;
        loop {
            while self.parser.cursor.eat(Lexeme::Semicolon).is_some() {}
            if !in_block && (self.parser.cursor.is_end() || self.parser.is_word("monitor")) {
                return comments;
            }
            comments.extend(self.parser.comments_before());
            if in_block && self.parser.cursor.eat(Lexeme::CloseBrace).is_some() {
                return comments;
            }
            if self.parser.cursor.is_end() {
                self.parser.cursor.expect_also(Lexeme::CloseBrace);
                self.parser.cursor.unexpected("close the monitor with `}`");
                return comments;
            }
            self.item(items, std::mem::take(&mut comments));
        }
    }

    fn item(&mut self, items: &mut Vec<Item>, mut comments: Vec<Arc<str>>) {
        let (position, errors) = (self.parser.cursor.position(), self.parser.cursor.errors());
        if let Some(kind) = self.item_kind()
            && self.parser.cursor.errors() == errors
        {
            comments.extend(self.parser.comments_inside());
            items.push(Item { comments, kind });
            return;
        }
        while !self.begins_item() && !matches!(self.kind(), Lexeme::End | Lexeme::CloseBrace) {
            self.parser.cursor.bump();
        }
        if self.parser.cursor.position() == position {
            self.parser.cursor.bump();
        }
    }

    fn begins_item(&self) -> bool {
        let words = ["rule", "event", "fact", "hot", "monitor"];
        words.iter().any(|word| self.parser.is_word(word)) || self.is_quoted_rule()
    }

    /// Whether `"name" --` stands here, as LogFire writes rules in Scala.
    fn is_quoted_rule(&self) -> bool {
        self.kind() == Lexeme::String && self.parser.cursor.nth(1).kind == Lexeme::Decrement
    }

    fn item_kind(&mut self) -> Option<ItemKind> {
        let start = self.parser.cursor.span();
        if self.parser.eat_word("event") {
            return Some(ItemKind::Events(self.parser.declarations("name events: `event open(f), close(f)`")));
        }
        let hot = self.parser.eat_word("hot");
        if hot || self.parser.is_word("fact") {
            if !self.parser.eat_word("fact") {
                self.parser.cursor.expect_also("`fact`");
                self.parser.cursor.unexpected("write `hot fact F(x)`");
            }
            let facts = self.parser.declarations("name facts: `hot fact Open(f)`");
            return Some(ItemKind::Facts { hot, facts });
        }
        if self.parser.eat_word("rule") {
            let name = self.rule_name();
            self.parser.cursor.expect(Lexeme::Colon, "write `:` after the rule's name");
            return Some(ItemKind::Rule(self.rule(name, start)));
        }
        if self.is_quoted_rule() {
            let name = self.rule_name();
            self.parser.cursor.bump();
            return Some(ItemKind::Rule(self.rule(name, start)));
        }
        for word in ["`event`", "`fact`", "`hot`", "`rule`"] {
            self.parser.cursor.expect_also(word);
        }
        self.parser.cursor.unexpected(ITEM_HINT);
        None
    }

    /// A name, perhaps in quotes.
    fn rule_name(&mut self) -> Name {
        match self.parser.cursor.eat(Lexeme::String) {
            Some(token) => Name { text: unescape(self.parser.cursor.text(token.span)).into(), span: token.span },
            None => self.parser.name("name the rule: `rule name: …`"),
        }
    }

    fn rule(&mut self, name: Name, start: Span) -> Rule {
        let condition = self.parser.expression();
        let mut actions = Vec::new();
        if self.parser.cursor.expect(Lexeme::Arrow, RULE_HINT).is_some() {
            actions.extend(self.action());
            while self.parser.cursor.eat(Lexeme::Comma).is_some() {
                actions.extend(self.action());
            }
            self.expect_over();
        }
        Rule { name, condition, actions, span: self.parser.cursor.since(start) }
    }

    /// Reports what follows the actions and is no beginning of anything.
    fn expect_over(&mut self) {
        let over = matches!(self.kind(), Lexeme::Semicolon | Lexeme::CloseBrace | Lexeme::End);
        if !over && !self.begins_item() {
            self.parser.cursor.expect_also(Lexeme::Comma);
            self.parser.cursor.expect_also("`rule`");
            self.parser.cursor.unexpected("separate actions with `,`, and begin another rule with `rule name:`");
        }
    }

    fn action(&mut self) -> Option<Action> {
        let start = self.parser.cursor.span();
        if self.parser.eat_word("ok") {
            return Some(Action::Ok);
        }
        if self.parser.eat_word("fail") {
            let message = if self.is_quoted_rule() { None } else { self.parser.message_of_fail() };
            return Some(Action::Fail(message, self.parser.cursor.since(start)));
        }
        if let Some(change) = Change::ALL.into_iter().find(|change| self.parser.eat_word(change.word())) {
            // Scala's `insert(F('x))` is the same as `insert F(x)`.
            let enclosed = self.parser.cursor.eat(Lexeme::Open).is_some();
            let fact = self.parser.declared(ACTION_HINT);
            if enclosed {
                self.parser.close(Lexeme::Close, "close with `)`");
            }
            return Some(Action::Change(change, fact, self.parser.cursor.since(start)));
        }
        self.parser.cursor.expect_also("an action");
        self.parser.cursor.unexpected(ACTION_HINT);
        None
    }
}
