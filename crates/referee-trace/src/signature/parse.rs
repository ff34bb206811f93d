//! The text of `.sig` files: one descent over its characters, every fault with line and column.

use std::collections::HashSet;

use super::declaration::{Declaration, Signature, is_bare};
use crate::error::TraceError;
use crate::event::Argument;
use crate::value::Type;

impl Signature {
    /// Reads the text of a `.sig` file.
    pub fn parse(text: &str) -> Result<Signature, TraceError> {
        signature(text)
    }
}

/// Reads all declarations of a text.
fn signature(text: &str) -> Result<Signature, TraceError> {
    let mut parser = SignatureParser { text, at: 0 };
    let mut signature = Signature::default();
    loop {
        parser.skip_blank();
        while parser.eat('+') {
            parser.skip_blank();
        }
        if parser.rest().is_empty() {
            return Ok(signature);
        }
        let start = parser.at;
        let declaration = parser.declaration()?;
        let name = declaration.name.clone();
        if !signature.declare(declaration) {
            let message = format!("the event `{name}` is declared twice");
            return Err(parser.error_at(start, message).hint("declare each event once, with all its arguments"));
        }
    }
}

struct SignatureParser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> SignatureParser<'a> {
    /// `name(argument, …)`.
    fn declaration(&mut self) -> Result<Declaration, TraceError> {
        let name = self.name("an event's name")?;
        self.expect('(', "`(`")?;
        let (mut arguments, mut names) = (Vec::new(), HashSet::new());
        self.skip_blank();
        if self.eat(')') {
            return Ok(Declaration { name, arguments });
        }
        loop {
            self.skip_blank();
            let start = self.at;
            let argument = self.argument(arguments.len() + 1)?;
            if !names.insert(argument.name.clone()) {
                let message = format!("the argument `{}` is declared twice", argument.name);
                return Err(self.error_at(start, message).hint("give every argument of an event its own name"));
            }
            arguments.push(argument);
            self.skip_blank();
            if self.eat(')') {
                return Ok(Declaration { name, arguments });
            }
            self.expect(',', "`,` or `)`")?;
        }
    }

    /// `type` or `name: type`.
    fn argument(&mut self, position: usize) -> Result<Argument, TraceError> {
        let mut start = self.at;
        let mut word = self.name("a type, or a name and a type")?;
        let mut name: Box<str> = position.to_string().into();
        self.skip_blank();
        if self.eat(':') {
            name = word;
            self.skip_blank();
            start = self.at;
            word = self.name("a type")?;
        }
        match Type::from_keyword(&word) {
            Some(declared) => Ok(Argument { name, declared: Some(declared) }),
            None => Err(self
                .error_at(start, format!("expected a type, found `{word}`"))
                .hint("the types are int, float, string and bool: `P(x: int, y: string)`")),
        }
    }

    /// A word, or any text in quotes.
    fn name(&mut self, expected: &str) -> Result<Box<str>, TraceError> {
        self.skip_blank();
        if self.eat('"') {
            return self.quoted();
        }
        let rest = self.rest();
        let length = rest.find(|character| !is_bare(character)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.unexpected(expected));
        }
        self.at += length;
        Ok(rest[..length].into())
    }

    /// A text in quotes, from behind its opening quote on.
    fn quoted(&mut self) -> Result<Box<str>, TraceError> {
        let mut text = String::new();
        let mut characters = self.rest().char_indices();
        while let Some((offset, character)) = characters.next() {
            match character {
                '"' => {
                    self.at += offset + 1;
                    return Ok(text.into());
                }
                '\\' => text.extend(characters.next().map(|(_, escaped)| if escaped == 'n' { '\n' } else { escaped })),
                _ => text.push(character),
            }
        }
        self.at = self.text.len();
        Err(self.unexpected("`\"` at the end of a name in quotes"))
    }

    fn expect(&mut self, character: char, expected: &str) -> Result<(), TraceError> {
        self.skip_blank();
        if self.eat(character) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn eat(&mut self, character: char) -> bool {
        let found = self.rest().starts_with(character);
        self.at += if found { character.len_utf8() } else { 0 };
        found
    }

    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest().trim_start();
            self.at = self.text.len() - rest.len();
            if !rest.starts_with('#') {
                return;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn unexpected(&self, expected: &str) -> TraceError {
        let found = match self.rest().chars().next() {
            Some(character) => format!("`{character}`"),
            None => "the end of the text".into(),
        };
        self.error_at(self.at, format!("expected {expected}, found {found}"))
            .hint("a declaration is `P(int, string)` or `P(x: int, y: string)`")
    }

    fn error_at(&self, at: usize, message: String) -> TraceError {
        let before = &self.text[..at];
        let line_start = before.rfind('\n').map_or(0, |line_break| line_break + 1);
        let line = before.matches('\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        TraceError::new(message).at(line as u64, column as u64)
    }
}
