//! The lines of VARIABLES and EVENTS.
//!
//! ```text
//!  declaration ::= [T] x ['=' (constant | 'new' T ['(' ')'])]
//!  event line  ::= name ['(' [T] x,* ')'] '=' '{' way ('|' way)* '}' ['where' k '=' x (';' k '=' x)*]
//!  way         ::= name | c '@' number | [('*' | [T] x) '.'] method '(' ([T] x | constant | '_'),* ['..'] ')' suffix*
//!  suffix      ::= 'target' '(' [T] x ')' | 'uponReturning' '(' [T] x ')'
//! ```

use std::sync::Arc;

use referee_trace::number::Number;

use super::super::lex::Lexeme;
use super::super::syntax::{Argument, Call, Declaration, EventLine, Name, Typed, Way};
use super::parser::Parser;
use crate::core::Span;
use crate::core::stream::Duration;
use crate::diagnostic::Diagnostic;

const DECLARATION_HINT: &str =
    "declare `int n = 0;`, `boolean b;`, `String s = \"…\";`, `Set S;`, `Clock c;` or `Channel k;`";
const EVENT_HINT: &str = "write `name() = { method(x) }`, `name() = { clock@5 }` or `name() = { channel.receive(x) }`";

impl Parser<'_> {
    pub(super) fn declaration(&mut self, mut comments: Vec<Arc<str>>) -> (Vec<Arc<str>>, Declaration) {
        let typed = self.typed(DECLARATION_HINT);
        let mut initial = None;
        if self.cursor.eat(Lexeme::Assign).is_some() {
            if self.eat_word("new") {
                self.creation();
            } else {
                initial = self.constant();
                if initial.is_none() {
                    self.cursor.expect_also("a constant");
                    self.cursor.expect_also("`new`");
                    self.cursor.unexpected(DECLARATION_HINT);
                }
            }
        }
        self.cursor.expect(Lexeme::Semicolon, "end the line with `;`");
        comments.extend(self.comments_inside());
        (comments, Declaration { typed, initial })
    }

    /// What follows `new`: a type and empty parentheses.
    fn creation(&mut self) {
        self.name("name the type: `new Clock()`");
        if self.cursor.eat(Lexeme::Less).is_some() {
            self.cursor.skip_to(|kind| matches!(kind, Lexeme::Greater | Lexeme::Semicolon | Lexeme::CloseBrace));
            self.cursor.eat(Lexeme::Greater);
        }
        if self.cursor.eat(Lexeme::Open).is_some() {
            self.close(Lexeme::Close, "close with `)`");
        }
    }

    pub(super) fn event_line(&mut self, mut comments: Vec<Arc<str>>) -> (Vec<Arc<str>>, EventLine) {
        let name = self.name(EVENT_HINT);
        let parameters = if self.cursor.eat(Lexeme::Open).is_some() { self.parameters() } else { Vec::new() };
        self.cursor.expect(Lexeme::Assign, EVENT_HINT);
        let mut ways = Vec::new();
        if self.cursor.expect(Lexeme::OpenBrace, EVENT_HINT).is_some() {
            ways.push(self.way());
            while self.cursor.eat(Lexeme::Bar).is_some() {
                ways.push(self.way());
            }
            self.close(Lexeme::CloseBrace, "separate alternatives with `|` and close with `}`");
        }
        let wheres = if self.eat_word("where") { self.wheres() } else { Vec::new() };
        comments.extend(self.comments_inside());
        (comments, EventLine { name, parameters, ways, wheres })
    }

    fn parameters(&mut self) -> Vec<Typed> {
        let mut parameters = Vec::new();
        if self.cursor.eat(Lexeme::Close).is_some() {
            return parameters;
        }
        loop {
            parameters.push(self.typed("name the parameter: `login(User u) = { … }`"));
            if self.cursor.eat(Lexeme::Comma).is_none() {
                break;
            }
        }
        self.close(Lexeme::Close, "separate parameters with commas and close with `)`");
        parameters
    }

    /// `k = x; …`, or the same between braces.
    fn wheres(&mut self) -> Vec<(Name, Name)> {
        let hint = "say which argument the variable of FOREACH is: `where u = x;`";
        let braces = self.cursor.eat(Lexeme::OpenBrace).is_some();
        let mut wheres = Vec::new();
        loop {
            let key = self.name(hint);
            if self.cursor.eat(Lexeme::Equal).is_none() {
                self.cursor.expect(Lexeme::Assign, hint);
            }
            wheres.push((key, self.name(hint)));
            let more = self.cursor.eat(Lexeme::Semicolon).is_some();
            let assigned = matches!(self.cursor.nth(1).kind, Lexeme::Assign | Lexeme::Equal);
            if !(more && self.cursor.kind() == Lexeme::Name && assigned) {
                break;
            }
        }
        if braces {
            self.close(Lexeme::CloseBrace, "close with `}`");
        }
        wheres
    }

    fn way(&mut self) -> Way {
        let start = self.cursor.span();
        if self.cursor.kind() == Lexeme::Name {
            match self.cursor.nth(1).kind {
                Lexeme::At => return self.timeout(start),
                Lexeme::Bar | Lexeme::CloseBrace => return Way::Line(self.name(EVENT_HINT)),
                _ => {}
            }
        }
        Way::Call(self.call(start))
    }

    fn timeout(&mut self, start: Span) -> Way {
        let clock = self.name(EVENT_HINT);
        self.cursor.bump();
        let hint = "say after how long: `clock@5`";
        let span = self.cursor.span();
        let delay =
            self.cursor.expect(Lexeme::Number, hint).and_then(|token| Number::parse(self.cursor.text(token.span)));
        if delay.is_none() {
            self.cursor.fail(Diagnostic::error("E0003", span, "this is no number that can be waited for").hint(hint));
        }
        let unit = self.cursor.eat_unit();
        let delay = Duration { amount: delay.unwrap_or(Number::ZERO), unit };
        Way::Timeout(clock, delay, self.cursor.since(start))
    }

    fn call(&mut self, start: Span) -> Call {
        let target = self.target();
        let method = self.name(EVENT_HINT);
        let (mut arguments, mut open) = (Vec::new(), false);
        if self.cursor.expect(Lexeme::Open, "write the arguments in parentheses: `login(u)`").is_some() {
            (arguments, open) = self.arguments();
        }
        let (mut named_target, mut returning) = (None, None);
        loop {
            if self.eat_word("target") {
                named_target = Some(self.in_parentheses());
            } else if self.eat_word("uponReturning") {
                returning = Some(self.in_parentheses());
            } else {
                let span = self.cursor.since(start);
                return Call { target, method, arguments, open, named_target, returning, span };
            }
        }
    }

    /// What stands before the dot, if anything does; `*` is anything, and says nothing.
    fn target(&mut self) -> Option<Typed> {
        if self.cursor.eat(Lexeme::Times).is_some() {
            self.cursor.expect(Lexeme::Dot, "write `*.method(x)`");
            return None;
        }
        let after = self.sort_length().unwrap_or(0) + 1;
        if self.cursor.kind() != Lexeme::Name || self.cursor.nth(after).kind != Lexeme::Dot {
            return None;
        }
        let target = self.typed(EVENT_HINT);
        self.cursor.bump();
        Some(target)
    }

    fn in_parentheses(&mut self) -> Typed {
        self.cursor.expect(Lexeme::Open, "write it in parentheses: `target (User u)`");
        let typed = self.typed("name it: `target (User u)`");
        self.close(Lexeme::Close, "close with `)`");
        typed
    }

    /// The arguments of a pattern, and whether `..` follows them.
    fn arguments(&mut self) -> (Vec<Argument>, bool) {
        let (mut arguments, mut open) = (Vec::new(), false);
        if self.cursor.eat(Lexeme::Close).is_some() {
            return (arguments, open);
        }
        loop {
            if self.cursor.eat(Lexeme::Dots).is_some() {
                open = true;
                break;
            }
            arguments.push(self.argument());
            if self.cursor.eat(Lexeme::Comma).is_none() {
                break;
            }
        }
        self.close(Lexeme::Close, "separate arguments with commas and close with `)`");
        (arguments, open)
    }

    fn argument(&mut self) -> Argument {
        if let Some(value) = self.constant() {
            return Argument::Constant(value);
        }
        let typed = self.typed("an argument is a variable, a constant, `_`, or `..` for any that follow");
        if &*typed.name.text == "_" { Argument::Any } else { Argument::Named(typed) }
    }
}
