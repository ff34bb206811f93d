//! From tokens to the tree: items here, formulas in [`formula`].
//!
//! Errors are mended where they happen: an item that cannot be read ends at the next `prop`, `pred` or `event`, a rule at
//! the next comma, a parenthesis at its partner. What is missing becomes [`Kind::Unreadable`], of which later stages say
//! nothing.
//!
//! Comments are no tokens. Each is handed to the operand that follows it, or that it follows on the same line, and from
//! there to the largest formula that begins with this operand; what is left of an item's comments stands before the item.

mod formula;
mod parser;
#[cfg(test)]
mod tests;

use self::parser::Parser;
use super::lex::Lexeme;
use super::syntax::{Comment, Definition, Document, Formula, Head, Item, ItemKind, Kind, Name, Property};
use crate::core::Span;
use crate::diagnostic::Diagnostic;
use crate::parse::{self, Cursor, lex};

/// A tree, and what is wrong with its text.
pub(super) struct Parsed {
    /// The tree.
    pub document: Document,
    /// The errors, in textual order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a file.
pub(super) fn parse(text: &str) -> Parsed {
    let mut lexed = lex(text);
    lexed.tokens.retain(|token| token.kind != Lexeme::OpenComment);
    let comments = std::mem::take(&mut lexed.comments);
    let mut parser = Parser { text, cursor: Cursor::new(text, lexed), comments, next_comment: 0 };
    let document = parser.document();
    Parsed { document, diagnostics: parser.cursor.finish() }
}

/// Whether an error with this code means that a part of the text is not in the tree.
pub(super) fn loses_text(code: &str) -> bool {
    code.starts_with("E00")
}

const ITEM_HINT: &str = "write `prop name: formula`, `pred name(x) = formula` or `event name(x)`";
const FORMULA_END_HINT: &str = "join formulas with `&`, `|`, `->`, `<->` or `S`, or begin the next definition";

impl Parser<'_> {
    fn document(&mut self) -> Document {
        let mut items = Vec::new();
        loop {
            let comments = self.comments_before(self.cursor.span().start);
            if self.cursor.is_end() {
                return Document { items, comments };
            }
            items.extend(self.item(comments));
        }
    }

    /// An item, or nothing if none begins here; then the text up to the next one is skipped.
    fn item(&mut self, mut comments: Vec<Comment>) -> Option<Item> {
        let start = self.cursor.span();
        let kind = match self.cursor.kind() {
            Lexeme::Prop => ItemKind::Property(self.property()),
            Lexeme::Pred => self.macro_or_events(),
            Lexeme::Events => {
                self.cursor.bump();
                ItemKind::Events(self.heads())
            }
            _ => {
                self.not_an_item();
                return None;
            }
        };
        let span = self.cursor.since(start);
        let mut inner = self.comments_before(span.end);
        inner.extend(self.comments_on_this_line());
        comments.extend(inner.into_iter().map(|comment| Comment { blank_after: false, ..comment }));
        Some(Item { comments, kind, span })
    }

    fn not_an_item(&mut self) {
        for kind in [Lexeme::Prop, Lexeme::Pred, Lexeme::Events] {
            self.cursor.expect_also(kind);
        }
        self.cursor.unexpected(ITEM_HINT);
        self.skip_until(Lexeme::begins_item);
    }

    fn property(&mut self) -> Property {
        self.cursor.bump();
        let name = self.name("name the property: `prop name: formula`");
        self.sign(Lexeme::Colon, "write `:` between the property's name and its formula");
        let formula = self.formula_to(|kind| kind == Lexeme::Where);
        let rules = if self.cursor.eat(Lexeme::Where).is_some() { self.rules() } else { Vec::new() };
        Property { name, formula, rules }
    }

    /// Takes the sign between a name and its formula; a wrong sign, or parameters that do not belong there, are skipped.
    fn sign(&mut self, sign: Lexeme, hint: &str) {
        if self.cursor.expect(sign, hint).is_some() {
            return;
        }
        if self.cursor.kind() == Lexeme::Open {
            self.cursor.bump();
            self.skip_until(|kind| kind == Lexeme::Close);
            self.cursor.eat(Lexeme::Close);
        }
        if matches!(self.cursor.kind(), Lexeme::Colon | Lexeme::Define | Lexeme::Equal) {
            self.cursor.bump();
        }
    }

    fn rules(&mut self) -> Vec<Definition> {
        let mut rules = vec![self.rule()];
        while self.cursor.eat(Lexeme::Comma).is_some() {
            rules.push(self.rule());
        }
        rules
    }

    fn rule(&mut self) -> Definition {
        let comments = self.comments_before(self.cursor.span().start);
        let head = self.head("name the rule: `name(x) := formula`");
        self.sign(Lexeme::Define, "write `:=` between the rule's name and its formula");
        let body = self.formula_to(|kind| kind == Lexeme::Comma);
        Definition { comments, head, body }
    }

    /// What begins with `pred`: with `=` a macro, otherwise declarations.
    fn macro_or_events(&mut self) -> ItemKind {
        self.cursor.bump();
        let mut heads = self.heads();
        match (self.cursor.eat(Lexeme::Equal), heads.pop(), heads.is_empty()) {
            (Some(_), Some(head), true) => {
                let body = self.formula_to(|_| false);
                ItemKind::Macro(Definition { comments: Vec::new(), head, body })
            }
            (equal, last, _) => {
                if let Some(equal) = equal {
                    self.several_names(equal.span);
                }
                heads.extend(last);
                ItemKind::Events(heads)
            }
        }
    }

    /// Reports `pred a, b = F` and skips the formula.
    fn several_names(&mut self, equal: Span) {
        let message = "expected the next definition, found `=`";
        let hint = "a macro has one name: `pred name(x) = formula`";
        self.cursor.report(Diagnostic::error("E0003", equal, message).hint(hint));
        self.skip_until(Lexeme::begins_item);
    }

    fn heads(&mut self) -> Vec<Head> {
        const HINT: &str = "name an event, with names for its arguments: `event open(file, mode)`";
        let mut heads = vec![self.head(HINT)];
        while self.cursor.eat(Lexeme::Comma).is_some() {
            heads.push(self.head(HINT));
        }
        heads
    }

    fn head(&mut self, hint: &str) -> Head {
        let name = self.name(hint);
        let parameters = match self.cursor.eat(Lexeme::Open) {
            None => Vec::new(),
            Some(_) => self.list(|parser| parser.name("name each parameter: `(x, y)`")),
        };
        Head { name, parameters }
    }

    /// What stands between parentheses, separated by commas, and the closing one; the opening one was taken.
    fn list<T>(&mut self, element: impl Fn(&mut Self) -> T) -> Vec<T> {
        let mut elements = Vec::new();
        if self.cursor.eat(Lexeme::Close).is_some() {
            return elements;
        }
        loop {
            elements.push(element(self));
            if self.cursor.eat(Lexeme::Comma).is_none() {
                break;
            }
        }
        self.close(|kind| kind == Lexeme::Close, &[Lexeme::Close], "separate arguments with commas and close with `)`");
        elements
    }

    /// Takes a closing bracket; where there is none, says so and goes on behind the one that seems to be meant.
    fn close(&mut self, is_closing: impl Fn(Lexeme) -> bool, expected: &[Lexeme], hint: &str) {
        if is_closing(self.cursor.kind()) {
            self.cursor.bump();
            return;
        }
        for kind in expected {
            self.cursor.expect_also(kind);
        }
        self.cursor.unexpected(hint);
        self.skip_until(|kind| matches!(kind, Lexeme::Close | Lexeme::CloseSquare | Lexeme::Comma | Lexeme::Where));
        if is_closing(self.cursor.kind()) {
            self.cursor.bump();
        }
    }

    /// A formula that ends where an item begins or `is_end` accepts; what stands between is reported and skipped.
    fn formula_to(&mut self, is_end: impl Fn(Lexeme) -> bool) -> Formula {
        let formula = self.formula();
        let kind = self.cursor.kind();
        if kind.begins_item() || is_end(kind) {
            return formula;
        }
        self.cursor.expect_also("the next definition");
        let hint = formula::operator_for(self.cursor.text(self.cursor.span()))
            .map_or(FORMULA_END_HINT.to_owned(), |operator| format!("write `{operator}`"));
        self.cursor.unexpected(&hint);
        self.skip_until(is_end);
        let span = formula.span;
        Formula::new(Kind::And(vec![formula, Formula::new(Kind::Unreadable, span)]), span)
    }

    /// A name; a word of the language in its place is reported and taken for one.
    fn name(&mut self, hint: &str) -> Name {
        let token = self.cursor.token();
        let text = self.cursor.text(token.span);
        match token.kind {
            Lexeme::Name => {
                self.cursor.bump();
                Name { text: text.into(), span: token.span }
            }
            kind if is_word(text) && !kind.begins_item() && kind != Lexeme::Where => {
                self.cursor.expect_also(Lexeme::Name);
                self.cursor.unexpected(&format!("`{text}` is a word of the language: choose another name"));
                self.cursor.bump();
                Name { text: text.into(), span: token.span }
            }
            _ => {
                self.cursor.expect_also(Lexeme::Name);
                self.cursor.unexpected(hint);
                self.nameless()
            }
        }
    }

    /// What stands for a missing name.
    fn nameless(&self) -> Name {
        let start = self.cursor.span().start;
        Name { text: "".into(), span: Span { start, end: start } }
    }

    /// Skips to a token that `stop` accepts outside of brackets that open on the way, or to the next item.
    fn skip_until(&mut self, stop: impl Fn(Lexeme) -> bool) {
        let mut open = 0usize;
        while !self.cursor.kind().begins_item() && (open > 0 || !stop(self.cursor.kind())) {
            match self.cursor.bump().kind {
                Lexeme::Open | Lexeme::OpenSquare => open += 1,
                Lexeme::Close | Lexeme::CloseSquare => open = open.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// The comments before an offset that nobody has been given.
    fn comments_before(&mut self, offset: usize) -> Vec<Comment> {
        self.take_comments(|comment| comment.span.start < offset)
    }

    /// The next comments, as far as they do not begin a line and stand before the current token.
    fn comments_on_this_line(&mut self) -> Vec<Comment> {
        let offset = self.cursor.span().start;
        self.take_comments(|comment| comment.span.start < offset && !comment.own_line)
    }

    fn take_comments(&mut self, mine: impl Fn(&parse::Comment) -> bool) -> Vec<Comment> {
        let rest = self.comments.get(self.next_comment..).unwrap_or_default();
        let count = rest.iter().take_while(|comment| mine(comment)).count();
        let taken = rest[..count].iter().map(|comment| comment_of(self.text, comment.span)).collect();
        self.next_comment += count;
        taken
    }
}

fn comment_of(text: &str, span: Span) -> Comment {
    let own = text.get(span.start..span.end).unwrap_or("");
    let after = text.get(span.end..).unwrap_or("");
    let blanks = &after[..after.len() - after.trim_start().len()];
    Comment { text: own.trim_end().into(), blank_after: blanks.matches('\n').count() > 1 }
}

fn is_word(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
}
