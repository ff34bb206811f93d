//! From tokens to properties: headers, events and categories here, each logic in a module of its own.
//!
//! Names are resolved while reading, since a property declares its events before it uses them. A property that cannot be
//! read ends at its closing brace.

use std::sync::Arc;

use super::lex::Lexeme;
use super::parser::Parser;
use super::temporal::Operators;
use super::{cfg, ere, fsm, srs, temporal};
use crate::core::Span;
use crate::core::machine::{Category, Logic, Role, SliceEvent, Sliced};
use crate::diagnostic::Diagnostic;
use crate::lint::suggest::nearest;
use crate::parse::{Cursor, lex};

/// A property that was read.
pub(super) struct Property {
    /// Its name.
    pub name: Arc<str>,
    /// Where that stands.
    pub span: Span,
    /// What it says; nothing if it could not be read.
    pub body: Option<Sliced>,
}

/// Reads a file.
pub(super) fn parse(text: &str) -> (Vec<Property>, Vec<Diagnostic>) {
    let mut parser =
        Parser { cursor: Cursor::new(text, lex(text)), parameters: Vec::new(), events: Vec::new(), roles: Vec::new() };
    let properties = parser.document();
    (properties, parser.cursor.finish())
}

const HEADER: &str = "write `Name(Type parameter, …) { event e(parameter) … ere: …  @match }`";
const LOGICS: &str = "write one of `fsm:`, `ere:`, `ltl:`, `ptltl:`, `ptcaret:`, `cfg:`, `srs:`";

impl<'s> Parser<'s> {
    fn document(&mut self) -> Vec<Property> {
        let mut properties = Vec::new();
        while !self.cursor.is_end() {
            if self.is_word("package") || self.is_word("import") {
                self.cursor.skip_to(|kind| kind == Lexeme::Semicolon);
                self.cursor.eat(Lexeme::Semicolon);
                continue;
            }
            properties.push(self.property());
        }
        properties
    }

    fn property(&mut self) -> Property {
        (self.parameters, self.events, self.roles) = (Vec::new(), Vec::new(), Vec::new());
        let errors = self.cursor.errors();
        let mut full_binding = false;
        while self.is_word("full") || self.is_word("suffix") || self.cursor.nth(1).kind == Lexeme::Name {
            full_binding |= self.is_word("full");
            self.cursor.bump();
            // The hyphen and the second word of `full-binding`.
            while self.cursor.kind() == Lexeme::Other || self.is_word("binding") {
                self.cursor.bump();
            }
        }
        let (name, span) = self.name(HEADER);
        self.parameters = self.parameter_list();
        let mut body = None;
        if self.cursor.expect(Lexeme::OpenBrace, HEADER).is_some() {
            body = self.body(full_binding);
            if self.cursor.errors() != errors {
                self.cursor.skip_to(|kind| kind == Lexeme::CloseBrace);
                body = None;
            }
            self.cursor.expect(Lexeme::CloseBrace, "close the property with `}`");
        } else {
            self.cursor.skip_to(|kind| kind == Lexeme::OpenBrace);
            self.cursor.skip_to(|kind| kind == Lexeme::End);
        }
        Property { name, span, body: body.filter(|_| self.cursor.errors() == errors) }
    }

    fn body(&mut self, full_binding: bool) -> Option<Sliced> {
        while self.is_word("event") || self.is_word("creation") {
            self.event();
        }
        let logic = self.logic()?;
        let categories = self.categories(&logic);
        let creation = self.events.iter().any(|event| event.creation);
        if !creation {
            self.events.iter_mut().for_each(|event| event.creation = !event.end);
        }
        Some(Sliced {
            parameters: std::mem::take(&mut self.parameters),
            events: std::mem::take(&mut self.events),
            full_binding,
            logic,
            categories,
        })
    }

    /// `(Type name, name, …)`: the names.
    fn parameter_list(&mut self) -> Vec<Arc<str>> {
        let mut names = Vec::new();
        if self.cursor.eat(Lexeme::Open).is_none() {
            return names;
        }
        while self.cursor.eat(Lexeme::Close).is_none() {
            if self.cursor.is_end() || self.cursor.kind() == Lexeme::OpenBrace {
                self.cursor.unexpected("close the parameters with `)`");
                break;
            }
            // The last word before a comma is the name; what stands before it is its type.
            let token = self.cursor.bump();
            let last = matches!(self.cursor.kind(), Lexeme::Comma | Lexeme::Close);
            if token.kind == Lexeme::Name && last {
                names.push(self.cursor.text(token.span).into());
                self.cursor.eat(Lexeme::Comma);
            }
        }
        names
    }

    fn event(&mut self) {
        let creation = self.eat_word("creation");
        if !self.eat_word("event") {
            self.cursor.expect_also("`event`");
            return self.cursor.unexpected("declare an event: `creation event e(parameter)`");
        }
        let (name, span) = self.name("name the event: `event e(parameter)`");
        let end = self.eat_word("endtrace") || self.eat_word("endTrace") || self.eat_word("endProgram");
        let mut names = Vec::new();
        while self.eat_word("before")
            || self.eat_word("after")
            || self.eat_word("returning")
            || self.cursor.kind() == Lexeme::Open
        {
            names.extend(self.parameter_list());
        }
        let role = self.role();
        if self.cursor.eat(Lexeme::Colon).is_some() {
            self.cursor.skip_to(|kind| kind == Lexeme::OpenBrace);
        }
        self.block();
        self.roles.push(role);
        self.declare(name, span, creation, end, &names);
    }

    /// `call` or `return`, if it stands here.
    fn role(&mut self) -> Role {
        if self.eat_word("call") {
            Role::Call
        } else if self.eat_word("return") {
            Role::Return
        } else {
            Role::Plain
        }
    }

    fn declare(&mut self, name: Arc<str>, span: Span, creation: bool, end: bool, names: &[Arc<str>]) {
        if self.events.iter().any(|event| event.name == name) {
            let message = format!("event `{name}` is there already");
            self.cursor.report(Diagnostic::error("E0702", span, message).hint("rename one of them"));
        }
        let mut parameters: Vec<usize> = Vec::new();
        for parameter in names {
            match self.parameters.iter().position(|known| known == parameter) {
                Some(number) if !parameters.contains(&number) => parameters.push(number),
                Some(_) => {}
                None => {
                    let message = format!("the property has no parameter `{parameter}`");
                    let known: Vec<&str> = self.parameters.iter().map(|name| &**name).collect();
                    let hint = match nearest(parameter, known.iter().copied()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "declare it in the parentheses after the property's name".to_owned(),
                    };
                    self.cursor.report(Diagnostic::error("E0703", span, message).hint(hint));
                }
            }
        }
        self.events.push(SliceEvent { name, parameters, creation, end, span });
    }

    /// Skips a block in braces, if there is one.
    fn block(&mut self) {
        if self.cursor.eat(Lexeme::OpenBrace).is_some() {
            self.cursor.skip_to(|kind| kind == Lexeme::CloseBrace);
            self.cursor.expect(Lexeme::CloseBrace, "close the block with `}`");
        }
    }

    fn logic(&mut self) -> Option<Logic> {
        let words = ["fsm", "ere", "ltl", "ptltl", "ptcaret", "cfg", "srs"];
        let Some(logic) = words.iter().find(|word| self.is_word(word)) else {
            for word in words {
                self.cursor.expect_also(format!("`{word}`"));
            }
            self.cursor.unexpected(LOGICS);
            return None;
        };
        self.cursor.bump();
        self.cursor.expect(Lexeme::Colon, "write `:` after the name of the logic");
        match *logic {
            "fsm" => fsm::parse(self).map(Logic::Fsm),
            "ere" => ere::parse(self).map(Logic::Ere),
            "ltl" => temporal::parse(self, Operators::All).map(Logic::Ltl),
            "ptltl" => temporal::parse(self, Operators::Past).map(Logic::PtLtl),
            "ptcaret" => temporal::parse_nested(self).map(Logic::PtCaret),
            "cfg" => cfg::parse(self).map(Logic::Cfg),
            _ => srs::parse(self).map(Logic::Srs),
        }
    }

    fn categories(&mut self, logic: &Logic) -> Vec<(Category, Arc<str>)> {
        let mut categories = Vec::new();
        while self.cursor.eat(Lexeme::At).is_some() {
            let (name, span) = self.name("name the category: `@match`");
            self.block();
            match category(logic, &name) {
                Some(category) => categories.push((category, name)),
                None => {
                    let known = category_names(logic);
                    let message = format!("this logic has no category `{name}`");
                    let hint = format!("write {}", crate::parse::one_of(&known));
                    self.cursor.report(Diagnostic::error("E0705", span, message).hint(hint));
                }
            }
        }
        if categories.is_empty() && self.cursor.errors().all == 0 {
            let known = category_names(logic);
            self.cursor.expect_also("a category");
            let hint = format!("say what is a violation: {}", crate::parse::one_of(&known));
            self.cursor.unexpected(&hint);
        }
        categories
    }
}

fn category(logic: &Logic, name: &str) -> Option<Category> {
    Some(match (logic, name) {
        (_, "fail") => Category::Fail,
        (Logic::Fsm(fsm), name) => Category::States(fsm.named(name)?),
        (Logic::Ere(_) | Logic::Cfg(_) | Logic::Srs(_), "match") | (Logic::Srs(_), "succeed") => Category::Match,
        (Logic::Ltl(_) | Logic::PtLtl(_) | Logic::PtCaret(_), "violation") => Category::Fail,
        (Logic::Ltl(_), "validation") => Category::Surely,
        (Logic::PtLtl(_) | Logic::PtCaret(_), "validation" | "match") => Category::Match,
        _ => return None,
    })
}

fn category_names(logic: &Logic) -> Vec<String> {
    match logic {
        Logic::Fsm(fsm) => {
            let states = fsm.states.iter().map(|state| format!("`@{}`", state.name));
            states.chain(["`@fail`".to_owned()]).collect()
        }
        Logic::Ere(_) | Logic::Cfg(_) => vec!["`@match`".to_owned(), "`@fail`".to_owned()],
        Logic::Srs(_) => vec!["`@succeed`".to_owned(), "`@fail`".to_owned()],
        Logic::Ltl(_) | Logic::PtLtl(_) | Logic::PtCaret(_) => {
            vec!["`@violation`".to_owned(), "`@validation`".to_owned()]
        }
    }
}
