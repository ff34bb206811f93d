//! What the readers of all logics of JavaMOP share: where the parser stands, and the events of the property at hand.

use std::sync::Arc;

use super::lex::Lexeme;
use crate::core::Span;
use crate::core::machine::{Role, SliceEvent};
use crate::diagnostic::Diagnostic;
use crate::lint::suggest::nearest;
use crate::parse::Cursor;

/// Where the parser stands, and what the property at hand has declared.
pub(super) struct Parser<'s> {
    pub(super) cursor: Cursor<'s, Lexeme>,
    pub(super) parameters: Vec<Arc<str>>,
    pub(super) events: Vec<SliceEvent>,
    /// What each event does to the stack.
    pub(super) roles: Vec<Role>,
}

impl Parser<'_> {
    /// The event with this name.
    pub(super) fn symbol(&mut self, name: &str, span: Span) -> Option<usize> {
        let found = self.events.iter().position(|event| *event.name == *name);
        if found.is_none() {
            let message = format!("no event is called `{name}`");
            let known: Vec<&str> = self.events.iter().map(|event| &*event.name).collect();
            let hint = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("declare it: `event {name}(…)`"),
            };
            self.cursor.report(Diagnostic::error("E0701", span, message).hint(hint));
        }
        found
    }

    /// What each event does to the stack.
    pub(super) fn roles(&self) -> Vec<Role> {
        self.roles.clone()
    }

    /// Whether an event has this name.
    pub(super) fn is_event(&self, name: &str) -> bool {
        self.events.iter().any(|event| *event.name == *name)
    }

    /// The names of the events.
    pub(super) fn event_names(&self) -> Vec<Arc<str>> {
        self.events.iter().map(|event| event.name.clone()).collect()
    }

    pub(super) fn name(&mut self, hint: &str) -> (Arc<str>, Span) {
        match self.cursor.expect(Lexeme::Name, hint) {
            Some(token) => (self.cursor.text(token.span).into(), token.span),
            None => ("".into(), self.cursor.span()),
        }
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.cursor.kind() == Lexeme::Name && self.cursor.text(self.cursor.span()) == word
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.cursor.bump();
        }
        found
    }

    /// Whether the body of a logic ends here.
    pub(super) fn is_body_end(&self) -> bool {
        matches!(self.cursor.kind(), Lexeme::At | Lexeme::CloseBrace | Lexeme::End)
    }

    /// Reports what does not belong to the body of a logic.
    pub(super) fn expect_body_end(&mut self, hint: &str) {
        if !self.is_body_end() {
            self.cursor.expect_also(Lexeme::At);
            self.cursor.unexpected(hint);
        }
    }
}
